// The page of one piece: the stage with its buttons, what to do next, and the panels.
import { fileButton, takeDrops } from "/shared/choosefiles.js";
import { make, mark } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { tried } from "/shared/saved.js";
import { CheckPanel } from "./checkpanel.js";
import { accepts, purposeOf, sortForPiece } from "./drops.js";
import { Editor } from "./editor.js";
import { FinishPanel } from "./finishpanel.js";
import { FormPanel } from "./formpanel.js";
import { Inspector } from "./inspector.js";
import { lateBars } from "./latebars.js";
import { askLibraryScore, hasLibraryScores } from "./libraryscores.js";
import { Piece, isRunning } from "./piece.js";
import { askGoTo, askMark, askRenumber } from "./questions.js";
import { SoundPanel } from "./soundpanel.js";
import { deleteRecording } from "./server.js";
import { Steps, isUseless, wrongScore } from "./steps.js";
import { Tabs } from "./tabs.js";
import { Tapping } from "./tapping.js";
import { secondsOfTap } from "./taps.js";
import { Transport } from "./transport.js";
import { UploadRows } from "./uploadrows.js";

export class PieceView {
  element;
  piece;
  editor;
  #parts; // with update()
  #tapping;
  #check;
  #finish;
  #form;
  #uploads;
  #tabs;
  #transport;
  #work;
  #isFresh = true;

  /** `me` is the signed-in person's name; `events` has state(name, sentence), titled() and refused(piece, uploads). */
  constructor(id, me, events) {
    this.piece = new Piece(id, me, { state: events.state, say: notice });
    this.editor = new Editor(this.piece);
    this.#uploads = new UploadRows(id, (upload) => this.#uploaded(upload), () => this.#update(),
      (uploads) => events.refused(this.piece, uploads));
    this.#build();
    this.editor.onChange((why) => this.#changed(why, events));
  }

  /** Loads the piece; what was chosen for a new one is uploaded, or taken from an evening. */
  async open({ files = [], range = null } = {}) {
    await this.piece.open();
    this.editor.recolour();
    this.#isFresh = files.length + (range ? 1 : 0) > 1;
    this.#fill(files, range);
  }

  /** The page is shown: tapping that a reload interrupted goes on. */
  shown() {
    this.editor.recolour();
    this.#tapping.resume();
  }

