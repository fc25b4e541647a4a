// AAC frames as parts that can be decoded one by one: each gets the header with which it stands for itself (ADTS).
import { FileBytes, joined } from "./filebytes.js";

export const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
  7350]; // Hz
const frameLength = 1024; // samples
const headerLength = 7; // bytes
const largestFrame = 8191; // bytes with the header
const lead = 20; // frames after which the decoder has forgotten where it began

/** The parts of a file whose frames lie at known places (`frames` is place, size, …); null if one is too large. */
export function aacParts(file, { kind, rate, channels, decodedRate }, frames) {
  const count = frames.length / 2;
  for (let index = 0; index < count; index += 1) {
    if (frames[2 * index + 1] + headerLength > largestFrame) return null;
  }
  const header = (size) => {
    const length = size + headerLength;
    return [0xFF, 0xF1, ((kind - 1) << 6) | (rate << 2) | (channels >> 2), ((channels & 3) << 6) | (length >> 11),
      (length >> 3) & 255, ((length & 7) << 5) | 31, 0xFC];
  };
  const bytes = async (first, after) => {
    const parts = [];
    for (let index = first; index < after;) {
      // Frames that lie one behind the other are read at once.
      const from = frames[2 * index];
      let [to, end] = [from, index];
      while (end < after && frames[2 * end] === to) {
        to += frames[2 * end + 1];
        end += 1;
      }
      const run = new Uint8Array(await file.slice(from, to).arrayBuffer());
      for (let at = 0; index < end; index += 1) {
        const size = frames[2 * index + 1];
        parts.push(new Uint8Array(header(size)), run.subarray(at, at + size));
        at += size;
      }
    }
    return joined(parts);
  };
  return { rate: decodedRate, count, lead, seconds: (index) => (index * frameLength) / rates[rate], bytes };
}

/** The parts of a bare AAC file, whose frames have their headers already; null if it is damaged. */
export async function bareAACParts(file) {
  const view = new FileBytes(file);
  const places = [];
  let rate = null;
  for (let at = 0; at + headerLength <= file.size;) {
    const head = await view.at(at, headerLength);
    const length = ((head.getUint8(3) & 3) << 11) | (head.getUint8(4) << 3) | (head.getUint8(5) >> 5);
    if ((head.getUint16(0) & 0xFFF6) !== 0xFFF0 || length < headerLength) break;
    rate ??= rates[(head.getUint8(2) >> 2) & 15];
    places.push(at);
    at += length;
  }
  if (!rate) return null;
  return { rate, count: places.length, lead, seconds: (index) => (index * frameLength) / rate,
    bytes: (first, after) => file.slice(places[first], places[after] ?? file.size).arrayBuffer() };
}
