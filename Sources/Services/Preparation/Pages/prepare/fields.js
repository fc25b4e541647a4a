// What the fields of a piece share: the way back out of one.

/** Esc in a field brings back what it showed before; the page's keys then leave it. `value()` gives that. */
export function restoreOnEscape(field, value) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) field.value = value();
  });
}
