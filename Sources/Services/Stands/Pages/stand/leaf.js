// One page as it lies on the stand, or a part of it: painted ahead at the very size it is shown in, so that turning
// only uncovers it.
import { make } from "/shared/dom.js";
import { drawUpright } from "/shared/pageform.js";
import { cutsInRows, rowsOf } from "./cuts.js";
import { withoutForeign } from "./ownink.js";
import { fitted } from "./written.js";

const mostPixels = 12_000_000; // of one zoomed page; a tablet's browser has no more than 16 for a canvas

const neighbours = 0.2; // of the gap between two systems: so much of the other one is looked at

export class Leaf {
  #painted = null; // size and box of what is on the canvas
  #paintedBox = [0, 0, 1, 1];
  #wanted = null;
  #isMagnified = false;
  #gaps = null; // heights of white gaps in what is painted, found when they are asked for
  box = [0, 0, 1, 1]; // what of the upright page is shown: left, top, right, bottom
  systems = null; // of a row: its system and its neighbours, whose ink is left out
  isReady = false;

  /** `picture(page, isMagnified)` gives a promise of `{ blob, map }`: the page's Blob, and where it is in another key
      the map to the part's own page. */
  constructor(page, paper, picture) {
    this.page = page;
    this.paper = paper;
    this.picture = picture;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.marks = make("div", { class: "marks" });
    // The layer for remarks: exactly as large as the whole upright page, of which the sheet shows a part.
    this.whole = make("div", { class: "whole" }, this.marks);
    this.sheet = make("div", { class: "sheet" }, this.canvas, this.whole);
    this.cover = make("div", { class: "cover", "aria-hidden": "true" });
    this.element = make("div", { class: "leaf", "data-page": page, role: "group", "aria-label": `Page ${page + 1}` },
      this.sheet, this.cover);
  }

  /** Lays the shown part of the page into a frame, in CSS pixels, `scale` times as large as usual. True if it must
      be painted anew. */
  fit({ left, top, width, height }, scale = 1, box = this.box) {
    this.box = box;
    Object.assign(this.element.style,
      { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    const [across, down] = [box[2] - box[0], box[3] - box[1]];
    Object.assign(this.whole.style, { left: `${(-box[0] / across) * 100}%`, top: `${(-box[1] / down) * 100}%`,
      width: `${100 / across}%`, height: `${100 / down}%` });
    this.#place();
    // A part of a page that fills the stage needs a sharper picture than the whole of it.
    this.#isMagnified = scale > 1 || across < 0.6;
    const sharp = Math.min(devicePixelRatio, Math.sqrt(mostPixels / Math.max(width * height, 1)));
    this.#wanted = { width: Math.round(width * sharp), height: Math.round(height * sharp) };
    return this.#painted !== this.#name;
  }

  /** Places a picture that was painted for another box, until it is painted anew. */
  #place() {
    const [left, top, right, bottom] = this.box;
    const [fromX, fromY, toX, toY] = this.#paintedBox;
    const [across, down] = [right - left, bottom - top];
    Object.assign(this.canvas.style, { left: `${((fromX - left) / across) * 100}%`,
      top: `${((fromY - top) / down) * 100}%`, width: `${((toX - fromX) / across) * 100}%`,
      height: `${((toY - fromY) / down) * 100}%` });
  }

  get #name() {
    return `${this.#wanted.width}×${this.#wanted.height} ${this.box.join(" ")}`;
  }

