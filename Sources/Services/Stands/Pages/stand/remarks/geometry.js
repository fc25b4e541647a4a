// Points, courses and distances. A page is 10,000 wide and 10,000 · ratio high here: a unit is as long across as down.

/** Ten-thousandths: a page's whole width, or its whole height. */
export const whole = 10_000;
export const mostPoints = 2_000;

export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

/** The square of the distance of a point from the line between two others. */
export function squaredDistance(x, y, ax, ay, bx, by) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : clamp(((x - ax) * dx + (y - ay) * dy) / length, 0, 1);
  const [ex, ey] = [x - ax - share * dx, y - ay - share * dy];
  return ex * ex + ey * ey;
}

/** Douglas and Peucker: the points that matter, none further than `tolerance` from the course. x and y in turn. */
function thinned(points, tolerance) {
  const last = points.length / 2 - 1;
  if (last < 2) return points.slice();
  const kept = new Uint8Array(last + 1);
  kept[0] = kept[last] = 1;
  const spans = [[0, last]];
  const limit = tolerance * tolerance;
  while (spans.length > 0) {
    const [from, to] = spans.pop();
    let [furthest, most] = [-1, limit];
    for (let at = from + 1; at < to; at += 1) {
      const distance = squaredDistance(
        points[2 * at], points[2 * at + 1], points[2 * from], points[2 * from + 1], points[2 * to], points[2 * to + 1]);
      if (distance > most) [furthest, most] = [at, distance];
    }
    if (furthest < 0) continue;
    kept[furthest] = 1;
    spans.push([from, furthest], [furthest, to]);
  }
  const result = [];
  for (let at = 0; at <= last; at += 1) if (kept[at]) result.push(points[2 * at], points[2 * at + 1]);
  return result;
}

/** A course with as few points as it needs, never more than a room takes. */
export function simplified(points, tolerance = 4) {
  let result = thinned(points, tolerance);
  for (let wider = tolerance * 2; result.length > 2 * mostPoints; wider *= 2) result = thinned(points, wider);
  return result;
}

/** A course that was meant to be straight, as its two ends; any other as it is. */
export function straightened(points, tolerance) {
  const end = points.length - 2;
  if (end < 4) return points;
  const reach = Math.hypot(points[end] - points[0], points[end + 1] - points[1]);
  if (reach < 4 * tolerance) return points;
  for (let at = 2; at < end; at += 2) {
    const off = squaredDistance(points[at], points[at + 1], points[0], points[1], points[end], points[end + 1]);
    if (off > tolerance * tolerance) return points;
  }
  return [points[0], points[1], points[end], points[end + 1]];
}

const rounded = (value) => Math.round(value * 10) / 10;

/** An SVG path that runs smoothly through all points and keeps sharp corners sharp. */
export function smoothPath(points) {
  const count = points.length / 2;
  const x = (at) => points[2 * at];
  const y = (at) => points[2 * at + 1];
  let path = `M${rounded(x(0))} ${rounded(y(0))}`;
  if (count === 1) return `${path}l0 0`;
  if (count === 2) return `${path}L${rounded(x(1))} ${rounded(y(1))}`;
  // The direction at each point, as a unit vector; none at ends and corners.
  const across = new Float64Array(count);
  const down = new Float64Array(count);
  for (let at = 1; at < count - 1; at += 1) {
    const [ax, ay, bx, by] = [x(at) - x(at - 1), y(at) - y(at - 1), x(at + 1) - x(at), y(at + 1) - y(at)];
    const [a, b] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
    if (a === 0 || b === 0 || (ax * bx + ay * by) / (a * b) < 0.35) continue;
    const [dx, dy] = [ax / a + bx / b, ay / a + by / b];
    const length = Math.hypot(dx, dy);
    across[at] = dx / length;
    down[at] = dy / length;
  }
  for (let at = 1; at < count; at += 1) {
    const third = Math.hypot(x(at) - x(at - 1), y(at) - y(at - 1)) / 3;
    path += `C${rounded(x(at - 1) + across[at - 1] * third)} ${rounded(y(at - 1) + down[at - 1] * third)}`
      + ` ${rounded(x(at) - across[at] * third)} ${rounded(y(at) - down[at] * third)}`
      + ` ${rounded(x(at))} ${rounded(y(at))}`;
  }
  return path;
}
