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
