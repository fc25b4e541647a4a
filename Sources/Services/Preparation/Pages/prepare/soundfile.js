// Recordings before they are sent: one that is too long is refused at once, and the sound of a telephone's memo or
// video, which need not be sent with its picture, is turned into a WAV file here.
import { duration } from "/shared/numbers.js";
import { decode, decodedPieces, partsOf, samplesOf } from "./soundpieces.js";

const longest = 2 * 3600; // s; what the server takes
const estimateMargin = 1.1; // the length of an MP3 file may be an estimate
const short = 5 * 60; // s; decoded as a whole: decoded sound takes 0.35 MB a second for two channels
// The largest file that is decoded as a whole because it cannot be taken apart; all of it is held in memory.
const longestWhole = 20 * 60; // s
const largestWhole = 300e6; // bytes
const largestUnknown = 10e6; // bytes of a file whose length cannot be read
const largestShort = 100e6; // bytes
const patience = 8000; // ms
const wholeRate = 44_100; // Hz
const framesAtOnce = 1 << 20;

/** A recording that cannot be sent; its message says why and what to do. */
export class UnusableSound extends Error {}

/**
 * The file to be sent for a chosen recording: a WAV file of its sound, or itself. Throws an UnusableSound.
 * `told(share)` is called while it is converted; `stop` is an AbortSignal.
 */
export async function soundToSend(file, told = () => {}, stop = null) {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const seconds = await lengthOf(file);
  const limit = isExact(head) ? longest : longest * estimateMargin;
  if (seconds > limit) throw tooLong(file, seconds);
  if (!needsDecoding(head)) return file;
  const isShort = seconds !== null && seconds <= short && file.size <= largestShort;
  const fits = seconds === null ? file.size <= largestUnknown : seconds <= longestWhole && file.size <= largestWhole;
  const sound = (isShort ? null : await waveOfPieces(file, head, told, stop))
    ?? (fits && !stop?.aborted ? await waveOfWhole(file) : null);
  if (sound) return new File(sound, `${file.name.replace(/\.[^.]+$/, "")}.wav`, { type: "audio/wav" });
  return file; // The server tries it with other means, or says what it is.
}

const tooLong = (file, seconds) => new UnusableSound(`“${file.name}” lasts ${duration(seconds)}; two hours at most can `
  + "be followed. Cut it into movements or pieces, and choose one of them.");

const startsWith = (head, at, text) => [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));

/** WAV and FLAC files say their length in their header. */
const isExact = (head) => ["RIFF", "RF64", "fLaC"].some((word) => startsWith(head, 0, word));

/** MPEG-4 (M4A, MP4, MOV), bare AAC, WebM: formats of telephones and browsers. */
export const needsDecoding = (head) => startsWith(head, 4, "ftyp") || (head[0] === 0xFF && (head[1] & 0xF6) === 0xF0)
  || startsWith(head, 0, "\x1AE\xDF\xA3");

/** The seconds that a sound file lasts; null if the browser cannot tell. */
function lengthOf(file) {
  return new Promise((done) => {
    const address = URL.createObjectURL(file);
    const sound = new Audio();
    const end = (seconds) => {
      clearTimeout(timer);
      sound.onloadedmetadata = sound.onerror = null;
      sound.removeAttribute("src");
      URL.revokeObjectURL(address);
      done(Number.isFinite(seconds) ? seconds : null);
    };
    const timer = setTimeout(end, patience, null);
    sound.onloadedmetadata = () => end(sound.duration);
    sound.onerror = () => end(null);
    sound.preload = "metadata";
    sound.src = address;
  });
}

/** The parts of a WAV file with the sound of a file; null if the browser cannot decode it. */
async function waveOfWhole(file) {
  const sound = await file.arrayBuffer().then((bytes) => decode(bytes, wholeRate)).catch(() => null);
  if (!sound) return null;
  const parts = [waveHeader(sound.length, wholeRate)];
  for (let from = 0; from < sound.length; from += framesAtOnce) {
    parts.push(new Blob([samplesOf(sound, from, Math.min(from + framesAtOnce, sound.length))]));
    await new Promise((next) => setTimeout(next)); // The page stays usable.
  }
  return parts;
}

/** The same, decoded a minute at a time; null also for a file that cannot be taken apart. */
async function waveOfPieces(file, head, told, stop) {
  const found = await partsOf(file, head);
  if (!found) return null;
  const seconds = found.seconds(found.count - 1) - found.seconds(0);
  if (seconds > longest) throw tooLong(file, seconds);
  const parts = [null];
  let frames = 0;
  try {
    for await (const { samples, share } of decodedPieces(found)) {
      if (stop?.aborted) return null;
      parts.push(new Blob([samples]));
      frames += samples.length;
      told(share);
    }
  } catch {
    return null;
  }
  parts[0] = waveHeader(frames, found.rate);
  return parts;
}

function waveHeader(frames, rate) {
  const view = new DataView(new ArrayBuffer(44));
  const text = (at, word) => [...word].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * frames, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * frames, true);
  return view;
}
