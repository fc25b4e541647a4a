// Bookmarks: places of a score with names of the user's own, on all of the user's devices.
import { find, make } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { filedPage, laidPage } from "../layout.js";
import { placeAt } from "../places.js";
import { act, closeDialog, dialogShows, openDialog, refreshDialog } from "../words.js";

const title = "Bookmarks";

export class Bookmarks {
  constructor(reader) {
    this.reader = reader;
    find("bookmarks").addEventListener("click", () => this.open());
  }

  open() {
    openDialog(title, ...this.#contents());
    document.querySelector("#bookmark-name")?.focus();
  }

  get #wire() {
    return this.reader.remarking.wire;
  }

  #place() {
    const { part, score, turning } = this.reader;
    const page = Math.max(turning.view.page, 0);
    const first = (score.parts[part].places ?? []).find((place) => place.page === page && !place.steps)
      ?? placeAt(score.parts[part], page, 0, 0);
    const bar = first ? { movement: first.movement ?? 0, measure: first.first } : {};
    return { part, page: filedPage(score.parts[part], page), ...bar };
  }

  #contents() {
    const { score } = this.reader;
    const { bookmarks } = this.#wire.shown;
    const here = this.#place();
    const at = laidPage(score.parts[here.part], here.page);
    const name = make("input", { id: "bookmark-name", maxlength: 200, autocomplete: "off",
      placeholder: here.measure === undefined ? `Page ${at + 1}` : `Bar ${here.measure}` });
    const add = act("Add", () => {
      this.#wire.make({ bookmark: { id: newID(), name: name.value.trim() || name.placeholder, ...here } });
      if (dialogShows(title)) refreshDialog(title, ...this.#contents());
    }, { class: "primary", id: "add-bookmark" });
    name.addEventListener("keydown", (event) => event.key === "Enter" && add.click());
    const sorted = [...bookmarks].sort((a, b) => a.part - b.part || a.page - b.page || a.name.localeCompare(b.name));
    return [
      make("label", { text: "Name of this place" }, name), add,
      sorted.length === 0 ? make("p", { class: "hint", text: "Places that you name are here, on all your devices." })
        : make("ul", { class: "choices" }, ...sorted.map((bookmark) => this.#row(bookmark, score))),
    ];
  }

  #row(bookmark, score) {
    const { id, name, part, page, measure } = bookmark;
    const at = laidPage(score.parts[part], page);
    const where = [score.parts.length > 1 ? score.parts[part]?.name : null, `page ${at + 1}`,
      measure === undefined ? null : `bar ${measure}`].filter(Boolean).join(" · ");
    const go = make("button", { type: "button", class: "entry", "data-bookmark": id },
      make("span", { class: "lines" }, make("span", { class: "title", text: name }),
        make("span", { class: "by", text: where })));
    go.addEventListener("click", () => {
      closeDialog();
      if (part !== this.reader.part) this.reader.openPart(part, at);
      else this.reader.turner.go(at);
    });
    return make("li", { class: "row" }, go, act("Remove", () => {
      this.#wire.make({ unbookmark: id });
      if (dialogShows(title)) refreshDialog(title, ...this.#contents());
    }, { class: "small", "aria-label": `Remove ${name}` }));
  }
}
