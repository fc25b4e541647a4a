// Setlists: one's own lists of scores, named and in order. The server keeps them, so that they are the same on all of
// one's stands; this device has a copy to read without it.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { findIn, highlighted } from "/shared/search.js";
import { offlineRow } from "./offline.js";
import { things } from "./store.js";
import { act, closeDialog, dialogShows, notice, openDialog } from "./words.js";

const most = 64; // scores in one setlist

export class Setlists {
  #lists = []; // { id, name, scores, revision }
  #user = null;
  #isEditing = false;
  #keyword = "";
  #shown = null; // { id, name } of the setlist whose dialog was opened last

  constructor(home) {
    this.home = home;
    find("new-setlist").addEventListener("click", () => this.#askName(null));
  }

  /** Takes what this device has of a user's setlists. */
  async load(user) {
    if (user !== this.#user) this.#lists = [];
    this.#user = user;
    this.#lists = (await things.get(`setlists:${user}`)) ?? this.#lists;
  }

  /** Asks the server, and shows what it says; without it the copy stays. */
  async renew() {
    const user = this.#user;
    const found = await ask("/api/setlists", { patience: 5_000 }).catch(() => null);
    if (!found?.setlists || user !== this.#user || user !== this.home.device.currentID) return;
    await this.#take(found.setlists);
  }

  async #take(lists) {
    const isNews = JSON.stringify(lists) !== JSON.stringify(this.#lists);
    this.#lists = lists;
    if (!isNews) return;
    await things.put(`setlists:${this.#user}`, lists);
    this.paint(this.#keyword);
    // It may have been changed on another stand of this user.
    if (this.#shown) this.#refresh(this.#shown.id);
  }

  #score(id) {
    return this.home.scores.find((score) => score.id === id) ?? null;
  }

  paint(keyword = "") {
    this.#keyword = keyword;
    const found = this.#lists.map((list) => {
      const match = findIn(keyword, [list.name]);
      const isWithin = !match && list.scores.some((id) => {
        const score = this.#score(id);
        return score && findIn(keyword, [score.title, score.composer ?? ""]);
      });
      return match ? [list, match[0]] : isWithin ? [list, [{ text: list.name, isMatch: false }]] : null;
    }).filter(Boolean).sort(([a], [b]) => a.name.localeCompare(b.name));
    const rows = found.map(([list, name]) => make("li", {},
      make("button",
        { type: "button", class: "entry room", "data-setlist": list.id, onclick: () => this.#open(list.id) },
        make("span", { class: "lines" }, make("span", { class: "title" }, ...highlighted(name)),
          make("span", { class: "by", text: this.#countWords(list) })))));
    find("setlist-list").replaceChildren(rows.length > 0 ? make("ul", {}, ...rows)
      : make("p", { class: "empty",
        text: keyword ? "" : "Your own lists of scores: an evening, a tour, what you practise." }));
    find("new-setlist").hidden = this.home.scores.length === 0;
    find("setlists").hidden = this.home.scores.length === 0 && this.#lists.length === 0;
  }

  #countWords({ scores }) {
    return scores.length === 1 ? "1 piece" : `${scores.length} pieces`;
  }

  // -- One setlist --------------------------------------------------------------------------------------------

  #open(id) {
    this.#isEditing = false;
    const list = this.#lists.find((each) => each.id === id);
    if (list) this.#show(list);
  }

  #show(list) {
    this.#shown = { id: list.id, name: list.name };
    openDialog(list.name, ...this.#contents(list));
  }

  #refresh(id) {
    if (this.#shown?.id !== id || !dialogShows(this.#shown.name)) return;
    const list = this.#lists.find((each) => each.id === id);
    if (list) this.#show(list);
    else closeDialog();
  }

  #contents(list) {
    const rows = list.scores.map((id, index) => this.#row(list, id, index));
    const there = list.scores.filter((id) => this.#score(id));
    return [
      rows.length > 0 ? make("ol", { class: "programme" }, ...rows)
        : make("p", { class: "hint", text: "Nothing is in it yet." }),
      make("p", { class: "links" },
        make("button",
          { type: "button", id: "add-to-setlist", text: "Add a score …", onclick: () => this.#choose(list) }),
        make("button",
          { type: "button", id: "edit-setlist", text: this.#isEditing ? "Done" : "Change …", onclick: () => {
            this.#isEditing = !this.#isEditing;
            this.#refresh(list.id);
          } }),
        there.length > 0 ? make("button", { type: "button", class: "primary", id: "room-from-setlist",
          text: "Make a room of it …", onclick: () => this.#askRoom(list, there) }) : null),
      this.#isEditing ? make("p", { class: "links" },
        make("button", { type: "button", id: "rename-setlist", text: "Rename …", onclick: () => this.#askName(list) }),
        act("Delete this setlist", () => this.#remove(list), { class: "danger", id: "delete-setlist" })) : null,
      there.length > 0 ? offlineRow(there, { user: this.#user }, () => this.#refresh(list.id)) : null,
    ];
  }

  #row(list, id, index) {
    const score = this.#score(id);
    const name = score?.title ?? "No longer given to you";
    const open = make("button", { type: "button", class: "entry", "data-score": id, disabled: !score, onclick: () => {
      closeDialog();
      this.home.listener.openScore(id, { list: list.id, entry: String(index) });
    } }, make("span", { class: "number", text: String(index + 1) }),
    make("span", { class: "lines" }, make("span", { class: "title", text: name }),
      make("span", { class: "by", text: score?.composer ?? "" })));
    if (!this.#isEditing) return make("li", {}, open);
    const swapped = (other) => {
      const scores = [...list.scores];
      [scores[index], scores[other]] = [scores[other], scores[index]];
      return this.#store({ ...list, scores });
    };
    return make("li", {}, open, make("span", { class: "actions" },
      act("↑", () => swapped(index - 1), { class: "small", "aria-label": `Earlier: ${name}`, disabled: index === 0 }),
      act("↓", () => swapped(index + 1),
        { class: "small", "aria-label": `Later: ${name}`, disabled: index === list.scores.length - 1 }),
      act("Remove", () => this.#store({ ...list, scores: list.scores.filter((_, at) => at !== index) }),
        { class: "small", "aria-label": `Take ${name} out of the setlist` })));
  }

  /** Stores a setlist with the server and shows what is stored. Throws Refusal. */
  async #store(list) {
    const { id, name, scores, revision } = list;
    try {
      await this.home.device.vouch();
      const stored = await ask(`/api/setlists/${id}`,
        { method: "PUT", json: { name, scores, revision }, patience: 8_000 });
      const others = this.#lists.filter((each) => each.id !== id);
      await this.#take([...others, { id, name, scores, revision: stored.revision }]);
      this.#refresh(id);
    } catch (refusal) {
      if (refusal.code === "changed") {
        await this.renew();
        this.#refresh(id);
        if (revision > 0 && !this.#lists.some((each) => each.id === id)) {
          closeDialog();
          throw new Error("This setlist was deleted on another stand.");
        }
      }
      if (refusal.status === 0) {
        throw new Error("The server does not answer, and setlists are changed with it. Nothing was lost.");
      }
      throw refusal;
    }
  }

  async #remove(list) {
    await this.home.device.vouch();
    await ask(`/api/setlists/${list.id}`, { method: "DELETE", patience: 8_000 });
    await this.#take(this.#lists.filter((each) => each.id !== list.id));
    closeDialog();
  }

  #askName(list) {
    const name = make("input", { maxlength: 200, id: "setlist-name", value: list?.name ?? "" });
    const done = act(list ? "Rename" : "Make the setlist", async () => {
      const changed = { id: list?.id ?? newID(), scores: list?.scores ?? [], revision: list?.revision ?? 0,
        name: name.value.trim() };
      await this.#store(changed);
      this.#open(changed.id);
    }, { class: "primary", id: "store-setlist" });
    name.addEventListener("keydown", (event) => event.key === "Enter" && done.click());
    openDialog(list ? "Rename the setlist" : "New setlist", make("label", { text: "Name" }, name), done);
    name.focus();
  }

  #choose(list) {
    const rows = make("ul", { class: "choices" });
    const seek = make("input", { type: "search", id: "seek-piece", placeholder: "Search title, composer",
      "aria-label": "Search scores", autocomplete: "off" });
    const paint = () => {
      const now = this.#lists.find((each) => each.id === list.id) ?? list;
      const found = this.home.scores.map((score) => [score, findIn(seek.value, [score.title, score.composer ?? ""])])
        .filter(([, match]) => match);
      rows.replaceChildren(...found.map(([score, [name, by]]) => {
        const times = now.scores.filter((id) => id === score.id).length;
        const button = act("", async () => {
          if (now.scores.length >= most) return notice(`A setlist has at most ${most} scores; begin another one.`);
          // If it was changed on another stand, what it holds now is shown.
          await this.#store({ ...now, scores: [...now.scores, score.id] }).finally(paint);
        }, { class: "entry", "data-score": score.id });
        button.append(make("span", { class: "lines" }, make("span", { class: "title" }, ...highlighted(name)),
          make("span", { class: "by" }, ...highlighted(by))),
        times > 0 ? make("span", { class: "chosen", text: times > 1 ? `✓ ${times} times` : "✓" }) : "");
        return make("li", {}, button);
      }));
    };
    seek.addEventListener("input", paint);
    paint();
    openDialog("Add scores", seek, rows,
      make("button",
        { type: "button", class: "primary", id: "setlist-done", text: "Done", onclick: () => this.#open(list.id) }));
  }

  #askRoom(list, scores) {
    const name = make("input", { maxlength: 200, id: "room-name", value: list.name });
    const key = make("input", { maxlength: 128, autocomplete: "off", id: "room-passkey",
      placeholder: "None: everybody with one of the scores may join" });
    const create = act("Make the room", async () => {
      const id = newID();
      const [score, ...further] = scores;
      await this.home.device.vouch();
      await ask("/api/rooms",
        { method: "POST", json: { id, membership: newID(), score, further, name: name.value.trim(),
          passkey: key.value === "" ? null : key.value, published: false }, patience: 12_000 });
      closeDialog();
      this.home.listener.openRoom(id, score);
    }, { class: "primary", id: "create-room" });
    openDialog("New room", make("label", { text: "Name" }, name), make("label", { text: "Passkey" }, key),
      make("p", { class: "hint",
        text: `Its programme: ${this.#countWords({ scores })}. Nobody else sees the room until you start the ` +
          "rehearsal." }),
      create);
    name.focus();
  }
}
