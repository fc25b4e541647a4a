// How a relay stands with the hall. The hall's own server says nothing of it: what it says is heard.

export class Source {
  #unheardSince = null; // milliseconds

  /** Takes the stream's section `source`; null where there is none. */
  take(standing, now = Date.now()) {
    if (!standing || standing.isHeard) this.#unheardSince = null;
    else this.#unheardSince ??= now;
  }

  /** Whether what the stream says is what happens now, and not what was heard last. */
  get isHeard() {
    return this.#unheardSince === null;
  }

  /** Milliseconds since the hall was last heard. */
  silence(now = Date.now()) {
    return this.isHeard ? 0 : now - this.#unheardSince;
  }
}
