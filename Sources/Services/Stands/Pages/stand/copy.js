// This stand's copy of a room, and the acts made here and not delivered yet. The server's version is the valid one.
// Messages may come twice, late or in any order; each event is applied once and in its place. Missing events are asked
// for again.
import { Content, actOf } from "./content.js";

const mostEarly = 1_000;
const forNow = ["not-published"]; // refusals that may turn: the event is kept and sent again

export class StandCopy {
  /** `kept` is what `toJSON` gave, from the crash before. */
  constructor(kept = null) {
    this.content = kept?.content ? new Content(kept.content) : null;
    this.seen = parseInt(kept?.seen, 10) || 0; // the number of the newest event
    this.undelivered = kept?.undelivered ?? [];
    this.early = [];
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
    const taken = [];
    if (message.snapshot !== undefined) {
      const seen = parseInt(message.seen, 10) || 0;
      // An older one, delivered late, takes nothing back; a server that knows less than this stand does.
      if (this.content && !message.reset && seen < this.seen) return { taken, missing: false };
      if (message.reset) this.early = [];
      this.content = new Content(message.snapshot);
      this.seen = seen;
      this.#takeEarly(taken);
      return { taken, missing: false };
    }
    if (message.receipt !== undefined) {
      this.#delivered(message.receipt);
      return { taken, missing: false };
    }
    if (message.refused !== undefined) {
      if (message.id && !forNow.includes(message.refused.code)) this.#delivered(message.id);
      return { taken, missing: false };
    }
    if (message.seq === undefined) return { taken, missing: false };
    // An act of this stand stays undelivered until its receipt: only then can a power cut not take it back.
    if (!this.content) return { taken, missing: true };
    if (message.seq <= this.seen) return { taken, missing: false };
    if (message.after > this.seen) {
      if (this.early.length < mostEarly && !this.early.some((each) => each.seq === message.seq)) {
        this.early.push(message);
      }
      return { taken, missing: true };
    }
    this.#take(message, taken);
    this.#takeEarly(taken);
    return { taken, missing: false };
  }

  #delivered(id) {
    if (this.undelivered.some((event) => event.id === id)) {
      this.undelivered = this.undelivered.filter((event) => event.id !== id);
    }
  }

  #take(event, taken) {
    const act = actOf(event);
    if (act) {
      this.content.apply(act[0], act[1], event.at);
      taken.push({ name: act[0], value: act[1], by: event.by ?? null, id: event.id });
    }
    this.seen = event.seq;
  }

  #takeEarly(taken) {
    this.early.sort((a, b) => a.seq - b.seq);
    const waiting = [];
    for (const event of this.early) {
      if (event.seq <= this.seen) continue;
      if (event.after <= this.seen) this.#take(event, taken);
      else waiting.push(event);
    }
    this.early = waiting;
  }

  toJSON() {
    return { content: this.content, seen: `${this.seen}.0`, undelivered: this.undelivered };
  }
}
