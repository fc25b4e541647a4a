// A WebM file as parts that can be decoded one by one: its clusters. A browser's own recorder writes neither the length
// of the file nor that of its clusters.
import { FileBytes, joined } from "./filebytes.js";

const ids = { header: 0x1A45DFA3, segment: 0x18538067, info: 0x1549A966, tracks: 0x1654AE6B, cluster: 0x1F43B675,
  time: 0xE7, scale: 0x2AD7B1, track: 0xAE, audio: 0xE1, rate: 0xB5 };
const unknownSegment = new Uint8Array([0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255]);
const longestHeader = 12; // bytes of an element's name and length
const millisecond = 1e6; // ns
const opusRate = 48_000; // Hz

/** The parts of a WebM file as `SoundPieces` takes them; null if it is damaged. */
export async function webmParts(file) {
  const bytes = new FileBytes(file);
  const head = [];
  const clusters = []; // {from, seconds}
  let [rate, scale, end] = [opusRate, millisecond, file.size];
  for (let at = 0; at < file.size;) {
    const element = readElement(await bytes.at(at, longestHeader), at);
    if (!element) {
      end = at; // The end of the file is missing.
      break;
    }
    const { id, from, to } = element;
    const next = id === ids.segment || id === ids.cluster ? from : to;
    if (!Number.isFinite(next)) return null;
    if (id === ids.cluster) clusters.push({ from: at, seconds: null });
    if (id === ids.time) clusters.at(-1).seconds = (number(await bytes.at(from, to - from)) * scale) / 1e9;
    if (id === ids.header || id === ids.tracks) head.push(file.slice(at, to));
    if (id === ids.header) head.push(unknownSegment);
    const content = async () => bytes.at(from, to - from);
    if (id === ids.info) scale = inner(await content(), [ids.scale], number) ?? scale;
    if (id === ids.tracks) rate = inner(await content(), [ids.track, ids.audio, ids.rate], real) ?? rate;
    at = next;
  }
  if (head.length < 3 || clusters.length === 0 || clusters.some(({ seconds }) => seconds === null)) return null;
  return {
    rate, count: clusters.length, lead: 1,
    seconds: (index) => clusters[index].seconds,
    bytes: (first, after) => joined([...head, file.slice(clusters[first].from, clusters[after]?.from ?? end)]),
  };
}

/** The element at the beginning of a view: its name, and from where to where its content lies; null if it is cut. */
function readElement(view, at) {
  const idLength = view.byteLength > 0 ? Math.clz32(view.getUint8(0)) - 23 : 9;
  if (idLength > 4 || view.byteLength <= idLength) return null;
  const sizeLength = Math.clz32(view.getUint8(idLength)) - 23;
  if (sizeLength > 8 || view.byteLength < idLength + sizeLength) return null;
  let id = 0;
  for (let index = 0; index < idLength; index += 1) id = id * 256 + view.getUint8(index);
  let size = view.getUint8(idLength) & ((1 << (8 - sizeLength)) - 1);
  let isUnknown = size === (1 << (8 - sizeLength)) - 1;
  for (let index = 1; index < sizeLength; index += 1) {
    const byte = view.getUint8(idLength + index);
    size = size * 256 + byte;
    isUnknown &&= byte === 255;
  }
  const from = at + idLength + sizeLength;
  return { id, from, to: isUnknown ? Infinity : from + size };
}

/** The value of the first element on a path of names within a view; null if there is none. */
function inner(view, [name, ...names], read) {
  for (let at = 0; at < view.byteLength;) {
    const element = readElement(new DataView(view.buffer, view.byteOffset + at, view.byteLength - at), at);
    if (!element || element.to > view.byteLength) return null;
    const content = new DataView(view.buffer, view.byteOffset + element.from, element.to - element.from);
    const found = element.id !== name ? null : names.length > 0 ? inner(content, names, read) : read(content);
    if (found !== null) return found;
    at = element.to;
  }
  return null;
}

function number(view) {
  let value = 0;
  for (let index = 0; index < view.byteLength; index += 1) value = value * 256 + view.getUint8(index);
  return value;
}

const real = (view) => (view.byteLength === 8 ? view.getFloat64(0) : view.byteLength === 4 ? view.getFloat32(0) : null);
