// Pieces of waveform and spectrum from the server: few at a time, the ones on the screen first, the latest used kept.

/**
 * The level whose columns are as wide as a pixel or narrower: each has a quarter of the columns of the one before.
 * `kind` has the seconds of a `column` of level 0.
 */
export function levelFor(secondsPerPixel, { column }) {
  return Math.max(Math.floor(Math.log(secondsPerPixel / column) / Math.log(4) + 1e-9), 0);
}

/** The coarsest level of a recording that is still one whole tile or more. */
export function lastLevel(length, { column, columns }) {
  return Math.max(Math.floor(Math.log(length / (column * columns)) / Math.log(4)), 0);
}

/** The tiles of a level that hold the time from `from` to `to`; `seconds` is the length of a tile of level 0. */
export function tilesOf(level, from, to, seconds) {
  const length = seconds * 4 ** level;
  const first = Math.max(Math.floor(from / length), 0);
  const last = Math.max(Math.floor((to - 1e-9) / length), first);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export class TileCache {
  #load;
  #arrived;
  #capacity;
  #lanes;
  #kept = new Map(); // key → value, the longest unused first
  #running = new Map(); // key → AbortController
  #failed = new Map(); // key → ms before which it is not asked again
  #wanted = [];

  /** `load(key, signal)` gives a tile's promise; `arrived()` is called with each tile that came. */
  constructor(load, arrived, { capacity = 160, lanes = 4 } = {}) {
    this.#load = load;
    this.#arrived = arrived;
    this.#capacity = capacity;
    this.#lanes = lanes;
  }

  /** The tile if it is here; null if not. */
  get(key) {
    const value = this.#kept.get(key);
    if (value === undefined) return null;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  /** Asks for these tiles, the first first; what is on its way and not among them any more is given up. */
  want(keys) {
    this.#wanted = keys.filter((key) => !this.#kept.has(key));
    const wanted = new Set(this.#wanted);
    for (const [key, connection] of this.#running) {
      if (wanted.has(key)) continue;
      connection.abort();
      this.#running.delete(key);
    }
    this.#fill();
  }

  clear() {
    this.want([]);
    this.#kept.clear();
    this.#failed.clear();
  }

  #fill() {
    for (const key of this.#wanted) {
      if (this.#running.size >= this.#lanes) return;
      if (this.#running.has(key) || this.#kept.has(key) || this.#failed.get(key) > performance.now()) continue;
      const connection = new AbortController();
      this.#running.set(key, connection);
      this.#load(key, connection.signal).then((value) => this.#take(key, connection, value),
        () => this.#take(key, connection, null));
    }
  }

  #take(key, connection, value) {
    if (this.#running.get(key) !== connection) return;
    this.#running.delete(key);
    if (value === null) {
      this.#failed.set(key, performance.now() + 2000);
      setTimeout(() => this.#arrived(), 2050);
    } else {
      this.#kept.set(key, value);
      while (this.#kept.size > this.#capacity) this.#kept.delete(this.#kept.keys().next().value);
      this.#arrived();
    }
    this.#fill();
  }
}
