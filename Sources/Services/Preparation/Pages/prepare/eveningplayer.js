// Plays a recorded evening, whose parts are files of their own, on one line of time.
import { make, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";

const step = 5; // seconds of one arrow key

export class EveningPlayer {
  element;
  #evening = null;
  #part = null;
  #end = Infinity; // seconds at which the chosen part ends
  #audio = make("audio", { preload: "none" });
  #line = make("input", { type: "range", min: 0, step, value: 0, "aria-label": "Place in the recording" });
  #play = make("button", { type: "button", text: "Play", onclick: () => this.#toggle() });
  #time = make("span", { class: "hint" });
  #say = make("p", { class: "trouble", role: "alert" });

  constructor() {
    this.#line.addEventListener("input", () => this.#seek(Number(this.#line.value)));
    this.#audio.addEventListener("timeupdate", () => {
      if (this.#part && this.seconds >= this.#end) this.#audio.pause();
      this.#show();
    });
    for (const event of ["play", "pause"]) this.#audio.addEventListener(event, () => this.#show());
    this.#audio.addEventListener("ended", () => this.#goOn());
    this.#audio.addEventListener("error", () => this.#audio.hasAttribute("src") && write(this.#say,
      "This recording cannot be played: it no longer exists, or this browser cannot play FLAC."));
    this.element = make("div", { class: "evening-player" },
      make("div", { class: "row" }, this.#play, this.#time), this.#line, this.#say, this.#audio);
  }

  /** Seconds since the evening's first sound. */
  get seconds() {
    return this.#part ? this.#part.from + this.#audio.currentTime : Number(this.#line.value);
  }

  /** Plays a whole evening, or the part of it between two times in seconds. */
  show(evening, { from = 0, to = evening.seconds } = {}) {
    this.stop();
    this.#evening = evening;
    [this.#line.min, this.#line.max, this.#line.value] = [from, to, from].map(String);
    this.#line.step = String(Math.min(step, Math.max(0.1, (to - from) / 20)));
    this.#end = to < evening.seconds ? to : Infinity;
    write(this.#say, "");
    this.#show();
  }

  stop() {
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    this.#part = null;
  }

  #toggle() {
    if (!this.#audio.paused) return void this.#audio.pause();
    if (!this.#part || this.seconds >= this.#end) {
      this.#open(this.#part ? Number(this.#line.min) : Number(this.#line.value));
    }
    this.#audio.play().catch(() => {}); // The element's own error is told.
  }

  #seek(seconds) {
    const isPlaying = !this.#audio.paused;
    if (isPlaying || this.#part) this.#open(seconds);
    if (isPlaying) this.#audio.play().catch(() => {});
    this.#show();
  }

  /** Goes to a moment; one in a gap goes to the sound after it. */
  #open(seconds) {
    const { parts, name } = this.#evening;
    const part = parts.find(({ from, seconds: length }) => seconds < from + length) ?? parts.at(-1);
    if (part !== this.#part) {
      this.#part = part;
      this.#audio.src = `/api/recordings/${encodeURIComponent(name)}/${part.number}`;
    }
    this.#audio.currentTime = Math.max(0, seconds - part.from);
  }

  #goOn() {
    const next = this.#evening.parts[this.#evening.parts.indexOf(this.#part) + 1];
    if (!next) return;
    this.#open(next.from);
    this.#audio.play().catch(() => {});
  }

  #show() {
    if (this.#part) this.#line.value = this.seconds;
    write(this.#play, this.#audio.paused ? "Play" : "Pause");
    const [from, to] = [this.#line.min, this.#line.max].map(Number);
    const shown = duration(Math.max(0, this.seconds - from));
    write(this.#time, `${shown} of ${duration(to - from)}`);
    this.#line.setAttribute("aria-valuetext", shown);
  }
}
