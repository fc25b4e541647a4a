// The canvas with the sound and the bars: zoom, scrolling, choosing and dragging, by mouse, finger and wheel.
import { make, mark } from "/shared/dom.js";
import { barAt, nearestBar } from "./hits.js";
import { lanes, markLane, paint, ruler } from "./paint.js";
import { TimeView } from "./view.js";

const reach = { mouse: 5, touch: 20, pen: 10 }; // pixels from a bar's line that mean it
const slack = 4; // pixels a finger may move and still mean a tap

export class Stage {
  element;
  view = new TimeView();
  scene;
  #canvas = make("canvas", { class: "stage-canvas", "aria-hidden": "true" });
  #tip = make("div", { class: "stage-tip", "aria-hidden": "true", hidden: true });
  #context = this.#canvas.getContext("2d", { alpha: false, desynchronized: true });
  #events;
  #pointers = new Map(); // id → {x, y}
  #gesture = null;
  #pinch = 0; // pixels between two fingers
  #height = 1;
  #isDirty = false;
  #frame = 0;
  #resized = new ResizeObserver(() => this.#measure());

  /**
   * `events`: choose(index, isRange), seek(seconds), move(index, seconds, all), insert(seconds), looped(from, to),
   * tip(index, seconds) gives words for a dragged bar, looked() after the view has moved by hand.
   */
  constructor(events) {
    this.#events = events;
    this.scene = { view: this.view, bars: [], marks: [], end: null, sound: null, colours: {}, selection: null,
      loop: null, hover: -1, drag: null, taps: null, expected: null, head: 0, hasSpectrum: true, movesAll: false,
      placeOf: () => -1 };
    this.element = make("div", { class: "stage", role: "slider", tabindex: 0, "aria-label": "Bars in the recording",
      "aria-valuemin": 0 }, this.#canvas, this.#tip);
    this.#resized.observe(this.element);
    const on = (name, act, options) => this.element.addEventListener(name, act, options);
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.#up(event));
    on("pointerleave", () => this.set({ hover: -1 }));
    on("wheel", (event) => this.#wheel(event), { passive: false });
    on("dblclick", (event) => this.#double(event));
  }

  /** Changes the scene; it is drawn with the next frame. */
  set(values) {
    let isNew = false;
    for (const [name, value] of Object.entries(values)) {
      if (this.scene[name] === value) continue;
      this.scene[name] = value;
      isNew = true;
    }
    if (isNew) this.redraw();
  }

  redraw() {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Tells screen readers about the place. */
  tell(index, count, words) {
    mark(this.element, "aria-valuemax", Math.max(count, 1));
    mark(this.element, "aria-valuenow", index + 1);
    mark(this.element, "aria-valuetext", words);
  }

  close() {
    this.#resized.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  #measure() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0) return;
    const scale = window.devicePixelRatio || 1;
    this.#canvas.width = Math.round(clientWidth * scale);
    this.#canvas.height = Math.round(clientHeight * scale);
    this.#height = clientHeight;
    this.#context.setTransform(scale, 0, 0, scale, 0, 0);
    this.view.fit({ width: clientWidth });
    this.#isDirty = false;
    cancelAnimationFrame(this.#frame);
    this.#draw();
  }

  #draw() {
    this.#isDirty = false;
    if (this.scene.colours.ground && this.view.width > 1) {
      this.scene.sound?.want(this.view);
      paint(this.#context, this.scene, this.view.width, this.#height);
    }
  }

  #place(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #barNear(x, kind) {
    const wide = (reach[kind] ?? reach.mouse) * this.view.secondsPerPixel;
    return nearestBar(this.scene.bars, this.view.seconds(x), wide);
  }

  #down(event) {
    if (event.button !== 0) return;
    const place = this.#place(event);
    this.#pointers.set(event.pointerId, place);
    this.element.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) {
      this.#endDrag(false);
      this.#gesture = { kind: "pinch" };
      this.#pinch = this.#spread();
      return;
    }
    const index = place.y < lanes(this.#height).bottom ? this.#barNear(place.x, event.pointerType) : -1;
    const kind = index >= 0 && !this.scene.taps ? "bar" : place.y < ruler ? "range" : "pan";
    this.#gesture = { kind, index, start: place, last: place, hasMoved: false, all: event.altKey || this.scene.movesAll,
      isRange: event.shiftKey, pointer: event.pointerType };
  }

  #move(event) {
    const place = this.#place(event);
    if (!this.#pointers.has(event.pointerId)) {
      if (event.pointerType === "mouse") this.#hover(place);
      return;
    }
    this.#pointers.set(event.pointerId, place);
    const gesture = this.#gesture;
    if (gesture?.kind === "pinch") return void this.#pinchOn();
    if (!gesture) return;
    if (!gesture.hasMoved && Math.abs(place.x - gesture.start.x) < slack) return;
    gesture.hasMoved = true;
    if (gesture.kind === "pan") {
      this.view.pan(gesture.last.x - place.x);
      this.#events.looked();
      this.redraw();
    } else if (gesture.kind === "bar") this.#drag(gesture, place);
    else this.#events.looped(this.view.seconds(gesture.start.x), this.view.seconds(place.x));
    gesture.last = place;
  }

  #up(event) {
    this.#pointers.delete(event.pointerId);
    const gesture = this.#gesture;
    if (gesture?.kind === "pinch") {
      if (this.#pointers.size === 0) this.#gesture = null;
      return;
    }
    if (!gesture) return;
    const isDone = event.type === "pointerup";
    if (gesture.hasMoved) this.#endDrag(isDone);
    else if (isDone) this.#click(gesture);
    this.#gesture = null;
  }

  #click({ index, start, isRange }) {
    const seconds = this.view.seconds(start.x);
    if (index >= 0) this.#events.choose(index, isRange);
    else if (start.y < ruler + markLane || isRange) {
      this.#events.choose(barAt(this.scene.bars, seconds), isRange);
    } else this.#events.seek(seconds);
  }

