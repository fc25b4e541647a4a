// Follows a performance of a piece in a page: sound goes in, bars come out. Nothing leaves the device.
//
//   const engine = await loadEngine("engine.wasm");
//   const model = await loadModel("Models/piece/");
//   const follower = new Follower(engine, model, 48_000);
//   follower.push(samples)      // a Float32Array of any length; gives the newest report, or null

/**
 * Where the music is.
 * @typedef {object} Report
 * @property {number} live        second of the sound that was pushed
 * @property {?number} reference  second of the reference; null if no place is known
 * @property {?number} played     index of the played measure, from 0
 * @property {?number} measure    its printed number
 * @property {number} fraction    how far it is over, 0 to 1
 * @property {number} tempo       against the reference
 * @property {number} confidence  0 to 1
 * @property {"waiting"|"following"|"coasting"|"lost"|"finished"} state
 * @property {number} semitones   how much higher than the reference it is played
 * @property {number} cents       its tuning against A = 440 Hz
 *
 * What is known of a piece: its measures in the order in which they are played, and the sound of its recordings.
 * @typedef {object} Model
 * @property {{printed: number, onset: number}[]} measures
 * @property {number} end         of the last measure, in seconds
 * @property {number[]} [sections] played measures at which sections begin
 * @property {{frames: ArrayBuffer, rooms?: ArrayBuffer[]}[]} recordings  what `readFrames` gives
 */

const states = /** @type {const} */ (["waiting", "following", "coasting", "lost", "finished"]);
const bytesPerSample = 4;
const fullScale = 32_768; // of samples of 16 bits
const columns = 10; // of a report
export const tooOld = "This browser cannot follow music; use a newer one.";
const [headerBytes, digestBytes] = [20, 32]; // of a file of frames
const trusted = 0.8; // confidence from which a place is gone back to after a trap

/** Loads the engine once for all followers. @param {string|URL|BufferSource} source its address, or its bytes */
export async function loadEngine(source) {
  if (typeof WebAssembly !== "object") throw new Error(tooOld);
  let bytes = source;
  if (typeof source === "string" || source instanceof URL) {
    const answer = await fetch(source).catch(() => null);
    if (!answer) throw new Error("The engine that follows music did not arrive. Check the connection and try again.");
    if (!answer.ok) throw new Error(`The engine is not at ${source} (${answer.status}); Tools/build-web makes it.`);
    bytes = await answer.arrayBuffer();
  }
  try {
    return await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  } catch {
    throw new Error(tooOld);
  }
}

/**
 * Loads a piece from the folder that `baton prepare` writes.
 * @param {string} folder its address, ending in a slash
 * @param {{rooms?: boolean}} options with the copies in rooms: four times the bytes, better in a hall
 * @returns {Promise<Model & {name: string}>}
 */
export async function loadModel(folder, { rooms = false } = {}) {
  const load = async (name) => {
    const answer = await fetch(`${folder}${name}`);
    if (!answer.ok) throw new Error(`${folder}${name} is not there (${answer.status}).`);
    return answer;
  };
  const found = await (await load("model.json")).json();
  const frames = async ({ about }, digest) =>
    readFrames(await (await load(`${about.name}-${digest.slice(0, 8)}.frames`)).arrayBuffer());
  return {
    name: found.name, measures: found.timeline.marks, end: found.timeline.end,
    recordings: await Promise.all(found.references.map(async (each) => ({
      frames: await frames(each, each.framesDigest),
      rooms: rooms ? await Promise.all((each.rooms ?? []).map((room) => frames(each, room.framesDigest))) : [],
    }))),
  };
}

/**
 * Reads a file of frames (docs/model-format.md): its header, and its content as the engine takes it. The digest is left
 * to the server.
 * @param {ArrayBuffer} file
 * @returns {Promise<ArrayBuffer>} half a byte for each value; a byte of files of older versions
 */
export async function readFrames(file) {
  const content = new Blob([file.slice(headerBytes, -digestBytes)]);
  const isOld = file.byteLength > headerBytes && new DataView(file).getUint16(8, true) === 1;
  try {
    const inflating = () => content.stream().pipeThrough(new globalThis.DecompressionStream("deflate-raw"));
    const inflated = () => new Response(inflating()).blob();
    return await new Blob([file.slice(0, headerBytes), isOld ? content : await inflated()]).arrayBuffer();
  } catch {
    throw new Error("A file of the piece is damaged, or this browser is too old to read it; load it again.");
  }
}

/**
 * Makes frames of a recording, as `readFrames` gives them, by which another performance can be followed.
 * @param {WebAssembly.Module} engine @param {Float32Array} samples @param {number} rate samples a second
 * @returns {Promise<ArrayBuffer>}
 */
export async function makeFrames(engine, samples, rate) {
  const exports = newInstance(engine);
  await listen(exports, rate, samples.length, (start, end) => samples.subarray(start, end));
  const file = exports.baton_listen_end();
  const header = new DataView(exports.memory.buffer, file, headerBytes);
  const [dimensions, count] = [header.getUint16(10, true), header.getUint32(16, true)];
  if (count === 0) throw new Error("The recording is shorter than one frame.");
  return exports.memory.buffer.slice(file, file + headerBytes + 2 * count + dimensions * Math.ceil(count / 2));
}

/** The functions of a new instance of the engine. @param {WebAssembly.Module} engine */
export function newInstance(engine) {
  const exports = /** @type {any} */ (new WebAssembly.Instance(engine, {}).exports);
  exports._initialize?.();
  return exports;
}

