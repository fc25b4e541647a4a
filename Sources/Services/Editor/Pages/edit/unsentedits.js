// The edits of a concert that are not saved yet, and those that the server refused, until a person mends or leaves
// them.
import { ask } from "/shared/api.js";
import { Outbox } from "/shared/outbox.js";
import { Unsent } from "/shared/unsent.js";

export const unsentEdits = "baton.edit.unsent."; // where browsers keep them
const typingPause = 600; // milliseconds after the last keystroke before a text is sent

/**
 * `book` tells base revisions and takes what came back; `told` has `state(name, sentence)`,
 * `conflict(entry, conflicts)` and `refused(entry, refusal)`.
 */
export class UnsentEdits {
  entries; // {base, label, changes, typing, due, insists}, the oldest first
  refused; // {changes, label, sentence}, the oldest first
  #book;
  #told;
  #kept;
  #outbox;

  constructor(book, told, me) {
    this.#book = book;
    this.#told = told;
    const left = () => {
      this.#adopt(this.#kept.takeLeft());
      book.load().then(() => this.start(), () => {});
    };
    const taken = () => {
      [this.entries, this.refused] = [[], []];
      book.load("undo").then(() => this.say(), () => {});
    };
    this.#kept = new Unsent(unsentEdits, book.concert, me, { left, taken });
    [this.entries, this.refused] = [[], []];
    this.#adopt(this.#kept.take());
    this.#outbox = new Outbox({
      entries: () => this.entries,
      pause: ({ due }) => due - performance.now(),
      kept: this.#kept,
      send: ([entry]) => this.#send(entry, me),
      met: (refusal, [entry]) => this.#met(refusal, entry),
      refused: ([entry], refusal) => this.#drop(entry, refusal),
      said: (state, sentence) => (state === "saved" ? this.say() : told.state(state, sentence)),
    });
  }

  #adopt(kept) {
    for (const entry of kept) {
      if (entry.sentence) this.refused.push(entry);
      else this.entries.push({ ...entry, due: 0 });
    }
  }

  get isSending() {
    return this.#outbox.isSending;
  }

  close() {
    this.#outbox.close();
  }

  /** Takes an edit; with `typing` it waits for a pause, and joins the one before that writes the same field. */
  add(changes, label, { typing = false } = {}) {
    this.#kept.look();
    const last = this.entries.at(-1);
    const joins = typing && last?.typing && !(this.isSending && this.entries.length === 1)
      && last.changes[0].set === changes[0].set && last.changes[0].field === changes[0].field;
    const due = typing ? performance.now() + typingPause : 0;
    if (joins) {
      last.changes[0].to = changes[0].to;
      last.due = due;
    } else {
      if (last) last.due = 0;
      this.entries.push({ base: this.#book.revision, label, changes, typing, due });
    }
    // A new edit replaces the refused one.
    this.refused = this.refused.filter((old) => !old.changes.some((one) => writes(changes, one.set, one.field)));
    this.#keep();
    this.#told.state("saving");
    this.#outbox.soon();
  }

  /** Something typed that cannot be sent at all stays with its reason, like what the server refused. */
  refuse(changes, label, sentence) {
    this.leave(...this.refused.filter((old) => old.changes.some((one) => writes(changes, one.set, one.field))));
    this.refused.push({ changes, label, sentence });
    this.#keep();
    this.say();
  }

  /** Gives up what was refused. */
  leave(...refusals) {
    this.refused = this.refused.filter((one) => !refusals.includes(one));
    this.#keep();
    this.say();
  }

  /** Sends everything now; true when all of it is saved. */
  flush() {
    return this.#outbox.flush();
  }

  /** A person decided a conflict: send the entry as it is now, or null to give it up. */
  decide(entry) {
    if (entry && entry.changes.length) this.entries[0] = { ...entry, due: 0 };
    else this.entries.shift();
    this.#keep();
    this.#outbox.release();
    this.say();
  }

  start() {
    this.say();
    this.#outbox.soon();
  }

  /** Tells the state once more: only what is saved as a whole is called saved. */
  say() {
    this.#told.state(this.entries.length ? "saving" : this.refused.length ? "refused" : "saved");
  }

  #keep() {
    this.#kept.keep([...this.entries, ...this.refused]);
  }

  #done() {
    this.entries.shift();
    this.#keep();
  }

  async #send(entry, by) {
    const { base, changes } = this.#book.outgoing(entry);
    const answer = await ask(`/api/edit/concerts/${this.#book.concert}/edits`,
      { method: "POST", json: { base, label: entry.label, changes }, by, patience: 10_000 });
    this.#done();
    this.#book.saved(entry, base, answer.revision);
  }

  async #met({ code, value }, entry) {
    if (code !== "conflict" && code !== "stale") return null;
    await this.#book.load();
    if (code === "stale") {
      if (!this.#book.has(entry)) return null;
      // It arrived before, only the answer was lost.
      this.#done();
      return "again";
    }
    const real = (value?.conflicts ?? []).filter((conflict) => conflict.reason !== "field"
      || (conflict.mine ?? "") !== (conflict.theirs ?? ""));
    if (real.length > 0) {
      this.#told.conflict(entry, real);
      return "hold";
    }
    // Both wrote the same.
    this.entries[0] = { ...entry, base: this.#book.revision, insists: true };
    return "again";
  }

  #drop(entry, refusal) {
    this.entries.shift();
    // A newer edit of the same field replaces the refused one.
    const isNewer = this.entries.some(({ changes }) =>
      entry.changes.some((one) => writes(changes, one.set, one.field)));
    if (!isNewer) this.refused.push({ changes: entry.changes, label: entry.label, sentence: refusal.message });
    this.#keep();
    this.#book.dropped();
    this.#told.refused(entry, refusal);
  }
}

/** True if changes write a field. */
const writes = (changes, node, field) => node !== undefined
  && changes.some((change) => change.set === node && change.field === field);
