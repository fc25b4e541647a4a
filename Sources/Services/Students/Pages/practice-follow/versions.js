// Bars of two versions of a piece: which of them are the same.

/**
 * For each bar of the earlier version, the bar of the present one with the same notes, or undefined: the longest common
 * sequence of both, so that bars that were put in or taken out move the others and are not taken for changes.
 */
export function sameBars(earlier, present) {
  const [rows, columns] = [earlier.length, present.length];
  const best = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      best[row][column] = earlier[row] === present[column] ? best[row + 1][column + 1] + 1
        : Math.max(best[row + 1][column], best[row][column + 1]);
    }
  }
  const same = new Map();
  for (let [row, column] = [0, 0]; row < rows && column < columns;) {
    if (earlier[row] === present[column]) {
      same.set(row, column);
      row += 1;
      column += 1;
    } else if (best[row + 1][column] >= best[row][column + 1]) row += 1;
    else column += 1;
  }
  return same;
}

/**
 * An earlier report with the bars of the present version: `{ report, changed }`. Bars whose notes were changed since
 * have no tempo there, because it is that of other notes; `changed` counts them. Without notes all bars stay.
 */
export function inPresentBars(report, present) {
  const unchanged = report.barKeys.join() === present.barKeys.join();
  if (unchanged || report.barKeys.length === 0 || present.barKeys.length === 0) return { report, changed: 0 };
  const same = sameBars(report.barKeys, present.barKeys);
  const moved = (bar) => {
    const played = same.get(bar.played);
    return played === undefined ? { ...bar, tempo: undefined } : { ...bar, played };
  };
  const passages = report.passages.map((passage) => ({ ...passage, bars: passage.bars.map(moved) }));
  const changed = report.passages.flatMap(({ bars }) => bars).filter(({ played }) => !same.has(played)).length;
  return { report: { ...report, passages }, changed };
}
