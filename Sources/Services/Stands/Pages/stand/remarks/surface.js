// The layer over one page: its remarks as SVG. Only changed ones are drawn anew.
import { draw, make, mark } from "/shared/dom.js";
import { whole } from "./geometry.js";
import { Grid } from "./grid.js";
import { isOnBlack } from "./ink.js";
import { mayBeMisplaced } from "./misplaced.js";
import { extentOf, isSame, paint, placeOf, touches } from "./picture.js";
import { sentenceFor } from "./words.js";

const layoutTolerance = 0.02; // pages are laid on whole pixels, and small ones show it

/** The essential layout, set on the elements themselves: a style sheet may come late. */
export function cover(element) {
  Object.assign(element.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
  return element;
}

export class Surface {
  #drawn = new Map(); // id → { remark, extent, group, box, note }
  #grid = null;
  #lifted = null; // { id, dx, dy }

  /** `paper` is the page's own `{ width, height }`: remarks are kept in shares of it, whatever is laid out yet. */
  constructor(element, { part, page, paper }, desk) {
    if (!(paper?.width > 0 && paper?.height > 0)) throw new Error(`Page ${page + 1} has no size; remarks need one.`);
    this.element = element;
    this.part = part;
    this.page = page;
    this.desk = desk;
    this.paper = [paper.width, paper.height];
    this.ratio = paper.height / paper.width; // of the page's height to its width
    const picture = (name, label) =>
      cover(draw("svg", { class: `remark-${name}`, role: "group", "aria-label": `${label} on page ${page + 1}`,
        preserveAspectRatio: "none",
        viewBox: `0 0 ${whole} ${Math.round(whole * this.ratio)}` }));
    this.highlights = picture("highlights", "Highlights");
    this.ink = picture("ink", "Remarks");
    this.root = cover(make("div", { class: "remarks" }, this.highlights, this.ink));
    this.frame = draw("rect", { class: "remark-frame" });
    this.notes = draw("g", { "aria-hidden": "true" });
    this.ink.append(this.notes);
    element.classList.add("remarked");
    element.append(this.root);
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(element);
    this.ground();
    this.measure();
    this.show();
  }

  close() {
    this.watch.disconnect();
    this.root.remove();
    this.element.classList.remove("remarked", "remark-drawing");
    delete this.element.dataset.remarkTool;
  }

  /** Takes the paper's colour. */
  ground() {
    this.isOnBlack = isOnBlack(this.root);
    mark(this.root, "data-ground", this.isOnBlack ? "dark" : null);
  }

  /** Takes how large the page is laid out, for what keeps its size on the screen. */
  measure() {
    const { clientWidth: width } = this.root;
    if (width > 0) this.root.style.setProperty("--remark-unit", String(whole / width));
  }

  /** False until the page is laid out in its own proportions: a point of the screen is no point of the page before. */
  get isLaid() {
    const { width, height } = this.root.getBoundingClientRect();
    return width > 0 && Math.abs(height / width / this.ratio - 1) < layoutTolerance;
  }

  /** Shows what the book has for this page. */
  show() {
    const { book } = this.desk;
    const remarks = book.on(this.part, this.page);
    const wanted = new Set(remarks.map(({ id }) => id));
    for (const [id, drawn] of this.#drawn) {
      if (wanted.has(id)) continue;
      this.#remove(drawn);
      this.#drawn.delete(id);
    }
    for (const remark of remarks) this.#draw(remark);
    for (const [id, { group }] of this.#drawn) group.classList.toggle("sought", id === this.desk.sought);
    const highlights = remarks.filter(({ shape }) => shape.highlight);
    this.#order(this.highlights, highlights);
    // What mixes with the paper below has the browser draw the page twice, even if it is empty.
    this.highlights.style.display = highlights.length > 0 ? "" : "none";
    this.#order(this.ink, remarks.filter(({ shape }) => !shape.highlight));
    this.#grid = null;
    if (this.#lifted) this.lift(this.#lifted.id, this.#lifted.dx, this.#lifted.dy);
    this.reframe();
  }

  #draw(remark) {
    const { book, isEditing } = this.desk;
    let drawn = this.#drawn.get(remark.id);
    if (drawn && Boolean(drawn.remark.shape.highlight) !== Boolean(remark.shape.highlight)) {
      this.#remove(drawn);
      drawn = undefined;
    }
    if (!drawn) {
      drawn = { group: draw("g", { class: "remark", role: "img", "data-remark": remark.id }), remark: null,
        note: null };
      this.#drawn.set(remark.id, drawn);
    }
    const { group } = drawn;
    const isUndelivered = book.undelivered.has(remark.id);
    const isUnsure = mayBeMisplaced(remark, this.ratio);
    const facts = `${isUndelivered} ${isUnsure} ${isEditing} ${book.layerOf(remark)} ${book.authorOf(remark)}`;
    if (drawn.remark === remark && drawn.facts === facts) return;
    drawn.facts = facts;
    if (!drawn.remark || !isSame(drawn.remark, remark)) {
      paint(group, remark, this.ratio);
      drawn.extent = extentOf(remark, this.ratio);
    }
    drawn.remark = remark;
    const [left, top, right, bottom] = drawn.extent;
    const [x, y] = [remark.anchor[0], remark.anchor[1] * this.ratio];
    drawn.box = [x + left, y + top, x + right, y + bottom];
    group.classList.toggle("undelivered", isUndelivered);
    group.classList.toggle("unsure", isUnsure);
    if (isUndelivered || isUnsure) {
      drawn.note ??= draw("text", { class: "remark-note" });
      drawn.note.textContent = isUndelivered ? "not sent yet" : "place unsure";
      drawn.note.setAttribute("x", drawn.box[2]);
      drawn.note.setAttribute("y", drawn.box[1] - 3 * this.unit);
      this.notes.append(drawn.note);
    } else {
      drawn.note?.remove();
      drawn.note = null;
    }
    mark(group, "aria-label",
      sentenceFor(remark, { author: book.authorOf(remark), layer: book.layerOf(remark), isUndelivered, isUnsure }));
    mark(group, "tabindex", isEditing ? "0" : null);
  }

  #remove({ group, note }) {
    group.remove();
    note?.remove();
  }

  /** The same order on every stand: the room's. */
  #order(svg, remarks) {
    let next = svg.firstChild;
    for (const { id } of remarks) {
      const { group } = this.#drawn.get(id);
      if (group === next) next = next.nextSibling;
      else svg.insertBefore(group, next);
    }
  }

  // -- places ---------------------------------------------------------------------------------------------

  /** Page units to one CSS pixel. */
  get unit() {
    return whole / (this.root.clientWidth || 1);
  }

  /** A point of the screen on this page, as long across as down; it may lie outside the page. */
  pointOf({ clientX, clientY }) {
    const { left, top, width, height } = this.root.getBoundingClientRect();
    return { x: ((clientX - left) / width) * whole, y: ((clientY - top) / height) * whole * this.ratio };
  }

  covers({ clientX, clientY }) {
    const { left, top, right, bottom } = this.root.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  }

  /**
   * The uppermost remark at a point for which `wants` is true; undefined if there is none.
   * @param {{ x: number, y: number }} point
   * @param {number} reach
   * @param {(remark: import("/shared/exchanged").Remark) => unknown} wants
   */
  hit({ x, y }, reach, wants = () => true) {
    this.#grid ??= new Grid([...this.desk.book.on(this.part, this.page)].map(({ id }) => this.#drawn.get(id)),
      this.ratio);
    return this.#grid.near(x, y, reach).find(({ remark, extent }) =>
      wants(remark) && touches(remark, this.ratio, extent, x - remark.anchor[0], y - remark.anchor[1] * this.ratio,
        reach))?.remark;
  }

  boxOf(id) {
    return this.#drawn.get(id)?.box ?? null;
  }

  groupOf(id) {
    return this.#drawn.get(id)?.group ?? null;
  }

  // -- moving and choosing --------------------------------------------------------------------------------

  /** Shows a remark moved by so much, without changing it. */
  lift(id, dx, dy) {
    this.#lifted = { id, dx, dy };
    const drawn = this.#drawn.get(id);
    if (!drawn) return;
    drawn.group.setAttribute("transform", placeOf(drawn.remark, this.ratio, dx, dy));
    drawn.group.classList.add("lifted");
    this.reframe();
  }

  /** Puts it back to where it really is. */
  land() {
    if (!this.#lifted) return;
    const drawn = this.#drawn.get(this.#lifted.id);
    this.#lifted = null;
    if (!drawn) return;
    drawn.group.setAttribute("transform", placeOf(drawn.remark, this.ratio));
    drawn.group.classList.remove("lifted");
    this.reframe();
  }

  /** Draws the frame around what is chosen on this page. */
  reframe() {
    const chosen = this.desk.chosen;
    const box = chosen?.surface === this ? this.boxOf(chosen.id) : null;
    if (!box) return this.frame.remove();
    const { dx = 0, dy = 0 } = this.#lifted?.id === chosen.id ? this.#lifted : {};
    const margin = 6 * this.unit;
    const traits = { x: box[0] + dx - margin, y: box[1] + dy - margin, width: box[2] - box[0] + 2 * margin,
      height: box[3] - box[1] + 2 * margin };
    for (const [name, value] of Object.entries(traits)) this.frame.setAttribute(name, value.toFixed(1));
    if (this.frame.parentNode !== this.ink) this.ink.append(this.frame);
  }
}
