// Keeps the open tab in this browser, change after change. A tab that somebody else replaced meanwhile (another window,
// or the server's newer version) is left as it is, and the change becomes a tab of its own.
import { wallClock } from "/shared/wallclock.js";
import { copyTitle } from "./copytitle.js";
import { ownCopy } from "./sync.js";

export class Keeping {
  #store;
  #told;
  #account;
  #work = Promise.resolve();
  // Of the open tab: its id, the change that the store has as far as we know, and the newest one that it shall have.
  #session = null;

  /** The open tab as Store keeps it; null if none is open. */
  kept = null;

  /** Calls `told("saving" | "saved" | "failed" | "copied")` when the state changes; `account()` owns what is copied. */
  constructor(store, told, account) {
    [this.#store, this.#told, this.#account] = [store, told, account];
  }

  open(kept) {
    this.kept = kept;
    this.#session = { id: kept.id, stored: kept.changed, newest: null };
  }

  close() {
    [this.kept, this.#session] = [null, null];
  }

  /** Waits until all changes are kept. */
  done() {
    return this.#work;
  }

  /** Keeps a change of the open tab; the newest of several counts. */
  change(change) {
    const session = this.#session;
    if (this.kept.owner) this.#goOnAs(session, ownCopy(this.kept, this.#account()));
    this.kept = { ...this.kept, ...change, changed: Math.max(wallClock(), this.kept.changed + 1), isDirty: true };
    const mine = this.kept;
    session.newest = mine;
    this.#told("saving");
    this.#work = this.#work.then(() => (session.newest === mine ? this.#write(mine, session) : undefined));
    return this.#work;
  }

  async #write(mine, session) {
    try {
      const written = await this.#store.update(session.id, (there) => (there && there.changed !== session.stored
        ? this.#copyOf(mine) : { ...mine, id: session.id, version: there?.version ?? mine.version,
          account: there?.account ?? mine.account }));
      if (written.id !== session.id) {
        const { id, version, owner, account, tab: { title } } = written;
        const newest = this.#session === session ? this.kept : mine;
        this.#goOnAs(session, { ...newest, id, version, owner, account, tab: { ...newest.tab, title } });
      }
      session.stored = written.changed;
      if (this.#session === session && session.newest === mine) this.#told("saved");
    } catch {
      this.#told("failed");
    }
  }

  #copyOf(mine) {
    return { ...ownCopy(mine, this.#account()), tab: { ...mine.tab, title: copyTitle(mine.tab.title) } };
  }

  /** The tab goes on under another id. */
  #goOnAs(session, kept) {
    session.id = kept.id;
    if (this.#session !== session) return;
    this.kept = kept;
    this.#told("copied");
  }

  /** Takes over the server's version of the tab: `kept` as it was read from the store. */
  refresh(kept) {
    if (kept.changed !== this.#session.stored) return;
    this.kept = { ...this.kept, version: kept.version, account: kept.account };
  }

  /** True if the store has something newer than what is open, and nothing is lost by opening it. */
  isReplacedBy(kept) {
    const { stored, newest } = this.#session;
    return kept.changed !== stored && (newest === null || newest.changed === stored);
  }
}
