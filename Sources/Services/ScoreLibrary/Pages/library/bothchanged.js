// The cover of a score that two librarians changed at once: which fields, and the choice between both.
import { make } from "/shared/dom.js";
import { marksLine } from "./marks.js";

export const wordFields = ["title", "composer", "lyricist", "arranger"];

/** What a movement says, to be compared with that of another score. */
const movementSays = ({ name, piece, isAttacca, marks }) => [name, piece ?? null, isAttacca, marksLine(marks)];

const says = (score, field) =>
  JSON.stringify(field === "movements" ? score.movements.map(movementSays) : score[field] ?? "");

/**
 * Compares what this page changed since `base` with what somebody else did. Gives the fields that only they changed,
 * `alone`, and those that both changed to different things, `both`.
 */
export function changedMeanwhile(base, mine, theirs) {
  const changed = [...wordFields, "movements"].filter((field) => says(base, field) !== says(theirs, field));
  const isOfBoth = (field) => says(base, field) !== says(mine, field) && says(mine, field) !== says(theirs, field);
  return { alone: changed.filter((field) => !isOfBoth(field)), both: changed.filter(isOfBoth) };
}

/** “Movement 2: Trio, followed as “Minuet in G”, attacca, A 17” */
function movementWords(movement, index, pieces) {
  const { name, piece, isAttacca, marks } = movement;
  const followed = pieces.find((each) => each.piece === piece)?.name ?? piece;
  return `Movement ${index + 1}: ${[name || "without a name", piece ? `followed as “${followed}”` : "",
    isAttacca ? "attacca" : "", marksLine(marks)].filter(Boolean).join(", ")}`;
}

/** What somebody else made of a field, as a sentence. */
function sentence(field, theirs, pieces) {
  if (field === "movements") {
    const named = theirs.movements.map((movement, index) => movementWords(movement, index, pieces));
    return `Somebody else has changed the movements: ${named.join("; ")}.`;
  }
  return theirs[field] ? `Somebody else has changed the ${field} to “${theirs[field]}”.`
    : `Somebody else has removed the ${field}.`;
}

/** “title, composer and movements” */
export const named = (fields) => fields.join(", ").replace(/, ([^,]*)$/, " and $1");

/** Fills `box` with a line for each field that both changed; `take(field)` puts theirs into the form. */
export function offerTheirs(box, fields, { theirs, pieces, take, chosen }) {
  const line = (field) => {
    const choose = (act) => () => {
      row.remove();
      act();
      if (box.childElementCount === 0) chosen();
      else box.querySelector("button").focus();
    };
    const button = (text, act) => make("button", { type: "button", "aria-label": `${text}: ${field}`,
      onclick: choose(act) }, text);
    const row = make("li", {}, make("p", { text: sentence(field, theirs, pieces) }),
      make("div", { class: "row" }, button("Keep mine", () => {}), button("Take theirs", () => take(field))));
    return row;
  };
  box.replaceChildren(...fields.map(line));
  box.querySelector("button")?.focus({ preventScroll: true });
  box.scrollIntoView({ block: "center" });
}
