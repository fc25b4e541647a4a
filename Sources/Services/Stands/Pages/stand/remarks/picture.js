// The picture of a remark: SVG, in units of the page's ten-thousandths of width.
import { draw } from "/shared/dom.js";
import { smoothPath, squaredDistance } from "./geometry.js";
import { inverted } from "./ink.js";
import { stampNamed } from "./stamps.js";

/** Of the height of a line, so much is the size of its letters. */
export const fontShare = 1 / 1.2;
const ascent = 0.8;
const brush = document.createElement("canvas").getContext("2d");
export const textFont = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

/** The width of a line of text, in multiples of its font size. */
export function widthOf(line) {
  brush.font = `100px ${textFont}`;
  return brush.measureText(line).width / 100;
}

export const linesOf = (text) => text.split(/\r\n|\r|\n/);
export const courseOf = ({ shape }) => shape.highlight ?? shape.line ?? null;

/** The course relative to the anchor, as long across as down. */
function even(course, ratio) {
  return course.map((part, at) => (at % 2 === 0 ? part : part * ratio));
}

/** A stamp's strokes, fills and letters, in a square of 1,000 around its middle. */
export function stampShapes(name) {
  const stamp = stampNamed(name);
  /** @type {SVGElement[]} */
  const shapes = (stamp.fills ?? []).map((d) => draw("path", { d, class: "fill" }));
  for (const { d, width } of stamp.lines ?? []) {
    shapes.push(draw("path", { d, class: "stroke", "stroke-width": width }));
  }
  if (stamp.letters) {
    const { text, size, x } = stamp.letters;
    shapes.push(draw("text", { text, x, y: size * 0.27, "font-size": size, "text-anchor": "middle", class: "serif" }));
  }
  return shapes;
}

/** The shapes inside a remark's group, its anchor at the origin. */
function shapesOf(remark, ratio) {
  const { shape, ink } = remark;
  const course = courseOf(remark);
  if (course) return [draw("path", { d: smoothPath(even(course, ratio)), class: "stroke", "stroke-width": ink.width })];
  if (shape.text !== undefined) {
    const size = ink.width * fontShare;
    const lines = linesOf(shape.text)
      .map((line, at) => draw("tspan", { x: 0, y: ascent * size + at * ink.width, text: line || " " }));
    return [draw("text", { "font-size": size, class: "letters" }, ...lines)];
  }
  return [draw("g", { transform: `scale(${ink.width / 1_000})` }, ...stampShapes(shape.stamp))];
}

export const placeOf = ({ anchor }, ratio, dx = 0, dy = 0) => `translate(${anchor[0] + dx} ${anchor[1] * ratio + dy})`;

/** The group of a remark; its colours are for the style sheet to choose from. */
export function paint(group, remark, ratio) {
  group.setAttribute("transform", placeOf(remark, ratio));
  group.style.setProperty("--ink", remark.ink.colour);
  group.style.setProperty("--ink-inverted", inverted(remark.ink.colour));
  group.replaceChildren(...shapesOf(remark, ratio));
}

/** The box around a remark, relative to its anchor: [left, top, right, bottom]. */
export function extentOf(remark, ratio) {
  const { shape, ink } = remark;
  const course = courseOf(remark);
  if (course) {
    let [left, top, right, bottom] = [0, 0, 0, 0];
    for (let at = 0; at < course.length; at += 2) {
      left = Math.min(left, course[at]);
      right = Math.max(right, course[at]);
      top = Math.min(top, course[at + 1] * ratio);
      bottom = Math.max(bottom, course[at + 1] * ratio);
    }
    const half = ink.width / 2;
    return [left - half, top - half, right + half, bottom + half];
  }
  if (shape.text !== undefined) {
    const lines = linesOf(shape.text);
    const widest = Math.max(...lines.map(widthOf)) * ink.width * fontShare;
    return [0, 0, widest, lines.length * ink.width];
  }
  const [across, down] = stampNamed(shape.stamp).half;
  const unit = ink.width / 1_000;
  return [-across * unit, -down * unit, across * unit, down * unit];
}

/** True if a point relative to the anchor lies on the remark, or within `reach` of it. */
export function touches(remark, ratio, extent, x, y, reach) {
  const course = courseOf(remark);
  if (!course) {
    return x >= extent[0] - reach && x <= extent[2] + reach && y >= extent[1] - reach && y <= extent[3] + reach;
  }
  const near = (remark.ink.width / 2 + reach) ** 2;
  for (let at = 0; at < course.length; at += 2) {
    const next = at + 2 < course.length ? at + 2 : at;
    const distance = squaredDistance(x, y, course[at], course[at + 1] * ratio, course[next], course[next + 1] * ratio);
    if (distance <= near) return true;
  }
  return false;
}

/** True if two remarks look the same. */
export function isSame(a, b) {
  if (a === b) return true;
  if (a.anchor[0] !== b.anchor[0] || a.anchor[1] !== b.anchor[1] || a.layer !== b.layer || a.author !== b.author) {
    return false;
  }
  if (a.ink.colour !== b.ink.colour || a.ink.width !== b.ink.width) return false;
  if (a.shape === b.shape) return true;
  if (a.shape.text !== b.shape.text || a.shape.stamp !== b.shape.stamp) return false;
  if (Boolean(a.shape.highlight) !== Boolean(b.shape.highlight)) return false;
  const [one, other] = [courseOf(a), courseOf(b)];
  return one === other || (one?.length === other?.length && one.every((part, at) => part === other[at]));
}
