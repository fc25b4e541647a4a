// The piece this phone heard last, kept over reloads: so the intermission knows what comes next.
import { keep, readKept } from "/shared/kept.js";

const place = "baton.audience.heard";

export class Heard {
  #store;
  #last = null; // {show, pieceName}

  /** `store` is like localStorage; null for none. */
  constructor(store = null) {
    this.#store = store;
    this.#last = readKept(place, store);
  }

  /** Takes what the stream says; gives the name of the piece heard last in the same show, null if there is none. */
  take(live) {
    if (!live) return null;
    const show = live.show ?? null;
    if (live.pieceName && (live.pieceName !== this.#last?.pieceName || show !== this.#last.show)) {
      this.#last = { show, pieceName: live.pieceName };
      keep(place, this.#last, this.#store);
    }
    return this.#last?.show === show ? this.#last.pieceName : null;
  }
}
