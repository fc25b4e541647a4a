// Panels of which one is shown: a row of tabs with arrow keys.
import { make, mark, write } from "/shared/dom.js";

export class Tabs {
  element;
  #tabs = []; // {name, button, count, panel}
  #shown = null;
  #changed;

  /**
   * `panels` are `[name, title, element]`; `changed(name)` is called when another is shown.
   * @param {string} label
   * @param {[string, string, Node][]} panels
   * @param {(name: string) => void} changed
   */
  constructor(label, panels, changed = () => {}) {
    this.#changed = changed;
    const row = make("div", { class: "tabs", role: "tablist", "aria-label": label });
    this.element = make("section", { class: "tabbed" }, row);
    for (const [name, title, content] of panels) {
      const count = make("span", { class: "count" });
      const button = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
        onclick: () => this.show(name) }, title, count);
      const panel = make("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`,
        class: "tab-panel", tabindex: 0 }, content);
      this.#tabs.push({ name, button, count, panel });
      row.append(button);
      this.element.append(panel);
    }
    row.addEventListener("keydown", (event) => this.#key(event));
    this.show(panels[0][0]);
  }

  get shown() {
    return this.#shown;
  }

  show(name) {
    if (this.#shown === name) return;
    this.#shown = name;
    for (const tab of this.#tabs) {
      const isShown = tab.name === name;
      mark(tab.button, "aria-selected", String(isShown));
      mark(tab.button, "tabindex", isShown ? null : -1);
      tab.panel.hidden = !isShown;
    }
    this.#changed(name);
  }

  /** A number beside a tab's title; nothing for 0. */
  count(name, number) {
    write(this.#tabs.find((tab) => tab.name === name).count, number > 0 ? number : "");
  }

  #key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.#tabs.findIndex(({ name }) => name === this.#shown);
    const next = this.#tabs[(at + by + this.#tabs.length) % this.#tabs.length];
    this.show(next.name);
    next.button.focus();
  }
}
