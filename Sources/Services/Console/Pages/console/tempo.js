// Tempo against the reference, and its curve over the last two minutes.
import { draw, find, mark, write } from "/shared/dom.js";
import { isNumber } from "./format.js";

const span = 120_000;
const [wide, high] = [160, 44];
const staysWhileLost = 10_000; // ms

/**
 * The tempo of the music, or null while nothing is followed: the server then keeps the last tempo.
 * @param {import("/shared/exchanged").Position} position
 */
export function tempoOf({ mode, tempo, sinceMs }) {
  const isFollowed = ["following", "coasting", "manual"].includes(mode)
    || mode === "lost" && sinceMs < staysWhileLost;
  return isFollowed && isNumber(tempo) ? tempo : null;
}

/** @param {import("./desk.js").Desk} desk */
export function showTempo(desk) {
  const [ratio, curve] = ["tempo", "tempo-curve"].map(find);
  const middle = draw("line", { x1: 0, x2: wide, y1: high / 2, y2: high / 2, class: "middle" });
  const line = draw("path", { class: "line", fill: "none" });
  curve.append(middle, line);
  let points = [];
  let last = 0;

  desk.on("position", (position) => {
    const tempo = tempoOf(position);
    write(ratio, tempo === null ? "–" : `×${tempo.toFixed(2)}`);
    const now = performance.now();
    if (now - last < 500) return;
    last = now;
    points = [...points.filter(([at]) => now - at < span), [now, tempo]];
    const known = points.filter(([, value]) => value !== null);
    const reach = Math.max(0.1, ...known.map(([, value]) => Math.abs(value - 1)));
    const x = (at) => (wide - ((now - at) / span) * wide).toFixed(1);
    const y = (value) => (high / 2 - ((value - 1) / reach) * (high / 2 - 3)).toFixed(1);
    // The line has a gap where nothing was followed.
    const steps = points.map(([at, value], index) => value === null
      ? "" : `${(points[index - 1]?.[1] ?? null) === null ? "M" : "L"}${x(at)} ${y(value)}`);
    mark(line, "d", steps.join(""));
  });

  desk.on("programme", ({ empty }) => {
    curve.closest("section").hidden = empty === true;
  });
}
