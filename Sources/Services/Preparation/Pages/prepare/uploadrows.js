// The uploads of a piece as rows: progress, cuts, refusals; and uploads that a reload interrupted.
import { fileButton } from "/shared/choosefiles.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { accepts } from "./drops.js";
import { Upload, begunUploads, giveUp } from "./uploads.js";

const running = new Set(); // Uploads of all pieces: they go on while another page is shown

addEventListener("beforeunload", (event) => running.size > 0 && event.preventDefault());

/** Sends a file to a piece whose page need not be shown; gives the upload when it has ended. */
export async function sendFile(piece, file, purpose, changed) {
  const upload = new Upload(piece, file, purpose, (now) => {
    now.row?.(now);
    changed(now);
  });
  running.add(upload);
  await upload.run();
  running.delete(upload);
  return upload;
}

export class UploadRows {
  element = make("ul", { class: "uploads", "aria-label": "Uploads", "aria-live": "polite" });
  #piece;
  #done;
  #changed;
  #refused;
  #rows = new Map(); // Upload → {element, …}

  /**
   * `done(upload)` is called with each file that the server took, `changed()` when files set out or one is refused,
   * `refused(uploads)` when none of several is left to be sent and some were refused.
   */
  constructor(piece, done, changed, refused) {
    this.#piece = piece;
    this.#done = done;
    this.#changed = changed;
    this.#refused = refused;
    for (const upload of running) if (upload.piece === piece) this.#adopt(upload);
    this.#showBegun();
  }

  /** True while a recording is on its way, also one that waits for its turn. */
  get bringsSound() {
    return [...running].some(({ piece, purpose }) => piece === this.#piece && purpose === "recording");
  }

  /** Sends files one after another; each is `[file, purpose]`. */
  async add(files) {
    // What was refused before has been read by whoever chooses other files.
    const purposes = new Set(files.map(([, purpose]) => purpose));
    for (const old of [...this.#rows.keys()]) {
      if (old.state === "refused" && purposes.has(old.purpose)) this.#remove(old);
    }
    const uploads = files.map(([file, purpose]) => new Upload(this.#piece, file, purpose, (upload) =>
      upload.row?.(upload)));
    for (const upload of uploads) {
      running.add(upload);
      this.#adopt(upload);
    }
    this.#showBegun();
    this.#changed();
    for (const upload of uploads) {
      const isDone = await upload.run();
      running.delete(upload);
      if (!isDone) this.#changed();
      if (isDone) await this.#done(upload);
      if (isDone || upload.state === "givenUp") this.#remove(upload);
    }
    const refused = uploads.filter(({ state }) => state === "refused");
    if (refused.length > 0) this.#refused(refused);
  }

  #adopt(upload) {
    const bar = make("progress", { max: 1, value: 0, "aria-label": `Upload of ${upload.chosen.name}` });
    const words = make("span", { class: "upload-words" });
    const stop = make("button", { type: "button", class: "plain",
      "aria-label": `Give up the upload of ${upload.chosen.name}`,
      onclick: () => (running.has(upload) ? upload.giveUp() : this.#remove(upload)) }, icon("close"));
    const element = make("li", { class: "upload" },
      make("span", { class: "upload-name", text: upload.chosen.name }), bar, words, stop);
    this.#rows.set(upload, element);
    this.element.append(element);
    upload.row = () => {
      mark(element, "data-state", upload.state);
      mark(element, "role", upload.state === "refused" ? "alert" : null);
      bar.value = upload.share;
      bar.hidden = upload.state === "refused";
      write(words, upload.sentence || (upload.state === "checking" ? "Reading the file …"
        : `${Math.floor(100 * upload.share)} % of ${megabytes(upload.file.size)}`));
    };
    upload.row();
  }

  #remove(upload) {
    this.#rows.get(upload)?.remove();
    this.#rows.delete(upload);
    this.#showBegun();
  }

  /** Shows uploads that were begun before a reload: the browser must be given the file again. */
  #showBegun() {
    for (const old of this.element.querySelectorAll("[data-begun]")) old.remove();
    const now = new Set([...running].map(({ file, piece }) => `${piece} ${file.name} ${file.size}`));
    for (const entry of begunUploads()) {
      if (entry.piece !== this.#piece || now.has(`${entry.piece} ${entry.name} ${entry.bytes}`)) continue;
      const chosen = entry.chosen ?? entry;
      const say = make("span", { class: "trouble", role: "alert" });
      const choose = fileButton("Choose it again", accepts[entry.purpose] ?? accepts.any, ([file]) => {
        if (file.name !== chosen.name || file.size !== chosen.bytes) {
          write(say, `This is another file. Choose ${chosen.name} (${megabytes(chosen.bytes)}).`);
        } else this.add([[file, entry.purpose]]);
      });
      this.element.append(make("li", { class: "upload", "data-begun": entry.upload, "data-state": "cut" },
        make("span", { class: "upload-name", text: chosen.name }),
        make("span", { class: "upload-words", text: `Stopped at ${Math.floor((100 * entry.received) / entry.bytes)} %. `
          + "It goes on from there." }), choose, say,
        make("button", { type: "button", class: "plain", "aria-label": `Give up the upload of ${chosen.name}`,
          onclick: async () => {
            await giveUp(entry);
            this.#showBegun();
          } }, icon("close"))));
    }
  }
}

/** Bytes as “12.3 MB” or “40 KB”. */
export const megabytes = (bytes) => (bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} KB`
  : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`);
