// The controls of remarks: tools, stamps, colours, widths, the layer, undo and redo.
import { draw, make, mark } from "/shared/dom.js";
import { lock } from "/shared/locked.js";
import { glyph, stampGlyph } from "./glyphs.js";
import { colours } from "./ink.js";
import { stamps } from "./stamps.js";
import { widths } from "./tools.js";

const kinds = [
  ["select", "Choose and move"], ["line", "Free line"], ["highlight", "Highlight"], ["text", "Text"],
  ["stamp", "Stamps"], ["eraser", "Eraser"],
];

function button(label, face, press, traits = {}) {
  return make("button", { type: "button", "aria-label": label, title: label, onclick: press, ...traits }, face);
}

const group = (label, name, ...children) =>
  make("div", { class: `remark-group ${name}`, role: "group", "aria-label": label }, ...children);

function swatch(value) {
  const circle = draw("circle", { cx: 12, cy: 12, r: 8, fill: value });
  return draw("svg", { class: "remark-swatch", viewBox: "0 0 24 24", "aria-hidden": "true" }, circle);
}

function thickness(at) {
  return draw("svg", { class: "remark-thickness", viewBox: "0 0 24 24", "aria-hidden": "true" },
    draw("path", { d: "M4 17L20 7", "stroke-width": [1.5, 3.5, 7][at] }));
}

const warned = 5_000; // ms

export class Toolbar {
  #quiet = null;
  #offered = null;

  constructor(desk) {
    this.desk = desk;
    const { tools } = desk;
    this.kinds = new Map(kinds.map(([kind, label]) => [
      kind, button(label, kind === "stamp" ? stampGlyph("fermata") : glyph(kind),
        () => desk.setTool(tools.kind === kind ? null : { kind }), { "data-tool": kind }),
    ]));
    this.stamps = new Map(stamps.map(({ name, title }) => [
      name, button(title, stampGlyph(name), () => desk.setTool({ kind: "stamp", stamp: name }), { "data-stamp": name }),
    ]));
    this.colours = new Map(colours.map(({ name, value }) => [
      value, button(name, swatch(value), () => desk.setInk({ colour: value }), { "data-colour": value }),
    ]));
    this.widths = [0, 1, 2]
      .map((at) => button("", thickness(at), () => desk.setInk({ width: this.#choices()[at][1] }),
        { "data-width": at }));
    this.layers = new Map();
    this.layerGroup = group("Layer", "remark-layers");
    this.allLayers = button("Layers: show, hide, give, import", glyph("layers"),
      () => this.element.dispatchEvent(new CustomEvent("remark-layers", { bubbles: true })),
      { "data-layers": true, "aria-haspopup": "dialog" });
    this.finger = button("Draw with the finger too", glyph("finger"), () => desk.setFinger(!tools.fingerDraws),
      { "data-finger": true });
    this.undo = button("Undo", glyph("undo"), () => desk.undo(), { "data-undo": true });
    this.redo = button("Redo", glyph("redo"), () => desk.redo(), { "data-redo": true });
    this.said = make("p", { class: "remark-said", role: "status" });
    this.palette = group("Stamps", "remark-stamps", ...this.stamps.values());
    this.colourGroup = group("Colour", "remark-colours", ...this.colours.values());
    this.widthGroup = group("Width", "remark-widths", ...this.widths);
    this.element = make("div", { class: "remark-tools", role: "toolbar", "aria-label": "Remarks" },
      group("Tools", "remark-kinds", ...this.kinds.values(), this.finger),
      group("Undo and redo", "remark-steps", this.undo, this.redo),
      make("div", { class: "remark-rest" }, this.layerGroup, this.colourGroup, this.widthGroup, this.palette),
      this.said);
    this.offer([{ key: "own", name: "Private", title: "Private: only you see it" },
      { key: "public", name: "Everybody", title: "Everybody: all see it" }]);
  }

  /** Offers layers to write on, as `{ key, name, title, why }`. */
  offer(choices) {
    const facts = JSON.stringify(choices);
    if (facts === this.#offered) return;
    this.#offered = facts;
    this.layers = new Map(choices.map(({ key, name, title, why }) => {
      const sign = glyph(key === "own" ? "own" : "public");
      const each = button(title, sign, () => this.desk.setLayer(key, name), { "data-layer": key });
      each.append(make("span", { text: name }));
      lock(each, why ?? "");
      return [key, each];
    }));
    this.layerGroup.replaceChildren(...this.layers.values(), this.allLayers);
  }

  /** Shows which tool is in hand and what can be done. */
  show() {
    const { tools, acts, chosenChangeable } = this.desk;
    const kind = chosenChangeable ? inkKind(chosenChangeable) : tools.kind;
    const ink = chosenChangeable?.ink ?? tools.ink(kind);
    for (const [name, each] of this.kinds) mark(each, "aria-pressed", name === tools.kind);
    for (const [name, each] of this.stamps) mark(each, "aria-pressed", name === tools.stamp);
    for (const [value, each] of this.colours) mark(each, "aria-pressed", value === ink?.colour);
    for (const [layer, each] of this.layers) mark(each, "aria-pressed", layer === tools.layer);
    this.palette.hidden = tools.kind !== "stamp";
    this.colourGroup.hidden = this.widthGroup.hidden = ink === null;
    if (ink) {
      this.#choices(kind).forEach(([label, width], at) => {
        mark(this.widths[at], "aria-label", label);
        mark(this.widths[at], "title", label);
        mark(this.widths[at], "aria-pressed", width === ink.width);
      });
    }
    this.finger.hidden = !tools.penSeen;
    mark(this.finger, "aria-pressed", tools.fingerDraws);
    lock(this.undo, acts.canUndo ? "" : "Undo: you have done nothing here yet.");
    lock(this.redo, acts.canRedo ? "" : "Redo: nothing was undone.");
  }

  #choices(kind = this.desk.chosenChangeable ? inkKind(this.desk.chosenChangeable) : this.desk.tools.kind) {
    return widths[kind] ?? widths.line;
  }

  /** Says a sentence to screen readers; a warning is also shown for a while. */
  say(sentence, isWarning = false) {
    clearTimeout(this.#quiet);
    this.said.textContent = sentence;
    this.said.classList.toggle("warns", isWarning);
    this.#quiet = setTimeout(() => {
      this.said.textContent = "";
      this.said.classList.remove("warns");
    }, warned);
  }
}

/** The kind of tool a remark was made with. */
const inkKind = ({ shape }) => ["highlight", "line", "text", "stamp"].find((kind) => shape[kind] !== undefined);
