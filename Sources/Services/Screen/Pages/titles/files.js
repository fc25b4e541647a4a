// The lists of titles as files: of the piece on the screens, and of every prepared piece, tonight's or not.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { plainTitle } from "/shared/titletext.js";
import { textLines, titleName, where } from "./words.js";

const patience = 10_000; // ms to wait for a list
const formats = ["csv", "srt", "vtt", "txt", "xml"];
const noPiece = "No piece is on the screens yet. Choose under “Piece” whose titles the file has, then choose the file "
  + "again.";

/** Shows the choice of a piece and its files. */
export class TitleFiles {
  #say;
  #unsay;
  #present; // the list of the piece on the screens; null without a piece, undefined while it is read
  #arrived = () => {}; // called when it is known
  #other = null; // the list of another piece that was chosen
  #isReading = false;
  #faults = new Map(); // a sentence for each piece whose list cannot be used, else empty

  /** `say` shows a sentence, `unsay` takes it back. */
  constructor({ say, unsay }) {
    [this.#say, this.#unsay] = [say, unsay];
    find("of").addEventListener("change", () => this.#choose());
    find("file").addEventListener("change", () => this.#load());
    find("files").addEventListener("toggle", () => find("files").open && this.readPieces());
  }

  /** The piece on the screens has another list, or another piece is on them; null without a piece, undefined while its
   *  list is read. */
  present(list) {
    this.#present = list;
    if (list === undefined) return;
    this.#arrived();
    if (list) this.#unsay(noPiece);
    if (find("of").value === "") this.#draw(list);
    else if (find("of").value === list?.folder) this.#choose();
  }

  /** Lists the pieces. */
  async readPieces() {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const pieces = await ask("/api/titles", { patience });
      const chosen = find("of").value;
      find("of").replaceChildren(make("option", { value: "", text: "The piece on the screens" }),
        ...pieces.map(({ folder, name, piece, count, fault }) => make("option", { value: folder,
          text: `${name}${piece === null ? " · not in tonight’s programme" : ""} · `
            + (fault ? "its list cannot be used" : `${count} titles`) })));
      this.#faults = new Map(pieces.map(({ folder, name, fault }) =>
        [folder, fault ? `The list of “${name}” cannot be used: ${fault} Load a corrected one below.` : ""]));
      find("of").value = pieces.some(({ folder }) => folder === chosen) ? chosen : "";
    } catch (refusal) {
      this.#say(refusal.message);
    }
    this.#isReading = false;
  }

  async #choose() {
    const folder = find("of").value;
    if (folder === "") {
      this.#other = null;
      if (this.#present !== undefined) this.#draw(this.#present);
      return;
    }
    try {
      const read = await ask(`/api/titles/@${folder}`, { patience });
      if (find("of").value !== folder) return;
      this.#other = { ...read, fingerprint: read.revision };
      this.#draw(this.#other);
      this.#say(this.#faults.get(folder) ?? "");
    } catch (refusal) {
      this.#say(refusal.message);
    }
  }

  #draw(list) {
    // The titles of the piece on the screens stand in the script already.
    const others = list && find("of").value !== "" ? list.titles : [];
    find("other").replaceChildren(...others.map((title) => make("li", {},
      make("span", { class: "where", text: titleName(title) }),
      make("span", { class: "where", text: where(title) }),
      make("span", { class: "words", dir: "auto",
        text: plainTitle(textLines(title, list.languages).join("\n")) || "(empty)" }))));
    find("downloads").replaceChildren(...(list ? [...formats, "pdf"] : []).map((end) => make("a", { class: "button",
      href: `/api/titles/@${list.folder}.${end}`, download: "", text: end.toUpperCase() })));
  }

  async #load() {
    const [file] = find("file").files;
    if (!file) return;
    const end = file.name.split(".").pop().toLowerCase();
    if (!formats.includes(end)) this.#say(`A list of titles ends in ${formats.join(", ")}.`);
    else {
      const list = await this.#wanted(find("of").value);
      if (list) await this.#send(file, end, list);
    }
    // Chosen again, the same file is sent again.
    find("file").value = "";
  }

  /** The list that a file replaces; null, with a sentence, if it could not be read. */
  async #wanted(folder) {
    // The list may still be on its way; the file is for no other.
    if (folder !== "" && this.#other?.folder !== folder) await this.#choose();
    if (folder === "" && this.#present === undefined) {
      await new Promise((resolve) => {
        this.#arrived = () => resolve();
        setTimeout(resolve, patience);
      });
    }
    const list = folder === "" ? this.#present : this.#other;
    if (list && (folder === "" || list.folder === folder)) return list;
    this.#say(folder === "" && this.#present === null
      ? noPiece
      : "The piece’s present titles could not be read, so the file was not sent. Choose the file again.");
    return null;
  }

  async #send(file, end, list) {
    try {
      // The list that this page shows is replaced, not one that somebody has changed since.
      const query = new URLSearchParams({ replacing: list.fingerprint });
      if (end === "xml" && find("track").value) query.set("track", find("track").value);
      if (find("language").value.trim()) query.set("language", find("language").value.trim());
      if (find("join").checked) query.set("join", "1");
      await ask(`/api/titles/@${list.folder}.${end}?${query}`,
        { method: "PUT", text: file, patience: 20_000 });
      this.#say("");
      // The next file is another one.
      find("join").checked = false;
      await this.readPieces();
      if (this.#other) await this.#choose();
    } catch (refusal) {
      this.#say(refusal.message);
    }
  }
}
