// The rows of a cue list: read from CSV, checked, and merged with what somebody else has saved meanwhile.
import { cueKinds, partMistake } from "./cuekinds.js";
import { readCsv, shield, unshield, writeCsv } from "./csv.js";

export const columns = ["piece", "place", "name", "kind", "auto", "earliness_ms", "notes", "target", "payload",
  "begin"];
export const kinds = Object.keys(cueKinds);
export const titles = { place: "Bar", name: "Name", kind: "Kind", auto: "Auto", earliness_ms: "ms early",
  notes: "Notes", begin: "In the first bars" };
/** What an automatic cue of the first bars waits for, and the words for it. */
export const beginnings = { certain: "when it is certain", person: "only after We begin" };

/**
 * The first mistake in the rows as a sentence, or null: only what the page can know; places are the server's to judge.
 * `isOurs(row)`: what it says is judged too; a row that was broken before does not keep the others from being saved.
 * @param {any[]} rows
 * @param {(row: any) => boolean} [isOurs]
 */
export function mistakeIn(rows, isOurs = () => true) {
  for (const [index, row] of rows.entries()) {
    const where = row.name.trim() ? `The cue “${row.name.trim()}”` : `Cue ${index + 1}`;
    if (row.place.trim() === "") {
      return `${where}: the bar is empty. Write a bar number, a rehearsal letter or p: and a played index.`;
    }
    if (row.name.trim() === "") return `${where}: the name is empty. Write what the cue does.`;
    if (!kinds.includes(row.kind)) return `${where}: kind “${row.kind}” is none of ${kinds.join(", ")}.`;
    if (!["yes", "no"].includes(row.auto)) return `${where}: auto is “${row.auto}”; write yes or no.`;
    if (!(row.begin in beginnings)) return `${where}: begin is “${row.begin}”; write certain or person.`;
    if (!/^\d{1,5}$/.test(row.earliness_ms) || Number(row.earliness_ms) > 60_000) {
      return `${where}: “${row.earliness_ms}” is no earliness. Write milliseconds from 0 to 60000.`;
    }
    if (row.kind === "slide" && Number(row.earliness_ms) > 0) return `${where}: a slide is never early. Write 0 ms.`;
    const mistake = isOurs(row) ? partMistake(row) : null;
    if (mistake) return `${where}: ${mistake}`;
  }
  return null;
}

const unsaid = { auto: "yes", earliness_ms: "0", begin: "certain" };
const spelled = { true: "yes", 1: "yes", on: "yes", "": "yes", false: "no", 0: "no", off: "no" };

/** Rows of a CSV text: columns in any order, at least place, name and kind. Throws with a sentence. */
export function rowsOf(text) {
  const [header, ...lines] = readCsv(text);
  const names = (header ?? []).map((name) => name.trim().toLowerCase());
  const missing = ["place", "name", "kind"].filter((name) => !names.includes(name));
  const unknown = names.filter((name, at) => !columns.includes(name) || names.indexOf(name) !== at);
  if (missing.length || unknown.length) throw new SyntaxError(`Line 1: the header must read “${columns.join(",")}”.`);
  return lines.map((line, index) => {
    if (line.length !== names.length) {
      throw new SyntaxError(`Row ${index + 2}: ${line.length} columns, ${names.length} wanted.`);
    }
    const row = Object.fromEntries(
      columns.map((name) => [name, unshield(line[names.indexOf(name)] ?? unsaid[name] ?? "")]));
    // “250,0” and “250.4” as spreadsheets write numbers; an empty cell is the usual value.
    row.earliness_ms = row.earliness_ms.trim() === "" ? unsaid.earliness_ms : row.earliness_ms.trim();
    if (/^\d+[.,]\d+$/.test(row.earliness_ms)) {
      row.earliness_ms = String(Math.round(Number(row.earliness_ms.replace(",", "."))));
    }
    row.begin = row.begin.trim().toLowerCase() || unsaid.begin;
    row.auto = spelled[row.auto.toLowerCase()] ?? row.auto.toLowerCase();
    return row;
  });
}

/** The rows as a CSV text, as `rowsOf` reads it. As the server's, it has the last column only if a row needs it. */
export function textOf(rows) {
  const written = rows.some(({ begin }) => begin !== unsaid.begin) ? columns : columns.slice(0, -1);
  return writeCsv([written, ...rows.map((row) => written.map((name) => shield(row[name])))]);
}

/** A sentence about a cue that two people have changed, with the names that its rows have in the table. */
export function describeConflict({ old, mine, theirs }) {
  const call = (row) => (row.name ? `“${row.name}”` : `the one at ${row.place}`);
  if (!theirs) return `They have removed ${call(old)}, which you have changed; yours is in the table again.`;
  return call(theirs) === call(mine)
    ? `Both of you have changed ${call(old)}; theirs is in the table, and yours below it.`
    : `Both of you have changed ${call(old)}: ${call(theirs)} is theirs, ${call(mine)} is yours; the table has both.`;
}

const says = (row) => JSON.stringify(columns.slice(1).map((name) => row[name]));

/** The row of `theirs` that `old` of `base` has become: changed there, and still with its name or at its place. */
function findChanged(old, base, theirs) {
  const before = new Set(base.map(says));
  const changed = theirs.filter((row) => !before.has(says(row)));
  return changed.find((row) => row.name === old.name) ?? changed.find((row) => row.place === old.place) ?? null;
}

/**
 * Makes the changes of `mine` in `theirs`; both come from the rows `base`. `origin(row)` is the row of `base` that a
 * row of `mine` was made from, or undefined. If both have changed a row, both rows are kept, one below the other.
 * Returns the merged rows, and for each such row `old`, `mine` and `theirs`, which is null if it was removed there.
 */
export function mergeRows(base, mine, theirs, origin) {
  const merged = theirs.map((row) => ({ ...row }));
  const find = (row) => merged.findIndex((other) => says(other) === says(row));
  const both = [];
  const kept = new Set(mine.map(origin));
  for (const row of base.filter((each) => !kept.has(each))) {
    const at = find(row);
    if (at >= 0) merged.splice(at, 1);
  }
  for (const row of mine) {
    const old = origin(row);
    if (old && says(old) === says(row)) continue;
    const at = old ? find(old) : -1;
    if (at >= 0) merged[at] = { ...row };
    else if (find(row) < 0) {
      // A row that both have changed stands below theirs.
      const above = old ? merged.findLastIndex((each) => each.place === old.place) : -1;
      merged.splice(above < 0 ? merged.length : above + 1, 0, { ...row });
      if (old) both.push({ old, mine: row, theirs: findChanged(old, base, theirs) });
    }
  }
  return { rows: merged, both };
}
