// A dialog over the page. Esc closes it, and the browser gives the focus back to where it was.
import { make } from "./dom.js";

let count = 0;
// Milliseconds between the two clicks of a double click, at most.
const doubleClick = 600;

export class Dialog {
  #heading;
  #body;
  #openedAt = -Infinity;

  /**
   * `sign` stands on the button that closes it; `closed` is called after it was closed; `isWide` makes it wider.
   * With `closesOutside` a click beside it closes it too.
   * @param {{ id?: string, sign?: string | Node, closed?: () => void, isWide?: boolean, closesOutside?: boolean }} how
   */
  constructor({ id = `dialog-${(count += 1)}`, sign = "✕", closed, isWide = false, closesOutside = false } = {}) {
    this.#heading = make("h2", { id: `${id}-title`, tabindex: "-1" });
    this.#body = make("div", { id: `${id}-body`, class: "dialog-body" });
    const close = make("button", {
      type: "button", id: `${id}-close`, class: "plain", "aria-label": "Close", onclick: () => this.close(),
    }, sign);
    this.element = make("dialog", { id, class: isWide ? "wide-dialog" : null, "aria-labelledby": `${id}-title` },
      make("header", { class: "dialog-top" }, this.#heading, close), this.#body);
    if (closed) this.element.addEventListener("close", closed);
    if (closesOutside) {
      // The second click of a double click belongs to the button that opened the dialog.
      this.element.addEventListener("click", (event) => {
        if (event.target === this.element && event.timeStamp - this.#openedAt > doubleClick) this.close();
      });
    }
    document.body.append(this.element);
  }

  get isOpen() {
    return this.element.open;
  }

  get title() {
    return this.#heading.textContent;
  }

  /** Opens it with a title and contents; an open one changes to these. Whoever uses a keyboard goes on where he was:
      at the control of the same name, or else at the title. */
  show(title, ...contents) {
    const { activeElement: before } = document;
    const wasWithin = this.isOpen && this.#body.contains(before);
    this.#heading.textContent = title;
    this.#body.replaceChildren(...contents.filter(Boolean));
    if (!this.isOpen) {
      this.#openedAt = performance.now();
      this.element.showModal();
    } else if (wasWithin) (this.#sameAs(before) ?? this.#heading).focus({ preventScroll: true });
  }

  #sameAs(before) {
    const name = before.getAttribute("aria-label");
    return [...this.#body.querySelectorAll("button, input, select, textarea")].find((each) => !each.disabled
      && (before.id ? each.id === before.id : name !== null && each.getAttribute("aria-label") === name));
  }

  close() {
    if (this.isOpen) this.element.close();
  }
}
