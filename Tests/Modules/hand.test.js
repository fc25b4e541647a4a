// Who owns a pointer on the page. The table is the one that musicians read, in docs/stand-tools.md.
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import "./lib/kinds.js";
import { Place, passTime } from "./lib/stage.js";
import { listenToHands, rejectPalms } from "/stand/hands.js";
import { listenToPinches } from "/stand/pinch.js";
import { Hand } from "/stand/remarks/hand.js";
import { Tools } from "/stand/remarks/tools.js";

const document = new URL("../../docs/stand-tools.md", import.meta.url);
// px from the left of a stage of 1,000
const spots = { "outer third": 900, middle: 500, "own remark in the middle": 500, "own remark at the side": 900,
  "another's remark in the middle": 500, "another's remark at the side": 900, "a remark's button": 900, link: 900 };
const tools = { reading: null, zoomed: null, drawing: "line", choosing: "select", "writing text": "text",
  erasing: "eraser" };
const own = { id: "own", author: "me", page: 0, anchor: [0, 0], shape: { line: [0, 0] }, ink: {} };
const other = { ...own, id: "other", author: "anna" };

/** A stand in a state, with what lies at a place; `seen` lists what hands did. */
function standIn(state, place, hasPen) {
  localStorage.clear();
  const there = place.startsWith("own") ? own : place.startsWith("another") ? other : null;
  const seen = [];
  const did = (words) => (...given) => void seen.push(typeof words === "function" ? words(...given) : words);
  const window = new Place(null);
  globalThis.addEventListener = /** @type {any} */ (window.addEventListener.bind(window));
  const stage = new Place(window, "#stage");
  const sheet = new Place(stage);
  const places = { "a remark's button": new Place(new Place(sheet, ".remark-bar"), "button"),
    link: new Place(sheet, "button") };
  for (const [name, place] of Object.entries(places)) {
    place.addEventListener("click", did(name === "link" ? "follows it" : "presses it"));
  }
  const lens = { isWhole: state !== "zoomed", zoom: { scale: 1 }, to: did("zooms"), release() {}, whole() {} };
  rejectPalms(stage);
  listenToPinches(stage, lens);
  listenToHands(stage, { turn: did("turns"), middle: did("controls"), twice: did("zooms"), long: did("shows it to all"),
    edge() {}, dropped() {}, drag: () => !lens.isWhole && Boolean(seen.push("moves the page")) });
  const surface = { element: sheet, unit: 10, ratio: 1.4, isLaid: true, page: 0, part: 0, paper: [1, 1.4],
    pointOf: ({ clientX, clientY }) => ({ x: clientX * 10, y: clientY * 10 }),
    hit: (_point, _reach, may = Boolean) => (there && may(there) ? there : null),
    groupOf: () => ({ classList: sheet.classList, focus() {} }), boxOf: () => null, covers: () => true, show() {},
    lift: did("moves it"), land() {} };
  const live = { samples: [], frame: { width: 1000 }, pressure: 0.5, begin: () => (live.samples = []), end() {},
    extend: ({ clientX, clientY }) => live.samples.push(clientX, clientY, 0.5) };
  const desk = { chosen: null, tools: new Tools("me", () => {}), live, newID: () => "new", say() {}, hush() {},
    carry() {},
    book: { userID: "me", get: () => own, isOwn: (remark) => remark === own, mayChange: (remark) => remark === own },
    acts: { do: (...acts) =>
      acts.forEach((act) => seen.push(act.place ? "draws" : act.erase ? "erases it" : "moves it")) },
    openLayer: () => "layer", label: did("names its writer"), choose: did((_, id) => (id ? "chooses it" : "lets go")),
    surfaceAt: () => null, writing: { finish() {}, begin: did("begins a text"), edit: did("edits it") } };
  desk.tools.set({ kind: tools[state] });
  if (hasPen) Object.assign(desk.tools, { penSeen: true, fingerDraws: false });
  new Hand(/** @type {any} */ (surface), desk);
  return { seen, target: places[place] ?? sheet };
}

let clock = 0;

/** Presses at a place, moves so many px, and lets go; what follows from it, each thing once. */
function press(state, place, pointer, across = 0) {
  const pointerType = pointer === "mouse" ? "mouse" : pointer === "pen" ? "pen" : "touch";
  const { seen, target } = standIn(state, place, pointer === "finger beside a pen");
  clock += 10_000;
  const send = (type, off = 0) => target.dispatchEvent(new PointerEvent(type, /** @type {any} */ ({
    pointerType, isTrusted: true, timeStamp: clock, clientX: spots[place] + off, clientY: 700 })));
  send("pointerdown");
  for (let step = 1; step <= 4 && across; step += 1) send("pointermove", (across * step) / 4);
  send("pointerup", across);
  if (!across) send("click");
  passTime();
  return [...new Set(seen)].filter((each) => each !== "lets go").join(", ") || "nothing";
}

/** The table below a heading of the document: the pointers; and rows of lists, the last of what each pointer does. */
function tableBelow(heading, keys) {
  const [, rest] = readFileSync(document, "utf8").split(`\n### ${heading}\n`);
  const [head, , ...rows] = rest.split("\n#")[0].split("\n").filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  return { pointers: head.slice(keys),
    rows: rows.map((row) => [...row.slice(0, keys).map((cell) => cell.split(", ")), row.slice(keys)]) };
}

test("each pointer on the page has one owner, as the document says", () => {
  const { pointers, rows } = tableBelow("Who has the finger", 2);
  const said = new Map(rows.flatMap(([states, places, does]) =>
    states.flatMap((state) => places.map((place) => [`${state}, ${place}`, does]))));
  const links = (state, place) => place !== "link" || tools[state] === null; // tools hide the links
  const wanted = Object.keys(tools).flatMap((state) => Object.keys(spots).filter((place) => links(state, place))
    .map((place) => [state, place]));
  equal([...said.keys()].sort(), wanted.map((each) => each.join(", ")).sort());
  for (const [state, place] of wanted) {
    const name = `${state}, ${place}`;
    equal(pointers.map((pointer) => press(state, place, pointer)), said.get(name), name);
  }
});

test("a stroke across the page turns, writes or moves it, as the document says", () => {
  const { pointers, rows } = tableBelow("A stroke across the page", 1);
  equal(rows.flatMap(([states]) => states).sort(), Object.keys(tools).sort());
  for (const [states, does] of rows) {
    for (const state of states) equal(pointers.map((pointer) => press(state, "middle", pointer, -300)), does, state);
  }
});
