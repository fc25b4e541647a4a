// The music: the leaves that lie on the stand, and those painted ahead around them.
import { make } from "/shared/dom.js";
import { cutOf, cutsBetween, systemsOf } from "./cuts.js";
import { shownBox } from "./layout.js";
import { Leaf } from "./leaf.js";
import { stacked } from "./systems.js";
import { likely, spanOf } from "./sheets.js";

const mostLeaves = 9; // painted at once; each is a screenful of memory

export class Paper {
  #leaves = new Map(); // key → Leaf; the key is the page, or the page and the row of it that is shown
  #view = { page: 0, ahead: null };
  #facing = "single";
  #pair = null; // "left" or "right" where two stands are one sheet
  #part = null;
  #picture = null;
  #busy = false;
  #marks = { now: null, pinpoint: null }; // each { page, box, point }
  #cut = null; // where the two halves meet, as shares of the upper page's frame: { cut, end }
  #magnified = { scale: 1, x: 0, y: 0 };
  #isCropped = true;
  /** @type {(page: number) => any[]} */
  #outside = () => []; // gives the boxes of a page's remarks, which are shown whatever is cropped
  #rows = null; // { rows, top } while systems are read one after the other

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
    for (const key of [...this.#leaves.keys()]) this.#drop(key);
    this.#part = this.#rows = null;
    this.#marks = { now: null, pinpoint: null };
  }

  get isOpen() {
    return this.#part !== null;
  }

  /** Pages that can be seen now. */
  get visible() {
    return [...new Set(this.#slots().map(({ page }) => page))];
  }

  /** Crops the margins or not; `outside(page)` gives the boxes of what must be seen all the same. */
  crop(isOn, outside = this.#outside) {
    this.#outside = outside;
    if (isOn === this.#isCropped) return;
    this.#isCropped = isOn;
    this.layout();
  }

  /** The part of a page that is shown, as left, top, right and bottom. */
  boxOf(page) {
    return shownBox(this.#part.pages[page], this.#isCropped, () => this.#outside(page));
  }

  /** The stage's size. */
  get frame() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight };
  }

  /** The box on the stage that holds every visible page. */
  get bounds() {
    const frames = this.#slots().map((slot) => this.#frameOf(slot));
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
  show(view, facing, pair = null, rows = null) {
    this.#view = { ...view };
    const frames = facing !== this.#facing || pair !== this.#pair || (rows === null) !== (this.#rows === null);
    this.#facing = facing;
    this.#pair = pair;
    this.#rows = rows;
    if (!this.#part) return;
    if (frames) this.layout();
    else this.#uncover();
    this.#prepare();
  }

  layout() {
    if (!this.#part) return;
    this.#uncover();
    this.#prepare();
  }

  /** Marks where the music is ("now") or a place shown to all ("pinpoint"); `spot` null takes the mark away. */
  mark(kind, spot) {
    const before = this.#marks[kind];
    if (JSON.stringify(before) === JSON.stringify(spot)) return;
    this.#marks[kind] = spot;
    for (const leaf of this.#leaves.values()) {
      if (before && leaf.page === before.page) leaf.mark(kind, null);
      if (spot && leaf.page === spot.page) leaf.mark(kind, spot.box, spot.point);
    }
  }

  /** The page and the share of its width and height under a point of the screen; null outside all pages. */
  spotAt(clientX, clientY) {
    for (const { key, page, half } of this.#slots().reverse()) {
      const leaf = this.#leaves.get(key);
      if (!leaf) continue;
      const frame = leaf.element.getBoundingClientRect();
      const [x, y] = [(clientX - frame.left) / frame.width, (clientY - frame.top) / frame.height];
      if (x < 0 || x > 1 || y < 0 || y > (half ? this.#cut?.cut ?? 0 : 1)) continue;
      const [left, top, right, bottom] = leaf.box;
      return { page, x: left + x * (right - left), y: top + y * (bottom - top) };
    }
    return null;
  }

  /**
   * The pages on the stage with their place (0 left or alone, 1 right), and whether only the upper half counts.
   * @returns {any[]}
   */
  #slots() {
    if (!this.#part) return [];
    if (this.#rows) return stacked(this.#rows, this.frame, this.#part).map((row) => this.#rowSlot(row));
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
    return slots.filter((slot) => slot.page >= 0 && slot.page < this.#part.pages.length)
      .map((slot) => ({ ...slot, key: slot.page }));
  }

  #rowSlot({ index, frame = null }) {
    const { page, box, systems } = this.#rows.rows[index];
    return { key: `${page}/${index}`, page, place: 0, box, systems, frame };
  }

  #placeOf(page) {
    const slot = this.#slots().find((each) => each.page === page);
    if (slot) return slot.place;
    if (spanOf(this.#facing) === 1 || this.#pair) return 0;
    return this.#facing === "book" ? (page + 1) % 2 : page % 2;
  }

  /** The frame of a slot on the stage while the music is not zoomed. */
  #frameOf({ page, place, frame }) {
    if (frame) return frame;
    const { clientWidth, clientHeight } = this.stage;
    const [boxLeft, boxTop, boxRight, boxBottom] = this.boxOf(page);
    const paper = { width: this.#part.pages[page].width * (boxRight - boxLeft),
      height: this.#part.pages[page].height * (boxBottom - boxTop) };
    const columns = spanOf(this.#facing) === 2 && !this.#pair ? 2 : 1;
    const scale = Math.min(clientWidth / columns / paper.width, clientHeight / paper.height);
    const [width, height] = [Math.floor(paper.width * scale), Math.floor(paper.height * scale)];
    let left = (clientWidth - width) / 2;
    // Two pages lie spine to spine.
    if (columns === 2) left = place === 0 ? clientWidth / 2 - width : clientWidth / 2;
    return { left: Math.floor(left), top: Math.floor((clientHeight - height) / 2), width, height };
  }

  #fit(slot) {
    const { key, page } = slot;
    const frame = this.#frameOf(slot);
    const box = slot.box ?? this.boxOf(page);
    const { scale, x, y } = this.#magnified;
    const leaf = this.#leaves.get(key);
    leaf.systems = slot.systems ?? null;
    if (scale === 1 || !this.visible.includes(page)) return leaf.fit(frame, 1, box);
    return leaf.fit(
      { left: x + frame.left * scale, top: y + frame.top * scale, width: frame.width * scale,
        height: frame.height * scale }, scale, box);
  }

  #leaf({ key, page }) {
    let leaf = this.#leaves.get(key);
    if (!leaf) {
      leaf = new Leaf(page, this.#part.pages[page], this.#picture);
      this.#leaves.set(key, leaf);
      this.ground.append(leaf.element);
      this.listener.attach(leaf.whole, page);
      for (const [kind, spot] of Object.entries(this.#marks)) {
        if (spot?.page === page) leaf.mark(kind, spot.box, spot.point);
      }
    }
    return leaf;
  }

  #uncover() {
    const slots = this.#slots();
    const shown = new Map(slots.map((slot) => [slot.key, slot]));
    for (const slot of slots) {
      this.#leaf(slot);
      this.#fit(slot);
    }
    this.#cutHalves(slots);
    for (const [key, leaf] of this.#leaves) {
      const slot = shown.get(key);
      leaf.element.classList.toggle("shown", slot !== undefined);
      leaf.element.classList.toggle("ahead", slot?.half === true);
      leaf.element.classList.toggle("right", slot?.place === 1);
      leaf.element.setAttribute("aria-hidden", slot ? "false" : "true");
    }
    this.stage.dataset.pages = this.visible.join(" ");
    this.stage.classList.toggle("systems", this.#rows !== null);
  }

  /** Two pages that share the stage meet between systems of both, so that no system is cut. */
  #cutHalves(slots) {
    const [upper, lower] = [slots.find(({ half }) => half), slots.find(({ half }) => !half)];
    this.#cut = null;
    if (!upper || this.#facing !== "single") return;
    const [above, below] = [this.#frameOf(upper), this.#frameOf(lower)];
    const onStage = (frame) => (height) => frame.top + height * frame.height;
    const next = this.#cutsOf(upper);
    const cut = cutOf(this.#cutsOf(lower).cuts.map(onStage(below)), next.cuts.map(onStage(above)),
      onStage(above)(next.end));
    const share = (height) => Math.min(Math.max((height - above.top) / above.height, 0), 1);
    this.#cut = cut && { cut: share(cut.cut), end: share(cut.end) };
    this.#leaves.get(upper.key).cutAt(this.#cut);
  }

  /** The heights at which what is shown of a page can be cut, the best first, and where its music ends: `{ cuts, end }`
      in shares of it. */
  #cutsOf({ key, page }) {
    const [, top, , bottom] = this.boxOf(page);
    const boxes = (this.#part.places ?? []).filter((place) => place.page === page && place.box).map(({ box }) => box);
    if (boxes.length === 0) return this.#leaves.get(key)?.gaps ?? { cuts: [], end: 1 };
    const shown = (height) => (height - top) / (bottom - top);
    const systems = systemsOf(boxes);
    return { cuts: cutsBetween(systems).map(shown), end: shown(systems.at(-1).bottom) };
  }

  /** True if half of this page can be turned to another: both have a place between systems. */
  canHalve(page, next) {
    if (!this.#part || this.#rows || this.#facing !== "single") return true;
    return [page, next].every((each) => this.#leaves.has(each)
      ? this.#cutsOf({ key: each, page: each }).cuts.length > 0 : true);
  }

  /** Paints what is seen and then what is likely to be seen next, one after the other. */
  async #prepare() {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (;;) {
        const part = this.#part;
        if (!part) return;
        const slots = this.#slots();
        const wanted = slots.concat(this.#likely());
        const keys = new Set(wanted.map(({ key }) => key));
        for (const key of [...this.#leaves.keys()]) {
          if (!keys.has(key) && this.#leaves.size > Math.max(mostLeaves, keys.size)) this.#drop(key);
        }
        const next = wanted.find((slot) => {
          const leaf = this.#leaf(slot);
          return this.#fit(slot) && !leaf.gaveUp;
        });
        if (next === undefined) return;
        const leaf = this.#leaves.get(next.key);
        const isSeen = slots.includes(next);
        if (!isSeen) await idle();
        if (part !== this.#part || this.#leaves.get(next.key) !== leaf) continue;
        if (await leaf.paint()) {
          // Only now it is known where a page without measures can be cut.
          if (isSeen && this.#view.ahead !== null) this.#uncover();
        } else {
          leaf.gaveUp = true;
          setTimeout(() => {
            leaf.gaveUp = false;
            if (this.#leaves.get(next.key) === leaf) this.#prepare();
          }, 2_000);
          this.listener.failed(next.page);
        }
      }
    } finally {
      this.#busy = false;
    }
  }

  /** The pages worth preparing, the most likely first. */
  #likely() {
    if (!this.#rows) {
      return likely(this.#view, this.#facing, this.#part.pages.length)
        .map((page) => ({ key: page, page, place: this.#placeOf(page) }));
    }
    const { rows, top } = this.#rows;
    // A row that is seen keeps its place: near the end no others follow.
    const next = stacked({ rows, top: top + this.#slots().length }, this.frame, this.#part);
    return next.map((row) => this.#rowSlot(row));
  }

  #drop(key) {
    const leaf = this.#leaves.get(key);
    this.#leaves.delete(key);
    this.listener.detach(leaf.whole);
    leaf.element.remove();
  }
}

const idle = () =>
  new Promise((done) => (self.requestIdleCallback
    ? requestIdleCallback(done, { timeout: 300 }) : setTimeout(done, 16)));
