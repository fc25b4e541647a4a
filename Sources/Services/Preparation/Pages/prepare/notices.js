// Messages of the page: refusals of the server.
import { notice } from "/shared/notice.js";
import { signInAddress } from "/shared/signin.js";

export { notice };

/** Shows a refusal in the server's own words; somebody who is signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status === 401) {
    notice("You are signed out.", { tone: "bad", seconds: 20, action: "Sign in",
      act: () => location.assign(signInAddress()) });
  } else notice(refusal.message, { tone: "bad", seconds: 10 });
}

/** Does something of the server's; a refusal is shown. Gives whether it was done. */
export async function tried(act) {
  try {
    await act();
    return true;
  } catch (refusal) {
    complain(refusal);
    return false;
  }
}
