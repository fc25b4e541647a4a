// The whole piece in a narrow strip: loudness, bars to check, sections, and the part that the stage shows.
import { make } from "/shared/dom.js";
import { isDoubtful } from "./bars.js";
import { peaks } from "./sound.js";
import { levelFor } from "./tiles.js";

export class Overview {
  element;
  sound = null;
  colours = {};
  #canvas = make("canvas", { "aria-hidden": "true" });
  #context = this.#canvas.getContext("2d", { alpha: false });
  #still = document.createElement("canvas"); // all that does not move
  #stillKey = "";
  #view;
  #size = { width: 1, height: 1 };
  /** @type {{ bars: any[], end: number | null, marks: any[], placeOf: (bar: string) => number }} */
  #shown = { bars: [], end: null, marks: [], placeOf: () => -1 };
  #head = 0;
  #frame = 0;
  #resized = new ResizeObserver(() => this.#measure());

  /** `looked(seconds)` puts this time in the middle of the stage. */
  constructor(view, looked) {
    this.#view = view;
    this.element = make("div", { class: "overview", "aria-hidden": "true" }, this.#canvas);
    this.#resized.observe(this.element);
    const look = (event) => {
      const box = this.element.getBoundingClientRect();
      looked(((event.clientX - box.left) / box.width) * view.length);
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      look(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons && look(event));
  }

  show(shown) {
    this.#shown = shown;
    this.#stillKey = "";
    this.redraw();
  }

  head(seconds) {
    if (Math.round(this.#x(seconds)) === Math.round(this.#x(this.#head))) return;
    this.#head = seconds;
    this.redraw();
  }

  redraw() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  close() {
    this.#resized.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  #x(seconds) {
    return (seconds / this.#view.length) * this.#size.width;
  }

  #measure() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0) return;
    const scale = window.devicePixelRatio || 1;
    this.#size = { width, height };
    for (const canvas of [this.#canvas, this.#still]) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.getContext("2d").setTransform(scale, 0, 0, scale, 0, 0);
    }
    this.#stillKey = "";
    this.#draw();
  }

  #draw() {
    if (!this.colours.ground) return;
    const { width, height } = this.#size;
    const tiles = this.#tiles();
    const key = [this.#view.length, this.colours.ink,
      ...tiles.map(({ from, column }) => `${from}/${column}`)].join();
    if (key !== this.#stillKey) {
      this.#stillKey = key;
      this.#drawStill(tiles);
    }
    const context = this.#context;
    context.drawImage(this.#still, 0, 0, width, height);
    const [from, to] = [this.#x(this.#view.from), this.#x(this.#view.to)];
    if (!this.#view.isWhole) {
      context.fillStyle = this.colours.ground;
      context.globalAlpha = 0.6;
      context.fillRect(0, 0, from, height);
      context.fillRect(to, 0, width - to, height);
      context.globalAlpha = 1;
      context.strokeStyle = this.colours.soft;
      context.lineWidth = 1.5;
      context.strokeRect(Math.max(from, 0.75), 0.75, Math.max(to - from, 3), height - 1.5);
    }
    context.fillStyle = this.colours.head;
    context.fillRect(Math.round(this.#x(this.#head)) - 1, 0, 2, height);
  }

  #tiles() {
    if (!this.sound) return [];
    const level = levelFor(this.#view.length / this.#size.width, peaks);
    return this.sound.peaksOf(level, 0, this.#view.length);
  }

  #drawStill(tiles) {
    const { width, height } = this.#size;
    const context = this.#still.getContext("2d");
    context.fillStyle = this.colours.panel;
    context.fillRect(0, 0, width, height);
    context.fillStyle = this.colours.wave;
    for (const { value, from, to, column, start } of tiles) {
      for (let x = Math.floor(this.#x(from)); x < Math.min(this.#x(to), width); x += 1) {
        const seconds = (x / width) * this.#view.length;
        const index = Math.floor((seconds - start) / column);
        const loud = Math.max(value[2 * index + 1] ?? 0, -(value[2 * index] ?? 0)) / 127 * this.sound.gain;
        context.fillRect(x, height / 2 - (loud * height) / 2.2, 1, Math.max((loud * height) / 1.1, 1));
      }
    }
    const { bars, end, marks, placeOf } = this.#shown;
    context.fillStyle = this.colours.accent;
    for (const { bar, kind } of marks) {
      const place = placeOf(bar);
      if (kind === "section" && place >= 0) context.fillRect(Math.round(this.#x(bars[place].seconds)), 0, 2, height);
    }
    context.fillStyle = this.colours.warn;
    for (const bar of bars) {
      if (isDoubtful(bar)) context.fillRect(Math.round(this.#x(bar.seconds)) - 1, height - 6, 3, 6);
    }
    context.fillStyle = this.colours.ground;
    context.globalAlpha = 0.6;
    if (bars.length > 0) context.fillRect(0, 0, this.#x(bars[0].seconds), height);
    if (end !== null) context.fillRect(this.#x(end), 0, width, height);
    context.globalAlpha = 1;
  }
}