/** Gives samples to an instance, in memory that is then freed. `use(address, count)` takes them there. */
export function lend(exports, samples, use) {
  const address = exports.baton_alloc(samples.length * bytesPerSample);
  new Float32Array(exports.memory.buffer, address, samples.length).set(samples);
  use(address, samples.length);
  exports.baton_free(address);
}

/** Samples of 16 bits as the engine takes them, full scale 1. @param {Int16Array} samples */
export function fractions(samples) {
  const found = new Float32Array(samples); // a loop is ten times as fast as a function for each sample
  for (let index = 0; index < found.length; index += 1) found[index] /= fullScale;
  return found;
}

/**
 * Lets an instance listen to a whole recording, for its frames. `part(start, end)` gives samples, full scale 1.
 * @param {any} exports @param {number} rate samples a second @param {number} count of all samples
 * @param {(start: number, end: number) => Float32Array|Promise<Float32Array>} part
 */
export async function listen(exports, rate, count, part) {
  const block = rate; // a second, between which the page lives on
  exports.baton_listen(rate);
  for (const isSecondTime of [0, 1]) {
    for (let start = 0; start < count; start += block) {
      const samples = await part(start, Math.min(start + block, count));
      lend(exports, samples, (address, length) => exports.baton_listen_push(address, length, isSecondTime));
      if (start / block % 8 === 0) await new Promise((resolve) => { setTimeout(resolve, 0); });
    }
  }
}

/** Gives a piece to an instance. @param {any} exports @param {Model} model */
export function givePiece(exports, { measures, sections = [], recordings }) {
  for (const { frames, rooms = [] } of recordings) {
    [frames, ...rooms].forEach((file, index) => giveFrames(exports, file, index - 1));
  }
  for (const { printed, onset } of measures) exports.baton_add_measure(printed, onset);
  for (const played of sections) exports.baton_add_section(played);
}

function giveFrames(exports, file, room) {
  const bytes = new Uint8Array(file);
  const address = exports.baton_alloc(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  const count = exports.baton_add_frames(address, bytes.length, room);
  exports.baton_free(address);
  if (count < 0) throw new Error("A file of the piece is damaged, or of another version; load it again.");
}

/** One performance of one piece. */
export class Follower {
  #engine;
  #model;
  #rate;
  #exports;
  #samples = 0; // address of the memory for samples
  #capacity = 0; // samples that it holds
  #heardBefore = 0; // seconds that instances heard which ended in a trap
  #heard = 0; // samples that this instance has heard
  #lastTrusted = null; // second of the reference
  /** How often the engine had to be started again. */
  restarts = 0;

  /** @param {WebAssembly.Module} engine @param {Model} model @param {number} rate samples a second */
  constructor(engine, model, rate) {
    [this.#engine, this.#model, this.#rate] = [engine, model, rate];
    this.#start();
  }

  #start() {
    const exports = newInstance(this.#engine);
    [this.#exports, this.#capacity, this.#heard] = [exports, 0, 0];
    givePiece(exports, this.#model);
    const fault = exports.baton_begin(this.#model.end, this.#rate);
    if (fault !== 0) throw new Error(fault === 1 ? "The piece has no recording." : "The measures make no sense.");
  }

  /** Says that the music is at a second of the reference now. @param {number} seconds */
  place(seconds) {
    this.#exports.baton_place(seconds);
  }

  /** Waits for the music at a played measure, from 0. @param {number} played */
  beginAt(played) {
    this.#lastTrusted = null;
    if (this.#exports.baton_begin_at(played) !== 0) throw new Error("The piece has no such measure.");
  }

  /**
   * Hears samples, full scale 1.
   * @param {Float32Array} samples any number
   * @returns {?Report} the newest report that they gave; null if there is none
   */
  push(samples) {
    try {
      const made = this.#hear(samples);
      this.#heard += samples.length;
      if (made === 0) return null;
    } catch (trap) {
      if (!(trap instanceof WebAssembly.RuntimeError)) throw trap;
      this.#restart(samples.length);
      return null;
    }
    const report = this.#report();
    if (report.state === "following" && report.confidence > trusted) this.#lastTrusted = report.reference;
    return report;
  }

  #hear(samples) {
    const exports = this.#exports;
    if (samples.length > this.#capacity) {
      if (this.#capacity > 0) exports.baton_free(this.#samples);
      [this.#samples, this.#capacity] = [exports.baton_alloc(samples.length * bytesPerSample), samples.length];
    }
    new Float32Array(exports.memory.buffer, this.#samples, samples.length).set(samples);
    return exports.baton_push(this.#samples, samples.length);
  }

  /** A broken promise of the engine ends its instance; another one goes on at the last place that was certain. */
  #restart(lost) {
    this.#heardBefore += (this.#heard + lost) / this.#rate;
    this.restarts += 1;
    this.#start();
    if (this.#lastTrusted !== null) this.place(this.#lastTrusted);
  }

  /** @returns {Report} */
  #report() {
    const [live, reference, played, measure, fraction, tempo, confidence, state, semitones, cents] =
      new Float64Array(this.#exports.memory.buffer, this.#exports.baton_report(), columns);
    const known = (value) => (value < 0 ? null : value);
    return { live: this.#heardBefore + live, reference: known(reference), played: known(played),
      measure: played < 0 ? null : measure, fraction, tempo, confidence, state: states[state], semitones, cents };
  }
}
