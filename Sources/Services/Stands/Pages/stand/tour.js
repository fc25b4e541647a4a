// The stand teaches itself: a picture of its zones over the first music that is opened. It takes no finger and no key:
// the first touch does what it says and the picture goes.
import { find, make } from "/shared/dom.js";
import { quick } from "./store.js";
import { notice, say } from "./words.js";

const edition = 1; // of the picture: a new one is shown again
const key = "tour";

const zones = [
  ["back", "‹", "Page before", "tap here, or swipe"],
  ["middle", "⋯", "Controls", "tap the middle; twice makes the page larger"],
  ["forward", "›", "Next page", "tap here, or swipe"],
];
const others = [
  ["Hold a bar", "A leader shows it to all: from here again"],
  ["Pen", "Remarks on the page"],
  ["Pedal and keys", "Page Down and Page Up, arrows, space"],
  ["Two fingers", "Larger and smaller"],
  ["A digit", "Go to that bar"],
];

export class Tour {
  #element = null;

  constructor(reader) {
    this.reader = reader;
    // While the orchestra plays, nothing lies over the music.
    this.hide = this.hide.bind(this);
  }

  get isShown() {
    return this.#element !== null;
  }

  /** At the first music of this device, unless a session runs or the orchestra plays, or a leader is about to begin:
      it would lie over that button. */
  offer() {
    const { reader } = this;
    if (reader.room && reader.leads) return;
    // In a room it must be known first whether a session runs.
    if (quick.get(key) === edition || this.isShown || this.#isBusy || (reader.room && !reader.content)) return;
    this.show();
  }

  /** The music is put away. */
  leave() {
    if (this.isShown) this.#remove();
  }

  /** The music begins: it goes, and comes again another time. */
  withdraw() {
    if (this.isShown && this.#isBusy) this.#remove();
  }

  get #isBusy() {
    const { reader } = this;
    return reader.live.isFollowing || Boolean(reader.content?.isRunning);
  }

  show() {
    if (this.isShown) this.#remove();
    if (this.#isBusy) return notice("This is shown when the music is over.");
    const close = make("button", { type: "button", id: "tour-close", class: "primary", text: "Got it" });
    close.addEventListener("click", () => this.hide());
    this.#element = make("div", { id: "tour", role: "group", "aria-label": "How this stand works" },
      make("div", { class: "tour-zones" }, ...zones.map(([name, sign, title, text]) =>
        make("div", { class: `tour-zone ${name}` }, make("b", { text: sign, "aria-hidden": "true" }),
          make("strong", { text: title }), make("span", { text })))),
      make("dl", { class: "tour-others" }, ...others.map(([title, text]) =>
        make("div", {}, make("dt", { text: title }), make("dd", { text })))), close);
    find("reader").append(this.#element);
    say(`How this stand works. ${[...zones.map(([, , title, text]) => `${title}: ${text}`),
      ...others.map(([title, text]) => `${title}: ${text}`)].join(". ")}.`);
    // The first tap or key has its usual effect, and hides the picture.
    addEventListener("pointerdown", this.hide, { capture: true });
    addEventListener("keydown", this.hide, { capture: true });
  }

  hide(event) {
    if (!this.#element || event?.key === "Tab") return;
    // The button takes its own press.
    if (event?.target?.id === "tour-close") return;
    quick.put(key, edition);
    this.#remove();
  }

  #remove() {
    removeEventListener("pointerdown", this.hide, { capture: true });
    removeEventListener("keydown", this.hide, { capture: true });
    const hadFocus = this.#element.contains(document.activeElement);
    this.#element.remove();
    this.#element = null;
    if (hadFocus) find("stage").focus({ preventScroll: true });
  }

  /** A leader's first session: the press that nobody finds alone is named once. */
  hintForLeader() {
    if (quick.get("tour.leader") || !this.reader.leads) return;
    quick.put("tour.leader", true);
    notice("Hold a bar to show it to all stands: “from here again”.");
  }
}
