// Sends the blocks of a microphone to the server, which follows the piece, and gives back where the music is.
import { ask, Refusal } from "./api.js";

const mostHeldSeconds = 30; // of sound, while the server does not answer
const mostBlocks = 40; // in a request
const patience = 8000; // ms
const retryAfter = 500; // ms
const mostEnding = 2000; // ms for the last sound
const mostReturning = 20_000; // ms for a server that does not answer when the session ends

export class PracticeSession {
  #path;
  #secret;
  #rate;
  #listener;
  #waiting = []; // blocks that the server has not confirmed, in order
  #isSending = false;
  #isOver = false;
  #isOnline = true;
  #dropped = 0; // samples that were given up because the server was away for too long

  constructor({ id, secret, rate, ...listener }) {
    this.id = id;
    this.#path = `/api/practice/sessions/${id}`;
    this.#secret = secret;
    this.#rate = rate;
    this.#listener = listener;
  }

  /** Samples of this take that never went to the server. */
  get droppedSamples() {
    return this.#dropped;
  }

  /** False while the server does not answer. */
  get isOnline() {
    return this.#isOnline;
  }

  /** Takes a block as the microphone gives it. */
  hear(block) {
    if (this.#isOver) return;
    this.#waiting.push(roomy(block));
    let held = this.#waiting.reduce((sum, { samples }) => sum + samples.length, 0);
    while (held > mostHeldSeconds * this.#rate) {
      const lost = this.#waiting.shift().samples.length;
      held -= lost;
      this.#dropped += lost;
    }
    this.#send();
  }

  /** Tells the follower that the student begins at a played bar, counted from 0. */
  beginAt(played) {
    return this.#order({ path: "/place", method: "POST", json: { played } });
  }

  /**
   * Sends what is left, and ends the session; waits for a server that does not answer. Gives the server's last answer:
   * `take` names a take that was kept.
   */
  async end() {
    const began = performance.now();
    while (this.#waiting.length > 0 && !this.#isOver
      && performance.now() - began < (this.#isOnline ? mostEnding : mostReturning)) {
      await new Promise((done) => setTimeout(done, 100));
    }
    this.#isOver = true;
    return this.#order({ path: "", method: "DELETE", json: {} });
  }

  /** Ends the session as the page is left: the answer does not come any more. */
  leave() {
    if (this.#isOver) return;
    this.#isOver = true;
    fetch(this.#path, {
      method: "DELETE", keepalive: true, credentials: "same-origin",
      headers: { "X-Baton": "1", "Content-Type": "application/json" }, body: JSON.stringify({ secret: this.#secret }),
    }).catch(() => {}); // The server ends a session to which nothing comes.
  }

  #order({ path, method, json }) {
    return ask(this.#path + path, { method, json: { secret: this.#secret, ...json }, patience });
  }

  async #send() {
    if (this.#isSending || this.#isOver) return;
    this.#isSending = true;
    while (this.#waiting.length > 0 && !this.#isOver) {
      const batch = this.#waiting.slice(0, mostBlocks);
      try {
        const answer = await this.#post(packed(this.#secret, batch));
        const confirmed = batch.at(-1).sequence;
        this.#waiting = this.#waiting.filter(({ sequence }) => sequence > confirmed);
        this.#tell(true);
        this.#listener.position?.(answer);
      } catch (refusal) {
        if (refusal.status > 0 && refusal.status < 500 && refusal.status !== 429) {
          this.#isOver = true;
          this.#listener.ended?.(refusal);
        } else {
          this.#tell(false);
          await new Promise((done) => setTimeout(done, retryAfter));
        }
      }
    }
    this.#isSending = false;
  }

  #tell(isOnline) {
    if (isOnline === this.#isOnline) return;
    this.#isOnline = isOnline;
    this.#listener.state?.(isOnline ? "online" : "offline");
  }

  async #post(body) {
    let response;
    let value;
    try {
      response = await fetch(`${this.#path}/blocks`, {
        method: "POST", headers: { "X-Baton": "1", "Content-Type": "application/octet-stream" }, body,
        credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(patience),
      });
      value = await response.json();
    } catch {
      throw new Refusal("The server does not answer.", 0, "no-answer");
    }
    if (!response.ok) throw new Refusal(value.error ?? "The server refused.", response.status, value.code ?? "", value);
    return value;
  }
}

/**
 * Begins a session: `piece` is the folder of a prepared piece, `rate` the microphone's samples a second, `keep` true to
 * keep the take on the server. `position(value)` gets the server's answer to each batch; `state("online" or "offline")`
 * tells whether it answers; `ended(refusal)` that the session is over although nobody ended it here.
 */
export async function beginSession({ piece, rate, keep = false, settings = {}, position, state, ended }) {
  const { id, secret } = await ask("/api/practice/sessions",
    { method: "POST", json: { piece, rate, keep, settings }, patience: 20_000 });
  return new PracticeSession({ id, secret, rate, position, state, ended });
}

const mostZeros = 0.5; // of the samples of a block in which a room sounds

/**
 * A block as a room sounds. A microphone that is muted, or a gate that shuts, gives zeros, which mean to the follower
 * that the sound is lost and the music goes on; for a student they are silence. So zeros become the softest noise.
 */
export function roomy(block) {
  const zeros = block.samples.reduce((count, sample) => count + (sample === 0 ? 1 : 0), 0);
  if (zeros <= mostZeros * block.samples.length) return block;
  const noise = () => Math.floor(3 * Math.random()) - 1;
  return { ...block, samples: block.samples.map((sample) => (sample === 0 ? noise() : sample)) };
}

const blockHeader = 14; // bytes: sequence, sample count, samples

/** A request's bytes: “BPB1”, the secret, and each block with its number, sample count and length, little-endian. */
export function packed(secret, blocks) {
  const head = new TextEncoder().encode(`BPB1${secret}`);
  const size = blocks.reduce((sum, { samples }) => sum + blockHeader + 2 * samples.length, head.length);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(head);
  let place = head.length;
  for (const { sequence, firstSample, samples } of blocks) {
    view.setUint32(place, sequence, true);
    view.setUint32(place + 4, firstSample % 2 ** 32, true);
    view.setUint32(place + 8, Math.floor(firstSample / 2 ** 32), true);
    view.setUint16(place + 12, samples.length, true);
    place += blockHeader;
    for (const sample of samples) {
      view.setInt16(place, sample, true);
      place += 2;
    }
  }
  return bytes;
}
