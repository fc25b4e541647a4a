// What the page that prepares pieces computes: edits, the copy, the view, taps, words.
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import { clock } from "/prepare/bars.js";
import { tempoOf } from "/prepare/curves.js";
import { pieceNameOf, piecesOf, sortForPiece } from "/prepare/drops.js";
import { applyEdits } from "/prepare/edits.js";
import { barAt, barEnd, firstAt, nearestBar } from "/prepare/hits.js";
import { reasonWords, secondsOf } from "/prepare/inspector.js";
import { lateBars } from "/prepare/latebars.js";
import { Mirror } from "/prepare/mirror.js";
import { secondsOfTap, TapSession } from "/prepare/taps.js";
import { lastLevel, levelFor, TileCache, tilesOf } from "/prepare/tiles.js";
import { TimeView } from "/prepare/view.js";
import { UndoStack } from "/shared/undo.js";

const bar = (id, seconds, printed, more = {}) =>
  ({ id, seconds, printed, doubt: 0, reasons: [], origin: "score", checked: false, ...more });
const draft = { id: "p", name: "A piece", revision: 4, beatsPerBar: 4, main: null, recordings: [], end: 9,
  marks: [{ id: "m", bar: "b", kind: "rehearsal", text: "A" }],
  bars: [bar("a", 1, 1), bar("b", 3, 2, { doubt: 0.8, reasons: ["x"] }), bar("c", 5, 3), bar("d", 7, 1)] };
const after = (...edits) => applyEdits(draft, edits);
const brief = (found) => found.draft.bars.map(({ id, seconds, printed }) => `${id}${printed}@${seconds}`).join(" ");
/** Whether the inverse of what was found brings the draft back. */
const there = (found) => JSON.stringify({ ...applyEdits(found.draft, found.inverse).draft, revision: 4 })
  === JSON.stringify(draft);
const move = (id, seconds) => ({ move: { bar: id, seconds } });

/** A copy of the draft, and where it shows a bar. */
function mirrored() {
  const mirror = new Mirror();
  mirror.load(draft);
  return { mirror, time: (id) => mirror.shown.bars.find((each) => each.id === id)?.seconds ?? null };
}
import { lacksOf } from "/prepare/pieceoverview.js";

test("files that come together become the pieces that they are, and none is lost in silence", () => {
  const files = (...names) => names.map((name) => ({ name, type: "" }));
  const told = (...names) => {
    const { pieces, left } = piecesOf(files(...names));
    return [...pieces.map((piece) => `${piece.name}: ${piece.files.map(([{ name }, purpose]) => `${name} ${purpose}`)
      .join(", ")}`), ...left.map(([{ name }, why]) => `${name} left: ${why}`)];
  };
  equal([told("a.flac"), told("Take 3.wav", "Grieg.musicxml"), told("b.mp3", "a.flac", "A.mxl", "b.csv"),
    told("a.flac", "a.wav"), told("a.mxl", "a.xml", "c.csv"), told("a.flac", "b.flac", "scan.pdf"), told("x.csv"),
    told()],
  [["a: a.flac recording"], ["Grieg: Grieg.musicxml score, Take 3.wav recording"],
    ["b: b.mp3 recording, b.csv bars", "A: A.mxl score, a.flac recording"],
    ["a: a.flac recording, a.wav reference"],
    ["a: a.mxl score", "a.xml left: a piece has one score", "c.csv left: no recording or score has its name"],
    ["a: a.flac recording", "b: b.flac recording",
      "scan.pdf left: it is no recording, score or table of bars"],
    ["x.csv left: no recording or score has its name"], []]);
  equal(sortForPiece(files("a.flac", "b.mxl", "c.mxl"), true), { taken: [[{ name: "a.flac", type: "" }, "reference"],
    [{ name: "b.mxl", type: "" }, "score"]], left: [[{ name: "c.mxl", type: "" }, "a piece has one score"]] });
});

