// The actions of a pen or finger: draw, put, erase, move, choose. Each ends in acts of the room.
import { draw } from "/shared/dom.js";
import { clamp, simplified, straightened, whole } from "./geometry.js";
import { inverted } from "./ink.js";
import { shareOf } from "./live.js";
import { courseOf, paint } from "./picture.js";
import { reachOf } from "./tools.js";

const shortestHighlight = 6; // px
const straight = 0.35; // of a highlight's width: so little off is meant to be straight

const onPage = (value) => clamp(Math.round(value), 0, whole);

/** The place of a point of the screen, in ten-thousandths of width and height, on the page. */
export function anchorAt(surface, { x, y }) {
  return [onPage(x), onPage(y / surface.ratio)];
}

/**
 * Places a remark on the layer that is chosen; null if that layer is not open.
 * @param {any} desk
 * @param {import("./surface.js").Surface} surface
 * @param {string} kind
 * @param {number[]} anchor
 * @param {import("/shared/exchanged").Remark["shape"]} shape
 * @param {{ width?: number, on?: string }} how
 */
export function place(desk, surface, kind, anchor, shape, { width, on = desk.tools.layer } = {}) {
  const layer = desk.openLayer(on);
  if (!layer) return null;
  const remark = {
    id: desk.newID(), layer, author: desk.book.userID, part: surface.part, page: surface.page, paper: surface.paper,
    anchor, shape,
    ink: { colour: desk.tools.ink(kind).colour,
      width: clamp(Math.round(width ?? desk.tools.ink(kind).width), 1, 1_000) },
    ...(on === "public" ? { parts: "all" } : {}),
  };
  desk.acts.do({ place: remark });
  return remark;
}

// -- strokes ----------------------------------------------------------------------------------------------

/**
 * Begins a stroke of the tool in hand; or of another one `kind`, on the layer of the key `on`.
 * @param {any} desk
 * @param {import("./surface.js").Surface} surface
 * @param {any} gesture
 * @param {PointerEvent} event
 * @param {{ kind?: string, on?: string }} how
 */
export function beginStroke(desk, surface, gesture, event, { kind = desk.tools.kind, on } = {}) {
  if (!desk.openLayer(on)) return Object.assign(gesture, { kind: "refused" });
  const { colour, width } = desk.tools.ink(kind);
  Object.assign(gesture, { kind: "stroke", tool: kind, on });
  const shown = surface.isOnBlack ? inverted(colour) : colour;
  desk.live.begin(surface, { colour: shown, width: width / surface.unit, isBroad: kind === "highlight" }, event);
}

/** Keeps what the pen did: what was foreseen is no part of it. */
export function finishStroke(desk, surface, { tool, on }, event) {
  const { live } = desk;
  live.extend(event);
  const { samples, pressure } = live;
  const unit = whole / live.frame.width;
  const { width } = desk.tools.ink(tool);
  let course = [];
  for (let at = 0; at < samples.length; at += 3) course.push(samples[at] * unit, samples[at + 1] * unit);
  const isBroad = tool === "highlight";
  if (isBroad) course = straightened(course, width * straight);
  course = simplified(course);
  const long = course.some((part, at) => Math.abs(part - course[at % 2]) > shortestHighlight * unit);
  if (long || !isBroad) {
    const points = course.map((part, at) => onPage(at % 2 === 0 ? part : part / surface.ratio));
    const anchor = [points[0], points[1]];
    const relative = points.map((part, at) => part - anchor[at % 2]);
    place(desk, surface, tool, anchor, { [tool]: relative },
      { width: isBroad ? width : width * shareOf(pressure), on });
  }
  // The picture is there already when the wet ink goes.
  live.end();
}

// -- texts and stamps -------------------------------------------------------------------------------------

