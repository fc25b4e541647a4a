// One page as it lies on the stand: painted ahead at the very size it is shown in, so that turning only uncovers it.
import { make } from "/shared/dom.js";

const mostPixels = 12_000_000; // of one zoomed page; a tablet's browser has no more than 16 for a canvas

export class Leaf {
  #painted = null; // "width×height" of what is on the canvas
  #wanted = null;
  #isMagnified = false;
  isReady = false;

  /** `picture(page, isMagnified)` gives a promise of the page's Blob. */
  constructor(page, paper, picture) {
    Object.assign(this, { page, paper, picture });
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.marks = make("div", { class: "marks" });
    // What remarks are drawn on: exactly as large as the picture of the page.
    this.sheet = make("div", { class: "sheet" }, this.canvas, this.marks);
    this.element = make("div", { class: "leaf", "data-page": page, role: "group", "aria-label": `Page ${page + 1}` },
      this.sheet);
  }

  /** Lays the page into a frame, in CSS pixels, `scale` times as large as a whole page. True where it must be painted
      anew. */
  fit({ left, top, width, height }, scale = 1) {
    Object.assign(this.element.style,
      { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    this.#isMagnified = scale > 1;
    const sharp = Math.min(devicePixelRatio, Math.sqrt(mostPixels / Math.max(width * height, 1)));
    this.#wanted = { width: Math.round(width * sharp), height: Math.round(height * sharp) };
    return this.#painted !== `${this.#wanted.width}×${this.#wanted.height}`;
  }

  /** Paints the page where it is not painted yet. False where its picture is not to be had. */
  async paint() {
    const { width, height } = this.#wanted;
    const name = `${width}×${height}`;
    if (this.#painted === name || width < 1) return true;
    let url = null;
    try {
      const image = new Image();
      url = URL.createObjectURL(await this.picture(this.page, this.#isMagnified));
      image.src = url;
      await image.decode();
      // The frame may have changed while the picture was on its way.
      if (this.#wanted.width !== width || this.#wanted.height !== height) return this.paint();
      const fresh = make("canvas", { "aria-hidden": "true" });
      Object.assign(fresh, { width, height });
      const brush = fresh.getContext("2d", { alpha: false });
      brush.fillStyle = "#fff";
      brush.fillRect(0, 0, width, height);
      brush.drawImage(image, 0, 0, width, height);
      this.canvas.replaceWith(fresh);
      this.canvas = fresh;
      this.#painted = name;
      this.isReady = true;
      this.element.classList.remove("failed");
      return true;
    } catch {
      this.element.classList.toggle("failed", !this.isReady);
      // What was painted for another size will do.
      if (this.isReady) this.#painted = name;
      return this.isReady;
    } finally {
      if (url) URL.revokeObjectURL(url);
    }
  }

  /** Marks a bar or a point: `kind` "now" or "pinpoint"; nothing where both are null. */
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
