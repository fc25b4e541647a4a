// Everything by keyboard, too.
import { acts } from "/shared/oneact.js";

const repeating = new Set(["larger", "smaller"]); // as long as the key is held

/** `actions` are functions by name; a key does nothing while somebody writes or moves a slider. */
export function listenToKeys(actions) {
  const table = {
    ArrowLeft: "previous", ArrowRight: "next", PageUp: "previous", PageDown: "next", l: "live", p: "home", t: "tracks",
    f: "form", g: "words", a: "look", "?": "help", "+": "larger", "=": "larger", "-": "smaller", "−": "smaller",
    Escape: "close",
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const writing = event.target.closest?.("input, select, textarea") && event.key !== "Escape";
    const name = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!name || writing || !actions[name]) return;
    if (!acts.beginsWithKey(event) && !repeating.has(name)) return event.preventDefault();
    if (actions[name]() !== false) event.preventDefault();
  });
}
