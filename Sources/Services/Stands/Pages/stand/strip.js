// The strip of page thumbnails. Made when the music lies there already, and painted only when it is looked at.
import { make } from "/shared/dom.js";
import { paintThumbnail } from "./thumbnail.js";

const high = 132; // px of a thumbnail

export class Strip {
  #pages = [];
  #papers = [];
  #picture = null;
  #watch = null;
  #fill = null; // makes the thumbnails that are still to be made
  #shown = [[], []]; // the visible pages and the leads, as they were told last

  /** `listener` takes go(page) and long(page). */
  constructor(list, listener) {
    this.list = list;
    this.listener = listener;
  }

  /** `picture(page)` gives a promise of `{ blob, map }`, as papers take it; `marks` are labels of places by page. */
  open(part, picture, marks = new Map()) {
    this.#picture = picture;
    this.#papers = part.pages;
    this.#watch?.disconnect();
    this.#watch = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.#paint(entry.target);
    }, { root: this.list, rootMargin: "200px" });
    this.#pages = [];
    this.list.replaceChildren();
    const fill = () => {
      if (this.#fill !== fill) return;
      this.#fill = null;
      this.#pages = part.pages.map((paper, page) => this.#thumbnail(paper, page, marks.get(page) ?? []));
      this.list.replaceChildren(...this.#pages.map((button) => make("li", {}, button)));
      for (const button of this.#pages) this.#watch.observe(button);
      this.show(...this.#shown);
    };
    this.#fill = fill;
    // Hundreds of thumbnails take a tenth of a second, for which the first page would wait.
    if (self.requestIdleCallback) requestIdleCallback(fill, { timeout: 2_000 });
    else setTimeout(fill, 300);
  }

  close() {
    this.#watch?.disconnect();
    this.#fill = null;
    this.#pages = [];
    this.list.replaceChildren();
  }

  /** Marks the pages that lie on the stand, and those with a lead of their own. */
  show(visible, leads) {
    this.#shown = [visible, leads];
    // Somebody looks at it now.
    if (this.list.clientWidth > 0) this.#fill?.();
    this.#pages.forEach((button, page) => {
      const isHere = visible.includes(page);
      if (isHere) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
      const lead = leads.find((each) => each.page === page);
      button.dataset.lead = lead ? `${lead.seconds.toFixed(1)} s` : "";
    });
    const here = this.#pages[visible[0]];
    if (here && this.list.clientWidth > 0) {
      this.list.scrollTo({ left: here.offsetLeft - this.list.clientWidth / 2 + here.offsetWidth / 2,
        behavior: "instant" });
    }
  }

  #thumbnail(paper, page, marks) {
    const canvas = make("canvas", { "aria-hidden": "true" });
    const width = Math.round((high * paper.width) / paper.height);
    Object.assign(canvas, { width: width * 2, height: high * 2 });
    Object.assign(canvas.style, { width: `${width}px`, height: `${high}px` });
    const button = make("button",
      { type: "button", class: "thumbnail", "data-page": page,
        "aria-label": `Page ${page + 1}${marks.length > 0 ? `, with ${marks.join(", ")}` : ""}` }, canvas,
      make("span", { text: String(page + 1) }),
      marks.length > 0 ? make("span", { class: "page-marks", text: marks.join(" ") }) : null);
    let timer = null;
    let wasLong = false;
    button.addEventListener("pointerdown", () => {
      wasLong = false;
      timer = setTimeout(() => {
        wasLong = true;
        this.listener.long(page);
      }, 550);
    });
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) {
      button.addEventListener(name, () => clearTimeout(timer));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", () => wasLong || this.listener.go(page));
    button.addEventListener("keydown", (event) => event.key === "l" && this.listener.long(page));
    return button;
  }

  async #paint(button) {
    this.#watch.unobserve(button);
    const canvas = button.querySelector("canvas");
    try {
      const page = Number(button.dataset.page);
      const { blob, map } = await this.#picture(page);
      await paintThumbnail(canvas, blob, this.#papers[page], map);
    } catch {
      // The number alone will do.
    }
  }
}
