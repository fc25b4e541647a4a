// What all pages share: the outbox, what browsers keep, undo.
import { test } from "node:test";

import { equal, isTrue } from "./lib/equal.js";
import { vectors } from "./lib/files.js";
import { peopleWithTitles, titlesShape, unsentTitles } from "/edit/titlebook.js";
import { batchesShape, peopleWithChanges, unsentBatches } from "/prepare/piece.js";
import { Refusal } from "/shared/api.js";
import { InOrder, Renewal } from "/shared/changes.js";
import { compareEpochs, readEpoch } from "/shared/epoch.js";
import { openMicrophone } from "/shared/microphone.js";
import { Outbox } from "/shared/outbox.js";
import { sentenceOf } from "/shared/savedwords.js";
import { findIn } from "/shared/search.js";
import { EventParser } from "/shared/stream.js";
import { undoKey, UndoStack } from "/shared/undo.js";
import { peopleWithUnsent, Unsent } from "/shared/unsent.js";
import { wallClock } from "/shared/wallclock.js";

/** A queue, what was heard of it, and a kind of document for an outbox; `answer` is what the server does. */
function queued() {
  const held = { queue: [], heard: [], states: [], answer: async () => {} };
  const { queue, heard, states } = held;
  held.kind = {
    entries: () => queue,
    send: async (entries) => {
      await held.answer(...entries);
      heard.push(...queue.splice(0, entries.length));
    },
    refused: (entries) => queue.splice(0, entries.length),
    said: (state) => state !== states.at(-1) && states.push(state),
  };
  return held;
}

const refuse = (status, code = "") => {
  throw new Refusal("No.", status, code);
};

async function until(holds) {
  while (!holds()) await new Promise((done) => setTimeout(done, 5));
}

// What earlier versions kept of Ada: a key, the value, and the entries that are found in it.
const earlier = [
  ["baton.edit.unsent.7.page.Ada", { beat: 0, by: "Ada", entries: [{ label: "a" }] }, [{ label: "a" }]],
  ["baton.edit.titles.Ada.ode.page", { beat: 0, by: "Ada", folder: "ode", server: [], rows: [1] },
    [{ server: [], rows: [1] }]],
  ["baton.prepare.unsent.p1.Ada", [{ id: "b" }], [{ id: "b" }]],
  ["baton.prepare.unsent.p1", [{ id: "c" }], [{ id: "c" }]],
];

test("entries go out in their order and one that is refused holds up no other", async () => {
  const held = queued();
  const { heard, kind, queue, states } = held;
  held.answer = async (entry) => entry === 2 && refuse(422);
  queue.push(1, 2, 3);
  equal([await new Outbox(kind).flush(), heard, states], [true, [1, 3], ["saving", "saved"]]);
});

test("several go in one request where the kind allows it", async () => {
  const held = queued();
  const { kind, queue } = held;
  const sizes = [];
  held.answer = async (...entries) => sizes.push(entries.length);
  queue.push(1, 2, 3, 4, 5);
  await new Outbox({ ...kind, atOnce: 2 }).flush();
  equal(sizes, [2, 2, 1]);
});

test("it waits for a reason and goes on when the network is back", async () => {
  const held = queued();
  const { kind, queue, states } = held;
  const told = [];
  const reasons = [[0], [503], [429], [401], [403], [403, "other-person"], [401, "other-user"]];
  for (const [status, code] of reasons) {
    held.answer = async () => refuse(status, code);
    queue.push(status);
    const outbox = new Outbox(kind);
    told.push(await outbox.flush(), states.at(-1));
    held.answer = async () => {};
    dispatchEvent(new Event("online"));
    await until(() => queue.length === 0 && states.at(-1) === "saved");
    outbox.close();
  }
  equal(told, [
    false, "waiting", false, "waiting", false, "waiting", false, "out", false, "barred", false, "other", false, "other"
  ]);
});

test("a merge goes on at once and a conflict waits for a person", async () => {
  const held = queued();
  const { heard, kind, queue, states } = held;
  let trial = 0;
  held.answer = async () => (trial += 1) < 3 && refuse(409);
  queue.push(1);
  const outbox = new Outbox({ ...kind, met: () => (trial === 1 ? "again" : "hold") });
  const isHeld = await outbox.flush();
  const still = await outbox.flush();
  outbox.release();
  await until(() => heard.length === 1);
  equal([isHeld, still, trial, states.slice(0, 2)], [false, false, 3, ["saving", "conflict"]]);
});

