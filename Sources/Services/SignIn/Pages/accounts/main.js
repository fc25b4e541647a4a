// The accounts: who may sign in, who is invited, and the links by which people come in.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { insecureNote } from "/shared/secure.js";
import { goToSignIn } from "/shared/signin.js";
import { fillForm, listenToForm } from "./invite.js";
import { paintInvitations, paintPeople } from "./lists.js";
import { notice } from "./say.js";

let overview = null;

async function reload() {
  try {
    overview = await ask("/api/accounts", { patience: 8_000 });
  } catch (refusal) {
    if (refusal.status === 401) return goToSignIn();
    return notice(refusal.message);
  }
  fillForm(overview);
  paint();
}

function paint() {
  if (!overview) return;
  paintInvitations(find("invitations"), overview, reload);
  paintPeople(find("people"), overview, find("seek").value, reload);
}

const note = insecureNote();
if (note) find("notes").append(note);
ask("/api/me").then(({ signIn }) => {
  if (signIn) return;
  find("notes").append(make("p", { class: "insecure", role: "note",
    text: "This server runs without sign-in: everybody at this machine may do everything. Accounts count once it is "
      + "started with sign-in." }));
}).catch(() => {});
listenToForm(reload);
find("seek").addEventListener("input", paint);
// Somebody may come in while this page lies open on the table.
addEventListener("focus", reload);
setInterval(() => document.visibilityState === "visible" && !document.querySelector("dialog[open]") && reload(),
  20_000);
reload();
