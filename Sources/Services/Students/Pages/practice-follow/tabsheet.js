// The tablature of a tab that is practised, with string and fret: the bar that is played, and notes that were wrong.
import { ask } from "/shared/api.js";
import { draw, make } from "/shared/dom.js";
import { drawLine } from "/shared/tabdrawing.js";
import { layout } from "/shared/tablayout.js";
import { completed, meters, pitch, quarters } from "/shared/tabmodel.js";

const zoom = 0.9;
const near = 0.06; // parts of a bar between a note as the report and as the tab has it
let known = null; // the tab that was asked for last: `{ id, tab }`

/** The tab of an id as it is now; null if it is not there, or not readable. */
export async function readTab(id) {
  if (!id) return null;
  if (known?.id === id) return known.tab;
  try {
    const { tab } = await ask(`/api/practice/tabs/${encodeURIComponent(id)}`, { patience: 8000 });
    known = { id, tab: completed(tab) };
    return known.tab;
  } catch {
    return null; // Without the tab, the page shows what it showed before.
  }
}

/** The track that is drawn: the first one with strings. */
const trackOf = (tab) => Math.max(0, tab.tracks.findIndex(({ strings, percussion }) =>
  strings?.length > 0 && !percussion));

/** The lines of a tab as one element; `bars` are the bars (counted from 0) that are wanted, all if it is null. */
export function drawTab(tab, width, bars = null) {
  const track = trackOf(tab);
  const sheet = layout(tab, track, width, zoom);
  const lines = sheet.lines.filter((line) => !bars || line.bars.some(({ bar }) => bars.has(bar)));
  const element = make("div", { class: "tab-sheet" });
  const drawn = lines.map((line) => {
    const svg = drawLine(tab, track, sheet, line);
    element.append(make("div", { class: "line" }, svg));
    return { line, svg };
  });
  return { element, drawn, sheet, track };
}

/** Marks the bar that is played, and brings its line into view. */
export function markBar({ drawn, sheet, element }, bar) {
  element.querySelectorAll(".here-bar").forEach((each) => each.remove());
  let first = null;
  for (const { line, svg } of drawn) {
    for (const part of line.bars.filter((each) => each.bar === bar)) {
      const { top, height } = sheet.measures;
      svg.prepend(draw("rect", { class: "here-bar", x: part.x, y: top - 8, width: part.width, height: height + 16 }));
      first ??= svg;
    }
  }
  // Only the tab scrolls, and not the page with the number of the bar.
  const [line, box] = [first?.parentNode, element.parentNode];
  if (!line || !box) return;
  const isSeen = line.offsetTop >= box.scrollTop
    && line.offsetTop + line.offsetHeight <= box.scrollTop + box.clientHeight;
  if (!isSeen) box.scrollTop = line.offsetTop;
}

/** The notes of a bar that a finding of the report means: `{ column, note }`. */
function notesOf(tab, { track, drawn }, finding) {
  const bar = finding.printed - 1;
  const whole = meters(tab)[bar]?.quarters ?? 4;
  const found = [];
  for (const { line, svg } of drawn) {
    for (const part of line.bars.filter((each) => each.bar === bar)) {
      for (const column of part.columns) {
        if (finding.share === undefined || Math.abs(column.at / whole - finding.share) > near) continue;
        for (const { beat } of column.beats) {
          for (const note of beat.notes ?? []) {
            const isIt = quarters(beat) > 0 && pitch(note, tab.tracks[track]) === finding.pitch;
            if (isIt) found.push({ svg, column, note });
          }
        }
      }
    }
  }
  return found;
}

const words = { wrong: "wrong", missing: "missing", late: "late", early: "early" };

/** Draws the lines of the tab that have findings, and marks these notes; null if none of them is found in the tab. */
export function markedTab(tab, width, findings) {
  const bars = new Set(findings.map(({ printed }) => printed - 1));
  const view = drawTab(tab, width, bars);
  const { top, gap } = view.sheet.measures;
  let count = 0;
  for (const finding of findings) {
    for (const { svg, column, note } of notesOf(tab, view, finding)) {
      const y = top + ((note.string ?? 1) - 1) * gap;
      const mark = draw("circle", { class: `note-mark ${finding.verdict}`, cx: column.x, cy: y, r: gap * 0.62 });
      mark.append(draw("title", { text: words[finding.verdict] ?? finding.verdict }));
      svg.append(mark);
      count += 1;
    }
  }
  if (count === 0) return null;
  view.element.setAttribute("role", "img");
  view.element.setAttribute("aria-label", `The tab with ${count === 1 ? "one marked note" : `${count} marked notes`}`);
  return view.element;
}

/** The place of a finding on the strings: "string 3, fret 2"; empty if the tab does not have it. */
export function fretWords(tab, finding) {
  const found = notesOf(tab, drawTab(tab, 600, new Set([finding.printed - 1])), finding)[0]?.note;
  return found?.string && found.fret !== undefined ? `string ${found.string}, fret ${found.fret}` : "";
}
