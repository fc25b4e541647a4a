// The sound of a long file that the server cannot read, decoded a minute at a time, so that a telephone has memory for
// hours of it.
import { bareAACParts } from "./aac.js";
import { mpeg4Parts } from "./mpeg4.js";
import { webmParts } from "./webm.js";

const pieceSeconds = 60;

/**
 * The parts of a file that can be decoded by themselves: `{rate, count, lead, seconds(index), bytes(first, after)}`.
 * `rate` is in Hz, `lead` the parts before a part that its decoder must have heard, `seconds` where a part begins, and
 * `bytes` a file of the parts from `first` to before `after`. Null if the file cannot be taken apart.
 */
export function partsOf(file, head) {
  const word = String.fromCharCode(...head);
  const parts = word.startsWith("\x1AE\xDF\xA3") ? webmParts(file)
    : word.slice(4, 8) === "ftyp" ? mpeg4Parts(file) : bareAACParts(file);
  return parts.catch(() => null); // A table of the file is damaged.
}

/** Decodes all parts: gives blocks of samples, the mean of the channels, and the share that is done after each. */
export async function* decodedPieces(parts) {
  for (let from = 0; from < parts.count;) {
    const after = endOfPiece(parts, from);
    const first = Math.max(0, from - parts.lead);
    const sound = await decode(await parts.bytes(first, after), parts.rate);
    // The parts before sound again at the beginning of the piece; decoded alone, they tell how long.
    const skipped = first < from ? (await decode(await parts.bytes(first, from), parts.rate)).length : 0;
    if (skipped > sound.length) throw new Error("A piece is shorter than its beginning.");
    yield { samples: samplesOf(sound, skipped, sound.length), share: after / parts.count };
    from = after;
  }
}

function endOfPiece(parts, from) {
  const end = parts.seconds(from) + pieceSeconds;
  let after = from + 1;
  while (after < parts.count && parts.seconds(after) < end) after += 1;
  return after;
}

export function decode(bytes, rate) {
  return new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes);
}

/** Samples with 16 bits: the mean of all channels from one frame to before another. */
export function samplesOf(sound, from, to) {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  const samples = new Int16Array(to - from);
  for (let index = 0; index < samples.length; index += 1) {
    let sum = 0;
    for (const channel of channels) sum += channel[from + index];
    samples[index] = Math.round(32_767 * Math.max(-1, Math.min(1, sum / channels.length)));
  }
  return samples;
}
