// Maps keys to actions: pure, so that every rule can be tested without a keyboard.

const names = { " ": "Space", Spacebar: "Space", Esc: "Escape" };
const modifiersAlone =
  new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock", "Dead", "Process", "Unidentified"]);

/** The name of a key press: “Space”, “G”, “Shift+L”, “Alt+1”, “?”; null for a modifier alone. */
export function keyName({ key, code = "", ctrlKey = false, altKey = false, shiftKey = false, metaKey = false }) {
  if (!key || modifiersAlone.has(key)) return null;
  let base = names[key] ?? key;
  // With Alt some keyboards write another sign; the digit's own key is meant.
  if (altKey && /^Digit\d$/.test(code)) base = code.slice(5);
  const letter = base.length === 1 && base.toLowerCase() !== base.toUpperCase();
  if (letter) base = base.toUpperCase();
  const sign = base.length === 1 && !letter; // its Shift is part of the sign
  const parts = [];
  if (ctrlKey) parts.push("Ctrl");
  if (altKey) parts.push("Alt");
  if (metaKey) parts.push("Meta");
  if (shiftKey && !sign) parts.push("Shift");
  return [...parts, base].join("+");
}

const signs = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", PageUp: "Page↑",
  PageDown: "Page↓" };

/** The name of a key as it is written on the page. */
export function keyLabel(name) {
  return name.split("+").map((part) => signs[part] ?? part).join("+") || "+";
}

/** Why a key cannot be bound at all, or null. Digits and Enter type a place; Tab moves the focus. */
function reserved(name) {
  if (/^\d$/.test(name)) return `The digits type a bar number; “${name}” cannot be bound.`;
  if (["Enter", "Tab", "Shift+Tab", "Backspace"].includes(name)) {
    return `${keyLabel(name)} works the page itself and cannot be bound.`;
  }
  if (/^(Ctrl|Meta)\+[RTWN]$/.test(name)) return `${name} belongs to the browser and cannot be bound.`;
  return null;
}

const choices = ["checkbox", "radio", "range", "file", "color", "button", "submit", "reset", "image"];

/** To whom keys belong at an element: "text" that is typed, "choice" of a list or a tick box, or null: the show. */
export function focusOf(element) {
  const control = element?.closest?.("input, select, textarea, [contenteditable]");
  if (!control) return null;
  return control.localName === "select" || choices.includes(control.type) ? "choice" : "text";
}

const arrows = /^Arrow|^Page|^(Home|End|Tab)$/;
export const afterClosing = 1000; // ms after something was closed in which an Esc was meant for that too

/**
 * What a key is for. `focus` is as `focusOf` says; `byKeyboard`: the keyboard went there; `takesPlace()`: the key
 * begins a place, or chooses one; `isOpen`: a panel or a question is open; `sinceClosed`: ms since one was closed.
 * Gives "control": it stays with the control; "press": it presses the control, as Space does elsewhere; "leave": the
 * field is left; "place"; "close": what is open is closed; "late": an Esc for what has just been closed; "show": it
 * does what it is bound to.
 */
export function meaningOf(name, { focus = null, byKeyboard = false, takesPlace = () => false, isOpen = false,
  sinceClosed = Infinity }) {
  if (focus === "text") return name === "Escape" ? "leave" : "control";
  if (focus === "choice" && name === "Enter") return "press";
  if (focus === "choice" && (name === "Tab" || byKeyboard && arrows.test(name))) return "control";
  if (name !== "Escape") return takesPlace() ? "place" : "show";
  // Esc first closes what is open: an operator who closes a panel by habit must not stop the show.
  if (isOpen) return "close";
  return sinceClosed < afterClosing ? "late" : "show";
}

export class KeyMap {
  #actions;
  #bindings = new Map();

  constructor(actions) {
    this.#actions = actions;
    this.reset();
  }

  /** Every action back to the keys it had at first. */
  reset() {
    this.#bindings = new Map(Object.entries(this.#actions).map(([id, action]) => [id, [...action.keys]]));
  }

  keys(action) {
    return this.#bindings.get(action) ?? [];
  }

  /** The action of a key, or null. */
  actionOf(name) {
    for (const [action, keys] of this.#bindings) if (keys.includes(name)) return action;
    return null;
  }

  /** Makes `name` the first key of an action. Returns null, or the sentence why not; then nothing changed. */
  bind(action, name) {
    const reason = reserved(name);
    if (reason) return reason;
    const other = this.actionOf(name);
    if (other === action) return null;
    if (other) return `${keyLabel(name)} already means “${this.#actions[other].title}”. Give that another key first.`;
    const keys = this.keys(action);
    this.#bindings.set(action, [name, ...keys.slice(1)]);
    return null;
  }

  /** The bindings that differ from the first ones, for keeping. */
  changes() {
    const changed = {};
    for (const [action, keys] of this.#bindings) {
      if (keys.join(" ") !== this.#actions[action].keys.join(" ")) changed[action] = keys;
    }
    return changed;
  }

  /** Takes kept changes. What is unknown, reserved or in conflict is left out; true if all of it was taken. */
  restore(changed) {
    this.reset();
    if (typeof changed !== "object" || changed === null) return changed === null;
    const wanted = new Map(this.#bindings);
    for (const [action, keys] of Object.entries(changed)) {
      if (!this.#bindings.has(action) || !Array.isArray(keys) || keys.length === 0) return false;
      if (keys.some((key) => typeof key !== "string" || key === "" || reserved(key))) return false;
      wanted.set(action, keys);
    }
    const all = [...wanted.values()].flat();
    if (new Set(all).size !== all.length) return false;
    this.#bindings = wanted;
    return true;
  }
}
