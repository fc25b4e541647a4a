// Links on the pages: at a repeat's end to its beginning and back, over first endings, for D.C. and D.S. Made from what
// is played; nobody has to draw them. Only a jump to a page that is not seen needs one.
import { make } from "/shared/dom.js";
import { placeOf } from "./places.js";
import { jumpsOf } from "./references.js";

const mostLinks = 200; // of one part

/**
 * The links of a part: `[{ page, x, y, to, target, movement, kind, label }]`, x and y in shares of the page.
 * `passages(movement)` gives what is played. A bar without a box has none.
 */
export function linksOf(part, movements, passages) {
  const links = [];
  for (let movement = 0; movement < movements; movement += 1) {
    for (const { from, to } of jumpsOf(passages(movement))) {
      const [end, start] = [placeOf(part, from, movement), placeOf(part, to, movement)];
      if (!end?.box || !start?.box || links.length + 2 > mostLinks) continue;
      const isBack = to <= from;
      links.push({ page: end.page, x: end.box[2], y: end.box[3], to, target: start.page, movement,
        kind: isBack ? "repeat" : "on", label: isBack ? `Repeat from bar ${to}` : `On at bar ${to}` });
      links.push({ page: start.page, x: start.box[0], y: start.box[3], to: from, target: end.page, movement,
        kind: "back", label: `Back to bar ${from}` });
    }
  }
  // Two jumps to one bar leave one way back from it, to the nearer end.
  return links.filter((link, index) => links.findIndex((other) => other.page === link.page && other.x === link.x
    && other.y === link.y && other.kind === link.kind) === index);
}

const signs = { repeat: "↺", on: "→", back: "↩" };

export class Links {
  #layers = new Map(); // element → page; a page that is read by systems lies in several
  #links = [];

  /** `go(movement, bar)` is called when one is tapped. */
  constructor(go) {
    this.go = go;
  }

  show(links) {
    this.#links = links;
    for (const layer of this.#layers.keys()) this.#fill(layer);
  }

  attach(sheet, page) {
    const layer = make("div", { class: "page-links" });
    sheet.append(layer);
    this.#layers.set(layer, page);
    this.#fill(layer);
  }

  detach(sheet) {
    for (const layer of [...this.#layers.keys()]) if (sheet.contains(layer)) this.#layers.delete(layer);
  }

  #fill(layer) {
    const page = this.#layers.get(layer);
    const own = this.#links.filter((link) => link.page === page && link.target !== page);
    layer.replaceChildren(...own.map((link) => this.#button(link)));
  }

  #button(link) {
    const button = make("button", { type: "button", class: `link-to ${link.kind}`, "aria-label": link.label,
      "data-to": link.to }, make("span", { text: `${signs[link.kind]} ${link.to}` }));
    button.style.left = `${link.x * 100}%`;
    // A page may end with its last staff.
    button.style.top = `min(${link.y * 100}%, calc(100% - 42px))`;
    // The finger is the link's alone: it turns no page.
    for (const name of ["pointerdown", "pointerup"]) button.addEventListener(name, (event) => event.stopPropagation());
    button.addEventListener("click", () => this.go(link.movement, link.to));
    return button;
  }
}
