// The AAC sound of a video (MP4, MOV; also one in fragments) as a file of its own, so that its pictures need not be
// sent. Only the tables of the file are read; nothing is decoded.
const longestTable = 64 << 20; // bytes
const mostFrames = 4_000_000; // twelve hours
const framesAtOnce = 4096; // held in memory
const headerLength = 7; // bytes of the header with which a frame stands for itself (ADTS)
const largestFrame = 8191; // bytes with the header

/** The sound of an MPEG-4 file as AAC; null if it is not AAC, or damaged, or most of the file. */
export async function soundOfVideo(file) {
  const frames = []; // from, byte count, …
  const read = async (from, to) => new DataView(await file.slice(from, to).arrayBuffer());
  let track = null;
  for (let at = 0; at + 8 <= file.size;) {
    const box = readBox(await read(at, at + 16), at, file.size);
    if (!box) break;
    if (box.name === "moov" || box.name === "moof") {
      if (box.to - box.from > longestTable) return null;
      const content = await read(box.from, box.to);
      if (box.name === "moov") track = soundTrack(content);
      if (!track) return null;
      if (box.name === "moov") addTableFrames(content, track, frames);
      else addFragmentFrames(content, track, at, frames);
    }
    at = box.to;
  }
  let soundBytes = 0;
  for (let index = 1; index < frames.length; index += 2) {
    if (frames[index] + headerLength > largestFrame) return null;
    soundBytes += frames[index];
  }
  if (soundBytes === 0 || 2 * soundBytes > file.size) return null;
  const parts = [];
  for (let first = 0; first < frames.length; first += 2 * framesAtOnce) {
    parts.push(await framesWithHeaders(file, track, frames.slice(first, first + 2 * framesAtOnce)));
  }
  return new File(parts, `${file.name.replace(/\.[^.]+$/, "")}.aac`, { type: "audio/aac" });
}

async function framesWithHeaders(file, { kind, rate, channels }, frames) {
  const parts = [];
  for (let index = 0; index < frames.length;) {
    // Frames that lie one behind the other are read at once.
    const from = frames[index];
    let [to, end] = [from, index];
    for (; end < frames.length && frames[end] === to; end += 2) to += frames[end + 1];
    const run = new Uint8Array(await file.slice(from, to).arrayBuffer());
    for (let at = 0; index < end; index += 2) {
      const size = frames[index + 1];
      const length = size + headerLength;
      parts.push(new Uint8Array([0xFF, 0xF1, ((kind - 1) << 6) | (rate << 2) | (channels >> 2),
        ((channels & 3) << 6) | (length >> 11), (length >> 3) & 255, ((length & 7) << 5) | 31, 0xFC]),
      run.subarray(at, at + size));
      at += size;
    }
  }
  return new Blob(parts);
}

/** The box at the beginning of a view: its name, and from where to where its content lies; null if it is cut. */
function readBox(view, at, end) {
  if (view.byteLength < 8) return null;
  let [size, head] = [view.getUint32(0), 8];
  if (size === 1 && view.byteLength >= 16) [size, head] = [Number(view.getBigUint64(8)), 16];
  if (size === 0) size = end - at;
  return size < head ? null : { name: letters(view, 4), from: at + head, to: at + size };
}

const letters = (view, at) => String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4));

const part = (view, from, to = view.byteLength) => new DataView(view.buffer, view.byteOffset + from, to - from);

/** All boxes with this name directly within a view. */
function boxes(view, name) {
  const found = [];
  for (let at = 0; at + 8 <= view.byteLength;) {
    const box = readBox(part(view, at), at, view.byteLength);
    if (!box || box.to > view.byteLength) break;
    if (box.name === name) found.push(part(view, box.from, box.to));
    at = box.to;
  }
  return found;
}

/** The first box on a path of names within a view; undefined if there is none. */
const boxOn = (view, ...names) => names.reduce((inside, name) => inside && boxes(inside, name)[0], view);

/** The first AAC track: its tables, number, and what its frames' headers must say; null if there is none. */
function soundTrack(moov) {
  for (const trak of boxes(moov, "trak")) {
    const tables = boxOn(trak, "mdia", "minf", "stbl");
    const header = boxOn(trak, "tkhd");
    const description = tables && boxOn(tables, "stsd");
    const entry = description && boxes(part(description, 8), "mp4a")[0];
    const sound = entry && header && configuration(entry);
    if (!sound) continue;
    const id = header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
    const usual = boxes(boxOn(moov, "mvex") ?? part(moov, 0, 0), "trex").find((each) => each.getUint32(4) === id);
    return { ...sound, id, tables, size: usual?.getUint32(16) ?? 0 };
  }
  return null;
}

