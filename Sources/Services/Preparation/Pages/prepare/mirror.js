// The page's own copy of a piece: what the server has confirmed, and on top of it what was made here and is not
// confirmed yet.
import { InOrder } from "/shared/changes.js";
import { applyEdits } from "./edits.js";

export class Mirror {
  /** @type {import("/shared/exchanged").Draft | null} */
  base = null; // the piece as confirmed by the server
  /** @type {import("/shared/exchanged").DraftBatch[]} */
  #pending = []; // in their order
  #order = new InOrder(0, (change, revision) => this.#take(change, revision));
  /** @type {import("/shared/exchanged").Draft | null} */
  #shown = null;

  /** Takes the server's whole piece; what is unconfirmed stays on top. */
  load(draft) {
    this.base = draft;
    this.#shown = null;
    return this.#order.reach(draft.revision);
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

  /** Takes a batch away that the server has, or refused. */
  drop(id) {
    this.#pending = this.#pending.filter((batch) => batch.id !== id);
    this.#shown = null;
  }

  /** Takes away all that is not confirmed. */
  dropAll() {
    [this.#pending, this.#shown] = [[], null];
  }

  /**
   * A revision that was announced, with its edits or null. Gives "taken", "known", "missing" if revisions before it
   * were not heard, or "reload" if it says no edits.
   */
  heard({ revision, id = null, edits }) {
    if (revision <= this.base.revision && id) this.drop(id);
    return this.#order.heard(revision, { id, edits });
  }

  /** The server's answer to a batch that was made here. */
  answered(id, revision) {
    const own = this.#pending.find((batch) => batch.id === id);
    if (!own) return "known";
    return this.heard({ revision, id, edits: own.edits });
  }

  #take({ id, edits }, revision) {
    if (!edits) return false;
    this.base = { ...applyEdits(this.base, edits).draft, revision };
    this.drop(id);
    return true;
  }
}
