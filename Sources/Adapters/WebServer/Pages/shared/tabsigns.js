// The signs of rests, drawn as paths in a field of 10 by 10 units.
import { draw } from "/shared/dom.js";

const quarter = "M4 -9 L8 -4 Q5 -1 8 3 Q3 2 6 8 Q-1 4 3 1 Q5 1 6 2 L3 -3 Q6 -5 4 -9Z";
const hook = (y) => `M7 ${y} Q4 ${y + 3} 2 ${y + 1} M7 ${y} L4 ${y + 12}`;

/** The sign of a rest at a place; its dots stand beside it. */
export function restSign(beat, x, y, zoom) {
  const [over, under] = (beat.value ?? "1/4").split("/").map(Number);
  const kind = under / over;
  const group = draw("g", { class: "rest", transform: `translate(${x - 5 * zoom} ${y}) scale(${zoom})` });
  group.append(draw("rect", { class: "rest-ground", x: -1, y: -11, width: 14, height: 22 }));
  if (kind <= 1) group.append(draw("rect", { class: "solid", x: 0, y: -5, width: 11, height: 5 }));
  else if (kind === 2) group.append(draw("rect", { class: "solid", x: 0, y: 0, width: 11, height: 5 }));
  else if (kind === 4) group.append(draw("path", { class: "solid", d: quarter }));
  else {
    for (let level = 0; level < Math.min(4, Math.round(Math.log2(kind)) - 2); level += 1) {
      group.append(draw("path", { class: "hook", d: hook(-7 + level * 5) }));
      group.append(draw("circle", { class: "dot", cx: 2.4, cy: -5.5 + level * 5, r: 1.8 }));
    }
  }
  for (let dot = 0; dot < (beat.dots ?? 0); dot += 1) {
    group.append(draw("circle", { class: "dot", cx: 13 + 4 * dot, cy: 1, r: 1.7 }));
  }
  return group;
}
