// Signs on the controls.
import { draw } from "/shared/dom.js";
import { stampShapes } from "./picture.js";
import { stampNamed } from "./stamps.js";

const paths = {
  select: ["M6 3l12 9-6 1-3 6z"],
  highlight: ["M4 20h16", "M8 15l-1-3 9-9 4 4-9 9z"],
  line: ["M3 17c4-9 6-9 8-3s4 5 10-6"],
  text: ["M5 6V4h14v2", "M12 4v16", "M9 20h6"],
  eraser: ["M4 16l9-10 7 6-8 8H8z", "M9 10l7 6"],
  undo: ["M9 6l-5 5 5 5", "M4 11h9a6 6 0 0 1 0 9h-2"],
  redo: ["M15 6l5 5-5 5", "M20 11h-9a6 6 0 0 0 0 9h2"],
  own: ["M6 11h12v9H6z", "M9 11V7a3 3 0 0 1 6 0v4"],
  public: ["M8 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6z", "M2 20a6 6 0 0 1 12 0", "M16 12a3 3 0 1 0-1-5.800",
    "M17 14a6 6 0 0 1 5 6"],
  layers: ["M12 3l9 5-9 5-9-5z", "M3 12l9 5 9-5", "M3 16l9 5 9-5"],
  finger: ["M9 13V5a2 2 0 0 1 4 0v6l5 1a2 2 0 0 1 1 2l-1 6H10l-4-6a1.600 1.600 0 0 1 3-1z"],
  bin: ["M5 7h14", "M9 7V4h6v3", "M7 7l1 13h8l1-13"],
};

/** A sign; decoration only, hidden from screen readers. */
export function glyph(name) {
  return draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    ...paths[name].map((d) => draw("path", { d })));
}

/** A stamp as it will look, as wide as it needs to be. */
export function stampGlyph(name) {
  const [high, wide] = [620, Math.max(stampNamed(name).half[0], 620)];
  const svg = draw("svg", { class: "remark-stamp", viewBox: `${-wide} ${-high} ${2 * wide} ${2 * high}`,
    "aria-hidden": "true" }, ...stampShapes(name));
  svg.style.aspectRatio = `${wide} / ${high}`;
  return svg;
}
