// The time from a sound's place in the audio clock until the microphone has it: clicks are played and heard back.
import { keep, readKept } from "./kept.js";

const key = "baton-latency"; // in this browser: seconds by microphone and output
const mostKept = 20;
const longest = 0.6; // s; a click that comes later is not looked for
const leastHeard = 5;
const mostSpread = 0.015; // s, the median of the distances from the median
const standingOut = 8; // times louder than the sound before the click
const inputShare = 0.015; // s that a microphone usually takes; the rest is the output

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * The latency in seconds of clicks that were played at these times, from what the microphone heard meanwhile:
 * `sound` are samples of full scale 1, the first one at `begin` seconds of the same clock. Gives
 * `{ seconds, spread, heard }`, with `seconds` null if too few clicks were heard or they lie too far apart.
 */
export function findLatency(clicks, sound, rate, begin = 0) {
  const found = clicks.map((time) => onsetAfter(time - begin, sound, rate)).filter((each) => each !== null);
  if (found.length < leastHeard || found.length < clicks.length / 2) {
    return { seconds: null, spread: null, heard: found.length };
  }
  const middle = median(found);
  const spread = median(found.map((each) => Math.abs(each - middle)));
  return { seconds: spread <= mostSpread ? middle : null, spread, heard: found.length };
}

/** Seconds from `time` until a click rises; null if nothing stands out. */
function onsetAfter(time, sound, rate) {
  const from = Math.round(time * rate);
  const to = Math.min(sound.length, from + Math.round(longest * rate));
  const before = Math.max(0, from - Math.round(0.1 * rate));
  if (from < 0 || to - from < 0.1 * rate) return null;
  let floor = 0;
  for (let index = before; index < from; index += 1) floor += sound[index] ** 2;
  floor = Math.sqrt(floor / Math.max(1, from - before));
  let peak = 0;
  for (let index = from; index < to; index += 1) peak = Math.max(peak, Math.abs(sound[index]));
  if (peak < 0.002 || peak < standingOut * floor) return null;
  for (let index = from; index < to; index += 1) if (Math.abs(sound[index]) > 0.4 * peak) return (index - from) / rate;
  return null;
}

/** The round trip in seconds that is kept for a microphone and an output, by their names; null if none is. */
export function keptLatency(input, output) {
  const seconds = readKept(key)?.[`${input} → ${output}`];
  return Number.isFinite(seconds) ? seconds : null;
}

/** Keeps a round trip; null forgets it. */
export function keepLatency(input, output, seconds) {
  const others = Object.entries(readKept(key) ?? {}).filter(([name]) => name !== `${input} → ${output}`);
  const mine = seconds === null ? [] : [[`${input} → ${output}`, seconds]];
  keep(key, Object.fromEntries([...others, ...mine].slice(-mostKept)));
}

/** The seconds from the audio clock to the ear: as measured for this output with any microphone, else as given. */
export function outputLatency(output, given) {
  const kept = Object.entries(readKept(key) ?? {}).findLast(([name]) => name.endsWith(` → ${output}`))?.[1];
  return Number.isFinite(kept) ? Math.max(0, kept - inputShare) : given;
}

/** The name of the output that the browser uses; “output” where it does not tell. */
export async function outputName() {
  const devices = await navigator.mediaDevices?.enumerateDevices?.().catch(() => []) ?? [];
  const outputs = devices.filter(({ kind }) => kind === "audiooutput");
  return (outputs.find(({ deviceId }) => deviceId === "default") ?? outputs[0])?.label || "output";
}