test("what is mended in vain ends in waiting", async () => {
  const held = queued();
  const { kind, queue, states } = held;
  let trials = 0;
  held.answer = async () => { trials += 1; refuse(409); };
  queue.push(1);
  const outbox = new Outbox({ ...kind, met: () => "again" });
  const isSent = await outbox.flush();
  outbox.close();
  equal([isSent, trials, queue.length, states.at(-1)], [false, 41, 1, "waiting"]);
});

test("typing is waited for and saving does not wait", async () => {
  const { heard, kind, queue } = queued();
  queue.push(1);
  const outbox = new Outbox({ ...kind, pause: () => 60_000 });
  outbox.soon();
  await new Promise((done) => setTimeout(done, 60));
  const before = heard.length;
  equal([before, await outbox.flush(), heard.length], [0, true, 1]);
  outbox.close();
});

test("a device without room says so", (trial) => {
  const unsent = new Unsent("baton.edit.unsent.", 8, "Ada");
  trial.mock.method(Storage.prototype, "setItem", () => {
    throw new DOMException("full", "QuotaExceededError");
  });
  unsent.keep([1]);
  unsent.close();
  equal([unsent.isKept, sentenceOf("waiting", {}, unsent.isKept)], [
    false,
    "The server does not answer. This device has no room to keep what you made: leave this page open. " +
      "It is kept here and sent as soon as the server takes it."
  ]);
});

test("undo walks back and on and forgets what cannot be done", () => {
  const steps = new UndoStack(3);
  let now = 0;
  const go = (to) => { steps.push({ label: `to ${to}`, back: now }); now = to; };
  const turn = ({ back, label }) => { const reverse = { label, back: now }; now = back; return reverse; };
  const walk = [];
  [1, 2, 3, 4].forEach(go);
  for (const course of ["undo", "undo", "redo", "undo", "undo", "undo"]) {
    walk.push(steps[course](turn)?.isDone ?? null, now);
  }
  const labels = [steps.undoLabel, steps.redoLabel];
  go(9);
  const lost = steps.undo(() => null);
  equal([walk, labels, steps.canRedo, lost.isDone, steps.canUndo], [
    [true, 3, true, 2, true, 3, true, 2, true, 1, null, 1], [null, "to 2"], false, false, false
  ]);
});

test("what earlier versions kept is found and carried over", () => {
  localStorage.clear();
  for (const [key, value] of earlier) localStorage.setItem(key, JSON.stringify(value));
  equal([peopleWithUnsent("baton.edit.unsent.", 7, "Bea"), peopleWithTitles("ode", "Bea"),
    peopleWithChanges("p1", "Bea")], [["Ada"], ["Ada"], ["Ada"]]);
  const found = [new Unsent("baton.edit.unsent.", 7, "Ada"),
    new Unsent(unsentTitles, "ode", "Ada", { shape: titlesShape }),
    new Unsent(unsentBatches, "p1", "Ada", { shape: batchesShape })].map((each) => [each.take(), each.close()][0]);
  equal(found, [earlier[0][2], earlier[1][2], [...earlier[2][2], ...earlier[3][2]]]);
  equal(Object.values(localStorage).filter((value) => !value.startsWith('{"taken"')).length, 3);
});

test("what a page that died left is taken over by one that is open", (trial) => {
  let beat;
  trial.mock.method(globalThis, "setInterval", (act) => (beat = act));
  localStorage.clear();
  const place = (page, name) => `baton.edit.unsent.9.${page}.${name}`;
  const leave = (page, by, age, entry) => localStorage.setItem(place(page, by),
    JSON.stringify({ of: "9", by, beat: wallClock() - age, entries: [entry] }));
  let found;
  const page = new Unsent("baton.edit.unsent.", 9, "Ada", { left: () => (found = page.takeLeft()) });
  page.keep(["here"]);
  leave("dead", "Ada", 20_000, "left");
  leave("alive", "Ada", 0, "of another window");
  leave("dead", "Bea", 20_000, "of somebody else");
  beat();
  page.close();
  const mine = Object.entries(localStorage).find(([key]) => key.includes(sessionStorage["baton.edit.page"]));
  const gone = JSON.parse(localStorage.getItem(place("dead", "Ada")));
  equal([found, JSON.parse(mine[1]).entries, page.takeLeft(), Object.keys(gone), Object.keys(localStorage).length],
    [["left"], ["here", "left"], [], ["taken"], 4]);
});

