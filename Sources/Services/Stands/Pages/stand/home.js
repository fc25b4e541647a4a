// The first screen: rooms in three lists, scores in two, one search over all of them.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { findIn, highlighted } from "/shared/search.js";
import { insecureNote } from "/shared/secure.js";
import { Covers } from "./covers.js";
import { Setlists } from "./setlists.js";
import * as shelf from "./shelf.js";
import { things } from "./store.js";
import { act, closeDialog, notice, openDialog } from "./words.js";
import { keepWritten } from "./written.js";

const nameOf = (entry) => (typeof entry.name === "string" ? entry.name : entry.name.pieces.map(({ text }) => text)
  .join(""));

// Browsers keep a page itself only where its address is safe: https, or this machine.
const opensWithoutServer = isSecureContext && "serviceWorker" in navigator;
const every = 8_000; // ms between two looks at what the server has

/** The parts of a home that the lists show; its time of day and the music's position differ in every answer. */
const painted = (home) => JSON.stringify([home?.scores, home?.rooms]);

export class Home {
  #home = null;
  #downloads = {};
  #progress = new Map();

  /** `listener` takes openRoom(id, score), openScore(id, within) with the setlist and its entry, signOut() and
      state(sentence). */
  constructor(device, listener) {
    this.device = device;
    this.listener = listener;
    this.setlists = new Setlists(this);
    this.covers = new Covers(() => !find("home").hidden);
    find("seek").addEventListener("input", () => this.paint());
    find("new-room").addEventListener("click", () => this.#askForRoom());
    find("user").addEventListener("click", () => this.#askUser());
    // Sessions begin and rooms are published while one looks at the lists.
    setInterval(() => !find("home").hidden && document.visibilityState === "visible" && this.#renew(), every);
  }

  /** Shows what is kept, then what the server says. Throws Refusal where it refuses. */
  async open(fresh = null) {
    const key = `home:${this.device.currentID}`;
    this.#home = fresh ?? (await things.get(key));
    this.#downloads = await shelf.downloads();
    await this.setlists.load(this.device.currentID);
    this.paint();
    // A sign-in or sign-out made offline goes first, so that the answer is this user's.
    const home = fresh ?? (await this.device.vouch()) ?? (await ask("/api/stand/home", { patience: 6_000 }));
    this.device.check(home);
    this.#home = home;
    await things.put(key, home);
    this.paint();
    this.setlists.renew();
    return home;
  }

  /** Takes the server's newest, and paints only where it differs: nothing is taken from under a finger. */
  async #renew() {
    const user = this.device.currentID;
    const home = await ask("/api/stand/home", { patience: 5_000 }).catch((refusal) => {
      if (refusal.status === 401) this.listener.signedOut();
      return null;
    });
    if (home?.user?.id !== user || user !== this.device.currentID) return;
    const isNews = painted(home) !== painted(this.#home);
    this.#home = home;
    await things.put(`home:${user}`, home);
    this.setlists.renew();
    if (isNews) this.paint();
  }

  get scores() {
    return this.#home?.scores ?? [];
  }

  paint() {
    const keyword = find("seek").value;
    find("user").textContent = this.device.current?.name ?? "";
    const scores = this.scores.map((score) =>
      [score, findIn(keyword, [score.title, score.composer ?? "", score.lyricist ?? "", score.arranger ?? ""])])
      .filter(([, match]) => match);
    const isHere = ([score]) => this.#downloads[score.id] !== undefined;
    this.#list("scores-here", "On this device",
      scores.filter(isHere).map(([score, match]) => this.#score(score, match, true)),
      keyword ? "" : this.scores.length === 0
        ? "No scores yet. A librarian gives them to you, then they are here." : opensWithoutServer
        ? "What you download opens without a network, too."
          : "What you download is kept here, but over this address (no https) the page itself opens only with the " +
            "server.");
    this.#list("scores-there", "To be downloaded",
      scores.filter((entry) => !isHere(entry)).map(([score, match]) => this.#score(score, match, false)), "");
    const rooms = this.#home?.rooms ?? {};
    for (const [place, title, list, empty] of [
      ["rooms-joined", "Joined", rooms.joined, rooms.owned?.length || rooms.notJoined?.length
        ? "" : "Rooms you may join or have joined are listed here."],
      ["rooms-owned", "Mine", rooms.owned, ""],
      ["rooms-open", "Open to join", rooms.notJoined, ""],
    ]) {
      const found = (list ?? []).map((room) => [room, findIn(keyword, [nameOf(room)])]).filter(([, match]) => match);
      found.sort(([a], [b]) => Number(b.isRunning) - Number(a.isRunning));
      this.#list(place, title, found.map(([room, match]) => this.#room(room, match[0], place)), keyword ? "" : empty);
    }
    find("new-room").hidden = this.scores.length === 0;
    this.setlists.paint(keyword);
  }

  #list(place, title, entries, empty) {
    const children = [make("h3", { text: title }), entries.length > 0
      ? make("ul", {}, ...entries.map((entry) => make("li", {}, entry))) : make("p", { class: "empty", text: empty })];
    find(place).replaceChildren(...(entries.length > 0 || empty ? children : []));
  }

  #score(score, [title, composer, lyricist, arranger], isHere) {
    const people = [composer];
    if (score.lyricist) people.push([{ text: "words by ", isMatch: false }, ...lyricist]);
    if (score.arranger) people.push([{ text: "arr. ", isMatch: false }, ...arranger]);
    const line = make("span", { class: "by" });
    people.filter((pieces) => pieces.length > 0)
      .forEach((pieces, index) => line.append(...(index > 0 ? [" · "] : []), ...highlighted(pieces)));
    const pages = score.parts?.length === 1 ? `${score.parts[0].pages} ${score.parts[0].pages === 1 ? "page" : "pages"}`
      : `${score.parts?.length ?? 0} parts`;
    const open = make("button", { type: "button", class: "entry", onclick: () => this.listener.openScore(score.id) },
      this.covers.cover(score),
      make("span", { class: "lines" }, make("span", { class: "title" }, ...highlighted(title)), line,
        make("span", { class: "facts", text: pages })));
    const progress = this.#progress.get(score.id);
    const isOld = isHere && this.#downloads[score.id] !== (score.revision ?? "");
    const side = progress
      ? make("progress", { max: progress[1], value: progress[0], "aria-label": `Downloading ${score.title}` })
      : isHere && !isOld
        ? act("Remove", async () => {
          await shelf.discard(score.id);
          this.#downloads = await shelf.downloads();
          this.paint();
        }, { class: "plain small", "aria-label": `Remove ${score.title} from this device` })
        : act(isOld ? "Update" : "Download", () => this.#download(score),
          { class: "small", "aria-label": `Download ${score.title}` });
    return make("div", { class: "row", "data-score": score.id }, open, side);
  }

  async #download(score) {
    this.#progress.set(score.id, [0, 1]);
    this.paint();
    try {
      await shelf.download(score.id, (done, all) => {
        this.#progress.set(score.id, [done, all]);
        const bar = document.querySelector(`[data-score="${score.id}"] progress`);
        if (bar) Object.assign(bar, { max: all, value: done });
      });
      const whole = await shelf.score(score.id);
      for (const part of whole.parts.keys()) await keepWritten(whole, part, this.device.currentID);
    } catch (refusal) {
      notice(`“${score.title}” is not complete on this device. ${refusal.message}`);
    }
    this.#progress.delete(score.id);
    this.#downloads = await shelf.downloads();
    this.paint();
  }

  #room(room, pieces, place) {
    const score = this.scores.find((each) => each.id === room.score);
    const facts = [score?.title, room.pieces ? `${room.pieces} pieces` : null,
      room.isPublished ? null : "not published", place === "rooms-open" && room.needsPasskey
      ? "passkey" : null].filter(Boolean).join(" · ");
    const open = () => (place === "rooms-open" ? this.#askPasskey(room) : this.listener.openRoom(room.id, room.score));
    return make("button", { type: "button", class: "entry room", "data-room": room.id, onclick: open },
      make("span", { class: "lines" }, make("span", { class: "title" }, ...highlighted(pieces)),
        make("span", { class: "by", text: facts })),
      room.isRunning ? make("span", { class: "running", text: "Session" }) : null);
  }

  #askPasskey(room) {
    const key = make("input", { type: "password", autocomplete: "off", maxlength: 128, id: "passkey" });
    const join = act("Join", async () => {
      await this.device.vouch();
      await ask(`/api/rooms/${room.id}/join`,
        { method: "POST", json: { event: newID(), membership: newID(), passkey: room.needsPasskey ? key.value : null },
          patience: 12_000 });
      closeDialog();
      this.listener.openRoom(room.id, room.score);
    }, { class: "primary", id: "join" });
    if (!room.needsPasskey) {
      openDialog(`Join “${nameOf(room)}”?`, join);
      return;
    }
    key.addEventListener("keydown", (event) => event.key === "Enter" && join.click());
    openDialog(`Join “${nameOf(room)}”`, make("label", { text: "Passkey" }, key), join);
    key.focus();
  }

