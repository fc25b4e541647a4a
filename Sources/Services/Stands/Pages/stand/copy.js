// This stand's copy of a room, and the acts made here and not delivered yet. The server's version is the valid one.
// Messages may come twice, late or in any order; each event is applied once and in its place. Missing events are asked
// for again.
import { InOrder } from "/shared/changes.js";
import { Content, actOf } from "./content.js";
import { endedBy } from "./unsentacts.js";

export class StandCopy {
  #order;
  #taken = []; // acts that took effect since `receive` was asked

  /** `kept` is what `toJSON` gave, from the crash before. */
  constructor(kept = null) {
    this.content = kept?.content ? new Content(kept.content) : null;
    this.#order = new InOrder(parseInt(kept?.seen, 10) || 0, (event) => this.#take(event));
    this.undelivered = kept?.undelivered ?? [];
  }

  /** The number of the newest event. */
  get seen() {
    return this.#order.at;
  }

  /** The first word of every connection. */
  get hello() {
    return this.content ? `${this.seen}.0` : "new";
  }

  /** Makes an event: it is to be sent, and kept until it is known to be taken. */
  make(act, id) {
    const event = { ...act, id };
    this.undelivered.push(event);
    return { v: 1, ...event };
  }

  /**
   * Takes a message. Gives `{ taken, missing }`: the acts that took effect, in order, and whether something is
   * missing, so that hello is to be said again.
   */
  receive(message) {
    let isMissing = false;
    if (message.snapshot !== undefined) this.#takeAll(message);
    else if (message.receipt !== undefined || message.refused !== undefined) this.#delivered(endedBy(message));
    else if (message.seq !== undefined) {
      // An act of this stand stays undelivered until its receipt: only then can a power cut not take it back.
      if (this.content) this.#order.heard(message.seq, message, message.after);
      isMissing = !this.content || message.seq > this.seen;
    }
    return { taken: this.#taken.splice(0), missing: isMissing };
  }

  #takeAll({ snapshot, seen: said, reset }) {
    const seen = parseInt(said, 10) || 0;
    // An older one, delivered late, takes nothing back; a server that knows less than this stand does.
    if (this.content && !reset && seen < this.seen) return;
    if (reset) this.#order.forgetEarly();
    this.content = new Content(snapshot);
    this.#order.reach(seen);
  }

  #delivered(id) {
    if (this.undelivered.some((event) => event.id === id)) {
      this.undelivered = this.undelivered.filter((event) => event.id !== id);
    }
  }

  #take(event) {
    const act = actOf(event);
    if (!act) return;
    this.content.apply(act[0], act[1], event.at);
    this.#taken.push({ name: act[0], value: act[1], by: event.by ?? null, id: event.id });
  }

  toJSON() {
    return { content: this.content, seen: `${this.seen}.0`, undelivered: this.undelivered };
  }
}
