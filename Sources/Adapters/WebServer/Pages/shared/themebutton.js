// The button for dark or light colours, or those of the system: kept in this browser.
import { find, make, mark, write } from "./dom.js";
import { keep, storage } from "./kept.js";
import { onSystemTheme, showTheme } from "./theme.js";

const order = { auto: "dark", dark: "light", light: "auto" };
const words = { auto: "as the system", dark: "dark", light: "light" };
const colours = { dark: "#0b0d10", light: "#fbfbfa" };

/** The choice that is kept; earlier versions of the editor kept the word without quotes. */
function kept(place) {
  const value = (storage()?.getItem(place) ?? "").replaceAll('"', "");
  return value in order ? value : "auto";
}

/** Wires #theme; the choice is kept under `place`, and `changed()` is called when the page has other colours. */
export function wireTheme(place, changed = () => {}) {
  const button = find("theme");
  const sign = make("span", { class: "theme-sign", "aria-hidden": "true" });
  let chosen = kept(place);
  button.append(sign);
  const apply = () => {
    showTheme(chosen, colours);
    mark(button, "aria-label", `Colours: ${words[chosen]}. Change`);
    mark(button, "title", `Colours: ${words[chosen]}`);
    write(sign, { auto: "◐", dark: "●", light: "○" }[chosen]);
    changed();
  };
  button.addEventListener("click", () => {
    chosen = order[chosen];
    keep(place, chosen);
    apply();
  });
  onSystemTheme(apply);
  apply();
}
