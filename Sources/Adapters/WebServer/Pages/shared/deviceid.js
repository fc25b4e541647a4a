// A name for this browser, which tells it from others on which people use the same account. It grants nothing.
import { keep, readKept } from "./kept.js";

const key = "baton.device";

function make() {
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  keep(key, id);
  return id;
}

const kept = readKept(key);
export const deviceID = typeof kept === "string" && /^[0-9a-f]{16}$/.test(kept) ? kept : make();
