// Remarks by keyboard: arrows move the one in focus, Delete removes it, Enter edits a text; a cross puts new ones.
import { make } from "/shared/dom.js";
import { anchorAt, movedAnchor, place } from "./gestures.js";
import { clamp, whole } from "./geometry.js";

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const [small, large] = [40, 250]; // ten-thousandths of the page's width a key press moves
const settled = 600; // ms after the last key press a move is sent

const stepOf = (event) => arrows[event.key]?.map((part) => part * (event.shiftKey ? large : small));

export class Keys {
  #moving = null; // { id, dx, dy, timer }
  #spot = null; // where the cross is

  constructor(surface, desk) {
    this.surface = surface;
    this.desk = desk;
    this.cross = make("div", { class: "remark-cross", tabindex: "0", role: "button", hidden: true });
    surface.root.append(this.cross);
    this.cross.addEventListener("keydown", (event) => this.#onCross(event));
    this.cross.addEventListener("focus", () => this.#point());
    for (const svg of [surface.highlights, surface.ink]) {
      svg.addEventListener("keydown", (event) => this.#onRemark(event));
      svg.addEventListener("focusin", (event) => this.#focused(event));
      svg.addEventListener("focusout", () => this.settle());
      svg.addEventListener("click", (event) => this.#focused(event));
    }
  }

  /** The cross is there while there is something to put. */
  show() {
    const { tools } = this.desk;
    this.cross.hidden = !tools.isPutting;
    const what = tools.kind === "text" ? "Write a text" : "Put the stamp";
    this.cross.setAttribute("aria-label",
      `${what} on page ${this.surface.page + 1}; arrow keys move the place, Enter puts it`);
  }

  /** Sends a move that is under way. */
  settle() {
    const moving = this.#moving;
    this.#moving = null;
    if (!moving) return;
    clearTimeout(moving.timer);
    this.surface.land();
    const remark = this.desk.book.get(moving.id);
    if (remark) {
      this.desk.acts.do({ edit: { remark: remark.id, anchor: movedAnchor(this.surface, remark, moving.dx, moving.dy),
        paper: this.surface.paper } });
    }
  }

  #focused(event) {
    const id = event.target.closest?.("[data-remark]")?.dataset.remark;
    if (id) this.desk.choose(this.surface, id);
  }

  #onRemark(event) {
    const { desk, surface } = this;
    const group = event.target.closest?.("[data-remark]");
    const remark = group && desk.book.get(group.dataset.remark);
    if (!remark || event.ctrlKey || event.metaKey || event.altKey) return;
    const mayChange = desk.book.mayChange(remark);
    const step = stepOf(event);
    if (step) {
      if (!mayChange) desk.say("Only its author moves a remark.", true);
      else this.#shift(remark, step);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.settle();
      if (!mayChange) desk.say("Only its author deletes a remark.", true);
      else {
        const next = group.nextElementSibling ?? group.previousElementSibling;
        desk.remove(remark.id);
        next?.focus?.();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.settle();
      if (mayChange && remark.shape.text !== undefined) desk.writing.edit(surface, remark);
      else desk.choose(surface, remark.id);
    } else if (event.key === "Escape") {
      this.settle();
      desk.choose(null);
      group.blur();
    } else return;
    event.stopPropagation();
    event.preventDefault();
  }

  #shift(remark, [dx, dy]) {
    if (this.#moving?.id !== remark.id) {
      this.settle();
      this.#moving = { id: remark.id, dx: 0, dy: 0, timer: null };
    }
    const moving = this.#moving;
    moving.dx += dx;
    moving.dy += dy;
    this.surface.lift(remark.id, moving.dx, moving.dy);
    clearTimeout(moving.timer);
    moving.timer = setTimeout(() => this.settle(), settled);
  }

  #onCross(event) {
    const { desk, surface } = this;
    const step = stepOf(event);
    if (step) {
      const high = whole * surface.ratio;
      this.#spot = { x: clamp(this.#spot.x + step[0], 0, whole), y: clamp(this.#spot.y + step[1], 0, high) };
      this.#point();
    } else if (event.key === "Enter" || event.key === " ") {
      const anchor = anchorAt(surface, this.#spot);
      if (desk.tools.kind === "text") desk.writing.begin(surface, anchor);
      else if (place(desk, surface, "stamp", anchor, { stamp: desk.tools.stamp })) desk.say("Put.");
    } else return;
    event.stopPropagation();
    event.preventDefault();
  }

  #point() {
    this.#spot ??= { x: whole / 2, y: (whole * this.surface.ratio) / 2 };
    const high = whole * this.surface.ratio;
    Object.assign(this.cross.style,
      { left: `${(this.#spot.x / whole) * 100}%`, top: `${(this.#spot.y / high) * 100}%` });
  }
}
