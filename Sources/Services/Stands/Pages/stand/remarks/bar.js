// The bar at a chosen remark: whose it is, and its author's buttons.
import { make } from "/shared/dom.js";
import { savedWords } from "/shared/savedwords.js";
import { glyph } from "./glyphs.js";
import { mayBeMisplaced } from "./misplaced.js";
import { sentenceFor } from "./words.js";

const shown = 2_600; // ms that a name stays

/** Puts an element above a box on the page, or below where there is no room. */
function putBeside(element, surface, box) {
  const { unit, root } = surface;
  root.append(element);
  const [left, top, right, bottom] = box.map((part) => part / unit);
  const { offsetWidth: width, offsetHeight: height } = element;
  const above = top - height - 12;
  const y = above >= 0 ? above : Math.min(bottom + 12, root.clientHeight - height);
  const x = Math.min(Math.max((left + right - width) / 2, 4), root.clientWidth - width - 4);
  Object.assign(element.style, { left: `${Math.max(0, x)}px`, top: `${Math.max(0, y)}px` });
}

export class Bar {
  #timer = null;

  constructor(desk) {
    this.desk = desk;
    this.name = make("div", { class: "remark-name", role: "status" });
    this.bar = make("div", { class: "remark-bar", role: "group", "aria-label": "This remark" });
  }

  /** Says for a while whose remark that is. */
  label(surface, remark) {
    const { book } = this.desk;
    const box = surface.boxOf(remark.id);
    if (!box) return;
    this.name.textContent = `${book.authorOf(remark)} · ${book.layerOf(remark)}`;
    putBeside(this.name, surface, box);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hush(), shown);
  }

  hush() {
    clearTimeout(this.#timer);
    this.name.remove();
  }

  /** Offers what can be done with what is chosen. */
  show(surface, remark) {
    const { desk } = this;
    const { book } = desk;
    const box = surface.boxOf(remark.id);
    if (!box) return this.hide();
    const facts = { author: book.authorOf(remark), layer: book.layerOf(remark),
      isUndelivered: book.undelivered.has(remark.id), isUnsure: mayBeMisplaced(remark, surface.ratio) };
    this.bar.setAttribute("aria-label", sentenceFor(remark, facts));
    if (!book.mayChange(remark)) {
      const doubt = facts.isUnsure ? " · perhaps not where it was drawn" : "";
      this.bar.replaceChildren(make("span",
        { class: "remark-whose", text: `${facts.author} · ${facts.layer}${doubt}` }));
    } else {
      const layer = { private: "Private", public: "Public" }[facts.layer] ?? facts.layer;
      const whose = book.isOwn(remark) ? layer : `${facts.author} · ${layer}`;
      const state = facts.isUnsure ? `Perhaps not where ${book.isOwn(remark) ? "you" : facts.author} drew it` : whose;
      const parts = [make("span", { class: "remark-whose", text: facts.isUndelivered ? savedWords.waiting : state })];
      // Moving it says the same: its author has looked at the place.
      if (facts.isUnsure) {
        parts.push(make("button", { type: "button", class: "remark-keep", text: "It is right here",
          onclick: () => desk.acts.do({ edit: { remark: remark.id, paper: surface.paper } }) }));
      }
      if (remark.shape.text !== undefined) {
        parts.push(make("button",
          { type: "button", class: "remark-edit", onclick: () => desk.writing.edit(surface, desk.book.get(remark.id)) },
          glyph("text"), "Edit"));
      }
      parts.push(make("button", { type: "button", class: "remark-delete", onclick: () => desk.remove(remark.id) },
        glyph("bin"), "Delete"));
      this.bar.replaceChildren(...parts);
    }
    putBeside(this.bar, surface, box);
  }

  hide() {
    this.bar.remove();
  }
}
