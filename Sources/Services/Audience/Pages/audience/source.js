// The state of a relay's connection to the hall, which beats each second. The hall's own server sends none: its stream
// is always current.

export class Source {
  #unheardSince = null; // milliseconds

  /** Takes the stream's section `source`; null if there is none. */
  take(standing, now = performance.now()) {
    if (!standing || standing.isHeard) this.#unheardSince = null;
    else this.#unheardSince ??= now;
  }

  /** True if the stream is current, false if it repeats what the relay heard last. */
  get isHeard() {
    return this.#unheardSince === null;
  }

  /** Milliseconds since the hall was last heard. */
  silence(now = performance.now()) {
    return this.isHeard ? 0 : now - this.#unheardSince;
  }
}
