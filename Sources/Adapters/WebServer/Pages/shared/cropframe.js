// A frame over a page whose edges are dragged, to say which part of the page is shown.
import { make } from "./dom.js";

const least = 0.2; // of the page that must stay
const step = 0.005; // of the page for a press of an arrow
const names = { l: "Left edge", t: "Upper edge", r: "Right edge", b: "Lower edge" };
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const rounded = (value) => Math.round(value * 1e4) / 1e4;

/**
 * A box with some of its edges moved; `edges` holds letters of l, t, r and b.
 * @param {number[]} box
 * @param {string} edges
 * @param {number} across
 * @param {number} down
 */
export function pulledBox([left, top, right, bottom], edges, across, down) {
  return [
    edges.includes("l") ? clamp(left + across, 0, right - least) : left,
    edges.includes("t") ? clamp(top + down, 0, bottom - least) : top,
    edges.includes("r") ? clamp(right + across, left + least, 1) : right,
    edges.includes("b") ? clamp(bottom + down, top + least, 1) : bottom,
  ].map(rounded);
}

export class CropFrame {
  /**
   * Lies over `area`, which is the whole page. Calls `changed(box)` while an edge is moved, and `done(box)` after it.
   * @param {HTMLElement} area
   * @param {{ changed?: (box: number[]) => void, done?: (box: number[]) => void }} listener
   */
  constructor(area, { changed = () => {}, done = () => {} }) {
    this.area = area;
    this.changed = changed;
    this.done = done;
    this.box = [0, 0, 1, 1];
    this.element = make("div", { class: "crop-frame" },
      ...["l", "t", "r", "b"].map((edge) => this.#handle(edge, names[edge])),
      ...["lt", "rt", "lb", "rb"].map((edge) => this.#handle(edge)));
    area.append(this.element);
  }

  show(box) {
    this.box = [...box];
    const [left, top, right, bottom] = box.map((share) => share * 100);
    Object.assign(this.element.style,
      { left: `${left}%`, top: `${top}%`, width: `${right - left}%`, height: `${bottom - top}%` });
  }

  remove() {
    this.element.remove();
  }

  #handle(edge, label = null) {
    const handle = make("button", { type: "button", class: "crop-handle", "data-edge": edge,
      ...(label ? { "aria-label": label } : { tabindex: "-1", "aria-hidden": "true" }) });
    handle.addEventListener("pointerdown", (event) => this.#drag(handle, edge, event));
    handle.addEventListener("keydown", (event) => {
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
      if (x === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#move(pulledBox(this.box, edge, x * step, y * step));
      this.done(this.box);
    });
    return handle;
  }

  #move(box) {
    this.show(box);
    this.changed(this.box);
  }

  #drag(handle, edge, event) {
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    event.stopPropagation();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const from = this.box;
    const { width, height } = this.area.getBoundingClientRect();
    const ending = new AbortController();
    const follow = (at) => this.#move(
      pulledBox(from, edge, (at.clientX - event.clientX) / width, (at.clientY - event.clientY) / height));
    handle.addEventListener("pointermove", follow, { signal: ending.signal });
    for (const name of ["pointerup", "pointercancel"]) {
      handle.addEventListener(name, () => {
        ending.abort();
        if (name === "pointercancel") this.#move(from);
        else this.done(this.box);
      }, { signal: ending.signal });
    }
  }
}
