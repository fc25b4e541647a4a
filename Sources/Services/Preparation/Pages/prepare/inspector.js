// The chosen bar: its number and time, and what can be done with it.
import { make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { clock, counted, isDoubtful } from "./bars.js";
import { restoreOnEscape } from "./fields.js";

const largestNumber = 99_999; // as the server has it

export class Inspector {
  element;
  #editor;
  #title = make("h2", { class: "inspector-title" });
  #note = make("p", { class: "hint" });
  #why = make("ul", { class: "reasons" });
  #number = make("input", { type: "number", min: 0, max: largestNumber, step: 1, inputmode: "numeric" });
  #time = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  #body;
  #none = make("p", { class: "hint", text: "Choose a bar: click its line, or press → on the keyboard. Drag a line to "
    + "move it; double-click to put one in." });
  #right;

  constructor(editor) {
    this.#editor = editor;
    const act = (text, key, onclick, traits = {}) =>
      make("button", { type: "button", title: key ? `${text} (${key})` : text, onclick, ...traits }, text);
    this.#number.addEventListener("change", () => this.#renumber());
    this.#time.addEventListener("change", () => this.#retime());
    restoreOnEscape(this.#number, () => this.#numberShown);
    restoreOnEscape(this.#time, () => this.#timeShown);
    this.#right = act("It is right", "A", () => editor.accept());
    this.#body = make("div", { class: "inspector-body" }, this.#why,
      make("div", { class: "inspector-fields" },
        make("label", { text: "Number" }, this.#number),
        make("label", { text: "Begins at" }, this.#time),
        make("div", { class: "nudges", role: "group", "aria-label": "Move by 10 milliseconds" },
          act("−10", "Alt ←", () => editor.nudge(-0.01), { "aria-label": "10 milliseconds earlier" }),
          act("+10", "Alt →", () => editor.nudge(0.01), { "aria-label": "10 milliseconds later" }),
          make("span", { class: "hint", text: "ms" }))),
      make("div", { class: "row" },
        act("Hear it", "Enter", () => editor.hear(), { class: "chief" }), this.#right,
        act("To the playhead", "M", () => editor.moveHere()),
        act("Mark …", "B", () => editor.ask.mark()),
        act("Number anew …", "R", () => editor.ask.renumber()),
        act("Take out", "Del", () => editor.deleteChosen(), { class: "danger" })));
    this.element = make("section", { class: "inspector", "aria-label": "The chosen bar" },
      make("div", { class: "inspector-top" }, this.#title,
        make("div", { class: "row" },
          act("Put in a bar", "I", () => editor.insertHere(), { class: "plain" }),
          act("End here", "E", () => editor.endHere(), { class: "plain" }))),
      this.#note, this.#none, this.#body);
  }

  update() {
    const editor = this.#editor;
    const { chosen, chosenBar: bar } = editor;
    this.#body.hidden = !bar;
    this.#none.hidden = Boolean(bar) || editor.bars.length === 0;
    const several = chosen && chosen.to > chosen.from ? chosen.to - chosen.from + 1 : 0;
    const name = bar ? editor.nameOf(bar) : "";
    write(this.#title, !bar ? (editor.bars.length ? "No bar chosen" : "No bars yet")
      : several ? `Bars ${bar.printed}–${editor.bars[chosen.to].printed}` : name[0].toUpperCase() + name.slice(1));
    const long = bar ? `${length(editor.endOf(chosen.to) - bar.seconds)} long` : "";
    write(this.#note, !bar ? "" : several ? `${counted(several, "bar")}, ${long}`
      : `${long} · ${origins[bar.origin] ?? bar.origin}${
        bar.checked ? " · checked" : ""}`);
    if (!bar) return;
    if (document.activeElement !== this.#number) this.#number.value = this.#numberShown;
    if (document.activeElement !== this.#time) this.#time.value = this.#timeShown;
    const isOpen = isDoubtful(bar);
    mark(this.element, "data-doubtful", isOpen);
    this.#right.hidden = !isOpen;
    this.#why.replaceChildren(...(isOpen ? bar.reasons : []).map((reason) =>
      make("li", { text: reasonWords(reason) })));
  }

  get #numberShown() {
    return String(this.#editor.chosenBar?.printed ?? "");
  }

  get #timeShown() {
    const bar = this.#editor.chosenBar;
    return bar ? clock(bar.seconds, 3) : "";
  }

  #renumber() {
    const bar = this.#editor.chosenBar;
    const { value } = this.#number;
    if (!bar || value === this.#numberShown) return;
    const number = Number(value);
    if (!/^\d+$/.test(value) || number > largestNumber) {
      this.#number.value = this.#numberShown;
      refuse(`${this.#stays(bar, "number")} Write a whole number from 0 to ${largestNumber}.`);
    } else if (number !== bar.printed) {
      this.#editor.piece.edit(`${this.#editor.nameOf(bar)} is bar ${number}`, { number: { bar: bar.id, number } });
    }
  }

  #retime() {
    const bar = this.#editor.chosenBar;
    if (!bar) return;
    const seconds = secondsOf(this.#time.value);
    if (seconds !== null && Math.abs(seconds - bar.seconds) < 5e-4) return;
    const { from, to, words } = this.#editor.roomOf(bar);
    if (seconds !== null && seconds >= from && seconds <= to) return void this.#editor.moveBar(bar, seconds, false);
    this.#time.value = this.#timeShown;
    refuse(`${this.#stays(bar, "time")} ${seconds === null ? "Write minutes and seconds, such as 1:05.24." : words}`);
  }

  #stays(bar, what) {
    return `The ${what} of ${this.#editor.nameOf(bar)} stays as it was.`;
  }
}

const refuse = (sentence) => notice(sentence, { tone: "bad", seconds: 10 });

const length = (seconds) => (seconds < 60 ? `${seconds.toFixed(2)} s` : clock(seconds));

const origins = { tap: "tapped", between: "found between taps", score: "found by the score", person: "set by hand",
  imported: "from a file" };

/** A sentence for a reason of the server's, which may be words without a capital letter and a full stop. */
export const reasonWords = (reason) => ({
  "other instants fit nearly as well": "Other moments fit nearly as well.",
  "improbable tempo next to it": "It would be much faster or slower than its neighbours.",
  "moved after the measure before it": "It was moved to a place after the bar before it.",
}[reason] ?? `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`);

/** “1:05.24” or “65.24” as seconds; null if it is neither. */
export function secondsOf(text) {
  const match = /^\s*(?:(\d+):)?(?:(\d+):)?(\d+(?:[.,]\d+)?)\s*$/.exec(text);
  if (!match) return null;
  const [, first, second, seconds] = match;
  const parts = [first, second].filter((part) => part !== undefined).map(Number);
  return parts.reduce((sum, part) => 60 * (sum + part), 0) + Number(seconds.replace(",", "."));
}
