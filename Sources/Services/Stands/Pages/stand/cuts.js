// Finds the places where a page can be cut between two systems. It computes as HalfPageCut.swift does.

/** Systems from the boxes of measures: `[{ top, bottom }]` from top to bottom, in shares of the page. */
export function systemsOf(boxes) {
  const systems = [];
  for (const [, top, , bottom] of boxes.toSorted((a, b) => a[1] - b[1] || a[3] - b[3])) {
    const last = systems.at(-1);
    const shared = last ? Math.min(last.bottom, bottom) - Math.max(last.top, top) : -1;
    if (last && shared > 0.5 * Math.min(last.bottom - last.top, bottom - top)) {
      last.bottom = Math.max(last.bottom, bottom);
    } else systems.push({ top, bottom });
  }
  return systems;
}

/** The heights between systems; the first is the one to cut at: nearest to the middle of the music. */
export function cutsBetween(systems) {
  if (systems.length < 2) return [];
  const middle = (systems[0].top + systems.at(-1).bottom) / 2;
  return systems.slice(1).map((system, at) => (systems[at].bottom + system.top) / 2)
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

const leastGap = 0.008; // of the page's height
const dark = 150; // of 255
const dirt = 1; // dark pixels of a row that may be a speck

/** The white gaps of a picture, where a system's bar lines and braces let no row be white: `{ cuts, end }`, their
    heights with the best first, and where the ink ends. `rows` holds the number of dark pixels of each row. */
export function cutsInRows(rows) {
  const isInk = rows.map((count) => count > dirt);
  const [first, last] = [isInk.indexOf(true), isInk.lastIndexOf(true)];
  if (first < 0) return { cuts: [], end: 0 };
  const gaps = [];
  for (let row = first; row <= last; row += 1) {
    if (isInk[row]) continue;
    let end = row;
    while (!isInk[end + 1]) end += 1;
    gaps.push({ at: (row + end + 1) / 2 / rows.length, size: (end - row + 1) / rows.length });
    row = end;
  }
  const largest = Math.max(...gaps.map(({ size }) => size), 0);
  const middle = (first + last) / 2 / rows.length;
  const cuts = gaps.filter(({ size }) => size >= Math.max(leastGap, 0.4 * largest))
    .sort((a, b) => Math.abs(a.at - middle) - Math.abs(b.at - middle)).map(({ at }) => at);
  return { cuts, end: (last + 1) / rows.length };
}

/** The number of dark pixels in each row of a canvas. */
export function rowsOf(canvas, count = 500) {
  const small = document.createElement("canvas");
  Object.assign(small, { width: 600, height: count });
  const brush = small.getContext("2d", { willReadFrequently: true });
  brush.drawImage(canvas, 0, 0, small.width, count);
  const { data } = brush.getImageData(0, 0, small.width, count);
  const rows = new Array(count).fill(0);
  for (let at = 0; at < data.length; at += 4) {
    const row = Math.floor(at / 4 / small.width);
    if (Math.min(data[at], data[at + 1], data[at + 2]) < dark) rows[row] += 1;
  }
  return rows;
}

/** The cut of two pages that share the stage: the lower page begins at `cut`, the upper one ends at `end`, at or above
    it. `lower` and `upper` are possible heights on the stage, the best first; the parameter `end` is the end of the
    upper page's music. Null if every cut would go through a system. */
export function cutOf(lower, upper, end = Infinity) {
  if (lower.length === 0) return null;
  const [cut] = lower;
  if (end <= cut) return { cut, end: cut };
  const above = upper.filter((height) => height <= cut + 1);
  return above.length === 0 ? null : { cut, end: Math.max(...above) };
}
