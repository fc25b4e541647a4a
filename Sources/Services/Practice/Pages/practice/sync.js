// Brings the tabs of this browser and those of the server together. Nothing is lost: a tab that was changed on two
// devices becomes two.
import { Refusal, ask } from "/shared/api.js";
import { newID } from "/shared/ids.js";
import { keepLastAccount, lastAccount } from "/shared/lastaccount.js";
import { Outbox, fateOf } from "/shared/outbox.js";
import { sentenceOf } from "/shared/savedwords.js";
import { wallClock } from "/shared/wallclock.js";
import { copyTitle } from "./copytitle.js";
import { isListable } from "./fault.js";

const patience = 15_000;
const firstPatience = 5_000; // The tabs of the last account are shown after it.
const address = (id) => `/api/practice/tabs/${id}`;
/** A query as the server reads it: a space is `%20` there, and `+` is itself. */
const spaced = (query) => `${query}`.replaceAll("+", "%20");

export class Sync {
  #store;
  #told;
  #knows;
  #isWanted = false; // a run is to follow
  #outbox = new Outbox({ entries: () => (this.#isWanted ? [this] : []), send: () => this.#pass() });

  /** Resolves as soon as `account` is known. */
  known = new Promise((done) => (this.#knows = done));

  /**
   * The account whose tabs may be shown: the one that the server named, or, without the server, the one that it named
   * last. Null if nobody is signed in; undefined before it is known.
   */
  account = undefined;

  /** True if the account is one of several: not on a server without sign-in. */
  get hasAccounts() {
    return Boolean(this.account) && this.account !== "local";
  }

  /** True for tabs of this account, and those of nobody: another person's tabs stay with that person. */
  isOurs(kept) {
    return !kept.account || kept.account === this.account;
  }

  #be(account, changed) {
    if (account === this.account) return;
    this.account = account;
    changed.add("account");
    this.#knows();
  }

  /** Calls `told({ state, person, sentence, why, changed })`; the state is "away", with the reason `why`, "anonymous",
      "done" or "working". */
  constructor(store, told) {
    [this.#store, this.#told] = [store, told];
  }

  /** Runs now, or once more after the run that is going on. */
  run() {
    this.#isWanted = true;
    return this.#outbox.flush();
  }

  async #pass() {
    const changed = new Set();
    this.#isWanted = false;
    try {
      this.#told({ state: "working", changed });
      const { account = null, person, removed = [], tabs } = await ask("/api/practice/tabs",
        { patience: this.account === undefined ? firstPatience : patience });
      keepLastAccount(account);
      this.#be(account, changed);
      const there = new Map(tabs.map((each) => [each.id, each]));
      let sentence = null;
      for (const kept of await this.#store.all()) {
        // A tab that another person of this browser has on the server stays theirs.
        if (!this.isOurs(kept)) continue;
        try {
          await this.#settle(kept, there.get(kept.id) ?? null, removed.includes(kept.id), changed);
        } catch (error) {
          // A tab that the server does not take stays here; the others go on.
          if (!(error instanceof Refusal) || ["waiting", "out", "other"].includes(fateOf(error))) throw error;
          sentence = `“${kept.tab?.title ?? kept.title}” is only on this device: ${error.message}`;
        }
        there.delete(kept.id);
      }
      for (const listed of there.values()) await this.#fetch(listed, changed);
      this.#told({ state: "done", person, sentence, changed });
    } catch (error) {
      const fate = error instanceof Refusal ? fateOf(error) : "waiting";
      const state = fate === "out" || fate === "barred" ? "anonymous" : "away";
      if (state === "anonymous") keepLastAccount(null);
      this.#be(lastAccount(), changed);
      this.#told({ state, person: null, sentence: null, why: sentenceOf("waiting", error), changed });
      if (state === "anonymous" || !(error instanceof Refusal)) return;
      this.#isWanted = true;
      throw error;
    }
  }

  async #settle(kept, listed, isGone, changed) {
    if (kept.isRemoved) return this.#removeThere(kept, changed);
    if (kept.isDirty) return this.#send(kept, changed);
    // A damaged tab that was fetched before is fetched once more for its title.
    const lacksTitle = !isListable(kept.tab) && kept.title === undefined;
    if (listed && (listed.version > kept.version || lacksTitle)) return this.#fetch(listed, changed);
    // A server that lost it gets it again.
    if (!listed && !isGone && !kept.owner) return this.#send(kept, changed);
    // Removed on another device or no longer shared, and not changed here since.
    if (!listed) {
      const made = await this.#store.update(kept.id, (now) => (now && !now.isDirty ? null : undefined));
      if (made === null) changed.add(kept.id);
    }
    return undefined;
  }

  async #send(kept, changed) {
    const query = new URLSearchParams({ base: kept.version, title: kept.tab?.title || kept.title || "Untitled",
      shared: kept.isShared ? "1" : "0" });
    const saved = await ask(`${address(kept.id)}?${spaced(query)}`,
      { method: "PUT", json: kept.tab, by: this.account, patience });
    if (saved.isCopy) return this.#settleCopy(kept, saved, changed);
    const now = await this.#store.update(kept.id, (there) => (there
      ? { ...there, account: this.account, version: saved.version,
        isDirty: there.isRemoved || there.changed !== kept.changed } : undefined));
    changed.add(kept.id);
    if (now?.isDirty) this.#isWanted = true;
    return undefined;
  }

  /** The server has a newer tab under this id: this device's version becomes a new tab, and the server's is loaded. */
  async #settleCopy(kept, saved, changed) {
    const now = await this.#store.update(kept.id, (there) => (there
      ? { ...there, id: saved.id, account: this.account, version: saved.version, copyOf: kept.id, isDirty: true,
        changed: Math.max(wallClock(), there.changed + 1),
        tab: { ...there.tab, title: copyTitle(there.tab.title) } } : undefined));
    if (!now) return;
    this.#isWanted = true; // Its new title is sent.
    await this.#store.remove(kept.id);
    changed.add(kept.id).add(saved.id);
    const { tabs } = await ask("/api/practice/tabs", { patience });
    const listed = tabs.find((each) => each.id === kept.id);
    if (listed) await this.#fetch(listed, changed);
  }

  async #fetch(listed, changed) {
    const before = await this.#store.read(listed.id);
    const { tab, version } = await ask(address(listed.id), { patience });
    // If it was changed here while it came, the next run sends that.
    const made = await this.#store.update(listed.id, (now) => (
      now?.isDirty || now?.isRemoved || now?.changed !== before?.changed ? undefined
        : { id: listed.id, tab, title: listed.title, version, changed: listed.changedAt, isDirty: false,
          isShared: listed.isShared,
          account: this.account, owner: listed.isMine ? null : listed.owner }));
    if (made) changed.add(listed.id);
  }

  async #removeThere(kept, changed) {
    try {
      if (kept.version > 0) {
        await ask(`${address(kept.id)}?version=${kept.version}`, { method: "DELETE", by: this.account, patience });
      }
      await this.#store.remove(kept.id);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      // It was changed elsewhere meanwhile, so it stays.
      await this.#store.update(kept.id, (now) => now && { ...now, isRemoved: false, version: 0, isDirty: false });
      this.#isWanted = true;
    }
    changed.add(kept.id);
  }
}

/** Another person's tab becomes the account's own when it is changed; nobody's if the account is null. */
export const ownCopy = (kept, account) => ({ ...kept, id: newID(), version: 0, owner: null, account,
  isShared: false, isDirty: true });
