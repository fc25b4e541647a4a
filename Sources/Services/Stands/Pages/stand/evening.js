// The programme of a room on this stand: which score is open, which part of it is this player's, and what comes next.
import { ask } from "/shared/api.js";
import { find } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { samePart } from "./partname.js";
import * as shelf from "./shelf.js";
import { quick } from "./store.js";
import { notice, say } from "./words.js";
import { keepWritten } from "./written.js";

const again = 10_000; // ms between two questions for a score this player was not given

/** The part of a score that this player plays: chosen before, else of the same name as `name`; null to be asked. */
export function partFor(user, whole, name = null) {
  const kept = quick.get(`part.${user}.${whole.id}`);
  if (kept && whole.parts[kept.part]) return kept.part;
  if (whole.parts.length === 1) return 0;
  return name === null ? null : samePart(name, whole.parts.map((part) => part.name));
}

export class Evening {
  partName = null; // of the part that this player has, where there were several to choose from
  /** The id of the open score if this stand cannot show it, because it was not given or cannot be loaded. */
  withheld = null;
  #titles = new Map(); // id of a score → its title, as the server told
  #readied = new Set(); // `score revision part` whose pages are on this device
  #readying = false;

  constructor(reader) {
    this.reader = reader;
    setInterval(() => this.withheld && this.reader.wire?.state === "joined" && this.retry(), again);
  }

  close() {
    this.withheld = this.partName = null;
    this.#show();
  }

  // -- What is in the programme -------------------------------------------------------------------------------

