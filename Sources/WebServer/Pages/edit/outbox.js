// Edits on their way to the server: one after another, again and again until they are there.
import { ask } from "/shared/api.js";
import { Kept } from "./kept.js";

const typingPause = 600; // milliseconds after the last keystroke before a text is sent
const longestWait = 10_000;

/**
 * Holds the edits that are not saved yet. `book` tells base revisions and takes what came back; `told` has
 * `state(name, sentence)`, `conflict(entry, conflicts)` and `refused(entry, refusal)`.
 */
export class Outbox {
  #book;
  #told;
  #kept;
  #entries = [];
  #timer = null;
  #sending = false;
  #stuck = false; // by a conflict that a person has to decide
  #wait = 0;

  constructor(book, told) {
    this.#book = book;
    this.#told = told;
    this.#kept = new Kept(book.concert);
    this.#entries = this.#kept.take().map((entry) => ({ ...entry, due: 0 }));
    this.#beat = setInterval(() => this.#entries.length && this.#kept.keep(this.#entries), 5_000);
    this.#online = () => this.#retry();
    addEventListener("online", this.#online);
  }

  #beat;
  #online;

  get entries() {
    return this.#entries;
  }

  get isBusy() {
    return this.#sending;
  }

  close() {
    clearInterval(this.#beat);
    clearTimeout(this.#timer);
    removeEventListener("online", this.#online);
  }

  /** Takes an edit; with `typing` it waits for a pause, and joins the one before that writes the same field. */
  add(changes, label, { typing = false } = {}) {
    const last = this.#entries.at(-1);
    const joins = typing && last?.typing && !(this.#sending && this.#entries.length === 1)
      && last.changes[0].set === changes[0].set && last.changes[0].field === changes[0].field;
    if (joins) {
      last.changes[0].to = changes[0].to;
      last.due = Date.now() + typingPause;
    } else {
      if (last) last.due = 0;
      this.#entries.push({ base: this.#book.revision, label, changes, typing, due: typing ? Date.now() + typingPause : 0 });
    }
    this.#kept.keep(this.#entries);
    this.#state("saving");
    this.#schedule();
  }

  /** Sends everything now; true when all of it is saved. */
  async flush() {
    for (const entry of this.#entries) entry.due = 0;
    const end = Date.now() + 8_000;
    this.#retry();
    while (this.#entries.length && !this.#stuck && Date.now() < end) await new Promise((go) => setTimeout(go, 30));
    return this.#entries.length === 0;
  }

  /** Goes on after a person decided: with another form of the first edit, or null to give it up. */
  decide(entry) {
    this.#stuck = false;
    if (entry && entry.changes.length) this.#entries[0] = { ...entry, due: 0 };
    else this.#entries.shift();
    this.#kept.keep(this.#entries);
    this.#schedule();
    if (!this.#entries.length) this.#state("saved");
  }

  start() {
    if (this.#entries.length) this.#state("saving");
    this.#schedule();
  }

  #state(name, sentence) {
    this.#told.state(name, sentence);
  }

  #retry() {
    this.#wait = 0;
    this.#schedule();
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#sending || this.#stuck || !this.#entries.length) return;
    const pause = Math.max(this.#entries[0].due - Date.now(), this.#wait, 0);
    this.#timer = setTimeout(() => this.#send(), pause);
  }

  async #send() {
    const [entry] = this.#entries;
    if (!entry || this.#sending) return;
    this.#sending = true;
    this.#state("saving");
    try {
      const { base, changes } = this.#book.outgoing(entry);
      const answer = await ask(`/api/edit/concerts/${this.#book.concert}/edits`,
        { method: "POST", json: { base, label: entry.label, changes }, patience: 10_000 });
      this.#wait = 0;
      this.#entries.shift();
      this.#kept.keep(this.#entries);
      this.#book.saved(entry, base, answer.revision);
      if (!this.#entries.length) this.#state("saved");
    } catch (refusal) {
      await this.#failed(entry, refusal);
    } finally {
      this.#sending = false;
      this.#schedule();
    }
  }

  async #failed(entry, refusal) {
    const { status, code } = refusal;
    if (status === 401 || status === 403) {
      this.#wait = longestWait;
      this.#state("out", "You are signed out. What you typed is kept here; sign in again.");
    } else if (status === 0 || status >= 500 || status === 429) {
      this.#wait = Math.min(Math.max(2 * this.#wait, 1_000), longestWait);
      this.#state("waiting", "No connection. What you typed is kept here and sent as soon as the server answers.");
    } else if (code === "conflict") {
      await this.#meet(entry, refusal.value?.conflicts ?? []);
    } else if (code === "stale" && (await this.#book.load()) && this.#book.has(entry)) {
      // It arrived before, only the answer was lost.
      this.#entries.shift();
      this.#kept.keep(this.#entries);
      if (!this.#entries.length) this.#state("saved");
    } else {
      this.#entries.shift();
      this.#kept.keep(this.#entries);
      this.#told.refused(entry, refusal);
      this.#state(this.#entries.length ? "saving" : "saved");
      this.#book.dropped();
    }
  }

  async #meet(entry, conflicts) {
    const real = conflicts.filter((conflict) => conflict.reason !== "field" || (conflict.mine ?? "") !== (conflict.theirs ?? ""));
    await this.#book.load();
    if (real.length === 0) {
      // Both wrote the same.
      this.#entries[0] = { ...entry, base: this.#book.revision, insists: true };
      return;
    }
    this.#stuck = true;
    this.#state("conflict", "Somebody else wrote the same.");
    this.#told.conflict(entry, real);
  }
}
