// The small pictures beside the scores of the list. They are painted one after the other, when the page has nothing
// else to do: drawing an engraved page takes a tenth of a second, and no tap may wait for that.
import { make } from "/shared/dom.js";
import { edition, picture } from "./shelf.js";
import { pictures } from "./store.js";
import { paintThumbnail } from "./thumbnail.js";

const size = { width: 96, height: 132 };
const quiet = 400; // ms after a touch in which no cover is painted: it may open a score

/** Paints covers while `isWanted()`; it says that the list is seen and nothing is being opened. */
export class Covers {
  #painted = new Map(); // name of a cover → its canvas
  #waiting = []; // { canvas, score, name }, in the order in which they came into sight
  #isPainting = false;
  #touched = -quiet;

  constructor(isWanted) {
    this.isWanted = isWanted;
    addEventListener("pointerdown", () => (this.#touched = performance.now()), { capture: true, passive: true });
    this.watch = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#seen(target);
    });
  }

  /** A canvas that shows the score's first page as soon as it can. */
  cover(score) {
    /** @type {any} */
    const canvas = make("canvas", { class: "cover", ...size, "aria-hidden": "true" });
    const name = `${score.id}/${edition(score, 0)}/0/thumbnail/cover`;
    const known = this.#painted.get(name);
    if (known) {
      show(canvas, known);
    } else if (score.parts?.length > 0) {
      canvas.entry = { canvas, score, name };
      this.watch.observe(canvas);
    }
    return canvas;
  }

  #seen(canvas) {
    this.watch.unobserve(canvas);
    this.#waiting.push(canvas.entry);
    this.#paintAll();
  }

  async #paintAll() {
    if (this.#isPainting) return;
    this.#isPainting = true;
    try {
      while (this.#waiting.length > 0 && this.isWanted()) {
        await idle();
        const rest = this.#touched + quiet - performance.now();
        if (rest > 0) await new Promise((done) => setTimeout(done, rest));
        if (!this.isWanted()) return;
        const entry = this.#waiting.shift();
        if (entry.canvas.isConnected) await this.#paint(entry).catch(() => {});
      }
    } finally {
      this.#isPainting = false;
    }
  }

  async #paint({ canvas, score, name }) {
    let known = this.#painted.get(name);
    if (!known) {
      known = make("canvas", size);
      const kept = await pictures.get(name);
      const whole = { ...score, parts: score.parts.map(() => ({ pages: [] })) };
      await paintThumbnail(known, kept ?? (await picture(whole, 0, 0, "thumbnail")));
      this.#painted.set(name, known);
      if (!kept) known.toBlob((small) => small && pictures.put(name, small));
    }
    show(canvas, known);
  }
}

function show(canvas, known) {
  canvas.getContext("2d", { alpha: false }).drawImage(known, 0, 0);
  canvas.classList.add("painted");
}

const idle = () =>
  new Promise((done) => (self.requestIdleCallback
    ? requestIdleCallback(done, { timeout: 2_000 }) : setTimeout(done, 60)));
