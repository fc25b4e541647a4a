// What happens when: the table of docs/editing.md, each line with each kind of document that is kept on the device.
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import { actOf, hall, room, score } from "./lib/hall.js";
import { disk } from "./lib/indexeddb.js";
import { kinds, people } from "./lib/kinds.js";
import { wallClock } from "/shared/wallclock.js";

const kept = "What you made is kept on this device and sent";
const { ines, anna } = people;
const answer = (status, value) => () => new Response(typeof value === "string" ? value : JSON.stringify(value),
  { status });

async function until(holds, claim) {
  for (let trials = 0; !(await holds()); trials += 1) {
    if (trials > 500) throw new Error(`In vain: ${claim}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Tries a case with every kind, as Ines on a fresh device. */
function each(claim, run) {
  for (const [name, kind] of Object.entries(kinds)) {
    test(`${name}: ${claim}`, async (trial) => {
      localStorage.clear();
      sessionStorage.clear();
      disk.clear();
      disk.isFull = false;
      hall.begin();
      const open = [];
      const page = async (me = ines, ...how) => {
        open.push(await kind.open(me, ...how));
        return open.at(-1);
      };
      try {
        await run({ kind, page, trial });
      } finally {
        hall.begin();
        for (const each of open) each.die();
      }
    });
  }
}

const texts = () => hall.taken.map(([, text]) => text);
const isDone = async (document, text) => {
  await until(() => texts().includes(text), `the server has ${text}, not ${texts()}`);
  await until(async () => (await document.look?.(), !document.waits()), "nothing waits");
};
const says = (document, state, sentence) => document.state
  && until(() => JSON.stringify(document.state().slice(0, 2)) === JSON.stringify([state, sentence]),
    `${state}: ${sentence}, not ${document.state?.()}`);

// What is in the way, what the page says, and that it goes out once that is over.
const ways = [
  ["the network is gone", () => hall.cut(), "waiting",
    `The server does not answer. ${kept} as soon as the server takes it.`],
  ["the server is in trouble", () => (hall.trouble = answer(503, { error: "The disk is full.", code: "full" })),
    "waiting", `The disk is full. ${kept} as soon as the server takes it.`],
  ["the server asks for patience", () => (hall.trouble = answer(429, { error: "Too much at once.", code: "too-fast" })),
    "waiting", `Too much at once. ${kept} as soon as the server takes it.`],
  ["a network asks for a sign-in of its own", () => (hall.trouble = answer(200, "<html>Welcome to the hotel")),
    "waiting", `The server's answer could not be read. ${kept} as soon as the server takes it.`],
  ["a network finds nothing", () => (hall.trouble = answer(404, "<html>Not found")),
    "waiting", `The server refused (404). ${kept} as soon as the server takes it.`],
  ["the sign-in has expired", () => (hall.me = null), "out", `You are signed out. ${kept} when you sign in.`],
  ["the account may not do this now", () => (hall.trouble = answer(403, { error: "Ask an editor.", code: "role" })),
    "barred", `Ask an editor. ${kept} when your account may do this; an administrator can help.`],
];
// The list of tabs says by itself who is signed in; a tab that the server does not take is told with its title.
const isToldAsTab = (kind, state) => kind === kinds.tabs && state !== "waiting";

for (const [claim, obstruct, state, sentence] of ways) {
  each(`${claim}: it waits, the page says why, and it is sent afterwards`, async ({ kind, page }) => {
    const document = await page();
    obstruct();
    document.change("Mine");
    if (!isToldAsTab(kind, state)) await says(document, state, sentence);
    await until(async () => (await document.look?.(), document.waits()), "it waits");
    equal(texts(), []);
    hall.me = ines;
    hall.mend();
    await isDone(document, "Mine");
  });
}

each("another person is signed in: it is never sent in that one's name", async ({ kind, page }) => {
  const document = await page();
  hall.cut();
  document.change("Of Ines");
  await until(async () => (await document.look?.(), document.waits()), "it waits");
  document.die();
  // Anna has signed in, in another window and then in this one.
  hall.me = anna;
  hall.mend();
  const hers = await page(anna);
  hers.change("Of Anna", 2);
  await until(() => texts().includes("Of Anna"), "what Anna made is sent");
  if (!kind.isShared) document.change("Of Ines, later");
  await new Promise((done) => setTimeout(done, 60));
  equal([...new Set(hall.taken.map(String))], ["Anna,Of Anna"]);
  hers.die();
  hall.me = ines;
  const again = await page(ines);
  await until(() => texts().some((text) => text.startsWith("Of Ines")), "what Ines made is sent");
  await until(async () => (await again.look?.(), !again.waits()), "nothing waits");
  equal(hall.taken.filter(([who, text]) => text.startsWith("Of Ines") !== (who === "Ines")), []);
});

each("what the server will never take holds up nothing", async ({ page }) => {
  const document = await page();
  hall.cut();
  document.change("Bad");
  document.change("Good");
  hall.mend((body) => (body.includes("Bad") ? answer(422, { error: "Not this.", code: "invalid" })() : null));
  await until(() => texts().includes("Good"), "the next one is sent");
  equal([...new Set(texts())], ["Good"]);
});

each("a reload, also without the network, loses nothing", async ({ page }) => {
  const document = await page();
  hall.cut();
  document.change("Mine");
  await until(async () => (await document.look?.(), document.waits()), "it waits");
  document.die();
  hall.mend();
  await isDone(await page(), "Mine");
});

each("two windows lose nothing of each other", async ({ page, trial }) => {
  const windows = [await page()];
  sessionStorage.clear();
  windows.push(await page());
  hall.cut();
  for (const [at, window] of windows.entries()) window.change(`Window ${at}`, at);
  for (const window of windows) await until(async () => (await window.look?.(), window.waits()), "it waits");
  // The browser is ended, and opened again later.
  for (const window of windows) window.die();
  sessionStorage.clear();
  const later = wallClock() + 20_000;
  trial.mock.method(Date, "now", () => later);
  hall.mend();
  await page();
  await until(() => ["Window 0", "Window 1"].every((text) => texts().includes(text)),
    `both are sent, not ${texts()}`);
});

each("a device without room says so, and sends it while the page is open", async ({ kind, page, trial }) => {
  const document = await page();
  hall.cut();
  disk.isFull = true;
  const full = trial.mock.method(Storage.prototype, "setItem", () => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const isTaken = await document.change("Mine");
  if (kind.isShared) {
    // Its form stays open.
    equal(isTaken, false);
    return;
  }
  await says(document, "waiting", "The server does not answer. This device has no room to keep what you made: leave "
    + "this page open. It is kept here and sent as soon as the server takes it.");
  full.mock.restore();
  disk.isFull = false;
  hall.mend();
  await isDone(document, "Mine");
});

each("a device that slept sends at once when somebody looks at it", async ({ page, trial }) => {
  const document = await page();
  // Timers stand still while a device sleeps: what it hears of is that the page is seen.
  const { setTimeout } = globalThis;
  trial.mock.method(globalThis, "setTimeout", (act, ms = 0) => (ms < 500 ? setTimeout(act, ms) : undefined));
  hall.cut();
  document.change("Mine");
  await until(async () => (await document.look?.(), document.waits()), "it waits");
  await until(() => !document.state || document.state()[0] === "waiting", "the page says so");
  hall.isCut = false;
  globalThis.document.visibilityState = "visible";
  globalThis.document.dispatchEvent(new Event("visibilitychange"));
  await isDone(document, "Mine");
});

each("what an earlier version of the page kept is carried over", async ({ kind, page }) => {
  await kind.older(ines);
  const document = await page();
  await isDone(document, "Old");
  equal(texts(), ["Old"]);
});

test("what waits in rooms and scores that are not open goes out in the name of its author alone", async () => {
  localStorage.clear();
  disk.clear();
  hall.begin();
  for (const kind of ["a room", "remarks in a score"]) await kinds[kind].older(ines);
  const { Device } = await import("/stand/device.js");
  const { deliverWaiting, UnsentActs } = await import("/stand/unsentacts.js");
  const device = new Device();
  const [said, stand] = [[], "66666666-6666-4666-8666-666666666666"];
  const deliver = (open = []) => deliverWaiting(device, stand, open, (sentence) => said.push(sentence));
  await deliver();
  device.admit(anna);
  await deliver();
  device.admit(ines);
  hall.me = anna;
  await deliver();
  const before = texts();
  hall.me = ines;
  // The page of the score delivers its own.
  await deliver([null, { acts: new UnsentActs("remarks", ines.id, score) }]);
  equal([before, hall.taken], [[], [["Ines", "Old"]]]);
  await deliver();
  await deliver();
  equal([hall.taken, said], [[["Ines", "Old"], ["Ines", "Old"]], []]);
});

test("what the server does not take is taken back with its sentence, also in a room that is not open", async () => {
  localStorage.clear();
  disk.clear();
  hall.begin();
  const { Device } = await import("/stand/device.js");
  const { deliverWaiting, UnsentActs } = await import("/stand/unsentacts.js");
  const device = new Device();
  device.admit(ines);
  const acts = new UnsentActs("room", ines.id, room);
  await acts.keep([actOf({ rename: "Bad" }), actOf({ rename: "Early" })]);
  hall.trouble = (body) => answer(200, JSON.parse(body).map(({ id, rename }) => ({ v: 1, id,
    refused: { code: rename === "Bad" ? "invalid" : "not-published", sentence: `${rename}: no.` } })))();
  const said = [];
  await deliverWaiting(device, "66666666-6666-4666-8666-666666666666", [], (sentence) => said.push(sentence));
  const left = await new UnsentActs("room", ines.id, room).take();
  equal([said, left.map(({ rename }) => rename)], [["Bad: no."], ["Early"]]);
});
