// Edits on their way to the server: one after another, again and again until they are there.
import { ask } from "/shared/api.js";
import { Kept } from "./kept.js";

const typingPause = 600; // milliseconds after the last keystroke before a text is sent
const longestWait = 10_000;

/**
 * Holds the edits that are not saved yet, and those that the server refused, until a person mends or leaves them.
 * `book` tells base revisions and takes what came back; `told` has `state(name, sentence)`,
 * `conflict(entry, conflicts)` and `refused(entry, refusal)`.
 */
export class Outbox {
  #book;
  #told;
  #kept;
  #entries = [];
  #refused = []; // [{changes, label, sentence}], the oldest first
  #timer = null;
  #sending = false;
  #stuck = false; // by a conflict that a person has to decide
  #wait = 0;

  constructor(book, told, me) {
    this.#book = book;
    this.#told = told;
    this.#kept = new Kept(book.concert, me);
    const kept = this.#kept.take();
    this.#entries = kept.filter(({ sentence }) => !sentence).map((entry) => ({ ...entry, due: 0 }));
    this.#refused = kept.filter(({ sentence }) => sentence);
    this.#beat = setInterval(() => (this.#entries.length || this.#refused.length) && this.#keep(), 5_000);
    this.#online = () => this.#retry();
    addEventListener("online", this.#online);
  }

  #beat;
  #online;

  get entries() {
    return this.#entries;
  }

  get refused() {
    return this.#refused;
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
      last.due = performance.now() + typingPause;
    } else {
      if (last) last.due = 0;
      this.#entries.push({ base: this.#book.revision, label, changes, typing,
        due: typing ? performance.now() + typingPause : 0 });
    }
    // A new edit replaces the refused one.
    this.#refused = this.#refused.filter((old) => !old.changes.some((one) => writes(changes, one.set, one.field)));
    this.#keep();
    this.#state("saving");
    this.#schedule();
  }

  /** Something typed that cannot be sent at all stays with its reason, like what the server refused. */
  refuse(changes, label, sentence) {
    this.leave(...this.#refused.filter((old) => old.changes.some((one) => writes(changes, one.set, one.field))));
    this.#refused.push({ changes, label, sentence });
    this.#keep();
    this.say();
  }

  /** Gives up what was refused. */
  leave(...refusals) {
    this.#refused = this.#refused.filter((one) => !refusals.includes(one));
    this.#keep();
    this.say();
  }

  /** Sends everything now; true when all of it is saved. */
  async flush() {
    for (const entry of this.#entries) entry.due = 0;
    const end = performance.now() + 8_000;
    this.#retry();
    while (this.#entries.length && !this.#stuck && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 60));
    }
    return this.#entries.length === 0;
  }

  /** A person decided a conflict: send the entry as it is now, or null to give it up. */
  decide(entry) {
    this.#stuck = false;
    if (entry && entry.changes.length) this.#entries[0] = { ...entry, due: 0 };
    else this.#entries.shift();
    this.#keep();
    this.#schedule();
    this.say();
  }

  start() {
    this.say();
    this.#schedule();
  }

  /** Tells the state once more: only what is saved as a whole is called saved. */
  say() {
    if (this.#entries.length) this.#state("saving");
    else if (this.#refused.length) this.#state("refused");
    else this.#state("saved");
  }

  #state(name, sentence) {
    this.#told.state(name, sentence);
  }

  #keep() {
    this.#kept.keep([...this.#entries, ...this.#refused]);
  }

  #done() {
    this.#entries.shift();
    this.#keep();
  }

  #retry() {
    this.#wait = 0;
    this.#schedule();
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#sending || this.#stuck || !this.#entries.length) return;
    const pause = Math.max(this.#entries[0].due - performance.now(), this.#wait, 0);
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
      this.#done();
      this.#book.saved(entry, base, answer.revision);
      this.say();
    } catch (refusal) {
      await this.#failed(entry, refusal);
    } finally {
      this.#sending = false;
      this.#schedule();
    }
  }

  async #failed(entry, refusal) {
    const { status, code } = refusal;
    if (status === 401) {
      this.#wait = longestWait;
      this.#state("out", "You are signed out. What you typed is kept here; sign in, and you come back to this place.");
    } else if (status === 403) {
      this.#wait = longestWait;
      this.#state("barred",
        "Your account may no longer edit. What you typed is kept here; an administrator can help.");
    } else if (status === 0 || status >= 500 || status === 429) {
      this.#wait = Math.min(Math.max(2 * this.#wait, 1_000), longestWait);
      this.#state("waiting", "No connection. What you typed is kept here and sent as soon as the server answers.");
    } else if (code === "conflict") {
      await this.#meet(entry, refusal.value?.conflicts ?? []);
    } else if (code === "stale" && (await this.#book.load()) && this.#book.has(entry)) {
      // It arrived before, only the answer was lost.
      this.#done();
      this.say();
    } else {
      this.#entries.shift();
      // A newer edit of the same field replaces the refused one.
      const isNewer = this.#entries.some(({ changes }) =>
        entry.changes.some((one) => writes(changes, one.set, one.field)));
      if (!isNewer) this.#refused.push({ changes: entry.changes, label: entry.label, sentence: refusal.message });
      this.#keep();
      this.#book.dropped();
      this.#told.refused(entry, refusal);
      this.say();
    }
  }

  async #meet(entry, conflicts) {
    const real = conflicts.filter((conflict) => conflict.reason !== "field"
      || (conflict.mine ?? "") !== (conflict.theirs ?? ""));
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

/** True if changes write a field. */
const writes = (changes, node, field) => node !== undefined
  && changes.some((change) => change.set === node && change.field === field);
