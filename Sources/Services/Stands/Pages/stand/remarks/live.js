// The stroke under way: on canvases that skip the page's own drawing, so that the ink keeps up with the pen.
import { WetInk, inkCanvas, layCanvas } from "./wetink.js";

// What is foreseen is drawn on a small canvas that goes with the pen.
const tailSize = 320; // CSS pixels of the screen
const mostScale = 2; // pixels of a canvas to a CSS pixel

/** The share of a stroke's width under a pen's pressure (0 to 1). */
export const shareOf = (pressure) => 0.5 + pressure;

export class LiveStroke {
  samples = []; // x, y in CSS pixels of the page, pressure; 0.5 where there is none
  #wet = new WetInk(); // what is certain
  #tail = inkCanvas("tail"); // what is foreseen; drawn anew with every event
  /** @type {[number, number, number, number] | null} left, top, width, height */
  #tailBox = null;
  #tailAt = null; // the tail's left and top on the page, in CSS pixels; null where it has to be placed

  constructor() {
    this.isUnderWay = false;
  }

  /** Begins over a page. `width` in CSS pixels. */
  begin(surface, { colour, width, isBroad }, event) {
    this.end();
    this.frame = surface.root.getBoundingClientRect();
    const { width: across, height: down } = this.frame;
    this.zoom = across / Math.max(1, surface.root.offsetWidth);
    this.scale = Math.min(devicePixelRatio || 1, mostScale);
    const style = { strokeStyle: colour, fillStyle: colour, lineWidth: width, lineCap: "round", lineJoin: "round" };
    this.#wet.begin(surface.root, { across, down, scale: this.scale, zoom: this.zoom }, style, isBroad);
    this.width = width;
    this.isBroad = isBroad;
    this.samples = [];
    this.isUnderWay = true;
    this.#take(event);
    const [x, y] = this.samples;
    const { element, brush } = this.#tail;
    if (this.#tailBox) brush.clearRect(...this.#tailBox);
    [this.#tailBox, this.#tailAt] = [null, null];
    this.#placeTail(x, y);
    Object.assign(brush, style);
    element.classList.toggle("broad", isBroad);
    surface.root.append(element);
    this.#dot(x, y);
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
    this.#wet.end();
    this.#tail.element.remove();
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

  #dot(x, y) {
    const radius = (this.width * this.#share(0)) / 2;
    this.#wet.draw([x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1], (brush) => {
      brush.beginPath();
      brush.arc(x, y, radius, 0, 2 * Math.PI);
      brush.fill();
    });
  }

  #share(at) {
    return this.isBroad ? 1 : shareOf(this.samples[at + 2]);
  }

  /** Curves through the middles between samples: the last half is left to the next event. */
  #draw(from) {
    const points = this.samples;
    /** @type {(at: number) => [number, number]} */
    const middle = (at) => [(points[at - 3] + points[at]) / 2, (points[at - 2] + points[at + 1]) / 2];
    for (let at = Math.max(3, from); at < points.length; at += 3) {
      /** @type {[number, number]} */
      const start = at === 3 ? [points[0], points[1]] : middle(at - 3);
      const [bend, end] = [[points[at - 3], points[at - 2]], middle(at)];
      const lineWidth = this.width * this.#share(at);
      this.#wet.draw(boxAround([start, bend, end], lineWidth / 2 + 1), (brush) => {
        brush.lineWidth = lineWidth;
        brush.beginPath();
        brush.moveTo(...start);
        brush.quadraticCurveTo(...bend, ...end);
        brush.stroke();
      });
    }
  }

  #foresee(events) {
    const { brush } = this.#tail;
    if (this.#tailBox) brush.clearRect(...this.#tailBox);
    const end = this.samples.length - 3;
    const [x, y] = [this.samples[end], this.samples[end + 1]];
    const before = Math.max(0, end - 3);
    /** @type {[number, number]} */
    const start = [(this.samples[before] + x) / 2, (this.samples[before + 1] + y) / 2];
    brush.lineWidth = this.width * this.#share(end);
    /** @type {[number, number][]} */
    const foreseen = events.slice(0, 3).map(({ clientX, clientY }) =>
      [clientX - this.frame.left, clientY - this.frame.top]);
    const [left, top, right, bottom] = boxAround([start, [x, y], ...foreseen], brush.lineWidth + 2);
    /** @type {[number, number, number, number]} */
    const box = [left, top, right - left, bottom - top];
    if (!this.#tailHolds(box)) this.#placeTail(x, y);
    brush.beginPath();
    brush.moveTo(...start);
    brush.lineTo(x, y);
    for (const next of foreseen) brush.lineTo(...next);
    brush.stroke();
    this.#tailBox = box;
  }

  #tailHolds([left, top, width, height]) {
    const at = this.#tailAt;
    return at !== null && left >= at.left && top >= at.top && left + width <= at.left + tailSize
      && top + height <= at.top + tailSize;
  }

  /** Puts the tail's canvas, which is empty, around a point of the page. */
  #placeTail(x, y) {
    const [left, top] = [Math.round(x - tailSize / 2), Math.round(y - tailSize / 2)];
    this.#tailAt = { left, top };
    layCanvas(this.#tail, { left, top, size: tailSize, scale: this.scale, zoom: this.zoom });
  }
}

/**
 * Left, top, right and bottom of points, with a margin.
 * @param {number[][]} points
 * @param {number} margin
 * @returns {[number, number, number, number]}
 */
function boxAround(points, margin) {
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...across) - margin, Math.min(...down) - margin, Math.max(...across) + margin,
    Math.max(...down) + margin];
}
