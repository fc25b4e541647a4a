// The layout of a part's pages: their order, rotation and straightening, and the part of each that is shown. The stand
// counts pages by their positions; the server, and everything that is kept, by their numbers in the file.
// The measure of it is PartLayout.swift.
import { Form } from "/shared/pageform.js";

const whole = 10_000; // a page's width and height in the units of points
const clamp = (value, least = 0, most = 1) => Math.min(Math.max(value, least), most);

/** A part as it is laid: pages by position, each with its number, its form and its crop; places on upright pages. */
export function laidPart(part) {
  const count = part.pages.length;
  const laid = part.layout?.pages ?? part.pages.map((_, page) => ({ page }));
  const pages = [];
  for (const { page, turn = 0, tilt = 0 } of laid) {
    const isBlank = page >= count;
    // An empty page is as large as the one before it.
    const size = isBlank ? pages.at(-1) ?? new Form(part.pages[0]) : part.pages[page];
    const form = new Form(size, turn, tilt);
    const crop = part.layout?.crop?.[page % 2 === 0 ? "odd" : "even"] ?? null;
    pages.push({ width: form.width, height: form.height, page, form, crop, isBlank });
  }
  const position = new Map(pages.map(({ page }, at) => [page, at]));
  const places = (part.places ?? []).filter(({ page }) => position.has(page)).map((place) => {
    const at = position.get(place.page);
    const { form } = pages[at];
    return { ...place, page: at, ...(place.box ? { box: form.uprightBox(place.box) } : {}) };
  });
  if (part.layout) places.sort((a, b) => a.page - b.page);
  return { ...part, pages, places };
}

/** A score as it is laid on this stand. */
export const laidScore = (score) => ({ ...score, parts: score.parts.map(laidPart) });

/** The number of a page in its file; -1 stays, it is where a book's first page has no neighbour. */
export const filedPage = (part, position) => part?.pages[position]?.page ?? position;

/** The position of a page; of one that is left out, that of the next one that is shown. */
export function laidPage(part, page) {
  if (!part || page < 0) return page;
  const at = part.pages.findIndex((each) => each.page === page);
  if (at >= 0) return at;
  let next = -1;
  part.pages.forEach((each, index) => {
    if (each.page > page && (next < 0 || each.page < part.pages[next].page)) next = index;
  });
  return next >= 0 ? next : part.pages.length - 1;
}

const isPlainHere = (part, position) => {
  const page = part?.pages[position];
  return !page || (page.page === position && page.form.isPlain);
};

const points = ([x, y]) => [Math.round(clamp(x) * whole), Math.round(clamp(y) * whole)];
const shares = ([x, y]) => [x / whole, y / whole];

/** A remark's fields seen from the other side; `move` is a form's `upright` or `filed`. */
function moved(fields, anchor, form, move, scale) {
  const result = { ...fields };
  const from = shares(anchor);
  const [x, y] = move(from);
  if (fields.anchor) result.anchor = points([x, y]);
  for (const kind of ["line", "highlight"]) {
    const course = fields.shape?.[kind];
    if (!course) continue;
    const turned = [];
    for (let at = 0; at < course.length; at += 2) {
      const [toX, toY] = move([from[0] + course[at] / whole, from[1] + course[at + 1] / whole]);
      turned.push(...[toX - x, toY - y].map((share) => clamp(Math.round(share * whole), -whole, whole)));
    }
    result.shape = { ...fields.shape, [kind]: turned };
  }
  if (fields.ink) result.ink = { ...fields.ink, width: clamp(Math.round(fields.ink.width * scale), 1, 1_000) };
  if (fields.paper && form.turns % 2) result.paper = [fields.paper[1], fields.paper[0]];
  return result;
}

const seen = new WeakMap(); // remark → { page, laid }, so that what did not change stays the same thing

