// How well the piece will be followed: the expected share, passages that occur twice, bars at which the follower would
// hesitate, and what would help.
import { draw, make } from "/shared/dom.js";
import { frame, wide } from "/shared/charts.js";
import { isRunning } from "./piece.js";
import { tried } from "./notices.js";

const percent = (share) => `${Math.round(100 * share)} %`;
const kindWords = { noise: "with noise", hall: "in a large hall", tempo: "at other tempi", pause: "with pauses",
  skip: "with leaps", quiet: "played softly", transposed: "in another tuning", clean: "as recorded" };

export class ForecastPanel {
  element = make("div", { class: "forecast" });
  #editor;
  #shown = "";

  constructor(editor) {
    this.#editor = editor;
  }

  update() {
    const { piece, bars } = this.#editor;
    const { forecast } = piece.draft;
    const key = JSON.stringify([forecast, bars.length, isRunning(piece.job)]);
    if (key === this.#shown) return;
    this.#shown = key;
    const begin = make("button", { type: "button", class: forecast ? null : "chief",
      onclick: () => tried(() => piece.start({ kind: "forecast" })) }, forecast ? "Forecast again" : "Forecast");
    begin.disabled = bars.length < 2 || isRunning(piece.job);
    if (!forecast) {
      this.element.replaceChildren(make("p", { class: "hint", text: "Baton follows the piece's own recordings, made "
        + "difficult in several ways, and says what it would get right." }), make("div", { class: "row" }, begin));
      return;
    }
    this.element.replaceChildren(this.#share(forecast), this.#advice(forecast), this.#map(forecast),
      this.#made(forecast), make("div", { class: "row" }, begin));
  }

  #share({ rightShare, low, high }) {
    return make("div", { class: "share" },
      make("p", { class: "share-number" }, make("strong", { text: percent(rightShare) }),
        " of the time in the right bar"),
      make("div", { class: "share-bar", role: "img", "aria-label": `Between ${percent(low)} and ${percent(high)}` },
        rangeBar(low, high, rightShare)),
      make("p", { class: "hint", text: `Probably between ${percent(low)} and ${percent(high)}.` }));
  }

  #advice({ advice }) {
    if (!advice?.length) return make("p", { class: "hint", text: "Nothing would help it any more." });
    return make("div", {}, make("h3", { text: "What would help" }),
      make("ul", { class: "advice" }, ...advice.map((sentence) => make("li", { text: sentence }))));
  }

  /** The piece as a line: what occurs twice joined by arcs, where the follower would hesitate as needles. */
  #map({ literalCopies = [], hesitantBars = [] }) {
    const { bars } = this.#editor;
    if (bars.length < 2 || (literalCopies.length === 0 && hesitantBars.length === 0)) return null;
    const high = 150;
    const ground = 112;
    const length = bars.at(-1).seconds - bars[0].seconds;
    const place = (bar) => this.#placeOf(bar);
    const x = (index) => 10 + ((bars[Math.max(index, 0)].seconds - bars[0].seconds) / length) * (wide - 20);
    const svg = frame(high, `${literalCopies.length} passages that occur twice, ${hesitantBars.length} hesitant bars`);
    svg.append(draw("line", { x1: 10, x2: wide - 10, y1: ground, y2: ground, class: "grid-line" }));
    for (const { from, to, otherFrom, otherTo } of literalCopies) {
      const [a, b, c, d] = [from, to, otherFrom, otherTo].map((bar) => x(place(bar)));
      const rise = (left, right) => Math.min(Math.abs(right - left) / 2, 100);
      const over = `A${Math.abs(d - a) / 2} ${rise(a, d)} 0 0 1 ${d} ${ground}`;
      const back = `A${Math.abs(c - b) / 2} ${rise(b, c)} 0 0 0 ${b} ${ground}`;
      svg.append(draw("path", { class: "copy", d: `M${a} ${ground}${over}L${c} ${ground}${back}Z` }));
    }
    for (const { bar, confidence } of hesitantBars) {
      const at = x(place(bar));
      svg.append(draw("line", { x1: at, x2: at, y1: ground, y2: ground + 6 + 22 * (1 - confidence),
        class: "hesitant" }));
    }
    const button = (bar, words) => make("li", {}, make("button", { type: "button", class: "chip",
      onclick: () => this.#editor.choose(place(bar), { seeks: true }) }, words));
    const name = (bar) => bars[place(bar)]?.printed ?? "?";
    return make("div", {}, make("h3", { text: "Where it may go wrong" }), make("div", { class: "chart" }, svg),
      make("ul", { class: "chips" },
        ...literalCopies.map(({ from, to, otherFrom, otherTo }) =>
          button(from, `${name(from)}–${name(to)} like ${name(otherFrom)}–${name(otherTo)}`)),
        ...hesitantBars.slice(0, 40).map(({ bar }) => button(bar, `bar ${name(bar)}`))));
  }

  #made({ made }) {
    if (!made?.length) return null;
    return make("details", {}, make("summary", { text: "What was tried" }),
      make("ul", { class: "made" }, ...made.map(({ kind, rightShare }) => make("li", {},
        make("span", { text: kindWords[kind] ?? kind }),
        make("meter", { min: 0, max: 1, value: rightShare, "aria-label": `${kind}: ${percent(rightShare)}` }),
        make("span", { text: percent(rightShare) })))));
  }

  /** A bar is named by its id or by its place as performed. */
  #placeOf(bar) {
    if (Number.isInteger(bar)) return Math.min(Math.max(bar, 0), this.#editor.bars.length - 1);
    return Math.max(this.#editor.placeOf(bar), 0);
  }
}

const rangeBar = (low, high, value) => draw("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none" },
  draw("rect", { x: 0, y: 2, width: 100, height: 4, class: "range-ground" }),
  draw("rect", { x: 100 * low, y: 1, width: Math.max(100 * (high - low), 0.5), height: 6, class: "range-span" }),
  draw("rect", { x: Math.min(100 * value, 99.4), y: 0, width: 0.6, height: 8, class: "range-value" }));
