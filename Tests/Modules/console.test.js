// What the console's modules say and decide.
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import { actions } from "/console/actions.js";
import { cueKinds, fieldsOf, partMistake, partsOf, templates, withPart } from "/console/cuekinds.js";
import { readCsv, shield, unshield, writeCsv } from "/console/csv.js";
import { describeConflict, mergeRows, rowsOf } from "/console/cuerows.js";
import { eveningName, eveningWords } from "/console/evening.js";
import { ShownFaults } from "/console/faults.js";
import { TermFence } from "/console/fence.js";
import { goingWords } from "/console/giveback.js";
import { targetsReading } from "/console/health.js";
import { KeyMap, focusOf, keyName, meaningOf } from "/console/keymap.js";
import { isFollowed } from "/console/leading.js";
import { messageMistake } from "/console/messages.js";
import { placeOf, sectionPlace } from "/console/places.js";
import { tempoOf } from "/console/tempo.js";
import { timeCodeWords } from "/console/timecode.js";
import { compareEpochs, newerEpoch, readEpoch } from "/shared/epoch.js";
import { nextStep } from "/console/begin.js";
import { isTakenTwice } from "/shared/oneact.js";
import { standsWords } from "/console/stands.js";

test("faults that are over leave the list after a minute", () => {
  const fault = (id, over, count = 1) => ({ id, over, count, sentence: id });
  const faults = new ShownFaults();
  const shown = (seconds, list) => {
    if (list) faults.take(list, seconds * 1000);
    return faults.at(seconds * 1000).map(({ id, over }) => (over ? `${id} over` : id)).join(", ");
  };
  equal([shown(0, [fault("past", true), fault("input", false), fault("disk", false)]),
      shown(10, [fault("past", true), fault("input", true), fault("disk", false)]), shown(69), shown(71),
      // The fault comes again and ends between two lists.
      shown(80, [fault("past", true), fault("input", true, 2), fault("disk", false)]),
      // It comes again and stays.
      shown(90, [fault("past", true), fault("input", false, 3), fault("disk", true)]), shown(200)], [
    "input, disk", "disk, input over", "disk, input over", "disk", "disk, input over", "input, disk over", "input"
  ]);
});

test("tempo is told only while something is followed", () => {
  const at = (mode, sinceMs = 60_000) => tempoOf({ mode, sinceMs, tempo: 1.1 });
  equal([
    at("following"), at("coasting"), at("manual"), at("lost", 9000), at("lost", 11_000), at("waiting"), at("finished"),
    at("resting"), at("held"), tempoOf({ mode: "following", tempo: null })
  ], [1.1, 1.1, 1.1, 1.1, null, null, null, null, null, null]);
});

test("targets answer only if they have answered", () => {
  const target = (kind, ok, answers) => ({ kind, ok, answers });
  const packets = target("multicast", true, false);
  equal([[], [packets], [packets, target("osc", true, false)],
      [target("osc", true, true), target("mqtt", true, true)],
      [target("osc", false, true), target("osc", true, true), target("osc", true, false)]]
    .map((list) => targetsReading(list)).map(({ words, isBad }) => [words, isBad]), [
    ["None set up", false], ["None set up", false], ["1 unconfirmed", false], ["2 answering", false],
    ["1 failing · 1 answering · 1 unconfirmed", true]
  ]);
});

test("epochs compare by term then change", () => {
  const fence = new TermFence();
  equal([
    compareEpochs("1.4", "1.5") < 0, compareEpochs("1.10", "1.9") > 0, compareEpochs("2.0", "1.99") > 0,
    compareEpochs("1.4", "1.4") === 0, compareEpochs("x", "0.0") < 0, newerEpoch(undefined, "1.1"), readEpoch("1.-2"),
    readEpoch("1"), fence.admits(3, "a"), fence.admits(2), fence.admits(3), fence.admits(undefined),
    fence.admits(1, "b"), fence.term
  ], [true, true, true, true, true, "1.1", null, null, true, false, true, true, true, 1]);
});

test("key names do not depend on caps lock or layout", () => {
  equal([
    keyName({ key: " " }), keyName({ key: "g" }), keyName({ key: "G" }), keyName({ key: "L", shiftKey: true }),
    keyName({ key: "?", shiftKey: true }), keyName({ key: "¡", code: "Digit1", altKey: true }),
    keyName({ key: "Escape", shiftKey: true }), keyName({ key: "Shift" }), keyName({ key: "r", ctrlKey: true }),
    keyName({ key: "ä" })
  ], ["Space", "G", "G", "Shift+L", "?", "Alt+1", "Shift+Escape", null, "Ctrl+R", "Ä"]);
});

