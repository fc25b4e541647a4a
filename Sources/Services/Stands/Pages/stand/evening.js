// The programme of a room on this stand: which score is open, which part of it is this player's, and what comes next.
import { ask } from "/shared/api.js";
import { find } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { samePart } from "./partname.js";
import * as shelf from "./shelf.js";
import { keptSheet } from "./sheets.js";
import { quick } from "./store.js";
import { say } from "./words.js";
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
  partName = null; // of the part that this player chose last
  /** The id of the open score if this stand cannot show it, because it was not given or cannot be loaded. */
  withheld = null;
  #titles = new Map(); // id of a score → its title, as the server told
  #aheadOf = null; // the entry that this player left by hand for the next one, which follows attacca
  #readied = new Set(); // `score revision part` whose pages are on this device
  #readying = false;

  constructor(reader) {
    this.reader = reader;
    setInterval(() => this.withheld && this.reader.wire?.state === "joined" && this.retry(), again);
  }

  close() {
    this.withheld = this.#aheadOf = this.partName = null;
    this.#show();
  }

  // -- What is in the programme -------------------------------------------------------------------------------

  get #entries() {
    return this.reader.content?.programme ?? [];
  }

  get #at() {
    return this.#entries.findIndex((entry) => entry.id === this.reader.content.open);
  }

  /** The entry that is open; null if one plays alone or the room is not here yet. */
  get open() {
    return this.reader.content?.openEntry ?? null;
  }

  get next() {
    return this.#at < 0 ? null : this.#entries[this.#at + 1] ?? null;
  }

  get isSeveral() {
    return this.#entries.length > 1;
  }

  titleOf(score) {
    return this.#titles.get(score) || "";
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

  /** Opens a score of the programme on all stands; for leaders. */
  openForAll(entry) {
    if (entry.id === this.reader.content?.open) return this.reader.followOpen();
    return this.reader.act({ openScore: { entry: entry.id } });
  }

  /** Adds a score behind the open one and opens it on all stands: an encore. */
  addAndOpen(score) {
    const id = newID();
    const before = this.next?.id;
    this.reader.wire?.makeAll(
      [{ addScore: { entry: { id, score }, ...(before ? { before } : {}) } }, { openScore: { entry: id } }]);
  }

  /** True if this stand shows the open score, has said why it does not, or its player went on from it by hand. */
  lies(id) {
    return id === (this.reader.score?.id ?? this.withheld)
      || (this.#aheadOf !== null && this.#aheadOf === this.reader.content?.open);
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
    this.#aheadOf = null;
    reader.remarking.update();
    reader.chrome.paint();
    if (reader.score) say(`${reader.score.title}, page ${Math.max(reader.turning.view.page, 0) + 1}.`);
    this.ready();
  }

  /** A press beyond the last page of a piece after which the next follows attacca; true if it was one. */
  goesOn(direction) {
    const { reader } = this;
    const { turning, content, score } = reader;
    if (!score || !this.isSeveral) return false;
    // Read by systems, a page goes on until its last one.
    const { systems } = reader.turner;
    if (systems && (direction === "back" ? systems.top > 0 : systems.top + systems.seen < systems.rows.length)) {
      return false;
    }
    const { view, facing, count } = turning;
    if (direction === "back") {
      if (this.#aheadOf === null || view.page > keptSheet(0, facing, count)) return false;
      this.#aheadOf = null;
      reader.openOther(content.openScore, Number.MAX_SAFE_INTEGER);
      return true;
    }
    const isLast = (view.ahead ?? null) === null && view.page === keptSheet(count - 1, facing, count);
    if (!isLast || !this.open?.attacca || !this.next || score.id !== content.openScore) return false;
    if (reader.turnsForAll && reader.leads && content.isRunning) this.openForAll(this.next);
    else {
      const from = content.open;
      reader.openOther(this.next.score).then(() => (this.#aheadOf = from));
    }
    return true;
  }

  // -- Having it ready ----------------------------------------------------------------------------------------

  /** Loads the pages of the next pieces before they come: the player's own part, the next piece first. */
  async ready() {
    if (this.#readying || !this.isSeveral) return;
    this.#readying = true;
    try {
      const { reader } = this;
      const entries = [...this.#entries.slice(this.#at + 1), ...this.#entries.slice(0, Math.max(this.#at, 0))];
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
