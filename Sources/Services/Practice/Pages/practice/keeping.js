// Keeps the open tab in this browser, change after change. A tab that somebody else replaced meanwhile (another window,
// or the server's newer version) is left as it is, and the change becomes a tab of its own.
import { ownCopy } from "./sync.js";

export class Keeping {
  #store;
  #told;
  #newest = null;
  #stored = 0;
  #work = Promise.resolve();

  /** The open tab as Store keeps it; null if none is open. */
  kept = null;

  /** `told("saving" | "saved" | "failed" | "copied")` is called as it goes on. */
  constructor(store, told) {
    [this.#store, this.#told] = [store, told];
  }

  open(kept) {
    this.kept = kept;
    this.#stored = kept.changed;
    this.#newest = null;
  }

  close() {
    this.kept = null;
  }

  /** Waits until all changes are kept. */
  done() {
    return this.#work;
  }

  /** Keeps a change of the open tab; the newest of several counts. */
  change(change) {
    if (this.kept.owner) this.#fork();
    this.kept = { ...this.kept, ...change, changed: Math.max(Date.now(), this.kept.changed + 1), isDirty: true };
    const mine = this.kept;
    this.#newest = mine;
    this.#told("saving");
    this.#work = this.#work.then(() => (this.#newest === mine ? this.#write(mine) : undefined));
    return this.#work;
  }

  async #write(mine) {
    try {
      const written = await this.#store.update(mine.id, (there) => (there && there.changed !== this.#stored
        ? ownCopy(mine) : { ...mine, version: there?.version ?? mine.version }));
      if (written.id !== mine.id && this.kept?.id === mine.id) this.#fork(written.id);
      if (this.kept?.id === written.id) this.#stored = written.changed;
      if (this.#newest === mine) this.#told("saved");
    } catch {
      this.#told("failed");
    }
  }

  /** The open tab goes on under another id. */
  #fork(id = undefined) {
    this.kept = { ...ownCopy(this.kept), ...(id ? { id } : {}) };
    // Nothing is there under the new id before the first write.
    this.#stored = this.kept.changed;
    this.#told("copied");
  }

  /** What the server knows of it now: `kept` as it was read from the store. */
  refresh(kept) {
    if (kept.changed === this.#stored) this.kept = { ...this.kept, version: kept.version };
  }

  /** True if the store has something newer than what is open, and nothing is lost by opening it. */
  isReplacedBy(kept) {
    return kept.changed !== this.#stored && this.#newest === null;
  }
}
