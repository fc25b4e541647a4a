// Brings the tabs of this browser and those of the server together. Nothing is lost: a tab that was changed on two
// devices becomes two.
import { Refusal, ask } from "/shared/api.js";
import { newID } from "./store.js";

const patience = 15_000;
const address = (id) => `/api/practice/tabs/${id}`;

export class Sync {
  #store;
  #told;
  #running = null;
  #again = false;

  /** `told({ state, person, sentence, changed })`: state is "away", "anonymous", "done" or "working". */
  constructor(store, told) {
    [this.#store, this.#told] = [store, told];
  }

  /** Runs now, or once more after the run that is going on. */
  run() {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#pass().finally(() => {
      this.#running = null;
      if (!this.#again) return;
      this.#again = false;
      this.run();
    });
    return this.#running;
  }

  async #pass() {
    const changed = new Set();
    try {
      this.#told({ state: "working", changed });
      const { person, tabs } = await ask("/api/practice/tabs", { patience });
      const there = new Map(tabs.map((each) => [each.id, each]));
      let sentence = null;
      for (const kept of await this.#store.all()) {
        try {
          await this.#settle(kept, there.get(kept.id) ?? null, changed);
        } catch (error) {
          // A tab that the server does not take stays here; the others go on.
          if (!(error instanceof Refusal) || error.status === 0 || error.status === 401) throw error;
          sentence = `“${kept.tab.title}” is only on this device: ${error.message}`;
        }
        there.delete(kept.id);
      }
      for (const listed of there.values()) await this.#fetch(listed, changed);
      this.#told({ state: "done", person, sentence, changed });
    } catch (error) {
      const state = error instanceof Refusal && (error.status === 401 || error.status === 403) ? "anonymous" : "away";
      this.#told({ state, person: null, sentence: null, changed });
    }
  }

  async #settle(kept, listed, changed) {
    if (kept.isRemoved) return this.#removeThere(kept, changed);
    if (kept.isDirty) return this.#send(kept, changed);
    if (listed && listed.version > kept.version) return this.#fetch(listed, changed);
    if (!listed && kept.version > 0) {
      // Removed on another device, and not changed here since.
      const now = await this.#store.read(kept.id);
      if (now && !now.isDirty) {
        await this.#store.remove(kept.id);
        changed.add(kept.id);
      }
    }
    return undefined;
  }

  async #send(kept, changed) {
    const query = new URLSearchParams({ base: kept.version, title: kept.tab.title || "Untitled",
      shared: kept.isShared ? 1 : 0 });
    const saved = await ask(`${address(kept.id)}?${query}`, { method: "PUT", json: kept.tab, patience });
    const now = await this.#store.read(kept.id);
    if (!now || now.isRemoved) return;
    const isStill = now.changed === kept.changed;
    if (saved.isCopy) {
      // The server has a newer one under this id: ours goes on as a tab of its own, and the other comes back.
      await this.#store.write({ ...now, id: saved.id, version: saved.version, isDirty: !isStill, copyOf: kept.id });
      await this.#store.remove(kept.id);
      changed.add(kept.id).add(saved.id);
      const newest = await ask("/api/practice/tabs", { patience });
      const listed = newest.tabs.find((each) => each.id === kept.id);
      if (listed) await this.#fetch(listed, changed);
      return;
    }
    await this.#store.write({ ...now, version: saved.version, isDirty: !isStill });
    if (isStill) changed.add(kept.id);
    else this.#again = true;
  }

  async #fetch(listed, changed) {
    const before = await this.#store.read(listed.id);
    const { tab, version } = await ask(address(listed.id), { patience });
    const now = await this.#store.read(listed.id);
    // Changed here while it came: the next run sends that.
    if (now?.isDirty || now?.isRemoved || now?.changed !== before?.changed) return;
    await this.#store.write({ id: listed.id, tab, version, changed: listed.changedAt, isDirty: false,
      isShared: listed.isShared, owner: listed.isMine ? null : listed.owner });
    changed.add(listed.id);
  }

  async #removeThere(kept, changed) {
    try {
      if (kept.version > 0) await ask(`${address(kept.id)}?version=${kept.version}`, { method: "DELETE", patience });
      await this.#store.remove(kept.id);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      // It was changed elsewhere meanwhile, so it stays.
      await this.#store.write({ ...kept, isRemoved: false, version: 0, isDirty: false });
      this.#again = true;
    }
    changed.add(kept.id);
  }
}

/** Another person's tab becomes one's own by being changed. */
export const ownCopy = (kept) => ({ ...kept, id: newID(), version: 0, owner: null, isShared: false, isDirty: true });
