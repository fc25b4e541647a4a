// Buttons with a `data-action` or `data-panel`: their sign, words, key and pressed state.
import { icon, make, mark, write } from "/shared/dom.js";
import { acts } from "/shared/oneact.js";
import { keyLabel } from "./keymap.js";
import { hasSpeakers } from "./speakers.js";

export class Buttons {
  #console;
  #buttons = [];

  constructor(console) {
    this.#console = console;
    for (const element of document.querySelectorAll("button[data-action], button[data-panel]")) this.#dress(element);
    this.#paint();
    for (const section of ["show", "position", "floor"]) console.desk.on(section, () => this.#paint());
    const speakers = document.querySelector("button[data-panel='speakers']");
    console.desk.on("floor", (floor) => (speakers.hidden = !hasSpeakers(floor)));
  }

  /** Shows the keys anew after a rebinding. */
  relabel() {
    for (const { id, key, element, action } of this.#buttons) {
      const first = this.#console.keymap.keys(id)[0] ?? "";
      write(key, keyLabel(first));
      mark(element, "title", `${action.title}${first ? ` (${keyLabel(first)})` : ""}`);
      mark(element, "aria-keyshortcuts", first);
    }
  }

  #dress(element) {
    const id = element.dataset.action ?? element.dataset.panel;
    const action = this.#console.actions[id];
    const words = make("span", { class: "words", text: action.short ?? action.title });
    const key = make("kbd", { "aria-hidden": "true" });
    if (action.icon) element.append(icon(action.icon));
    element.append(words, key);
    element.addEventListener("click", (event) => {
      if (acts.begins(id, event) || action.countedByServer) this.#console.act(id, true);
    });
    this.#buttons.push({ id, element, words, key, action });
    this.relabel();
  }

  #paint() {
    const { desk } = this.#console;
    for (const { element, words, action } of this.#buttons) {
      if (action.says) write(words, action.says(desk));
      if (action.pressed) mark(element, "aria-pressed", String(Boolean(action.pressed(desk))));
    }
  }
}