  get #entries() {
    return this.reader.content?.programme ?? [];
  }

  get #at() {
    return this.#entries.findIndex((entry) => entry.id === this.reader.content.open);
  }

  get next() {
    return this.#at < 0 ? null : this.#entries[this.#at + 1] ?? null;
  }

  get isSeveral() {
    return this.reader.onward.entries.length > 1;
  }

  titleOf(score) {
    return this.#titles.get(score) || "";
  }

  learnTitles(scores) {
    for (const { id, title } of scores) this.#titles.set(id, title);
  }

  /** Asks the server for the room's programme as members see it, including the titles of scores that they were not
      given; null if the server does not answer. */
  async ask() {
    const { room, user } = this.reader;
    if (!room) return null;
    const told = await ask(`/api/rooms/${room}/programme?user=${user}`, { patience: 5_000 }).catch(() => null);
    for (const entry of told?.entries ?? []) this.#titles.set(entry.score, entry.title);
    if (told) this.reader.chrome.paint();
    return told;
  }

  /** The name of the part somebody takes part with; "" where this player has not that score. */
  nameOfPart(participation) {
    const { reader } = this;
    const id = reader.content.scoreOf(participation);
    return id === reader.score?.id ? reader.score.parts[participation.part]?.name ?? "" : "";
  }

  /** An act with what it is meant for, so that it does nothing to a score that is opened meanwhile. */
  named(act) {
    const { content, score } = this.reader;
    if (!content || !score) return act;
    if (!this.isSeveral) return act;
    const entry = this.#entries.find((each) => each.id === content.open && each.score === score.id)
      ?? this.#entries.find((each) => each.score === score.id);
    if (act.turn) return { ...act, turn: [...act.turn.slice(0, 2), entry?.id ?? content.open] };
    if (act.pinpoint) return { ...act, pinpoint: { ...act.pinpoint, entry: entry?.id ?? content.open } };
    return act;
  }

  // -- Opening ------------------------------------------------------------------------------------------------

  /** Opens a score of the programme on all stands, at its end if that is wanted; for leaders. */
  async openForAll(entry, atEnd = false) {
    const { reader } = this;
    if (entry.id === reader.content?.open) return reader.onward.comeBack();
    const whole = atEnd ? await shelf.score(entry.score).catch(() => null) : null;
    const part = whole && partFor(reader.user, whole, this.partName);
    const opening = { openScore: { entry: entry.id } };
    return reader.wire?.makeAll(part === null ? [opening]
      : [opening, { turn: [part, whole.parts[part].pages.length - 1, entry.id] }]);
  }

  /** Adds a score behind the open one and opens it on all stands: an encore. */
  addAndOpen(score) {
    const id = newID();
    const before = this.next?.id;
    this.reader.wire?.makeAll(
      [{ addScore: { entry: { id, score }, ...(before ? { before } : {}) } }, { openScore: { entry: id } }]);
  }

  /** True if this stand shows the open score, has said why it does not, or its player looks at another one. */
  lies(id) {
    return id === (this.reader.score?.id ?? this.withheld) || this.reader.onward.isAway;
  }

  /** A score; null if this stand cannot have it and stays in its room without it. Throws where one plays alone. */
  async fetch(id) {
    try {
      const whole = await shelf.score(id);
      this.withheld = null;
      this.#show();
      return whole;
    } catch (refusal) {
      if (!this.reader.room || ![0, 403, 404].includes(refusal.status)) throw refusal;
      this.#withhold(id, refusal.status);
      return null;
    }
  }

  /** Says where a piece has not this player's part, but another one alone. */
  tellOnly(parts) {
    const [{ name }] = parts;
    if (parts.length > 1 || this.partName === null || samePart(this.partName, [name]) !== null) return;
    notice(`There is no ${this.partName} in this piece, only ${name}.`);
  }

  async retry() {
    const id = this.withheld;
    this.withheld = null;
    if (id && this.reader.isOpen) await this.reader.followOpen();
  }

  #withhold(id, status) {
    const { reader } = this;
    this.withheld = id;
    reader.remarking.settle();
    reader.score = null;
    reader.paper.close();
    reader.strip.close();
    this.#show(status);
    if (status !== 0) this.ask().then((told) => this.withheld === id && told && this.#show(status, told));
  }

  /** Says in the middle of the stand why there is no music on it; nobody else is affected. */
  #show(status = 0, told = null) {
    const card = find("withheld");
    card.hidden = this.withheld === null;
    if (card.hidden) return;
    const entry = told?.entries.find((each) => each.score === this.withheld);
    const title = entry?.title || this.titleOf(this.withheld);
    find("withheld-title").textContent = title || "The next piece";
    find("withheld-why").textContent = status === 0
      ? "It is not on this device, and the server does not answer. It opens here as soon as it does."
      : entry && !entry.isThere ? "It is no longer in the library. You stay in the room; the next piece opens here."
        : "You have not been given this score: ask the librarian. You stay in the room, and it opens here once you " +
          "have it.";
  }

  /** Another score lies there. */
  opened() {
    const { reader } = this;
    reader.remarking.update();
    reader.chrome.paint();
    if (reader.score) say(`${reader.score.title}, page ${Math.max(reader.turning.view.page, 0) + 1}.`);
    this.ready();
  }

  // -- Having it ready ----------------------------------------------------------------------------------------

  /** Loads the pages of the next pieces before they come: the player's own part, the next piece first. */
  async ready() {
    if (this.#readying || !this.isSeveral) return;
    this.#readying = true;
    try {
      const { reader } = this;
      const { entries: all, here } = reader.onward;
      const at = all.indexOf(here);
      const entries = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
      for (const { score } of entries) {
        if (reader.isOpen && reader.score && score !== reader.score.id) await this.#readyOne(score).catch(() => {});
      }
    } finally {
      this.#readying = false;
    }
  }

  async #readyOne(id) {
    const whole = await shelf.score(id);
    const part = partFor(this.reader.user, whole, this.partName) ?? 0;
    const key = `${id} ${whole.revision ?? ""} ${part}`;
    if (this.#readied.has(key)) return;
    for (let page = 0; page < whole.parts[part].pages.length; page += 1) await shelf.picture(whole, part, page);
    await keepWritten(whole, part, this.reader.user);
    this.#readied.add(key);
  }
}
