// Signing in; then back to where one came from, on this server only.
import { ask } from "/shared/api.js";
import { find } from "/shared/dom.js";
import { keepLastAccount } from "/shared/lastaccount.js";
import { askInTurn, submitSignIn } from "/shared/signin.js";
import { nextPath } from "./next.js";

// A sign-in under way here: an answer to what was asked before it leads nowhere any more.
let signsIn = false;

const [form, show] = ["form", "show"].map(find);
const fields = { name: find("name"), password: find("password"), submit: find("submit"), say: find("say") };

show.addEventListener("change", () => {
  fields.password.type = show.checked ? "text" : "password";
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await submitSignIn(fields, "Write both name and passphrase.", async (login, passphrase) => {
    signsIn = true;
    const person = await askInTurn("/api/login", { name: login, password: passphrase }, (sentence) => {
      fields.say.textContent = sentence;
    });
    keepLastAccount(null); // The pages that need it hear from the server who it is.
    const goOn = () => location.assign(nextPath(location.search, person.role, location.hash));
    if (!person.note) return goOn();
    // Whoever is signed in only for now should have read it before going on.
    fields.say.textContent = person.note;
    fields.submit.textContent = "Go on";
    form.addEventListener("submit", (again) => {
      again.preventDefault();
      again.stopImmediatePropagation();
      goOn();
    }, { capture: true });
  });
});

// Accounts of a pair are made on the main server alone; the backup has copies of them.
ask("/healthz").then(({ role }) => {
  if (role !== "backup") return;
  find("accounts").textContent =
    "This is the backup server. Sign in with an account of the main server; accounts are made there, not here.";
  find("accounts").hidden = false;
}).catch(() => {});

// Before anybody can sign in, the first administrator is made: on a page of its own, or by the command of the hint.
ask("/api/first-account").then(({ isNeeded }) => {
  if (!isNeeded) return;
  find("accounts").hidden = false;
  location.replace("/start");
}).catch(() => {});

// If no sign-in is needed, or one is still valid, there is nothing to do here, unless another account is wanted.
if (!new URLSearchParams(location.search).has("another")) {
  ask("/api/me").then((person) => signsIn || location.replace(nextPath(location.search, person.role, location.hash)))
    .catch(() => {});
}
