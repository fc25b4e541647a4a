// The sound of a plucked string, made by the page itself: a burst of noise that runs round a delay line and is
// softened at each turn. K. Karplus and A. Strong, "Digital Synthesis of Plucked-String and Drum Timbres", Computer
// Music Journal 7(2), 1983; tuned by an allpass as in D. Jaffe and J. Smith, "Extensions of the Karplus-Strong
// Plucked-String Algorithm", same issue.

/** The timbres of the instruments: the seconds in which a low E fades by 60 dB, and the brightness of the plucking, 0
    to 1. */
const timbres = {
  nylon: { fade: 3.5, brightness: 0.35 }, steel: { fade: 5, brightness: 0.6 }, electric: { fade: 7, brightness: 0.45 },
  bass: { fade: 5, brightness: 0.25 }, banjo: { fade: 1.2, brightness: 0.85 }, muted: { fade: 0.35, brightness: 0.3 },
};

/** The timbre for a General MIDI program. */
export function timbreOf(program) {
  if (program >= 32 && program <= 39) return "bass";
  if (program >= 104 && program <= 107) return "banjo";
  if (program === 24) return "nylon";
  return program >= 26 && program <= 31 ? "electric" : "steel";
}

export const frequency = (pitch) => 440 * 2 ** ((pitch - 69) / 12);

/** Noise that is the same each time. */
function noise(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 31 - 1;
  };
}

/** The samples of one pluck, at most `seconds` long; the first sample is the attack, the loudest is 1. */
export function pluck(pitch, timbre, rate, seconds = 4) {
  const { fade, brightness } = timbres[timbre] ?? timbres.steel;
  const period = rate / frequency(pitch);
  const delay = Math.max(2, Math.floor(period - 0.6));
  const rest = period - 0.5 - delay;
  const allpass = (1 - rest) / (1 + rest);
  const seconds60 = Math.max(0.25, fade * 2 ** ((40 - pitch) / 24));
  const gain = 10 ** (-3 * period / rate / seconds60);
  const line = new Float32Array(delay);
  const random = noise(pitch * 7919 + 17);
  let [soft, mean] = [0, 0];
  for (let index = 0; index < delay; index += 1) {
    soft += (random() - soft) * (0.25 + 0.75 * brightness);
    line[index] = soft;
    mean += soft / delay;
  }
  // Plucked at a seventh of the string, which lacks the seventh partial; and without a constant part.
  const comb = Math.max(1, Math.round(delay / 7));
  const burst = line.map((value, index) => value - mean - 0.7 * (line[(index + delay - comb) % delay] - mean));
  line.set(burst);
  const samples = new Float32Array(Math.ceil(Math.min(seconds, seconds60 * 0.9) * rate));
  let [before, averageBefore, tunedBefore, place, loudest] = [0, 0, 0, 0, 1e-9];
  for (let index = 0; index < samples.length; index += 1) {
    const value = line[place];
    const average = gain * 0.5 * (value + before);
    const tuned = allpass * average + averageBefore - allpass * tunedBefore;
    [before, averageBefore, tunedBefore] = [value, average, tuned];
    line[place] = tuned;
    place = place + 1 === delay ? 0 : place + 1;
    samples[index] = value;
    if (Math.abs(value) > loudest) loudest = Math.abs(value);
  }
  for (let index = 0; index < samples.length; index += 1) samples[index] /= loudest;
  return samples;
}

/** The samples of a drum: short noise, with a tone where the drum is low. */
export function drum(key, rate) {
  const isLow = key <= 36 || (key >= 41 && key <= 50);
  const isLong = [46, 49, 51, 52, 55, 57, 59].includes(key);
  const fade = isLong ? 0.5 : isLow ? 0.12 : 0.06;
  const random = noise(key * 104_729);
  const tone = isLow ? 55 + 4 * (key - 35) : 0;
  return Float32Array.from({ length: Math.ceil(fade * 5 * rate) }, (_, index) => {
    const seconds = index / rate;
    const hiss = random() * (isLow ? 0.25 : 0.7);
    return Math.exp(-seconds / fade) * (hiss + (isLow ? 0.75 * Math.cos(2 * Math.PI * tone * seconds) : 0));
  });
}

/** The samples of a click: higher and louder where it is accented. */
export function click(isAccented, rate) {
  const [tone, loudness] = isAccented ? [1760, 1] : [1175, 0.6];
  return Float32Array.from({ length: Math.ceil(0.03 * rate) }, (_, index) => {
    const seconds = index / rate;
    return loudness * Math.exp(-seconds / 0.006) * Math.cos(2 * Math.PI * tone * seconds);
  });
}