test("every edit has an inverse that takes it back", () => {
  const all = [{ move: { bar: "b", seconds: 3.2 } }, { move: { bar: "b", seconds: 6 } },
    { insert: { bar: "n", seconds: 4, printed: 3 } }, { delete: { bar: "b" } },
    { shift: { from: "b", by: 0.5 } }, { renumber: { from: "b", number: 12 } },
    { number: { bar: "c", number: 9 } }, { check: { bar: "b", checked: true } }, { end: { seconds: null } },
    { mark: { id: "m", bar: "c", kind: "section", text: "Trio" } }, { unmark: { id: "m" } },
    { name: { name: "Another" } }, { beatsPerBar: { beats: null } },
    { replaceBars: { bars: [bar("z", 2, 1)], end: 4 } }];
  equal(all.filter((edit) => !there(after(edit))).map((edit) => Object.keys(edit)[0]), []);
});

test("a list of edits is taken back as a whole", () => {
  equal(there(after({ delete: { bar: "b" } }, { shift: { from: "c", by: 1 } },
    { insert: { bar: "n", seconds: 2, printed: 2 } }, { renumber: { from: "n", number: 5 } })), true);
});

test("a moved bar is a persons and checked", () => {
  const found = after({ move: { bar: "b", seconds: 3.21234 } });
  const { seconds, doubt, origin, checked } = found.draft.bars[1];
  equal([seconds, doubt, origin, checked], [3.2123, 0, "person", true]);
});

test("a bar that passes its neighbour stands behind it", () => {
  equal(brief(after({ move: { bar: "b", seconds: 6 } })), "a1@1 c3@5 b2@6 d1@7");
});

test("a shift moves all that follow and the end", () => {
  const found = after({ shift: { from: "c", by: 0.5 } });
  equal([brief(found), found.draft.end], ["a1@1 b2@3 c3@5.5 d1@7.5", 9.5]);
});

test("a shift that would pass the bar before is skipped", () => {
  const found = after({ shift: { from: "c", by: -2.5 } });
  equal([brief(found), found.skipped], ["a1@1 b2@3 c3@5 d1@7", ["Bar 3 would begin before bar 2."]]);
});

test("numbers count on to the next leap", () => {
  equal(brief(after({ renumber: { from: "b", number: 12 } })), "a1@1 b12@3 c13@5 d1@7");
});

test("an edit of a bar that is gone is skipped and the others are not", () => {
  const found = after({ delete: { bar: "q" } }, { number: { bar: "a", number: 8 } });
  equal([found.skipped.length, found.draft.bars[0].printed], [1, 8]);
});

test("what is made here is shown at once and confirmed once", () => {
  const { mirror, time } = mirrored();
  mirror.make({ id: "1", label: "", edits: [{ shift: { from: "c", by: 1 } }] });
  const shown = time("d"), base = mirror.base.bars[3].seconds;
  mirror.answered("1", 5);
  equal([shown, base, time("d"), mirror.base.revision, mirror.pending.length], [8, 7, 8, 5, 0]);
});

test("an announcement before the answer is not applied twice", () => {
  const { mirror, time } = mirrored();
  const edits = [{ shift: { from: "c", by: 1 } }];
  mirror.make({ id: "1", label: "", edits });
  mirror.heard({ revision: 5, id: "1", edits });
  equal([time("d"), mirror.answered("1", 5), time("d")], [8, "known", 8]);
});

test("others edits lie under what is not sent yet", () => {
  const { mirror, time } = mirrored();
  mirror.make({ id: "1", label: "", edits: [move("b", 3.5)] });
  mirror.heard({ revision: 5, edits: [move("b", 2.5), move("c", 4.5)] });
  equal([time("b"), time("c")], [3.5, 4.5]);
});

