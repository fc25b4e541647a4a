// Short words that come and go in the corner.
import { find, make } from "/shared/dom.js";
import { showSaved } from "./saved.js";

/** Says something for a while; with `act` a button, named `action`. Gives the element. */
export function notice(text, { tone = "plain", seconds = 5, action, act } = {}) {
  const element = make("p", { class: "notice", "data-tone": tone }, make("span", { text }));
  if (act) {
    element.append(make("button", { type: "button", class: "plain", text: action, onclick: () => {
      element.remove();
      act();
    } }));
  }
  const place = find("notices");
  place.append(element);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => element.remove(), 1000 * seconds);
  return element;
}

/** Shows a refusal in the server's own words; gives its element. Somebody signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status === 401) showSaved("out", "You are signed out. Sign in, and you come back to this place.");
  else return notice(refusal.message, { tone: "bad", seconds: 9 });
  return null;
}
