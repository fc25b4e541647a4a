// An invited person makes an account, or somebody who forgot the passphrase chooses a new one. The secret of the link
// stands after its “#”: it is sent to the server only in the body of a request, and leaves the address at once.
import { ask } from "/shared/api.js";
import { find } from "/shared/dom.js";
import { keep, readKept, storage } from "/shared/kept.js";
import { insecureNote } from "/shared/secure.js";
import { askInTurn, homeOf } from "/shared/signin.js";
import { signOut } from "/shared/signout.js";

const key = "baton.join";
const session = storage("sessionStorage");
const does = {
  musician: "play from the music stands", "title-operator": "run the titles", technician: "run the concert",
  editor: "prepare scores and content", administrator: "run everything and manage accounts",
};

/** The secret; a reload finds it again in this tab alone. */
function takeSecret() {
  const given = location.hash.slice(1);
  if (given) {
    keep(key, given, session);
    history.replaceState(null, "", location.pathname);
  }
  return given || readKept(key, session) || "";
}

const code = takeSecret();
let invitation = null;

function refuse(sentence) {
  find("lead").textContent = sentence;
  for (const id of ["form", "other"]) find(id).hidden = true;
  find("to-login").hidden = false;
  keep(key, null, session);
}

async function open() {
  if (!code) return refuse("This page is opened by a link or QR code that an administrator made for you.");
  try {
    invitation = await ask("/api/invitations/look", { method: "POST", json: { code }, patience: 8_000 });
  } catch (refusal) {
    if (refusal.status !== 0 && refusal.status !== 429 && refusal.status !== 503) return refuse(refusal.message);
    find("lead").textContent = refusal.message;
    return setTimeout(open, 3_000);
  }
  const me = await ask("/api/me").catch(() => null);
  if (me?.signIn) return askToSignOut(me);
  showForm();
}

/** This device is somebody's already: nothing happens under the wrong name. */
function askToSignOut(me) {
  find("lead").textContent = "";
  find("other-who").textContent = `${me.name} is signed in on this device. `
    + (invitation.kind === "reset" && me.name === invitation.name
      ? "Go on to choose a new passphrase." : "This link is for another person or a new account.");
  find("stay").href = homeOf(me.role);
  find("other").hidden = false;
  find("sign-out").focus();
}

function showForm() {
  const isReset = invitation.kind === "reset";
  find("other").hidden = true;
  find("form").hidden = false;
  find("title").textContent = isReset ? invitation.name : invitation.name ? `Welcome, ${invitation.name}` : "Welcome";
  find("lead").textContent = isReset ? "Choose a new passphrase. You are signed out on all other devices."
    : `${invitation.by ? `${invitation.by} invites you` : "You are invited"} to ${does[invitation.role]}.`;
  find("name").value = invitation.name;
  find("name-label").hidden = isReset;
  find("submit").textContent = isReset ? "Set the passphrase" : "Make my account";
  find(isReset || invitation.name ? "password" : "name").focus();
}

function waiting(sentence) {
  find("say").textContent = sentence;
}

/** The account is there: signs in, which may have to wait for others. */
async function signIn(name, password) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await askInTurn("/api/login", { name, password }, waiting);
    } catch (refusal) {
      if (tries > 5 || ![0, 429, 503].includes(refusal.status)) throw refusal;
      find("say").textContent = "Your account is made; signing in …";
      await new Promise((done) => setTimeout(done, 2_000));
    }
  }
}

let made = null; // the name of the account that was made, so that a second press only signs in

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, password] = [find("name").value.trim(), find("password").value];
  const say = find("say");
  if (name === "" || password === "") {
    say.textContent = "Write both name and passphrase.";
    return find(name === "" ? "name" : "password").focus();
  }
  find("submit").disabled = true;
  say.textContent = "";
  try {
    made ??= (await askInTurn("/api/invitations/accept", { code, name, password }, waiting)).name;
    keep(key, null, session);
    const person = await signIn(made, password);
    location.replace(homeOf(person.role));
  } catch (refusal) {
    if (refusal.code === "used" || refusal.code === "no-invitation" || refusal.code === "expired") {
      return refuse(refusal.message);
    }
    say.textContent = refusal.message;
    find(["name-taken", "bad-name"].includes(refusal.code) ? "name" : "password").focus();
  } finally {
    find("submit").disabled = false;
  }
});

find("show").addEventListener("change", () => {
  find("password").type = find("show").checked ? "text" : "password";
});
find("sign-out").addEventListener("click", async () => {
  await signOut();
  showForm();
});
const note = insecureNote();
if (note) find("notes").append(note);
open();
