// A room as this stand holds it: the copy, kept over a crash, and the wire to the hub.
import { ask } from "/shared/api.js";
import { newID } from "/shared/ids.js";
import { StandCopy } from "./copy.js";
import { Link } from "./link.js";
import { samePart } from "./partname.js";
import { quick, things } from "./store.js";
import { UnsentActs, joinedWith } from "./unsentacts.js";
import { notice } from "./words.js";

const rest = 400; // ms between two writings of a copy

export class RoomWire {
  copy = new StandCopy();
  state = "joining";
  isUnknown = false; // to the server; what was made here is kept all the same
  elsewhere = null; // the refusal of a server that does not lead
  surplus = ""; // why the server has no place for this stand, where it has none
  link = null;
  #keeping = null;
  #rejoining = null;
  #entering = null;

  constructor(reader, room) {
    this.reader = reader;
    this.room = room;
    this.user = reader.user;
    this.key = `copy:${this.user}:${room}`;
    this.acts = new UnsentActs("room", this.user, room);
  }

  /** Loads the kept copy of the room. Acts that were not delivered are kept apart, because they must not be lost. */
  async load() {
    this.copy = new StandCopy({ ...await things.get(this.key), undelivered: await this.acts.take() });
  }

  /** Takes what other windows left, too. */
  async #takeLeft() {
    this.copy.undelivered = joinedWith(await this.acts.take(), this.copy.undelivered);
    this.link.deliver();
  }

  /** The score of a room this stand has never held. */
  async scoreID() {
    const home = await ask("/api/stand/home", { patience: 6_000 });
    const { owned = [], joined = [], notJoined = [] } = home.rooms ?? {};
    const entry = [...owned, ...joined, ...notJoined].find((room) => room.id === this.room);
    if (!entry) throw new Error("This room no longer exists.");
    return entry.score;
  }

  start() {
    this.link = new Link(this.room, this.reader.stand, this.user, this.copy, {
      vouch: () => this.reader.device.vouch(),
      message: (message) => this.#hear(message),
      state: (state) => this.#tell(state),
      refused: (refusal) => this.#refused(refusal),
    });
    this.link.start();
    this.enter();
  }

  stop() {
    this.link?.stop();
    clearTimeout(this.#keeping);
    clearTimeout(this.#rejoining);
    if (this.copy.content) this.#keep();
  }

  /** Asks for a place again, after the player has closed another stand. */
  reopen() {
    this.surplus = "";
    this.reader.chrome.paint();
    this.link?.reopen();
  }

  /** Makes an act, and sends it as soon as there is a network; gives its id. */
  make(act) {
    return this.makeAll([act])[0];
  }

  /** Makes several acts as one step: they are sent together. */
  makeAll(acts) {
    const ids = acts.map((act) => this.copy.make(act, newID()).id);
    this.acts.keep(this.copy.undelivered);
    this.link?.deliver();
    this.reader.took([], false);
    return ids;
  }

  /** Takes part in the session that runs, with the part that the player has chosen; not in a piece that is only looked
      at. */
  enter() {
    const { content, undelivered } = this.copy;
    const { isPartChosen, onward, part, score } = this.reader;
    if (!this.link || !content?.isRunning || !score || !isPartChosen || onward.isAway) return;
    if (content.role(this.user) === null) return;
    const present = content.participation(this.user);
    const name = `${content.session.id} ${score.id} ${part}`;
    // A part of the same name in another score of the programme is the same part: nobody need hear of it.
    const there = present && content.scoreOf(present) !== score.id ? this.#enteredPart(present, score) : present?.part;
    if (there !== part && this.#entering !== name
      && !undelivered.some(({ enter }) => enter?.part === part && content.scoreOf(enter) === score.id)) {
      this.#entering = name;
      this.make({ enter: { participation: present?.id ?? newID(), part,
        ...(score.id === content.room.score ? {} : { score: score.id }) } });
    }
    if (there === part || present === null) this.#remember(score.parts[part].name);
  }

  /** The part of `score` that has the name of the one this player entered with; null if it is not known. */
  #enteredPart(present, score) {
    const name = quick.get(`entered.${this.user}.${present.id}`);
    return name === null ? null : samePart(name, score.parts.map((part) => part.name));
  }

  #remember(name) {
    const present = this.copy.content.participation(this.user);
    if (present) quick.put(`entered.${this.user}.${present.id}`, name);
  }

  #hear(message) {
    if (message.live !== undefined || message.follow !== undefined || message.edition) {
      return this.reader.heard(message);
    }
    if (message.echo !== undefined) return;
    const before = this.copy.undelivered.length;
    const oldTurn = JSON.stringify(this.copy.content?.turn ?? null);
    const oldPinpoint = JSON.stringify(this.copy.content?.pinpoint ?? null);
    const hadContent = this.copy.content !== null;
    const { taken, missing } = this.copy.receive(message);
    if (this.copy.undelivered.length !== before) this.acts.keep(this.copy.undelivered);
    if (message.refused !== undefined) this.#said(message);
    if (missing) this.#missing();
    if (message.snapshot !== undefined) {
      // Orders that came while this stand was away take effect now.
      const { turn, pinpoint } = this.copy.content;
      if (hadContent && turn && JSON.stringify(turn) !== oldTurn) taken.push({ name: "turn", value: turn });
      if (hadContent && pinpoint && JSON.stringify(pinpoint) !== oldPinpoint) {
        taken.push({ name: "pinpoint", value: pinpoint });
      }
    }
    if (taken.some(({ name }) => name === "begin" || name === "endSession" || name === "leave")) this.#entering = null;
    this.enter();
    this.reader.took(taken, message.snapshot !== undefined);
    if (taken.length > 0 || message.snapshot !== undefined) this.#keepSoon();
  }

  #said(message) {
    const { code, sentence } = message.refused;
    if (message.id === undefined || message.id === null) {
      // The stand itself is not let in.
      if (code !== "not-published") things.remove(this.key);
      return this.reader.leave(sentence);
    }
    if (code !== "not-published" && code !== "not-now") notice(sentence);
  }

  #refused(refusal) {
    const { status, message, code } = refusal;
    if (code === "not-reigning") {
      this.elsewhere = refusal;
      return this.reader.chrome.paint();
    }
    if (status === 401) {
      this.reader.device.doubt();
      return this.reader.listener.signedOut();
    }
    if (status === 404) {
      // Perhaps another server, or one that has not read its rooms yet: nothing is given up for that.
      this.isUnknown = true;
      return this.reader.chrome.paint();
    }
    if (status === 403 || status === 410) {
      if (code !== "not-published") things.remove(this.key);
      return this.reader.leave(message);
    }
    if (code === "too-many") {
      this.surplus = message;
      return this.reader.chrome.paint();
    }
    if (status < 500) notice(message);
  }

  /** Some events are missing: `hello` is sent again, once for many. */
  #missing() {
    if (this.#rejoining) return;
    this.#rejoining = setTimeout(() => {
      this.#rejoining = null;
      this.link.join();
    }, 100);
  }

  #tell(state) {
    this.state = state;
    if (state === "joined") {
      this.isUnknown = false;
      this.elsewhere = null;
      this.surplus = "";
      this.#takeLeft();
      this.reader.preferences?.forget();
      this.reader.prefer({});
      // The events that the stand missed come first.
      setTimeout(() => this.reader.wire === this && this.reader.followOpen(), 700);
    } else if (state === "lost") this.reader.live.silent();
    this.reader.chrome.paint();
  }

  #keepSoon() {
    this.#keeping ??= setTimeout(() => {
      this.#keeping = null;
      this.#keep();
    }, rest);
  }

  #keep() {
    const { content, seen } = JSON.parse(JSON.stringify(this.copy));
    things.put(this.key, { content, seen });
  }
}
