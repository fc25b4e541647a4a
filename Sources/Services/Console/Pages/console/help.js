// Lost, or one of several copies: the follower's best candidates, large, each chosen with one key.
import { find, make, mark } from "/shared/dom.js";

const wait = 600; // ms a digit waits for more digits, so that “214 Enter” still goes to bar 214

export class Help {
  #console;
  #list = find("candidates");
  #root = find("help");
  #shown = [];
  #key = "";
  #armed = null;
  #timer = 0;

  constructor(console) {
    this.#console = console;
    const title = find("help-title");
    console.desk.on("position", ({ mode }) => {
      title.textContent = mode === "undecided" ? "Which of these copies is played?"
        : "The follower is lost. Where are we?";
    });
    console.desk.on("help", (help) => this.#show((help?.candidates ?? []).slice(0, 3)));
  }

  /** Chooses candidate `number` (from 1) now. */
  choose(number) {
    this.#disarm();
    if (number > this.#shown.length) {
      this.#console.desk.tell("notice",
        { kind: "refused", control: "choose", sentence: "There is nothing to choose: the follower knows its place." });
      return;
    }
    this.#console.send("choose", number);
  }

  /** 1–3 arm a candidate; Enter or a moment without another digit chooses it; another digit makes it a bar number. */
  takes(name) {
    const armed = this.#armed;
    this.#disarm();
    if (armed !== null && name === "Enter") {
      this.choose(armed);
      return true;
    }
    if (armed !== null && /^\d$/.test(name)) {
      this.#console.place.open(`${armed}${name}`);
      return true;
    }
    if (!/^[1-3]$/.test(name) || Number(name) > this.#shown.length) return false;
    this.#armed = Number(name);
    mark(this.#list.children[this.#armed - 1], "data-armed", true);
    this.#timer = setTimeout(() => this.choose(Number(name)), wait);
    return true;
  }

  /** True while a place is about to be chosen. */
  get isArmed() {
    return this.#armed !== null;
  }

  /** Nothing is chosen after all. */
  putBack() {
    this.#disarm();
  }

  #disarm() {
    clearTimeout(this.#timer);
    if (this.#armed !== null && this.#list.children[this.#armed - 1]) {
      mark(this.#list.children[this.#armed - 1], "data-armed", null);
    }
    this.#armed = null;
  }

  #show(candidates) {
    const key = JSON.stringify(candidates.map((candidate) =>
      [candidate.place, Math.round((candidate.probability ?? 0) * 20)]));
    if (key === this.#key) return;
    // A list that changes under the finger must not choose something else.
    const armed = this.#armed;
    const same = armed !== null && candidates[armed - 1]?.place === this.#shown[armed - 1]?.place;
    if (!same) this.#disarm();
    this.#key = key;
    this.#shown = candidates;
    this.#root.hidden = candidates.length === 0;
    this.#list.replaceChildren(...candidates.map((candidate, index) => {
      const percent = Math.round((candidate.probability ?? 0) * 100);
      const share = make("span");
      share.style.transform = `scaleX(${percent / 100})`;
      const meter = make("span", { class: "likely", "aria-hidden": "true" }, share);
      return make("li", {}, make("button", {
        type: "button", class: "candidate",
        "aria-label": `Place ${index + 1}: bar ${candidate.measure}, section ${candidate.section}, ${percent} %`,
        onclick: () => this.choose(index + 1),
      },
      make("span", { class: "candidate-number", text: index + 1 }),
      make("span", { class: "candidate-bar" }, make("small", { text: "bar " }), String(candidate.measure)),
      make("span", { class: "candidate-section", text: candidate.section ?? "" }),
      make("small", { class: "candidate-share", text: `${percent} %` }), meter));
    }));
    if (same) mark(this.#list.children[armed - 1], "data-armed", true);
  }
}
