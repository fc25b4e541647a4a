// Text written where it will stand.
import { make } from "/shared/dom.js";
import { place } from "./gestures.js";
import { whole } from "./geometry.js";
import { inverted } from "./ink.js";
import { fontShare, linesOf, textFont, widthOf } from "./picture.js";

const longest = 2_000; // Unicode scalars

/** Breaks lines at blanks where they would run over the page's edge. `room` in the letters' own size. */
export function broken(text, room) {
  return linesOf(text).map((line) => {
    const rows = [];
    let row = "";
    for (const word of line.split(" ")) {
      const longer = row === "" ? word : `${row} ${word}`;
      if (row !== "" && widthOf(longer) > room) {
        rows.push(row);
        row = word;
      } else row = longer;
    }
    return [...rows, row].join("\n");
  }).join("\n");
}

export class Writing {
  #under = null; // { surface, anchor, remark, field }

  constructor(desk) {
    this.desk = desk;
  }

  get isUnderWay() {
    return this.#under !== null;
  }

  /** A new text at a place of the page. */
  begin(surface, anchor) {
    if (!this.desk.openLayer()) return;
    this.#open(surface, anchor, null, this.desk.tools.ink("text"));
  }

  /** An own text once more. */
  edit(surface, remark) {
    if (!remark || !this.desk.book.mayChange(remark)) return;
    this.desk.choose(null);
    this.#open(surface, remark.anchor, remark, remark.ink);
    surface.groupOf(remark.id)?.classList.add("being-written");
  }

  #open(surface, anchor, remark, ink) {
    this.finish();
    const size = (ink.width * fontShare) / surface.unit;
    const [x, y] = [anchor[0] / surface.unit, (anchor[1] * surface.ratio) / surface.unit];
    const field = make("textarea", {
      "aria-label": "Text of the remark; Enter begins a line, Control and Enter puts it down, Escape leaves it as it " +
        "was",
      rows: 1, spellcheck: "false", autocapitalize: "sentences", value: remark?.shape.text ?? "",
    });
    const done = make("button", { type: "button", class: "remark-done", text: "Done", onclick: () => this.finish() });
    const box = make("div", { class: "remark-writing" }, field, done);
    const across = surface.root.clientWidth;
    const least = Math.min(160, across);
    Object.assign(box.style,
      { left: `${Math.min(x, across - least)}px`, top: `${y}px`, maxWidth: `${Math.max(least, across - x)}px` });
    // Under 16 px some tablets would zoom the page.
    Object.assign(field.style, {
      fontFamily: textFont, fontSize: `${Math.max(16, size)}px`, lineHeight: String(1 / fontShare),
      color: surface.isOnBlack ? inverted(ink.colour) : ink.colour,
    });
    const fit = () => {
      const lines = linesOf(field.value);
      field.rows = Math.max(1, lines.length);
      field.style.width = `${Math.max(5, ...lines.map(widthOf)) + 1.5}em`;
    };
    field.addEventListener("input", fit);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.finish(false);
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.finish();
      else return;
      event.preventDefault();
    });
    field.addEventListener("blur", (event) => {
      if (event.relatedTarget !== done) this.finish();
    });
    fit();
    surface.root.append(box);
    this.#under = { surface, anchor, remark, box, field, ink };
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  }

  /** Puts the text down, or with false leaves everything as it was. An emptied text is erased. */
  finish(keeps = true) {
    const under = this.#under;
    if (!under) return;
    this.#under = null;
    const { surface, anchor, remark, box, field, ink } = under;
    const room = (whole - anchor[0]) / (ink.width * fontShare);
    const written = broken([...field.value].slice(0, longest).join(""), room).replace(/\s+$/u, "");
    const text = [...written].length <= longest ? written : [...written].slice(0, longest).join("");
    box.remove();
    if (remark) surface.groupOf(remark.id)?.classList.remove("being-written");
    if (!keeps) return;
    if (!remark) {
      if (text.trim() !== "") place(this.desk, surface, "text", anchor, { text });
    } else if (text.trim() === "") this.desk.remove(remark.id);
    else if (text !== remark.shape.text
      && this.desk.book.get(remark.id)) this.desk.acts.do({ edit: { remark: remark.id, shape: { text } } });
  }
}
