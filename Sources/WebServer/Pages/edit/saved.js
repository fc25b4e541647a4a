// Whether everything is saved: always visible, never in the way.
import { find, make, mark, write } from "/shared/dom.js";

const words = { saved: "Saved", saving: "Saving …", waiting: "Not saved yet", conflict: "Needs your choice", out: "Signed out" };

/** Shows the state of the outbox; a sentence becomes a banner until it is over. */
export function showSaved(name, sentence) {
  const element = find("saved");
  mark(element, "data-state", name);
  write(element, words[name] ?? name);
  const banner = find("banner");
  const isCut = name === "waiting" || name === "out";
  banner.hidden = !isCut;
  if (!isCut) banner.replaceChildren();
  else if (banner.dataset.is !== name || !banner.firstChild) {
    banner.replaceChildren(make("span", { text: sentence }), ...(name === "out" ? [make("a", { class: "button", href: "/login?next=/edit", text: "Sign in" })] : []));
  }
  banner.dataset.is = name;
}
