// The house: every page that the signed-in user may open.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { goToSignIn } from "/shared/signin.js";
import { signOut } from "/shared/signout.js";

const row = ({ path, name, purpose }) =>
  make("li", {}, make("a", { href: path, text: name }, make("small", { text: purpose })));

async function open() {
  try {
    const { name, signIn, pages } = await ask("/api/me");
    find("who").textContent = signIn ? name : "";
    find("sign-out").hidden = !signIn;
    find("pages").replaceChildren(...pages.map(row));
    find("say").hidden = true;
  } catch (refusal) {
    if (refusal.status === 401) return goToSignIn();
    find("say").textContent = refusal.message;
    find("say").hidden = false;
    setTimeout(open, 2_000); // right again by itself when the server is back
  }
}

find("sign-out").addEventListener("click", async () => {
  await signOut();
  location.assign("/login");
});
addEventListener("pageshow", (event) => event.persisted && open());
open();
