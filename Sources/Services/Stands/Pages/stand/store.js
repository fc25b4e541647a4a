// Stores data on this device in IndexedDB, which plain http has too; if even that is refused, in memory.
import { keep, readKept } from "/shared/kept.js";

const memory = { things: new Map(), pictures: new Map() };
let opening = null;

function open() {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open("baton-stand", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("things");
        request.result.createObjectStore("pictures");
      };
      request.onsuccess = () => {
        // Safari may close it while the page lies in the background.
        request.result.onclose = () => (opening = null);
        resolve(request.result);
      };
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opening;
}

/** Runs one request on one shelf; null if it failed. A full disk must not stop the music. */
async function run(shelf, mode, ask, durability = "relaxed", isAgain = false) {
  const base = await open();
  if (!base) return undefined;
  return new Promise((resolve) => {
    try {
      const transaction = base.transaction(shelf, mode, { durability });
      const request = ask(transaction.objectStore(shelf));
      transaction.oncomplete = () => resolve(request.result ?? null);
      transaction.onerror = transaction.onabort = () => resolve(null);
    } catch {
      // The connection is lost: a fresh one has everything.
      opening = null;
      resolve(isAgain ? null : run(shelf, mode, ask, durability, true));
    }
  });
}

async function get(shelf, key) {
  const found = await run(shelf, "readonly", (store) => store.get(key));
  return (found === undefined ? memory[shelf].get(key) : found) ?? null;
}

async function put(shelf, key, value, durability) {
  const done = await run(shelf, "readwrite", (store) => store.put(value, key), durability);
  // What nobody else has lasts as long as the page if there is no room.
  if (done === undefined || (done === null && durability)) memory[shelf].set(key, value);
  else memory[shelf].delete(key);
  return Boolean(done);
}

async function remove(shelf, range) {
  await run(shelf, "readwrite", (store) => store.delete(range));
  for (const key of memory[shelf].keys()) {
    if (key === range || key.startsWith?.(range.lower ?? "\0")) memory[shelf].delete(key);
  }
}

/** All [key, value] under a prefix, in the order of the keys. */
async function entries(shelf, prefix) {
  let keys;
  const values = await run(shelf, "readonly", (store) => {
    keys = store.getAllKeys(within(prefix));
    return store.getAll(within(prefix));
  });
  const found = [...(values ?? []).map((value, at) => [keys.result[at], value]),
    ...[...memory[shelf]].filter(([key]) => key.startsWith(prefix))];
  return found.sort(([one], [other]) => (one < other ? -1 : 1));
}

const within = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** Small things: users, rooms, scores, what was not delivered. */
export const things = {
  get: (key) => get("things", key),
  put: (key, value) => put("things", key, value),
  /** For what nobody else has: it is on the disk, also after the battery has run out, when this is done. Says whether
      it was kept. */
  putDurably: (key, value) => put("things", key, value, "strict"),
  remove: (key) => remove("things", key),
  entries: (prefix) => entries("things", prefix),
};

/** Pictures of pages. `put` says whether it was kept. */
export const pictures = {
  get: (key) => get("pictures", key),
  put: (key, blob) => put("pictures", key, blob),
  removeAll: (prefix) => remove("pictures", within(prefix)),
};

/**
 * Values that are read at once, before the first picture is painted. Where they cannot be kept, the server has them.
 */
export const quick = {
  get: (key) => readKept(`baton.stand.${key}`),
  put: (key, value) => keep(`baton.stand.${key}`, value),
};