test("key map refuses conflicts and broken memories", () => {
  const map = new KeyMap(actions); const all = Object.values(actions).flatMap((a) => a.keys);
  const refusals = [map.bind("hold", "T"), map.bind("hold", "4"), map.bind("hold", "Enter"),
      map.bind("hold", "Ctrl+R")].every(Boolean);
  const bound = map.bind("hold", "X");
  const kept = map.changes(); const other = new KeyMap(actions);
  equal([
    new Set(all).size === all.length, refusals, bound, map.actionOf("X"), map.actionOf("H"), kept, other.restore(kept),
    other.actionOf("X"), other.restore({ hold: ["T"] }), other.actionOf("T"), other.restore({ nobody: ["X"] }),
    other.restore("x"), other.restore({ hold: [3] }), other.restore(null)
  ], [true, true, null, "hold", null, { hold: ["X"] }, true, "hold", false, "tap", false, false, false, true]);
});

test("in every state a key has one meaning: Space is GO wherever no text is typed, no Esc that closes is panic", () => {
  const digits = { takesPlace: () => true };
  const states = {
    nothing: {}, open: { isOpen: true }, justClosed: { sinceClosed: 999 }, closedBefore: { sinceClosed: 1000 },
    openAfterClosing: { isOpen: true, sinceClosed: 10 }, text: { focus: "text" },
    textInPanel: { focus: "text", isOpen: true },
    choice: { focus: "choice" }, choiceByKeyboard: { focus: "choice", byKeyboard: true },
    choiceInPanel: { focus: "choice", isOpen: true },
  };
  const row = (...keys) => Object.fromEntries(Object.entries(states).map(([name, state]) =>
    [name, keys.map((key) => meaningOf(key, /^\d$/.test(key) ? { ...state, ...digits } : state)).join(" ")]));
  equal(row("Space", "H", "P", "4", "Enter", "ArrowDown", "Escape"), {
    nothing: "show show show place show show show",
    open: "show show show place show show close",
    justClosed: "show show show place show show late",
    closedBefore: "show show show place show show show",
    openAfterClosing: "show show show place show show close",
    text: "control control control control control control leave",
    textInPanel: "control control control control control control leave",
    choice: "show show show place press show show",
    choiceByKeyboard: "show show show place press control show",
    choiceInPanel: "show show show place press show close",
  });
  const element = (localName, type) => ({ localName, type, closest() { return this; } });
  equal([element("input", "text"), element("input", "number"), element("textarea", "textarea"), element("div"),
    element("select", "select-one"), element("input", "checkbox"), element("input", "file"), null].map(focusOf),
  ["text", "text", "text", "text", "choice", "choice", "choice", null]);
});

test("places are spelled as the score spells them", () => {
  const sections = [{ label: "C" }, { label: "12a" }, { label: "Trio" }];
  equal([
    placeOf(" 57 ", sections), placeOf("c", sections), placeOf("57/2", sections), placeOf("trio", sections),
    placeOf("12A", sections), placeOf("Z", sections), sectionPlace("12a")
  ], ["57", "C", "57/2", "Trio", "s:12a", "Z", "s:12a"]);
});

test("csv round trips and names the broken line", () => {
  const rows = [["a,b", 'c"d', "e\nf", ""], ["", " g ", "ü", '"']];
  const fail = (text) => { try { readCsv(text); return ""; } catch (e) { return e.message; } };
  equal([
    JSON.stringify(readCsv(writeCsv(rows))) === JSON.stringify(rows), readCsv("\ufeffa,b\r\n\r\nc,d"),
    fail('a\n"b" c').startsWith("Line 2"), fail('a"b').startsWith("Line 1"), fail('"a').length > 0, readCsv("")
  ], [true, [["a", "b"], ["c", "d"]], true, true, true, []]);
});

