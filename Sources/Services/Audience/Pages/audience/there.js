// Tonight's entry in the diary, and “I was there”, which this phone keeps. A relay has no diary: nothing is shown then.
import { ask } from "/shared/api.js";
import { find, mark } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";

const key = "baton-diary-heard"; // the page /diary reads it too

const heard = () => readKept(key) ?? [];
const isKept = (id) => heard().some((concert) => concert.id === id);

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
    const others = heard().filter(({ id }) => id !== tonight.id);
    const { id, title, date, works } = tonight;
    keep(key, isKept(id) ? others : [{ id, title, date, works }, ...others]);
    show();
  };
  show();
  link.hidden = false;
  button.hidden = false;
}
