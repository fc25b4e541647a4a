// Short sentences that come and go at the lower edge.
import { find, make } from "/shared/dom.js";
import { signInAddress } from "/shared/signin.js";

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

/** Shows a refusal in the server's own words; somebody who is signed out is led to the sign-in. */
export function complain(refusal) {
  if (refusal.status === 401) {
    notice("You are signed out.", { tone: "bad", seconds: 20, action: "Sign in",
      act: () => location.assign(signInAddress()) });
  } else notice(refusal.message, { tone: "bad", seconds: 10 });
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
