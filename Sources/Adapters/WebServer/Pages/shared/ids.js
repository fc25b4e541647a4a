// Ids of things made here: those of shared objects are UUIDs, made by the device that makes the thing.

/** A new id, version 4. Works on plain addresses too, where `crypto.randomUUID` is not there. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

/** An id of this page that is the same after a reload, kept under a key. */
export function pageID(key) {
  try {
    const kept = sessionStorage.getItem(key) ?? newID();
    sessionStorage.setItem(key, kept);
    return kept;
  } catch {
    return newID();
  }
}
