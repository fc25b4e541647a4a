// Which piece this phone heard last, kept over reloads: so the intermission knows what comes next.

const place = "baton.audience.heard";

export class Heard {
  #store;
  #last = null; // {show, pieceName}

  /** `store` is like localStorage; null for none. */
  constructor(store = null) {
    this.#store = store;
    try {
      this.#last = JSON.parse(store?.getItem(place) ?? "null");
    } catch {
      this.#last = null;
    }
  }

  /** Takes what the stream says; gives the name of the piece heard last in the same show, null where there is none. */
  take(live) {
    if (!live) return null;
    const show = live.show ?? null;
    if (live.pieceName && (live.pieceName !== this.#last?.pieceName || show !== this.#last.show)) {
      this.#last = { show, pieceName: live.pieceName };
      try {
        this.#store?.setItem(place, JSON.stringify(this.#last));
      } catch {
        // Then it is known as long as the page is open.
      }
    }
    return this.#last?.show === show ? this.#last.pieceName : null;
  }
}
