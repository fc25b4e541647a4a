// Tells whether the microphone hears the partner: it looks for the played sound in the heard sound. The way from the
// loudspeaker to the microphone always takes the same time; a student who plays the same notes never keeps to a
// thousandth of a second.
// Pure: no audio interface.

const samplesPerSecond = 3_000; // at which both are compared
const windowSeconds = 2.4;
const longestWay = 0.4; // s from the audio clock to the loudspeaker and back by the microphone
const leastLikeness = 0.12;
const sameWay = 0.002; // s
const mostKept = 4 * samplesPerSecond;
const [agreeing, judged] = [3, 4]; // so many of the last comparisons agree: it is heard
const cleared = 6; // of so many no two agree: it is not heard any more

/** Brings sound to about 3,000 samples a second, by means, and takes away what is even. */
export class Thinner {
  #count;
  #sum = 0;
  #added = 0;
  #before = 0;

  constructor(rate) {
    this.#count = Math.max(1, Math.round(rate / samplesPerSecond));
  }

  /** Samples of the sound for each one that is left. */
  get count() {
    return this.#count;
  }

  /** Thins samples: returns, as an array, the differences between the means of `count` samples each. */
  take(samples) {
    const left = [];
    for (const sample of samples) {
      this.#sum += sample;
      this.#added += 1;
      if (this.#added < this.#count) continue;
      const mean = this.#sum / this.#count;
      left.push(mean - this.#before);
      [this.#before, this.#sum, this.#added] = [mean, 0, 0];
    }
    return left;
  }
}

/** The largest number of delays that lie within `sameWay` of one of them. */
function mostAlike(ways) {
  const found = ways.filter((each) => each !== null);
  return Math.max(0, ...found.map((one) => found.filter((other) => Math.abs(other - one) <= sameWay).length));
}

/** The newest seconds of a sound; its place is counted in thinned samples of the audio clock. */
class Recent {
  #samples = [];
  #end = 0;

  add(begin, samples) {
    const gap = begin - this.#end;
    // A hole is silence; after a long one it begins anew. A difference of rounding is none.
    if (this.#samples.length === 0 || gap < -3 || gap > mostKept) [this.#samples, this.#end] = [[], begin];
    else if (gap > 3) this.#put(new Array(gap).fill(0));
    this.#put(samples);
    this.#samples.splice(0, Math.max(0, this.#samples.length - mostKept));
  }

  #put(samples) {
    for (const sample of samples) this.#samples.push(sample);
    this.#end += samples.length;
  }

  get end() {
    return this.#end;
  }

  /** Samples `begin` to before `end`; null if not all of them are here. */
  part(begin, end) {
    const from = begin - (this.#end - this.#samples.length);
    return from < 0 || end > this.#end ? null : this.#samples.slice(from, from + end - begin);
  }
}

export class Leak {
  #played = new Recent();
  #heard = new Recent();
  #ways = []; // the newest last; null if nothing was found
  #isHeard = false;
  #rate;
  #next = 0;

  /** `rate` is that of the thinned samples. */
  constructor(rate) {
    this.#rate = rate;
  }

  /** Thinned sound that the partner played, from a place in the audio clock on. */
  played(begin, samples) {
    this.#played.add(begin, samples);
  }

  /** Thinned sound of the microphone; gives true or false when that could be judged, else null. */
  heard(begin, samples) {
    this.#heard.add(begin, samples);
    if (this.#heard.end < this.#next) return null;
    this.#next = this.#heard.end + Math.round(0.75 * this.#rate);
    const way = this.#way();
    if (way === undefined) return null;
    this.#ways = [...this.#ways, way].slice(-cleared);
    if (mostAlike(this.#ways.slice(-judged)) >= agreeing) this.#isHeard = true;
    else if (this.#ways.length === cleared && mostAlike(this.#ways) < 2) this.#isHeard = false;
    return this.#isHeard;
  }

  /** Seconds after which the microphone has what was played; null if it has not; undefined if nothing was played. */
  #way() {
    const length = Math.round(windowSeconds * this.#rate);
    const reach = Math.round(longestWay * this.#rate);
    const end = Math.min(this.#heard.end, this.#played.end);
    const heard = this.#heard.part(end - length, end);
    const played = this.#played.part(end - length - reach, end);
    if (!heard || !played) return undefined;
    const power = (sound) => sound.reduce((sum, value) => sum + value * value, 0);
    const [heardPower, playedPower] = [power(heard), power(played) * length / (length + reach)];
    if (playedPower < 1e-5 * length / 100 || heardPower === 0) return undefined;
    const [left, right] = [Float32Array.from(heard), Float32Array.from(played)];
    let [best, most] = [0, 0];
    for (let lag = 0; lag <= reach; lag += 1) {
      let product = 0;
      const from = reach - lag;
      for (let index = 0; index < length; index += 1) product += left[index] * right[from + index];
      // Also a loudspeaker that turns the sound upside down.
      if (Math.abs(product) > most) [best, most] = [lag, Math.abs(product)];
    }
    return most / Math.sqrt(heardPower * playedPower) < leastLikeness ? null : best / this.#rate;
  }
}
