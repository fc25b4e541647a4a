// Numbers as a person at a desk reads them.

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** “0:42”, “12:05”, “1:02:00”. */
export function duration(seconds) {
  if (!isNumber(seconds)) return "–";
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const [, minutes, rest] = parts.map((part) => String(part).padStart(2, "0"));
  return parts[0] ? `${parts[0]}:${minutes}:${rest}` : `${parts[1]}:${rest}`;
}

/** “97” for 0.97: a confidence is a measure of trust, not a chance, and has no percent sign. */
export const outOf100 = (value) => (isNumber(value) ? String(Math.round(value * 100)) : "–");

export const decibels = (value) => (!isNumber(value) || value <= -119
  ? "silent" : `${value.toFixed(0)} dB`.replace("-", "−"));

export const megabytes = (bytes) => (isNumber(bytes) ? `${(bytes / 1e6).toFixed(1)} MB` : "–");

export const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
