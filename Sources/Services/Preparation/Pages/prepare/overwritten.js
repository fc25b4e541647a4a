// What others changed after a step that is taken back: it stays as they left it.
import { rounded } from "./edits.js";

/**
 * Splits the edits that take a step back: `{ edits, sentences }` without those whose bar, name or end is no longer what
 * `step` (the edits of the step) had made of it. `nameOf(bar)` names a bar within a sentence.
 */
export function withoutOverwritten(inverse, step, draft, nameOf) {
  const sentences = [];
  const edits = inverse.filter((edit) => {
    const [kind, value] = Object.entries(edit)[0];
    const made = step.findLast((each) => each[kind] && each[kind].bar === value.bar)?.[kind];
    const bar = draft.bars.find(({ id }) => id === value.bar);
    const sentence = made ? changed[kind]?.(made, draft, bar, nameOf) : null;
    if (sentence) sentences.push(sentence);
    return !sentence;
  });
  return { edits, sentences };
}

// Each gives a sentence if the present value is another than the one that was made.
const changed = {
  move: ({ seconds }, _, bar, nameOf) => bar && bar.seconds !== rounded(seconds)
    && `Somebody moved ${nameOf(bar)} since; it stays there.`,
  number: ({ number }, _, bar, nameOf) => bar && bar.printed !== number
    && `Somebody numbered ${nameOf(bar)} anew since; it stays so.`,
  name: ({ name }, draft) => draft.name !== name && "Somebody renamed the piece since; its name stays.",
  end: ({ seconds = null }, draft) => (draft.end ?? null) !== (seconds === null ? null : rounded(seconds))
    && "Somebody moved the end of the piece since; it stays there.",
};
