// The music: the leaves that lie on the stand, and those painted ahead around them.
import { make } from "/shared/dom.js";
import { Leaf } from "./leaf.js";
import { likely, spanOf } from "./sheets.js";

const mostLeaves = 9; // painted at once; each is a screenful of memory

export class Paper {
  #leaves = new Map(); // page → Leaf
  #view = { page: 0, ahead: null };
  #facing = "single";
  #pair = null; // "left" or "right" where two stands are one sheet
  #part = null;
  #picture = null;
  #busy = false;
  #marks = { now: null, pinpoint: null }; // each { page, box, point }
  #magnified = { scale: 1, x: 0, y: 0 };

  /** `listener` takes attach(element, page) and detach(element) of leaves, and failed(page). */
  constructor(stage, listener) {
    this.stage = stage;
    this.listener = listener;
    this.ground = make("div", { class: "ground" }); // what leaves lie on, and what moves while a finger moves it
    stage.append(this.ground);
    new ResizeObserver(() => this.layout()).observe(stage);
  }

  /** Opens a part; `picture(page)` gives a promise of a Blob. */
  open(part, picture) {
    this.close();
    this.#part = part;
    this.#picture = picture;
  }

  close() {
    for (const page of [...this.#leaves.keys()]) this.#drop(page);
    this.#part = null;
    this.#marks = { now: null, pinpoint: null };
  }

  get isOpen() {
    return this.#part !== null;
  }

  /** Pages that can be seen now. */
  get visible() {
    return this.#slots().map(({ page }) => page);
  }

  /** The stage's size. */
  get frame() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight };
  }

