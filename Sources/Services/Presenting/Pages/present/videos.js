// The own videos of a speaker: which the server has, and play, pause, stop and going to a place on the screens.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";

const keptAs = "baton.present.videos"; // the length of each video in seconds, by its document
const mostKept = 100;
const step = 10; // seconds

/** `75.2` as `1:15`. */
export const minutes = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** The current place of a video on the screen, in seconds; `showNow` is the show's time in ms, null if it is not known.
    */
export function placeOf(video, showNow) {
  const passed = video.isPlaying && showNow !== null ? Math.max(0, showNow - video.since) / 1000 : 0;
  return video.seconds + passed;
}

/** The length of a video file in seconds; null if this browser cannot tell. */
export async function lengthOf(file) {
  const video = document.createElement("video");
  const address = URL.createObjectURL(file);
  video.preload = "metadata";
  try {
    return await new Promise((done) => {
      video.addEventListener("loadedmetadata", () => done(Number.isFinite(video.duration) ? video.duration : null));
      video.addEventListener("error", () => done(null));
      setTimeout(() => done(null), 3000);
      video.src = address;
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

export class Videos {
  #list;
  #session;
  #act;
  #videos = []; // { document, name } as the server has them
  #lengths = readKept(keptAs) ?? {};
  #drawn = "";

  /** `act(action, more)` carries out an action of the speaker. */
  constructor(list, session, act) {
    [this.#list, this.#session, this.#act] = [list, session, act];
  }

  /** Asks the server which videos it has. */
  async reread() {
    try {
      this.#videos = await ask(this.#session.path("videos"));
      this.#drawn = "";
    } catch {
      // The list stays as it was; the next stream asks again.
    }
  }

  /** Keeps the length of a video that was sent from here. */
  remember(document, seconds) {
    if (seconds === null) return;
    const kept = Object.entries({ ...this.#lengths, [document]: seconds }).slice(-mostKept);
    this.#lengths = Object.fromEntries(kept);
    keep(keptAs, this.#lengths);
  }

  /** Draws the list; `shown` is the own video on the screen, null for none. */
  paint(shown, holds, showNow) {
    const key = JSON.stringify([this.#videos, shown?.document, shown?.video.isPlaying, holds]);
    if (key !== this.#drawn) {
      const focused = document.activeElement?.dataset?.video;
      this.#list.replaceChildren(...this.#videos.map((one) => this.#row(one, shown, holds)));
      if (focused) this.#list.querySelector(`[data-video="${CSS.escape(focused)}"]`)?.focus();
      this.#drawn = key;
    }
    if (!shown) return;
    const place = Math.min(placeOf(shown.video, showNow), this.#lengths[shown.document] ?? Infinity);
    const time = this.#list.querySelector("[data-place]");
    const length = this.#lengths[shown.document];
    if (time) time.textContent = minutes(place) + (length ? ` of ${minutes(length)}` : "");
    const slider = this.#list.querySelector("input[type=range]");
    if (slider && document.activeElement !== slider) slider.value = place;
  }

  #row({ document, name }, shown, holds) {
    const isShown = shown?.document === document;
    const isPlaying = isShown && shown.video.isPlaying;
    const button = (action, text, run, isEnabled = holds) => make("button", { type: "button", text,
      disabled: !isEnabled, "data-video": `${document} ${action}`, "aria-label": `${text}: ${name}`, onclick: run });
    const go = (seconds) => this.#act("seek", { position: Math.max(0, seconds) });
    const here = () => Number.parseFloat(this.#list.querySelector("input[type=range]")?.value ?? 0);
    const length = this.#lengths[document];
    return make("li", { "data-shown": isShown }, make("span", { class: "video-name", text: name }),
      isPlaying ? button("pause", "Pause", () => this.#act("pause"))
        : button("play", "Play", () => this.#act("play", { name })),
      ...isShown ? [button("stop", "Stop", () => this.#act("stop")),
        button("back", `−${step} s`, () => go(here() - step)), button("on", `+${step} s`, () => go(here() + step)),
        make("input", { type: "range", min: 0, max: length ?? 7200, step: 0.1, disabled: !holds,
          "aria-label": `Place in ${name}`, "data-video": `${document} place`,
          onchange: ({ target }) => go(target.valueAsNumber) }),
        make("span", { class: "faint", "data-place": "" })] : []);
  }
}
