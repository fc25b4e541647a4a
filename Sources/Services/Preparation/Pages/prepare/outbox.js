// Sends what was edited here, one batch after another, and again after a cut. Unsent batches survive a reload.
import { keep, readKept } from "/shared/kept.js";
import { sendEdits } from "./server.js";

const longestWait = 8000; // ms between two attempts

export class Outbox {
  #piece;
  #mirror;
  #events;
  #isSending = false;
  #trials = 0;
  #timer = null;
  #isClosed = false;

  /**
   * `events` has answered(batch, answer), refused(batch, refusal), idle() after the last one, and
   * state("saved", "saving", "waiting" or "out", sentence).
   */
  constructor(piece, mirror, events) {
    this.#piece = piece;
    this.#mirror = mirror;
    this.#events = events;
    const kept = readKept(this.#place);
    if (Array.isArray(kept) && kept.length > 0) mirror.restore(kept);
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
        const answer = await sendEdits(this.#piece, batch);
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

  get #place() {
    return `baton.prepare.unsent.${this.#piece}`;
  }

  #keep() {
    keep(this.#place, this.#mirror.pending.length > 0 ? this.#mirror.pending : null);
  }

  #mustWait(batch, refusal) {
    if (refusal.status === 401) {
      this.#events.state("out", "You are signed out. Your changes are kept in this browser and go out when "
        + "you sign in.");
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
