// Listens to the keyboard, alone on this page; `meaningOf` says what each key is for.
import { keep, readKept } from "/shared/kept.js";
import { acts } from "/shared/oneact.js";
import { focusOf, keyName, meaningOf } from "./keymap.js";

const stored = "baton.keys";

export class Keys {
  #console;
  #down = new Set();
  #closedAt = -Infinity; // when a panel, a question or a field was last closed
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
    const { target } = event;
    const focus = focusOf(target);
    const meaning = meaningOf(name, { focus, byKeyboard: focus === "choice" && target.matches(":focus-visible"),
      isOpen: this.#console.isSomethingOpen(), sinceClosed: event.timeStamp - this.#closedAt,
      takesPlace: () => this.#console.place.takes(name) });
    if (meaning === "control") return;
    if (meaning === "show") return this.#act(name, event);
    event.preventDefault();
    event.stopPropagation();
    this.#down.add(event.code);
    if (event.repeat || meaning === "place") return;
    if (meaning === "press") return target.localName === "select" ? target.showPicker() : target.click();
    if (meaning === "late") return this.#sayClosed();
    if (meaning === "leave") this.#console.leaveField(target);
    else this.#console.closeWhatIsOpen();
    this.hasClosed();
  }

  /** Something was closed, by whatever means: the Esc of a hand that meant to do so does nothing. */
  hasClosed() {
    this.#closedAt = performance.now();
  }

  #act(name, event) {
    const action = this.#console.keymap.actionOf(name);
    if (!action) return;
    // Also keeps the key from pressing a focused button or scrolling.
    event.preventDefault();
    event.stopPropagation();
    this.#down.add(event.code);
    const { repeats, countedByServer } = this.#console.actions[action];
    const isNew = acts.beginsWithKey(event);
    if (isNew || event.repeat && repeats || !event.repeat && countedByServer) this.#console.act(action, false);
  }

  #sayClosed() {
    const action = this.#console.keymap.actionOf("Escape");
    if (!action) return;
    const { title, short = title } = this.#console.actions[action];
    this.#console.desk.tell("notice", { control: "closed",
      sentence: `Something has just closed, so this Esc did nothing. Press it again in a second for: ${short}.` });
  }

  #release(event) {
    if (this.#down.delete(event.code)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
