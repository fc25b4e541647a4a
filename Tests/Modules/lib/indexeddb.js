// As much of IndexedDB as the pages use: stores with keys, transactions that keep their order, and a disk that may be
// full.

class KeyRange {
  static bound(lower, upper) {
    return Object.assign(new KeyRange(), { lower, upper });
  }

  has(key) {
    return key >= this.lower && key <= this.upper;
  }
}

const bases = new Map(); // name → { store name → { keyPath, rows } }
const copied = (value) => (value === undefined ? undefined : structuredClone(value));
const later = (target, name, event = {}) => setTimeout(() => target[name]?.(event));

function storeOf({ keyPath, rows }) {
  const asked = (run) => {
    const request = {};
    queueMicrotask(() => {
      request.result = copied(run());
      request.onsuccess?.({ target: request });
    });
    return request;
  };
  const fits = (key, range) => (range instanceof KeyRange ? range.has(key) : range === undefined || key === range);
  const found = (range) => [...rows.keys()].filter((key) => fits(key, range)).sort();
  return {
    get: (key) => asked(() => rows.get(key)),
    getAll: (range) => asked(() => found(range).map((key) => rows.get(key))),
    getAllKeys: (range) => asked(() => found(range)),
    put: (value, key = value[keyPath]) => asked(() => {
      if (!disk.isFull) rows.set(key, copied(value));
      return key;
    }),
    delete: (range) => asked(() => found(range).forEach((key) => rows.delete(key))),
  };
}

/** `isFull`: nothing can be written; `clear()`: nothing is kept. */
export const disk = { isFull: false,
  clear: () => bases.forEach((stores) => stores.forEach(({ rows }) => rows.clear())) };

Object.assign(globalThis, { IDBKeyRange: KeyRange, indexedDB: { open(name) {
  const request = {};
  const isNew = !bases.has(name);
  if (isNew) bases.set(name, new Map());
  const stores = bases.get(name);
  request.result = {
    createObjectStore: (store, { keyPath } = {}) => stores.set(store, { keyPath, rows: new Map() }),
    transaction(_, mode) {
      const transaction = { objectStore: (store) => storeOf(stores.get(store)) };
      later(transaction, mode === "readwrite" && disk.isFull ? "onabort" : "oncomplete");
      return transaction;
    },
    close() {},
  };
  if (isNew) later(request, "onupgradeneeded");
  later(request, "onsuccess");
  return request;
} } });
