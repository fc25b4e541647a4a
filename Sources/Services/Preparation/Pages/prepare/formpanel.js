// The form of the piece: what the alignment proposes, sections, letters and repeats, beats, numbers and the end.
import { icon, make, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { tried } from "/shared/saved.js";
import { clock, counted } from "./bars.js";
import { restoreOnEscape } from "./fields.js";
import { askMark, kindWords, sure } from "./questions.js";
import { signButton } from "./transport.js";

export class FormPanel {
  element;
  #editor;
  #proposals = make("ul", { class: "proposals", "aria-label": "Proposals" });
  #marks = make("ul", { class: "marks", "aria-label": "Sections, letters and repeats" });
  #noMarks = make("p", { class: "hint", text: "None yet. Choose a bar and press B." });
  #beats = make("input", { type: "number", min: 1, max: 64, step: 1, inputmode: "numeric", placeholder: "changing" });
  #name = make("input", { type: "text", maxlength: 200, autocomplete: "off" });
  #end = make("p", { class: "hint" });
  #shown = null;

  constructor(editor) {
    this.#editor = editor;
    this.#name.addEventListener("change", () => {
      const name = this.#name.value.trim();
      if (name && name !== editor.piece.draft.name) editor.piece.edit(`name it “${name}”`, { name: { name } });
      else this.#name.value = editor.piece.draft.name;
    });
    this.#beats.addEventListener("change", () => {
      const beats = this.#beats.value ? Math.min(Math.max(Math.round(Number(this.#beats.value)), 1), 64) : null;
      editor.piece.edit(beats ? counted(beats, "beat") + " a bar" : "changing beats", { beatsPerBar: { beats } });
    });
    restoreOnEscape(this.#name, () => editor.piece.draft.name);
    restoreOnEscape(this.#beats, () => editor.piece.draft.beatsPerBar ?? "");
    this.element = make("div", { class: "form-panel" }, this.#proposals,
      make("div", { class: "grid" },
        make("label", { text: "Name, as “Composer, Piece: Movement”" }, this.#name),
        make("label", { text: "Beats in a bar" }, this.#beats)),
      make("h3", { text: "Sections, letters, repeats" }), this.#noMarks, this.#marks,
      make("h3", { text: "End" }), this.#end,
      make("div", { class: "row" },
        make("button", { type: "button", onclick: () => editor.endHere() }, "It ends at the playhead"),
        make("button", { type: "button", class: "plain", onclick: () =>
          editor.piece.edit("no end", { end: { seconds: null } }) }, "No end")));
  }

  focusName() {
    this.#name.focus();
    this.#name.select();
  }

  update() {
    const { draft } = this.#editor.piece;
    if (draft === this.#shown) return;
    this.#shown = draft;
    if (document.activeElement !== this.#name) this.#name.value = draft.name;
    if (document.activeElement !== this.#beats) this.#beats.value = draft.beatsPerBar ?? "";
    write(this.#end, draft.end === null || draft.end === undefined
      ? "The last bar ends with the recording." : `The last bar ends at ${clock(draft.end)}.`);
    this.#proposals.replaceChildren(...draft.proposals.map((proposal) => this.#proposal(proposal)));
    const marks = draft.marks.map((mark) => ({ mark, place: this.#editor.placeOf(mark.bar) }))
      .filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place);
    this.#noMarks.hidden = marks.length > 0;
    this.#marks.replaceChildren(...marks.map(({ mark, place }) => this.#mark(mark, place)));
  }

  /** A proposal of the alignment that differs from the score: a person hears it and answers. */
  #proposal({ sentence, from, to, route }) {
    const editor = this.#editor;
    const hear = Number.isFinite(from) ? signButton("loop", `Hear: ${sentence}`, null, () => {
      const until = Number.isFinite(to) && to > from ? to : from + 8;
      editor.showTime(Math.max(from - 4, 0), until + 4);
      editor.player.play(Math.max(from - 4, 0), until + 2);
    }) : null;
    if (hear) hear.append(" Hear it");
    const use = route ? make("button", { type: "button", onclick: async () => {
      const isSure = editor.bars.length === 0 || await sure("Find the bars again?",
        "All bars are found again with this form. Undo brings the present ones back.", "Find them");
      if (isSure) await tried(() => editor.piece.start({ kind: "align", route }, "bars in another form"));
    } }, route === "written" ? "No, as the score says" : "Use this form") : null;
    return make("li", { class: "proposal" }, make("span", { text: sentence }),
      make("div", { class: "row" }, hear, use));
  }

  #mark(mark, place) {
    const editor = this.#editor;
    const bar = editor.bars[place];
    const name = mark.text || kindWords[mark.kind];
    return make("li", { class: "mark" },
      make("button", { type: "button", class: "plain mark-main", onclick: () => editor.choose(place, { seeks: true }) },
        make("strong", { text: name }), make("span", { class: "hint",
          text: `${kindWords[mark.kind]}, ${editor.nameOf(bar)}` })),
      make("button", { type: "button", class: "plain", "aria-label": `Change ${name}`, onclick: () =>
        askMark(editor, mark) },
        icon("edit")),
      make("button", { type: "button", class: "plain", "aria-label": `Remove ${name}`, onclick: () => {
        editor.piece.edit(`remove ${name}`, { unmark: { id: mark.id } });
        notice(`Removed: ${name}`, { action: "Undo", act: () => editor.piece.undo() });
      } }, icon("trash")));
  }
}
