// The pitch of a tone, and what it is called on an instrument.

export const lowest = 27; // Hz: the lowest A of a piano
export const highest = 4_400;
const quiet = 0.0025; // of full scale, as power: below, there is only the room
const clear = 0.18; // how far from periodic a tone may be

/**
 * The pitch of samples in Hz, with how periodic they are (1 is a pure tone); null if there is none. Source: A. de
 * Cheveigné and H. Kawahara, "YIN, a fundamental frequency estimator for speech and music", JASA 111, 2002; the period
 * is then taken over as many periods as the samples hold, which makes high tones exact.
 */
export function pitchOf(samples, rate) {
  const longest = Math.min(Math.ceil(rate / lowest), samples.length >> 1);
  const window = samples.length - longest;
  let power = 0;
  for (const sample of samples) power += sample * sample;
  if (Math.sqrt(power / samples.length) < quiet || longest < 8) return null;
  const difference = new Float64Array(longest + 1);
  for (let lag = 1; lag <= longest; lag += 1) {
    let sum = 0;
    for (let index = 0; index < window; index += 1) {
      const gap = samples[index] - samples[index + lag];
      sum += gap * gap;
    }
    difference[lag] = sum;
  }
  const normal = new Float64Array(longest + 1).fill(1);
  let total = 0;
  for (let lag = 1; lag <= longest; lag += 1) {
    total += difference[lag];
    normal[lag] = total > 0 ? (difference[lag] * lag) / total : 1;
  }
  const shortest = Math.max(2, Math.floor(rate / highest));
  const isDip = (lag) => normal[lag] <= normal[lag - 1] && normal[lag] < normal[lag + 1];
  let lag = -1;
  for (let each = shortest; each < longest; each += 1) {
    if (normal[each] < clear && isDip(each)) {
      lag = each;
      break;
    }
  }
  if (lag < 0) return null;
  let period = vertex(normal, lag);
  // Over many periods an error of a share of a sample matters less.
  for (let count = 2; (count + 0.5) * period < longest; count += 1) {
    let best = Math.round(count * period);
    for (const each of [best - 1, best + 1]) if (normal[each] < normal[best]) best = each;
    if (normal[best] > Math.max(2 * normal[lag], clear)) break;
    period = vertex(normal, best) / count;
  }
  return { hertz: rate / period, clarity: 1 - normal[lag] };
}

/** The lowest point of a parabola through a dip and its neighbours. */
function vertex(values, at) {
  const [before, here, after] = [values[at - 1], values[at], values[at + 1] ?? values[at]];
  const bend = before - 2 * here + after;
  return bend <= 0 ? at : at + (before - after) / (2 * bend);
}

const names = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];

/** Instruments, with the semitones from the tone that sounds to the note that is written. */
/** @type {[string, number][]} */
export const transpositions = [
  ["Concert pitch (C)", 0], ["B♭: clarinet, trumpet, soprano saxophone", 2], ["A: clarinet", 3],
  ["E♭: clarinet", -3], ["E♭: alto saxophone", 9], ["F: horn, English horn", 7], ["G: alto flute", 5],
  ["D: trumpet", -2], ["B♭: tenor saxophone, bass clarinet", 14], ["Octave: double bass, contrabassoon", 12],
  ["Octave: piccolo", -12],
];

/** The written note nearest to a pitch: `{ name, octave, cents }`, cents from -50 to 50, sharp is positive. */
export function noteOf(hertz, { concertA = 440, written = 0 } = {}) {
  const exact = 69 + 12 * Math.log2(hertz / concertA);
  const key = Math.round(exact);
  const shown = key + written;
  return { name: names[((shown % 12) + 12) % 12], octave: Math.floor(shown / 12) - 1, cents: 100 * (exact - key) };
}

/** Smooths pitches: the median of the last ones that belong to one tone. */
export class SteadyPitch {
  #recent = [];
  #misses = 0;

  /** Takes a pitch in Hz or null; gives what to show, or null. */
  take(hertz) {
    if (hertz === null) {
      this.#misses += 1;
      if (this.#misses > 6) this.#recent = [];
    } else {
      this.#misses = 0;
      const last = this.#recent.at(-1);
      if (last && Math.abs(12 * Math.log2(hertz / last)) > 0.7) this.#recent = [];
      this.#recent = [...this.#recent.slice(-6), hertz];
    }
    if (this.#recent.length < 2) return null;
    return [...this.#recent].sort((a, b) => a - b)[this.#recent.length >> 1];
  }
}
