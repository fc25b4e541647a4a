// From piece to piece by hand: past the end, back, away from the room's music and to it; and the pen that remembers.
import { beforeEach, test } from "node:test";

import { equal, isTrue } from "./lib/equal.js";
import "./lib/kinds.js";
import { Onward } from "/stand/onward.js";
import { Tools } from "/stand/remarks/tools.js";

beforeEach(() => localStorage.clear());

const titles = { first: "Aria", second: "Badinerie", third: "Chaconne" };

const piecesOf = (scores) => scores.map((score) => ({ id: `of ${score}`, score }));

/** A stand that has the first of three pieces, with `count` pages each, of which the last lies there. */
function standOf({ programme = piecesOf(["first", "second", "third"]), ...more } = {}) {
  const signs = new Map();
  const reader = { user: "me", leads: false, turnsForAll: false, turner: { systems: null }, count: 3,
    score: { id: "first" },
    content: { open: "of first", isRunning: true, programme }, ordered: [], opened: [], turning: null,
    chrome: { sign: (id, words) => signs.set(id, words) },
    evening: { titleOf: (score) => titles[score], ask: async () => null,
      openForAll: (entry, atEnd) => reader.ordered.push([entry.score, atEnd]) },
    openOther: async (id, page = 0) => {
      reader.opened.push(id);
      reader.score = { id };
      lie(Math.min(page, 2));
    },
    followOpen: () => reader.openOther(programme.find(({ id }) => id === reader.content.open).score),
    ...more };
  const lie = (page) => {
    reader.turning = { facing: "single", count: 3, view: { page, ahead: null } };
    onward.shown();
  };
  const onward = new Onward(reader);
  lie(2);
  /** Presses, and says what is told: "turned" for a page of the same piece, else the piece or the sentence. */
  const press = async (direction = "forward") => {
    const before = reader.opened.length;
    if (!onward.press(direction)) {
      lie(Math.min(Math.max(reader.turning.view.page + (direction === "forward" ? 1 : -1), 0), 2));
      return "turned";
    }
    await new Promise((done) => setTimeout(done));
    return reader.opened.length > before ? reader.opened.at(-1) : signs.get("sign-next");
  };
  return { reader, onward, press, lie, signs };
}

test("the first press past the end says what comes, the second goes there", async () => {
  const { press, signs, reader } = standOf();
  equal(await press(), "Next: Badinerie · turn again");
  equal(await press(), "second");
  equal([signs.get("sign-next"), reader.turning.view.page], ["", 0]);
});

test("one press takes the step back, to the page one came from; later it asks", async () => {
  const { press, reader } = standOf();
  await press();
  await press();
  equal([await press("back"), reader.turning.view.page], ["first", 2]);
  equal([await press(), reader.turning.view.page], ["second", 0]);
  equal([await press(), await press("back"), await press("back")], ["turned", "turned", "Before: Aria · turn again"]);
  equal(await press("back"), "first");
});

test("what was asked at the end holds only there", async () => {
  const { press, signs } = standOf();
  await press();
  equal([await press("back"), signs.get("sign-next")], ["turned", ""]);
  await press();
  equal(await press(), "Next: Badinerie · turn again");
});

test("attacca is one press, and the last piece is followed by nothing", async () => {
  const programme = ["first", "second"].map((score) => ({ id: `of ${score}`, score, attacca: score === "first" }));
  const { press, lie } = standOf({ programme });
  equal(await press(), "second");
  lie(2);
  equal(await press(), "turned");
});

test("the upper half of the next page is no end", async () => {
  const { press, reader } = standOf();
  reader.turning.view.ahead = 0;
  equal(await press(), "turned");
});

test("whoever turns for all opens the next piece for all, back at its end", async () => {
  const { press, reader, lie } = standOf({ leads: true, turnsForAll: true });
  reader.content.open = "of second";
  await press();
  await press();
  lie(0);
  await press("back");
  await press("back");
  equal([reader.ordered, reader.opened], [[["third", false], ["first", true]], []]);
});

test("a member looks at another piece and comes back to the music in one act", async () => {
  const { reader, onward } = standOf({ wire: { link: { fallIn: () => reader.ordered.push("fall in") } } });
  await onward.go(reader.content.programme[2]);
  equal([onward.isAway, onward.here.score, reader.score.id], [true, "third", "third"]);
  await onward.comeBack();
  equal([onward.isAway, reader.score.id, reader.ordered], [false, "first", ["fall in"]]);
});

test("when another piece is opened for all, nobody is away any more", async () => {
  const { reader, onward } = standOf();
  await onward.go(reader.content.programme[2]);
  reader.content.open = "of second";
  isTrue(!onward.isAway);
  equal(onward.here.score, "second");
});

test("a piece that cannot be had leaves everything as it was", async () => {
  const { reader, onward } = standOf({ openOther: () => Promise.reject(new Error("Not here.")) });
  await onward.go(reader.content.programme[1]);
  equal([onward.isAway, onward.here.score], [false, "first"]);
});

// -- The pen ------------------------------------------------------------------------------------------------

const open = (...names) => [{ key: "own", name: "Private" }, ...names.map((name) => ({ key: `id of ${name}`, name }))];
const penOf = (user = "me") => new Tools(user, () => {});

test("the pen remembers its tool, stamp, sizes and layer", () => {
  const pen = penOf();
  pen.offer(open("Violins"));
  equal(pen.kind, null);
  pen.set({ kind: "text", width: 360, colour: "#c8191e" });
  pen.set({ kind: "stamp", stamp: "up-bow" });
  pen.writeOn("id of Violins", "Violins");
  const next = penOf();
  next.offer(open("Violins"));
  next.resume();
  equal([next.current.kind, next.stamp, next.layer, next.ink("text")],
    ["stamp", "up-bow", "id of Violins", { colour: "#c8191e", width: 360 }]);
  equal(penOf("another").stamp, "down-bow");
});

test("the section's layer of another score has its name; a layer that is not open is the private one", () => {
  penOf().writeOn("id of Violins", "Violins");
  const pen = penOf();
  pen.offer([...open(), { key: "elsewhere", name: "Violins" }]);
  equal(pen.layer, "elsewhere");
  pen.offer(open("Winds"));
  equal(pen.layer, "own");
});

test("a layer that opens while one writes does not take what is written", () => {
  penOf().writeOn("public", "Everybody");
  const pen = penOf();
  pen.offer(open());
  pen.set({ kind: "line" });
  pen.offer([...open(), { key: "public", name: "Everybody" }]);
  equal(pen.layer, "own");
  pen.set(null);
  pen.offer([...open(), { key: "public", name: "Everybody" }]);
  equal(pen.layer, "public");
});

test("nobody begins by erasing", () => {
  const pen = penOf();
  pen.set({ kind: "highlight" });
  pen.set({ kind: "eraser" });
  const next = penOf();
  next.resume();
  equal(next.kind, "highlight");
});
