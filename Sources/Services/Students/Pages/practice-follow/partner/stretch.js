// Plays sound faster or slower at its own pitch: WSOLA (W. Verhelst and M. Roelands, ICASSP 1993). Short grains of the
// sound overlap; each is taken from where it fits best to the one before, near the place at which it is due. No audio
// interface: the worklet and the tests drive it alike.

const grainSeconds = 0.06; // of a grain; half of it overlaps with the next
const searchSeconds = 0.012; // on either side of the place that is due
const coarse = 4; // samples between the places that are tried first, and between the samples that are compared
const fadeOutGrains = 4;
const fadeInGrains = 2;
/** The speeds at which anything plays, as shares of the recording's own. */
export const [slowest, fastest] = [0.25, 1.5];

/** A recording of which some parts are here: mono samples by the number of their part. */
export class Parts {
  #parts = new Map();

  /** `size` is the number of samples of a part, `length` that of the whole. */
  constructor(size, length) {
    this.size = size;
    this.length = length;
  }

  put(number, samples) {
    this.#parts.set(number, samples);
  }

  drop(number) {
    this.#parts.delete(number);
  }

  /** Copies samples from `begin` on into `target`; false if some are not here, which then are silence. */
  copy(begin, target) {
    let isWhole = true;
    for (let done = 0; done < target.length;) {
      const at = begin + done;
      const number = Math.floor(at / this.size);
      const offset = at - number * this.size;
      const count = Math.min(target.length - done, this.size - offset);
      const part = this.#parts.get(number);
      if (part) {
        for (let index = 0; index < count; index += 1) target[done + index] = part[offset + index] ?? 0;
      } else {
        target.fill(0, done, done + count);
        if (at + count > 0 && at < this.length) isWhole = false;
      }
      done += count;
    }
    return isWhole;
  }
}

export class Stretcher {
  #parts;
  #hop;
  #reach;
  #window;
  #grain; // of the newest grain's samples, with their reach on either side
  #tail; // the second half of the newest grain, windowed: it overlaps with the next
  #wanted; // the samples that go on where the newest grain ends
  #ready; // output that is made and not taken yet
  #taken; // samples of it that were taken
  #place = 0; // samples of the recording at the end of the output that is made
  #before = 0; // the same a hop earlier
  #gain = 0;
  #isFirst = true;
  #pending = null; // a place to go to
  #last = null; // a place at which to fall silent
  rate = 1;
  isPlaying = false;
  /** True while sound that is due is not here. */
  isStarved = false;

  constructor(parts, sampleRate) {
    this.#parts = parts;
    this.#hop = Math.round(grainSeconds * sampleRate / 2);
    this.#reach = Math.round(searchSeconds * sampleRate);
    const length = 2 * this.#hop;
    this.#window = Float32Array.from({ length }, (_, index) => Math.sin(Math.PI * (index + 0.5) / length) ** 2);
    this.#grain = new Float32Array(length + 2 * this.#reach);
    this.#wanted = new Float32Array(this.#hop);
    this.#tail = new Float32Array(this.#hop);
    this.#ready = new Float32Array(this.#hop);
    this.#taken = this.#hop;
  }

  /** The place that is heard with the next sample that is taken, in samples of the recording. */
  get place() {
    return this.#before + (this.#place - this.#before) * this.#taken / this.#hop;
  }

  /** Goes to a place at the next grain; what sounds is faded over into it. */
  goTo(place) {
    this.#pending = place;
  }

  /** Falls silent at a place that is not reached yet; null takes it back. */
  stopAt(place) {
    this.#last = place;
  }

  /** Fills `output` with the next samples. */
  take(output) {
    for (let done = 0; done < output.length;) {
      if (this.#taken === this.#hop) this.#make();
      const count = Math.min(output.length - done, this.#hop - this.#taken);
      for (let index = 0; index < count; index += 1) output[done + index] = this.#ready[this.#taken + index];
      this.#taken += count;
      done += count;
    }
  }

  /** Makes a hop of output: the end of the newest grain and the beginning of the next. */
  #make() {
    const hop = this.#hop;
    this.#taken = 0;
    if (this.#pending !== null) [this.#place, this.#pending] = [this.#pending, null];
    this.#before = this.#place;
    const isSilent = !this.isPlaying || (this.#last !== null && this.#place >= this.#last);
    this.#gain = isSilent ? Math.max(0, this.#gain - 1 / fadeOutGrains) : Math.min(1, this.#gain + 1 / fadeInGrains);
    // Silence stands still; what fades out goes on.
    if (this.#gain === 0) {
      this.#ready.set(this.#tail);
      this.#tail.fill(0);
      this.#isFirst = true;
      this.isStarved = false;
      return;
    }
    const rate = Math.min(fastest, Math.max(slowest, this.rate));
    this.#place += rate * hop;
    // The middle of the grain sounds at the end of this hop: it is the place that is due there.
    const due = Math.round(this.#place) - hop;
    this.isStarved = !this.#parts.copy(due - this.#reach, this.#grain);
    const shift = this.#isFirst ? this.#reach : this.#bestShift();
    this.#isFirst = false;
    for (let index = 0; index < hop; index += 1) {
      const at = shift + index;
      this.#ready[index] = this.#tail[index] + this.#gain * this.#window[index] * this.#grain[at];
      this.#tail[index] = this.#gain * this.#window[hop + index] * this.#grain[at + hop];
    }
    this.#parts.copy(due - this.#reach + shift + hop, this.#wanted);
  }

  /** The shift of the grain, 0 to twice the reach, with which it goes on most like the one before. */
  #bestShift() {
    const span = 2 * this.#reach;
    let best = this.#reach;
    let most = this.#likeness(best, coarse);
    for (let shift = 0; shift <= span; shift += coarse) {
      const likeness = this.#likeness(shift, coarse);
      if (likeness > most) [best, most] = [shift, likeness];
    }
    const [from, to] = [Math.max(0, best - coarse + 1), Math.min(span, best + coarse - 1)];
    most = -Infinity;
    for (let shift = from; shift <= to; shift += 1) {
      const likeness = this.#likeness(shift, 1);
      if (likeness > most) [best, most] = [shift, likeness];
    }
    return best;
  }

  /** The correlation of a grain's beginning with the wanted sound, over every `step`th sample. */
  #likeness(shift, step) {
    let product = 0;
    let power = 1e-9;
    for (let index = 0; index < this.#hop; index += step) {
      const value = this.#grain[shift + index];
      product += value * this.#wanted[index];
      power += value * value;
    }
    return product / Math.sqrt(power);
  }
}
