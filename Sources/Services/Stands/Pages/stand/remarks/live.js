// The stroke under way: on canvases that skip the page's own drawing, so that the ink keeps up with the pen.
import { make } from "/shared/dom.js";
import { cover } from "./surface.js";

const mostPixels = 8_000_000;
// What is foreseen is drawn on a small canvas that goes with the pen: a canvas that changes is copied as a whole.
const tailSize = 320; // CSS pixels of the screen

function canvas(name) {
  const element = cover(make("canvas", { class: `remark-${name}`, "aria-hidden": "true" }));
  return { element, brush: element.getContext("2d", { desynchronized: true }) };
}

/** The share of a stroke's width under a pen's pressure (0 to 1). */
export const shareOf = (pressure) => 0.5 + pressure;

export class LiveStroke {
  samples = []; // x, y in CSS pixels of the page, pressure; 0.5 where there is none
  #tailBox = null;
  #tailAt = null; // the tail's left and top on the page, in CSS pixels; null where it has to be placed

  constructor() {
    this.wet = canvas("wet"); // what is certain
    this.tail = canvas("tail"); // what is foreseen; drawn anew with every event
    Object.assign(this.tail.element.style, { inset: "0 auto auto 0" });
    this.isUnderWay = false;
  }

  /** Makes the canvases as large as a page, which takes some milliseconds, before a pen touches it. */
  prepare(surface) {
    if (this.isUnderWay) return;
    this.frame = surface.root.getBoundingClientRect();
    const { width: across, height: down } = this.frame;
    this.zoom = across / Math.max(1, surface.root.offsetWidth);
    this.scale = Math.min(devicePixelRatio || 1, 2, Math.sqrt(mostPixels / Math.max(1, across * down)));
    const side = Math.round(tailSize * this.scale);
    const sizes = [[this.wet, Math.round(across * this.scale), Math.round(down * this.scale)], [this.tail, side, side]];
    for (const [{ element, brush }, w, h] of sizes) {
      if (element.width !== w || element.height !== h) Object.assign(element, { width: w, height: h });
      else {
        brush.setTransform(1, 0, 0, 1, 0, 0);
        brush.clearRect(0, 0, w, h);
      }
    }
  }

  /** Begins over a page. `width` in CSS pixels. */
  begin(surface, { colour, width, isBroad }, event) {
    this.surface = surface;
    this.prepare(surface);
    const { scale } = this;
    for (const { element, brush } of [this.wet, this.tail]) {
      element.classList.toggle("broad", isBroad);
      surface.root.append(element);
      brush.setTransform(scale, 0, 0, scale, 0, 0);
      Object.assign(brush,
        { strokeStyle: colour, fillStyle: colour, lineWidth: width, lineCap: "round", lineJoin: "round" });
    }
    this.width = width;
    this.isBroad = isBroad;
    this.samples = [];
    this.isUnderWay = true;
    [this.#tailBox, this.#tailAt] = [null, null];
    const side = `${tailSize / this.zoom}px`;
    Object.assign(this.tail.element.style, { width: side, height: side, willChange: "transform" });
    this.#take(event);
    this.#dot();
  }

  /** Draws on by what a pointer event brings, with what came between two frames and what is foreseen. */
  extend(event) {
    const between = event.getCoalescedEvents?.() ?? [];
    const from = this.samples.length;
    for (const each of between.length > 0 ? between : [event]) this.#take(each);
    this.#draw(from);
    this.#foresee(event.getPredictedEvents?.() ?? []);
  }

  /** Ends it; its samples stay until the next begins. */
  end() {
    this.isUnderWay = false;
    for (const { element } of [this.wet, this.tail]) element.remove();
  }

  /** The mean pressure, which is what a remark can keep of it; 0.5 without a pen. */
  get pressure() {
    let sum = 0;
    for (let at = 2; at < this.samples.length; at += 3) sum += this.samples[at];
    return this.samples.length > 0 ? (3 * sum) / this.samples.length : 0.5;
  }

  #take(event) {
    const x = event.clientX - this.frame.left;
    const y = event.clientY - this.frame.top;
    const end = this.samples.length;
    if (end > 0 && this.samples[end - 3] === x && this.samples[end - 2] === y) return;
    this.samples.push(x, y, event.pointerType === "pen" && event.pressure > 0 ? event.pressure : 0.5);
  }

  #dot() {
    const { brush } = this.wet;
    brush.beginPath();
    brush.arc(this.samples[0], this.samples[1], (this.width * this.#share(0)) / 2, 0, 2 * Math.PI);
    brush.fill();
  }

  #share(at) {
    return this.isBroad ? 1 : shareOf(this.samples[at + 2]);
  }

  /** Curves through the middles between samples: the last half is left to the next event. */
  #draw(from) {
    const { brush } = this.wet;
    const points = this.samples;
    const middle = (at) => [(points[at - 3] + points[at]) / 2, (points[at - 2] + points[at + 1]) / 2];
    for (let at = Math.max(3, from); at < points.length; at += 3) {
      brush.lineWidth = this.width * this.#share(at);
      brush.beginPath();
      if (at === 3) brush.moveTo(points[0], points[1]);
      else brush.moveTo(...middle(at - 3));
      brush.quadraticCurveTo(points[at - 3], points[at - 2], ...middle(at));
      brush.stroke();
    }
  }

  #foresee(events) {
    const { brush, element } = this.tail;
    if (this.#tailBox) brush.clearRect(...this.#tailBox);
    const end = this.samples.length - 3;
    const [x, y] = [this.samples[end], this.samples[end + 1]];
    const before = Math.max(0, end - 3);
    const [startX, startY] = [(this.samples[before] + x) / 2, (this.samples[before + 1] + y) / 2];
    let [left, top, right, bottom] = [Math.min(startX, x), Math.min(startY, y), Math.max(startX, x),
      Math.max(startY, y)];
    brush.lineWidth = this.width * this.#share(end);
    const foreseen = events.slice(0, 3).map(({ clientX, clientY }) =>
      [clientX - this.frame.left, clientY - this.frame.top]);
    for (const [nextX, nextY] of foreseen) {
      [left, top] = [Math.min(left, nextX), Math.min(top, nextY)];
      [right, bottom] = [Math.max(right, nextX), Math.max(bottom, nextY)];
    }
    const margin = brush.lineWidth + 2;
    const box = [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin];
    if (!this.#tailHolds(box)) this.#placeTail(x, y);
    brush.beginPath();
    brush.moveTo(startX, startY);
    brush.lineTo(x, y);
    for (const next of foreseen) brush.lineTo(...next);
    brush.stroke();
    this.#tailBox = box;
    if (element.width === 0) this.#tailBox = null;
  }

  #tailHolds([left, top, width, height]) {
    const at = this.#tailAt;
    return at !== null && left >= at.left && top >= at.top && left + width <= at.left + tailSize
      && top + height <= at.top + tailSize;
  }

  /** Puts the tail's canvas, which is empty, around a point of the page. */
  #placeTail(x, y) {
    const { element, brush } = this.tail;
    const { scale } = this;
    const [left, top] = [Math.round(x - tailSize / 2), Math.round(y - tailSize / 2)];
    this.#tailAt = { left, top };
    element.style.transform = `translate(${left / this.zoom}px, ${top / this.zoom}px)`;
    brush.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
  }
}
