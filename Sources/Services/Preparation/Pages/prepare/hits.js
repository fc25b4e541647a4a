// Bars by time: which one sounds, which is near a finger, which are on the screen. Bars are in order of time.

/** The index of the first bar at or after a time; the number of bars if there is none. */
export function firstAt(bars, seconds) {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars[middle].seconds < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the bar that sounds at a time; -1 before the first. */
export const barAt = (bars, seconds) => firstAt(bars, seconds + 1e-6) - 1;

/** The index of the bar whose line is nearest to a time, at most `reach` seconds away; -1 if none is. */
export function nearestBar(bars, seconds, reach) {
  const after = firstAt(bars, seconds);
  const away = (index) => (bars[index] ? Math.abs(bars[index].seconds - seconds) : Infinity);
  const nearest = away(after) < away(after - 1) ? after : after - 1;
  return away(nearest) <= reach ? nearest : -1;
}

/** The end of a bar, in seconds: the next bar's beginning; for the last bar the end of the piece or, if that is not
    known, as long after its beginning as the bar before it lasts. */
export function barEnd(bars, index, end, length) {
  if (bars[index + 1]) return bars[index + 1].seconds;
  const before = index > 0 ? bars[index].seconds - bars[index - 1].seconds : 2;
  return Math.max(end ?? Math.min(bars[index].seconds + before, length), bars[index].seconds);
}

/** The step, in bars, between two printed numbers so that each has `room` pixels, for bars of these seconds. */
export function labelStep(bars, secondsPerPixel, room) {
  if (bars.length < 2) return 1;
  const each = (bars.at(-1).seconds - bars[0].seconds) / (bars.length - 1) / secondsPerPixel;
  return [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * each >= room) ?? 1000;
}