test("csv of spreadsheets is read and nothing is run there", () => {
  const odd = ["=A1", "+1", "-1 dB", "@x", "\tx", "'=1", "''", "'quoted'", "don't", "a=b", ""];
  const cue = (text) => {
 const { place, name, kind, auto, earliness_ms } = rowsOf(text)[0];
      return [place, name, kind, auto, earliness_ms];
};
  equal([
    readCsv('﻿a;"b;c";d\r\n1;2;3,5'), readCsv("a\tb,c"), readCsv("sep=;\r\na,b;c"),
    cue('place;name;kind;auto;earliness_ms\n3;"Lights; blue";note;no;250,0'), cue("Place,Name,Kind\n3,'-10 dB,note"),
    odd.every((text) => unshield(shield(text)) === text), odd.map(shield).some((text) => /^[=+\-@\t]/.test(text))
  ], [
    [["a", "b;c", "d"], ["1", "2", "3,5"]], [["a\tb", "c"]], [["a,b", "c"]], ["3", "Lights; blue", "note", "no", "250"],
    ["3", "-10 dB", "note", "yes", "0"], true, false
  ]);
});

test("cues that two people change are merged", () => {
  const list = (...names) => rowsOf("place,name,kind\n" + names.map((name, at) => `${at + 1},${name},note`)
      .join("\n"));
  const base = list("A", "B", "C");
  const merge = (change, theirs) => {
      const mine = base.map((row) => ({ ...row }));
      const origins = new Map(mine.map((row, at) => [row, base[at]]));
      change(mine);
      const { rows, both } = mergeRows(base, mine, theirs, (row) => origins.get(row));
      return [rows.map((row) => row.name).join(" "), both.map(describeConflict).join(" ")];
  };
  const nothing = () => {};
  equal([
    merge(nothing, base), merge(nothing, list("A", "X", "C")),
    merge((rows) => { rows[0].name = "mine"; }, list("A", "X", "C")),
    merge((rows) => rows.splice(0, 1), list("A", "X", "C")), merge((rows) => rows.push(...list("new")), list("A", "B")),
    merge((rows) => { rows[1].name = "mine"; }, list("A", "X", "C")),
    merge((rows) => { rows[1].name = "X"; }, list("A", "X", "C")),
    merge((rows) => rows.splice(1, 1), list("A", "X", "C")), merge((rows) => { rows[2].name = "mine"; }, list("A", "B"))
  ], [
    ["A B C", ""], ["A X C", ""], ["mine X C", ""], ["X C", ""], ["A B new", ""],
    ["A X mine C", "Both of you have changed “B”: “X” is theirs, “mine” is yours; the table has both."], ["A X C", ""],
    ["A X C", ""], ["A B mine", "They have removed “C”, which you have changed; yours is in the table again."]
  ]);
});

test("what a cue says is read into named fields, and a field that is written changes nothing else", () => {
  const row = (kind, payload, target = "") => ({ kind, target, payload });
  const osc = row("osc", "/note  \"bar 57\" 57 0.5", "lights");
  const message = row("message", "Please|listen");
  equal([
    partsOf(osc), withPart(osc, "address", "/go"), withPart(osc, "words", ""), withPart(osc, "target", "qlab"),
    partsOf(message), withPart(message, "body", "sing"), withPart(message, "style", "BUTTON"),
    withPart(row("message", "a|b|BUTTON|OK"), "title", "c"), withPart(row("message", ""), "title", "c"),
    withPart(row("mqtt", "on", "lights/main"), "topic", "x"), withPart(row("slide", "3"), "text", "4")
  ], [
    { target: "lights", address: "/note", words: "\"bar 57\" 57 0.5" },
    { target: "lights", payload: "/go \"bar 57\" 57 0.5" }, { target: "lights", payload: "/note" },
    { target: "qlab", payload: "/note \"bar 57\" 57 0.5" },
    { title: "Please", body: "listen", style: "AUTO", button: "" }, { target: "", payload: "Please|sing" },
    { target: "", payload: "Please|listen|BUTTON" }, { target: "", payload: "c|b|BUTTON|OK" },
    { target: "", payload: "c|" }, { target: "x", payload: "on" }, { target: "", payload: "4" }
  ]);
  equal([row("osc", "/go"), row("osc", "go", "lights"), row("mqtt", "on"), row("message", "|"),
    row("message", "a|b|BUTTON"), row("note", ""), osc, message].map((each) => partMistake(each) === null),
  [false, false, false, false, false, true, true, true]);
  equal(templates.map(({ cue }) => [cue.kind in cueKinds, partMistake({ target: "lights", ...cue })]),
    templates.map(() => [true, null]));
});