/** What an entry for AAC sound says; null for another kind of sound. */
function configuration(entry) {
  // A QuickTime file has further fields before the inner boxes, and may have them in a box “wave”.
  const from = 28 + [0, 16, 36][entry.getUint16(8)];
  const inside = part(entry, Number.isFinite(from) ? Math.min(from, entry.byteLength) : entry.byteLength);
  const box = boxOn(inside, "esds") ?? boxOn(inside, "wave", "esds");
  const bytes = box && specific(box);
  if (!bytes || bytes.byteLength < 2) return null;
  const bits = bytes.getUint16(0);
  const [rate, channels] = [(bits >> 7) & 15, (bits >> 3) & 15];
  // 5 and 29: the upper half of the spectrum is coded apart; the header does not say it, and decoders find it.
  const kind = [5, 29].includes(bits >> 11) ? 2 : bits >> 11;
  return kind < 1 || kind > 4 || rate > 12 || channels < 1 || channels > 7 ? null : { kind, rate, channels };
}

/** The decoder's own bytes within the descriptors of an “esds” box. */
function specific(box) {
  for (let at = 4; at + 2 < box.byteLength;) {
    const tag = box.getUint8(at);
    at += 1;
    let size = 0;
    for (let more = true; more && at < box.byteLength; at += 1) {
      size = size * 128 + (box.getUint8(at) & 127);
      more = box.getUint8(at) > 127;
    }
    if (tag === 5) return at + size <= box.byteLength ? part(box, at, at + size) : null;
    at += tag === 3 ? 3 : tag === 4 ? 13 : size;
  }
  return null;
}

function addTableFrames(moov, { tables }, frames) {
  const [sizes, runs] = [boxOn(tables, "stsz"), boxOn(tables, "stsc")];
  const long = boxOn(tables, "co64");
  const places = long ?? boxOn(tables, "stco");
  if (!sizes || !runs || !places) return;
  const [common, count, chunks] = [sizes.getUint32(4), sizes.getUint32(8), places.getUint32(4)];
  let [frame, run] = [0, 0];
  for (let chunk = 0; chunk < chunks && frame < count; chunk += 1) {
    while (run + 1 < runs.getUint32(4) && runs.getUint32(8 + 12 * (run + 1)) <= chunk + 1) run += 1;
    let at = long ? Number(long.getBigUint64(8 + 8 * chunk)) : places.getUint32(8 + 4 * chunk);
    for (let left = runs.getUint32(12 + 12 * run); left > 0 && frame < count; left -= 1, frame += 1) {
      const size = common || sizes.getUint32(12 + 4 * frame);
      addFrame(frames, at, size);
      at += size;
    }
  }
}

function addFragmentFrames(moof, track, moofAt, frames) {
  for (const fragment of boxes(moof, "traf")) {
    const header = boxOn(fragment, "tfhd");
    if (!header || header.getUint32(4) !== track.id) continue;
    const flags = header.getUint32(0);
    let field = 8;
    const base = flags & 1 ? Number(header.getBigUint64((field += 8) - 8)) : moofAt;
    if (flags & 2) field += 4;
    if (flags & 8) field += 4;
    const usual = flags & 16 ? header.getUint32(field) : track.size;
    let next = base;
    for (const run of boxes(fragment, "trun")) {
      const has = run.getUint32(0);
      let at = 8;
      if (has & 1) next = base + run.getInt32((at += 4) - 4);
      if (has & 4) at += 4;
      for (let left = run.getUint32(4); left > 0; left -= 1) {
        if (has & 0x100) at += 4;
        const size = has & 0x200 ? run.getUint32((at += 4) - 4) : usual;
        if (has & 0x400) at += 4;
        if (has & 0x800) at += 4;
        addFrame(frames, next, size);
        next += size;
      }
    }
  }
}

function addFrame(frames, at, size) {
  if (size === 0 || frames.length >= 2 * mostFrames) throw new RangeError("The table of the frames is damaged.");
  frames.push(at, size);
}
