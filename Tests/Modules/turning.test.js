// What a stand decides: pages, turns, rests, taps, pedals.
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import "./lib/kinds.js";
import { OneAct } from "/shared/oneact.js";
import { Actions, keyTrigger, triggerName } from "/stand/actions.js";
import { pageAsked, pageInPart, pinpointOf, pinpointPlace, placeAt } from "/stand/places.js";
import { Countdown, Pace, restAt } from "/stand/rests.js";
import { likely, pressed, sheetOf } from "/stand/sheets.js";
import { SystemTurning } from "/stand/systems.js";
import { Turning } from "/stand/turning.js";
import { serverIsNewer } from "/stand/whereabouts.js";

test("pages lie as the hub lays them", () => {
  const press = (view, way, more) =>
      Object.values(pressed(view, way, { facing: "single", count: 5, ...more }));
  equal([
    [0, 1, 2, 3].map((page) => sheetOf(page, "pages")), [0, 1, 2, 3].map((page) => sheetOf(page, "book")),
    press({ page: 1, ahead: null }, "forward"), press({ page: 4, ahead: null }, "forward"),
    press({ page: 3, ahead: 1 }, "forward"), press({ page: 1, ahead: null }, "forward", { byHalves: true }),
    press({ page: 0, ahead: null }, "forward", { facing: "pages" }),
    press({ page: 1, ahead: null }, "back", { facing: "book" }), likely({ page: 2, ahead: null }, "single", 5)
  ], [
    [0, 0, 2, 2], [-1, 1, 1, 3], [2, null], [4, null], [1, null], [1, 2], [2, null], [-1, null], [2, 3, 1, 4]
  ]);
});

test("a page is asked for by its number", () => {
  equal(["page 147", "P147", "p. 3", "3", "page 201", "page 0", "C", "C3"].map((text) => pageAsked(text, 200, true)),
    [146, 146, 2, null, null, null, null, null]);
  equal(pageAsked("147", 200, false), 146, "where no bar is known");
});

test("a press just after the music turned means the same turn", () => {
  let now = 0;
  const turning = new Turning(() => now);
  turning.open({ page: 0, count: 9 });
  turning.follow({ page: 1 });
  now = 399;
  const same = turning.press("forward");
  now = 401;
  const next = turning.press("forward");
  equal([same, next, turning.view.page], [null, 2, 2]);
});

test("the players own page wins over an older wish and falls in again", () => {
  let now = 5000;
  const turning = new Turning(() => now);
  turning.open({ page: 0, count: 9 });
  turning.press("forward");
  turning.press("forward");
  const stale = turning.follow({ page: 1 });
  const stays = turning.view.page;
  turning.follow({ page: 2 });
  const falls = turning.follow({ page: 3 });
  turning.press("back");
  turning.follow({ page: 4 });
  now += 1001;
  const settled = turning.settle();
  equal([stale, stays, falls, settled, turning.view.page], [false, 2, true, true, 4]);
});

test("rests that follow each other are counted as one", () => {
  const part = { rests: [{ movement: 0, first: 1, last: 25 }, { movement: 0, first: 26, last: 41 },
      { movement: 0, first: 43, last: 43 }] };
  equal([restAt(part, 0, 30), restAt(part, 0, 42), restAt(part, 1, 30), restAt(part, 0, 43).left], [
    { measures: 41, counted: 30, left: 12, entry: 42 }, null, null, 1
  ]);
});

test("a bar that was entered in its middle says nothing of how long bars last", () => {
  const pace = new Pace();
  const lengths = [];
  const hear = (...heard) => {
    for (const [bar, at] of heard) {
      pace.hear(bar, at, true);
      lengths.push(pace.seconds);
    }
  };
  hear([7, 10], [8, 10.5], [9, 12.5]); // the first was heard half
  pace.forget();
  hear([12, 30], [13, 30.4], [14, 32.4]); // a restart, in the middle of 12
  equal(lengths, [null, null, 2, 2, 2, 2]);
});

