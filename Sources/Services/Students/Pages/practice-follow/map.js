// The line of the whole piece: its bars, its sections, and where the student is. A tap says where to begin.
import { find, make, mark } from "/shared/dom.js";

const mostTicks = 120;

export class PieceMap {
  #element = find("map");
  #cursor = find("cursor");
  #piece = null;
  #played = 0;

  /** `begin(played)` is called with the played bar that the student chose, counted from 0. */
  constructor(begin) {
    const choose = (played) => {
      if (!this.#piece) return;
      this.#played = Math.max(0, Math.min(this.#piece.bars.length - 1, played));
      this.#show();
      begin(this.#played);
    };
    this.#element.addEventListener("click", (event) => {
      const box = this.#element.getBoundingClientRect();
      choose(this.#playedAt((event.clientX - box.left) / box.width));
    });
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 };
    this.#element.addEventListener("keydown", (event) => {
      const target = event.key === "Home" ? 0 : event.key === "End" ? Infinity
        : event.key in steps ? this.#played + steps[event.key] : null;
      if (target === null) return;
      event.preventDefault();
      choose(target);
    });
  }

  /** Shows another piece, as the server describes it. */
  open(piece) {
    this.#piece = piece;
    this.#played = 0;
    const every = Math.max(1, Math.ceil(piece.bars.length / mostTicks));
    const share = (played) => 100 * (piece.bars[played]?.onset ?? piece.seconds) / piece.seconds;
    const ticks = piece.bars.flatMap((_, played) => {
      if (played % every > 0) return [];
      const tick = make("span", { class: "tick" });
      tick.style.left = `${share(played)}%`;
      return [tick];
    });
    const marks = ticks.concat(piece.sections.map(({ played, label }, index) => {
      const section = make("span", { class: "section", text: label });
      section.style.left = `${share(played)}%`;
      section.style.width = `${share(piece.sections[index + 1]?.played ?? piece.bars.length) - share(played)}%`;
      return section;
    }));
    find("marks").replaceChildren(...marks);
    mark(this.#element, "aria-valuemax", piece.bars.length);
    this.#show();
  }

  /** Shows where the student is: the follower's position. */
  move({ played, place }) {
    if (!this.#piece || played === undefined) return;
    this.#played = played;
    this.#show(place);
  }

  #show(place = this.#piece.bars[this.#played].onset) {
    this.#cursor.style.left = `${Math.min(100, 100 * place / this.#piece.seconds)}%`;
    mark(this.#element, "aria-valuenow", this.#played + 1);
    mark(this.#element, "aria-valuetext", `Bar ${this.#piece.bars[this.#played].printed}`);
  }

  #playedAt(share) {
    const time = share * this.#piece.seconds;
    const next = this.#piece.bars.findIndex(({ onset }) => onset > time);
    return Math.max(0, (next < 0 ? this.#piece.bars.length : next) - 1);
  }
}
