// The palette at the thumb: everything that editing needs as buttons of at least 44 pixels.
import { make, mark } from "/shared/dom.js";
import { letter } from "./instruments.js";
import { mostFret, values } from "/shared/tabmodel.js";

const lengthNames = { "1/1": "Whole", "1/2": "Half", "1/4": "Quarter", "1/8": "Eighth", "1/16": "Sixteenth" };
const lengthSigns = { "1/1": "4/4", "1/2": "1/2", "1/4": "1/4", "1/8": "1/8", "1/16": "1/16" };
const techniques = [
  ["hammer", true, "H", "Hammer-on or pull-off"], ["slides", ["shift"], "/", "Slide"],
  ["bend", [{ at: "0", semitones: "0" }, { at: "1/2", semitones: "2" }], "⤴", "Bend by a whole tone"],
  ["vibrato", "slight", "~", "Vibrato"], ["dead", true, "x", "Dead note"], ["palmMute", true, "PM", "Palm mute"],
  ["tie", true, "⁀", "Tied to the note before"],
];

export class Palette {
  #element;
  #editor;
  #strings = make("div", { class: "row strings", role: "group", "aria-label": "String" });
  #frets = make("div", { class: "row frets", role: "group", "aria-label": "Fret" });
  #lengths = make("div", { class: "row", role: "group", "aria-label": "Length" });
  #techniques = make("div", { class: "row", role: "group", "aria-label": "Technique" });
  #moves = make("div", { class: "row", role: "group", "aria-label": "Move and erase" });

  constructor(element, editor) {
    [this.#element, this.#editor] = [element, editor];
    for (let fret = 0; fret <= mostFret; fret += 1) {
      this.#frets.append(this.#button(String(fret), `Fret ${fret}`, () => editor().setFret(fret), { fret }));
    }
    for (const value of values) {
      this.#lengths.append(this.#button(lengthSigns[value], lengthNames[value],
        () => editor().chooseLength({ value }), { value }));
    }
    this.#lengths.append(
      this.#button("•", "Dotted", () => editor().toggleDot(), { role: "dot" }),
      this.#button("3", "Triplet", () => editor().toggleTriplet(), { role: "triplet" }),
      this.#button("Rest", "Rest", () => editor().rest(), { role: "rest" }));
    for (const [name, value, sign, words] of techniques) {
      this.#techniques.append(this.#button(sign, words, () => editor().toggle(name, value), { technique: name }));
    }
    this.#moves.append(
      this.#button("◀", "One place back", () => editor().step(-1), { role: "back" }),
      this.#button("▶", "One place on", () => editor().step(1), { role: "on" }),
      this.#button("⌫", "Take the note or rest away", () => editor().erase(), { role: "erase" }),
      this.#button("Insert", "Put a rest before", () => editor().insert(), { role: "insert" }));
    element.append(this.#strings, this.#frets, this.#lengths, this.#techniques, this.#moves);
  }

  #button(text, label, act, data = {}) {
    const button = make("button", { type: "button", "aria-label": label, title: label, text, "data-edit": true });
    Object.assign(button.dataset, data);
    // The tab keeps the focus, so that keys and palette go together.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", act);
    return button;
  }

  /** Shows what is chosen at the cursor. */
  show() {
    const editor = this.#editor();
    const { strings } = editor.track;
    if (this.#strings.dataset.tuning !== strings.join()) {
      this.#strings.dataset.tuning = strings.join();
      this.#strings.replaceChildren(...strings.map((pitch, index) => this.#button(letter(pitch),
        `String ${index + 1}, ${letter(pitch)}`, () => this.#editor().moveTo({ string: index + 1 }),
        { string: index + 1 })));
    }
    const { beat, note } = editor;
    const length = editor.shownLength;
    const press = (row, isPressed) => [...row.children].forEach((each) => mark(each, "aria-pressed",
      String(Boolean(isPressed(each.dataset)))));
    press(this.#strings, ({ string }) => Number(string) === editor.cursor.string);
    press(this.#frets, ({ fret }) => note !== null && Number(fret) === note.fret);
    press(this.#lengths, ({ value, role }) => (value ? value === length.value
      : role === "dot" ? length.dots > 0 : role === "triplet" ? length.tuplet : beat && !beat.notes?.length));
    press(this.#techniques, ({ technique }) => (technique === "tie" ? note?.tie : note?.techniques?.[technique]));
    this.#element.hidden = strings.length === 0;
  }
}
