// The sound of a partner's recording: parts are fetched around the place that plays, brought to the rate of the output
// by the browser, and given to the worklet.
import { ask } from "/shared/api.js";

const ahead = 30; // seconds of the recording that are kept after the place that plays
const behind = 20;
const retryAfter = 1500; // ms
const patience = 15_000; // ms

export class PartnerSound {
  #context;
  #address;
  #recording;
  #node;
  #gain;
  #here = new Set(); // numbers of parts that the worklet has
  #coming = new Set();
  #wanted = 0; // seconds: parts around here are fetched
  #isOver = false;
  #trouble;

  /**
   * `recording` is one of the server's list; `told({ at, place, rate, isPlaying, isStarved })` gets where it is, 25
   * times a second, in seconds of the clock of `context`; `trouble(sentence)` what cannot be fetched, or "".
   */
  static async open({ context, piece, recording, told, trouble }) {
    await context.audioWorklet.addModule("/practice-follow/partner/partner-worklet.js");
    return new PartnerSound(context, piece, recording, told, trouble);
  }

  constructor(context, piece, recording, told, trouble) {
    this.#context = context;
    this.#recording = recording;
    this.#trouble = trouble;
    const [folder, name] = [piece, recording.name].map(encodeURIComponent);
    this.#address = `/api/practice/pieces/${folder}/recordings/${name}`;
    const size = recording.partSeconds * context.sampleRate;
    const length = Math.floor(recording.frames / recording.rate * context.sampleRate);
    this.#node = new AudioWorkletNode(context, "partner-player",
      { numberOfInputs: 0, outputChannelCount: [2], processorOptions: { size, length } });
    this.#gain = context.createGain();
    this.#node.connect(this.#gain).connect(context.destination);
    this.#node.port.onmessage = ({ data }) => {
      if (this.#isOver) return;
      this.want(data.place);
      told(data);
    };
  }

  /** Fetches what lies around a place, in seconds of the recording, and forgets what is far from it. */
  want(place) {
    this.#wanted = place;
    const { parts, partSeconds } = this.#recording;
    const from = Math.max(0, Math.floor((place - behind) / partSeconds));
    const to = Math.min(parts - 1, Math.floor((place + ahead) / partSeconds));
    const here = Math.floor(place / partSeconds);
    const missing = [];
    for (let number = from; number <= to; number += 1) {
      if (!this.#here.has(number) && !this.#coming.has(number)) missing.push(number);
    }
    // The sound that is due next comes first; two pieces at a time.
    missing.sort((a, b) => Math.abs(a - here - 0.4) - Math.abs(b - here - 0.4));
    for (const number of missing.slice(0, Math.max(0, 2 - this.#coming.size))) this.#fetch(number);
    const dropped = [...this.#here].filter((number) => number < from || number > to);
    for (const number of dropped) this.#here.delete(number);
    if (dropped.length > 0) this.#node.port.postMessage({ dropped });
  }

  /** True as soon as the sound at a place is here. */
  has(place) {
    return this.#here.has(Math.floor(place / this.#recording.partSeconds));
  }

  async #fetch(number) {
    this.#coming.add(number);
    try {
      const response = await fetch(`${this.#address}/parts/${number}?edition=${this.#recording.edition}`,
        { credentials: "same-origin", signal: AbortSignal.timeout(patience) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const sound = await this.#context.decodeAudioData(await response.arrayBuffer());
      const { sampleRate } = this.#context;
      const begin = Math.round(this.#recording.marginMilliseconds * sampleRate / 1000);
      const samples = sound.getChannelData(0).slice(begin, begin + this.#recording.partSeconds * sampleRate);
      if (this.#isOver) return;
      this.#here.add(number);
      this.#node.port.postMessage({ part: number, samples }, [samples.buffer]);
      this.#trouble("");
    } catch {
      if (this.#isOver) return;
      this.#trouble("The partner's sound does not come from the server. It is asked for again.");
      await new Promise((done) => setTimeout(done, retryAfter));
    } finally {
      this.#coming.delete(number);
    }
  }

  /** Carries out an order: `rate`, `place`, `stopAt` (null takes it back), `isPlaying`. */
  obey(order) {
    if (order.place !== undefined) this.want(order.place);
    this.#node.port.postMessage(order);
  }

  /** The loudness as a share of the recording's own. */
  set volume(share) {
    this.#gain.gain.setTargetAtTime(share, this.#context.currentTime, 0.03);
  }

  close() {
    this.#isOver = true;
    this.#node.disconnect();
    this.#gain.disconnect();
  }
}

/** The recordings that can play along with a piece, and its fermatas: `holds`, [begin, end] in played bars. */
export async function readRecordings(piece) {
  const { recordings, holds = [] } = await ask(`/api/practice/pieces/${encodeURIComponent(piece)}/recordings`,
    { patience: 20_000 });
  return { recordings, holds };
}
