// The acts made on this device that are not with the server yet: rooms' and remarks', each on its own, so that several
// windows of one person share them. The server knows an act that comes twice by its id.
import { Refusal, ask } from "/shared/api.js";
import { fateOf } from "/shared/outbox.js";
import { wallClock } from "/shared/wallclock.js";
import { things } from "./store.js";

export const mostAtOnce = 200; // acts in one request
const forNow = ["not-published"]; // refusals that may turn: the act is kept and sent again
const digits = 15; // of an act's number in its key: milliseconds since 1970, or one more than the number before

// `older`: where earlier versions kept all acts of a document in one list.
const kinds = {
  room: { older: (place) => `outbox:${place}`,
    address: (id, user, stand) => `/api/rooms/${id}/send?stand=${stand}&user=${user}` },
  remarks: { older: (place) => `remarkbox:${place}`, address: (id, user) => `/api/scores/${id}/remarks?user=${user}` },
};

/**
 * Sends acts of a user, the oldest first. Gives the server's answers; throws Refusal.
 * @param {string} kind "room" or "remarks"
 * @param {string} document the room's or the score's id
 * @param {{ user: string, stand?: string }} by a room asks for the stand too
 * @param {any[]} acts
 */
export async function postActs(kind, document, { user, stand }, acts) {
  const answers = await ask(kinds[kind].address(document, user, stand),
    { method: "POST", json: acts.slice(0, mostAtOnce).map((act) => ({ v: 1, ...act })), patience: 10_000 });
  if (Array.isArray(answers)) return answers;
  throw new Refusal("The server's answer could not be read.", 0, "unreadable");
}

/** The id of the act that an answer ends: the server has it, or will never take it; null for other answers. */
export const endedBy = ({ receipt, refused, id }) => receipt ?? (refused && !forNow.includes(refused.code) ? id : null);

/** Acts that lay here, with those of this page after them. */
export const joinedWith = (left, own) => [...left.filter(({ id }) => !own.some((act) => act.id === id)), ...own];

/** Acts are never given up, for another server may take them; except for those that no server can read. */
export const metActs = ({ status }) => ([400, 413, 422].includes(status) ? null : "wait");

const prefixOf = (kind, user, document = null) => `unsent:${kind}:${user}:${document === null ? "" : `${document}:`}`;

/** The documents of a kind in which acts of a user wait here. */
async function documentsWithUnsent(kind, user) {
  const older = kinds[kind].older(`${user}:`);
  const found = [...await things.entries(prefixOf(kind, user)), ...await things.entries(older)];
  return [...new Set(found.map(([key]) => key.replace(older, prefixOf(kind, user)).split(":")[3]))];
}

export class UnsentActs {
  #prefix;
  #older;
  #keys = new Map(); // id → key
  #written = new Set(); // ids of acts that are on the disk
  #listed = new Set(); // ids of the acts that the page knows
  #number = 0;

  /** False if the last act had no room: it lasts as long as the page. */
  isKept = true;

  /** `kind` is "room" or "remarks", `document` the id of the room or the score. */
  constructor(kind, user, document) {
    this.#prefix = prefixOf(kind, user, document);
    this.#older = kinds[kind].older(`${user}:${document}`);
  }

  isOf(kind, user, document) {
    return this.#prefix === prefixOf(kind, user, document);
  }

  /** All acts that wait here, the oldest first, also those of other windows. */
  async take() {
    const older = (await things.get(this.#older)) ?? [];
    if (await this.#put(older)) await things.remove(this.#older);
    const kept = await things.entries(this.#prefix);
    for (const [key, { id }] of kept) {
      this.#keys.set(id, key);
      this.#written.add(id);
      this.#number = Math.max(this.#number, Number(key.slice(this.#prefix.length).split(":")[0]));
    }
    const acts = [...older.filter(({ id }) => !this.#written.has(id)), ...kept.map(([, act]) => act)];
    for (const { id } of acts) this.#listed.add(id);
    return acts;
  }

  /** These acts wait now; what is no longer among them is forgotten. */
  async keep(acts) {
    const ids = new Set(acts.map(({ id }) => id));
    const gone = [...this.#listed].filter((id) => !ids.has(id)).map((id) => this.#keys.get(id));
    this.#listed = ids;
    await Promise.all([this.#put(acts), ...gone.map((key) => things.remove(key))]);
  }

  /** Writes what is not written yet. True if all is on the disk; what is not is tried again with the next act. */
  async #put(acts) {
    const put = await Promise.all(acts.filter(({ id }) => !this.#written.has(id)).map(async (act) => {
      const { id } = act;
      if (!this.#keys.has(id)) {
        this.#number = Math.max(this.#number + 1, wallClock());
        this.#keys.set(id, `${this.#prefix}${String(this.#number).padStart(digits, "0")}:${id}`);
      }
      this.#written.add(id);
      const isPut = await things.putDurably(this.#keys.get(id), act);
      if (!isPut) this.#written.delete(id);
      return isPut;
    }));
    this.isKept = put.every(Boolean);
    return this.isKept;
  }
}

const hopeless = new Set(); // documents that the server refuses to this person, until the page is opened again

/**
 * Delivers what a user made in rooms and scores that are not open. `open` are wires, whose documents are left to them:
 * they take what other windows left. `refused(sentence)` is told what the server will never take; what fails otherwise
 * is tried again another time.
 */
export async function deliverWaiting(device, stand, open, refused) {
  const user = device.currentID;
  for (const kind of Object.keys(kinds)) {
    for (const document of user ? await documentsWithUnsent(kind, user) : []) {
      const place = `${kind} ${user} ${document}`;
      try {
        if (open.some((wire) => wire?.acts.isOf(kind, user, document)) || hopeless.has(place)) continue;
        await device.vouch();
        const kept = new UnsentActs(kind, user, document);
        const acts = await kept.take();
        const answers = acts.length > 0 ? await postActs(kind, document, { user, stand }, acts) : [];
        for (const answer of answers) if (answer.refused && endedBy(answer)) refused(answer.refused.sentence);
        const ended = new Set(answers.map(endedBy));
        await kept.keep(acts.filter(({ id }) => !ended.has(id)));
      } catch (refusal) {
        if (!["refused", "barred"].includes(fateOf(refusal))) return;
        hopeless.add(place);
      }
    }
  }
}
