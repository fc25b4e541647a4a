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
export function barLine({ printed, seconds, tempo, lateness, verdict, reason }) {
  const parts = [`Bar ${printed} at ${duration(seconds)}`];
  if (tempo !== undefined) parts.push(`tempo ${percent(tempo)}`);
  if (verdict === "late") parts.push(`${Math.round(1000 * lateness)} ms late`);
  if (verdict === "early") parts.push(`${Math.round(-1000 * lateness)} ms early`);
  if (verdict === "unknown") parts.push(`cannot be judged: ${reason}`);
  return parts.join(", ");
}

const noteWords = {
  late: ({ note, lateness }) => `${note} comes ${Math.round(1000 * lateness)} ms late`,
  early: ({ note, lateness }) => `${note} comes ${Math.round(-1000 * lateness)} ms early`,
  wrong: ({ note, instead }) => `${instead} instead of ${note}`,
  missing: ({ note }) => `${note} is missing`,
  extra: ({ note }) => `${note} is not in the score`,
};

/** A note that may be a mistake, as a line. */
export const noteLine = (finding) =>
  `Bar ${finding.printed} at ${duration(finding.seconds)}: ${noteWords[finding.verdict]?.(finding) ?? finding.note}`;

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
