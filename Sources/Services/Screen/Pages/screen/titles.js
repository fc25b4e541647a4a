// The titles of a screen: two layers that fade over each other.
import { showTitle } from "/shared/titletext.js";

/** A title's text in a language; tags mean the same in any case. */
function textIn(texts, language) {
  const tag = Object.keys(texts).find((other) => other.toLowerCase() === language.toLowerCase());
  return tag === undefined ? "" : texts[tag];
}

/**
 * The text in each of the wanted languages, as `{ text, language, place }` with the language's place among them; all
 * the title's languages where none is wanted. A title that has none of them is shown in its first language if
 * `fallsBack`.
 */
export function textsOf(title, languages, fallsBack = true) {
  if (!title) return [];
  const wanted = languages.length > 0 ? languages : title.order ?? Object.keys(title.texts).sort();
  const found = wanted.map((language, place) => ({ text: textIn(title.texts, language), language, place }));
  // A list whose languages have no names is shown on every screen.
  const nameless = { text: title.texts[""] ?? "", language: "", place: 0 };
  const texts = (languages.length > 0 ? [...found, nameless] : found).filter(({ text }) => text !== "");
  if (texts.length > 0 || !fallsBack) return texts;
  const other = (title.order ?? Object.keys(title.texts)).find((language) => title.texts[language]);
  return other === undefined ? [] : [{ text: title.texts[other], language: other, place: 0 }];
}

/** The wanted languages that a title does not have; none of an empty title. */
export function missingLanguages(title, languages) {
  const texts = title?.texts ?? {};
  if (!Object.values(texts).some(Boolean) || texts[""]) return [];
  return languages.filter((language) => !textIn(texts, language));
}

/** The share of the screen's height that titles may take: as set, else nearly half of a picture, and nearly all of a
 *  board that is much wider than high. */
export const titleArea = ({ area }, width, height) => area || (width > 3.5 * height ? 0.9 : 0.46);

const usualFamilies = 'system-ui, "Noto Sans", "DejaVu Sans", sans-serif';

const keyOf = (state) => JSON.stringify(state.title && !state.hidden ? [state.title, state.title.texts] : null);

export class TitleLayers {
  #stage;
  #settings;
  #shown = null; // the layer of the present title
  #key = "null";
  #fadeOut = 0; // seconds in which the present title goes
  #title = null; // the present title, shown or empty

  constructor(stage, settings) {
    this.#stage = stage;
    this.#settings = settings;
  }

  /** The text that is shown now, its languages one below the other. */
  get text() {
    return this.#lines().join("\n");
  }

  /** The content shown now, for a small picture of it on other pages; long texts are cut off. */
  get picture() {
    const letters = this.#shown ? parseFloat(getComputedStyle(this.#shown).fontSize) / Math.max(innerHeight, 1) : 0;
    return { lines: this.#lines().map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)),
      isTop: this.#shown?.classList.contains("top") ?? false, letters: Math.min(Math.round(1000 * letters), 1000),
      missing: missingLanguages(this.#title, this.#settings.languages) };
  }

  #lines() {
    return this.#shown ? [...this.#shown.children].map((line) => line.textContent) : [];
  }

  /** Takes other settings; the next `show` uses them at once, without a fade. */
  use(settings) {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    this.#key = "";
  }

  /** Shows a whole state. `isFirst` shows it at once, as it stands: the fade was long ago. */
  show(state, isFirst) {
    const key = keyOf(state);
    if (key === this.#key) {
      if (state.fadeEnded) this.#endFades();
      return;
    }
    // Other settings change what is there; that is no new title.
    const atOnce = isFirst || state.fadeEnded || this.#key === "";
    this.#key = key;
    const title = state.hidden ? null : state.title;
    this.#title = title;
    this.#leave(atOnce ? 0 : this.#fadeOut);
    const texts = textsOf(title, this.#settings.languages, this.#settings.fallsBack);
    this.#fadeOut = title?.fadeOut ?? 0;
    if (texts.length === 0) return;
    this.#enter(texts, title, atOnce ? 0 : title.fadeIn);
  }

  #enter(texts, title, seconds) {
    const layer = document.createElement("div");
    layer.className = "title";
    layer.classList.add(title.position ?? this.#settings.position, this.#settings.align, this.#settings.lettering);
    if (this.#settings.font) layer.style.fontFamily = `"${this.#settings.font}", ${usualFamilies}`;
    for (const { text, language, place } of texts) {
      const line = showTitle(document.createElement("p"), text, language);
      line.style.color = this.#settings.colours[place] || "";
      line.style.fontSize = this.#settings.sizes[place] ? `${this.#settings.sizes[place]}em` : "";
      layer.append(line);
    }
    this.#stage.append(layer);
    this.#fit(layer);
    this.#shown = layer;
    fade(layer, 1, seconds);
  }

  /** Makes the letters of a long title smaller: the largest ones with which it keeps to its share of the screen. */
  #fit(layer) {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const most = Math.max(height * titleArea(this.#settings, width, height), 1);
    const fits = (size) => {
      layer.style.setProperty("--size", String(size));
      return layer.getBoundingClientRect().height <= most && layer.scrollWidth <= layer.clientWidth;
    };
    let [large, small] = [this.#settings.size, this.#settings.size / 16];
    if (fits(large)) return;
    while (large / small > 1.01) {
      const middle = Math.sqrt(large * small);
      if (fits(middle)) small = middle;
      else large = middle;
    }
    fits(small);
  }

  refit() {
    if (this.#shown) this.#fit(this.#shown);
  }

  #leave(seconds) {
    const layer = this.#shown;
    this.#shown = null;
    if (!layer) return;
    fade(layer, 0, seconds).then(() => layer.remove());
  }

  #endFades() {
    for (const layer of this.#stage.querySelectorAll(".title")) {
      for (const motion of layer.getAnimations()) motion.finish();
    }
  }
}

/** Fades from the present opacity; the browser's compositor draws it, so that nothing here can make it stutter. */
async function fade(layer, opacity, seconds) {
  const from = getComputedStyle(layer).opacity;
  for (const motion of layer.getAnimations()) motion.cancel();
  layer.style.opacity = String(opacity);
  if (seconds <= 0) return;
  const motion = layer.animate([{ opacity: from }, { opacity: String(opacity) }],
    { duration: seconds * 1000, easing: "ease-in-out" });
  await motion.finished.catch(() => {});
}
