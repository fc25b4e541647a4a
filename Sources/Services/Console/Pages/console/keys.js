// Listens to the keyboard. A key does nothing here while somebody types in a field.
import { keep, readKept } from "/shared/kept.js";
import { keyName } from "./keymap.js";

/** True if keys belong to the element: text, choices, tick boxes. */
export function typing(element) {
  return Boolean(element?.closest?.("input, select, textarea, [contenteditable]"));
}

const stored = "baton.keys";

export class Keys {
  #console;
  #down = new Set();
  /** While a new key is being asked for: (name) => void. */
  capture = null;

  constructor(console) {
    this.#console = console;
    console.keymap.restore(readKept(stored));
    addEventListener("keydown", (event) => this.#press(event), { capture: true });
    addEventListener("keyup", (event) => this.#release(event), { capture: true });
    addEventListener("blur", () => this.#down.clear());
    // A button pressed by the mouse gives the focus back, so that no later key can press it again.
    addEventListener("pointerup", (event) => {
      const button = event.target.closest?.("button[data-action]");
      if (button) setTimeout(() => button.blur(), 0);
    });
  }

  keep() {
    keep(stored, this.#console.keymap.changes());
  }

  #press(event) {
    if (event.isComposing) return;
    const name = keyName(event);
    if (!name) return;
    if (this.capture) {
      if (name === "Tab" || name === "Shift+Tab") return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) this.capture(name);
      return;
    }
    if (typing(event.target)) {
      // The one key a field does not keep: Esc leaves it, and does nothing else.
      if (name === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) this.#console.leaveField(event.target);
      }
      return;
    }
    if (name !== "Escape" && this.#console.place.takes(name, event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    // Esc first closes what is open: an operator who closes a panel by habit must not stop the show.
    if (name === "Escape" && !event.repeat && this.#console.closeWhatIsOpen()) {
      event.preventDefault();
      event.stopPropagation();
      this.#down.add(event.code);
      return;
    }
    const action = this.#console.keymap.actionOf(name);
    if (!action) return;
    // Also keeps the key from pressing a focused button or scrolling.
    event.preventDefault();
    event.stopPropagation();
    this.#down.add(event.code);
    if (event.repeat && !this.#console.actions[action].repeats) return;
    this.#console.act(action, false);
  }

  #release(event) {
    if (this.#down.delete(event.code)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