test("after a sleep the pages that are alive keep what is theirs, and one that slept longer lets go", (trial) => {
  const beats = [];
  trial.mock.method(globalThis, "setInterval", (act) => beats.push(act));
  localStorage.clear();
  const open = (entries) => {
    sessionStorage.clear();
    const held = { entries, found: [] };
    held.page = new Unsent("baton.edit.unsent.", 9, "Ada", {
      left: () => held.found.push(...held.page.takeLeft()), taken: () => (held.entries = []),
    });
    held.page.keep(entries);
    return held;
  };
  const [one, other] = [open(["one"]), open([])];
  const begun = wallClock();
  let now = begun + 60_000;
  trial.mock.method(Date, "now", () => now);
  beats[1](); // the device wakes, and the page without changes first
  beats[0]();
  const afterSleep = other.found.length;
  now += 4_000;
  beats.forEach((beat) => beat());
  const afterRest = other.found.length;
  // Only the first page is frozen.
  for (let round = 0; round < 6; round += 1) {
    now += 4_000;
    beats[1]();
  }
  const taken = [...other.found];
  one.page.look();
  one.page.close();
  other.page.close();
  equal([afterSleep, afterRest, taken, one.entries], [0, 0, ["one"], []]);
});

test("of a page that was duplicated, neither makes the other forget", () => {
  localStorage.clear();
  let isTaken = false;
  const pages = [0, 1].map(() => new Unsent("baton.edit.unsent.", 9, "Ada", { taken: () => (isTaken = true) }));
  pages[0].keep(["one"]);
  pages[1].keep([]);
  for (const page of pages) {
    page.look();
    page.close();
  }
  equal(isTaken, false);
});

test("a reading that began before it was asked for is not enough", async () => {
  let [begun, going] = [0, 0];
  const ends = [];
  const renewal = new Renewal(async () => {
    begun += 1;
    going += 1;
    equal(going, 1, "one after the other");
    const mine = begun;
    await new Promise((done) => ends.push(done));
    going -= 1;
    if (mine === 2) throw new Refusal("No.", 503, "");
    return mine;
  });
  const asked = [renewal.ask()];
  await until(() => ends.length === 1);
  asked.push(renewal.ask(), renewal.ask());
  ends[0]();
  await until(() => ends.length === 2);
  asked.push(renewal.ask());
  ends[1]();
  await until(() => ends.length === 3);
  ends[2]();
  equal(await Promise.all(asked.map((each) => each.catch(({ status }) => status))), [1, 503, 503, 3]);
});

test("changes in any order are taken once each and in theirs", () => {
  const numbers = [1, 2, 3, 4, 5, 6];
  for (let trial = 0; trial < 200; trial += 1) {
    const taken = [];
    const order = new InOrder(0, (change) => void taken.push(change));
    // Each may come several times, in an order of its own for each trial.
    const heard = [...numbers, ...numbers].sort((one, other) => ((one * 7919 + trial * 31) % 13)
      - ((other * 104729 + trial * 17) % 11));
    const last = heard.map((number) => order.heard(number, `c${number}`)).at(-1);
    equal([taken, order.at, ["taken", "known"].includes(last)], [numbers.map((number) => `c${number}`), 6, true]);
  }
});

test("a change that cannot be taken waits until everything is read", () => {
  const taken = [];
  const order = new InOrder(4, (change) => change !== null && void taken.push(change));
  const heard = [order.heard(6, "six"), order.heard(5, null), order.heard(4, "old"), order.reach(5)];
  equal([heard, taken, order.at], [["missing", "reload", "known", "taken"], ["six"], 6]);
});

test("the keys of undo are the same on all pages", () => {
  const press = (key, more = {}) =>
    undoKey({ key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, ...more });
  equal([press("z"), press("Z", { shiftKey: true }), press("y"), press("z", { altKey: true }),
    press("z", { ctrlKey: false, metaKey: true }), press("z", { ctrlKey: false }), press("s")],
  ["undo", "redo", "redo", null, "undo", null, null]);
});

test("epochs compare by number", () => {
  equal([
    compareEpochs("1.10", "1.9") > 0, compareEpochs("2.0", "1.99") > 0, compareEpochs("1.4", "1.4"),
    compareEpochs("x", "0.0") < 0, readEpoch("1.4.2")
  ], [true, true, 0, true, null]);
});

test("searching knows accents", () => {
  const marked = (pieces) => pieces.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("");
  equal(findIn("zurich", ["Grüße aus Zürich"]).map(marked), ["Grüße aus [Zürich]"]);
  equal(findIn("fur beeth", ["Für Elise", "Beethoven"]).map(marked), ["[Für] Elise", "[Beeth]oven"]);
});

test("an event stream may be cut anywhere", () => {
  const text = 'retry: 500\r\n\r\ndata: {"a":1}\r\n\r\n' +
    "event: beat\ndata: {}\n\n: still\n\ndata: x\ndata: y\n\n";
  const whole = new EventParser().feed(text);
  equal(whole, [{ name: "message", data: '{"a":1}' }, { name: "beat", data: "{}" }, { name: "message", data: "x\ny" }]);
  for (let at = 1; at < text.length; at += 1) {
    const parser = new EventParser();
    equal([...parser.feed(text.slice(0, at)), ...parser.feed(text.slice(at))], whole, `cut at ${at}`);
  }
});