  #askForRoom() {
    const name = make("input", { maxlength: 200, id: "room-name" });
    const key = make("input",
      { maxlength: 128, autocomplete: "off", id: "room-passkey",
        placeholder: "None: everybody with the score may join" });
    const score = make("select", { id: "room-score" },
      ...this.scores.map((each) =>
        make("option", { value: each.id, text: `${each.title}${each.composer ? ` – ${each.composer}` : ""}` })));
    const create = act("Create", async () => {
      const id = newID();
      await this.device.vouch();
      await ask("/api/rooms",
        { method: "POST", json: { id, membership: newID(), score: score.value, name: name.value.trim(),
          passkey: key.value === "" ? null : key.value, published: false }, patience: 12_000 });
      closeDialog();
      this.listener.openRoom(id, score.value);
    }, { class: "primary", id: "create-room" });
    openDialog("New room", make("label", { text: "Name" }, name), make("label", { text: "Score" }, score),
      make("label", { text: "Passkey" }, key),
      make("p", { class: "hint", text: "Nobody else sees the room until you publish it." }), create);
    name.focus();
  }

  #askUser() {
    const others = this.device.known.filter((user) => user.id !== this.device.currentID);
    openDialog(this.device.current?.name ?? "User",
      make("p", { class: "hint", text: others.length > 0
        ? `Also on this device: ${others.map((user) => user.name).join(", ")}.`
        : "Others may sign in on this device too, one at a time." }), insecureNote(),
      make("a", { class: "button", href: "/account", text: "My account and passphrase" }),
      act("Sign out, or let another play", () => {
        closeDialog();
        this.listener.signOut();
      }, { id: "sign-out" }));
  }
}
