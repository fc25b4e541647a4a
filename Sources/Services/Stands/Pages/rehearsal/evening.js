// The pieces of a session: how long each was on the stands and how it went. A tap shows one of them.
import { make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { tempo } from "./words.js";

/** The table of the evening's pieces; calls `choose(id)` with the score to show. */
export function evening(pieces, shown, choose) {
  const rows = pieces.map((piece, index) => make("tr", { "aria-current": piece.score === shown ? "true" : null },
    make("td", { text: String(index + 1) }),
    make("td", {}, make("button", { type: "button", class: "piece-name", "data-score": piece.score,
      "aria-pressed": String(piece.score === shown), onclick: () => choose(piece.score) },
    make("span", { text: piece.title }), piece.composer ? make("small", { text: piece.composer }) : null)),
    make("td", { text: duration(piece.openSeconds) }), make("td", { text: duration(piece.playedSeconds) }),
    make("td", { text: String(piece.retakes) }),
    make("td", { text: piece.tempo === null || piece.tempo === undefined ? "–" : tempo(piece.tempo) })));
  const total = (field) => duration(pieces.reduce((sum, piece) => sum + piece[field], 0));
  const head = ["", "Piece", "On the stands", "Played", "Retakes", "Tempo"]
    .map((name) => make("th", { scope: "col", text: name }));
  const foot = ["", "Together", total("openSeconds"), total("playedSeconds"),
    String(pieces.reduce((sum, piece) => sum + piece.retakes, 0)), ""].map((text) => make("td", { text }));
  return make("section", { class: "evening" }, make("h2", { text: "The programme" }),
    make("p", { class: "hint", text: "Tap a piece to see how it went." }),
    make("table", { id: "pieces" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows),
      make("tfoot", {}, make("tr", {}, ...foot))));
}
