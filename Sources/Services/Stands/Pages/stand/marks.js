// Rehearsal marks: letters and numbers from which players begin. The score brings them; where it has none for a
// movement, the sections of the reference stand in.

/** The marks of all movements as `[{ label, movement, bar }]`, in order; `references` may be null. */
export function marksOf(score, references = null) {
  return [...(score.movements ?? []).entries()].flatMap(([movement, { marks = [] }]) => {
    if (marks.length > 0) return marks.map(({ label, measure }) => ({ label, movement, bar: measure }));
    const { bars = [], sections = [] } = references?.of(movement) ?? {};
    return sections.map(({ label, bar }) => ({ label, movement, bar: bars[bar]?.[0] }))
      .filter(({ bar }) => bar !== undefined);
  });
}

/** A bar by the mark that it is at or behind: "C", "4 after C"; "" before the first mark. */
export function barByMark(marks, movement, bar) {
  const last = marks.filter((mark) => mark.movement === movement && mark.bar <= bar)
    .reduce((best, mark) => (best === null || mark.bar >= best.bar ? mark : best), null);
  if (!last) return "";
  return last.bar === bar ? last.label : `${bar - last.bar} after ${last.label}`;
}

/** @type {[RegExp, number][]} */
const counted = [
  [/^(\d{1,4})\s*(?:bars?\s+)?after\s+(.+)$/, 1], [/^(\d{1,4})\s*(?:bars?\s+)?before\s+(.+)$/, -1],
];

/**
 * The bar that a typed text means, as `{ movement, bar }`: a number, a mark, the beginning of its label, or bars from a
 * mark (`C+4`, `4 after C`, `2 before C`); null for any other text. Of equal labels the one in `movement` is meant.
 */
export function readPlace(text, movement, marks) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return null;
  if (/^\d{1,6}$/.test(wanted)) return { movement, bar: Number(wanted) };
  const near = [...marks].sort((one, other) => Number(other.movement === movement) - Number(one.movement === movement));
  const at = (label, offset = 0, isWhole = true) => {
    const found = near.find((mark) => mark.label.toLowerCase() === label)
      ?? (isWhole ? null : near.find((mark) => mark.label.toLowerCase().startsWith(label)));
    return found ? { movement: found.movement, bar: found.bar + offset } : null;
  };
  const exact = at(wanted);
  if (exact) return exact;
  for (const [form, sign] of counted) {
    const said = form.exec(wanted);
    if (said) return at(said[2], sign * Number(said[1]));
  }
  const added = /^(.+?)\s*([+-])\s*(\d{1,4})$/.exec(wanted);
  return (added && at(added[1], Number(`${added[2]}${added[3]}`))) ?? at(wanted, 0, false);
}

/** The labels of the marks that stand on each page of a part, as a Map from page to labels. */
export function marksByPage(marks, part, placeOf) {
  const found = new Map();
  for (const { label, movement, bar } of marks) {
    const page = placeOf(part, bar, movement)?.page;
    if (page !== undefined) found.set(page, [...(found.get(page) ?? []), label]);
  }
  return found;
}
