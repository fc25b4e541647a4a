// Changes of a piece that are not sent yet, kept in this browser for the person who made them: whoever signs in here
// next does not send them.
import { keep, readKept, storage } from "/shared/kept.js";

const prefix = "baton.prepare.unsent.";

export class Unsent {
  #place;
  #old;

  /** `me` is the signed-in person's name. */
  constructor(piece, me) {
    this.#old = `${prefix}${piece}`; // as an earlier version kept them, without a name
    this.#place = `${this.#old}.${encodeURIComponent(me)}`;
  }

  /** The batches that this person left here, the oldest first. */
  take() {
    const found = [this.#old, this.#place].map((place) => readKept(place)).filter(Array.isArray).flat();
    keep(this.#old, null);
    this.keep(found);
    return found;
  }

  keep(batches) {
    keep(this.#place, batches.length > 0 ? batches : null);
  }
}

/** The names of other people who left changes of a piece in this browser. */
export function othersWithUnsent(piece, me) {
  const start = `${prefix}${piece}.`;
  return Object.keys(storage() ?? {}).filter((key) => key.startsWith(start))
    .map((key) => decodeURIComponent(key.slice(start.length))).filter((name) => name !== me);
}
