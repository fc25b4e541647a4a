// The elements of every chart: plain SVG, 1000 units wide, sharp on paper.
import { draw } from "./dom.js";

export const wide = 1000;

/** An empty chart; `label` is what screen readers say of it. */
export const frame = (high, label) =>
  draw("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label });

export const text = (x, y, words, anchor = "start", name = null) =>
  draw("text", { x, y, "text-anchor": anchor, class: name, text: words });
