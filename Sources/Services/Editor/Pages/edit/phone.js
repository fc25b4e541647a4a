// A listener's phone next to the editor: the slide of the playhead, with pictures and words explained.
import { make, mark, write } from "/shared/dom.js";
import { slideParts } from "/shared/slideparts.js";
import { partsOfText, pictureAddress } from "./preview.js";

export class Phone {
  element;
  #book;
  #preview;
  #screen = make("div", { class: "screen", tabindex: 0, role: "region", "aria-label": "What a phone shows" });
  #title = make("p", { class: "phone-title" });
  #place = make("p", { class: "phone-place" });
  #shown = "";

  constructor(book, preview) {
    this.#book = book;
    this.#preview = preview;
    this.element = make("figure", { class: "handset" },
      make("div", { class: "glass" }, this.#title, this.#screen, this.#place),
      make("figcaption", { class: "hint", text: "As a listener’s phone shows it" }));
  }

  /** `slide` is a node or null before the first; `number` counts from 1. */
  show({ piece, track, slide, number, count }) {
    write(this.#title, piece?.fields.name ?? "");
    write(this.#place, `${track?.fields.name ?? ""} · ${slide ? number : "–"} of ${count}`);
    const received = slide && this.#preview.slide(slide);
    const parts = slide ? received?.parts ?? partsOfText(slide.fields.text ?? "") : [];
    const links = received?.links ?? [];
    const key = JSON.stringify([slide?.id, parts, links]);
    if (key === this.#shown) return;
    this.#shown = key;
    mark(this.#screen, "lang", track?.fields.language || null);
    mark(this.#screen, "data-slide", slide?.id ?? "");
    if (!slide) {
      this.#screen.replaceChildren(make("p", { class: "over", text: "The first slide comes with the music." }));
      return;
    }
    const own = parts.map((part) => (part.image
      ? { ...part, image: pictureAddress(this.#book.concert, part.image) } : part));
    this.#screen.replaceChildren(...slideParts({ parts: own, links }, "This picture is not among the files."));
    if (parts.length === 0) this.#screen.append(make("p", { class: "over", text: "This slide is still empty." }));
    for (const link of this.#screen.querySelectorAll("a.word")) {
      link.href = `#/${this.#book.concert}/words`;
      mark(link, "title", "Explained in the glossary");
    }
  }
}
