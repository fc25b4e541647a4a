// The slide view: title, the slide, and turning back and forth.
import { find, make, mark, write } from "/shared/dom.js";
import { slideParts } from "/shared/slideparts.js";
import { Plain } from "./plain.js";
import { still } from "./settings.js";
import { say } from "./words.js";

const leastFit = 0.4; // of the size that the listener chose

export class Slides {
  #hall;
  #turned;
  #shown = null;
  #plain = new Plain();
  #frame = find("slides");
  #slide = find("slide");

  /** `turned` is called after the listener turned to another slide. */
  constructor(hall, turned) {
    this.#hall = hall;
    this.#turned = turned;
    find("previous").addEventListener("click", () => this.turn(-1));
    find("next").addEventListener("click", () => this.turn(1));
    this.#listenToSwipes(this.#frame);
    this.#slide.addEventListener("click", (event) => this.#explain(event));
    // Pictures that come make the slide longer.
    this.#slide.addEventListener("load", () => this.#showRest(), true);
    this.#slide.addEventListener("error", () => this.#showRest(), true);
    this.#frame.addEventListener("scroll", () => this.#showRest(), { passive: true });
    find("goes-on").addEventListener("click", () =>
      this.#frame.scrollBy({ top: this.#frame.clientHeight * 0.8, behavior: still() ? "auto" : "smooth" }));
    addEventListener("resize", () => this.fit());
  }

  /** A word of the glossary is explained over its slide, which goes on following below. */
  #explain(event) {
    const link = event.target.closest?.("a.word");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const item = this.#hall.glossary[Number(link.dataset.item)];
    if (item) import("./wordsheet.js").then(({ openWord }) => openWord(item, Number(link.dataset.item)));
  }

  /** Makes a paragraph smaller whose longest word is wider than the screen, so that no word is broken. */
  fit() {
    for (const words of this.#slide.querySelectorAll(".lead, .rest, .over")) {
      words.style.fontSize = words.style.overflowWrap = "";
      const times = words.clientWidth / Math.max(words.scrollWidth, 1);
      if (!words.clientWidth || times >= 1) continue;
      words.style.fontSize =
        `${(parseFloat(getComputedStyle(words).fontSize) * Math.max(times * 0.99, leastFit)).toFixed(2)}px`;
      // An address without a blank may be longer than any letters are small.
      if (words.scrollWidth > words.clientWidth) words.style.overflowWrap = "anywhere";
    }
    this.#showRest();
  }

  /** A sign at the lower edge while the slide goes on below it. */
  #showRest() {
    const { scrollHeight, scrollTop, clientHeight } = this.#frame;
    find("goes-on").hidden = scrollHeight - scrollTop - clientHeight < 12;
  }

  turn(by) {
    const before = this.#hall.index;
    this.#hall.turn(by);
    this.#turned(this.#hall.index !== before);
  }

  show() {
    const { piece, track, index, limit } = this.#hall;
    const slide = track?.slides[index] ?? null;
    const all = track?.slides.length ?? 0;
    write(find("place"), slide ? say("slideOf", { n: index + 1, all }) : all ? say("slideOf", { n: "–", all }) : "–");
    mark(find("place"), "aria-label", slide ? say("slideOfSpoken", { n: index + 1, all }) : null);
    // Not `disabled`, which would throw the keyboard's focus away on arriving at an end.
    mark(find("previous"), "aria-disabled", index <= Math.min(0, limit));
    mark(find("next"), "aria-disabled", index >= limit);
    write(find("track-name"), track?.name ?? "");
    mark(find("deck"), "data-plain", all === 0);
    if (all === 0) this.#plain.show(this.#hall);
    this.#paint(piece, track, slide, index, all);
  }

  #paint(piece, track, slide, index, all) {
    const name = piece?.name ?? this.#hall.live?.pieceName ?? "";
    const key = JSON.stringify([name, all === 0 || [track.name, index, slide?.parts ?? say("soon")]]);
    if (key === this.#shown) return;
    const first = this.#shown === null;
    this.#shown = key;
    mark(this.#slide, "lang", slide ? track.language : null);
    this.#slide.replaceChildren(...(slide ? slideParts(slide, say("noPicture")) : all === 0 ? [this.#plain.element]
      : title(piece)));
    this.#frame.scrollTop = 0;
    this.fit();
    if (first) return;
    this.#slide.classList.remove("comes");
    void this.#slide.offsetWidth; // starts the fade again
    this.#slide.classList.add("comes");
  }

  #listenToSwipes(area) {
    let start = null;
    area.addEventListener("touchstart", (event) => {
      const [touch] = event.touches;
      start = event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    }, { passive: true });
    area.addEventListener("touchend", (event) => {
      if (!start) return;
      const [touch] = event.changedTouches;
      const [across, along] = [touch.clientX - start.x, touch.clientY - start.y];
      start = null;
      if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(along)) this.turn(across < 0 ? 1 : -1);
    }, { passive: true });
  }
}

/** The title before the first slide: the piece's own name, and nothing that is still to come. */
const title = (piece) => [
  make("p", { class: "over", dir: "auto",
    text: [piece.composer, piece.work !== piece.movement && piece.work].filter(Boolean).join(", ") }),
  make("p", { class: "lead", dir: "auto", text: piece.movement || piece.work || piece.name }),
  make("p", { class: "hint", text: say("soon") }),
];