test("the seconds of a rest only fall", () => {
  const down = new Countdown();
  const at = (left, seconds, entry = 42) => down.show({ entry, left }, seconds);
  equal([at(10, 20), at(9, 23), at(8, 16), at(8, 17), at(12, 24), at(3, 9, 60)], [20, 20, 16, 16, 24, 9]);
});

test("the newer of two pages is told by how long each lies there", () => {
  const home = (at, now) => ({ now, whereabouts: { at } });
  // The clocks of device and server are years apart.
  equal([
    serverIsNewer(home(9_000, 10_000), { at: 500 }, 3_500), serverIsNewer(home(7_000, 10_000), { at: 3_000 }, 3_500),
    serverIsNewer(home(9_000, 10_000), { at: 2_300 }, 3_500), serverIsNewer(home(undefined, 10_000), { at: 0 }, 3_500),
    serverIsNewer(null, { at: 1 }), serverIsNewer(home(9_000, 10_000), null)
  ], [true, false, false, false, false, false]);
});

test("a tap means the bar it hits or the nearest line", () => {
  const place = (page, first, last, box) => ({ movement: 0, page, first, last, box });
  const score = { parts: [{ pages: [1, 2], places: [place(0, 1, 1, [0, 0, .5, .2]),
      place(0, 2, 2, [.5, 0, 1, .2]), place(1, 3, 3, [0, 0, 1, .2])] },
    { pages: [1], places: [place(0, 1, 2, [0, 0, .5, .1]), place(0, 3, 3, [.5, 0, 1, .1])] }] };
  const pin = pinpointOf(.6, .3, 0, 0, score);
  equal([
    placeAt(score.parts[0], 0, .1, .1).first, pin.measure, pinpointPlace(pin, 1, score).box,
    pinpointPlace(pin, 0, score).page, pageInPart([0, 1], 1, score), pageInPart([0, 7], 0, score)
  ], [1, 2, [0, 0, 0.5, 0.1], 0, 0, null]);
});

test("one press of a pedal is one act", () => {
  // Which of the events (kind, ms, key) begin an act of their own: keydown, repeat, or a button.
  const acts = (...events) => {
    const one = new OneAct();
    return events.map(([kind, timeStamp, key]) => (kind === "keyup" ? one.release({ timeStamp, key }) ?? null
      : kind === "button" ? one.begins(key, { timeStamp })
        : one.beginsWithKey({ timeStamp, key, repeat: kind === "repeat" })));
  };
  // Which presses of a key begin an act, each released after so many ms.
  const presses = (times, hold = 20) => acts(...times.flatMap((at) =>
    [["keydown", at, "PageDown"], ["keyup", at + hold, "PageDown"]]).sort((one, other) => one[1] - other[1]))
    .filter((each) => each !== null);
  const every = (ms, from, until) => Array.from({ length: Math.ceil((until - from) / ms) }, (_, at) => from + at * ms);
  equal(presses([0, 60]), [true, false], "a contact that bounces");
  equal(presses(every(50, 0, 400)), [true, ...Array(7).fill(false)], "a pedal that repeats by itself");
  equal(presses([0, 160, 320, 480]), [true, true, true, true], "pages turned quickly on purpose");
  equal(presses([0, 410], 400), [true, false], "a contact that bounces when it opens");
  equal(presses([0, 480], 400), [true, true], "80 ms after the release");
  const held = [["keydown", 0, "a"], ...every(33, 500, 2000).map((at) => ["repeat", at, "a"]), ["keyup", 2000, "a"]];
  equal(acts(...held).filter(Boolean), [true], "a key that is held");
  equal(acts(...every(500, 0, 3000).map((at) => ["keydown", at, "a"])), [true, ...Array(5).fill(false)],
    "held, and the browser does not say so");
  equal(acts(["keydown", 0, "a"], ["keydown", 1100, "a"]), [true, true], "a keyup was lost");
  equal(acts(["keydown", 0, "a"], ["keydown", 10, "b"]), [true, true], "two keys are two acts");
  equal(acts(["button", 0, "on"], ["button", 40, "off"], ["button", 80, "on"]), [true, true, true],
    "another act lay between");
  equal(acts(["button", 0, "next"], ["button", 60, "next"], ["button", 300, "next"]), [true, false, true],
    "a mouse that bounces");
});