test("a MIDI cue has the fields of its message, and keeps those that the next message has too", () => {
  const row = { kind: "midi", target: "desk", payload: "note number=60 channel=2" };
  equal([partsOf(row), withPart(row, "velocity", "1 0=0"), withPart(row, "what", "controller"),
    withPart(row, "what", "msc-go"), fieldsOf(row).map(({ key }) => key)],
  [{ target: "desk", what: "note", number: "60", velocity: "", channel: "2" },
    { target: "desk", payload: "note number=60 velocity=100 channel=2" },
    { target: "desk", payload: "controller number=60 channel=2" }, { target: "desk", payload: "msc-go" },
    ["target", "what", "number", "velocity", "channel"]]);
  equal(["msc-go", "note", "", "program number=5"].map((payload) => partMistake({ ...row, payload }) === null),
    [true, false, false, true]);
  equal(partsOf({ ...row, payload: "msc-go cue=7" }),
    { target: "desk", what: "msc-go", class: "lighting", cue: "7", list: "", path: "", device: "" });
});

test("messages keep the rules of the wire", () => {
  const base = { title: "Hi", body: "there", style: "AUTO", buttonText: "" };
  equal([
    messageMistake(base),
    ...[{ body: "a|b" }, { body: "a\nb" }, { style: "BUTTON" }, { title: "Link", buttonText: "ftp://x" },
      { title: "", body: "" }, { body: "ü".repeat(600) }]
      .map((change) => typeof messageMistake({ ...base, ...change })),
    messageMistake({ ...base, title: "Link", style: "BUTTON", buttonText: "https://x.example/" })
  ], [null, "string", "string", "string", "string", "string", "string", null]);
});

test("giving back says before where the audience goes", () => {
  const at = (measure, more = {}) =>
    ({ piece: 0, played: measure, measure, state: "following", silent: false, ...more });
  const position = { ...at(13), holder: { kind: "technician" }, audience: { view: "live" }, proving: null };
  const keys = { baton: "M", hold: "H" };
  const pieces = [{ name: "Prelude" }, { name: "Minuet" }];
  const say = (follower, p = {}, show = {}) =>
    goingWords({ position: { ...position, ...p }, follower, show, pieces, keys });
  const holder = { kind: "follower" };
  equal([
    say(at(16)), say(at(13)), say(at(4, { piece: 1 })), say(at(16, { state: "lost" })), say(at(16, { silent: true })),
    say(at(16), { proving: { measure: 16, inMs: 2100 } }), say(at(16), { holder }, { held: true }),
    say(at(64), { holder, proving: { measure: 64, inMs: 2100 } }),
    say(at(64), { holder, proving: { measure: 64, inMs: null } }),
    say(at(64), { holder }), say(at(16), { audience: { view: "frozen" } })
  ], [
    "M: the audience goes from 13 to 16", "", "M: the audience goes from 13 to bar 4 of “Minuet”",
    "M: the audience stays at 13; the follower is lost", "",
    "M: the audience goes from 13 to 16, once the follower is sure", "H: the audience goes from 13 to 16",
    "The follower is sure of bar 64: the audience goes there in 3 s",
    "The follower tries bar 64 and is not sure; the audience stays", "", "M: the position goes from 13 to 16"
  ]);
});

test("a backup is followed only while it hears the music", () => {
  const show = (role) => ({ server: { role } });
  equal([["backup", "lost"], ["backup", "following"], ["asking", "waiting"], ["main", "lost"], ["alone", "lost"]]
    .map(([role, state]) => isFollowed(show(role), { state, silent: false })), [false, true, false, true, true]);
});

test("a rehearsal says what it is, unless its title does", () => {
  equal([{ kind: "concert", title: "Grieg" }, { kind: "rehearsal", title: "Grieg" },
    { kind: "rehearsal", title: "Dress rehearsal" }, { kind: "try-out", title: "First" }].map(eveningName),
  ["Grieg", "Rehearsal: Grieg", "Dress rehearsal", "Try-out: First"]);
});

