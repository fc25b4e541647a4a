// The words of a report on a take.
import { duration } from "/shared/numbers.js";

const percent = (share) => `${Math.round(100 * share)} %`;

/** A take as a line of the list. */
export function takeLine({ startedAt, seconds, trouble }) {
  const moment = new Date(startedAt).toLocaleString("en-GB", { day: "numeric", month: "long", hour: "2-digit",
    minute: "2-digit" });
  return [moment, duration(seconds), trouble ? "ended early" : null].filter(Boolean).join(" · ");
}

/** A sentence about the browser's processing and lost sound, if they matter; empty otherwise. */
export function processingWords({ processing, lostSeconds }) {
  const on = Object.values(processing).filter((word) => word === "on").length;
  const parts = [];
  if (lostSeconds >= 0.05) parts.push(`${lostSeconds.toFixed(1)} s of sound did not arrive.`);
  if (on > 0) parts.push("The browser bent the sound, so the report is less certain.");
  return parts.join(" ");
}

/** A sentence if the take sounds higher or lower than the piece; empty otherwise. */
export function keyWords({ semitonesHigher }) {
  if (!semitonesHigher) return "";
  const count = Math.abs(semitonesHigher);
  return `You sound ${count === 1 ? "a semitone" : `${count} semitones`} ${semitonesHigher > 0 ? "higher" : "lower"}: `
    + "capo or tuning? The notes are judged as if you were tuned like the piece.";
}

/** A passage as a line. */
export function passageLine({ bars, tempo }) {
  const [first, last] = [bars[0].printed, bars.at(-1).printed];
  const where = bars.length === 1 ? `Bar ${first}` : `Bars ${first} to ${last}`;
  const late = bars.filter(({ verdict }) => verdict === "late").length;
  const early = bars.filter(({ verdict }) => verdict === "early").length;
  const unknown = bars.filter(({ verdict }) => verdict === "unknown").length;
  return [where, tempo === undefined ? null : `${percent(tempo)} of the tempo`, late > 0 ? `${late} late` : null,
    early > 0 ? `${early} early` : null, unknown > 0 ? `${unknown} not judged` : null].filter(Boolean).join(", ");
}

/** A bar as a line: what is known, and why the rest is not. */
export function barLine({ printed, seconds, tempo, lateness, verdict, reason, playedFrom, playedTo }) {
  const parts = [`Bar ${printed} at ${duration(seconds)}`];
  if (tempo !== undefined) parts.push(`tempo ${percent(tempo)}`);
  if (verdict === "late") parts.push(`${Math.round(1000 * lateness)} ms late`);
  if (verdict === "early") parts.push(`${Math.round(-1000 * lateness)} ms early`);
  if (verdict === "unknown") parts.push(`cannot be judged: ${reason}`);
  if (playedFrom !== undefined) parts.push("you began within it");
  if (playedTo !== undefined) parts.push("you stopped within it");
  return parts.join(", ");
}

/** The bars that the take does not have, as sentences; empty if it has all of them. */
export function unplayedWords({ unplayed, unplayedNotes }) {
  const missing = barsOf(unplayed.filter(({ isRepeat }) => !isRepeat));
  const repeats = barsOf(unplayed.filter(({ isRepeat }) => isRepeat));
  const parts = [];
  if (missing.length > 0) parts.push(`Not played: ${rangeWords(missing)}.`);
  if (repeats.length > 0) parts.push(`Not repeated: ${rangeWords(repeats)}.`);
  if (unplayedNotes > 0) {
    parts.push(`${unplayedNotes === 1 ? "One note" : `${unplayedNotes} notes`} of a bar that you played in part.`);
  }
  return parts.length > 0 ? [...parts, "This does not count."].join(" ") : "";
}

/** The printed numbers of ranges, each once, rising. */
function barsOf(ranges) {
  const bars = ranges.flatMap(({ printedFirst, printedLast }) =>
    Array.from({ length: printedLast - printedFirst + 1 }, (_, index) => printedFirst + index));
  return [...new Set(bars)].sort((one, other) => one - other);
}

/** Rising numbers of bars as words. */
export function rangeWords(bars) {
  const runs = [];
  for (const bar of bars) {
    if (runs.at(-1)?.[1] === bar - 1) runs.at(-1)[1] = bar;
    else runs.push([bar, bar]);
  }
  const words = runs.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const list = words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  return `${bars.length === 1 ? "bar" : "bars"} ${list}`;
}

const noteWords = {
  late: ({ note, lateness }) => `${note} comes ${Math.round(1000 * lateness)} ms late`,
  early: ({ note, lateness }) => `${note} comes ${Math.round(-1000 * lateness)} ms early`,
  wrong: ({ note, instead }) => `${instead} instead of ${note}`,
  missing: ({ note }) => `${note} is missing`,
  extra: ({ note }) => `${note} is not in the score`,
};

/** A note that may be a mistake, as a line; `place` are its string and fret. */
export const noteLine = (finding, place = "") => [`Bar ${finding.printed} at ${duration(finding.seconds)}: `
  + `${noteWords[finding.verdict]?.(finding) ?? finding.note}`, place].filter(Boolean).join(", ");

/** The number of right notes, and the number of notes that could not be judged, with the reasons. */
export function notesSummary({ notesRefusal, rightNotes, notes, unknownNotes }) {
  if (notesRefusal) return notesRefusal;
  const unknown = Object.entries(unknownNotes).sort(([, one], [, other]) => other - one);
  const count = unknown.reduce((sum, [, each]) => sum + each, 0);
  const reasons = unknown.map(([reason, each]) => `${reason}: ${each}`).join(", ");
  const mistakes = notes.length === 0 ? "No mistake was found." : notes.length === 1 ? "One note may be a mistake."
    : `${notes.length} notes may be mistakes.`;
  return [`${rightNotes} notes were right.`, mistakes,
    count > 0 ? `${count} cannot be judged (${reasons}).` : null].filter(Boolean).join(" ");
}
