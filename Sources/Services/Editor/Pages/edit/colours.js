// The colour of a section: swatches to choose from, and the format's own words.
import { make, mark } from "/shared/dom.js";
import { colourOf } from "/shared/slides.js";
import { field } from "./fields.js";
import { swatches } from "./sections.js";

/** The field with its swatches; `show()` marks the one that is chosen. */
export function colourField(book, section) {
  const text = field(book, section, "colour", { label: "Colour", what: "colour", placeholder: "70,130,180 or a name" });
  const buttons = swatches.map(([name, colour]) => {
    const button = make("button",
      { type: "button", class: "swatch", title: name, "aria-label": name,
        onclick: () => book.set(section, "colour", colour, "colour") });
    button.style.setProperty("--swatch", colourOf(colour));
    return [colour, button];
  });
  /** @type {any} */
  const element = make("div", { class: "colour" }, text,
    make("div", { class: "swatches", role: "group", "aria-label": "Colours" }, ...buttons.map(([, button]) => button)));
  element.show = () => {
    const now = book.tree.text(section, "colour");
    for (const [colour, button] of buttons) mark(button, "aria-pressed", String(colour === now));
    element.style.setProperty("--section", colourOf(now));
  };
  return element;
}