  /** Paints the page if it is not painted yet. False if its picture cannot be loaded. */
  async paint() {
    const { width, height } = this.#wanted;
    const name = this.#name;
    if (this.#painted === name || width < 1) return true;
    let url = null;
    try {
      const image = new Image();
      const { blob, map = null } = await this.picture(this.page, this.#isMagnified);
      url = URL.createObjectURL(blob);
      image.src = url;
      await image.decode();
      // The frame may have changed while the picture was on its way.
      if (this.#name !== name) return this.paint();
      const fresh = this.#drawn(map ? this.#fitted(image, map, width, height) : image);
      this.canvas.replaceWith(fresh);
      this.canvas = fresh;
      this.#painted = name;
      this.#paintedBox = this.box;
      this.#place();
      this.#gaps = null;
      this.isReady = true;
      this.element.classList.remove("failed");
      return true;
    } catch {
      this.element.classList.toggle("failed", !this.isReady);
      // The picture that was painted for another size stays.
      if (this.isReady) this.#painted = name;
      return this.isReady;
    } finally {
      if (url) URL.revokeObjectURL(url);
    }
  }

  /** A canvas with what is shown of the page. A row is drawn with its neighbours' edges, so that their ink is known. */
  #drawn(image) {
    const { width, height } = this.#wanted;
    const [left, top, right, bottom] = this.box;
    if (!this.systems) return painted(width, height, image, this.paper.form, this.box);
    const { own, above, below } = this.systems;
    const from = above ? Math.min(top, above[1] - neighbours * (own[0] - above[1])) : top;
    const to = below ? Math.max(bottom, below[0] + neighbours * (below[0] - own[1])) : bottom;
    const down = height / (bottom - top);
    const [over, high] = [Math.round((top - from) * down), Math.round((to - from) * down)];
    const whole = painted(width, high, image, this.paper.form, [left, from, right, to]);
    withoutForeign(whole, [from, to], this.systems);
    const fresh = painted(width, height);
    fresh.getContext("2d").drawImage(whole, 0, -over);
    return fresh;
  }

  /** A page in another key as the part's own one lies, at the size of the whole page. */
  #fitted(image, map, width, height) {
    const [left, top, right, bottom] = this.box;
    const whole = [width / (right - left), height / (bottom - top)];
    const [across, down] = (this.paper.form?.turns ?? 0) % 2 ? whole.reverse() : whole;
    const share = Math.min(1, Math.sqrt(mostPixels / (across * down)));
    return fitted(image, map, Math.round(across * share), Math.round(down * share));
  }

  /** The white gaps of the picture: `{ cuts, end }` as shares of what is shown. */
  get gaps() {
    if (!this.isReady) return { cuts: [], end: 1 };
    this.#gaps ??= cutsInRows(rowsOf(this.canvas));
    return this.#gaps;
  }

  /** Shows only what lies above `cut`, of that the music above `end`: shares of the frame. Null shows all of it. */
  cutAt(cut) {
    const { style } = this.element;
    style.setProperty("--cut", cut ? `${cut.cut * 100}%` : "0%");
    style.setProperty("--end", cut ? `${cut.end * 100}%` : "0%");
  }

  /** Marks a bar or a point: `kind` "now" or "pinpoint"; nothing if both are null. */
  mark(kind, box, point = null) {
    let mark = this.marks.querySelector(`.${kind}`);
    if (!box && !point) return void mark?.remove();
    if (!mark) {
      mark = make("div", { class: kind });
      this.marks.append(mark);
    }
    const spot = point ? point.map((share) => share / 10_000) : null;
    const [left, top, right, bottom] = box ?? [spot[0] - 0.05, spot[1] - 0.03, spot[0] + 0.05, spot[1] + 0.03];
    Object.assign(mark.style, { left: `${left * 100}%`, top: `${top * 100}%`, width: `${(right - left) * 100}%`,
      height: `${(bottom - top) * 100}%` });
    mark.classList.toggle("near", !box);
  }
}

/** White paper, with a part of a page on it if there is an image. */
function painted(width, height, image = null, form = null, box = null) {
  const canvas = make("canvas", { "aria-hidden": "true" });
  Object.assign(canvas, { width, height });
  const brush = canvas.getContext("2d", { alpha: false });
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, width, height);
  if (image) drawUpright(brush, image, form, box, width, height);
  return canvas;
}
