// Dark, light, or as the system: kept in this browser.
import { find, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { onSystemTheme, showTheme } from "/shared/theme.js";

const place = "baton.prepare.theme";
const order = { auto: "dark", dark: "light", light: "auto" };
const words = { auto: "as the system", dark: "dark", light: "light" };
const colours = { dark: "#0b0d10", light: "#fbfbfa" };

/** The button that changes the theme; `changed()` is called when the page has other colours. */
export function wireTheme(changed) {
  const button = find("theme");
  let chosen = readKept(place) in order ? readKept(place) : "auto";
  const apply = () => {
    showTheme(chosen, colours);
    mark(button, "aria-label", `Colours: ${words[chosen]}. Change`);
    mark(button, "title", `Colours: ${words[chosen]}`);
    write(button, { auto: "◐", dark: "●", light: "○" }[chosen]);
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
