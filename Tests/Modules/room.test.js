// The copy of a room that a stand holds.
import { test } from "node:test";

import { equal, isTrue } from "./lib/equal.js";
import { vectors } from "./lib/files.js";
import { Content } from "/stand/content.js";
import { StandCopy } from "/stand/copy.js";

const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const snapshot = (seen = "4.0") => ({ v: 1, seen, snapshot: {
  room: { id: id(1), score: id(2), name: "A", owner: id(3), isPublished: true },
  members: [{ id: id(4), user: id(3), name: "Ines", role: "owner", status: "joined" }], participations: [],
  layers: [{ id: id(5), session: id(6) }], remarks: [], ownLayers: [], ownRemarks: [],
  session: { id: id(6), began: 1, performances: [] } } });
const joined = (n) => ({ joined: { id: id(n), user: id(n), name: "N", role: "member", status: "joined" } });
const event = (seq, after, act, more = {}) => ({ v: 1, seq, after, id: id(1000 + seq), at: seq, ...act, ...more });
const ids = (copy) => copy.content.members.elements.slice(1).map((each) => Number(each.id.slice(-4)));

test("a copy says hello as new until it has got the room", () => {
  const copy = new StandCopy();
  const before = copy.hello;
  copy.receive(snapshot());
  equal([before, copy.hello], ["new", "4.0"]);
});

test("each event is taken once", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  const e = event(5, 4, joined(20));
  const first = copy.receive(e).taken.length, second = copy.receive(e).taken.length;
  equal([first, second, ids(copy)], [1, 0, [20]]);
});

test("an event before its time waits and hello is said again", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  const early = copy.receive(event(6, 5, joined(21)));
  const late = copy.receive(event(5, 4, joined(20)));
  equal([early.missing, early.taken.length, late.taken.length, ids(copy), copy.hello], [true, 0, 2, [20, 21], "6.0"]);
});

test("remarks are the scores and their events only count", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  const before = JSON.stringify(copy.content);
  const found = copy.receive(event(5, 4, { place: { id: id(20) } }));
  equal([copy.hello, found.missing, found.taken.length, JSON.stringify(copy.content) === before], [
    "5.0", false, 0, true
  ]);
});

test("an older snapshot takes nothing back", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  copy.receive(event(5, 4, joined(20)));
  copy.receive(snapshot("4.0"));
  equal(ids(copy), [20]);
});

test("a server that knows less takes its room back", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  copy.receive(event(5, 4, joined(20)));
  copy.receive(event(9, 8, joined(21)));
  copy.receive({ ...snapshot("4.0"), reset: true });
  const back = [ids(copy), copy.hello];
  copy.receive(event(7, 4, joined(22)));
  equal([...back, ids(copy), copy.hello], [[], "4.0", [22], "7.0"]);
});

test("what was made here is kept until its receipt", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  copy.make({ turn: [0, 1] }, id(500));
  copy.make({ turn: [0, 2] }, id(501));
  const again = new StandCopy(JSON.parse(JSON.stringify(copy)));
  copy.receive({ ...event(5, 4, { turn: [0, 1] }), id: id(500) });
  const before = [copy.undelivered.length, copy.content.turn];
  copy.receive({ v: 1, receipt: id(500), seq: 5 });
  copy.receive({ v: 1, id: id(501), refused: { code: "not-now", sentence: "" } });
  equal([...before, again.undelivered.map((each) => each.id), copy.undelivered.length], [
    2, [0, 1], ["00000000-0000-4000-8000-000000000500", "00000000-0000-4000-8000-000000000501"], 0
  ]);
});

test("a refusal for now keeps the event", () => {
  const copy = new StandCopy();
  copy.make({ publish: true }, id(500));
  copy.receive({ v: 1, id: id(500), refused: { code: "not-published", sentence: "" } });
  equal(copy.undelivered.length, 1);
});

test("acts do what the server does", () => {
  const copy = new StandCopy();
  copy.receive(snapshot());
  const c = copy.content;
  c.apply("joined", { id: id(40), user: id(41), name: "Otto", role: "member", status: "joined" }, 5);
  c.apply("entered", { id: id(42), session: id(6), user: id(41), part: 0, entered: 5 }, 5);
  c.apply("entered", { id: id(42), session: id(6), user: id(41), part: 2, entered: 6 }, 6);
  const part = c.participation(id(41)).part;
  c.apply("handOver", id(41), 7);
  const roles = [c.role(id(3)), c.role(id(41)), c.room.owner === id(41)];
  c.apply("expel", id(3), 8);
  const out = c.role(id(3));
  c.apply("endSession", true, 9);
  equal([part, roles, out, c.isRunning, c.participation(id(41))], [2, ["leader", "owner", true], null, false, null]);
});

test("all stands end up with the servers room however events travel", () => {
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== "object") return value;
    const keys = Object.keys(value).sort().filter((key) => value[key] !== null);
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
  };
  const plain = (content) => sorted(JSON.parse(JSON.stringify(content)));
  const evenings = vectors("room-evenings.json");
  isTrue(evenings.length > 5, "there are evenings");
  for (const { events, stands } of evenings) {
    for (const { snapshot: first, arrivals, holds } of stands) {
      const copy = new StandCopy();
      copy.receive(first);
      for (const index of arrivals) copy.receive(events[index]);
      equal(plain(copy.content), plain(new Content(holds.snapshot)));
      equal(copy.hello, holds.seen);
    }
  }
});

test("a stand follows tonight's programme as the server does", () => {
  const content = new Content(snapshot().snapshot);
  const entries = [{ id: id(20), score: id(21) }, { id: id(22), score: id(23) }];
  content.apply("evening", { isOn: true, entries }, 1);
  equal([content.isEvening, content.programme.map((entry) => entry.score), content.openScore],
    [true, [id(2), id(21), id(23)], id(2)]);
  content.apply("openScore", { entry: id(22), score: id(23) }, 2);
  content.apply("evening", { isOn: true, entries: entries.toReversed() }, 3);
  equal(content.programme.map((entry) => entry.score), [id(23), id(21)]);
  equal(new Content(JSON.parse(JSON.stringify(content))).isEvening, true);
});
