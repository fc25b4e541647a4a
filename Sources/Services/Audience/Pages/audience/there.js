// Tonight's entry in the diary, and “I was there”, which this phone keeps; the page /diary sends it to the account of
// whoever is signed in. An edge has no diary: nothing is shown then.
import { ask } from "/shared/api.js";
import { find, mark } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";

const key = "baton-diary-heard"; // the page /diary takes it over
const ownKey = "baton-diary-own"; // what the page /diary has taken over
const goneKey = "baton-diary-gone"; // what the page /diary is to delete on the server

const list = (name) => readKept(name) ?? [];
const isKept = (id) => list(key).some((each) => each.id === id) || list(ownKey).some(({ concert }) => concert === id);

function forget(id) {
  const taken = list(ownKey).filter(({ concert }) => concert === id);
  keep(key, list(key).filter((each) => each.id !== id));
  if (taken.length === 0) return;
  keep(goneKey, [...taken.filter(({ revision }) => revision).map((each) => ({ id: each.id, account: each.account })),
    ...list(goneKey)]);
  keep(ownKey, list(ownKey).filter(({ concert }) => concert !== id));
}

/** Shows the way to tonight's entry, once the server names it. */
export async function showTonight() {
  const [link, button] = [find("diary-link"), find("was-there")];
  let tonight;
  try {
    tonight = await ask("/api/diary/tonight");
  } catch {
    return; // No diary here, or no hall: the page is complete without it.
  }
  mark(link, "href", `/diary#/concerts/${encodeURIComponent(tonight.id)}`);
  const show = () => mark(button, "aria-pressed", String(isKept(tonight.id)));
  button.onclick = () => {
    const { id, title, date, works } = tonight;
    if (isKept(id)) forget(id);
    else keep(key, [{ id, title, date, works }, ...list(key)]);
    show();
  };
  show();
  link.hidden = !tonight.isPublished; // nobody reads an entry that the musicians have not seen yet
  button.hidden = false;
}
