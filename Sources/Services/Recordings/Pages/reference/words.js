// The page's sentences about evenings and the work on them.
import { duration } from "/shared/numbers.js";

/** An evening as one line of the list. */
export function eveningLine({ title, startedAt, isRunning }) {
  const day = startedAt
    ? new Date(startedAt).toLocaleString("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit",
      minute: "2-digit" }) : null;
  return [title, day, isRunning ? "still running" : null].filter(Boolean).join(" · ");
}

/** Says which part of an evening will be used. */
export function eveningFacts({ seconds, isRunning }) {
  const sound = `${duration(seconds)} of sound.`;
  return isRunning ? `${sound} It is still being recorded; what there is so far is used.` : sound;
}

/** The number of references of a piece, and whether this evening is one of them. */
export function pieceFacts({ references }, evening) {
  if (references.includes(evening)) return "This evening is a reference of it already.";
  return references.length === 1 ? "1 reference" : `${references.length} references`;
}

/** The state of a job as a sentence. */
export function stateOf(job) {
  if (job.sentence) return job.sentence;
  switch (job.state) {
    case "waiting": return "It waits for the work before it.";
    case "running": return job.stage ? `${job.stage} …` : "It begins.";
    case "failed": return "Nothing was added.";
    default: return job.refusals.length > 0 ? "Some pieces were not added." : "Done.";
  }
}

export const barName = ({ printed, played }) => (printed === undefined || printed === null
  ? "the end" : `bar ${printed} (played ${played})`);

/** The number of doubtful bars of a result. */
export function doubtSentence({ measures, doubtful }) {
  if (doubtful.length === 0) return `${measures} bars, none doubtful.`;
  return `${measures} bars, ${doubtful.length} doubtful${doubtful.length > measures / 4 ? ": listen to them" : ""}.`;
}
