// The layout of one track: bars become columns, columns become lines as wide as the page. Sizes are in pixels. A stave
// begins a new line; a line that is too wide is broken, between bars if possible.
import { freePlaces, meters, quarters, staves } from "/shared/tabmodel.js";
import { headWidth } from "/shared/tabnotation.js";

const tiny = 1e-6;

/** The measures of a drawing at a zoom (1 is the usual size), for so many strings. */
export function sizes(zoom, strings, withNotation = false) {
  const gap = 15 * zoom;
  const notation = withNotation ? 92 * zoom : 0;
  return {
    zoom, gap, notation, top: 34 * zoom + notation, height: gap * (strings - 1), stems: 44 * zoom, left: 30 * zoom,
    whole: 34 * zoom + notation + gap * (strings - 1) + 52 * zoom, font: 13 * zoom,
  };
}

/** The width of a column that lasts so many quarters. */
const width = (length, zoom) => zoom * (26 + 9 * Math.max(0, Math.log2(Math.max(length, 0.25) / 0.25)));

/** The columns of a bar: { at, slot, length, beats }; `slot` is that of the first voice, null if it has none there. */
function columnsOf(trackBar, barQuarters) {
  const found = new Map();
  const column = (at) => {
    const key = Math.round(at * 10_000);
    if (!found.has(key)) found.set(key, { at, slot: null, beats: [], graces: [] });
    return found.get(key);
  };
  (trackBar.voices ?? []).forEach((voice, index) => {
    let at = 0;
    voice.beats.forEach((beat, slot) => {
      const here = column(beat.grace ? at + 0.0001 * (slot - 1000) : at);
      here.beats.push({ beat, voice: index, slot });
      if (index === 0) here.slot = slot;
      at += quarters(beat);
    });
  });
  const beats = trackBar.voices?.[0]?.beats ?? [];
  freePlaces(beats, barQuarters).forEach((at, index) => {
    const here = column(at);
    if (here.slot === null) here.slot = beats.length + index;
  });
  const columns = [...found.values()].sort((a, b) => a.at - b.at);
  columns.forEach((each, index) => {
    each.length = Math.max(0, (columns[index + 1]?.at ?? barQuarters) - each.at);
  });
  return columns;
}

/**
 * The lines of a track: [{ stave, index, isFirst, y, width, bars: [{ bar, x, width, columns, isBegin, isEnd }] }],
 * where columns are { at, slot, length, beats, x, width, next }, x their middle, next that of the next.
 */
export function layout(tab, track, pageWidth, zoom, withNotation = false) {
  const all = meters(tab);
  const measures = sizes(zoom, Math.max(1, tab.tracks[track].strings.length), withNotation);
  const room = Math.max(120, pageWidth - measures.left - 8);
  const lines = [];
  staves(tab, all).forEach(([first, after], stave) => {
    /** @type {any} */
    let line = null;
    const begin = () => {
      line = { stave, first, isFirst: line === null, bars: [], used: 0, y: 0 };
      lines.push(line);
    };
    begin();
    for (let bar = first; bar < after; bar += 1) {
      const columns = columnsOf(tab.tracks[track].bars[bar], all[bar].quarters)
        .map((each) => ({ ...each, natural: width(each.length, zoom) }));
      const head = zoom * (10 + (all[bar].isNew ? 22 : 0) + (tab.bars[bar].repeatStart ? 12 : 0));
      const tail = zoom * (6 + (tab.bars[bar].repeats === undefined ? 0 : 14));
      const total = head + tail + columns.reduce((sum, each) => sum + each.natural, 0);
      if (line.bars.length > 0 && line.used + total > room) begin();
      const lead = () => (withNotation && line.bars.length === 0 ? zoom * headWidth(all[bar].key) : 0);
      let part = { bar, lead: lead(), head: head + lead(), tail: 0, columns: [], isBegin: true, isEnd: false };
      line.bars.push(part);
      line.used += part.head;
      for (const each of columns) {
        if (part.columns.length > 0 && line.used + each.natural + tail > room) {
          begin();
          part = { bar, lead: lead(), head: 8 * zoom + lead(), tail: 0, columns: [], isBegin: false, isEnd: false };
          line.bars.push(part);
          line.used += part.head;
        }
        part.columns.push(each);
        line.used += each.natural;
      }
      part.isEnd = true;
      part.tail = tail;
      line.used += tail;
    }
  });
  lines.forEach((line, index) => place(line, index, room, measures));
  return { lines, measures, meters: all, width: room + measures.left + 8, height: lines.length * measures.whole };
}

/** Stretches a line's columns over the page, at most to 2.4 times their width, and gives everything its x. */
function place(line, index, room, measures) {
  const fixed = line.bars.reduce((sum, { head, tail }) => sum + head + tail, 0);
  const natural = line.used - fixed;
  const stretch = natural > tiny ? Math.min(2.4, Math.max(1, (room - fixed) / natural)) : 1;
  let x = measures.left;
  let before = null;
  line.index = index;
  line.y = index * measures.whole;
  for (const part of line.bars) {
    part.x = x;
    x += part.head;
    for (const column of part.columns) {
      column.width = column.natural * stretch;
      column.x = x + column.width / 2;
      x += column.width;
      if (before) before.next = column.x;
      before = column;
    }
    x += part.tail;
    part.width = x - part.x;
  }
  line.width = x - measures.left;
}

/** The column of a bar's slot: { line, part, column }; null if there is none. */
export function columnOfSlot({ lines }, bar, slot) {
  return findColumn(lines, bar, (column) => column.slot === slot);
}

/** The last column of a bar that begins at or before `at`. */
export function columnAt({ lines }, bar, at) {
  let found = null;
  for (const line of lines) {
    for (const part of line.bars) {
      if (part.bar !== bar) continue;
      for (const column of part.columns) if (column.at <= at + 0.002) found = { line, part, column };
    }
  }
  return found;
}

function findColumn(lines, bar, matches) {
  for (const line of lines) {
    for (const part of line.bars) {
      const column = part.bar === bar ? part.columns.find(matches) : undefined;
      if (column) return { line, part, column };
    }
  }
  return null;
}

/** The cell nearest to a point: { bar, slot, string }; null if the point is on no line. */
export function cellAt({ lines, measures }, x, y, strings) {
  const line = lines[Math.min(lines.length - 1, Math.max(0, Math.floor(y / measures.whole)))];
  if (!line) return null;
  const string = Math.min(strings, Math.max(1, 1 + Math.round((y - line.y - measures.top) / measures.gap)));
  let nearest = null;
  for (const part of line.bars) {
    for (const column of part.columns) {
      if (column.slot === null) continue;
      const distance = Math.abs(column.x - x);
      if (!nearest || distance < nearest.distance) nearest = { distance, bar: part.bar, slot: column.slot, string };
    }
  }
  return nearest && { bar: nearest.bar, slot: nearest.slot, string };
}
