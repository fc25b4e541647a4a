// Epochs: `term.change`. A higher term is a newer server's reign; a higher change a newer takeover in it.

/** Reads “1.4”; null where the text is no epoch. */
export function readEpoch(text) {
  const match = /^(\d{1,10})\.(\d{1,10})$/.exec(text ?? "");
  return match ? { term: Number(match[1]), change: Number(match[2]) } : null;
}

/** Below zero where `a` is older than `b`, above where newer; an unreadable epoch is older than any. */
export function compareEpochs(a, b) {
  const [left, right] = [readEpoch(a), readEpoch(b)];
  if (!left || !right) return Number(Boolean(left)) - Number(Boolean(right));
  return left.term - right.term || left.change - right.change;
}

/** The newer of two. */
export const newerEpoch = (a, b) => (compareEpochs(a, b) >= 0 ? a : b);

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
    try {
      this.#memory = JSON.parse(store?.getItem("baton.term") ?? "null") ?? this.#memory;
    } catch {
      this.#memory = { show: null, term: 0 };
    }
  }

  get term() {
    return this.#memory.term;
  }

  /** Whether a server that claims this term may be believed. */
  admits(term, show = this.#memory.show) {
    if (!Number.isInteger(term)) return true;
    if (show !== this.#memory.show) this.#memory = { show, term: 0 };
    if (term < this.#memory.term) return false;
    if (term > this.#memory.term) {
      this.#memory.term = term;
      this.#store?.setItem("baton.term", JSON.stringify(this.#memory));
    }
    return true;
  }
}
