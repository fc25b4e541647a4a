// One's own account: the passphrase and signing out.
import { ask } from "/shared/api.js";
import { find, mark } from "/shared/dom.js";
import { insecureNote } from "/shared/secure.js";
import { goToSignIn } from "/shared/signin.js";
import { signOut } from "/shared/signout.js";

const names = {
  musician: "Musician", "title-operator": "Title operator", technician: "Technician", editor: "Editor",
  administrator: "Administrator",
};

function say(sentence, isGood = false) {
  mark(find("say"), "data-good", isGood ? "" : null);
  find("say").textContent = sentence;
}

async function open() {
  let me;
  try {
    me = await ask("/api/me");
  } catch (refusal) {
    return refusal.status === 401 ? goToSignIn() : say(refusal.message);
  }
  find("name").textContent = me.name;
  find("user").value = me.name;
  find("role").textContent = names[me.role];
  if (!me.signIn) {
    find("form").hidden = find("sign-out").hidden = true;
    find("role").textContent = "This server runs without sign-in, so there is no passphrase to change.";
  }
}

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [old, chosen] = [find("old").value, find("new").value];
  if (old === "" || chosen === "") return say("Write the old and the new passphrase.");
  find("submit").disabled = true;
  say("");
  try {
    const endsOthers = find("others").checked;
    await ask("/api/account/password",
      { method: "POST", json: { old, new: chosen, endsOthers }, patience: 15_000 });
    find("old").value = find("new").value = "";
    say(endsOthers ? "It is changed. Your other devices are signed out." : "It is changed.", true);
  } catch (refusal) {
    if (refusal.status === 401) return goToSignIn();
    say(refusal.message);
    find(refusal.code === "bad-password" ? "new" : "old").focus();
  } finally {
    find("submit").disabled = false;
  }
});

find("show").addEventListener("change", () => {
  for (const id of ["old", "new"]) find(id).type = find("show").checked ? "text" : "password";
});
find("sign-out").addEventListener("click", async () => {
  await signOut();
  location.assign("/login");
});
const note = insecureNote();
if (note) find("notes").append(note);
open();
