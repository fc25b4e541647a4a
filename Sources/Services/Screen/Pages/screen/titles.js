// The titles of a screen: two layers that fade over each other.

/** A title's text in a language; tags mean the same in any case. */
function textIn(texts, language) {
  const tag = Object.keys(texts).find((other) => other.toLowerCase() === language.toLowerCase());
  return tag === undefined ? "" : texts[tag];
}

/**
 * The text in each of the wanted languages, as `{ text, place }` with the language's place among them; all the title's
 * languages where none is wanted. A title that has none of them is shown in its first language if `fallsBack`.
 */
export function textsOf(title, languages, fallsBack = true) {
  if (!title) return [];
  const wanted = languages.length > 0 ? languages : Object.keys(title.texts).sort();
  const found = wanted.map((language, place) => ({ text: textIn(title.texts, language), place }));
  // A list whose languages have no names is shown on every screen.
  const nameless = { text: title.texts[""] ?? "", place: 0 };
  const texts = (languages.length > 0 ? [...found, nameless] : found).filter(({ text }) => text !== "");
  if (texts.length > 0 || !fallsBack) return texts;
  const other = (title.order ?? Object.keys(title.texts)).map((language) => title.texts[language]).find(Boolean);
  return other ? [{ text: other, place: 0 }] : [];
}

/** The wanted languages that a title does not have; none of an empty title. */
export function missingLanguages(title, languages) {
  const texts = title?.texts ?? {};
  if (!Object.values(texts).some(Boolean) || texts[""]) return [];
  return languages.filter((language) => !textIn(texts, language));
}

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
    return { lines: this.#lines().map((text) => text.slice(0, 60)),
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
    layer.classList.toggle("top", (title.position ?? this.#settings.position) === "top");
    for (const { text, place } of texts) {
      const line = document.createElement("p");
      line.textContent = text;
      line.style.color = this.#settings.colours[place] || "";
      line.style.fontSize = this.#settings.sizes[place] ? `${this.#settings.sizes[place]}em` : "";
      layer.append(line);
    }
    this.#stage.append(layer);
    this.#fit(layer);
    this.#shown = layer;
    fade(layer, 1, seconds);
  }

  /** Makes the letters of a long title smaller, until it takes less than half of the screen's height. */
  #fit(layer) {
    layer.style.setProperty("--size", String(this.#settings.size));
    const most = Math.max(innerHeight * 0.46, 1);
    const height = layer.getBoundingClientRect().height;
    if (height <= most) return;
    let size = this.#settings.size * Math.max(most / height, 0.2);
    for (let trial = 0; trial < 8; trial += 1) {
      layer.style.setProperty("--size", String(size));
      if (layer.getBoundingClientRect().height <= most) return;
      size *= 0.93;
    }
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
