// Follows a student in the page: blocks of the microphone go to the follower in a worker, and positions come back. No
// sound leaves the device. What following a piece needs is kept in this browser, for when the server does not answer.
import { ask } from "./api.js";
import { loadEngine, readFrames, tooOld } from "./follower.js";

const cacheName = "baton-pieces-2"; // the one before had frames in another form
const mostKept = 60; // files: some twenty pieces
const [patience, patienceWithOld] = [20_000, 4_000]; // ms; the shorter one if an old answer is there

let engine = null; // a promise: loaded once for all sessions

/** This browser's memory of pieces; null where it has none, or forbids it. */
const openCache = () => globalThis.caches?.open(cacheName).catch(() => null) ?? null;

/** Keeps an answer, and forgets the oldest. */
async function keepAnswer(cache, path, answer) {
  try {
    await cache?.put(path, answer);
    const all = await cache?.keys() ?? [];
    for (const old of all.slice(0, Math.max(0, all.length - mostKept))) await cache.delete(old);
  } catch {
    // The storage is full: the piece is loaded again next time.
  }
}

/** What the server answers now, or what it answered here last if no answer comes; `isOld` tells which. */
async function askOrRemember(cache, path) {
  const kept = await cache?.match(path);
  try {
    const answer = await ask(path, { patience: kept ? patienceWithOld : patience });
    await keepAnswer(cache, path, new Response(JSON.stringify(answer)));
    return { answer, isOld: false };
  } catch (refusal) {
    if (refusal.status !== 0) await cache?.delete(path);
    if (!kept || refusal.status !== 0) throw refusal;
    return { answer: await kept.json(), isOld: true };
  }
}

const piecesPath = "/api/practice/pieces";
const pathOf = (folder, root = piecesPath) => `${root}/${encodeURIComponent(folder)}`;

/**
 * The prepared pieces; if the server does not answer, those that were practised on this device.
 * @returns {Promise<{ pieces: { folder: string, name: string }[], isOld: boolean }>}
 */
export async function listPieces() {
  const cache = await openCache();
  const { answer: { pieces }, isOld } = await askOrRemember(cache, piecesPath);
  if (!isOld) return { pieces, isOld };
  const kept = await Promise.all(pieces.map(({ folder }) => cache?.match(pathOf(folder))));
  return { pieces: pieces.filter((_, index) => kept[index]), isOld };
}

/**
 * The notes of a piece's score, for reports.
 * @returns {Promise<import("./takereport.js").Notes>}
 */
export async function readNotes(folder) {
  try {
    return (await askOrRemember(await openCache(), `${pathOf(folder)}/notes`)).answer;
  } catch (fault) {
    return { notes: [], refusal: `The notes are not judged: ${fault.message}` };
  }
}

/** The frames of a file. Its address has the digest of its content, so that a kept one is never out of date. */
async function loadFrames(cache, path) {
  const kept = await cache?.match(path);
  if (kept) return readFrames(await kept.arrayBuffer());
  const answer = await fetch(path, { credentials: "same-origin" }).catch(() => null);
  if (!answer) throw new Error("The piece did not arrive. Check the connection and try again.");
  if (!answer.ok) throw new Error("The piece has changed on the server. Try again.");
  const frames = await readFrames(await answer.clone().arrayBuffer());
  await keepAnswer(cache, path, answer);
  return frames;
}

/**
 * Loads what following a piece needs.
 * @param {string} folder of the prepared piece
 * @param {string} [root] the address below which the piece is; that of practice unless given
 * @returns {Promise<{ piece: any, engine: WebAssembly.Module, model: import("./follower.js").Model }>} with the piece
 *   as the server describes it
 */
export async function loadPiece(folder, root) {
  const loading = engine ??= loadEngine("/shared/engine.wasm");
  loading.catch(() => (engine = null)); // tried again next time
  const cache = await openCache();
  const path = pathOf(folder, root);
  const { answer: piece } = await askOrRemember(cache, path);
  const frames = await Promise.all(piece.frames.map((digest) => loadFrames(cache, `${path}/frames/${digest}`)));
  const model = { measures: piece.bars, end: piece.seconds, sections: piece.sections.map(({ played }) => played),
    recordings: frames.map((each) => ({ frames: each })) };
  return { piece, engine: await loading, model };
}

export class PracticeSession {
  static #idle = null; // a worker that has followed: another session needs no network for it
  static #count = 0;
  #worker;
  #number;
  #listening = new AbortController();
  #isOver = false;

  /** @param {string} script the address of the worker */
  constructor(script) {
    this.#worker = PracticeSession.#idle ?? new Worker(script, { type: "module" });
    PracticeSession.#idle = null;
    this.#number = PracticeSession.#count += 1;
  }

  /** `answered(data)` gets what the worker says of this session; `failed()` tells that it does not run. */
  answers(answered, failed) {
    const { signal } = this.#listening;
    this.#worker.addEventListener("message", ({ data }) => {
      if (data.session === this.#number || data.session === 0) answered(data);
    }, { signal });
    this.#worker.addEventListener("error", failed, { signal });
  }

  tell(message) {
    if (!this.#isOver) this.#worker.postMessage({ ...message, session: this.#number });
  }

  /** Takes a block as the microphone gives it. */
  hear(block) {
    this.tell({ block });
  }

  /** Tells the follower that the student begins at a played bar, counted from 0. */
  beginAt(played) {
    this.tell({ played });
  }

  end({ isBroken = false } = {}) {
    if (this.#isOver) return;
    this.tell({ ends: true });
    this.#isOver = true;
    this.#listening.abort();
    if (isBroken || PracticeSession.#idle) this.#worker.terminate();
    else PracticeSession.#idle = this.#worker;
  }
}

/**
 * Begins a session with what `loadPiece` gave; `rate` is the microphone's samples a second. `position(value)` gets the
 * follower's `Position` (heardblocks.js) after each block; `ended(problem)` tells that it cannot go on. `script` is the
 * address of the worker, for pages whose service worker keeps one in its own scope.
 * @param {{ engine: WebAssembly.Module, model: import("./follower.js").Model, rate: number, script?: string,
 *   position: (position: import("./heardblocks.js").Position) => void, ended: (problem: Error) => void }} how
 * @returns {Promise<PracticeSession>}
 */
export function beginSession({ engine: module, model, rate, script = "/shared/follower-worker.js", position, ended }) {
  const session = new PracticeSession(script);
  return new Promise((begun, failed) => {
    let isReady = false;
    const fail = async (sentence, { isOfDevice = false } = {}) => {
      session.end({ isBroken: true });
      const problem = new Error(sentence);
      if (isReady) return ended(problem);
      // A file of the piece may be damaged, or of another version; the next time it is loaded again.
      if (!isOfDevice) await globalThis.caches?.delete(cacheName).catch(() => false);
      return failed(problem);
    };
    session.answers(({ ready, position: found, fault, isOfDevice }) => {
      if (fault) fail(fault, { isOfDevice });
      else if (found) position(found);
      else if (ready) {
        isReady = true;
        begun(session);
      }
    }, () => fail(tooOld));
    session.tell({ engine: module, model, rate });
  });
}
