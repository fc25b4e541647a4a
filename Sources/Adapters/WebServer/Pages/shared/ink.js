// Drawings over a slide: their bytes, the layer that shows them, and the stream that brings them.
import { draw } from "./dom.js";
import { EventStream } from "./stream.js";

/** The types of drawings, as docs/speakers.md describes them. */
export const strokeType = 0x10;
export const clearType = 0x11;
export const pointerType = 0x12;

/** The most points of a stroke. */
export const mostPoints = 2000;
const whole = 65535;
const longestLight = 5000; // ms without a new place, after which the laser pointer goes out by itself
const fraction = (value) => Math.round(Math.min(Math.max(value, 0), 1) * whole);

/** The bytes of a stroke: `colour` as #rrggbb, `width` as a fraction of the height, `points` as pairs of fractions. */
export function strokeBytes({ colour, width, points }) {
  const bytes = new Uint8Array(6 + 4 * points.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Number.parseInt(colour.slice(1), 16) * 256);
  view.setUint16(4, Math.max(1, fraction(width)));
  points.forEach(([x, y], index) => {
    view.setUint16(6 + 4 * index, fraction(x));
    view.setUint16(8 + 4 * index, fraction(y));
  });
  return bytes;
}

/**
 * The bytes of a place of the laser pointer.
 * @param {number[]} place
 */
export function pointBytes([x, y]) {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, fraction(x));
  view.setUint16(2, fraction(y));
  return new Uint8Array(view.buffer);
}

/** Reads a stroke from base64. */
export function readStroke(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const points = [];
  for (let place = 6; place + 4 <= bytes.length; place += 4) {
    points.push([view.getUint16(place) / whole, view.getUint16(place + 2) / whole]);
  }
  const colour = `#${(view.getUint32(0) >>> 8).toString(16).padStart(6, "0")}`;
  return { colour, width: view.getUint16(4) / whole, points };
}

/** Strokes and the laser pointer over a picture that is shown with `object-fit: contain`. */
export class Ink {
  #strokes = draw("g");
  #live = draw("g");
  #light = draw("circle", { class: "light", fill: "#ff2a1f", "fill-opacity": ".85", visibility: "hidden" });
  #size = [1600, 900];
  #lightTimer = null;

  constructor() {
    this.element = draw("svg", { class: "ink", preserveAspectRatio: "xMidYMid meet", "aria-hidden": "true" },
      this.#strokes, this.#live, this.#light);
    this.fit(...this.#size);
  }

  /** Takes the shape of the picture, in any unit. */
  fit(width, height) {
    if (!(width > 0 && height > 0)) return;
    this.#size = [width, height];
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  show(strokes) {
    this.#strokes.replaceChildren(...strokes.map((stroke) => this.#line(readStroke(stroke))));
  }

  add(stroke) {
    this.#strokes.append(this.#line(readStroke(stroke)));
  }

  /** A line that is being drawn here; the function that it gives removes it, once the server has it. */
  begin(stroke) {
    const line = this.#line(stroke);
    this.#live.append(line);
    return { grow: (points) => line.setAttribute("points", this.#places(points)), remove: () => line.remove() };
  }

  /** The laser pointer; null puts it out. */
  point(place) {
    clearTimeout(this.#lightTimer);
    this.#light.setAttribute("visibility", place ? "visible" : "hidden");
    if (!place) return;
    this.#lightTimer = setTimeout(() => this.point(null), longestLight);
    const [width, height] = this.#size;
    this.#light.setAttribute("cx", place[0] * width);
    this.#light.setAttribute("cy", place[1] * height);
    this.#light.setAttribute("r", 0.012 * height);
  }

  #places(points) {
    const [width, height] = this.#size;
    // A line to itself with round ends is a dot.
    const all = points.length === 1 ? [points[0], points[0]] : points;
    return all.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(" ");
  }

  #line({ colour, width, points }) {
    return draw("polyline", { points: this.#places(points), fill: "none", stroke: colour, "stroke-linecap": "round",
      "stroke-linejoin": "round", "stroke-width": width * this.#size[1] });
  }
}

/** The drawings on the page that is on the screens; it connects again by itself. */
export class DrawingsStream {
  #known = { document: null, page: null, number: 0, strokes: [] };
  #stream;

  /**
   * `listener` has shown(drawings) with `document`, `page` and `strokes` whenever the page or all of it changes,
   * added(stroke) with a further one, and pointed(place) with fractions, or null. `base()` gives the address of the
   * server for each connection, `query()` what follows the address.
   */
  constructor(listener, base = () => "", query = () => "") {
    this.#stream = new EventStream(() => `${base()}/api/floor/drawings${query()}`, {
      heard: (name, value) => this.#hear(name, value, listener),
    }, { greeting: "snapshot", silentAfter: 3500, doubtAfter: 2000, retryAfter: () => 500 });
  }

  get known() {
    return this.#known;
  }

  start() {
    this.#stream.start();
  }

  stop() {
    this.#stream.stop();
  }

  /** Asks for all of it again. */
  join() {
    this.#stream.join();
  }

  #hear(name, value, listener) {
    const drawings = name === "snapshot" ? value.drawings : name === "drawings" ? value : null;
    if (drawings) {
      this.#known = drawings;
      listener.shown(drawings);
    } else if (name === "pointer") {
      listener.pointed(value.x === null ? null : [value.x / whole, value.y / whole]);
    } else if (name === "stroke" && value.number > this.#known.number) {
      // One was missed, as on a slow connection: all of them are asked for again.
      if (value.number !== this.#known.number + 1) return void this.#stream.join();
      this.#known.number = value.number;
      this.#known.strokes.push(value.stroke);
      listener.added(value.stroke);
    }
  }
}
