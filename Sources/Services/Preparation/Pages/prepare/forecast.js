// The forecast for the prepared piece: the share of the time in which it will probably be followed, the difficult bars,
// passages that sound alike, and advice.
import { draw, make } from "/shared/dom.js";
import { counted } from "./bars.js";

const percent = (share) => `${Math.round(100 * share)} %`;

export class Forecast {
  element = make("div", { class: "forecast" });
  #editor;
  #shown = "";

  constructor(editor) {
    this.#editor = editor;
  }

  update() {
    const { forecast, triesTrouble } = this.#editor.piece.draft;
    const key = JSON.stringify([forecast ?? null, triesTrouble]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.hidden = !forecast;
    if (!forecast) return;
    this.element.replaceChildren(make("h3", { text: "How well will it be followed?" }), ...this.#share(forecast),
      ...this.#trouble(forecast, triesTrouble), ...this.#copies(forecast), ...this.#advice(forecast));
  }

  #share({ rightShare, low, high }) {
    const range = `Probably between ${percent(low)} and ${percent(high)}, with a good recording in a good room.`;
    return [
      make("p", { class: "share-number" }, make("strong", { text: percent(rightShare) }),
        " of the time in the right bar"),
      make("div", { class: "share-bar", role: "img", "aria-label": range }, drawRange(low, high, rightShare)),
      make("p", { class: "hint", text: range }),
    ];
  }

  #trouble({ trouble, literalCopies }, isTrying) {
    if (!trouble) {
      return isTrying ? [make("p", { class: "hint", role: "status",
        text: "Its recordings are followed with noise, other tempi and leaps, to find the difficult bars …" })] : [];
    }
    const { trials, doubtByBar, passages } = trouble;
    const kinds = new Set(trials.map((trial) => trial.trouble)).size;
    const summary = passages.length === 0
      ? `Followed with ${counted(kinds, "kind")} of made trouble; no bar is difficult.`
      : `Followed with ${counted(kinds, "kind")} of made trouble; ${counted(passages.length, "passage")} `
        + (passages.length === 1 ? "is difficult:" : "are difficult:");
    return [
      make("figure", {}, make("figcaption", { text: "Doubt in each bar" }),
        make("div", { class: "doubt-strip", role: "img",
          "aria-label": `The piece from its first bar to its last, with the doubt in each bar. ${summary}` },
        drawStrip(doubtByBar, literalCopies))),
      make("p", { text: summary }),
      make("ul", { class: "advice" }, ...passages.map((passage) => make("li", {}, make("button", { type: "button",
        class: "link", text: passage.sentence,
        onclick: () => this.#editor.choose(passage.playedFrom, { seeks: true }) })))),
    ];
  }

  #copies({ literalCopies }) {
    if (literalCopies.length === 0) return [];
    // Bars of the same numbers may be played several times.
    const byWords = new Map(literalCopies.toReversed().map((copy) => [copyWords(copy), copy]));
    return [
      make("p", { text: "These passages sound alike. After a leap the follower may take one for the other:" }),
      make("ul", { class: "chips" }, ...[...byWords].toReversed().map(([words, copy]) => make("li", {},
        make("button", { type: "button", class: "chip", text: words,
          onclick: () => this.#editor.choose(copy.playedFrom, { seeks: true }) })))),
    ];
  }

  #advice({ advice }) {
    if (advice.length === 0) return [];
    return [make("p", { text: "What would help:" }),
      make("ul", { class: "advice" }, ...advice.map((sentence) => make("li", { text: sentence })))];
  }
}

const drawRange = (low, high, value) => draw("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none" },
  draw("rect", { x: 0, y: 2, width: 100, height: 4, class: "range-ground" }),
  draw("rect", { x: 100 * low, y: 1, width: Math.max(100 * (high - low), 0.5), height: 6, class: "range-span" }),
  draw("rect", { x: Math.min(100 * value, 99.4), y: 0, width: 0.6, height: 8, class: "range-value" }));

const copyWords = ({ from, to, otherFrom, otherTo }) => (from === otherFrom && to === otherTo
  ? `${from}–${to}, played twice` : `${from}–${to} and ${otherFrom}–${otherTo}`);

/** A column for each bar, as high as its doubt; below, pairs of passages that sound alike in one colour. */
function drawStrip(doubts, copies) {
  const count = Math.max(doubts.length, 1);
  const columns = doubts.map((doubt, bar) => {
    const height = Math.max(30 * (doubt ?? 0), 0.8);
    return draw("rect", { x: bar, y: 30 - height, width: 0.9, height,
      class: doubt >= 0.5 ? "doubt-much" : "doubt-little" });
  });
  const spans = copies.flatMap(({ playedFrom, otherPlayedFrom, from, to }, index) => [playedFrom, otherPlayedFrom].map(
    (begin) => draw("rect", { x: begin, y: 33 + 4 * (index % 2), width: Math.max(to - from + 1, 1), height: 3,
      class: `copy-${index % 4}` })));
  return draw("svg", { viewBox: `0 0 ${count} 41`, preserveAspectRatio: "none" }, ...columns, ...spans);
}
