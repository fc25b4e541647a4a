// For how long the student's instrument has sounded the same: a held note, however soft or shaken, stays itself; a new
// note, or the same one struck again, begins anew. Pure: no audio interface.

const windowSeconds = 0.17; // of sound that is looked at
const [lowest, bands] = [45, 44]; // MIDI number of the lowest band, and how many semitones: 110 to 1,300 Hz
const leastLikeness = 0.8; // of what sounds to what is held
const attack = 6; // dB between two blocks
const agreeing = 2; // so many blocks beside the held sound: it is another
const memory = 0.9; // of what was held, for each block

export class HeldSound {
  #samples;
  #tones;
  #held = null; // the mean of what has sounded since it began
  #since = null;
  #unlike = 0; // the last blocks that were not like it
  #turned = 0; // when the first of them began
  #before = -100; // dB of the block before

  /** `rate` is that of the samples: about 3,000 a second. */
  constructor(rate) {
    const length = Math.round(windowSeconds * rate);
    this.#samples = new Float32Array(length);
    this.#tones = Array.from({ length: bands }, (_, index) =>
      tone(440 * 2 ** ((lowest + index - 69) / 12), length, rate));
  }

  /** Takes a block that begins at an instant; gives the instant since which the same has sounded, null in silence. */
  take(at, samples, power, isLoud) {
    const kept = this.#samples;
    kept.copyWithin(0, samples.length);
    kept.set(samples.slice(-kept.length), Math.max(0, kept.length - samples.length));
    const isStruck = power > this.#before + attack;
    this.#before = power;
    if (!isLoud) return this.#begin(null, null);
    const now = this.#spectrum();
    if (!this.#held || isStruck) return this.#begin(now, at);
    if (likeness(now, this.#held) >= leastLikeness) {
      this.#held = this.#held.map((value, band) => memory * value + (1 - memory) * now[band]);
      this.#unlike = 0;
    } else {
      if (this.#unlike === 0) this.#turned = at;
      this.#unlike += 1;
      if (this.#unlike >= agreeing) return this.#begin(now, this.#turned);
    }
    return this.#since;
  }

  #begin(held, since) {
    [this.#held, this.#since, this.#unlike] = [held, since, 0];
    return since;
  }

  /** The strength of each semitone, compressed, so that soft partials count too. */
  #spectrum() {
    const powers = this.#tones.map(([cosines, sines]) => {
      let [real, imaginary] = [0, 0];
      for (let index = 0; index < this.#samples.length; index += 1) {
        real += cosines[index] * this.#samples[index];
        imaginary += sines[index] * this.#samples[index];
      }
      return Math.sqrt(real * real + imaginary * imaginary);
    });
    const mean = powers.reduce((sum, power) => sum + power, 0) / powers.length;
    return powers.map((power) => Math.log1p(3 * power / Math.max(mean, 1e-9)));
  }
}

/** A windowed cosine and sine. */
function tone(hertz, length, rate) {
  const window = (index) => Math.sin(Math.PI * (index + 0.5) / length) ** 2;
  const wave = (shape) => Float32Array.from({ length }, (_, index) =>
    window(index) * shape(2 * Math.PI * hertz * index / rate));
  return [wave(Math.cos), wave(Math.sin)];
}

function likeness(one, other) {
  let [product, left, right] = [0, 0, 0];
  for (let band = 0; band < one.length; band += 1) {
    product += one[band] * other[band];
    left += one[band] ** 2;
    right += other[band] ** 2;
  }
  return product / Math.sqrt(left * right + 1e-12);
}
