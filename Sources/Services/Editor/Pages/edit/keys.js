// Keys of the whole editor. In a field only those that no text needs.
import { undoKey } from "/shared/undo.js";

// Kept by the browser: a search at each key would walk through hundreds of slides.
const dialogs = document.getElementsByTagName("dialog");
const isText = (element) =>
  element?.matches?.("input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]");

/** `everywhere(name)` does undo, redo, help, close; `view()` gives the keys of the page that is shown. */
export function listenToKeys(everywhere, view) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const control = event.ctrlKey || event.metaKey;
    const course = control && event.key.toLowerCase() === "s" ? "save" : undoKey(event);
    if (course) {
      event.preventDefault();
      everywhere(course);
      return;
    }
    if (control || event.altKey || [...dialogs].some(({ open }) => open)) return;
    if (event.key === "Escape") {
      if (isText(document.activeElement)) document.activeElement.blur();
      else everywhere("close");
      return;
    }
    if (isText(document.activeElement)) return;
    if (event.key === "?") {
      everywhere("help");
      return;
    }
    // A button under the keyboard's focus keeps its own keys.
    if (event.key === " " && document.activeElement?.matches?.("button, a, summary")) return;
    const act = view()?.[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