export function putDown(desk, surface, gesture) {
  const kind = desk.tools.kind;
  gesture.kind = "put";
  gesture.follow = () => {};
  if (kind === "text") {
    gesture.finish = () => {
      if (gesture.own?.shape.text !== undefined) desk.writing.edit(surface, gesture.own);
      else desk.writing.begin(surface, anchorAt(surface, gesture.point));
    };
    return;
  }
  if (!desk.openLayer()) return Object.assign(gesture, { kind: "refused" });
  // The stamp hangs on the pointer until it is let go, so that it can be put exactly.
  const ghost = draw("g", { class: "remark ghost" });
  const shape = { stamp: desk.tools.stamp };
  const paintAt = (point) => paint(ghost, { anchor: anchorAt(surface, point), shape, ink: desk.tools.ink("stamp") },
    surface.ratio);
  paintAt(gesture.point);
  surface.ink.append(ghost);
  gesture.ghost = ghost;
  gesture.follow = (moved) => paintAt(surface.pointOf(moved));
  gesture.finish = (ended) => {
    ghost.remove();
    place(desk, surface, "stamp", anchorAt(surface, surface.pointOf(ended)), shape);
  };
}

// -- erasing and moving -----------------------------------------------------------------------------------

/** Marks own remarks under the eraser; they go when it is lifted, as one step. */
export function erase(desk, surface, gesture, event) {
  const between = event.getCoalescedEvents?.() ?? [];
  const reach = reachOf(event, surface);
  for (const each of between.length > 0 ? between : [event]) {
    const to = surface.pointOf(each);
    const from = gesture.last ?? to;
    // A quick hand leaves gaps between two events.
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / reach));
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      const point = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      const remark = surface.hit(point, reach, (one) => desk.book.mayChange(one) && !gesture.erased.includes(one.id));
      if (!remark) continue;
      gesture.erased.push(remark.id);
      surface.groupOf(remark.id)?.classList.add("going");
    }
    gesture.last = to;
  }
}

/** The anchor of a remark after a move; as much of the remark as possible stays on the page. */
export function movedAnchor(surface, remark, dx, dy) {
  let [x, y] = [remark.anchor[0] + dx, remark.anchor[1] + dy / surface.ratio];
  const course = courseOf(remark);
  if (course) {
    for (const [axis, parts] of [[0, course.filter((_, at) => at % 2 === 0)],
      [1, course.filter((_, at) => at % 2 === 1)]]) {
      const [least, most] = [-Math.min(...parts), whole - Math.max(...parts)];
      const value = axis === 0 ? x : y;
      const kept = least <= most ? clamp(value, least, most) : value;
      if (axis === 0) x = kept;
      else y = kept;
    }
  }
  return [onPage(x), onPage(y)];
}

export function finishMove(desk, surface, { remark, dx, dy }, event) {
  const now = desk.book.get(remark.id);
  surface.land();
  if (!now) return desk.choose(null);
  if (Math.hypot(dx, dy) < surface.unit) return desk.choose(surface, now.id);
  const other = surface.covers(event) ? null : desk.surfaceAt(event, surface.part);
  if (other && other !== surface) {
    const point = other.pointOf(event);
    const start = surface.pointOf({ clientX: event.clientX, clientY: event.clientY });
    const grip = [start.x - dx - now.anchor[0], start.y - dy - now.anchor[1] * surface.ratio];
    const anchor = movedAnchor(other, { ...now, anchor: [0, 0] }, point.x - grip[0], point.y - grip[1]);
    desk.acts.do({ edit: { remark: now.id, page: other.page, anchor, paper: other.paper } });
    desk.choose(other, now.id);
    return;
  }
  desk.acts.do({ edit: { remark: now.id, anchor: movedAnchor(surface, now, dx, dy), paper: surface.paper } });
  desk.choose(surface, now.id);
}

// -- choosing ---------------------------------------------------------------------------------------------

/** A tap with the arrow chooses. */
export function tap(desk, surface, { remark }) {
  if (!remark) return desk.choose(null);
  desk.choose(surface, remark.id);
  surface.groupOf(remark.id)?.focus({ preventScroll: true });
}
