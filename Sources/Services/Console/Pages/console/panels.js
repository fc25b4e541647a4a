// One drawer at the side, titled by its bar. All keys of the show still work while it is open; Esc closes it.
import { find, icon, make, mark } from "/shared/dom.js";
import { buildCheck } from "./check.js";
import { buildCueEditor } from "./cueeditor.js";
import { buildKeys } from "./keydialog.js";
import { keyLabel } from "./keymap.js";
import { buildMessages } from "./messages.js";
import { buildProgramme } from "./programme.js";
import { switchCommands } from "./rights.js";
import { buildShare } from "./share.js";
import { buildSpeakers } from "./speakers.js";

const kinds = {
  programme: ["Programme", buildProgramme],
  "cue-editor": ["Cues", buildCueEditor],
  messages: ["Messages", buildMessages],
  speakers: ["Speakers", buildSpeakers],
  check: ["Pre-show check", buildCheck],
  share: ["Outputs", buildShare],
  keys: ["Keys", buildKeys],
};

// All that these do, but for their links, is to command.
const commanding = ["programme", "messages", "speakers", "check"];

export class Panels {
  #console;
  #root = find("panel");
  #title = find("panel-title");
  #body = find("panel-body");
  #built = new Map();
  #open = null;
  #from = null;

  constructor(console) {
    this.#console = console;
    const close = find("panel-close");
    close.append(icon("close"), make("kbd", { "aria-hidden": "true", text: keyLabel("Escape") }));
    close.addEventListener("click", () => this.close());
    for (const button of document.querySelectorAll("button[data-panel]")) mark(button, "aria-expanded", "false");
  }

  toggle(name) {
    if (this.#open === name) this.close();
    else this.open(name);
  }

  open(name) {
    if (this.#open === null) this.#from = document.activeElement;
    this.#leave();
    const [title, build] = kinds[name];
    // Built once, then kept: what somebody typed survives a look at another drawer.
    if (!this.#built.has(name)) this.#built.set(name, this.#build(name, build));
    const { element, opened } = this.#built.get(name);
    this.#open = name;
    this.#title.textContent = title;
    this.#body.replaceChildren(element);
    switchCommands(this.#body, this.#console.desk);
    this.#root.hidden = false;
    mark(this.#root, "data-kind", name);
    this.#buttons(name);
    this.#root.focus({ preventScroll: true });
    this.#body.scrollTop = 0;
    opened?.();
  }

  #build(name, build) {
    const panel = build(this.#console);
    if (!commanding.includes(name)) return panel;
    return { ...panel, element: make("fieldset", { class: "commands", role: "presentation" }, panel.element) };
  }

  get isOpen() {
    return this.#open !== null;
  }

  close() {
    if (this.#open === null) return;
    this.#leave();
    this.#open = null;
    this.#root.hidden = true;
    this.#buttons(null);
    this.#console.keys.hasClosed();
    const back = this.#from;
    if (back?.isConnected && back !== document.body) back.focus({ preventScroll: true });
  }

  #leave() {
    if (this.#open !== null) this.#built.get(this.#open)?.closed?.();
  }

  #buttons(name) {
    for (const button of document.querySelectorAll("button[data-panel]")) {
      mark(button, "aria-expanded", String(button.dataset.panel === name));
    }
  }
}