  #drag(gesture, place) {
    const bar = this.scene.bars[gesture.index];
    if (!bar) return;
    const by = (place.x - gesture.start.x) * this.view.secondsPerPixel;
    const before = this.scene.bars[gesture.index - 1]?.seconds ?? -0.01;
    const after = gesture.all ? Infinity : this.scene.bars[gesture.index + 1]?.seconds ?? this.view.length + 0.01;
    const seconds = Math.min(Math.max(bar.seconds + by, before + 0.01), after - 0.01, this.view.length);
    this.set({ drag: { index: gesture.index, by: seconds - bar.seconds, all: gesture.all } });
    this.#tip.hidden = false;
    this.#tip.textContent = this.#events.tip(gesture.index, seconds, gesture.all);
    const x = Math.min(Math.max(this.view.x(seconds), 60), this.view.width - 60);
    this.#tip.style.transform = `translateX(${x}px) translateX(-50%)`;
  }

  #endDrag(isDone) {
    const { drag } = this.scene;
    this.#tip.hidden = true;
    if (!drag) return;
    const bar = this.scene.bars[drag.index];
    this.set({ drag: null });
    if (isDone && bar && Math.abs(drag.by) > 1e-4) this.#events.move(drag.index, bar.seconds + drag.by, drag.all);
  }

  #hover({ x, y }) {
    const index = y < lanes(this.#height).bottom ? this.#barNear(x, "mouse") : -1;
    this.set({ hover: index });
    mark(this.element, "data-over", index >= 0 ? "bar" : y < ruler ? "ruler" : null);
  }

  #spread() {
    const [one, other] = [...this.#pointers.values()];
    return Math.max(Math.hypot(one.x - other.x, one.y - other.y), 20);
  }

  #pinchOn() {
    if (this.#pointers.size < 2) return;
    const [one, other] = [...this.#pointers.values()];
    const spread = this.#spread();
    const middle = (one.x + other.x) / 2;
    this.view.zoom(spread / this.#pinch, middle);
    if (this.#gesture.middle !== undefined) this.view.pan(this.#gesture.middle - middle);
    this.#gesture.middle = middle;
    this.#pinch = spread;
    this.#events.looked();
    this.redraw();
  }

  /** The wheel zooms at the mouse; sideways, or with Shift, it scrolls. */
  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? this.view.width : 1;
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.view.pan(sideways * unit);
    else this.view.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)), this.#place(event).x);
    this.#events.looked();
    this.redraw();
  }

  #double(event) {
    const place = this.#place(event);
    if (place.y > ruler + markLane && this.#barNear(place.x, "mouse") < 0) {
      this.#events.insert(this.view.seconds(place.x));
    }
  }
}
