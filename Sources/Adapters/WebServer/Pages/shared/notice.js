// Short messages that come and go at the edge of a page; the page has a place for them, #notices.
import { find, make } from "./dom.js";

/**
 * Says something for a while; with `act` a button, named `action`. Gives the element.
 * @param {string} text
 * @param {{ tone?: string, seconds?: number, action?: string, act?: () => void }} how
 */
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