  /** A score is refused while a part of an evening is taken, so it comes first. */
  async #fill(files, range) {
    if (files.length > 0) await this.#uploads.add(files);
    if (range) await this.#take(range);
  }

  #take({ evening, from, to }) {
    return tried(() => this.piece.start({ kind: "evening", evening, from, to }));
  }

  close() {
    this.editor.close();
  }

  escape() {
    if (this.#tapping.isOn) this.#tapping.stop();
    else if (this.editor.player.loop) this.editor.toggleLoop();
    else this.editor.chooseNone();
  }

  rename() {
    this.#tabs.show("form");
    this.#form.focusName();
  }

  /** Uploads files; of which kind they are is read from their names, unless it is said. */
  async add(files, purpose = null) {
    const { piece } = this;
    // A main recording that cannot be used makes room for the next one.
    if (isUseless(piece) && piece.draft.bars.length === 0
      && files.some((file) => (purpose ?? purposeOf(file)) === "recording")) {
      await tried(() => deleteRecording(piece.id, piece.main.id));
      await tried(() => piece.load());
    }
    const { taken, left } = purpose ? { taken: files.map((file) => [file, purpose]), left: [] }
      : sortForPiece(files, piece.draft.recordings.length > 0);
    for (const [file, why] of left) notice(`${file.name} was left out: ${why}.`, { tone: "bad", seconds: 20 });
    // As with a new piece: with recording and score the bars are looked for at once.
    if (piece.draft.bars.length === 0 && !this.#tapping.isOn) this.#isFresh = true;
    const tables = taken.filter(([, kind]) => kind === "bars");
    for (const [file] of tables) this.#finish.importFile(file);
    this.#uploads.add(taken.filter(([, kind]) => kind !== "bars"));
  }

  #build() {
    const { editor, piece } = this;
    this.#tapping = new Tapping(editor);
    this.#check = new CheckPanel(editor);
    this.#finish = new FinishPanel(editor, () => this.#tabs.show("finish"));
    this.#transport = new Transport(editor);
    const inspector = new Inspector(editor);
    const form = this.#form = new FormPanel(editor);
    const sound = new SoundPanel(editor, {
      add: (files, purpose) => this.add(files, purpose),
      take: (range) => this.#take(range),
    });
    const libraryScore = make("button", { type: "button", hidden: true, text: "A score of the library",
      onclick: () => askLibraryScore((file) => this.add([file], "score")) });
    hasLibraryScores().then((has) => (libraryScore.hidden = !has));
    const steps = new Steps(editor, {
      addSound: fileButton("Add a recording", accepts.any, (files) => this.add(files), { many: true, chief: true }),
      replaceSound: fileButton("Replace the recording", accepts.any, (files) => this.add(files),
        { many: true, chief: true }),
      addScore: fileButton("Add the score", accepts.score, (files) => this.add(files, "score")),
      replaceScore: fileButton("Replace the score", accepts.score, (files) => this.add(files, "score"),
        { chief: true }),
      libraryScore,
      keepScore: () => tried(() => piece.start({ kind: "align", insist: true }, "bars from the score")),
      renderScore: () => tried(() => piece.start({ kind: "render" })),
      findBars: () => tried(() => piece.start({ kind: "align" }, "bars from the score")),
      tap: () => this.#tapping.start(),
      check: () => {
        this.#tabs.show("check");
        editor.nextDoubt(1);
      },
      showLate: () => editor.choose(lateBars(piece.draft)?.index ?? 0, { seeks: true }),
      prepare: () => this.#finish.prepare(),
      rename: () => this.rename(),
      stop: () => tried(async () => piece.stop()),
    }, () => this.#uploads.bringsSound);
    editor.ask = {
      goTo: () => askGoTo(editor),
      renumber: () => askRenumber(editor),
      mark: () => askMark(editor),
      tap: (event) => this.#tapping.tap(event),
      untap: () => this.#tapping.undo(),
      accept: () => this.#check.accept(),
      tapHere: (event) => this.#tapHere(event),
    };
    this.#tabs = new Tabs("More about this piece", [
      ["check", "To check", this.#check.element], ["form", "Form", form.element],
        ["sound", "Recordings", sound.element],
      ["finish", "Finish", this.#finish.element],
    ], () => this.#update());
    this.#parts = { check: this.#check, form, sound, finish: this.#finish, steps, inspector };
    this.#work = make("section", { class: "work", "aria-label": "Recording" }, editor.overview.element,
      editor.stage.element, this.#transport.element, this.#tapping.element);
    this.element = make("div", { class: "piece" }, steps.element, this.#uploads.element, this.#work,
      make("div", { class: "below" }, inspector.element, this.#tabs.element));
    takeDrops(this.element, (files) => this.add(files));
  }

  #changed(why, events) {
    if (why === "place") {
      this.#transport.place();
      this.#tapping.place();
      return;
    }
    if (why === "playing") return void this.#transport.update();
    this.#update();
    events.titled();
    if (why === "jobEnded") this.#jobEnded();
  }

  #update() {
    if (!this.piece.draft || !this.#parts) return;
    const { steps, inspector } = this.#parts;
    const { main } = this.piece;
    mark(this.element, "data-empty", !main && this.piece.draft.bars.length === 0);
    steps.update();
    inspector.update();
    this.#parts[this.#tabs.shown].update();
    this.#tabs.count("check", this.editor.doubts.length);
    this.#tabs.count("sound", this.piece.draft.recordings.length);
    this.#transport.update();
  }

  /** The piece got a file or a part of an evening: with recording and score the bars are looked for at once. */
  async #uploaded(upload) {
    await tried(() => this.piece.load());
    if (upload.purpose === "reference") this.#tabs.show("sound");
    if (upload.purpose === "score" && wrongScore[this.piece.job?.code]) this.#isFresh = true;
    await this.#findBarsOfNew();
  }

  async #findBarsOfNew() {
    const { draft, job } = this.piece;
    if (!this.#isFresh || !draft.main || !draft.score || draft.bars.length > 0) return;
    if (isRunning(job) && job.kind !== "listen") return;
    this.#isFresh = false;
    await tried(() => this.piece.start({ kind: "align" }, "bars from the score"));
  }

  #jobEnded() {
    const { job } = this.piece;
    // The card of the next step says why; a notice would say it twice.
    if (job.state === "failed") this.#parts.steps.element.scrollIntoView({ block: "nearest" });
    if (job.state !== "done") return;
    if (job.kind === "snap" || job.kind === "align") {
      const { bars, doubts } = this.editor;
      if (bars.length > 0) this.editor.choose(0, { shows: false });
      if (doubts.length > 0) this.#tabs.show("check");
      notice(job.sentence ?? `${bars.length} bars were found.`, { tone: "good", seconds: 12, action: "Undo",
        act: () => {
          this.piece.undo();
          if (job.kind === "snap") this.#tapping.again();
        } });
    } else if (job.sentence && job.kind !== "listen") notice(job.sentence, { tone: "good", seconds: 8 });
    if (job.kind === "prepare") this.#tabs.show("finish");
    if (job.kind === "evening") this.#findBarsOfNew();
  }

  /** The chosen bar begins at the moment of the key, while it is heard; then on to the next one to check. */
  #tapHere(event) {
    const { editor } = this;
    const bar = editor.chosenBar;
    if (!bar) return void editor.nextDoubt(1);
    if (!editor.player.isPlaying) return void editor.hear(bar);
    const isCheck = editor.doubts.some(({ id }) => id === bar.id);
    editor.moveBar(bar, Math.max(secondsOfTap(event, editor.player), 0), false);
    if (isCheck && editor.doubts.length > 0) setTimeout(() => editor.nextDoubt(1), 600);
    return null;
  }
}
