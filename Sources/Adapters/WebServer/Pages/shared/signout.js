// Signing out of this browser.
import { ask } from "./api.js";
import { keepLastAccount } from "./lastaccount.js";

/** Signs out; without the server, this browser shows nothing of the account any more. */
export async function signOut() {
  keepLastAccount(null);
  await ask("/api/logout", { method: "POST", json: {} }).catch(() => {});
}
