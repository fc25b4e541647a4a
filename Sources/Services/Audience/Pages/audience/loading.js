// The concert's content: loaded, loaded again when the server has another, and kept on the phone in the background.
import { keep, keepPictures } from "./store.js";

const patienceMs = 10_000;
const keptAfterMs = 800; // once the slide is on the screen

export class Loading {
  #hall;
  #take;
  #kept;
  #running = null;
  #asked = null; // the revision that is on its way
  #keeping = Promise.resolve();

  /** `take(concert)` takes what was loaded, `kept()` is called when more is on the phone. */
  constructor(hall, { take, kept }) {
    this.#hall = hall;
    this.#take = take;
    this.#kept = kept;
  }

  /** Loads the concert again when the server has another; in a full hall not all at once. */
  want(content, spreadMs) {
    const revision = content?.revision;
    const { concert } = this.#hall;
    if (!revision || !concert || String(revision) === String(concert.revision) || revision === this.#asked) return;
    this.#asked = revision;
    setTimeout(() => this.load().catch(() => (this.#asked = null)), Math.random() * spreadMs);
  }

  /**
   * `first` is an answer that was asked for already; `fresh` asks past every cache. Throws where the server does not
   * answer.
   */
  async load({ first = null, fresh = false } = {}) {
    while (this.#running) await this.#running.catch(() => {});
    this.#running = (async () => {
      const answer = await (first ?? fetch("/api/audience/concert",
        { cache: fresh ? "reload" : "no-cache", signal: AbortSignal.timeout(patienceMs) }));
      if (!answer.ok) throw new Error(`The concert could not be loaded: status ${answer.status}.`);
      return answer.json();
    })().finally(() => (this.#running = null));
    const concert = await this.#running;
    const before = this.#hall.concert;
    this.#take(concert);
    this.#keepLater(concert, fresh || (before !== null && before.revision !== concert.revision));
    return concert;
  }

  #keepLater(concert, fresh) {
    this.#keeping = this.#keeping.then(() => new Promise((go) => setTimeout(go, keptAfterMs))).then(async () => {
      const isOther = await keep(concert);
      await this.#kept();
      await keepPictures(concert, { first: this.#hall.live?.pieceName, fresh: fresh || isOther });
    }).catch(() => {}); // no room on the phone: it goes without
  }
}
