// Messages of the page: refusals of the server, and changes that wait.
import { notice } from "/shared/notice.js";
import { showSaved } from "./saved.js";

export { notice };

/** Says that somebody else left changes in this browser that wait for their own sign-in. */
export function tellUnsent(name) {
  notice(`${name} left changes in this browser that are not saved. They go out when ${name} signs in here.`,
    { seconds: 12 });
}

/** Shows a refusal in the server's own words; gives its element. Somebody signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status === 401) showSaved("out", "You are signed out. Sign in, and you come back to this place.");
  else return notice(refusal.message, { tone: "bad", seconds: 9 });
  return null;
}
