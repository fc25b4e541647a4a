// This device as the microphone of the show: its sound goes to the server, where an operator chooses it in a rehearsal.
import { ask } from "./api.js";
import { keep, readKept, storage } from "./kept.js";
import { openMicrophone } from "./microphone.js";

const key = "baton-show-microphone"; // the offer of this window, so that a reload goes on with it
const blockMilliseconds = 100;
const mostHeldSeconds = 4; // the server has put silence in the place of older sound
const mostBlocks = 40; // in a request
const patience = 4_000; // ms
const retryAfter = 500; // ms

export class ShowMicrophone {
  #listener;
  #microphone = null;
  #offer = null; // { id, secret }
  #name = "";
  #waiting = []; // { block, arrived }
  #origin = null; // the block at which the count of this offer began
  #isSending = false;
  #roundTrip = 0; // ms
  #state = "off";

  /**
   * `state(name, sentence)` tells what it is: "off", "offered" (nobody hears it yet), "chosen" (the show hears it) or
   * "away" (the server does not answer); `level({ peak, power })` how loud it is, in decibels of full scale.
   * @param {{ state: (name: string, sentence?: string) => void, level?: (level: any) => void }} listener
   */
  constructor({ state, level }) {
    this.#listener = { state, level };
  }

  get isOn() {
    return this.#microphone !== null;
  }

  get id() {
    return this.#offer?.id ?? null;
  }

  get warnings() {
    return this.#microphone?.warnings ?? [];
  }

  /**
   * Offers the microphone, from a click. Throws a MicrophoneProblem or a Refusal.
   * @param {{ name?: string, device?: string }} which
   */
  async start({ name, device } = {}) {
    this.#name = name ?? "";
    this.#microphone = await openMicrophone({
      device, blockMilliseconds, level: this.#listener.level,
      block: (block) => this.#hear(block),
      ended: (problem) => this.stop(problem.message),
    });
    this.#offer = readKept(key, storage("sessionStorage"));
    try {
      await this.#makeOffer();
    } catch (refusal) {
      await this.#close();
      throw refusal;
    }
    this.#tell("offered");
  }

  /** Ends the offer. If the show hears this device, it hears silence until somebody chooses another input. */
  async stop(sentence = "") {
    const offer = this.#offer;
    await this.#close();
    keep(key, null, storage("sessionStorage"));
    this.#tell("off", sentence);
    if (offer) {
      await ask(`/api/microphones/${offer.id}`, { method: "DELETE", json: { secret: offer.secret } }).catch(() => {});
    }
  }

  async #close() {
    const microphone = this.#microphone;
    [this.#microphone, this.#offer, this.#waiting] = [null, null, []];
    await microphone?.stop();
  }

  async #makeOffer() {
    const { rate, settings } = this.#microphone;
    this.#offer = await ask("/api/microphones",
      { method: "POST", json: { name: this.#name, rate, settings, ...(this.#offer ?? {}) } });
    keep(key, this.#offer, storage("sessionStorage"));
    this.#origin = null;
    this.#waiting = this.#waiting.slice(-1); // what is older was missed
  }

  #hear(block) {
    if (!this.isOn) return;
    this.#waiting.push({ block, arrived: performance.now() });
    while (this.#waiting.length > mostHeldSeconds * 1000 / blockMilliseconds) this.#waiting.shift();
    this.#send();
  }

  async #send() {
    if (this.#isSending || !this.#offer) return;
    this.#isSending = true;
    while (this.#waiting.length > 0 && this.isOn) {
      const batch = this.#waiting.slice(0, mostBlocks);
      try {
        const { isChosen } = await this.#post(batch);
        const confirmed = batch.at(-1).block.sequence;
        this.#waiting = this.#waiting.filter(({ block }) => block.sequence > confirmed);
        this.#tell(isChosen ? "chosen" : "offered");
      } catch (refusal) {
        await this.#mend(refusal);
      }
    }
    this.#isSending = false;
  }

  /** After a refusal: the server was started again, was away for long, or does not answer. */
  async #mend(refusal) {
    if (refusal.code === "ended" || refusal.code === "too-far") {
      try {
        await this.#makeOffer();
        return;
      } catch (again) {
        if (again.status > 0 && again.status < 500) return void await this.stop(again.message);
      }
    } else if (refusal.status > 0 && refusal.status < 500 && refusal.status !== 429) {
      return void await this.stop(refusal.message);
    }
    this.#tell("away");
    await new Promise((done) => setTimeout(done, retryAfter));
  }

  /** Blocks as this offer counts them: its first one is number 0. */
  #counted(batch) {
    this.#origin ??= batch[0].block;
    const { sequence, firstSample } = this.#origin;
    return batch.map(({ block }) => ({
      sequence: block.sequence - sequence, firstSample: block.firstSample - firstSample, samples: block.samples,
    }));
  }

  async #post(batch) {
    const start = performance.now();
    const waited = start - batch.at(-1).arrived + blockMilliseconds + this.#roundTrip / 2;
    try {
      return await ask(`/api/microphones/${this.#offer.id}/blocks?delay=${Math.round(waited)}`, { method: "POST",
        text: packed(this.#offer.secret, this.#counted(batch)), kind: "application/octet-stream", patience });
    } finally {
      this.#roundTrip = performance.now() - start;
    }
  }

  #tell(state, sentence = "") {
    if (state === this.#state && sentence === "") return;
    this.#state = state;
    this.#listener.state?.(state, sentence);
  }
}

const blockHeader = 14; // bytes: sequence, sample count, samples

/** A request's bytes: “BPB1”, the secret, and each block with its number, sample count and length, little-endian. */
function packed(secret, blocks) {
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
