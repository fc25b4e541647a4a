// Messages of the page: refusals of the server.
import { notice } from "/shared/notice.js";
import { showSaved } from "./saved.js";

export { notice };

/** Shows a refusal in the server's own words; gives its element. Somebody signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status === 401) showSaved("out", "You are signed out. Sign in, and you come back to this place.");
  else return notice(refusal.message, { tone: "bad", seconds: 9 });
  return null;
}
