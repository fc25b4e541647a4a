// Search in the texts of remarks and the names of bookmarks, over all scores: the server's, or without it what lies on
// this device.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { findIn, highlighted } from "/shared/search.js";
import { things } from "../store.js";

const pause = 250; // ms after the last letter
const least = 2; // letters
const most = 60;

export class FoundRemarks {
  #timer = null;
  #asked = 0;

  /** `home` has the scores; `open({ score, room, part, page }, remark)` opens one at a remark. */
  constructor(device, home, open) {
    this.device = device;
    this.home = home;
    this.open = open;
    this.place = find("found-remarks");
    find("seek").addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), pause);
    });
  }

  async #look() {
    const keyword = find("seek").value.trim();
    const asked = (this.#asked += 1);
    if (keyword.length < least) return this.place.replaceChildren();
    const user = this.device.currentID;
    const found = await ask(`/api/remarks/find?q=${encodeURIComponent(keyword)}&user=${user}`)
      .then((answer) => answer.found, () => this.#lookHere(keyword));
    if (asked !== this.#asked || user !== this.device.currentID) return;
    this.#show(keyword, found);
  }

  /** Without the server: what this device has kept of the scores on the list. */
  async #lookHere(keyword) {
    const user = this.device.currentID;
    const found = [];
    for (const score of this.home.scores) {
      const kept = await things.get(`remarks:${user}:${score.id}`);
      if (!kept) continue;
      const names = new Map(kept.layers.map(({ id, kind, name }) => [id, kind === "own" ? null : name]));
      const about = (part) => ({ score: score.id, title: score.title, partName: score.parts?.[part]?.name ?? "" });
      for (const [remark] of kept.remarks) {
        if (remark.shape.text !== undefined && findIn(keyword, [remark.shape.text])) {
          found.push({ kind: "remark", ...about(remark.part), text: remark.shape.text, part: remark.part,
            page: remark.page, id: remark.id, layer: names.get(remark.layer) ?? null });
        }
      }
      for (const { id, name, part, page, measure } of kept.bookmarks) {
        if (!findIn(keyword, [name])) continue;
        found.push({ kind: "bookmark", ...about(part), text: name, part, page, id, measure });
      }
      if (found.length >= most) break;
    }
    return found;
  }

  #show(keyword, found) {
    if (found.length === 0) return this.place.replaceChildren();
    this.place.replaceChildren(make("div", { class: "list-head" }, make("h2", { text: "Remarks and bookmarks" })),
      make("ul", {}, ...found.map((one) => make("li", {}, this.#entry(keyword, one)))));
  }

  #entry(keyword, one) {
    const [text] = findIn(keyword, [one.text]) ?? [[{ text: one.text, isMatch: false }]];
    const facts = [one.title, one.partName, `page ${one.page + 1}`,
      one.measure === undefined || one.measure === null ? null : `bar ${one.measure}`, one.layer,
      one.kind === "bookmark" ? "bookmark" : null];
    return make("button", { type: "button", class: "entry", "data-found": one.id,
      onclick: () => this.open({ score: one.score, room: one.room ?? null, part: one.part, page: one.page },
        one.kind === "remark" ? one.id : null) },
    make("span", { class: "lines" }, make("span", { class: "title" }, ...highlighted(text)),
      make("span", { class: "by", text: facts.filter(Boolean).join(" · ") })));
  }
}
