// The piece at a glance: measured loudness over time, the sections' colours behind it, dots where slides change.
import { draw, make, mark } from "/shared/dom.js";
import { colourOf } from "/shared/slides.js";
import { labelOf, lengthOf, secondsAt, sectionAt } from "./concert.js";
import { still } from "./settings.js";
import { say } from "./words.js";

const leastNamed = 5; // percent of the piece; in less there is no room for a name

export class Timeline {
  #root;
  #drawn = null; // the piece and track drawn
  #head = make("span", { class: "head" });
  #past = make("span", { class: "past" });
  #pastInner = make("span", { class: "past-inner" });
  #dots = [];
  #at = null;

  constructor(root) {
    this.#root = root;
  }

  show(hall) {
    const { piece, track } = hall;
    this.#root.hidden = !piece;
    if (!piece) return;
    const key = `${hall.concert.revision} ${piece.name} ${track?.name} ${hall.language}`;
    if (key !== this.#drawn) {
      this.#drawn = key;
      this.#draw(piece, track, hall.language);
    }
    const { index, limit } = hall;
    this.#dots.forEach((dot, number) => mark(dot, "data-is", number === index ? "shown" : number <= limit
      ? "past" : "later"));
    this.#move(piece, hall.playhead, hall.isOfNow);
    const section = piece.structure?.sections[sectionAt(piece, hall.playhead)];
    mark(this.#root, "aria-label",
      section ? say("timelineSpoken", { section: labelOf(section, hall.language) }) : say("timelineBare"));
  }

  #draw(piece, track, language) {
    const length = lengthOf(piece);
    const percent = (seconds) => `${((100 * seconds) / length).toFixed(3)}%`;
    const sections = piece.structure?.sections ?? [];
    const bands = draw("svg", { class: "bands", "aria-hidden": "true" });
    const names = make("span", { class: "names", "aria-hidden": "true" });
    sections.forEach((section, index) => {
      const from = secondsAt(piece, section.played ?? 0);
      const to = secondsAt(piece, sections[index + 1]?.played ?? piece.structure.end ?? piece.measures.length);
      bands.append(draw("rect", { x: percent(index ? from : 0), width: percent(to - (index ? from : 0)), y: 0,
        height: "100%", fill: colourOf(section.colour) }));
      if (100 * (to - from) < leastNamed * length) return;
      const name = make("span", { class: "name", text: labelOf(section, language) });
      name.style.left = percent(index ? from : 0);
      name.style.width = percent(to - (index ? from : 0));
      names.append(name);
    });
    this.#pastInner.replaceChildren(waveform(piece.waveform));
    this.#past.replaceChildren(this.#pastInner);
    this.#dots = (track?.slides ?? []).map((slide) => {
      const dot = make("span", { class: "dot" });
      dot.style.left = percent(secondsAt(piece, slide.played ?? 0));
      return dot;
    });
    const quiet = make("span", { class: "quiet" });
    quiet.append(waveform(piece.waveform));
    const stage = make("span", { class: "stage", "aria-hidden": "true" }, bands, quiet, this.#past, this.#head);
    this.#root.replaceChildren(names, stage, make("span", { class: "dots", "aria-hidden": "true" }, ...this.#dots));
    this.#at = null;
  }

  /** Glides through the measure that sounds, up to its end and never beyond. */
  #move(piece, played, plays) {
    const key = `${played} ${plays}`;
    if (key === this.#at) return;
    const jumps = this.#at === null;
    this.#at = key;
    const length = lengthOf(piece);
    const [from, to] = [secondsAt(piece, played), secondsAt(piece, Math.max(played, 0) + 1)];
    const glides = plays && played >= 0 && !still();
    this.#place((100 * from) / length, jumps || still() ? 0 : 0.25);
    if (!glides) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (this.#at === key) this.#place((100 * to) / length, Math.max(to - from, 0.2));
    }));
  }

  #place(percent, seconds) {
    for (const [element, shift] of [[this.#head, percent], [this.#past, percent - 100],
      [this.#pastInner, 100 - percent]]) {
      element.style.transition = seconds ? `transform ${seconds.toFixed(2)}s linear` : "none";
      element.style.transform = `translateX(${shift.toFixed(3)}%)`;
    }
  }
}

const height = 100;

/** Loudness mirrored at the middle, one hundred units high, one unit wide for each point. */
function waveform(points) {
  const values = points?.length ? points : [0, 0];
  // Squared: soft stays visible, and loud stands out as the ear hears it.
  const half = values.map((value) => Math.max(1, (value / 255) ** 2.3 * (height / 2 - 4)));
  const upper = half.map((value, index) => `${index} ${(height / 2 - value).toFixed(1)}`);
  const lower = half.map((value, index) => `${index} ${(height / 2 + value).toFixed(1)}`).reverse();
  return draw("svg",
    { viewBox: `0 0 ${values.length - 1} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("path", { d: `M${upper.join("L")}L${lower.join("L")}Z` }));
}
