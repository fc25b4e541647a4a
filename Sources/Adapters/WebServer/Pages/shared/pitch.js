// The pitch of one voice or string, from its samples: the normalised square difference of McLeod and Wyvill ("A smarter
// way to find pitch", 2005), with the winning period measured again over several periods for its cents.

const names = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "G♯", "A", "B♭", "B"];
const keyShare = 0.9; // of the highest peak: the first peak that reaches it is the period, not one of its multiples
const leastClarity = 0.6; // below, the sound has no pitch
const leastPower = 1e-4; // root mean square, full scale is 1; below, it is silence
const mostPeriods = 6; // over which a period is measured again

/** The nearest note of a frequency: `{ midi, name, octave, cents }`, with `cents` from -50 to 50. */
export function noteOf(hertz, a4 = 440) {
  const exact = 69 + 12 * Math.log2(hertz / a4);
  const midi = Math.round(exact);
  return { midi, name: names[((midi % 12) + 12) % 12], octave: Math.floor(midi / 12) - 1, cents: 100 * (exact - midi) };
}

/** The frequency of a MIDI number. */
export function hertzOf(midi, a4 = 440) {
  return a4 * 2 ** ((midi - 69) / 12);
}

/** The distance of a frequency from a MIDI number, in cents. */
export function centsFrom(hertz, midi, a4 = 440) {
  return 1200 * Math.log2(hertz / hertzOf(midi, a4));
}

/** Hears the pitch of the newest samples. `lowest` and `highest` are in hertz. */
export class PitchDetector {
  #rate;
  #step; // samples in one of the coarse search
  #shortest; // period, in coarse samples
  #longest;
  #window; // samples
  #newest;
  #filled = 0;

  constructor(rate, { lowest = 28, highest = 2200 } = {}) {
    this.#rate = rate;
    this.#step = Math.max(1, Math.floor(rate / 20_000));
    this.#shortest = Math.max(2, Math.floor(rate / this.#step / highest));
    this.#longest = Math.ceil(rate / this.#step / lowest);
    // Two of the longest periods and a half, and at least 85 ms.
    this.#window = Math.max(Math.ceil(0.085 * rate), Math.ceil(2.5 * this.#longest * this.#step));
    this.#newest = new Float32Array(this.#window);
  }

  /** Takes samples as they come: Float32Array, or Int16Array of a microphone's block. */
  add(samples) {
    const scale = samples instanceof Int16Array ? 1 / 32768 : 1;
    const taken = samples.length > this.#window ? samples.subarray(samples.length - this.#window) : samples;
    this.#newest.copyWithin(0, taken.length);
    const start = this.#window - taken.length;
    for (let index = 0; index < taken.length; index += 1) this.#newest[start + index] = taken[index] * scale;
    this.#filled = Math.min(this.#window, this.#filled + taken.length);
  }

  /** Forgets what was heard. */
  clear() {
    this.#newest.fill(0);
    this.#filled = 0;
  }

  /** `{ hertz, clarity }` of what was heard last (clarity from 0 to 1), or null: silence, noise, or several notes. */
  hear() {
    if (this.#filled < this.#window) return null;
    const sound = this.#newest;
    let energy = 0;
    for (const sample of sound) energy += sample * sample;
    if (Math.sqrt(energy / sound.length) < leastPower) return null;
    const coarse = this.#coarse(sound);
    const found = firstKeyPeak(coarse, this.#shortest, this.#longest);
    if (!found || found.height < leastClarity) return null;
    return { hertz: this.#rate / this.#refined(sound, found.lag * this.#step), clarity: Math.min(1, found.height) };
  }

  /** Fewer samples, each the mean of some. */
  #coarse(sound) {
    const step = this.#step;
    if (step === 1) return sound;
    const coarse = new Float32Array(Math.floor(sound.length / step));
    for (let index = 0; index < coarse.length; index += 1) {
      let sum = 0;
      for (let part = 0; part < step; part += 1) sum += sound[index * step + part];
      coarse[index] = sum / step;
    }
    return coarse;
  }

  /** The period in samples, measured over one, two, … periods in turn, so that its error is divided. */
  #refined(sound, start) {
    let period = start;
    for (let count = 1; count <= mostPeriods && count * period < sound.length / 2; count += 1) {
      const middle = Math.round(count * period);
      const reach = count === 1 ? this.#step + 1 : 2;
      let best = middle;
      let height = -Infinity;
      for (let lag = Math.max(2, middle - reach); lag <= middle + reach; lag += 1) {
        const value = likeness(sound, lag);
        if (value > height) [best, height] = [lag, value];
      }
      // A string whose partials are not quite harmonic resembles itself less over many periods.
      if (count > 1 && height < leastClarity) break;
      period = peakAround(best, (lag) => likeness(sound, lag)).lag / count;
    }
    return period;
  }
}

/** The correlation of a sound with itself after `lag` samples: 1 for the same, -1 for the opposite. */
function likeness(sound, lag) {
  let same = 0;
  let energy = 0;
  const end = sound.length - lag;
  for (let index = 0; index < end; index += 1) {
    const [now, later] = [sound[index], sound[index + lag]];
    same += now * later;
    energy += now * now + later * later;
  }
  return energy > 0 ? 2 * same / energy : 0;
}

/** The top of the parabola through a value and its two neighbours. */
function peakAround(lag, valueOf) {
  const [before, here, after] = [valueOf(lag - 1), valueOf(lag), valueOf(lag + 1)];
  const bend = before - 2 * here + after;
  if (bend >= 0) return { lag, height: here };
  const shift = Math.max(-1, Math.min(1, (before - after) / (2 * bend)));
  return { lag: lag + shift, height: here - (before - after) * shift / 4 };
}

function firstKeyPeak(sound, shortest, longest) {
  const values = new Float32Array(longest + 2);
  for (let lag = 1; lag < values.length; lag += 1) values[lag] = likeness(sound, lag);
  // One peak between two passes through zero; the first hill, around no lag at all, is none.
  const peaks = [];
  let best = 0;
  let hasDipped = false;
  for (let lag = 1; lag <= longest; lag += 1) {
    if (values[lag] <= 0) {
      if (best > 0) peaks.push(best);
      [best, hasDipped] = [0, true];
    } else if (hasDipped && lag >= shortest && (best === 0 || values[lag] > values[best])) {
      best = lag;
    }
  }
  if (best > 0 && best < longest) peaks.push(best);
  const tops = peaks.map((lag) => peakAround(lag, (at) => values[at]));
  const highest = Math.max(0, ...tops.map(({ height }) => height));
  return tops.find(({ height }) => height >= keyShare * highest);
}
