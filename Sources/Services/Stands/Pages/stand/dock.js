// A place below the music for one tool at a time: a recording, the metronome, the tuner. The page stays whole above it.
import { find, make } from "/shared/dom.js";

export class Dock {
  #close = null;
  name = null;

  constructor() {
    this.title = make("h2", {});
    this.body = make("div", { class: "dock-body" });
    const close = make("button",
      { type: "button", id: "dock-close", class: "plain", "aria-label": "Close", text: "✕" });
    close.addEventListener("click", () => this.close());
    this.element = make("aside", { id: "dock", hidden: true, "aria-label": "Tool" }, this.title, this.body, close);
    find("reader").append(this.element);
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  get isOpen() {
    return this.name !== null;
  }

  /** Opens a tool under a name; what was there is closed. `closed` is called when it goes. */
  open(name, title, contents, closed) {
    this.close();
    this.name = name;
    this.#close = closed;
    this.title.textContent = title;
    this.element.setAttribute("aria-label", title);
    this.element.dataset.tool = name;
    this.body.replaceChildren(...contents.filter(Boolean));
    this.element.hidden = false;
    this.#fit();
  }

  close() {
    if (this.name === null) return;
    this.name = null;
    this.element.hidden = true;
    this.body.replaceChildren();
    this.#fit();
    this.#close?.();
    this.#close = null;
    find("stage").focus({ preventScroll: true });
  }

  #fit() {
    const high = this.element.hidden ? 0 : this.element.offsetHeight;
    document.documentElement.style.setProperty("--dock", `${high}px`);
  }
}
