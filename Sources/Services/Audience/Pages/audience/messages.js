// Messages from the stage. One that the listener has closed, or that has closed by itself, is not shown again.
import { find, make } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { say } from "./words.js";

const place = "baton.audience.messages";
const closesAfter = 4_000; // ms

/** The address of a link message; null for anything but a web address. */
export function webAddress(text) {
  try {
    const address = new URL(text);
    return ["http:", "https:"].includes(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

const idOf = (message) => String(message.id ?? JSON.stringify(message));

export class Messages {
  #layer = find("messages");
  #current = null; // what the server says is current
  #shown = null; // the id of the message on the screen
  #timer = null;
  #focus = null;
  #memory = new Set(); // where nothing may be kept on the phone

  constructor() {
    // A message that came while the phone slept is shown when somebody looks at it.
    document.addEventListener("visibilitychange", () => this.#show());
  }

  /** The message of the moment; null withdraws. */
  take(message) {
    this.#current = message;
    if (!message || idOf(message) !== this.#shown) this.#takeDown();
    this.#show();
  }

  #show() {
    const message = this.#current;
    if (!message || document.visibilityState !== "visible") return;
    const id = idOf(message);
    if (id === this.#shown || this.#seen().includes(id)) return;
    this.#shown = id;
    const link = message.title === "Link" ? webAddress(message.buttonText) : null;
    const closesByItself = String(message.style).toUpperCase() === "AUTO" && message.title !== "Link";
    const title = message.title && message.title !== "Link"
      ? make("h2", { id: "message-title", dir: "auto", text: message.title }) : null;
    const body = make("p", { id: "message-body", dir: "auto", text: message.body });
    const words = make("div", { class: "words" }, title, body);
    const card = closesByItself
      ? make("section", { class: "message", role: "status" }, words)
      : make("section", { class: "message", role: "alertdialog", "aria-labelledby": title
        ? "message-title" : "message-body", "aria-describedby": "message-body" },
        words, this.#buttons(message, link));
    this.#layer.replaceChildren(card);
    if (closesByItself) {
      this.#timer = setTimeout(() => this.#close(), closesAfter);
      return;
    }
    this.#focus = document.activeElement;
    card.querySelector("button, a")?.focus();
  }

  #buttons(message, link) {
    const close = (text, kind) => make("button", { type: "button", class: kind, text, onclick: () => this.#close() });
    if (message.title !== "Link") {
      return make("div", { class: "buttons" }, close(message.buttonText || say("ok"), "chief"));
    }
    return make("div", { class: "buttons" }, close(say("ignore"), ""), link && make("a", {
      class: "button chief", href: link.href, target: "_blank", rel: "noopener noreferrer", text: say("takeMe"),
      onclick: () => this.#close(),
    }));
  }

  /** The message has been read. */
  #close() {
    if (this.#shown !== null) this.#remember(this.#shown);
    this.#takeDown();
  }

  #takeDown() {
    clearTimeout(this.#timer);
    this.#shown = null;
    if (!this.#layer.firstChild) return;
    this.#layer.replaceChildren();
    if (this.#focus?.isConnected) this.#focus.focus({ preventScroll: true });
    this.#focus = null;
  }

  /** Escape: the same as the quiet button. */
  dismiss() {
    const open = this.#layer.querySelector("[role=alertdialog]") !== null;
    if (open) this.#close();
    return open;
  }

  #seen() {
    return readKept(place) ?? [...this.#memory];
  }

  #remember(id) {
    this.#memory.add(id);
    keep(place, [...this.#seen(), id].slice(-200));
  }
}
