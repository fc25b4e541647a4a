// The house: three doors, and everybody's own pages; of each what the signed-in user may open.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { goToSignIn } from "/shared/signin.js";
import { signOut } from "/shared/signout.js";

const link = ({ path, name, purpose }) =>
  make("li", {}, make("a", { href: path, title: purpose, text: name }));

/** The pages behind one door, in the server's order; those without a door are everybody's own. */
const part = (door, pages) => make("section", { class: door ? "door" : "own", "aria-label": door ?? "Yours" },
  door ? make("h2", { text: door }) : null, make("ul", {}, ...pages.filter((page) => page.door === door).map(link)));

async function open() {
  try {
    const { name, signIn, pages } = await ask("/api/me");
    find("who").textContent = signIn ? name : "";
    find("sign-out").hidden = !signIn;
    find("pages").replaceChildren(...[...new Set(pages.map(({ door }) => door))].map((door) => part(door, pages)));
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
