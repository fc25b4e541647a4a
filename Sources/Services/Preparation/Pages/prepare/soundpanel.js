// The score and the recordings of the piece: the main one, and further ones that show it in other hands.
import { fileButton } from "/shared/choosefiles.js";
import { icon, make } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { duration } from "/shared/numbers.js";
import { tried } from "/shared/saved.js";
import { counted } from "./bars.js";
import { Curves } from "./curves.js";
import { accepts } from "./drops.js";
import { askEvening, mayUseEvenings } from "./evenings.js";
import { isRunning } from "./piece.js";
import { sure } from "./questions.js";
import { recordHere } from "./recordhere.js";
import { deleteRecording } from "./server.js";

export class SoundPanel {
  element;
  #editor;
  #list = make("ul", { class: "recordings", "aria-label": "Recordings" });
  #score = make("div", { class: "score" });
  #curves;
  #shown = "";

  /** `add(files, purpose)` uploads files, `take(range)` takes a part of an evening. */
  constructor(editor, { add, take }) {
    this.#editor = editor;
    this.#curves = new Curves(editor);
    const evening = make("button", { type: "button", hidden: true, onclick: () => askEvening(take) }, icon("osc"),
      "Take it from an evening");
    const here = make("button", { type: "button", hidden: true, onclick: () => recordHere(take) }, icon("following"),
      "Record here");
    mayUseEvenings().then((may) => (evening.hidden = here.hidden = !may));
    this.element = make("div", { class: "sound-panel" },
      make("p", { class: "hint", text: "Further recordings of the same piece make it easier to follow. Drop them "
        + "anywhere on this page; they may be faster or slower, but need the same repeats." }),
      this.#list,
      make("div", { class: "row" },
        fileButton("Add a recording", accepts.recording, (files) => add(files, null), { many: true }), here, evening,
        fileButton("Add or replace the score", accepts.score, (files) => add(files, "score"))),
      this.#score, this.#curves.element);
  }

  update() {
    const { draft, job } = this.#editor.piece;
    const key = JSON.stringify([draft.recordings, draft.score, draft.bars.length > 0, isRunning(job)]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#list.replaceChildren(...draft.recordings.map((recording) => this.#row(recording)));
    this.#score.replaceChildren(...(draft.score ? [make("h3", { text: `Score: ${draft.score.name}` }),
      make("p", { class: "hint", text: counted(draft.score.bars, "bar") }),
      ...draft.score.sentences.map((text) => make("p", { class: "hint", text }))] : []));
    this.#curves.update(draft);
  }

  #row(recording) {
    const editor = this.#editor;
    const { piece } = editor;
    const isBusy = isRunning(piece.job);
    const facts = [recording.isMain ? "main recording" : null, duration(recording.seconds),
      `${(recording.sampleRate / 1000).toLocaleString("en-GB")} kHz`,
      recording.channels === 1 ? "mono" : recording.channels === 2 ? "stereo" : `${recording.channels} channels`];
    const canAlign = !recording.isMain && recording.isReady !== false && piece.draft.bars.length > 1
      && !recording.isAligned && !isBusy;
    const doubts = recording.isMain ? [] : recording.doubts;
    return make("li", { class: "recording" },
      make("div", { class: "recording-top" },
        make("div", { class: "recording-words" }, make("strong", { text: recording.name }),
          make("p", { class: "hint", text: facts.filter(Boolean).join(" · ") })),
        canAlign ? make("button", { type: "button", onclick: () =>
          tried(() => piece.start({ kind: "reference", recording: recording.id })) }, "Align it") : null,
        make("button", { type: "button", class: "plain", "aria-label": `Remove ${recording.name}`,
          onclick: () => this.#remove(recording) }, icon("trash"))),
      ...recording.warnings.map((text) => make("p", { class: "warning", text })),
      doubts.length > 0 ? make("details", {},
        make("summary", { text: `${counted(doubts.length, "bar")} of it are uncertain` }),
        make("ul", { class: "chips" }, ...doubts.slice(0, 100).map(({ bar, reasons }) => {
          const place = editor.placeOf(bar);
          const name = place < 0 ? "a bar" : editor.nameOf(editor.bars[place]);
          return make("li", {}, make("button", { type: "button", class: "chip", title: reasons.join(" "),
            onclick: () => place >= 0 && editor.choose(place, { seeks: true }) }, name));
        }))) : null);
  }

  async #remove(recording) {
    const { piece } = this.#editor;
    const sentence = recording.isMain ? "It is the main recording: the bars are times in it."
      : "Its tempo is then not known to the follower.";
    if (!(await sure(`Remove ${recording.name}?`, sentence, "Remove"))) return;
    if (await tried(() => deleteRecording(piece.id, recording.id))) {
      await tried(() => piece.load());
      notice(`Removed: ${recording.name}`);
    }
  }
}
