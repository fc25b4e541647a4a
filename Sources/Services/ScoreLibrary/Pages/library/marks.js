// Rehearsal marks of a movement as a line of text: "A 17, B 33".

/** The line of some marks. */
export const marksLine = (marks = []) => marks.map(({ label, measure }) => `${label} ${measure}`).join(", ");

/** The marks of a line, as `[{ label, measure }]`; throws an Error with a sentence where one cannot be read. */
export function readMarks(line) {
  return line.split(/[,;]/).map((each) => each.trim()).filter(Boolean).map((each) => {
    const said = /^(.{1,32}?)\s*[ =:]\s*(-?\d{1,6})$/.exec(each);
    if (!said) throw new Error(`“${each}” is no rehearsal mark: write its letter and its measure, such as A 17.`);
    return { label: said[1].trim(), measure: Number(said[2]) };
  });
}

/**
 * Throws an Error with a sentence where marks cannot be: a measure that the movement does not have, or a label twice.
 * `measures` are the movement's first and last number; null if they are not known.
 */
export function checkMarks(marks, measures) {
  const seen = new Map();
  for (const { label, measure } of marks) {
    if (measure < 0) {
      throw new Error(`“${label} ${measure}” is before the music: write a measure from 0, an upbeat, on.`);
    }
    if (measures && (measure < measures[0] || measure > measures[1])) {
      throw new Error(`“${label} ${measure}” is outside the music, which has measures ${measures[0]} to ${
        measures[1]}: correct the measure.`);
    }
    // As stands look for them, capital letters are no others.
    const before = seen.get(label.toLowerCase());
    if (before !== undefined) {
      throw new Error(`“${label}” is marked twice, at measures ${before} and ${measure}: rename one of them.`);
    }
    seen.set(label.toLowerCase(), measure);
  }
}

/**
 * The first and last measure of a movement: of the piece that it is followed as, and of the parts that are marked to
 * their last page; null if neither tells.
 */
export function measuresOf(score, movement, piece) {
  const marked = score.parts.filter(({ pages, places }) => places.some(({ page }) => page === pages.length - 1))
    .flatMap(({ places }) => places.filter((place) => place.movement === movement && !place.steps))
    .flatMap(({ first, last }) => [first, last]);
  const known = [...(piece?.measures ?? []), ...marked];
  return known.length > 0 ? [Math.min(...known), Math.max(...known)] : null;
}
