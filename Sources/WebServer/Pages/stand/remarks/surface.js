// What lies over one page: its remarks as SVG. Only what has changed is drawn anew.
import { draw, make, mark } from "/shared/dom.js";
import { whole } from "./geometry.js";
import { Grid } from "./grid.js";
import { isOnBlack } from "./ink.js";
import { extentOf, isSame, paint, placeOf, touches } from "./picture.js";
import { sentenceFor } from "./words.js";

const ratioTolerance = 0.01;

export class Surface {
  ratio = 0; // of the page's height to its width; 0 before it is laid out
  #drawn = new Map(); // id → { remark, extent, group, box, note }
  #grid = null;
  #lifted = null; // { id, dx, dy }

  constructor(element, { part, page }, desk) {
    Object.assign(this, { element, part, page, desk });
    const picture = (name, label) =>
      draw("svg", { class: `remark-${name}`, role: "group", "aria-label": `${label} on page ${page + 1}`, preserveAspectRatio: "none" });
    this.highlights = picture("highlights", "Highlights");
    this.ink = picture("ink", "Remarks");
    this.root = make("div", { class: "remarks" }, this.highlights, this.ink);
    this.frame = draw("rect", { class: "remark-frame" });
    this.notes = draw("g", { "aria-hidden": "true" });
    this.ink.append(this.notes);
    element.classList.add("remarked");
    element.append(this.root);
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(element);
    this.ground();
    this.measure();
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

  /** Takes the page's size; a change of its proportions draws everything anew. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0) return;
    this.root.style.setProperty("--remark-unit", String(whole / width));
    const ratio = height / width;
    if (this.ratio > 0 && Math.abs(ratio / this.ratio - 1) < ratioTolerance) return;
    this.ratio = ratio;
    for (const svg of [this.highlights, this.ink]) svg.setAttribute("viewBox", `0 0 ${whole} ${Math.round(whole * ratio)}`);
    for (const drawn of this.#drawn.values()) this.#remove(drawn);
    this.#drawn.clear();
    this.show();
  }

  /** Shows what the book has for this page. */
  show() {
    if (this.ratio === 0) return;
    const { book } = this.desk;
    const remarks = book.on(this.part, this.page);
    const wanted = new Set(remarks.map(({ id }) => id));
    for (const [id, drawn] of this.#drawn) {
      if (wanted.has(id)) continue;
      this.#remove(drawn);
      this.#drawn.delete(id);
    }
    for (const remark of remarks) this.#draw(remark);
    this.#order(this.highlights, remarks.filter(({ shape }) => shape.highlight));
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
      drawn = { group: draw("g", { class: "remark", role: "img", "data-remark": remark.id }), remark: null, note: null };
      this.#drawn.set(remark.id, drawn);
    }
    const { group } = drawn;
    const isUndelivered = book.undelivered.has(remark.id);
    const facts = `${isUndelivered} ${isEditing} ${book.layerOf(remark)} ${book.authorOf(remark)}`;
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
    if (isUndelivered) {
      drawn.note ??= draw("text", { class: "remark-note", text: "not sent yet" });
      drawn.note.setAttribute("x", drawn.box[2]);
      drawn.note.setAttribute("y", drawn.box[1] - 3 * this.unit);
      this.notes.append(drawn.note);
    } else {
      drawn.note?.remove();
      drawn.note = null;
    }
    mark(group, "aria-label", sentenceFor(remark, { author: book.authorOf(remark), layer: book.layerOf(remark), isUndelivered }));
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

  /** A point of the screen on this page, as long across as down; it may lie beside the page. */
  pointOf({ clientX, clientY }) {
    const { left, top, width, height } = this.root.getBoundingClientRect();
    return { x: ((clientX - left) / width) * whole, y: ((clientY - top) / height) * whole * this.ratio };
  }

  covers({ clientX, clientY }) {
    const { left, top, right, bottom } = this.root.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  }

  /** The uppermost remark at a point for which `wants` is true; undefined where there is none. */
  hit({ x, y }, reach, wants = () => true) {
    this.#grid ??= new Grid([...this.desk.book.on(this.part, this.page)].map(({ id }) => this.#drawn.get(id)), this.ratio);
    return this.#grid.near(x, y, reach).find(({ remark, extent }) =>
      wants(remark) && touches(remark, this.ratio, extent, x - remark.anchor[0], y - remark.anchor[1] * this.ratio, reach))?.remark;
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
    const traits = { x: box[0] + dx - margin, y: box[1] + dy - margin, width: box[2] - box[0] + 2 * margin, height: box[3] - box[1] + 2 * margin };
    for (const [name, value] of Object.entries(traits)) this.frame.setAttribute(name, value.toFixed(1));
    if (this.frame.parentNode !== this.ink) this.ink.append(this.frame);
  }
}
