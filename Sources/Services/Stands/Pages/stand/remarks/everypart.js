// Remarks for all parts, seen in another part than the one they were written in: at the same measure, on or above the
// staff, large enough to read. It computes as RemarkTransfer+Showing.swift does.
import { placeAt, placeOf } from "../places.js";
import { courseOf, extentOf } from "./picture.js";

const whole = 10_000; // a page's width and height in the units of remarks
const scales = [0.7, 1.5]; // how much smaller or larger than it was written
const leastLetters = 230; // height of a line of text or a stamp
const leastStroke = 20;
const tall = 2; // times as high as the other part's staff: a system of several staves
const mostOfGroup = 3; // staves that a group of strokes may be high
const gap = 0.1; // of the staff's height, over it
const strip = [0, 0.02, 1, 0.06]; // where a page does not say where its measures stand

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const ratioOf = ({ height, width }) => height / width;

/** A measure's own share of a box that several measures may have in common; `at` counts from the first of them. */
function boxOf(place, at) {
  const [left, top, right, bottom] = place.box ?? strip;
  const width = (right - left) / (place.last - place.first + 1);
  return { left: left + at * width, width, top, height: bottom - top };
}

/** The extent of a remark in shares of its page: [left, top, right, bottom]. */
function spanOf(remark, ratio) {
  const half = remark.ink.width / 2;
  const [left, top, right, bottom] = remark.shape.stamp === undefined ? extentOf(remark, ratio)
    : [-half, -half, half, half];
  const [x, y] = remark.anchor;
  return [(x + left) / whole, y / whole + top / whole / ratio, (x + right) / whole, y / whole + bottom / whole / ratio];
}

/** The measure at which a remark stands: `{ movement, measure, box }`; null if its part does not say. */
export function measureOf(remark, score) {
  const part = score.parts[remark.part];
  const paper = part?.pages[remark.page];
  if (!paper) return null;
  const [left, top, right, bottom] = courseOf(remark) ? spanOf(remark, ratioOf(paper))
    : [remark.anchor[0], remark.anchor[1], remark.anchor[0], remark.anchor[1]].map((value) => value / whole);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2].map((value) => clamp(value, 0, 1));
  const place = placeAt(part, remark.page, x, y);
  if (!place?.box) return null;
  const [boxLeft, boxTop, boxRight, boxBottom] = place.box;
  const [across, down] = [(boxRight - boxLeft) / 4, boxBottom - boxTop];
  if (x < boxLeft - across || x > boxRight + across || y < boxTop - down || y > boxBottom + down) return null;
  const count = place.last - place.first + 1;
  const at = clamp(Math.floor(((x - boxLeft) / (boxRight - boxLeft)) * count), 0, count - 1);
  return { movement: place.movement ?? 0, measure: place.first + at, box: boxOf(place, at) };
}

/** Remarks for all parts as another part shows them; those at no measure, or at none that it has, are left out. */
export function shownInPart(remarks, number, score) {
  const part = score.parts[number];
  const groups = new Map();
  for (const remark of remarks) {
    const here = measureOf(remark, score);
    const place = here && placeOf(part, here.measure, here.movement);
    if (!place) continue;
    const name = `${remark.author} ${remark.part} ${remark.page} ${here.movement} ${here.measure}`;
    if (!groups.has(name)) groups.set(name, { here, place, remarks: [] });
    groups.get(name).remarks.push(remark);
  }
  return [...groups.values()].flatMap((group) => copies(group, number, part, score));
}

function copies({ here, place, remarks }, number, part, score) {
  const { box } = here;
  const there = boxOf(place, here.measure - place.first);
  const [paper, page] = [score.parts[remarks[0].part].pages[remarks[0].page], part.pages[place.page]];
  const [from, to] = [ratioOf(paper), ratioOf(page)];
  const widening = there.width / box.width;
  const scale = clamp(widening, ...scales);
  const heights = [box.height * from, there.height * to]; // in widths of their pages
  const down = (scale * from) / to; // of a share of the one page's height to one of the other's
  const spans = remarks.map((remark) => spanOf(remark, from));
  const [top, bottom] = [Math.min(...spans.map((span) => span[1])), Math.max(...spans.map((span) => span[3]))];
  const isTogether = (bottom - top) * from * scale <= mostOfGroup * heights[1];
  // Letters that became larger grow upwards, away from the staff: `growth` is how much larger.
  const settled = (y, span, growth) => {
    if (heights[0] <= tall * heights[1]) return there.top + (y - box.top) * (there.height / box.height);
    const [upper, lower] = isTogether ? [top, bottom] : [span[1], span[3]];
    if (upper >= box.top + box.height) return there.top + there.height + (y - box.top - box.height) * down;
    const foot = lower <= box.top ? there.top - (box.top - lower) * down : there.top - gap * there.height;
    return foot - (lower - y) * down - (span[3] - y) * down * (growth - 1);
  };
  return remarks.map((remark, at) => {
    const [x, y] = remark.anchor.map((value) => value / whole);
    const isStroke = courseOf(remark) !== null;
    const width = clamp(Math.round(Math.max(remark.ink.width * scale,
      isStroke ? Math.min(leastStroke, remark.ink.width) : leastLetters)), 1, 1_000);
    const growth = isStroke ? 1 : width / (remark.ink.width * scale);
    const point = [there.left + (x - box.left) * widening, settled(y, spans[at], growth)];
    const isHighlight = remark.shape.highlight !== undefined;
    const [kind] = Object.keys(remark.shape);
    const course = courseOf(remark)?.map((value, index) =>
      clamp(Math.round(value * (index % 2 ? down : isHighlight ? widening : scale)), -whole, whole));
    return { ...remark, id: `${remark.id}@${number}`, copyOf: remark.id, part: number, page: place.page,
      paper: [page.width, page.height], shape: course ? { [kind]: course } : remark.shape,
      anchor: point.map((value) => Math.round(clamp(value, 0, 1) * whole)),
      ink: { ...remark.ink, width } };
  });
}
