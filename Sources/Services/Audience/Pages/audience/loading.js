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
  #newest = null; // what the stream said of the content last
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
    this.#newest = content;
    setTimeout(() => this.#loadNewest().catch(() => (this.#asked = null)), Math.random() * spreadMs);
  }

  /** Loads what the stream spoke of last, unless that was loaded in the pause before. */
  async #loadNewest() {
    const content = this.#newest;
    if (String(content.revision) === String(this.#hall.concert?.revision)) return;
    await this.load({ content });
  }

  /**
   * `content` is what the stream says, of which only the changed parts are loaded; `first` an answer that was asked
   * for already; `fresh` asks past every cache. Throws where the server does not answer.
   */
  async load({ content = null, first = null, fresh = false } = {}) {
    while (this.#running) await this.#running.catch(() => {});
    this.#running = (async () => (content && await changedParts(this.#hall.concert, content))
      ?? whole(await (first
        ?? ask(named("/api/audience/concert", content?.revision), fresh ? "reload" : "no-cache"))))()
      .finally(() => (this.#running = null));
    const concert = await this.#running;
    this.#take(concert);
    this.#keepLater(concert, fresh);
    return concert;
  }

  #keepLater(concert, fresh) {
    this.#keeping = this.#keeping.then(() => new Promise((go) => setTimeout(go, keptAfterMs))).then(async () => {
      const changed = await keep(concert);
      await this.#kept();
      await keepPictures(concert, { first: this.#hall.live?.pieceName, fresh: fresh ? null : changed });
    }).catch(() => {}); // no room on the phone: it goes without
  }
}

/**
 * @param {string} path
 * @param {RequestCache} [cache]
 */
const ask = (path, cache = "no-cache") => fetch(path, { cache, signal: AbortSignal.timeout(patienceMs) });

/**
 * An address with the version that is meant, for caches on the way: an answer that they kept is of that version.
 * @param {string} path
 * @param {string} [version]
 */
const named = (path, version) => (version ? `${path}?v=${encodeURIComponent(version)}` : path);

async function whole(answer) {
  if (!answer.ok) throw new Error(`The concert could not be loaded: status ${answer.status}.`);
  return answer.json();
}

/**
 * The concert that the stream speaks of: the parts of `concert` whose versions it names, and the others from the
 * server. Null if it cannot be put together, because the server (or this phone's copy) has no versions, or has other
 * ones by now; and if most of it changed, when one answer is cheaper.
 */
async function changedParts(concert, { revision, versions }) {
  if (!versions || !concert?.version) return null;
  const here = new Map(concert.pieces.map((piece) => [piece.version, piece]));
  const missing = versions.pieces.filter((version) => !here.has(version)).length;
  if (missing > 1 && missing > versions.pieces.length / 2) return null;
  try {
    const heading = versions.heading === concert.version
      ? concert : await part("/api/audience/heading", versions.heading);
    const pieces = [];
    for (const [number, version] of versions.pieces.entries()) {
      pieces.push(here.get(version) ?? await part(`/api/audience/pieces/${number}`, version));
    }
    return { ...heading, revision, pieces };
  } catch {
    return null;
  }
}

async function part(path, version) {
  const value = await whole(await ask(named(path, version)));
  if (value.version !== version) throw new Error(`${path} is of another version by now.`);
  return value;
}
