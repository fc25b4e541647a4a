// Frames over the picture of a page: drawn, moved, pulled at their edges, or made by dragging over empty paper.
import { make } from "/shared/dom.js";

const smallest = 0.008;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const round = (value) => Math.round(value * 1e5) / 1e5;
export const rounded = (box) => box.map(round);

/** Puts a frame where it belongs; shares of the paper. */
function lay(element, box) {
  element.style.left = `${box[0] * 100}%`;
  element.style.top = `${box[1] * 100}%`;
  element.style.width = `${(box[2] - box[0]) * 100}%`;
  element.style.height = `${(box[3] - box[1]) * 100}%`;
}

/** A frame moved by shares of the page, kept on it. */
export function moved(box, across, down) {
  const x = clamp(across, -box[0], 1 - box[2]);
  const y = clamp(down, -box[1], 1 - box[3]);
  return rounded([box[0] + x, box[1] + y, box[2] + x, box[3] + y]);
}

/** A frame with some of its edges pulled: `edges` holds l, t, r, b. */
export function pulled(box, edges, across, down) {
  const [left, top, right, bottom] = box;
  return rounded([
    edges.includes("l") ? clamp(left + across, 0, right - smallest) : left,
    edges.includes("t") ? clamp(top + down, 0, bottom - smallest) : top,
    edges.includes("r") ? clamp(right + across, left + smallest, 1) : right,
    edges.includes("b") ? clamp(bottom + down, top + smallest, 1) : bottom,
  ]);
}

/**
 * Draws frames on `paper` and hears pointers on it.
 * `does`: { select(index, how), selectIn(box), frame(box), shift(moved), add(box), split(index, share),
 * isSeveral() }; `how` is `only`, `toggle` or `range`, nothing if a frame got the focus.
 */
export class Frames {
  constructor(paper, does) {
    this.paper = paper;
    this.does = does;
    this.elements = new Map();
    paper.addEventListener("pointerdown", (event) => this.#press(event));
    paper.addEventListener("dblclick", (event) => {
      const frame = event.target.closest(".frame");
      if (!frame) return;
      const area = frame.getBoundingClientRect();
      does.split(Number(frame.dataset.index), clamp((event.clientX - area.left) / area.width, 0.1, 0.9));
    });
  }

  /** `places`: of this page, each { index, place, isFaulty }; `group`: the indices chosen, with `selected`. */
  draw(places, selected, group) {
    const before = this.elements;
    const hadFocus = this.paper.contains(document.activeElement) && document.activeElement.classList.contains("frame");
    this.elements = new Map();
    for (const { index, place, isFaulty } of places) {
      const element = before.get(index) ?? this.#make(index);
      before.delete(index);
      this.elements.set(index, element);
      lay(element, place.box);
      const name = place.first === place.last ? `${place.first}` : `${place.first}–${place.last}`;
      element.firstChild.textContent = name;
      const state = isFaulty ? ", has a fault" : place.isDoubtful ? ", doubtful" : "";
      element.setAttribute("aria-label", `Measure ${name}${state}`);
      element.setAttribute("aria-pressed", String(group.includes(index)));
      element.dataset.edited = String(index === selected && group.length === 1);
      element.dataset.faulty = String(isFaulty);
      element.dataset.doubtful = String(Boolean(place.isDoubtful));
      element.tabIndex = index === selected || (selected < 0 && this.elements.size === 1) ? 0 : -1;
    }
    for (const element of before.values()) element.remove();
    // The order on the page is the reading order, also for screen readers.
    for (const element of this.elements.values()) this.paper.append(element);
    if (hadFocus) this.elements.get(selected)?.focus({ preventScroll: true });
  }

  focus(index) { this.elements.get(index)?.focus({ preventScroll: true }); }

  #make(index) {
    const edges = ["l", "r", "t", "b", "lt", "rt", "lb", "rb"]
      .map((edge) => make("i", { class: "edge", "data-edge": edge, "aria-hidden": "true" }));
    const element = make("button", { type: "button", class: "frame", "data-index": index }, make("span"), ...edges);
    element.addEventListener("click", (event) => {
      // A pointer chose on its way down, if it did more than to choose one.
      if (event.detail === 0) this.does.select(index, this.#how(event));
      else if (this.#how(event) === "only" && !this.wasDragged) this.does.select(index, "only");
    });
    element.addEventListener("focus", () => this.does.select(index));
    return element;
  }

  #how(event) {
    return event.shiftKey ? "range" : event.ctrlKey || event.metaKey || this.does.isSeveral() ? "toggle" : "only";
  }

  #press(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const area = this.paper.getBoundingClientRect();
    const share = (e) => [clamp((e.clientX - area.left) / area.width, 0, 1),
      clamp((e.clientY - area.top) / area.height, 0, 1)];
    const from = share(event);
    const frame = event.target.closest(".frame");
    const edge = event.target.dataset.edge;
    const how = this.#how(event);
    this.wasDragged = false;
    // Fingers scroll the page; they draw only where a frame was chosen before, or to choose several.
    if (event.pointerType === "touch" && !frame && how === "only") return;
    if (frame) {
      const index = Number(frame.dataset.index);
      const wasSelected = frame.getAttribute("aria-pressed") === "true";
      if (how !== "only") event.preventDefault();
      if (how !== "only" || !wasSelected) this.does.select(index, how);
      frame.focus({ preventScroll: true });
      if (how !== "only" || (event.pointerType === "touch" && !wasSelected)) return;
    }
    event.preventDefault();
    const ghost = frame ?? this.paper.appendChild(make("div", { class: "ghost" }));
    const start = frame ? this.#box(frame) : [...from, ...from];
    let box = null;
    const follow = (e) => {
      const to = share(e);
      const [across, down] = [to[0] - from[0], to[1] - from[1]];
      if (!box && Math.abs(across) * area.width < 4 && Math.abs(down) * area.height < 4) return;
      box = !frame ? rounded([Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]),
        Math.max(from[1], to[1])])
        : edge ? pulled(start, edge, across, down) : moved(start, across, down);
      this.wasDragged = true;
      lay(ghost, box);
    };
    const end = (e) => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!frame) ghost.remove();
      const isKept = e.type === "pointerup" && box && box[2] - box[0] >= smallest && box[3] - box[1] >= smallest;
      if (!isKept) {
        if (frame) lay(frame, start);
        else this.does.select(-1);
        return;
      }
      if (!frame) return how === "only" ? this.does.add(box) : this.does.selectIn(box);
      if (edge || frame.dataset.edited === "true") return this.does.frame(box);
      const [across, down] = [box[0] - start[0], box[1] - start[1]];
      lay(frame, start);
      this.does.shift((each) => moved(each, across, down));
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  #box(frame) {
    const [left, top, width, height] = ["left", "top", "width", "height"]
      .map((name) => parseFloat(frame.style[name]) / 100);
    return [left, top, left + width, top + height];
  }
}
