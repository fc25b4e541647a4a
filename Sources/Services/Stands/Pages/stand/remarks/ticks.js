// Boxes to tick in a dialog.
import { make } from "/shared/dom.js";

/** A group of boxes to tick, from `[value, name]`. */
export function choices(legend, name, options, ticked) {
  return make("fieldset", { class: "played ticks" }, make("legend", { text: legend }),
    ...options.map(([value, text]) => make("label", { class: "choice" },
      make("input", { type: "checkbox", name, value: String(value), checked: ticked.includes(value) }), text)));
}

/** The values of what is ticked. */
export const chosen = (group) => [...group.querySelectorAll("input:checked")].map(({ value }) => value);