test("a missing revision is waited for", () => {
  const { mirror, time } = mirrored();
  const early = mirror.heard({ revision: 6, edits: [move("c", 4.6)] });
  const between = time("c");
  const late = mirror.heard({ revision: 5, edits: [move("c", 4.5)] });
  equal([early, between, late, time("c"), mirror.base.revision], ["missing", 5, "taken", 4.6, 6]);
});

test("an announcement without edits asks to load again", () => {
  const { mirror } = mirrored();
  equal(mirror.heard({ revision: 5, edits: null }), "reload");
});

test("a reason for a doubt is a sentence", () => {
  equal(["the recordings sound different here", "other instants fit nearly as well", "Is a tap missing?"]
    .map(reasonWords), [
    "The recordings sound different here.", "Other moments fit nearly as well.", "Is a tap missing?"
  ]);
});

test("undo and redo walk along the steps", () => {
  const { mirror, time } = mirrored();
  const undo = new UndoStack();
  let count = 0;
  const send = (edits, label) => ({ id: String(count += 1), ...mirror.make({ id: String(count), label,
    edits }) });
  for (const seconds of [3.1, 3.2, 3.3]) undo.push({ ...send([move("b", seconds)], ""), label: "a move" });
  const walk = [];
  for (const turn of ["undo", "undo", "redo", "undo", "undo", "undo"]) {
    undo[turn](({ inverse, label }) => ({ ...send(inverse, label), label }));
    walk.push(time("b"));
  }
  equal(walk, [3.2, 3.1, 3.2, 3.1, 3, 3]);
});

test("the zoom goes from the whole to a tenth of a second and keeps its place", () => {
  const view = new TimeView();
  view.fit({ width: 1000, length: 5400 });
  view.showAll();
  const whole = view.span, at = view.seconds(400);
  for (let step = 0; step < 100; step += 1) view.zoom(1.5, 400);
  const near = [view.span.toFixed(3), Math.abs(view.seconds(400) - at) < 1e-6];
  for (let step = 0; step < 100; step += 1) view.zoom(1 / 1.5, 10);
  equal([whole, ...near, view.from, view.span], [5400, "0.100", true, 0, 5400]);
});

test("the view ends where the recording does", () => {
  const view = new TimeView();
  view.fit({ width: 100, length: 50 });
  view.show(10, 20);
  view.pan(1e6);
  const right = view.to;
  view.pan(-1e6);
  equal([right, view.from], [50, 0]);
});

test("the bar at a time and the nearest line are found", () => {
  const { bars } = draft;
  equal([
    barAt(bars, 0.9), barAt(bars, 1), barAt(bars, 4.9), barAt(bars, 99), nearestBar(bars, 4.2, 1),
    nearestBar(bars, 4.2, 0.5), firstAt(bars, 3.01), barEnd(bars, 3, null, 20), barEnd(bars, 3, 9, 20)
  ], [-1, 0, 1, 3, 2, -1, 2, 9, 9]);
});

test("the level of tiles fits the zoom", () => {
  const kind = { column: 0.004, columns: 1024 };
  equal([
    [0.0001, 0.004, 0.0159, 0.016, 4.3].map((pixel) => levelFor(pixel, kind)), tilesOf(0, 4, 12.3, 4.096),
    tilesOf(0, 5, 5, 4.096), lastLevel(5400, kind), lastLevel(3, kind)
  ], [[0, 0, 0, 1, 5], [0, 1, 2, 3], [1], 5, 0]);
});

test("few tiles are asked at a time the ones on the screen first", async () => {
  const asked = [], open = new Map();
  const cache = new TileCache((key, signal) => new Promise((done, fail) => {
    asked.push(key);
    open.set(key, done);
    signal.addEventListener("abort", () => fail(new Error("given up")));
  }), () => {}, { capacity: 2, lanes: 2 });
  const turn = () => new Promise((done) => setTimeout(done));
  cache.want(["a", "b", "c"]);
  const first = [...asked];
  open.get("a")("A");
  await turn();
  const second = [...asked];
  cache.want(["d"]);
  open.get("d")("D");
  await turn();
  equal([first, second, cache.get("a"), cache.get("b"), cache.get("d")], [
    ["a", "b"], ["a", "b", "c"], "A", null, "D"
  ]);
});

