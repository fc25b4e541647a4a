// The page's sentences about a recording.
import { duration } from "/shared/numbers.js";

/** Bytes as “12.3 MB”, or as “40 KB” where there are few. */
export const megabytes = (bytes) =>
  (bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`);

const day = (date) =>
  date.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const hour = (date) => date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The day, length and size of a recording. */
export function facts(recording) {
  const first = recording.parts[0];
  return [first ? day(new Date(first.startedAt)) : null, duration(recording.seconds), megabytes(recording.bytes),
    recording.isRunning ? "still running" : null].filter(Boolean).join(" · ");
}

/** A part's number if there are several, its time and its length. */
export function partFacts(part, count) {
  const from = hour(new Date(part.startedAt));
  const words = [count > 1 ? `Part ${part.number}` : null, part.endedAt ? `${from}–${hour(new Date(part.endedAt))}`
    : `from ${from}`, duration(part.seconds), `${part.sampleRate / 1000} kHz ${part.channels === 1 ? "mono"
    : `${part.channels} channels`}`];
  return words.filter(Boolean).join(" · ");
}

/** Sentences about what is missing in a part, or before it. */
export function warnings(part) {
  const seconds = (value) => (value < 60 ? `${value.toFixed(1)} s`
    : value < 3600 ? `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`
      : `${(value / 3600).toFixed(1)} hours`);
  return [
    part.isDeleted ? "This part was deleted because its time was over." : null,
    part.gapSeconds ? `${seconds(part.gapSeconds)} are missing before this part.` : null,
    part.isInterrupted ? "It was interrupted: at most its last second is missing." : null,
    part.lostSeconds > 0 ? `${seconds(part.lostSeconds)} are silent, because the disk was too slow.` : null,
  ].filter(Boolean);
}

/** Says how long recordings are kept, and for how many hours there is space. */
export function keeping({ keptDays, hoursOfSpace, state }) {
  const kept = keptDays ? `Recordings are deleted after ${keptDays} ${keptDays === 1 ? "day" : "days"}.`
    : "Recordings are kept until somebody deletes them.";
  const hours = Math.floor(hoursOfSpace ?? 0);
  const space = state === "off" || !Number.isFinite(hoursOfSpace) ? ""
    : hours > 100 ? " There is space for more than 100 hours."
      : ` There is space for ${hours >= 2 ? hours : hoursOfSpace.toFixed(1)} hours.`;
  return kept + space;
}
