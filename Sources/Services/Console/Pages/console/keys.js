// Listens to the keyboard. A key does nothing here while somebody types in a field.
import { keep, readKept } from "/shared/kept.js";
import { acts } from "/shared/oneact.js";
import { keyName } from "./keymap.js";

/** True if keys belong to the element: text, choices, tick boxes. */
export function typing(element) {
  return Boolean(element?.closest?.("input, select, textarea, [contenteditable]"));
}

const stored = "baton.keys";
const afterClosing = 1000; // ms after an Esc that closed something in which another one was meant for that too

export class Keys {
  #console;
  #down = new Set();
  #closedAt = -Infinity; // when Esc last closed something
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
        if (!event.repeat) {
          this.#console.leaveField(event.target);
          this.#closedAt = event.timeStamp;
        }
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
      this.#closedAt = event.timeStamp;
      return;
    }
    const action = this.#console.keymap.actionOf(name);
    if (!action) return;
    // Also keeps the key from pressing a focused button or scrolling.
    event.preventDefault();
    event.stopPropagation();
    this.#down.add(event.code);
    if (name === "Escape" && event.timeStamp - this.#closedAt < afterClosing) {
      return event.repeat ? null : this.#sayClosed(action);
    }
    const { repeats, countedByServer } = this.#console.actions[action];
    const isNew = acts.beginsWithKey(event);
    if (isNew || event.repeat && repeats || !event.repeat && countedByServer) this.#console.act(action, false);
  }

  /** An Esc right after one that closed something does nothing: the hand meant to close two things. */
  #sayClosed(action) {
    const { title, short = title } = this.#console.actions[action];
    this.#console.desk.tell("notice", { control: "closed",
      sentence: `Esc has just closed something, so this one did nothing. Press it again in a second for: ${short}.` });
  }

  #release(event) {
    if (this.#down.delete(event.code)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
