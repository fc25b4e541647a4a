// Messages of the page: refusals of the server, and changes that wait.
import { notice } from "/shared/notice.js";
import { showSaved } from "/shared/saved.js";
import { leftBy, signInAgain } from "/shared/savedwords.js";

export { notice };

/** Says that somebody else left changes in this browser that wait for their own sign-in. */
export function tellUnsent(name) {
  notice(leftBy(name), { seconds: 12 });
}

/** Shows a refusal in the server's own words; gives its element. Somebody signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status === 401) showSaved("out", signInAgain);
  else return notice(refusal.message, { tone: "bad", seconds: 9 });
  return null;
}
