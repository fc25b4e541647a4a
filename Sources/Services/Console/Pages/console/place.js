// Going to a place: digits anywhere, or G, open the field; Enter goes there, Esc leaves it. Nothing happens before
// Enter.
import { find, mark } from "/shared/dom.js";
import { placeOf } from "./places.js";
import { looksOnly } from "./rights.js";

export class Place {
  #console;
  #field = find("place");
  #form = find("goto");

  constructor(console) {
    this.#console = console;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go();
    });
    for (const change of ["input", "blur"]) {
      this.#field.addEventListener(change, () => mark(this.#field, "aria-invalid", null));
    }
    find("goto-go").addEventListener("click", (event) => {
      if (this.#field.value.trim() !== "") return;
      event.preventDefault();
      this.reopen();
    });
  }

  /** Opens the field with a text already in it, ready for more and for Enter. */
  open(text) {
    this.#field.value = text;
    mark(this.#field, "aria-invalid", null);
    this.#field.focus();
    this.#field.setSelectionRange(text.length, text.length);
  }

  /** Opens the field for another place; one that was refused is still there, to be mended or typed over. */
  reopen() {
    this.open(this.#field.value);
    this.#field.select();
  }

  close() {
    this.#field.value = "";
    mark(this.#field, "aria-invalid", null);
    this.#field.blur();
  }

  /** Takes a key pressed outside any field: digits begin a place, or choose a candidate when lost. */
  takes(name) {
    if (looksOnly(this.#console.desk)) return false;
    if (this.#console.help.takes(name)) return true;
    if (!/^\d$/.test(name)) return false;
    this.open(name);
    return true;
  }

  async #go() {
    const place = this.#field.value.trim();
    if (place === "") return this.close();
    this.#field.blur();
    const { desk } = this.#console;
    const sections = desk.get("programme")?.pieces?.[desk.get("position")?.piece]?.sections;
    if (await this.#console.send("goto", placeOf(place, sections))) return this.close();
    // A refused place stays in the field, in red, but the keys are the show's again.
    this.#field.value = place;
    mark(this.#field, "aria-invalid", "true");
  }
}
