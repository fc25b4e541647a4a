// The buttons below the stage: play, speed, loop, clicks, zoom.
import { draw, make, mark, write } from "/shared/dom.js";
import { barAt } from "./hits.js";
import { clock } from "./bars.js";

const signs = {
  play: "M7 4.500v15l12.500-7.500z", pause: "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z",
};
const lines = {
  back: "M15 5l-7 7 7 7", on: "M9 5l7 7-7 7",
  loop: "M17 3l4 4-4 4M3 11V9a2 2 0 0 1 2-2h16M7 21l-4-4 4-4M21 13v2a2 2 0 0 1-2 2H3",
  clicks: "M9 20h6l-2.500-16h-1zM12 14l5-8M7 20h10",
  closer: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5M11 8v6M8 11h6",
  wider: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5M8 11h6", whole: "M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4",
  spectrum: "M4 20V10M8 20V4M12 20v-7M16 20V8M20 20v-5", undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3", all: "M5 4v16M10 12h10M16 8l4 4-4 4",
};

/** One of this page's signs; decoration only. */
export const sign = (name) => draw("svg",
  { viewBox: "0 0 24 24", class: signs[name] ? "icon filled" : "icon", "aria-hidden": "true" },
  draw("path", { d: signs[name] ?? lines[name] }));

/** A button with a sign; `text` is its name, `key` the key that does the same. */
export function signButton(name, text, key, onclick, traits = {}) {
  return make("button", { type: "button", class: "plain", "aria-label": text,
    title: key ? `${text} (${key})` : text, "aria-keyshortcuts": key?.length === 1 ? key : null, onclick, ...traits },
  sign(name));
}

export class Transport {
  element;
  #editor;
  #play;
  #place = make("output", { class: "place" });
  #time = make("span", { class: "time" });
  #speed = make("input", { type: "range", min: 50, max: 100, step: 5, value: 100, "aria-label": "Speed in percent" });
  #percent = make("output", { class: "percent", text: "100 %" });
  #loop;
  #clicks;
  #spectrum;
  #all;

  constructor(editor) {
    this.#editor = editor;
    this.#play = make("button", { type: "button", class: "play", "data-does": "play",
      onclick: () => editor.playOrPause() });
    this.#loop = signButton("loop", "Loop the chosen bars", "L", () => editor.toggleLoop());
    this.#clicks = signButton("clicks", "Clicks on the bars", "C", () => editor.toggleClicks());
    this.#spectrum = signButton("spectrum", "Spectrum", "V", () => editor.toggleSpectrum());
    this.#all = signButton("all", "Dragging moves everything after, too", "Shift M", () => editor.toggleMovesAll());
    this.#speed.addEventListener("input", () => {
      editor.player.rate = Number(this.#speed.value) / 100;
      this.update();
    });
    const group = (name, ...children) => make("div", { class: `group ${name}` }, ...children);
    this.element = make("div", { class: "transport", role: "toolbar", "aria-label": "Hear and look" },
      group("hear", signButton("back", "Bar before", "←", () => editor.step(-1)), this.#play,
        signButton("on", "Next bar", "→", () => editor.step(1))),
      group("where", this.#place, this.#time),
      group("how", this.#loop, this.#clicks, make("label", { class: "speed" }, make("span", { class: "spoken",
        text: "Speed" }), this.#speed, this.#percent)),
      group("look", this.#all, this.#spectrum,
        signButton("wider", "Wider", "−", () => editor.zoom(1 / 1.5)),
        signButton("closer", "Closer", "+", () => editor.zoom(1.5)),
        signButton("whole", "The whole piece", "0", () => editor.showAll())));
    this.update();
  }

  /** At every frame while it plays. */
  place() {
    const { player, bars, stage } = this.#editor;
    const bar = bars[barAt(bars, player.seconds + 0.002)];
    write(this.#place, bar ? `Bar ${bar.printed}` : bars.length ? "Before bar 1" : "No bars yet");
    write(this.#time, `${clock(player.seconds, 1)} / ${clock(stage.view.length, 0)}`);
    this.#showPlaying();
  }

  update() {
    const { player, stage } = this.#editor;
    mark(this.#loop, "aria-pressed", String(player.loop !== null));
    mark(this.#clicks, "aria-pressed", String(player.hasClicks));
    mark(this.#spectrum, "aria-pressed", String(stage.scene.hasSpectrum));
    mark(this.#all, "aria-pressed", String(stage.scene.movesAll));
    this.#speed.value = String(Math.round(100 * player.rate));
    write(this.#percent, `${Math.round(100 * player.rate)} %`);
    this.place();
  }

  #showPlaying() {
    const { isPlaying } = this.#editor.player;
    if (this.#play.dataset.is === String(isPlaying)) return;
    this.#play.dataset.is = String(isPlaying);
    mark(this.#play, "aria-label", isPlaying ? "Pause" : "Play");
    mark(this.#play, "title", isPlaying ? "Pause (Space)" : "Play (Space)");
    this.#play.replaceChildren(sign(isPlaying ? "pause" : "play"));
  }
}
