// A dialog over the page. Esc closes it, and the browser gives the focus back to where it was.
import { make } from "./dom.js";

let count = 0;

export class Dialog {
  #heading;
  #body;

  /**
   * `sign` stands on the button that closes it; `closed` is called after it was closed; `isWide` makes it wider.
   * With `closesOutside` a click beside it closes it too.
   */
  constructor({ id = `dialog-${(count += 1)}`, sign = "✕", closed, isWide = false, closesOutside = false } = {}) {
    this.#heading = make("h2", { id: `${id}-title` });
    this.#body = make("div", { id: `${id}-body`, class: "dialog-body" });
    const close = make("button", {
      type: "button", id: `${id}-close`, class: "plain", "aria-label": "Close", onclick: () => this.close(),
    }, sign);
    this.element = make("dialog", { id, class: isWide ? "wide-dialog" : null, "aria-labelledby": `${id}-title` },
      make("header", { class: "dialog-top" }, this.#heading, close), this.#body);
    if (closed) this.element.addEventListener("close", closed);
    if (closesOutside) {
      this.element.addEventListener("click", (event) => event.target === this.element && this.close());
    }
    document.body.append(this.element);
  }

  get isOpen() {
    return this.element.open;
  }

  get title() {
    return this.#heading.textContent;
  }

  /** Opens it with a title and contents; an open one changes to these. */
  show(title, ...contents) {
    this.#heading.textContent = title;
    this.#body.replaceChildren(...contents.filter(Boolean));
    if (!this.isOpen) this.element.showModal();
  }

  close() {
    if (this.isOpen) this.element.close();
  }
}
