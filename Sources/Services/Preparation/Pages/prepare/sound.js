// The data of the waveform and the spectrum: tiles of the recording at the level that fits the zoom.
import { soundBytes, tile } from "./server.js";
import { TileCache, lastLevel, levelFor, tilesOf } from "./tiles.js";

// As the server makes them: columns of level 0 in seconds, and columns in a tile.
export const peaks = { column: 0.004, columns: 1024 };
export const spectrum = { column: 0.02, columns: 512, rows: 96 };
// Closer than this the samples themselves are drawn.
export const samples = { rate: 32_000, count: 16_384, below: 0.0005 };

const tileSeconds = (kind) => kind.column * kind.columns;

export class Sound {
  #piece;
  #recording;
  #length; // seconds
  #peaks;
  #spectrum;
  #samples;
  #colours = null; // 256 × 4 bytes, the quietest first
  #gain = 1;
  #header = null; // promise of where the samples begin, in bytes

  /** A `recording` of the piece as the server says it; `arrived()` is called when more can be drawn. */
  constructor(piece, { id: recording, seconds }, arrived) {
    this.#piece = piece;
    this.#length = seconds;
    this.#recording = recording;
    const load = (kind) => (key, signal) => {
      const [level, number] = key.split(".").map(Number);
      return tile(piece, recording, kind, level, number, signal);
    };
    this.#peaks = new TileCache(async (key, signal) => new Int8Array((await load("peaks")(key, signal)).buffer),
      arrived);
    this.#measure(load("peaks")).then(arrived, () => {});
    this.#spectrum = new TileCache(async (key, signal) => this.#picture(await load("spectrum")(key, signal)), arrived);
    this.#samples = new TileCache((key, signal) => this.#readSamples(Number(key), signal), arrived,
      { capacity: 24, lanes: 2 });
  }

  /** The spectrum's colours; what was drawn in others is drawn again. */
  set colours(table) {
    this.#colours = table;
    this.#spectrum.clear();
  }

  /** Asks for what a view shows, and a little on either side of it. */
  want(view) {
    const margin = view.span / 2;
    const wish = (cache, kind) => {
      const level = levelFor(view.secondsPerPixel, kind);
      const all = (from, to, at = level) => tilesOf(at, Math.max(from, 0), Math.min(to, view.length), tileSeconds(kind))
        .map((number) => `${at}.${number}`);
      const coarse = Math.min(level + 2, Math.max(lastLevel(view.length, kind), level));
      cache.want([...new Set([...all(view.from, view.to), ...all(view.from, view.to, coarse),
        ...all(view.to, view.to + margin), ...all(view.from - margin, view.from)])]);
    };
    wish(this.#peaks, peaks);
    wish(this.#spectrum, spectrum);
    if (view.secondsPerPixel < samples.below) {
      this.#samples.want(tilesOf(0, view.from, Math.min(view.to, view.length), samples.count / samples.rate)
        .map(String));
    }
  }

  /** The finest tiles that are here for a time, as `{ level, number, value, from, to }`: coarser ones where it must. */
  peaksOf(level, from, to) {
    return this.#best(this.#peaks, peaks, level, from, to);
  }

  picturesOf(level, from, to) {
    return this.#best(this.#spectrum, spectrum, level, from, to);
  }

  /** The factor by which the waveform is enlarged so that the loudest place fills its lane. */
  get gain() {
    return this.#gain;
  }

  /** Samples from `from` to `to`, as tiles `{ value, from }`; null while one of them is missing. */
  samplesOf(from, to) {
    const length = samples.count / samples.rate;
    const found = tilesOf(0, from, to, length).map((number) =>
      ({ value: this.#samples.get(String(number)), from: number * length }));
    return found.every(({ value }) => value) ? found : null;
  }

  close() {
    for (const cache of [this.#peaks, this.#spectrum, this.#samples]) cache.clear();
  }

  #best(cache, kind, level, from, to) {
    const found = [];
    for (const number of tilesOf(level, from, to, tileSeconds(kind))) {
      let [at, its] = [level, number];
      let value = cache.get(`${at}.${its}`);
      const last = lastLevel(this.#length, kind);
      while (!value && at < last) {
        at += 1;
        its = Math.floor(its / 4);
        value = cache.get(`${at}.${its}`);
      }
      if (!value) continue;
      const length = tileSeconds(kind) * 4 ** level;
      found.push({ value, from: number * length, to: (number + 1) * length, column: kind.column * 4 ** at,
        start: its * tileSeconds(kind) * 4 ** at });
    }
    return found;
  }

  /** Columns of loudness in bands, the lowest first, as a picture with the highest on top. */
  #picture(bytes) {
    const { rows } = spectrum;
    const columns = Math.floor(bytes.length / rows);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(columns, 1);
    canvas.height = rows;
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, rows);
    const pixels = new Uint32Array(image.data.buffer);
    for (let column = 0; column < columns; column += 1) {
      for (let row = 0; row < rows; row += 1) {
        pixels[(rows - 1 - row) * canvas.width + column] = this.#colours[bytes[column * rows + row]];
      }
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** The loudest place of the whole recording, from its coarsest tiles. */
  async #measure(load) {
    const level = lastLevel(this.#length, peaks);
    const tiles = await Promise.all(tilesOf(level, 0, this.#length, tileSeconds(peaks))
      .map((number) => load(`${level}.${number}`)));
    const loudest = tiles.reduce((most, tile) =>
      new Int8Array(tile.buffer).reduce((most, value) => Math.max(most, Math.abs(value)), most), 8);
    this.#gain = 127 / loudest;
  }

  async #readSamples(number, signal) {
    this.#header ??= this.#findSamples().catch((error) => {
      this.#header = null;
      throw error;
    });
    const start = await this.#header;
    const first = start + 2 * number * samples.count;
    const bytes = await soundBytes(this.#piece, this.#recording, first, first + 2 * samples.count - 1, signal);
    return new Int16Array(bytes.slice(0, bytes.byteLength & ~1));
  }

  /** Finds the beginning of the samples in the WAV file: after the word “data” and its length. */
  async #findSamples() {
    const bytes = new Uint8Array(await soundBytes(this.#piece, this.#recording, 0, 511));
    for (let at = 12; at + 8 < bytes.length; at += 1) {
      if (String.fromCharCode(...bytes.subarray(at, at + 4)) === "data") return at + 8;
    }
    throw new Error("The listening copy is no WAV file.");
  }
}
