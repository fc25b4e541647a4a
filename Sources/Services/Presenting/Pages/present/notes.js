// The speaker's own notes for each slide. They stay in this browser, under the name of the file.
import { write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";

const namesKey = "baton.present.files";
const mostNames = 40;

export class Notes {
  #field;
  #title;
  #names = readKept(namesKey) ?? {}; // the file names of documents
  #place = null; // the file and the page whose notes are shown

  constructor(field, title) {
    [this.#field, this.#title] = [field, title];
    field.addEventListener("input", () => this.#write());
    // Another tab of this browser wrote. What is being written here stays.
    addEventListener("storage", ({ key }) => {
      if (this.#place?.key === key && document.activeElement !== field) this.#read();
    });
  }

  /** The document on the server was made from this file, whose notes are shown again. */
  name(document, file) {
    this.#names = Object.fromEntries([...Object.entries(this.#names), [document, file]].slice(-mostNames));
    keep(namesKey, this.#names);
  }

  show(document, page) {
    const file = document === null ? null : this.#names[document] ?? document;
    const place = file === null ? null : `${file} ${page}`;
    this.#field.disabled = place === null;
    write(this.#title, place === null ? "Notes" : `Notes for slide ${page}, only in this browser`);
    if (place === this.#place?.place) return;
    this.#place = place === null ? null : { place, key: `baton.present.notes.${file}`, page };
    this.#read();
  }

  #read() {
    this.#field.value = this.#place ? readKept(this.#place.key)?.[this.#place.page] ?? "" : "";
  }

  #write() {
    if (!this.#place) return;
    const { key, page } = this.#place;
    keep(key, { ...readKept(key), [page]: this.#field.value });
  }
}
