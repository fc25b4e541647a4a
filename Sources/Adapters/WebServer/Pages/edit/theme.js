// Dark, light, or as the system: kept in this browser.
import { find, mark, write } from "/shared/dom.js";

const place = "baton.edit.theme";
const order = { auto: "dark", dark: "light", light: "auto" };
const words = { auto: "as the system", dark: "dark", light: "light" };
const system = matchMedia("(prefers-color-scheme: light)");

export function showTheme() {
  const button = find("theme");
  let chosen = kept();
  const sign = document.createElement("span");
  sign.className = "theme-sign";
  sign.setAttribute("aria-hidden", "true");
  button.append(sign);

  function apply() {
    const theme = chosen === "auto" ? (system.matches ? "light" : "dark") : chosen;
    document.documentElement.dataset.theme = theme;
    mark(button, "aria-label", `Colours: ${words[chosen]}. Change`);
    mark(button, "title", `Colours: ${words[chosen]}`);
    write(sign, { auto: "◐", dark: "●", light: "○" }[chosen]);
    mark(document.querySelector("meta[name=theme-color]"), "content", theme === "light" ? "#fbfbfa" : "#0b0d10");
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
  system.addEventListener("change", apply);
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
