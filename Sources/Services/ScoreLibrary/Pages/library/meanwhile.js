// Saving what somebody else may have changed meanwhile: only what both changed needs a person to decide.
import { score as read } from "./store.js";

const mostTries = 4; // others may go on saving

export class SharedWork {
  /** `pick(score)` gives what is worked on here; `score` is the score as it was loaded. */
  constructor(score, pick) {
    this.id = score.id;
    this.pick = pick;
    this.revision = score.revision;
    this.seen = this.#text(score); // what the server had last; null if that is not known
  }

  /** Saves by `send(revision)`, on top of what others changed elsewhere in the score. Gives `{ answer }`; or, if
      somebody else has changed the same, `{ theirs }`: the score as it is now. Nothing was saved then, and a further
      save replaces theirs. */
  async save(send) {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await send(this.revision);
        await this.#look(answer.revision);
        return { answer };
      } catch (refusal) {
        if (refusal.code !== "changed" || tries === mostTries) throw refusal;
      }
      const now = await read(this.id);
      const before = this.seen;
      [this.revision, this.seen] = [now.revision, this.#text(now)];
      if (this.seen !== before) return { theirs: now };
    }
  }

  /** Looks how the server keeps what was just saved as this revision. */
  async #look(revision) {
    [this.revision, this.seen] = [revision, null];
    const now = await read(this.id).catch(() => null);
    // Of a later revision it is not known who changed what.
    if (now?.revision === revision) this.seen = this.#text(now);
  }

  #text(score) {
    return JSON.stringify(this.pick(score) ?? null);
  }
}