test("an evening that goes on says where, and one that is over asks to be ended", () => {
  const server = { role: "alone" };
  const show = { server, kind: "rehearsal", title: "Evening", goesOn: false, evening: "under-way", rehearsal: true };
  const position = { mode: "waiting", piece: 0, pieceName: "Grieg", measure: 10 };
  const programme = { pieces: [{}, {}], empty: false };
  const says = (more, at = {}) => eveningWords(
    { show: { ...show, ...more }, position: { ...position, ...at }, programme })?.text ?? null;
  equal([
    says({}), says({ goesOn: true }), says({ goesOn: true }, { measure: null }),
    says({ goesOn: true, server: { role: "backup" } }), says({ evening: "over", rehearsal: false }),
    says({}, { mode: "finished" }), says({}, { mode: "finished", piece: 1 }),
    says({ rehearsal: false }, { mode: "finished", piece: 1 }),
  ], [
    null, "Goes on: rehearsal, Grieg, bar 10. Begin anew?", "Goes on: rehearsal, Grieg. Begin anew?",
    null, "The last piece is over. End the evening?", null, "The last piece is over. End the evening?", null,
  ]);
});

test("next is the planned intermission, the next piece and, after the last, an encore", () => {
  const programme = { pieces: [{ name: "Bach" }, { name: "Grieg" }], intermissions: [0] };
  const at = (piece, intermission = false) => nextStep({ show: { intermission }, position: { piece }, programme });
  equal([at(0), at(0, true), at(1), nextStep({ show: {}, position: { piece: 0 }, programme: { empty: true } })], [
    { text: "Begin the intermission", words: ["intermission", "on"] },
    { text: "Start the next piece: Grieg", words: ["next-piece"] }, { text: "Add an encore", words: null }, null]);
  equal(nextStep({ show: {}, position: { piece: 0 }, programme: { ...programme, intermissions: [], encores: 1 } }).text,
    "Start the encore: Grieg");
  equal(nextStep({ show: { evening: "armed" }, position: { piece: 0, mode: "waiting" }, programme }), null);
});

test("two clicks on a great step within a second are one", () => {
  equal([isTakenTwice("end", 0), isTakenTwice("end", 900), isTakenTwice("begin", 900), isTakenTwice("end", 1_000)],
    [false, true, false, false]);
});

test("the console says how many have the music, who has no account, and which piece has no score", () => {
  const stands = { room: null, accounts: 0, people: [{ name: "Bo", hasAccount: true }], withoutScore: [] };
  equal([standsWords(stands), standsWords({ ...stands, room: "1", accounts: 1 }),
    standsWords({ ...stands, room: "1", accounts: 3, people: [{ name: "Ada", hasAccount: false }],
      withoutScore: ["Bach", "Grieg"] })],
  [[], ["1 account has the music of tonight."], ["3 accounts have the music of tonight.",
    "No account has this name: Ada.", "The library has no score of: Bach; Grieg."]]);
});

test("the time code is said with its speed and its distance from the music", () => {
  const now = { on: true, running: true, code: "02:01:05:12", rate: "25", speed: 1.1, distanceMs: 60,
    outputs: [{ name: "LTC", trouble: null }, { name: "MTC", trouble: null }] };
  equal(timeCodeWords(now), "02:01:05:12 · speed 1.10 · 60 ms behind the music (LTC, MTC, 25).");
  equal(timeCodeWords({ ...now, distanceMs: -60 }),
    "02:01:05:12 · speed 1.10 · 60 ms ahead of the music (LTC, MTC, 25).");
  equal(timeCodeWords({ ...now, distanceMs: 5 }), "02:01:05:12 · speed 1.10 · with the music (LTC, MTC, 25).");
  equal(timeCodeWords({ ...now, distanceMs: null }),
    "02:01:05:12 · speed 1.10 · runs on without the music (LTC, MTC, 25).");
  equal(timeCodeWords({ ...now, running: false, distanceMs: null }), "Stands at 02:01:05:12 (LTC, MTC, 25).");
  equal(timeCodeWords({ ...now, running: false, code: null }), "Waits for the music (LTC, MTC, 25).");
  equal(timeCodeWords({ ...now, outputs: [{ name: "MTC", trouble: "The port is away." }] }), "The port is away.");
  const half = [{ name: "MTC", trouble: "The port is away." }, { name: "LTC", trouble: null }];
  equal(timeCodeWords({ ...now, outputs: half }),
    "02:01:05:12 · speed 1.10 · 60 ms behind the music (LTC, 25). The port is away.", "the other goes on");
  equal(timeCodeWords({ ...now, on: false }), "Off: nothing is sent.");
});
