// Dark, light, or as the system: kept in this browser.
import { find, mark, write } from "/shared/dom.js";
import { onSystemTheme, showTheme } from "/shared/theme.js";

const place = "baton.edit.theme";
const order = { auto: "dark", dark: "light", light: "auto" };
const words = { auto: "as the system", dark: "dark", light: "light" };
const colours = { dark: "#0b0d10", light: "#fbfbfa" };

/** The button that changes the theme. */
export function wireTheme() {
  const button = find("theme");
  let chosen = kept();
  const sign = document.createElement("span");
  sign.className = "theme-sign";
  sign.setAttribute("aria-hidden", "true");
  button.append(sign);

  function apply() {
    showTheme(chosen, colours);
    mark(button, "aria-label", `Colours: ${words[chosen]}. Change`);
    mark(button, "title", `Colours: ${words[chosen]}`);
    write(sign, { auto: "◐", dark: "●", light: "○" }[chosen]);
  }
  button.addEventListener("click", () => {
    chosen = order[chosen];
    try {
      localStorage.setItem(place, chosen);
    } catch {
      // Lasts as long as the page then.
    }
    apply();
  });
  onSystemTheme(apply);
  apply();
}

function kept() {
  try {
    const value = localStorage.getItem(place);
    return value in order ? value : "auto";
  } catch {
    return "auto";
  }
}