const marked = (pieces) => pieces?.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("") ?? null;

test("search finds what the vectors say", () => {
  for (const { keyword, fields, found } of vectors("search.json").cases) {
    equal(findIn(keyword, fields)?.map(marked) ?? null, found, `${keyword} in ${fields}`);
  }
});

test("search marks every match in the text as it was written", () => {
  for (const [keyword, text, expected] of [
    ["dvorak", "Antonín Dvořák", "Antonín [Dvořák]"], ["DVOŘÁK", "dvorak", "[dvorak]"],
    ["e\u0301te", "L’été", "L’[été]"], ["ete", "L’e\u0301te\u0301", "L’[e\u0301te\u0301]"],
    ["strasse", "Königstraße 7", "König[straße] 7"], ["чайков", "П. И. ЧАЙКОВСКИЙ", "П. И. [ЧАЙКОВ]СКИЙ"],
    ["viet", "Việt Nam", "[Việt] Nam"], ["l'ete", "L’été", "[L’été]"],
    ["an", "Anna and Hans", "[An]na [an]d H[an]s"], ["no 5 sym", "Symphony No. 5", "[Sym]phony [No]. [5]"],
    ["aa", "aaaaa", "[aaaa]a"], ["xyz", "Symphony", null], ["  ", "Symphony", "Symphony"],
  ]) equal(marked(findIn(keyword, [text])?.[0]), expected, keyword);
});

/** A browser with a microphone of a rate; gives its parts. `refuses` are rates that it makes no context of. */
function microphoneOf(sampleRate, refuses = []) {
  const track = Object.assign(new EventTarget(), { muted: false, label: "Headset", stop() {}, getSettings: () => ({
    sampleRate, echoCancellation: false, noiseSuppression: false, autoGainControl: false }) });
  const contexts = [];
  class AudioContext extends EventTarget {
    state = "running";
    resumed = 0;
    audioWorklet = { addModule: async () => {} };
    constructor({ sampleRate: asked = 44_100 } = {}) {
      super();
      if (refuses.includes(asked)) throw new DOMException("no such rate", "NotSupportedError");
      this.sampleRate = asked;
      contexts.push(this);
    }

    createMediaStreamSource = () => ({ connect() {}, disconnect() {} });
    close = async () => {};
    resume = async () => {
      this.resumed += 1;
    };
  }
  const stream = { getAudioTracks: () => [track], getTracks: () => [track] };
  const parts = { isSecureContext: true, AudioContext, AudioWorkletNode: class { port = { postMessage() {} }; },
    navigator: { mediaDevices: { getUserMedia: async () => stream } } };
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return { track, contexts };
}

test("a microphone is heard at its own rate, or at the browser's where that is refused", async () => {
  microphoneOf(8_000);
  equal((await openMicrophone({ block() {}, ended() {} })).rate, 8_000);
  microphoneOf(8_000, [8_000]);
  equal((await openMicrophone({ block() {}, ended() {} })).rate, 44_100);
});

test("a microphone that is muted, interrupted or in the background says so and goes on; one that is gone ends",
  async () => {
    const { track, contexts } = microphoneOf(48_000);
    const said = [];
    const problems = [];
    const microphone = await openMicrophone({ block() {}, halted: (sentence) => said.push(sentence),
      ended: (problem) => problems.push(problem.reason) });
    const [context] = contexts;
    const mute = (muted) => {
      track.muted = muted;
      track.dispatchEvent(new Event(muted ? "mute" : "unmute"));
    };
    mute(true);
    mute(false);
    isTrue(said[0].includes("stopped the microphone") && said[1] === "", said.join());
    context.state = "interrupted";
    context.dispatchEvent(new Event("statechange"));
    equal(said.length, 3);
    const before = context.resumed;
    document.visibilityState = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    equal(context.resumed, before + 1, "the page is in front again");
    // A headset is switched off: the device's own microphone goes on, at the rate that was.
    track.dispatchEvent(new Event("ended"));
    await new Promise((done) => setTimeout(done, 0));
    isTrue(said.at(-1).includes("Another one of this device listens"), said.at(-1));
    equal([microphone.rate, contexts.length, problems], [48_000, 1, []]);
    // There is no other one.
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException("none", "NotFoundError");
    };
    track.dispatchEvent(new Event("ended"));
    await new Promise((done) => setTimeout(done, 100));
    equal(problems[0], "lost");
  });
