// Dark or light colours: by choice, or as the system has it.

const system = matchMedia("(prefers-color-scheme: light)");

/** Shows "dark", "light" or, with "auto", the system's colours. `colours` are the browser's own, as { dark, light }. */
export function showTheme(choice, colours) {
  const theme = choice === "auto" ? (system.matches ? "light" : "dark") : choice === "light" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", colours[theme]);
}

/** Calls back when the system changes its colours. */
export const onSystemTheme = (changed) => system.addEventListener("change", changed);
