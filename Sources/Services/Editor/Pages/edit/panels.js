// The drawer at the side: earlier versions, findings, keys.
import { find, icon, make, mark } from "/shared/dom.js";
import { findingRow } from "./checking.js";
import { nameOf, placeOf } from "./names.js";

export class Panel {
  #root = find("panel");
  #from = null;
  open = null;
  #refresh = null;

  constructor() {
    find("panel-close").append(icon("close"));
    find("panel-close").addEventListener("click", () => this.close());
  }

  /** Opens a drawer, or closes it where it is open. `fill(body)` writes it, again after each change. */
  toggle(name, title, fill) {
    if (this.open === name) {
      this.close();
      return;
    }
    this.#from = document.activeElement;
    Object.assign(this, { open: name });
    find("panel-title").textContent = title;
    this.#refresh = () => fill(find("panel-body"));
    this.#refresh();
    this.#root.hidden = false;
    this.#mark(name);
    this.#root.focus({ preventScroll: true });
  }

  refresh() {
    if (this.open) this.#refresh();
  }

  close() {
    if (!this.open) return;
    this.open = null;
    this.#root.hidden = true;
    this.#mark(null);
    if (this.#from?.isConnected) this.#from.focus({ preventScroll: true });
  }

  #mark(name) {
    for (const id of ["history", "findings", "help"]) mark(find(id), "aria-expanded", String(id === name));
  }
}

/** All findings with a jump to what each is about. */
export function fillFindings(desk, body) {
  const { checking, book } = desk;
  const order = { error: 0, warning: 1, hint: 2 };
  const all = [...checking.all].sort((left, right) => order[left.severity] - order[right.severity]);
  if (all.length === 0) {
    body.replaceChildren(make("p", { class: "good", text: "Nothing to complain about." }));
    return;
  }
  body.replaceChildren(make("ul", { class: "finding-list" }, ...all.map((finding) => {
    const row = findingRow(finding);
    if (finding.node) {
      row.append(make("a",
        { class: "jump", href: placeOf(book, finding.node), text: `Go to ${nameOf(book.tree, finding.node)}` }));
    }
    return row;
  })));
}

/** @type {[string, string[][]][]} */
const keys = [
  ["Everywhere", [["Ctrl Z", "Undo"], ["Ctrl Shift Z", "Redo"], ["?", "These keys"], ["Esc", "Close what is open"]]],
  ["Slides and form", [["Space", "Play, pause"], ["← →", "One bar back, on"], ["Home End", "First, last bar"],
    ["N", "New slide or section here"]]],
  ["In a text", [["Ctrl Enter", "New slide at the playhead"], ["Alt ← →", "This slide a bar earlier, later"],
    ["Tab", "On to the next field"]]],
];

export function fillHelp(body) {
  body.replaceChildren(
    make("p", { class: "hint",
      text: "Everything is saved as you write. $picture.png, caption on a slide shows a picture. An empty line " +
        "begins a paragraph; the first sentence is set large." }),
    ...keys.map(([title, rows]) => make("section", { class: "block" }, make("h3", { text: title }),
      make("dl", { class: "key-list" },
        ...rows.flatMap(([key, text]) => [make("dt", {}, ...key.split(" ").map((one) => make("kbd", { text: one }))),
          make("dd", { text })])))));
}
