// The slide view: title, the slide, and turning back and forth.
import { find, make, mark, write } from "/shared/dom.js";
import { slideParts } from "./slide.js";
import { say } from "./words.js";

export class Slides {
  #hall;
  #turned;
  #shown = null;
  #slide = find("slide");

  /** `turned` is called after the listener turned to another slide. */
  constructor(hall, turned) {
    this.#hall = hall;
    this.#turned = turned;
    find("previous").addEventListener("click", () => this.turn(-1));
    find("next").addEventListener("click", () => this.turn(1));
    this.#listenToSwipes(find("slides"));
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
    this.#paint(piece, track, slide, index);
  }

  #paint(piece, track, slide, index) {
    const name = piece?.name ?? this.#hall.live?.pieceName ?? "";
    const key = JSON.stringify([name, track?.name, index, slide?.parts ?? null, slide ? null : say(piece ? "soon" : "noText")]);
    if (key === this.#shown) return;
    const first = this.#shown === null;
    this.#shown = key;
    mark(this.#slide, "lang", slide ? track.language : null);
    this.#slide.replaceChildren(...(slide ? slideParts(slide, track.language) : piece ? title(piece) : without(name)));
    find("slides").scrollTop = 0;
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

/** What stands while a piece is played that the concert on this phone does not have. */
const without = (name) => [make("p", { class: "lead", text: name }), make("p", { class: "hint", text: say("noText") })];

/** What stands before the first slide: the piece's own name, and nothing that is still to come. */
const title = (piece) => [
  make("p", { class: "over", text: [piece.composer, piece.work !== piece.movement && piece.work].filter(Boolean).join(", ") }),
  make("p", { class: "lead", text: piece.movement || piece.work || piece.name }),
  make("p", { class: "hint", text: say("soon") }),
];