/** A remark as it is laid; null on a page that is left out. */
export function laidRemark(remark, score) {
  const part = score.parts[remark.part];
  const position = part ? part.pages.findIndex(({ page }) => page === remark.page) : -1;
  if (position < 0) return part ? null : remark;
  if (isPlainHere(part, position)) return remark;
  const page = part.pages[position];
  const kept = seen.get(remark);
  if (kept?.page === page) return kept.laid;
  const { form } = page;
  const laid = { ...moved(remark, remark.anchor, form, (point) => form.upright(point), form.filedWidth / form.width),
    page: position };
  seen.set(remark, { page, laid });
  return laid;
}

/**
 * Converts an act of this stand for the server. `remarkOf(id)` gives a remark as the room has it.
 * @param {any} act
 * @param {any} score
 * @param {(id: string) => import("/shared/exchanged").Remark | null} remarkOf
 */
export function filedAct(act, score, remarkOf = () => null) {
  if (!score) return act;
  if (act.turn) return { ...act, turn: [act.turn[0], filedPage(score.parts[act.turn[0]], act.turn[1])] };
  if (act.pinpoint) return { ...act, pinpoint: filedPinpoint(act.pinpoint, score) };
  if (act.place) {
    const { part, page, anchor } = act.place;
    return { ...act, place: filedRemark(act.place, part, page, anchor, score) };
  }
  if (!act.edit) return act;
  const before = remarkOf(act.edit.remark);
  if (!before) return act;
  const part = score.parts[before.part];
  const position = act.edit.page ?? laidPage(part, before.page);
  const laid = laidRemark(before, score);
  return { ...act, edit: filedRemark(act.edit, before.part, position, act.edit.anchor ?? laid?.anchor ?? before.anchor,
    score) };
}

function filedRemark(fields, number, position, anchor, score) {
  const part = score.parts[number];
  if (isPlainHere(part, position)) return fields;
  const { form, page } = part.pages[position];
  const filed = moved(fields, anchor, form, (point) => form.filed(point), form.width / form.filedWidth);
  return fields.page === undefined ? filed : { ...filed, page };
}

function filedPinpoint(pinpoint, score) {
  const part = score.parts[pinpoint.part];
  if (isPlainHere(part, pinpoint.page)) return pinpoint;
  const { form, page } = part.pages[pinpoint.page];
  return { ...pinpoint, page, point: points(form.filed(shares(pinpoint.point))) };
}

/** Converts a pinpoint from the server to the layout of the pages here. */
export function laidPinpoint(pinpoint, score) {
  const part = score?.parts[pinpoint?.part];
  if (!part) return pinpoint ?? null;
  const position = laidPage(part, pinpoint.page);
  if (isPlainHere(part, position)) return { ...pinpoint, page: position };
  return { ...pinpoint, page: position, point: points(part.pages[position].form.upright(shares(pinpoint.point))) };
}

/** A leader's turn, as it is laid here. */
export const laidTurn = ([part, page], score) => [part, laidPage(score?.parts[part], page)];

/** Converts the view that the server wishes to the layout of the pages here. */
export const laidView = (view, part) => ({ ...view, page: laidPage(part, view.page),
  ...(view.ahead === null || view.ahead === undefined ? {} : { ahead: laidPage(part, view.ahead) }) });

const full = [0, 0, 1, 1];

/** The part of a page that is shown: its crop, enlarged by the boxes of `outside()`, such as remarks outside the crop.
    */
export function shownBox(page, isCropped, outside = () => []) {
  if (!isCropped || !page.crop || page.isBlank) return full;
  let [left, top, right, bottom] = page.crop;
  for (const box of outside()) {
    [left, top] = [Math.min(left, Math.max(box[0], 0)), Math.min(top, Math.max(box[1], 0))];
    [right, bottom] = [Math.max(right, Math.min(box[2], 1)), Math.max(bottom, Math.min(box[3], 1))];
  }
  return [left, top, right, bottom];
}
