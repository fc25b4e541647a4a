// Shows whether everything is saved: always visible, never in the way.
import { find, make, mark, write } from "./dom.js";
import { notice } from "./notice.js";
import { leftBy, savedWords, signInAgain } from "./savedwords.js";
import { signInAddress } from "./signin.js";

const cut = ["waiting", "out", "other", "barred"]; // states with a sentence at the top

/** Leads to the sign-in and back to this very place. */
export function signInLink() {
  const link = make("a", { class: "button", href: "/login", text: "Sign in" });
  link.addEventListener("click", () => {
    link.href = signInAddress();
  });
  return link;
}

/**
 * Shows the state of an outbox in #saved; a sentence is in #banner until it is over. `refusals` are
 * [{text, sentence, show, leave}]: what was written and not taken.
 */
export function showSaved(name, sentence, refusals = []) {
  const element = find("saved");
  mark(element, "data-state", name);
  write(element, savedWords[name] ?? name);
  const banner = find("banner");
  banner.hidden = !cut.includes(name) && name !== "refused";
  const key = name === "refused" ? JSON.stringify(refusals) : `${name} ${sentence}`;
  if (banner.hidden) banner.replaceChildren();
  else if (banner.dataset.is !== key || !banner.firstChild) {
    if (name === "refused") banner.replaceChildren(...refusals.slice(0, 3).map(refusalRow), more(refusals.length - 3));
    else banner.replaceChildren(make("span", { text: sentence }), ["out", "other"].includes(name) ? signInLink() : "");
  }
  banner.dataset.is = banner.hidden ? "" : key;
}

const more = (count) => make("span", { hidden: count <= 0, text: `and ${count} more` });

const refusalRow = ({ text, sentence, show, leave }) => make("p", { class: "refusal" },
  make("span", {}, make("strong", { text: `Not saved: ${text}. ` }), sentence),
  show ? make("button", { type: "button", "data-does": "show-refused", text: "Show", onclick: show }) : null,
  make("button", { type: "button", "data-does": "leave-refused", text: "Leave it out", onclick: leave }));

/** Says that somebody else left changes in this browser that wait for their own sign-in. */
export function tellUnsent(name) {
  notice(leftBy(name), { seconds: 12 });
}

/** Shows a refusal in the server's own words; gives its element. Somebody signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status !== 401) return notice(refusal.message, { tone: "bad", seconds: 9 });
  showSaved("out", signInAgain);
  return null;
}

/** Does something of the server's; a refusal is shown. Gives whether it was done. */
export async function tried(act) {
  try {
    await act();
    return true;
  } catch (refusal) {
    complain(refusal);
    return false;
  }
}
