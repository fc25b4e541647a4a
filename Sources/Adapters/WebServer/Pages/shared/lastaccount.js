// The account that was signed in at the server's last answer: whose things this browser may show without the server.
import { keep, readKept, storage } from "./kept.js";

export const lastAccountKey = "baton-account";
let ofThisPage = null; // where storage is forbidden

/** The id of the account; null if nobody was signed in, or if the account signed out. */
export const lastAccount = () => (storage() ? readKept(lastAccountKey) : ofThisPage);

/** Keeps the account that the server named; null if it named none. */
export function keepLastAccount(account) {
  ofThisPage = account;
  if (lastAccount() === account) return; // Other windows hear of changes only.
  // Removed first: a browser whose storage is full forgets an account, and does not go on with another one's.
  keep(lastAccountKey, null);
  keep(lastAccountKey, account);
}