  /** The box on the stage that holds every visible page. */
  get bounds() {
    const frames = this.visible.map((page) => this.#frameOf(page));
    if (frames.length === 0) return { left: 0, top: 0, right: this.stage.clientWidth, bottom: this.stage.clientHeight };
    return {
      left: Math.min(...frames.map(({ left }) => left)), top: Math.min(...frames.map(({ top }) => top)),
      right: Math.max(...frames.map(({ left, width }) => left + width)),
      bottom: Math.max(...frames.map(({ top, height }) => top + height)),
    };
  }

  /** Lays what is seen `scale` times as large, moved by x and y; other pages keep ready as a whole. */
  magnify(magnified) {
    this.#magnified = magnified;
    this.layout();
  }

  /** Shows a view. What is painted already is there with the next frame. */
  show(view, facing, pair = null) {
    this.#view = { ...view };
    const frames = facing !== this.#facing || pair !== this.#pair;
    this.#facing = facing;
    this.#pair = pair;
    if (!this.#part) return;
    if (frames) this.layout();
    else this.#uncover();
    this.#prepare();
  }

  layout() {
    if (!this.#part) return;
    for (const page of this.#leaves.keys()) this.#fit(page);
    this.#uncover();
    this.#prepare();
  }

  /** Marks where the music is ("now") or a place shown to all ("pinpoint"); `spot` null takes the mark away. */
  mark(kind, spot) {
    const before = this.#marks[kind];
    if (JSON.stringify(before) === JSON.stringify(spot)) return;
    this.#marks[kind] = spot;
    if (before) this.#leaves.get(before.page)?.mark(kind, null);
    if (spot) this.#leaves.get(spot.page)?.mark(kind, spot.box, spot.point);
  }

  /** The page and the share of its width and height under a point of the screen; null outside all pages. */
  spotAt(clientX, clientY) {
    for (const { page, half } of this.#slots().reverse()) {
      const leaf = this.#leaves.get(page);
      if (!leaf) continue;
      const frame = leaf.element.getBoundingClientRect();
      const [x, y] = [(clientX - frame.left) / frame.width, (clientY - frame.top) / frame.height];
      if (x >= 0 && x <= 1 && y >= 0 && y <= (half ? 0.5 : 1)) return { page, x, y };
    }
    return null;
  }

  /** What lies where: pages with their place (0 left or alone, 1 right) and whether only the upper half counts. */
  #slots() {
    if (!this.#part) return [];
    const { page, ahead } = this.#view;
    const has = ahead !== null && ahead !== undefined;
    const slots = [];
    if (this.#facing === "single") {
      slots.push({ page, place: 0 });
      if (has) slots.push({ page: ahead, place: 0, half: true });
    } else if (this.#pair) {
      slots.push(this.#pair === "left" ? { page: has ? ahead : page, place: 0 } : { page: page + 1, place: 0 });
    } else {
      slots.push({ page: has ? ahead : page, place: 0 }, { page: page + 1, place: 1 });
    }
    return slots.filter((slot) => slot.page >= 0 && slot.page < this.#part.pages.length);
  }

  #placeOf(page) {
    const slot = this.#slots().find((each) => each.page === page);
    if (slot) return slot.place;
    if (spanOf(this.#facing) === 1 || this.#pair) return 0;
    return this.#facing === "book" ? (page + 1) % 2 : page % 2;
  }

  /** A page's box on the stage while the music is not zoomed. */
  #frameOf(page) {
    const { clientWidth, clientHeight } = this.stage;
    const paper = this.#part.pages[page];
    const columns = spanOf(this.#facing) === 2 && !this.#pair ? 2 : 1;
    const scale = Math.min(clientWidth / columns / paper.width, clientHeight / paper.height);
    const [width, height] = [Math.floor(paper.width * scale), Math.floor(paper.height * scale)];
    let left = (clientWidth - width) / 2;
    // Two pages lie spine to spine.
    if (columns === 2) left = this.#placeOf(page) === 0 ? clientWidth / 2 - width : clientWidth / 2;
    return { left: Math.floor(left), top: Math.floor((clientHeight - height) / 2), width, height };
  }

  #fit(page) {
    const frame = this.#frameOf(page);
    const { scale, x, y } = this.#magnified;
    if (scale === 1 || !this.visible.includes(page)) return this.#leaves.get(page).fit(frame);
    return this.#leaves.get(page).fit(
      { left: x + frame.left * scale, top: y + frame.top * scale, width: frame.width * scale,
        height: frame.height * scale }, scale);
  }

  #leaf(page) {
    let leaf = this.#leaves.get(page);
    if (!leaf) {
      leaf = new Leaf(page, this.#part.pages[page], this.#picture);
      this.#leaves.set(page, leaf);
      this.ground.append(leaf.element);
      this.listener.attach(leaf.sheet, page);
      for (const [kind, spot] of Object.entries(this.#marks)) {
        if (spot?.page === page) leaf.mark(kind, spot.box, spot.point);
      }
    }
    return leaf;
  }

  #uncover() {
    const slots = this.#slots();
    const shown = new Map(slots.map((slot) => [slot.page, slot]));
    for (const { page } of slots) {
      this.#leaf(page);
      this.#fit(page);
    }
    for (const [page, leaf] of this.#leaves) {
      const slot = shown.get(page);
      leaf.element.classList.toggle("shown", slot !== undefined);
      leaf.element.classList.toggle("ahead", slot?.half === true);
      leaf.element.classList.toggle("right", slot?.place === 1);
      leaf.element.setAttribute("aria-hidden", slot ? "false" : "true");
    }
    this.stage.dataset.pages = slots.map(({ page }) => page).join(" ");
  }

  /** Paints what is seen and then what is likely to be seen next, one after the other. */
  async #prepare() {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (;;) {
        const part = this.#part;
        if (!part) return;
        const wanted = likely(this.#view, this.#facing, part.pages.length);
        for (const page of [...this.#leaves.keys()]) {
          if (!wanted.includes(page) && this.#leaves.size > mostLeaves) this.#drop(page);
        }
        const next = this.visible.concat(wanted).find((page) => {
          const leaf = this.#leaf(page);
          return this.#fit(page) && !leaf.gaveUp;
        });
        if (next === undefined) return;
        const leaf = this.#leaves.get(next);
        if (this.visible.includes(next) === false) await idle();
        if (part !== this.#part || this.#leaves.get(next) !== leaf) continue;
        if (!(await leaf.paint())) {
          leaf.gaveUp = true;
          setTimeout(() => {
            leaf.gaveUp = false;
            if (this.#leaves.get(next) === leaf) this.#prepare();
          }, 2_000);
          this.listener.failed(next);
        }
      }
    } finally {
      this.#busy = false;
    }
  }

  #drop(page) {
    const leaf = this.#leaves.get(page);
    this.#leaves.delete(page);
    this.listener.detach(leaf.sheet);
    leaf.element.remove();
  }
}

const idle = () =>
  new Promise((done) => (self.requestIdleCallback
    ? requestIdleCallback(done, { timeout: 300 }) : setTimeout(done, 16)));
