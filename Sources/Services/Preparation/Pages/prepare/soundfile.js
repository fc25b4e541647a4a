// Recordings before they are sent: one that is too long is refused at once, and of a video only the sound is sent.
import { duration } from "/shared/numbers.js";
import { soundOfVideo } from "./mpeg4.js";

const longest = 2 * 3600; // s; what the server takes
const estimateMargin = 1.1; // the length of an MP3 file may be an estimate
const patience = 8000; // ms

/** A recording that cannot be sent; its message says why and what to do. */
export class UnusableSound extends Error {}

/** The file to be sent for a chosen recording: itself, or the sound of a video. Throws an UnusableSound. */
export async function soundToSend(file) {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const isMPEG4 = startsWith(head, 4, "ftyp");
  const isExact = isMPEG4 || ["RIFF", "RF64", "fLaC", "\x1AE\xDF\xA3"].some((word) => startsWith(head, 0, word));
  const seconds = await lengthOf(file);
  if (seconds > (isExact ? longest : longest * estimateMargin)) {
    throw new UnusableSound(`“${file.name}” lasts ${duration(seconds)}; two hours at most can be followed. Cut it into `
      + "movements or pieces, and choose one of them.");
  }
  return (isMPEG4 ? await soundOfVideo(file).catch(() => null) : null) ?? file; // A table may be damaged.
}

const startsWith = (head, at, text) => [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));

/** The seconds that a sound file lasts; null if the browser cannot tell. */
function lengthOf(file) {
  return new Promise((done) => {
    const address = URL.createObjectURL(file);
    const sound = new Audio();
    const end = (seconds) => {
      clearTimeout(timer);
      sound.onloadedmetadata = sound.ondurationchange = sound.onerror = null;
      sound.removeAttribute("src");
      URL.revokeObjectURL(address);
      done(Number.isFinite(seconds) ? seconds : null);
    };
    const timer = setTimeout(end, patience, null);
    sound.onloadedmetadata = () => {
      if (sound.duration !== Infinity) return end(sound.duration);
      // What a browser records does not say how long it is; its end does.
      sound.ondurationchange = () => end(sound.duration);
      sound.currentTime = Number.MAX_SAFE_INTEGER;
    };
    sound.onerror = () => end(null);
    sound.preload = "metadata";
    sound.src = address;
  });
}
