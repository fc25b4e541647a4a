// The listener's choices, kept on this phone.
import { keep, readKept } from "/shared/kept.js";
import { onSystemTheme, showTheme } from "/shared/theme.js";

const place = "baton.audience.settings";

/** A dark hall is what we expect: the dark theme at half the light. */
const defaults = {
  size: 1, contrast: "normal", theme: "dark", motion: "full", brightness: 50, delay: 0, awake: true,
  language: null, track: null, subject: null, level: null, titleLanguage: null,
};

export class Settings {
  #values = { ...defaults };
  #changed = [];

  constructor() {
    Object.assign(this.#values, readKept(place));
    this.#values.language ??= navigator.language || "en";
    onSystemTheme(() => this.#apply());
    this.#apply();
  }

  get values() {
    return this.#values;
  }

  /** Calls back with the names of what changed. */
  onChange(take) {
    this.#changed.push(take);
  }

  set(values) {
    Object.assign(this.#values, values);
    keep(place, this.#values);
    this.#apply();
    for (const take of this.#changed) take(Object.keys(values));
  }

  #apply() {
    const { theme, contrast, motion, size, brightness } = this.#values;
    const root = document.documentElement;
    showTheme(theme, { dark: "#060607", light: "#f8f4ec" });
    root.dataset.contrast = contrast;
    root.dataset.motion = motion;
    root.style.setProperty("--size", String(size));
    // Half the brightness is half the light that leaves the screen; screens give light by the power 2.2.
    root.style.setProperty("--veil", String(1 - (Math.min(Math.max(brightness, 5), 100) / 100) ** (1 / 2.2)));
  }
}

/** True if nothing should move: by the listener's choice here or on the phone. */
export const still = () =>
  document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
