// Decides whether a server may still be believed.
import { keep, readKept } from "/shared/kept.js";

const place = "baton.term";

/**
 * Remembers the highest term seen in a show and refuses lower ones, so that two servers are never both believed.
 * A show that began at another moment counts afresh.
 */
export class TermFence {
  #store;
  #memory = { show: null, term: 0 };

  /** `store` keeps the term over a reload (like sessionStorage); may be null. */
  constructor(store = null) {
    this.#store = store;
    this.#memory = readKept(place, store) ?? this.#memory;
  }

  get term() {
    return this.#memory.term;
  }

  /** True if a server that claims this term may be believed. */
  admits(term, show = this.#memory.show) {
    if (!Number.isInteger(term)) return true;
    if (show !== this.#memory.show) this.#memory = { show, term: 0 };
    if (term < this.#memory.term) return false;
    if (term > this.#memory.term) {
      this.#memory.term = term;
      keep(place, this.#memory, this.#store);
    }
    return true;
  }
}
