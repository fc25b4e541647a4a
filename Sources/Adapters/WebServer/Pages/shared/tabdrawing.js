// Draws one line of tablature as SVG: strings, bars, frets, lengths below, signs above.
import { draw } from "/shared/dom.js";
import { isRest, quarters } from "/shared/tabmodel.js";
import { Notation } from "/shared/tabnotation.js";
import { noteMarks, beatMarks } from "/shared/tabmarks.js";
import { restSign } from "/shared/tabsigns.js";

/** The SVG of a line of a layout. */
export function drawLine(tab, track, { measures, meters, width }, line) {
  const strings = Math.max(1, tab.tracks[track].strings.length);
  const svg = draw("svg", {
    class: "tab-line", width: Math.ceil(width), height: Math.ceil(measures.whole), "aria-hidden": "true",
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(measures.whole)}`,
  });
  const { top, gap, height, left, font, zoom } = measures;
  for (let string = 0; string < strings; string += 1) {
    svg.append(draw("line", {
      class: "string", x1: left, x2: left + line.width, y1: top + string * gap, y2: top + string * gap,
    }));
  }
  "TAB".split("").forEach((letter, index) => svg.append(draw("text", {
    class: "clef", x: left - 14 * zoom, y: top + height / 2 + (index - 1) * 13 * zoom + 4 * zoom,
    "font-size": 12 * zoom, text: letter,
  })));
  if (line.isFirst) {
    svg.append(draw("text", { class: "stave-number", x: 2, y: top - 14 * zoom, "font-size": 10 * zoom,
      text: `${line.stave + 1}` }));
  }
  if (line.index === 0) {
    svg.append(draw("text", { class: "tuning", x: left + 44 * zoom, y: 10 * zoom, "font-size": 10 * zoom,
      text: tuningWords(tab.tracks[track]) }));
  }
  drawNotation(svg, tab.tracks[track], measures, meters, line);
  for (const part of line.bars) {
    drawBarLines(svg, tab, meters, part, measures);
    for (const column of part.columns) {
      for (const { beat, voice } of column.beats) {
        drawBeat(svg, tab.tracks[track], column, beat, voice, { top, gap, height, font, zoom, strings });
      }
      if (column.beats.length === 0) {
        svg.append(draw("rect", {
          class: "free", x: column.x - 3 * zoom, y: top + height / 2 - 1.5 * zoom, width: 6 * zoom, height: 3 * zoom,
        }));
      }
    }
    drawStems(svg, part, measures);
  }
  return svg;
}

const letters = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];

/** Capo and strings of a track, the lowest string first: "Capo 2 · E A D G B E". */
const tuningWords = ({ strings, capo = 0, percussion }) => (percussion ? "" : [capo > 0 ? `Capo ${capo}` : "",
  strings.map((pitch) => letters[pitch % 12]).reverse().join(" ")].filter(Boolean).join(" · "));

/** The notes above the tab, if they are wanted. */
function drawNotation(svg, track, { notation, zoom, left }, meters, line) {
  if (notation === 0 || track.percussion || line.bars.length === 0) return;
  const notes = new Notation(svg, track, zoom, 42 * zoom);
  notes.begin(left, line.width, meters[line.bars[0].bar].key);
  for (const part of line.bars) {
    if (part.isBegin) notes.barLine(part.x);
    if (part.isEnd) notes.barLine(part.x + part.width);
    notes.bar(part.columns, meters[part.bar].key);
  }
}

function drawBarLines(svg, tab, meters, part, { top, height, zoom, gap }) {
  const bar = tab.bars[part.bar];
  const thin = (x) => svg.append(draw("line", { class: "bar-line", x1: x, x2: x, y1: top, y2: top + height }));
  const thick = (x) => svg.append(draw("rect", { class: "thick", x, y: top, width: 4 * zoom, height }));
  const dots = (x) => [-1, 1].forEach((side) => svg.append(draw("circle", {
    class: "dot", cx: x, cy: top + height / 2 + side * gap, r: 2.4 * zoom,
  })));
  if (part.isBegin) {
    svg.append(draw("text", { class: "bar-number", x: part.x, y: top - 6 * zoom, "font-size": 10 * zoom,
      text: `${part.bar + 1}` }));
    if (bar.repeatStart) {
      thick(part.x);
      thin(part.x + 7 * zoom);
      dots(part.x + 12 * zoom);
    } else {
      thin(part.x);
    }
    if (meters[part.bar].isNew && !bar.freeTime) {
      const x = part.x + part.lead + (bar.repeatStart ? 30 : 18) * zoom;
      meters[part.bar].time.forEach((figure, index) => svg.append(draw("text", {
        class: "meter", x, y: top + height / 2 + (index === 0 ? -3 : 17) * zoom, "font-size": 20 * zoom, text: figure,
      })));
    }
    if (bar.section) {
      svg.append(draw("text", { class: "section", x: part.x + 16 * zoom, y: top - 18 * zoom, "font-size": 12 * zoom,
        text: bar.section }));
    }
    if (bar.endings) {
      svg.append(draw("path", { class: "ending",
        d: `M${part.x + 2} ${top - 4 * zoom}v${-18 * zoom}h${part.width - 6}` }));
      svg.append(draw("text", { class: "section", x: part.x + 6 * zoom, y: top - 10 * zoom, "font-size": 10 * zoom,
        text: `${bar.endings.join(", ")}.` }));
    }
  }
  if (part.isEnd) {
    const x = part.x + part.width;
    if (bar.repeats !== undefined) {
      dots(x - 12 * zoom);
      thin(x - 7 * zoom);
      thick(x - 4 * zoom);
      svg.append(draw("text", { class: "repeats", x, y: top - 6 * zoom, "font-size": 11 * zoom,
        text: `${bar.repeats}×` }));
    } else if (part.bar === tab.bars.length - 1) {
      thin(x - 7 * zoom);
      thick(x - 4 * zoom);
    } else {
      thin(x);
    }
  }
}

function drawBeat(svg, track, column, beat, voice, { top, gap, height, font, zoom, strings }) {
  const small = beat.grace ? 0.75 : 1;
  const kind = voice > 0 ? "fret second" : "fret";
  if (isRest(beat)) {
    if (!beat.invisible && voice === 0) svg.append(restSign(beat, column.x, top + height / 2, zoom));
    return;
  }
  for (const note of beat.notes) {
    const string = note.string ?? Math.min(strings, 2);
    const y = top + (string - 1) * gap;
    const plain = note.techniques?.dead ? "x" : String(note.fret ?? note.pitch);
    const text = note.tie ? `(${plain})` : note.techniques?.ghost ? `(${plain})`
      : note.techniques?.harmonic ? `‹${plain}›` : plain;
    const wide = (text.length * 0.62 + 0.3) * font * small;
    svg.append(
      draw("rect", { class: "fret-ground", x: column.x - wide / 2, y: y - font * 0.55, width: wide,
        height: font * 1.1 }),
      draw("text", { class: kind, x: column.x, y: y + font * 0.36, "font-size": font * small, text }));
    noteMarks(svg, note, { x: column.x, y, width: column.width, nextX: column.next, top, zoom, wide });
  }
  beatMarks(svg, beat, { x: column.x, top, height, zoom });
}

/** Stems, flags and beams below the strings, for the first voice. Short notes within a quarter share a beam. */
function drawStems(svg, part, { top, height, zoom }) {
  const [begin, end] = [top + height + 10 * zoom, top + height + 30 * zoom];
  const flagged = [];
  for (const column of part.columns) {
    const found = column.beats.find(({ voice }) => voice === 0);
    if (!found || found.beat.grace || isRest(found.beat)) {
      flagged.push(null);
      continue;
    }
    const { beat } = found;
    const [over, under] = (beat.value ?? "1/4").split("/").map(Number);
    const part4 = under / over;
    if (part4 >= 2) {
      svg.append(draw("line", { class: "stem", x1: column.x, x2: column.x, y1: part4 === 2 ? begin + 9 * zoom : begin,
        y2: end }));
    }
    for (let dot = 0; dot < (beat.dots ?? 0); dot += 1) {
      svg.append(draw("circle", { class: "dot", cx: column.x + (5 + 4 * dot) * zoom, cy: end - 3 * zoom,
        r: 1.7 * zoom }));
    }
    if (beat.tuplet) {
      svg.append(draw("text", { class: "tuplet", x: column.x, y: end + 12 * zoom, "font-size": 9 * zoom,
        text: beat.tuplet[0] }));
    }
    flagged.push(part4 >= 8 ? { column, count: Math.round(Math.log2(part4)) - 2, quarter: Math.floor(column.at + 1e-6),
      length: quarters(beat) } : null);
  }
  flagged.forEach((each, index) => {
    if (!each) return;
    const next = flagged[index + 1];
    const before = flagged[index - 1];
    const joins = (other) => Boolean(other) && other.quarter === each.quarter;
    for (let level = 0; level < each.count; level += 1) {
      const y = end - level * 5 * zoom;
      const beam = (x1, x2) => svg.append(draw("rect", { class: "beam", x: Math.min(x1, x2), y: y - 3 * zoom,
        width: Math.abs(x2 - x1), height: 3 * zoom }));
      if (joins(next) && next.count > level) beam(each.column.x, next.column.x);
      else if (joins(before) && before.count > level) continue;
      else if (joins(next)) beam(each.column.x, each.column.x + 7 * zoom);
      else if (joins(before)) beam(each.column.x, each.column.x - 7 * zoom);
      else {
        svg.append(draw("path", { class: "flag",
          d: `M${each.column.x} ${y}q${8 * zoom} ${-3 * zoom} ${6 * zoom} ${-11 * zoom}` }));
      }
    }
  });
}
