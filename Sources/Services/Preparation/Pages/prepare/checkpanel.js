// The bars to check by ear, one after another.
import { make, mark } from "/shared/dom.js";
import { clock, counted, isDoubtful } from "./bars.js";
import { reasonWords } from "./inspector.js";

const most = 200; // rows that are listed; the rest comes when these are done

export class CheckPanel {
  element;
  #editor;
  #list = make("ol", { class: "doubts", "aria-label": "Bars to check" });
  #say = make("p", { class: "hint" });
  #tools;
  #rows = new Map(); // bar's id → its row
  #bars = null;

  constructor(editor) {
    this.#editor = editor;
    const act = (text, key, onclick, kind = null) =>
      make("button", { type: "button", class: kind, title: `${text} (${key})`, onclick }, text,
        make("kbd", { text: key }));
    this.#tools = make("div", { class: "row check-tools" },
      act("Next", "N", () => editor.nextDoubt(1), "chief"),
      act("Again", "Enter", () => editor.hear()),
      act("It is right", "A", () => editor.ask.accept()),
      act("It is here", "H", (event) => editor.ask.tapHere(event)));
    this.element = make("div", {}, this.#say, this.#tools, this.#list);
  }

  update() {
    const { bars, doubts, chosenBar } = this.#editor;
    if (bars !== this.#bars) {
      this.#bars = bars;
      this.#tools.hidden = doubts.length === 0;
      this.#say.textContent = bars.length === 0 ? "There are no bars yet."
        : doubts.length === 0 ? "No bar is left to check."
          : `${counted(doubts.length, "bar")} to check. “It is here” puts the bar where you press, while it plays.`;
      this.#fill(doubts.slice(0, most));
    }
    for (const [id, row] of this.#rows) mark(row, "aria-current", id === chosenBar?.id);
  }

  /** “It is right” for the chosen bar, and on to the next one. */
  accept() {
    const { chosenBar: bar } = this.#editor;
    if (!bar || !isDoubtful(bar)) return void this.#editor.nextDoubt(1);
    this.#editor.accept(bar);
    this.#editor.nextDoubt(1);
  }

  #fill(doubts) {
    const kept = this.#rows;
    this.#rows = new Map(doubts.map((bar) => [bar.id, this.#row(bar)]));
    const focused = [...kept].find(([, row]) => row.contains(document.activeElement));
    this.#list.replaceChildren(...this.#rows.values());
    if (focused) (this.#rows.get(focused[0]) ?? this.#list.firstChild)?.querySelector("button")?.focus();
  }

  #row(bar) {
    const editor = this.#editor;
    const name = editor.nameOf(bar);
    return make("li", { class: "doubt", "data-bar": bar.id },
      make("button", { type: "button", class: "plain doubt-main", onclick: () => editor.checkBar(bar) },
        make("span", { class: "doubt-name", text: name[0].toUpperCase() + name.slice(1) }),
        make("span", { class: "doubt-time", text: clock(bar.seconds, 1) }),
        make("span", { class: "doubt-why hint", text: bar.reasons.map(reasonWords).join(" ") })),
      make("meter", { min: 0, max: 1, value: bar.doubt, "aria-label": `Doubt of ${name}` }),
      make("button", { type: "button", "aria-label": `${name} is right`, onclick: () => editor.accept(bar) }, "Right"));
  }
}
