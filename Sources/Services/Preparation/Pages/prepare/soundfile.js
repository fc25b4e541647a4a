// Recordings before they are sent: one that is too long is refused at once, and the sound of a telephone's memo or
// video, which the server cannot read, is turned into a WAV file here.
import { duration } from "/shared/numbers.js";

const longest = 2 * 3600; // s; what the server takes
const estimateMargin = 1.1; // the length of an MP3 file may be an estimate
const longestConverted = 20 * 60; // s; decoded sound takes 0.35 MB a second for two channels
const largestConverted = 300e6; // bytes; the whole file is held in memory
const largestUnknown = 10e6; // bytes of a file whose length cannot be read
const patience = 8000; // ms
const rate = 44_100; // Hz
const framesAtOnce = 1 << 20;
const byVLC = "with VLC (Media, Convert / Save, the profile “Audio - FLAC”)";

/** A recording that cannot be sent; its message says why and what to do. */
export class UnusableSound extends Error {}

/** The file to be sent for a chosen recording: itself, or a WAV file of its sound. Throws an UnusableSound. */
export async function soundToSend(file) {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const seconds = await lengthOf(file);
  const limit = isExact(head) ? longest : longest * estimateMargin;
  if (seconds > limit) {
    throw new UnusableSound(`“${file.name}” lasts ${duration(seconds)}; two hours at most can be followed. Cut it into `
      + "movements or pieces, and choose one of them.");
  }
  if (!needsDecoding(head)) return file;
  if (seconds > longestConverted || file.size > (seconds === null ? largestUnknown : largestConverted)) {
    const [length, most] = seconds === null
      ? [" and does not say how long it lasts", `${largestUnknown / 1e6} MB`]
      : [` and lasts ${duration(seconds)}`, `${longestConverted / 60} minutes and ${largestConverted / 1e6} MB`];
    throw new UnusableSound(`“${file.name}” is AAC audio or a video${length}. Up to ${most} of it are converted here. `
      + `Convert it first, ${byVLC}, and choose the new file.`);
  }
  // The server has a sentence for a file that the browser cannot decode, such as one with copy protection.
  const sound = await decoded(file).catch(() => null);
  if (!sound) return file;
  return new File(await wave(sound), `${file.name.replace(/\.[^.]+$/, "")}.wav`, { type: "audio/wav" });
}

const startsWith = (head, at, text) => [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));

/** WAV and FLAC files say their length in their header. */
const isExact = (head) => ["RIFF", "RF64", "fLaC"].some((word) => startsWith(head, 0, word));

/** MPEG-4 (M4A, MP4, MOV), bare AAC, WebM: formats of telephones and browsers that the server does not read. */
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

async function decoded(file) {
  const context = new OfflineAudioContext(1, 1, rate);
  return context.decodeAudioData(await file.arrayBuffer());
}

/** The parts of a WAV file with 16 bits and the mean of all channels. */
async function wave(sound) {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  const parts = [waveHeader(sound.length)];
  for (let from = 0; from < sound.length; from += framesAtOnce) {
    const samples = new Int16Array(Math.min(framesAtOnce, sound.length - from));
    for (let index = 0; index < samples.length; index += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[from + index];
      samples[index] = Math.round(32_767 * Math.max(-1, Math.min(1, sum / channels.length)));
    }
    parts.push(new Blob([samples]));
    await new Promise((next) => setTimeout(next)); // The page stays usable.
  }
  return parts;
}

function waveHeader(frames) {
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