const systemsPart = () => ({
  pages: [0, 1].map(() => ({ width: 1000, height: 1400 })),
  places: [0, 1].flatMap((page) => [0.1, 0.4, 0.7].map((top, at) =>
    ({ page, first: 3 * page + at + 1, last: 3 * page + at + 1, box: [0.1, top, 0.9, top + 0.1] }))),
});

function systemsAt(clock) {
  const turning = new SystemTurning(systemsPart(), { width: 800, height: 500 }, () => clock.now);
  turning.go(0, true); // as a stand opens
  return turning;
}

test("a leader's order stays where it was told, until the music moves on elsewhere", () => {
  const clock = { now: 0 };
  const turning = systemsAt(clock);
  turning.follow(0);
  equal(turning.go(4, true), true, "the leader turns to the fifth system");
  for (clock.now = 0; clock.now < 10_000; clock.now += 200) equal(turning.follow(0), false, "he stands still");
  equal(turning.top, 4);
  turning.follow(1);
  equal(turning.shows(1), true, "the music goes on where it was, so the stand goes with it");
});

test("a stand that is opened stays where it was, until the music goes on", () => {
  const clock = { now: 0 };
  const turning = systemsAt(clock);
  turning.go(3, true);
  for (clock.now = 0; clock.now < 5_000; clock.now += 200) equal(turning.follow(0), false);
  turning.follow(1);
  equal(turning.shows(1), true);
  turning.go(3, true);
  turning.follow(3);
  turning.follow(4);
  equal(turning.shows(4), true, "where the music came, it leads");
});

test("any key of a pedal can be learned", () => {
  const name = (event) => keyTrigger(event) && triggerName(keyTrigger(event));
  equal(["b", "F8", " ", "MediaTrackNext", "AudioVolumeUp", "Tab"].map((key) => name({ key })),
    ["B", "F8", "Space", "Media Track Next", "Audio Volume Up", null]);
  const unnamed = { key: "Unidentified" };
  equal([name({ ...unnamed, code: "VolumeDown" }), name(unnamed), name({ key: "b", altKey: true })],
    ["Volume Down", null, null]);
});

test("a pedal by MIDI does what was learned, once for each press, also after it was plugged in again", async () => {
  localStorage.clear();
  const done = [];
  const access = { inputs: new Map([["one", { name: "Pedal", onmidimessage: null }]]), onstatechange: null };
  Object.defineProperty(navigator, "requestMIDIAccess", { configurable: true, value: async () => access });
  new Actions(() => {}, () => true).learn("controller:64", "piece");
  let isFree = true;
  new Actions((action) => done.push(action), () => isFree);
  await new Promise((next) => setTimeout(next));
  const hear = (input, timeStamp, ...data) => access.inputs.get(input).onmidimessage({ data, timeStamp });
  hear("one", 1_000, 0xb0, 64, 127);
  hear("one", 1_040, 0xb0, 64, 0);
  hear("one", 1_060, 0xb0, 64, 127); // the contact bounces
  equal(done, ["piece"]);
  hear("one", 2_000, 0x90, 60, 90); // was not learned
  access.inputs = new Map([["two", { name: "Pedal", onmidimessage: null }]]);
  access.onstatechange();
  hear("two", 3_000, 0xb0, 64, 127);
  isFree = false;
  hear("two", 4_000, 0xb0, 64, 127);
  equal(done, ["piece", "piece"]);
});
