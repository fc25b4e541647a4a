// What the signed-in person may do with a running show: command it, or only look.
import { ask } from "/shared/api.js";

const commanding = ["technician", "administrator"];
const runningTitles = [...commanding, "title-operator"];
const retry = 2_000; // ms until a server that did not answer is asked again

/** The sign for whoever may only look. */
export const onlyLooks = "You may look; a technician or an administrator commands.";

/** True if the answer of /api/me is about somebody who may give commands. */
export const mayCommand = ({ signIn, role }) => signIn === false || commanding.includes(role);

/** True if the answer of /api/me is about somebody who may run the titles. */
export const mayRunTitles = ({ signIn, role }) => signIn === false || runningTitles.includes(role);

/** Asks whether the person may command, until the server says so. Nobody signed in is the stream's to say. */
export async function askRights(may = mayCommand) {
  for (;;) {
    try {
      return may(await ask("/api/me"));
    } catch (refusal) {
      if (refusal.status === 401) return true;
      await new Promise((go) => setTimeout(go, retry));
    }
  }
}
