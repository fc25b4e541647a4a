// Several files at once: which pieces they make, and what became of each. It goes on while a piece is shown.
import { make, mark } from "/shared/dom.js";
import { counted } from "./bars.js";
import { deleteUnused, importBars, newPiece, startJob } from "./server.js";
import { megabytes, sendFile } from "./uploadrows.js";

const outcomes = { both: "Its bars are looked for.", score: "A score alone: Baton can play it.",
  recording: "Tap its bars, or add its score.", none: "It was not made." };

class ManyFiles {
  element = make("section", { class: "many", "aria-label": "Several files", hidden: true });
  #entries = []; // { name, files, id, state, sentences }
  #left = []; // [file, why]
  #isRunning = false;

  /** Shows what the files would become; nothing is sent before it is begun. */
  plan({ pieces, left }) {
    if (!this.#isRunning) this.#clear();
    this.#entries.push(...pieces.map((piece) => ({ ...piece, id: null, state: "", sentences: [] })));
    this.#left.push(...left);
    this.#show();
    this.element.querySelector("button")?.focus();
  }

  #clear() {
    [this.#entries, this.#left] = [[], []];
    this.#show();
  }

  async #begin() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next; (next = this.#waiting[0]);) await this.#make(next);
    this.#isRunning = false;
    this.#show();
  }

  get #waiting() {
    return this.#entries.filter(({ state }) => state === "");
  }

  async #make(entry) {
    const say = (state) => {
      entry.state = state;
      this.#show();
    };
    say("It is made …");
    const taken = new Set();
    try {
      ({ id: entry.id } = await newPiece(entry.name, true));
      for (const [file, purpose] of entry.files) {
        if (await this.#send(entry, file, purpose, say)) taken.add(purpose);
      }
      if (taken.size === 0) {
        await deleteUnused(entry.id);
        entry.id = null;
      }
      if (taken.has("score") && taken.has("recording") && !taken.has("bars")) {
        await startJob(entry.id, { kind: "align" });
      }
    } catch (refusal) {
      entry.sentences.push(refusal.message);
    }
    say(taken.has("bars") ? "Its bars are there." : taken.has("score") && taken.has("recording") ? outcomes.both
      : taken.has("recording") ? outcomes.recording : taken.has("score") ? outcomes.score : outcomes.none);
  }

  /** Gives whether the server took the file; a refusal is kept in the entry. */
  async #send(entry, file, purpose, say) {
    if (purpose === "bars") {
      return importBars(entry.id, file).then(() => true, (refusal) => {
        entry.sentences.push(`${file.name}: ${refusal.message}`);
        return false;
      });
    }
    const { state, sentence } = await sendFile(entry.id, file, purpose, (upload) =>
      say(`${file.name}: ${Math.floor(100 * upload.share)} % of ${megabytes(upload.file.size)}`));
    if (state === "refused") entry.sentences.push(sentence);
    return state === "done";
  }

  #show() {
    const count = this.#entries.length;
    this.element.hidden = count + this.#left.length === 0;
    if (this.element.hidden) return void this.element.replaceChildren();
    const waiting = this.#waiting.length;
    this.element.replaceChildren(make("h2", { text: counted(count, "piece") }),
      make("ul", { class: "pieces" }, ...this.#entries.map((entry) => this.#card(entry)),
        ...this.#left.map(([file, why]) => make("li", { class: "piece-card" }, make("div", { class: "piece-link" },
          make("strong", { text: file.name }), make("span", { class: "trouble", text: `Left out: ${why}.` }))))),
      make("div", { class: "row" },
        waiting > 0 && !this.#isRunning ? make("button", { type: "button", class: "chief",
          onclick: () => this.#begin() }, `Begin ${counted(waiting, "piece")}`) : null,
        this.#isRunning ? null : make("button", { type: "button", onclick: () => this.#clear() },
          waiting > 0 ? "Not these" : "Close this list")));
  }

  #card({ name, files, id, state, sentences }) {
    const words = [make("strong", { text: name }),
      make("span", { class: "hint", text: `${files.map(([file]) => file.name).join(", ")}${state && `. ${state}`}` }),
      ...sentences.map((text) => make("span", { class: "trouble", role: "alert", text }))];
    const card = id ? make("a", { class: "piece-link", href: `#/${encodeURIComponent(id)}` }, ...words)
      : make("div", { class: "piece-link" }, ...words);
    mark(card, "data-state", state === "" ? "planned" : null);
    return make("li", { class: "piece-card" }, card);
  }
}

/** The one list of this page: it outlives the view that shows it. */
export const manyFiles = new ManyFiles();
