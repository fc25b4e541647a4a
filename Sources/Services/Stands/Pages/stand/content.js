// The content of a room, without its remarks: the stand reads those of the score. A stand that applies the events in
// order holds the same content that the server would send anew. It computes as RoomContent.swift does.
import { Roll } from "./roll.js";

const rolls = { members: "user", participations: "id" };

/** The one act of an event, as `[name, value]`; null if the event has no act that this version knows. */
export function actOf(event) {
  const name = acts.find((each) => event[each] !== undefined);
  return name ? [name, event[name]] : null;
}

const acts = [
  "publish", "rename", "joined", "join", "role", "expel", "readmit", "handOver", "begin", "endSession", "entered",
  "enter", "leave", "turn", "pinpoint", "endPinpoint", "addScore", "dropScore", "moveScore", "attacca", "openScore",
  "evening",
];

export class Content {
  // Rolls, by the names of `rolls`.
  members;
  participations;
  layers;
  remarks;
  ownLayers;
  ownRemarks;

  /** `value` is RoomContent's JSON. */
  constructor(value) {
    this.room = { ...value.room };
    this.session = value.session ? { ...value.session } : null;
    this.turn = value.turn ?? null;
    this.pinpoint = value.pinpoint ?? null;
    this.programme = value.programme ? value.programme.map((entry) => ({ ...entry })) : [ownEntry(this.room)];
    this.open = value.open ?? this.programme[0].id;
    this.openedDuring = value.openedDuring ?? null;
    this.isEvening = value.evening ?? false;
    this.players = value.players ?? null;
    for (const [name, key] of Object.entries(rolls)) this[name] = new Roll(value[name] ?? [], key);
  }

  /** Does what an event says. It was taken already, so nothing is checked; what does not fit changes nothing. */
  apply(name, value, at) {
    switch (name) {
      case "publish": this.room.isPublished = value; break;
      case "rename": this.room.name = value; break;
      case "joined": this.members.append(value); break;
      case "role": this.members.update(value.user, { role: value.role }); break;
      case "expel":
        this.members.update(value, { status: "expelled", role: "member" });
        this.#close(value, at);
        break;
      case "readmit": this.members.update(value, { status: "joined" }); break;
      case "handOver":
        this.members.update(this.room.owner, { role: "leader" });
        this.members.update(value, { role: "owner" });
        this.room.owner = value;
        break;
      case "begin":
        this.session = { ...value.session };
        this.participations = new Roll();
        this.turn = null;
        this.pinpoint = null;
        break;
      case "endSession":
        if (this.session) this.session.ended = at;
        this.#close(null, at);
        break;
      case "entered":
        if (!this.participations.append(value)) {
          this.participations.update(value.id, { part: value.part, score: value.score });
        }
        break;
      case "leave": this.#close(value, at); break;
      case "turn": this.turn = value; break;
      case "pinpoint": this.pinpoint = value; break;
      case "endPinpoint": this.pinpoint = null; break;
      case "addScore":
        if (!this.entry(value.entry.id)) this.#insert({ ...value.entry }, value.before);
        break;
      case "dropScore":
        if (value !== this.open) this.programme = this.programme.filter((entry) => entry.id !== value);
        break;
      case "moveScore": {
        const moved = this.entry(value.entry);
        if (!moved || value.entry === value.before) break;
        this.programme = this.programme.filter((entry) => entry !== moved);
        this.#insert(moved, value.before);
        break;
      }
      case "attacca": {
        const entry = this.entry(value.entry);
        if (!entry) break;
        if (value.isAttacca) entry.attacca = true;
        else delete entry.attacca;
        break;
      }
      case "evening": {
        this.isEvening = value.isOn;
        this.players = value.isOn ? value.players ?? this.players : null;
        const entries = value.entries ?? [];
        if (entries.length === 0) break;
        const isIn = entries.some((entry) => entry.id === this.open);
        this.programme = (isIn ? entries : [this.openEntry, ...entries]).map((entry) => ({ ...entry }));
        break;
      }
      case "openScore":
        if (this.entry(value.entry)) {
          this.open = value.entry;
          this.openedDuring = value.piece ?? null;
        }
        // Both name pages of the score before.
        this.turn = this.pinpoint = null;
        break;
      default: break;
    }
  }

  #close(user, at) {
    for (const one of this.participations.elements) {
      if (missing(one.left) && (user === null || one.user === user)) this.participations.update(one.id, { left: at });
    }
  }

  #insert(entry, before) {
    const at = this.programme.findIndex((each) => each.id === before);
    this.programme.splice(at < 0 ? this.programme.length : at, 0, entry);
  }

  /** An entry of the programme; null if there is none of that id. */
  entry(id) {
    return this.programme.find((entry) => entry.id === id) ?? null;
  }

  get openEntry() {
    return this.entry(this.open) ?? this.programme[0];
  }

  /** The id of the score that is open on all stands. */
  get openScore() {
    return this.openEntry.score;
  }

  /** The score something belongs to: the one it names, or else the one the room was made with. */
  scoreOf(thing) {
    return thing?.score ?? this.room.score;
  }

  /** The participation of a user that is not over; null if there is none. */
  participation(user) {
    return this.participations.elements.findLast((one) => one.user === user && missing(one.left)) ?? null;
  }

  get isRunning() {
    return this.session !== null && missing(this.session.ended);
  }

  role(user) {
    const member = this.members.at(user);
    return member?.status === "joined" ? member.role : null;
  }

  leads(user) {
    return ["owner", "leader"].includes(this.role(user));
  }

  toJSON() {
    const value = { room: this.room };
    for (const name of Object.keys(rolls)) value[name] = this[name].elements;
    for (const name of ["session", "turn", "pinpoint"]) if (this[name] !== null) value[name] = this[name];
    const { programme, open, openedDuring, isEvening, players } = this;
    const own = ownEntry(this.room);
    const isOwn = programme.length === 1 && JSON.stringify(programme[0]) === JSON.stringify(own);
    if (isOwn && openedDuring === null && !isEvening) return value;
    return { ...value, programme, open, ...(openedDuring === null ? {} : { openedDuring }),
      ...(isEvening ? { evening: true } : {}), ...(players === null ? {} : { players }) };
  }
}

/** The programme of a room with one score: its entry has the room's own id. */
const ownEntry = (room) => ({ id: room.id, score: room.score });

const missing = (value) => value === undefined || value === null;
