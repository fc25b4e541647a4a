// The page's own copy of a piece: what the server has confirmed, and on top of it what was made here and is not
// confirmed yet.
import { applyEdits } from "./edits.js";

export class Mirror {
  /** @type {import("/shared/exchanged").Draft | null} */
  base = null; // the piece as confirmed by the server
  /** @type {import("/shared/exchanged").DraftBatch[]} */
  #pending = []; // in their order
  /** @type {Map<number, Omit<import("/shared/exchanged").DraftChange, "revision">>} */
  #waiting = new Map(); // by revision: confirmed, but a revision before it is missing
  /** @type {import("/shared/exchanged").Draft | null} */
  #shown = null;

  /** Takes the server's whole piece; what is unconfirmed stays on top. */
  load(draft) {
    this.base = draft;
    this.#shown = null;
    for (const revision of this.#waiting.keys()) if (revision <= draft.revision) this.#waiting.delete(revision);
    return this.#drain();
  }

  /** Batches that the server has not confirmed, the oldest first. */
  get pending() {
    return this.#pending;
  }

  /** The piece as the page shows it; null before it was loaded. */
  get shown() {
    if (!this.base) return null;
    this.#shown ??= this.#pending.reduce((draft, { edits }) => applyEdits(draft, edits).draft, this.base);
    return this.#shown;
  }

  /** Applies a batch here at once. Gives `{ inverse, skipped }`; a batch that changes nothing is not kept. */
  make(batch) {
    const { draft, inverse, skipped } = applyEdits(this.shown, batch.edits);
    if (inverse.length > 0) {
      this.#pending.push(batch);
      this.#shown = draft;
    }
    return { inverse, skipped };
  }

  /** Batches kept from before the page was loaded again. */
  restore(batches) {
    this.#pending.unshift(...batches);
    this.#shown = null;
  }

  /** Takes a batch away that the server refused. */
  drop(id) {
    this.#pending = this.#pending.filter((batch) => batch.id !== id);
    this.#shown = null;
  }

  /**
   * A revision that was announced, with its edits or null. Gives "taken", "known", "missing" if revisions before it
   * were not heard, or "reload" if it says no edits.
   */
  heard({ revision, id = null, edits }) {
    if (revision <= this.base.revision) {
      if (id) this.drop(id);
      return "known";
    }
    this.#waiting.set(revision, { id, edits });
    return this.#drain();
  }

  /** The server's answer to a batch that was made here. */
  answered(id, revision) {
    const own = this.#pending.find((batch) => batch.id === id);
    if (!own) return "known";
    return this.heard({ revision, id, edits: own.edits });
  }

  #drain() {
    for (;;) {
      const next = this.#waiting.get(this.base.revision + 1);
      if (!next) return this.#waiting.size > 0 ? "missing" : "taken";
      if (!next.edits) return "reload";
      this.#waiting.delete(this.base.revision + 1);
      this.base = { ...applyEdits(this.base, next.edits).draft, revision: this.base.revision + 1 };
      this.#pending = this.#pending.filter(({ id }) => id !== next.id);
      this.#shown = null;
    }
  }
}
