// All pieces in preparation, and the way to a new one.
import { takeDrops } from "/shared/choosefiles.js";
import { icon, make, mark } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { complain, tried } from "/shared/saved.js";
import { counted } from "./bars.js";
import { accepts, pieceNameOf, piecesOf } from "./drops.js";
import { askEvening, mayUseEvenings, rangeWords } from "./evenings.js";
import { askLibraryScore, hasLibraryScores } from "./libraryscores.js";
import { manyFiles } from "./manyfiles.js";
import { ModelList } from "./modellist.js";
import { isRunning } from "./piece.js";
import { sure } from "./questions.js";
import { recordHere } from "./recordhere.js";
import { deletePiece, newPiece, pieces as fetchPieces } from "./server.js";

const moment = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit",
  minute: "2-digit" });

export class ListView {
  element;
  #open;
  #list = make("ul", { class: "pieces", "aria-label": "Pieces", "aria-busy": "true" });
  #models = new ModelList();
  #slots = { recording: null, score: null, evening: null, here: null };
  #slotElements = {};
  #name = make("input", { type: "text", maxlength: 200, autocomplete: "off",
    placeholder: "Composer, Piece: Movement" });
  #begin = make("button", { type: "submit", class: "chief", text: "Begin" });
  #isNamed = false;
  #shown = "";

  /**
   * `open(id, {files, range})` goes to a piece, uploads files (`[file, purpose]`) and takes a range of an evening.
   * `refused` is `{name, isNamed, sentences}` of a new piece whose files were refused just now; `isNamed`: its name was
   * not taken from a file.
   */
  constructor(open, refused = null) {
    this.#open = open;
    if (refused) [this.#name.value, this.#isNamed] = [refused.name, refused.isNamed];
    this.#name.addEventListener("input", () => (this.#isNamed = this.#name.value !== ""));
    const slot = (purpose, title, words) => {
      const input = make("input", { type: "file", accept: accepts[purpose], class: "spoken", tabindex: -1,
        "aria-label": title });
      input.addEventListener("change", () => {
        if (input.files[0]) this.#fill(purpose, input.files[0]);
        input.value = "";
      });
      return this.#slot(purpose, purpose === "score" ? "note" : "osc", title, words, () => input.click(), input);
    };
    const keptHere = this.#keptSlots();
    const form = make("form", { class: "new-piece", "aria-labelledby": "new-title", onsubmit: (event) => {
      event.preventDefault();
      this.#make();
    } }, make("h2", { id: "new-title", text: "New piece" }),
    make("p", { class: "hint", text: "Drop a recording, its score, or both. With both, Baton finds the bars by itself; "
      + "with a recording alone, you tap them; a score alone, Baton plays. Several pieces may be dropped at once." }),
    ...(refused?.sentences ?? []).map((text) => make("p", { class: "trouble refused", role: "alert", text })),
    make("div", { class: "slots" }, slot("recording", "Recording", "FLAC, WAV, MP3, Ogg, M4A"),
      slot("score", "Score", "MusicXML or MIDI, if there is one"), ...keptHere),
    make("div", { class: "row" }, make("label", { class: "grow", text: "Name" }, this.#name), this.#begin));
    this.element = make("div", { class: "page" }, make("h1", { text: "Pieces" }),
      make("p", { class: "lead", text: "From a recording to a piece that Baton can follow, with everything it has." }),
      form, manyFiles.element,
      make("h2", { class: "list-title", text: "In preparation" }), this.#list, this.#models.element);
    takeDrops(this.element, (files) => this.#take(files));
    this.update();
  }

  async update() {
    this.#models.update();
    try {
      const pieces = await fetchPieces();
      const key = JSON.stringify(pieces);
      this.#list.setAttribute("aria-busy", "false");
      if (key === this.#shown) return;
      this.#shown = key;
      const newest = [...pieces].sort((a, b) => b.changedAt - a.changedAt);
      this.#list.replaceChildren(...newest.map((piece) => this.#card(piece)));
      if (pieces.length === 0) this.#list.append(make("li", { class: "nothing hint", text: "No piece yet." }));
    } catch (refusal) {
      complain(refusal);
    }
  }

  close() {}

  /** The page is shown: after a refusal the keyboard goes on at the place of the recording. */
  shown() {
    if (this.element.querySelector(".refused")) this.#slotElements.recording.button.focus();
  }

  /** A way to sound or score; `open()` is called when it is chosen, `more` stands beside its button. */
  #slot(kind, sign, title, words, open, ...more) {
    const chosen = make("span", { class: "slot-words", text: words });
    const button = make("button", { type: "button", class: "slot", "data-kind": kind, onclick: open }, icon(sign),
      make("strong", { text: title }), chosen);
    this.#slotElements[kind] = { button, chosen, words };
    return make("div", {}, button, ...more);
  }

  /**
   * The ways from a score of the library, and from a recorded evening and the server's sound device for those who may
   * hear its recordings; `?evening=NAME` leads to the evening.
   */
  #keptSlots() {
    const ask = (wanted) => askEvening((range) => this.#fill("evening", range), wanted);
    const [here, evening, library] = [
      this.#slot("here", "following", "Record here", "From the server's sound device",
        () => recordHere((range) => this.#fill("here", range))),
      this.#slot("evening", "now", "An evening", "A rehearsal or concert that was recorded here", () => ask(null)),
      this.#slot("library", "note", "The library", "A score that was uploaded there",
        () => askLibraryScore((file) => this.#fill("score", file)))];
    for (const each of [here, evening, library]) each.hidden = true;
    hasLibraryScores().then((has) => (library.hidden = !has));
    mayUseEvenings().then((may) => {
      for (const each of [here, evening]) each.hidden = !may;
      const wanted = new URLSearchParams(location.search).get("evening");
      if (may && wanted) ask(wanted);
    });
    return [library, here, evening];
  }

  /** A recording, a score or both are for the form; other files are shown as the pieces that they make. */
  #take(files) {
    const { pieces, left } = piecesOf(files);
    const [{ files: first = [] } = {}] = pieces;
    if (pieces.length !== 1 || left.length > 0 || first.some(([, kind]) => !(kind in this.#slots))) {
      return manyFiles.plan({ pieces, left });
    }
    for (const [file, kind] of first) this.#fill(kind, file);
  }

  /** The sound is a file, a part of an evening, or what was recorded here. */
  #fill(kind, value) {
    if (kind !== "score") Object.assign(this.#slots, { recording: null, evening: null, here: null });
    this.#slots[kind] = value;
    const { recording, score, evening, here } = this.#slots;
    for (const [name, { button, chosen, words }] of Object.entries(this.#slotElements)) {
      const its = this.#slots[name];
      mark(button, "data-filled", its ? "true" : null);
      chosen.textContent = !its ? words : name === "evening" ? rangeWords(its)
        : name === "here" ? `${its.title}, ${duration(its.to - its.from)}` : its.name;
    }
    const named = score ?? recording;
    if (!this.#isNamed) this.#name.value = named ? pieceNameOf(named) : (evening ?? here).title;
    this.#begin.focus();
  }

  async #make() {
    const { recording, score, evening, here } = this.#slots;
    const name = this.#name.value.trim();
    if (!name) return void this.#name.focus();
    this.#begin.disabled = true;
    await tried(async () => {
      const files = [score ? [score, "score"] : null, recording ? [recording, "recording"] : null].filter(Boolean);
      const range = evening ?? here;
      const { id } = await newPiece(name, files.length > 0 && !range);
      this.#open(id, { files, range });
    });
    this.#begin.disabled = false;
  }

  #card(piece) {
    const [recording, ...further] = piece.recordings ?? [];
    const facts = [piece.seconds ? duration(piece.seconds) : "no recording",
      piece.bars > 0 ? counted(piece.bars, "bar") : "no bars",
      further.length > 0 ? `${recording} and ${further.length} more` : recording,
      piece.changedAt > 0 ? `changed ${moment.format(piece.changedAt)}` : null].filter(Boolean).join(" · ");
    const state = isRunning(piece.job) ? ["busy", piece.job.stage || "Working …"]
      : piece.isPrepared ? piece.isChanged ? ["warn", "Changed since it was prepared"] : ["good", "Prepared"]
        : piece.doubtful > 0 ? ["warn", `${counted(piece.doubtful, "bar")} to check`] : null;
    return make("li", { class: "piece-card", "data-piece": piece.id },
      make("a", { class: "piece-link", href: `#/${encodeURIComponent(piece.id)}` },
        make("strong", { text: piece.name }), make("span", { class: "hint", text: piece.damage ?? facts })),
      state ? make("span", { class: "badge", "data-tone": state[0], text: state[1] }) : null,
      make("button", { type: "button", class: "plain", onclick: () => this.#delete(piece, facts),
        "aria-label": piece.damage ? `Delete ${piece.name}` : `Delete ${piece.name}, ${facts}` }, icon("trash")));
  }

  async #delete(piece, facts) {
    const which = piece.damage ? "" : `${facts}. `;
    const isSure = await sure(`Delete ${piece.name}?`, `${which}Its recordings and bars are deleted. What was prepared `
      + "of it stays and can be played; “Prepared”, below, removes it.", "Delete");
    if (isSure && await tried(() => deletePiece(piece.id))) this.update();
  }
}
