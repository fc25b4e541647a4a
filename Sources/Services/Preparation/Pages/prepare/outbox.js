// Sends what was edited here, one batch after another, and again after a cut. Unsent batches survive a reload.
import { sendEdits } from "./server.js";
import { Unsent } from "./unsent.js";

const longestWait = 8000; // ms between two attempts

export class Outbox {
  #piece;
  #me;
  #unsent;
  #mirror;
  #events;
  #isSending = false;
  #trials = 0;
  #timer = null;
  #isClosed = false;

  /**
   * `me` is the name of the person who makes the edits: they go out under no other. `events` has answered(batch,
   * answer), refused(batch, refusal), idle() after the last one, and state("saved", "saving", "waiting" or "out",
   * sentence).
   */
  constructor(piece, me, mirror, events) {
    this.#piece = piece;
    this.#me = me;
    this.#mirror = mirror;
    this.#events = events;
    this.#unsent = new Unsent(piece, me);
    const kept = this.#unsent.take();
    if (kept.length > 0) mirror.restore(kept);
  }

  /** A batch is on its way: whether an announced revision is this batch is known with its answer. */
  get isSending() {
    return this.#isSending;
  }

  /** Something may be there to send. */
  async flush() {
    if (this.#isSending || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    while (this.#mirror.pending.length > 0 && !this.#isClosed) {
      this.#keep();
      const [batch] = this.#mirror.pending;
      if (this.#trials === 0) this.#events.state("saving");
      try {
        const answer = await sendEdits(this.#piece, { ...batch, by: this.#me });
        this.#trials = 0;
        this.#events.answered(batch, answer);
        if (this.#mirror.pending[0]?.id === batch.id) this.#mirror.drop(batch.id);
      } catch (refusal) {
        if (this.#mustWait(batch, refusal)) break;
      }
    }
    this.#isSending = false;
    this.#events.idle();
    this.#keep();
    if (this.#mirror.pending.length === 0) this.#events.state("saved");
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #keep() {
    this.#unsent.keep(this.#mirror.pending);
  }

  #mustWait(batch, refusal) {
    if (refusal.status === 401) {
      this.#events.state("out", "You are signed out. Your changes are kept in this browser and go out when "
        + "you sign in.");
      return true;
    }
    if (refusal.code === "other-person") {
      this.#events.state("waiting", refusal.message);
      this.#timer = setTimeout(() => this.flush(), longestWait);
      return true;
    }
    if (refusal.status === 0 || refusal.status >= 500 || refusal.status === 429) {
      this.#trials += 1;
      this.#events.state("waiting", "The server does not answer. Go on working: your changes are kept here and are "
        + "sent as soon as it does.");
      this.#timer = setTimeout(() => this.flush(), Math.min(500 * 2 ** this.#trials, longestWait));
      return true;
    }
    this.#mirror.drop(batch.id);
    this.#events.refused(batch, refusal);
    return false;
  }
}
