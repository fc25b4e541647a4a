// Signing out of this browser.
import { ask } from "./api.js";
import { keepLastAccount } from "./lastaccount.js";

/** Signs out; without the server, this browser shows nothing of the account any more. */
export async function signOut() {
  await ask("/api/logout", { method: "POST", json: {} }).catch(() => {});
  keepLastAccount(null); // Last, because other windows ask the server as soon as they hear of it.
}
