// Zooms what lies on the stage: moved as one picture while a finger moves it, laid and painted sharply when it rests.
import { Zoom } from "./zoom.js";

const rest = 140; // ms without a movement after which the pages are laid anew
const glide = 170; // ms

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Lens {
  zoom = new Zoom();
  #laid = { scale: 1, x: 0, y: 0 }; // what the pages are laid for
  #timer = null;

  /** Calls `changed` after each change of the scale, which may also move the pages by fractions of a pixel. */
  constructor(paper, changed) {
    this.paper = paper;
    this.changed = changed;
    paper.ground.addEventListener("transitionend", ({ target }) => target === paper.ground && this.settle());
  }

  get isWhole() {
    return this.zoom.isWhole;
  }

  /** Another page or another stage: all of it is seen, at once. */
  reset() {
    const wasWhole = this.isWhole;
    this.zoom.whole();
    this.settle();
    if (!wasWhole) this.changed(1);
  }

  /** Zooms about a point of the screen; `to` is where that point has gone to meanwhile. */
  to(scale, from, to = from) {
    if (this.isWhole) this.zoom.lay(this.paper.frame, this.paper.bounds);
    this.zoom.to(scale, this.#onStage(from), this.#onStage(to));
    this.#move();
  }

  pan(across, down) {
    this.zoom.pan(across, down);
    this.#move();
  }

  /** Zooms about a point in one go, gliding where motion is welcome. */
  go(scale, point = this.#middle()) {
    const { ground } = this.paper;
    this.settle();
    if (!isStill()) ground.classList.add("gliding");
    this.to(scale, point);
    clearTimeout(this.#timer);
    if (isStill()) this.settle();
    else this.#timer = setTimeout(() => this.settle(), glide + 80);
  }

  whole() {
    this.go(1);
  }

  /** Lays the pages where they were moved to. */
  settle() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const { ground } = this.paper;
    ground.classList.remove("gliding", "moving");
    ground.style.transform = "";
    const { scale, x, y } = this.zoom;
    const laid = this.#laid;
    if (scale === laid.scale && x === laid.x && y === laid.y) return;
    this.#laid = { scale, x, y };
    this.paper.magnify(this.#laid);
  }

  /** The fingers are gone. */
  release() {
    this.zoom.round();
    this.settle();
    this.changed(this.zoom.scale);
  }

  #move() {
    const { ground } = this.paper;
    const { scale, x, y } = this.zoom;
    const ratio = scale / this.#laid.scale;
    ground.classList.add("moving");
    ground.style.transform = `translate(${x - this.#laid.x * ratio}px, ${y - this.#laid.y * ratio}px) scale(${ratio})`;
    this.changed(scale);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), rest);
  }

  #onStage({ x, y }) {
    const { left, top } = this.paper.stage.getBoundingClientRect();
    return { x: x - left, y: y - top };
  }

  #middle() {
    const { left, top, width, height } = this.paper.stage.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }
}
