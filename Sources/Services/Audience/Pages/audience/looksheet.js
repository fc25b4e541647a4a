// Text, light, language, delay.
import { make } from "/shared/dom.js";
import { longestDelay } from "./delay.js";
import { choices, openSheet } from "./sheets.js";
import { languageChoice } from "./tracksheet.js";
import { say } from "./words.js";

export function openLook(hall, settings) {
  const fill = (body) => body.replaceChildren(...controls(hall, settings, () => fill(body)).filter(Boolean));
  openSheet("look", say("settings"), fill);
}

function controls(hall, settings, again) {
  const { values } = settings;
  const choose = (name, legend, options) => choices(name, say(legend),
    options.map(([value, word]) => [value, say(word)]), values[name], (value) => settings.set({ [name]: value }));
  return [
    slider("size", say("textSize"),
      { min: 80, max: 220, step: 10, value: Math.round(values.size * 100), words: percent },
      (value) => settings.set({ size: value / 100 })),
    slider("brightness", say("brightness"), { min: 10, max: 100, step: 5, value: values.brightness, words: percent },
      (value) => settings.set({ brightness: value })),
    choose("theme", "theme", [["dark", "themeDark"], ["light", "themeLight"], ["auto", "themeAuto"]]),
    choose("contrast", "contrast", [["normal", "contrastNormal"], ["high", "contrastHigh"]]),
    choose("motion", "motion", [["full", "motionFull"], ["less", "motionLess"]]),
    languageChoice(hall, settings, again),
    slider("delay", say("delay"), { min: 0, max: longestDelay, step: 1, value: values.delay,
      words: (n) => say("seconds", { n }), hint: say("delayHint") }, (value) => settings.set({ delay: value })),
    atHomeLink(),
    make("label", { class: "switch" },
      make("input", { type: "checkbox", id: "awake", checked: values.awake,
        onchange: (event) => settings.set({ awake: event.target.checked }) }),
      make("span", { text: say("awake") })),
  ];
}

/** The way to the page that listens by itself, where the hall offers it. */
function atHomeLink() {
  const link = make("a", { id: "at-home-link", class: "button", href: "/listen", text: say("atHome"), hidden: true });
  fetch("/api/audience/models").then((answer) => (answer.ok ? answer.json() : { models: [] }))
    .then(({ models }) => (link.hidden = models.length === 0)).catch(() => {});
  return link;
}

const percent = (n) => say("percent", { n });

/**
 * @param {string} name
 * @param {string} text
 * @param {{ min: number, max: number, step: number, value: number, words: (value: number) => string,
 *   hint?: string }} how
 * @param {(value: number) => void} take
 */
function slider(name, text, { min, max, step, value, words, hint }, take) {
  const shown = make("output", { for: name, text: words(value) });
  const input = make("input",
    { id: name, type: "range", min, max, step, "aria-valuetext": words(value), "aria-describedby": hint
      ? `${name}-hint` : null });
  input.value = String(value);
  input.addEventListener("input", () => {
    shown.textContent = words(Number(input.value));
    input.setAttribute("aria-valuetext", words(Number(input.value)));
    take(Number(input.value));
  });
  return make("div", { class: "slider" }, make("label", { for: name, text }), shown, input,
    hint ? make("p", { id: `${name}-hint`, class: "about", text: hint }) : null);
}
