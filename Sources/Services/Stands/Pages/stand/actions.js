// The actions of keys, pedals and MIDI notes on this device: learned from the player, kept here.
import { make } from "/shared/dom.js";
import { acts } from "/shared/oneact.js";
import { quick } from "./store.js";
import { act, dialogIsOpen, notice, openDialog } from "./words.js";

/** The actions that a key can have, in the order in which they are listed. */
export const actions = [
  ["next", "Next page"], ["back", "Page before"], ["half", "Half a page on"], ["first", "First page"],
  ["last", "Last page"], ["piece", "Next piece"], ["piece-back", "Piece before"], ["pencil", "Remarks on and off"],
  ["bar", "Go to a bar"],
  ["metronome", "Metronome on and off"], ["tap", "Tap the tempo"], ["listen", "Recording on and off"],
  ["music", "Back to the music"], ["controls", "Controls"],
];
const mostTriggers = 64;
const reserved = ["Tab", "Shift", "Control", "Alt", "Meta", "Escape", "Dead", "Process", "Unidentified", ""];

/** A key press as the name of a trigger; null if it is none that can be learned. A key that the browser has no name for
    is told by its place on the keyboard. */
export function keyTrigger({ key, code = "", ctrlKey = false, metaKey = false, altKey = false }) {
  const name = ["Unidentified", ""].includes(key) ? code : key;
  if (reserved.includes(name) || ctrlKey || metaKey || altKey) return null;
  return `key:${name === " " ? "Space" : name.length === 1 ? name.toLowerCase() : name}`;
}

/** A MIDI message as the name of a trigger; null for what is no press: note off, a controller let go, a clock. */
export function midiTrigger([status, first, second]) {
  const kind = status & 0xf0;
  if (kind === 0x90 && second > 0) return `note:${first}`;
  if (kind === 0xb0 && second >= 64) return `controller:${first}`;
  return kind === 0xc0 ? `program:${first}` : null;
}

const notes = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];

/** A trigger in words. */
export function triggerName(trigger) {
  const [kind, value] = [trigger.slice(0, trigger.indexOf(":")), trigger.slice(trigger.indexOf(":") + 1)];
  if (kind === "key") return value.length === 1 ? value.toUpperCase() : value.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  if (kind === "note") return `MIDI ${notes[value % 12]}${Math.floor(value / 12) - 1}`;
  return `MIDI ${kind} ${value}`;
}

export class Actions {
  #learned = quick.get("actions") ?? {}; // trigger → action
  #learning = null; // takes the next trigger
  #midi = null;

  /** `run(action)` does it; `isFree()` says whether keys are the stand's just now. */
  constructor(run, isFree) {
    this.run = run;
    this.isFree = isFree;
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
    // Browsers that were allowed before give it without asking.
    if (Object.keys(this.#learned).some((trigger) => !trigger.startsWith("key:"))) this.#openMIDI();
  }

  of(trigger) {
    return this.#learned[trigger] ?? null;
  }

  learn(trigger, action) {
    delete this.#learned[trigger];
    if (action) this.#learned[trigger] = action;
    const entries = Object.entries(this.#learned).slice(-mostTriggers);
    this.#learned = Object.fromEntries(entries);
    quick.put("actions", this.#learned);
  }

  #key(event) {
    if (event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable]")) return;
    const trigger = keyTrigger(event);
    if (!trigger) return;
    if (this.#learning) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return this.#learning(trigger);
    }
    const action = this.of(trigger);
    if (!action || dialogIsOpen() || !this.isFree()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (acts.beginsWithKey(event)) this.run(action);
  }

  async #openMIDI() {
    if (this.#midi || !navigator.requestMIDIAccess) return Boolean(this.#midi);
    try {
      this.#midi = await navigator.requestMIDIAccess();
    } catch {
      return false;
    }
    const listen = () => {
      for (const input of this.#midi.inputs.values()) input.onmidimessage = (event) => this.hearMIDI(event);
    };
    this.#midi.onstatechange = listen;
    listen();
    return true;
  }

  hearMIDI(event) {
    const trigger = midiTrigger(event.data);
    if (!trigger) return;
    if (this.#learning) return this.#learning(trigger);
    const action = this.of(trigger);
    if (action && this.isFree() && acts.begins(trigger, event)) this.run(action);
  }

  /** The list of what can be done, with what was learned for each. */
  openDialog() {
    const midi = make("p", { class: "hint", id: "midi-state", role: "status" });
    const rows = () => actions.map(([action, text]) => {
      const own = Object.keys(this.#learned).filter((trigger) => this.#learned[trigger] === action);
      const learn = make("button", { type: "button", text: "Learn", "data-action": action,
        "aria-label": `Learn a key for: ${text}` });
      learn.addEventListener("click", () => {
        learn.textContent = "Press it …";
        learn.setAttribute("aria-pressed", "true");
        this.#learning = (trigger) => {
          this.#learning = null;
          this.learn(trigger, action);
          notice(`${triggerName(trigger)}: ${text}.`);
          list.replaceChildren(...rows());
          list.querySelector(`[data-action="${action}"]`).focus();
        };
      });
      return make("li", { class: "action" }, make("span", { text }), make("span", { class: "triggers" },
        ...own.map((trigger) => act(`${triggerName(trigger)} ✕`, () => {
          this.learn(trigger, null);
          list.replaceChildren(...rows());
        }, { class: "chip", "aria-label": `Forget ${triggerName(trigger)} for: ${text}` }))), learn);
    });
    const list = make("ul", { class: "actions" }, ...rows());
    openDialog("Keys, pedals, MIDI", make("p", { class: "hint",
      text: "Press Learn, then the key, pedal or MIDI note. Page Down, Page Up, arrows and space turn anyway." }), list,
    midi);
    document.getElementById("dialog").addEventListener("close", () => (this.#learning = null), { once: true });
    this.#openMIDI().then((isThere) => {
      midi.textContent = isThere ? `MIDI: ${this.#midi.inputs.size === 0 ? "no device is connected"
        : [...this.#midi.inputs.values()].map(({ name }) => name).join(", ")}.`
        : isSecureContext ? "This browser has no MIDI for pages, or it is not allowed here."
          : "MIDI needs an https address: this one is not encrypted.";
    });
  }
}