test("taps count on a bounce does not and a tap before begins again from there", () => {
  const taps = new TapSession(5, 4);
  for (const seconds of [1, 1.05, 3, 5]) taps.tap(seconds);
  const straight = taps.taps.map(({ bar }) => bar), expected = taps.expected;
  taps.tap(3.4);
  equal([straight, expected, taps.taps.map(({ seconds, bar }) => [seconds, bar]), taps.next], [
    [5, 9, 13], 7, [[1, 5], [3, 9], [3.4, 13]], 17
  ]);
});

test("a tap is put back by the time its key took to arrive", () => {
  equal(Number(secondsOfTap({ timeStamp: 900 }, { seconds: 10, rate: 0.5 }, 1000).toFixed(4)), 9.95);
});

test("times are read as people write them", () => {
  equal([["65.25", "1:05,25", "1:00:01", "0:03.5", "soon", ""].map(secondsOf), clock(59.999, 2), clock(3725.5, 1)], [
    [65.25, 65.25, 3601, 3.5, null, null], "1:00.00", "1:02:05.5"
  ]);
});

test("bars after the end are found before the piece is prepared", () => {
  const draft = (end, ...times) => ({ end, main: "r", recordings: [{ id: "r", seconds: 90 }],
    bars: times.map((seconds, index) => ({ seconds, printed: index + 1 })) });
  equal([
    lateBars(draft(null, 1, 89.9)), lateBars(draft(null, 1, 90, 95)), lateBars(draft(80, 1, 85)),
    lateBars({ ...draft(null, 1, 95), main: null })
  ], [
    null,
    { index: 1, sentence: "Bar 2 begins at 1:30.00, and the recording ends at 1:30.00; 2 bars lie " +
      "after it. Move or delete them." },
    { index: 1, sentence: "Bar 2 begins at 1:25.00, and the piece ends at 1:20.00. Move or delete it, or " +
      "correct the end." },
    null
  ]);
});

test("one bar that is off does not bend the tempo curve", () => {
  equal(tempoOf([0, 2, 4, 4.5, 6.5, 8.5]).map((value) => Math.round(value)), [30, 30, 30, 30, 30]);
});

test("a proposed name has no endings", () => {
  equal([
    "Title.scores.mxl", "Title.mscz.pdf", "Title.score.musicxml", "Symphony No.5.flac", "a_b-c.mid", "scores.mxl",
    "Op.27 No.2.scores.mxl", "🎻".repeat(150) + ".wav"
  ].map((name) => pieceNameOf({ name })), [
    "Title", "Title", "Title", "Symphony No.5", "a b c", "scores", "Op.27 No.2", "🎻".repeat(100)
  ]);
});

test("a piece says what it lacks for tonight", () => {
  const whole = { scores: [{ parts: 2, markedParts: 2 }], sections: [{ label: "A", bar: "1" }],
    slides: [{ title: "Spring", count: 0, isServed: false }, { title: "Tonight", count: 3, isServed: true }] };
  equal([lacksOf(whole), lacksOf({ scores: [], sections: [], slides: [] }),
    lacksOf({ ...whole, scores: [{ parts: 3, markedParts: 2 }] }),
    lacksOf({ ...whole, slides: [{ title: "Spring", count: 3, isServed: false },
      { title: "Tonight", count: 0, isServed: true }] })], [{}, {
    score: "No score: stands show nothing of it.", sections: "No sections or letters: places are named by bars.",
    slides: "No slides: phones show its name, bars and sections.",
  }, { score: "The bars of 1 part are not marked: pages are turned by hand there." },
  { slides: "Its slides are in “Spring”, which listeners do not find." }]);
});
