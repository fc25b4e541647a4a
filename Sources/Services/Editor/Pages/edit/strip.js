// The piece as a strip: loudness, sections, bars, slides as flags, and the playhead. Click to go there, drag a flag
// to put its slide on another bar.
import { draw, icon, make, mark, write } from "/shared/dom.js";
import { colourOf } from "/shared/slides.js";
import { clock } from "./player.js";

// Pixels: how wide a flag with a number is, and how far from it a finger may touch to mean it.
const flagWidth = 26;
const reach = 24;

export class Strip {
  element;
  #player;
  #moved;
  #stage = make("div", { class: "stage", role: "slider", tabindex: 0, "aria-label": "Place in the recording" });
  #head = make("div", { class: "head", "aria-hidden": "true" });
  #flags = make("div", { class: "flags", "aria-hidden": "true" });
  #shown = []; // {flag, slide, seconds}
  #inner;
  #scroll;
  #play = make("button", { type: "button", class: "play", "data-does": "play" });
  #bar = make("output", { class: "bar" });
  #time = make("span", { class: "time" });
  #drawn = "";
  #flagged = "";

  /** `moved(slide, played)` puts a slide on another measure. */
  constructor(player, moved) {
    this.#player = player;
    this.#moved = moved;
    const step = (by, sign, text) =>
      make("button", { type: "button", class: "plain", "aria-label": text, title: text,
        onclick: () => player.goTo(player.played + by) }, icon(sign));
    const rate = make("select", { "aria-label": "Speed", class: "small" },
      ...[0.5, 0.75, 1, 1.5, 2].map((value) => make("option", { value, text: `${value} ×` })));
    rate.value = "1";
    rate.addEventListener("change", () => (player.audio.playbackRate = Number(rate.value)));
    const zoom = make("select", { "aria-label": "Width of the strip", class: "small" },
      ...[1, 2, 4, 8].map((value) => make("option", { value, text: value === 1 ? "Whole" : `Zoom ${value}` })));
    zoom.addEventListener("change", () => {
      this.#inner.style.width = `${100 * Number(zoom.value)}%`;
      this.#drawn = "";
      this.#redraw?.();
    });
    this.#play.addEventListener("click", () => player.toggle());
    this.#inner = make("div", { class: "strip-inner" }, this.#stage, this.#flags);
    this.#scroll = make("div", { class: "strip-scroll" }, this.#inner);
    this.element = make("section", { class: "strip", "aria-label": "Recording" },
      make("div", { class: "strip-tools" }, this.#play, step(-1, "back", "One bar back"), this.#bar,
        step(1, "on", "One bar on"), this.#time, make("span", { class: "grow" }), rate, zoom),
      this.#scroll);
    this.#flags.addEventListener("pointerdown", (event) => this.#grabFlag(event));
    this.#stage.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#stage.addEventListener("keydown", (event) => this.#key(event));
    player.onChange((_, isNew) => this.#place(isNew));
  }

  #redraw = null;

  /** Sections `[{label, colour, played}]`, slides `[{id, played, number}]`, loudness 0…255. */
  show({ sections, end, slides, waveform }) {
    this.#redraw = () => this.show({ sections, end, slides, waveform });
    const { measures, length } = this.#player;
    const key = JSON.stringify([sections, end, measures.length, measures[0], length, waveform?.length,
      this.#inner.style.width]);
    if (key !== this.#drawn) {
      this.#drawn = key;
      this.#stage.replaceChildren(this.#bands(sections, end), wave(waveform), this.#ticks(), this.#head);
    }
    const flags = JSON.stringify([slides, this.#inner.style.width, length]);
    if (flags !== this.#flagged) {
      this.#flagged = flags;
      this.#showFlags(slides);
    }
    this.#place(true);
  }

  /** Marks the flag of the slide that a phone shows. */
  current(id) {
    for (const flag of this.#flags.children) mark(flag, "data-now", flag.dataset.slide === id);
  }

  #percent(seconds) {
    return `${((100 * seconds) / this.#player.length).toFixed(3)}%`;
  }

  #start(played) {
    const { measures, length } = this.#player;
    return measures[played]?.time ?? (played >= measures.length ? length : 0);
  }

  #bands(sections, end) {
    const svg = draw("svg", { class: "bands", "aria-hidden": "true" });
    const names = make("div", { class: "band-names", "aria-hidden": "true" });
    sections.forEach((section, index) => {
      if (!Number.isInteger(section.played)) return;
      const from = this.#start(section.played);
      const to = this.#start(sections[index + 1]?.played ?? end ?? this.#player.measures.length);
      svg.append(draw("rect",
        { x: this.#percent(from), width: this.#percent(Math.max(to - from, 0)), y: 0, height: "100%",
          fill: colourOf(section.colour) }));
      const name = make("span", { text: section.label ?? "" });
      name.style.left = this.#percent(from);
      name.style.width = this.#percent(Math.max(to - from, 0));
      names.append(name);
    });
    const both = make("div", { class: "band-box" });
    both.append(svg, names);
    return both;
  }

  #ticks() {
    const { measures } = this.#player;
    const box = make("div", { class: "ticks", "aria-hidden": "true" });
    const room = Math.max(this.#inner.clientWidth, 320) / 34;
    const every = [1, 2, 5, 10, 20, 50, 100, 200].find((step) => measures.length / step <= room) ?? 500;
    measures.forEach((measure, index) => {
      const isNamed = index === 0 || measure.printed % every === 0;
      if (!isNamed && measures.length > 4 * room) return;
      const tick = make("span", { class: isNamed ? "tick named" : "tick", text: isNamed ? measure.printed : "" });
      tick.style.left = this.#percent(measure.time);
      box.append(tick);
    });
    return box;
  }

  /**
   * Flags are for finger and mouse; the list does the same by keys, and says it. Where they are crowded some bear no
   * number.
   */
  #showFlags(slides) {
    const width = Math.max(this.#inner.clientWidth, 320);
    let free = -Infinity;
    this.#shown = slides.filter((slide) => Number.isInteger(slide.played)).map((slide) => {
      const flag = make("span", { class: "flag", "data-slide": slide.id, text: slide.number });
      const seconds = this.#start(slide.played);
      const at = (seconds / this.#player.length) * width;
      flag.style.left = this.#percent(seconds);
      if (at < free) mark(flag, "data-bare", true);
      else free = at + flagWidth;
      return { flag, slide, seconds };
    });
    this.#flags.replaceChildren(...this.#shown.map(({ flag }) => flag));
  }

  /** The flag nearest to a finger, if it is near enough. */
  #flagAt(clientX) {
    const box = this.#flags.getBoundingClientRect();
    const at = clientX - box.left;
    const away = ({ seconds }) => Math.abs((seconds / this.#player.length) * box.width - at);
    const nearest = this.#shown.reduce((best, one) => (best === null || away(one) < away(best) ? one : best), null);
    return nearest && away(nearest) <= reach ? nearest : null;
  }

  #grabFlag(event) {
    const found = event.button === 0 ? this.#flagAt(event.clientX) : null;
    if (found) this.#dragFlag(event, found.flag, found.slide);
  }

  #dragFlag(event, flag, slide) {
    event.preventDefault();
    let played = slide.played;
    let began = false;
    flag.setPointerCapture(event.pointerId);
    const drag = ({ clientX }) => {
      if (!began && Math.abs(clientX - event.clientX) < 4) return;
      began = true;
      played = this.#nearest(clientX);
      flag.style.left = this.#percent(this.#start(played));
      mark(flag, "data-bar", this.#player.measures[played]?.printed);
    };
    const end = ({ type }) => {
      flag.removeEventListener("pointermove", drag);
      mark(flag, "data-bar", null);
      if (type === "pointerup" && began && played !== slide.played) this.#moved(slide.id, played);
      else {
        flag.style.left = this.#percent(this.#start(slide.played));
        if (!began) this.#player.goTo(slide.played);
      }
    };
    flag.addEventListener("pointermove", drag);
    flag.addEventListener("pointerup", end, { once: true });
    flag.addEventListener("pointercancel", end, { once: true });
  }

  #seconds(clientX) {
    const box = this.#stage.getBoundingClientRect();
    return ((clientX - box.left) / box.width) * this.#player.length;
  }

  #nearest(clientX) {
    const seconds = this.#seconds(clientX);
    const distances = this.#player.measures.map((measure) => Math.abs(measure.time - seconds));
    return distances.indexOf(Math.min(...distances));
  }

  #grab(event) {
    if (event.button !== 0) return;
    this.#stage.setPointerCapture(event.pointerId);
    const go = ({ clientX }) => this.#player.seek(this.#seconds(clientX));
    go(event);
    this.#stage.addEventListener("pointermove", go);
    const end = () => this.#stage.removeEventListener("pointermove", go);
    this.#stage.addEventListener("pointerup", end, { once: true });
    this.#stage.addEventListener("pointercancel", end, { once: true });
  }

  #key(event) {
    const player = this.#player;
    const to = { ArrowLeft: player.played - 1, ArrowDown: player.played - 1, ArrowRight: player.played + 1,
      ArrowUp: player.played + 1, PageDown: player.played - 8, PageUp: player.played + 8, Home: 0,
      End: player.measures.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    player.goTo(to);
  }

  #place(isNew) {
    const player = this.#player;
    this.#head.style.left = this.#percent(player.seconds);
    write(this.#time, `${clock(player.seconds)} / ${clock(player.length)}`);
    if (player.isPlaying) this.#follow();
    if (!isNew) return;
    const bar = player.measures[player.played]?.printed ?? "–";
    write(this.#bar, player.measures.length ? `Bar ${bar}` : "No bars yet");
    mark(this.#play, "aria-label", player.isPlaying ? "Pause" : "Play the recording");
    mark(this.#play, "aria-disabled", !player.hasSound);
    if (this.#play.dataset.is !== String(player.isPlaying)) {
      this.#play.dataset.is = String(player.isPlaying);
      this.#play.replaceChildren(sign(player.isPlaying));
    }
    mark(this.#stage, "aria-valuemin", 1);
    mark(this.#stage, "aria-valuemax", player.measures.length);
    mark(this.#stage, "aria-valuenow", player.played + 1);
    mark(this.#stage, "aria-valuetext", `Bar ${bar}, ${clock(player.seconds)}`);
  }

  #follow() {
    const { scrollWidth, clientWidth } = this.#scroll;
    if (scrollWidth <= clientWidth) return;
    const at = (this.#player.seconds / this.#player.length) * scrollWidth;
    const left = this.#scroll.scrollLeft;
    if (at < left || at > left + clientWidth * 0.9) this.#scroll.scrollLeft = at - clientWidth * 0.1;
  }
}

const sign = (playing) => draw("svg", { viewBox: "0 0 24 24", class: "icon filled", "aria-hidden": "true" },
  draw("path", { d: playing ? "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z" : "M7 4.500v15l12.500-7.500z" }));

/** Loudness mirrored at the middle. */
function wave(points) {
  const values = points?.length > 1 ? points : [0, 0];
  const half = values.map((value) => Math.max(0.6, (value / 255) ** 2.2 * 46));
  const line = (direction) => half.map((value, index) => `${index} ${(50 + direction * value).toFixed(1)}`);
  return draw("svg",
    { class: "wave", viewBox: `0 0 ${values.length - 1} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("path", { d: `M${line(-1).join("L")}L${line(1).reverse().join("L")}Z` }));
}
