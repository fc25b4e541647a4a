// Numbers as a person at a desk reads them.

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** “97” for 0.97: a confidence is a measure of trust, not a chance, and has no percent sign. */
export const outOf100 = (value) => (isNumber(value) ? String(Math.round(value * 100)) : "–");

export const decibels = (value) => (!isNumber(value) || value <= -119
  ? "silent" : `${value.toFixed(0)} dB`.replace("-", "−"));

export const megabytes = (bytes) => (isNumber(bytes) ? `${(bytes / 1e6).toFixed(1)} MB` : "–");

/** “an octave lower” for -12, “+2 semitones” for 2. */
export function intervalWords(semitones) {
  if (Math.abs(semitones) === 12) return `an octave ${semitones > 0 ? "higher" : "lower"}`;
  return `${semitones > 0 ? "+" : "−"}${plural(Math.abs(semitones), "semitone", "semitones")}`;
}

export const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
