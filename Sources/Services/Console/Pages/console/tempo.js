// Tempo against the reference, and its curve over the last two minutes.
import { draw, find, mark, write } from "/shared/dom.js";
import { isNumber } from "./format.js";

const span = 120_000;
const [wide, high] = [160, 44];

export function showTempo(desk) {
  const [ratio, bpm, curve] = ["tempo", "bpm", "tempo-curve"].map(find);
  const middle = draw("line", { x1: 0, x2: wide, y1: high / 2, y2: high / 2, class: "middle" });
  const line = draw("path", { class: "line", fill: "none" });
  curve.append(middle, line);
  let points = [];
  let last = 0;

  desk.on("position", (position) => {
    if (!isNumber(position.tempo)) return;
    write(ratio, `×${position.tempo.toFixed(2)}`);
    const now = performance.now();
    if (now - last < 500) return;
    last = now;
    points = [...points.filter(([at]) => now - at < span), [now, position.tempo]];
    const reach = Math.max(0.1, ...points.map(([, tempo]) => Math.abs(tempo - 1)));
    const x = (at) => (wide - ((now - at) / span) * wide).toFixed(1);
    const y = (tempo) => (high / 2 - ((tempo - 1) / reach) * (high / 2 - 3)).toFixed(1);
    mark(line, "d", `M${points.map(([at, tempo]) => `${x(at)} ${y(tempo)}`).join("L")}`);
  });

  desk.on("programme", ({ empty }) => {
    curve.closest("section").hidden = empty === true;
  });

  desk.on("follower", (follower) => {
    write(bpm, isNumber(follower.bpm) ? `${Math.round(follower.bpm)} bpm` : "of the reference");
  });
}
