// Small values kept in the browser as JSON. Where storage is forbidden or full, the page goes on without.

/** This browser's `localStorage` or `sessionStorage`; null if it is forbidden. */
export function storage(name = "localStorage") {
  try {
    return window[name];
  } catch {
    return null;
  }
}

/** The value under this key; null if none was kept or it cannot be read. */
export function readKept(key, store = storage()) {
  try {
    return JSON.parse(store?.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value; null and undefined remove it. */
export function keep(key, value, store = storage()) {
  try {
    if (value === null || value === undefined) store?.removeItem(key);
    else store?.setItem(key, JSON.stringify(value));
  } catch {
    // The value then lasts as long as the page.
  }
}
