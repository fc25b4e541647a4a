// The end of the work: prepare the piece, and take its bars in and out as files.
import { fileButton } from "/shared/choosefiles.js";
import { make, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { complain, tried } from "/shared/saved.js";
import { workLink } from "/shared/worklink.js";
import { counted } from "./bars.js";
import { accepts } from "./drops.js";
import { Forecast } from "./forecast.js";
import { lateBars } from "./latebars.js";
import { isRunning } from "./piece.js";
import { askReading } from "./questions.js";
import { exportAddress, importBars } from "./server.js";

/** A folder's name from a piece's: small letters, digits and dashes. */
export const folderOf = (name) => name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
  .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 80) || "piece";

/** The next name for a folder of a piece with this name: “minuet-2” after “minuet”, “minuet-3” after “minuet-2”. */
function nextFolder(folder, name) {
  const first = folderOf(name);
  const number = folder.startsWith(`${first}-`) ? Number(folder.slice(first.length + 1)) || 1 : 1;
  return `${(number > 1 ? first : folder).slice(0, 76)}-${number + 1}`;
}

/** What there is to prepare, or was prepared. */
function stateOf({ bars, prepared, revision }) {
  if (bars.length < 2) return "A piece needs a recording and its bars.";
  if (!prepared) return `${counted(bars.length, "bar")} become a model that the follower reads.`;
  if (prepared.revision !== revision) return "It was changed since it was prepared. Prepare it again for these bars.";
  const moment = new Date(prepared.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return `Prepared on ${moment}. It can be put on the programme.`;
}

export class FinishPanel {
  element;
  #editor;
  #show;
  #folder = make("input", { type: "text", maxlength: 80, pattern: "[a-z0-9][a-z0-9\\-]*", autocomplete: "off",
    spellcheck: "false" });
  #state = make("p", { class: "hint" });
  #prepare = make("button", { type: "button", class: "chief", onclick: () => this.prepare() }, "Prepare");
  #exports = make("div", { class: "row" });
  #forecast;
  #isOwn = false; // the folder's name was typed
  #work = make("div", {});
  #linked = null; // the folder whose work is shown

  /** `show()` shows the panel. */
  constructor(editor, show) {
    this.#editor = editor;
    this.#show = show;
    this.#folder.addEventListener("input", () => (this.#isOwn = this.#folder.value !== ""));
    const link = (format, words) => make("a", { class: "button", href: exportAddress(editor.piece.id, format),
      download: "", text: words });
    this.#exports.append(link("csv", "Table (CSV)"), link("audacity", "Labels for Audacity"),
      link("content", "Slides’ XML"));
    this.#forecast = new Forecast(editor);
    this.element = make("div", {},
      make("h3", { text: "Prepare" }), this.#state,
      make("div", { class: "row" }, make("label", { class: "grow", text: "Folder" }, this.#folder), this.#prepare),
      this.#forecast.element, this.#work,
      make("h3", { text: "Bars as a file" }), this.#exports,
      make("div", { class: "row" }, fileButton("Take bars from a file", accepts.bars, ([file]) =>
        this.importFile(file)),
        make("span", { class: "hint", text: "CSV, Audacity, Sonic Visualiser, ASAP, beat trackers. Undo brings the "
          + "present bars back." })));
  }

  update() {
    const { draft, job } = this.#editor.piece;
    if (draft.prepared && !this.#isOwn) this.#folder.value = draft.prepared.folder.split("/").pop();
    else if (!this.#isOwn) this.#folder.value = folderOf(draft.name);
    this.#prepare.disabled = draft.bars.length < 2 || !draft.main || isRunning(job);
    this.#exports.hidden = draft.bars.length === 0;
    const { prepared } = draft;
    this.#showWork(prepared?.folder.split("/").pop() ?? null, draft.name);
    this.#forecast.update();
    write(this.#state, lateBars(draft)?.sentence ?? stateOf(draft));
  }

  /** The work of the diary that the prepared piece belongs to; its name is “Composer, Work: Movement”. */
  #showWork(folder, name) {
    if (folder === this.#linked) return;
    this.#linked = folder;
    const [, composer = "", title] = /^(?:([^,]+), )?([^:]+)/.exec(name) ?? [null, "", name];
    this.#work.replaceChildren(...(folder ? [make("a", { class: "button", href: `#/piece/${folder}`,
      text: "Everything this piece has" }), workLink("model", folder, { composer, title })] : []));
  }

  /** Prepares the piece. If another piece has the folder, proposes the next name and waits for the button. */
  async prepare() {
    this.update(); // The panel may not have been open yet: it names the folder.
    const folder = this.#folder.value.trim();
    try {
      await this.#editor.piece.start({ kind: "prepare", folder });
    } catch (refusal) {
      complain(refusal);
      if (refusal.code !== "folder-taken") return;
      this.#folder.value = nextFolder(folder, this.#editor.piece.draft.name);
      this.#isOwn = true;
      this.#show();
      this.#folder.focus();
    }
  }

  async importFile(file, format) {
    const { piece } = this.#editor;
    await tried(async () => {
      try {
        await piece.replace(`bars from ${file.name}`, () => importBars(piece.id, file, format));
      } catch (refusal) {
        if (refusal.code !== "several-readings") throw refusal;
        askReading(file.name, refusal.value.formats, (chosen) => this.importFile(file, chosen));
        return;
      }
      notice(`${counted(piece.draft.bars.length, "bar")} from ${file.name}.`,
        { tone: "good", seconds: 8, action: "Undo",
        act: () => piece.undo() });
    });
  }
}
