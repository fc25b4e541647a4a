// Tabs kept in this browser, in IndexedDB. Where that is forbidden they last as long as the page, and it says so.

const name = "baton-practice";
const storeName = "tabs";

/**
 * A kept tab: { id, tab, changed (milliseconds), version (the server's; 0 if it has none), isDirty (the server lacks
 * the last change), isRemoved (the server is to remove it), isShared, owner (the name of another person whose tab it
 * is, or null), account (that it belongs to on the server, or null), title (that the server's list gave, to name a tab
 * that is damaged) }.
 */
export class Store {
  #database = null;
  #memory = new Map();

  /** True if what is written is still there tomorrow. */
  get isLasting() {
    return this.#database !== null;
  }

  static async open() {
    const store = new Store();
    try {
      store.#database = await new Promise((done, failed) => {
        const request = indexedDB.open(name, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: "id" });
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(request.error);
        request.onblocked = () => failed(new Error("blocked"));
      });
      // Another page of this browser may bring a newer form of the database.
      store.#database.onversionchange = () => store.#database.close();
      navigator.storage?.persist?.().catch(() => {});
    } catch {
      store.#database = null;
    }
    return store;
  }

  #run(mode, work) {
    return new Promise((done, failed) => {
      // Strict: the tab is on the disk before the page says so.
      const transaction = this.#database.transaction(storeName, mode, { durability: "strict" });
      const request = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => done(request.result);
      transaction.onerror = () => failed(transaction.error);
      transaction.onabort = () => failed(transaction.error);
    });
  }

  async all() {
    const found = this.#database ? await this.#run("readonly", (tabs) => tabs.getAll()) : [...this.#memory.values()];
    return found.sort((a, b) => b.changed - a.changed);
  }

  async read(id) {
    return (this.#database ? await this.#run("readonly", (tabs) => tabs.get(id)) : this.#memory.get(id)) ?? null;
  }

  /** Keeps a tab; throws if there is no space for it. */
  async write(kept) {
    if (this.#database) await this.#run("readwrite", (tabs) => tabs.put(kept));
    else this.#memory.set(kept.id, structuredClone(kept));
  }

  /**
   * Changes a tab in one step: `make(kept or null)` gives what is kept then, undefined to leave it, or null to remove
   * it. Gives what `make` gave. Nothing else is written in between, also not by another window.
   */
  async update(id, make) {
    if (!this.#database) {
      const made = make(this.#memory.get(id) ?? null);
      if (made === null) this.#memory.delete(id);
      else if (made) this.#memory.set(made.id, structuredClone(made));
      return made;
    }
    let made;
    await this.#run("readwrite", (tabs) => {
      const request = tabs.get(id);
      request.onsuccess = () => {
        made = make(request.result ?? null);
        if (made === null) tabs.delete(id);
        else if (made) tabs.put(made);
      };
      return request;
    });
    return made;
  }

  async remove(id) {
    if (this.#database) await this.#run("readwrite", (tabs) => tabs.delete(id));
    else this.#memory.delete(id);
  }
}
