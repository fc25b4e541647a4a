"""The stand's own reckoning, asked in the browser module by module."""

import json
import pathlib

from stand_case import StandCase

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Vectors"

SNAPSHOT = """
const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const snapshot = (seen = "4.0") =>
    ({ v: 1, seen, snapshot: { room: { id: id(1), score: id(2), name: "A", owner: id(3), isPublished: true },
  members: [{ id: id(4), user: id(3), name: "Ines", role: "owner", status: "joined" }], participations: [],
  layers: [{ id: id(5), session: id(6) }], remarks: [], ownLayers: [], ownRemarks: [],
  session: { id: id(6), began: 1, performances: [] } } });
const joined = (n) => ({ joined: { id: id(n), user: id(n), name: "N", role: "member", status: "joined" } });
const event = (seq, after, act, more = {}) => ({ v: 1, seq, after, id: id(1000 + seq), at: seq, ...act, ...more });
const { StandCopy } = await import("/stand/copy.js");
const copy = new StandCopy();
const ids = () => copy.content.members.elements.slice(1).map((each) => Number(each.id.slice(-4)));
"""


def vectors(name):
    """Cases that other tests hold against the server's own code."""
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


class ModuleTest(StandCase):
    def ask(self, body, *given):
        self.driver.get(self.base + "/stand")
        return self.later(body, *given)

    def acts(self, *events):
        """Which of the events `(kind, ms, key)` begin an act of their own: keydown, repeat, or begins by a button."""
        return self.ask("""const { OneAct } = await import("/shared/oneact.js");
            const acts = new OneAct();
            return given[0].map(([kind, timeStamp, key]) => kind === "keyup" ? acts.release({ timeStamp, key }) ?? null
                : kind === "button" ? acts.begins(key, { timeStamp })
                : acts.beginsWithKey({ timeStamp, key, repeat: kind === "repeat" }));""", events)

    def presses(self, *times, key="PageDown", hold=20):
        """Which presses of a key begin an act, each released after so many ms."""
        events = sorted([("keydown", at, key) for at in times] + [("keyup", at + hold, key) for at in times],
                        key=lambda event: event[1])
        return [each for each in self.acts(*events) if each is not None]

    def test_one_press_of_a_pedal_is_one_act(self):
        self.assertEqual(self.presses(0, 60), [True, False], "a contact that bounces")
        self.assertEqual(self.presses(*range(0, 400, 50)), [True] + [False] * 7, "a pedal that repeats by itself")
        self.assertEqual(self.presses(0, 160, 320, 480), [True] * 4, "pages turned quickly on purpose")
        self.assertEqual(self.presses(0, 410, hold=400), [True, False], "a contact that bounces when it opens")
        self.assertEqual(self.presses(0, 480, hold=400), [True, True], "80 ms after the release")
        held = [("keydown", 0, "a"), *(("repeat", at, "a") for at in range(500, 2000, 33)), ("keyup", 2000, "a")]
        self.assertEqual([each for each in self.acts(*held) if each], [True], "a key that is held")
        without_flag = [("keydown", at, "a") for at in range(0, 3000, 500)]
        self.assertEqual(self.acts(*without_flag), [True] + [False] * 5, "held, and the browser does not say so")
        self.assertEqual(self.acts(("keydown", 0, "a"), ("keydown", 1100, "a")), [True, True], "a keyup was lost")
        self.assertEqual(self.acts(("keydown", 0, "a"), ("keydown", 10, "b")), [True, True], "two keys are two acts")
        self.assertEqual(self.acts(("button", 0, "on"), ("button", 40, "off"), ("button", 80, "on")), [True] * 3,
                         "another act lay between")
        self.assertEqual(self.acts(("button", 0, "next"), ("button", 60, "next"), ("button", 300, "next")),
                         [True, False, True], "a mouse that bounces")

    def copy(self, body):
        return self.ask(SNAPSHOT + body)

    def test_a_copy_says_hello_as_new_until_it_has_got_the_room(self):
        self.assertEqual(self.copy("const before = copy.hello; copy.receive(snapshot()); return [before, copy.hello]"),
                         ["new", "4.0"])

    def test_each_event_is_taken_once(self):
        self.assertEqual(self.copy("""copy.receive(snapshot()); const e = event(5, 4, joined(20));
            const first = copy.receive(e).taken.length, second = copy.receive(e).taken.length;
            return [first, second, ids()]"""), [1, 0, [20]])

    def test_an_event_before_its_time_waits_and_hello_is_said_again(self):
        self.assertEqual(self.copy("""copy.receive(snapshot());
            const early = copy.receive(event(6, 5, joined(21)));
            const late = copy.receive(event(5, 4, joined(20)));
            return [early.missing, early.taken.length, late.taken.length, ids(), copy.hello]"""),
                         [True, 0, 2, [20, 21], "6.0"])

    def test_remarks_are_the_scores_and_their_events_only_count(self):
        self.assertEqual(self.copy("""copy.receive(snapshot()); const before = JSON.stringify(copy.content);
            const found = copy.receive(event(5, 4, { place: { id: id(20) } }));
            return [copy.hello, found.missing, found.taken.length, JSON.stringify(copy.content) === before]"""),
                         ["5.0", False, 0, True])

    def test_an_older_snapshot_takes_nothing_back(self):
        self.assertEqual(self.copy("""copy.receive(snapshot()); copy.receive(event(5, 4, joined(20)));
            copy.receive(snapshot("4.0")); return ids()"""), [20])

    def test_a_server_that_knows_less_takes_its_room_back(self):
        self.assertEqual(self.copy("""copy.receive(snapshot()); copy.receive(event(5, 4, joined(20)));
            copy.receive(event(9, 8, joined(21)));
            copy.receive({ ...snapshot("4.0"), reset: true }); const back = [ids(), copy.hello];
            copy.receive(event(7, 4, joined(22))); return [...back, ids(), copy.hello]"""),
                         [[], "4.0", [22], "7.0"])

    def test_what_was_made_here_is_kept_until_its_receipt(self):
        self.assertEqual(self.copy("""copy.receive(snapshot());
            copy.make({ turn: [0, 1] }, id(500)); copy.make({ turn: [0, 2] }, id(501));
            const again = new StandCopy(JSON.parse(JSON.stringify(copy)));
            copy.receive({ ...event(5, 4, { turn: [0, 1] }), id: id(500) });
            const before = [copy.undelivered.length, copy.content.turn];
            copy.receive({ v: 1, receipt: id(500), seq: 5 });
            copy.receive({ v: 1, id: id(501), refused: { code: "not-now", sentence: "" } });
            return [...before, again.undelivered.map((each) => each.id), copy.undelivered.length]"""),
            [2, [0, 1], ["00000000-0000-4000-8000-000000000500", "00000000-0000-4000-8000-000000000501"], 0])

    def test_a_refusal_for_now_keeps_the_event(self):
        self.assertEqual(self.copy("""copy.make({ publish: true }, id(500));
            copy.receive({ v: 1, id: id(500), refused: { code: "not-published", sentence: "" } });
            return copy.undelivered.length"""), 1)

    def test_acts_do_what_the_server_does(self):
        self.assertEqual(self.copy("""copy.receive(snapshot()); const c = copy.content;
            c.apply("joined", { id: id(40), user: id(41), name: "Otto", role: "member", status: "joined" }, 5);
            c.apply("entered", { id: id(42), session: id(6), user: id(41), part: 0, entered: 5 }, 5);
            c.apply("entered", { id: id(42), session: id(6), user: id(41), part: 2, entered: 6 }, 6);
            const part = c.participation(id(41)).part;
            c.apply("handOver", id(41), 7); const roles = [c.role(id(3)), c.role(id(41)), c.room.owner === id(41)];
            c.apply("expel", id(3), 8); const out = c.role(id(3));
            c.apply("endSession", true, 9);
            return [part, roles, out, c.isRunning, c.participation(id(41))]"""),
                         [2, ["leader", "owner", True], None, False, None])

    def test_remarks_for_all_parts_stand_where_the_server_prints_them(self):
        # The figures of aRemarkForAllPartsStandsAtItsBarAboveTheStaffAndIsLargeEnoughToRead in ScoreRemarkTests.swift.
        found = self.ask("""
            const { shownInPart, measureOf } = await import("/stand/remarks/everypart.js");
            const bars = (from, top, height, width) => [0, 1, 2, 3].map((at) => ({ page: 0, first: from + at,
                last: from + at, box: [0.1 + width * at, top, 0.1 + width * (at + 1), top + height] }));
            const page = { width: 1000, height: 2000 };
            const score = { parts: [{ pages: [page], places: [...bars(1, 0.05, 0.4, 0.2), ...bars(5, 0.55, 0.4, 0.2)] },
              { pages: [page, { width: 1000, height: 1000 }], places: [...bars(1, 0.2, 0.02, 0.1),
                { page: 1, first: 5, last: 7, box: [0.1, 0.5, 0.4, 0.54] }] }] };
            const forAll = (x, y, shape, width = 100) => ({ id: "a", layer: "l", author: "b", part: 0, page: 0,
                anchor: [x, y], shape, ink: { colour: "#c8191e", width }, parts: "all" });
            const shown = (...remarks) => shownInPart(remarks, 1, score)
                .map(({ page: at, anchor, shape, ink, copyOf }) => [at, anchor, shape, ink.width, copyOf]);
            return [shown(forAll(4000, 2500, { text: "dim." })),
                shown(forAll(4000, 2500, { line: [0, 0, 100, 50] }, 20),
                  forAll(4200, 2400, { line: [0, 0, 0, 100] }, 20)),
                shown(forAll(4000, 300, { stamp: "fermata" })), shown(forAll(4000, 4700, { stamp: "fermata" })),
                shown(forAll(4000, 7000, { stamp: "glasses" })), shown(forAll(9900, 9990, { stamp: "f" })),
                shown(forAll(8000, 7000, { stamp: "f" })), measureOf(forAll(9900, 9990, { stamp: "f" }), score)]""")
        text, strokes, above, below, rest, *nowhere = found
        self.assertEqual(text, [[0, [2500, 1865], {"text": "dim."}, 230, "a"]])
        self.assertEqual([each[1][0] for each in strokes], [2500, 2600])
        self.assertEqual(strokes[0][1][1] - strokes[1][1][1], 70)
        self.assertEqual(strokes[0][2], {"line": [0, 0, 70, 35]})
        self.assertEqual((above[0][1][1], below[0][1][1]), (1820, 2340))
        self.assertEqual((rest[0][0], rest[0][1][0]), (1, 2500))
        self.assertEqual(nowhere, [[], [], None])

    def test_search_finds_what_the_vectors_say(self):
        cases = vectors("search.json")["cases"]
        found = self.ask("""const { findIn } = await import("/shared/search.js");
            const marked = (pieces) => pieces.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join("");
            return given[0].map(({ keyword, fields }) => findIn(keyword, fields)?.map(marked) ?? null)""", cases)
        for case, fields in zip(cases, found, strict=True):
            self.assertEqual(fields, case["found"], case)

    def test_all_stands_end_up_with_the_servers_room_however_events_travel(self):
        evenings = vectors("room-evenings.json")
        held = self.ask("""
            const { StandCopy } = await import("/stand/copy.js");
            const { Content } = await import("/stand/content.js");
            const sorted = (value) => {
              if (Array.isArray(value)) return value.map(sorted);
              if (value === null || typeof value !== "object") return value;
              const keys = Object.keys(value).sort().filter((key) => value[key] !== null);
              return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
            };
            const plain = (content) => JSON.stringify(sorted(JSON.parse(JSON.stringify(content))));
            return given[0].map(({ events, stands }) => stands.map(({ snapshot, arrivals, holds }) => {
              const copy = new StandCopy(); copy.receive(snapshot);
              for (const index of arrivals) copy.receive(events[index]);
              return [plain(copy.content) === plain(new Content(holds.snapshot)), copy.hello];
            }))""", evenings)
        self.assertEqual(held, [[[True, stand["holds"]["seen"]] for stand in evening["stands"]]
                                for evening in evenings])
        self.assertGreater(len(evenings), 5)

    def test_search_marks_every_match_in_the_text_as_it_was_written(self):
        cases = [
            ("dvorak", "Antonín Dvořák", "Antonín [Dvořák]"), ("DVOŘÁK", "dvorak", "[dvorak]"),
            ("e\u0301te", "L’été", "L’[été]"), ("ete", "L’e\u0301te\u0301", "L’[e\u0301te\u0301]"),
            ("strasse", "Königstraße 7", "König[straße] 7"), ("чайков", "П. И. ЧАЙКОВСКИЙ", "П. И. [ЧАЙКОВ]СКИЙ"),
            ("viet", "Việt Nam", "[Việt] Nam"), ("l'ete", "L’été", "[L’été]"),
            ("an", "Anna and Hans", "[An]na [an]d H[an]s"), ("no 5 sym", "Symphony No. 5", "[Sym]phony [No]. [5]"),
            ("aa", "aaaaa", "[aaaa]a"), ("xyz", "Symphony", None), ("  ", "Symphony", "Symphony"),
        ]
        self.driver.get(self.base + "/stand")
        self.assertEqual(self.later("""const { findIn } = await import("/shared/search.js");
            const written = ({ text, isMatch }) => (isMatch ? `[${text}]` : text);
            const marked = (pieces) => pieces?.map(written).join("") ?? null;
            return given[0].map(([keyword, text]) => marked(findIn(keyword, [text])?.[0]))""",
            [case[:2] for case in cases]), [expected for _, _, expected in cases])

    def test_pages_lie_as_the_hub_lays_them(self):
        self.assertEqual(self.ask("""const { sheetOf, pressed, likely } = await import("/stand/sheets.js");
            const press = (view, way, more) =>
                Object.values(pressed(view, way, { facing: "single", count: 5, ...more }));
            return [[0, 1, 2, 3].map((page) => sheetOf(page, "pages")),
                [0, 1, 2, 3].map((page) => sheetOf(page, "book")),
              press({ page: 1, ahead: null }, "forward"), press({ page: 4, ahead: null }, "forward"),
              press({ page: 3, ahead: 1 }, "forward"),
              press({ page: 1, ahead: null }, "forward", { byHalves: true }),
              press({ page: 0, ahead: null }, "forward", { facing: "pages" }),
              press({ page: 1, ahead: null }, "back", { facing: "book" }),
                  likely({ page: 2, ahead: null }, "single", 5)]"""),
            [[0, 0, 2, 2], [-1, 1, 1, 3], [2, None], [4, None], [1, None], [1, 2], [2, None], [-1, None], [2, 3, 1, 4]])

    def test_a_press_just_after_the_music_turned_means_the_same_turn(self):
        self.assertEqual(self.ask("""const { Turning } = await import("/stand/turning.js"); let now = 0;
            const turning = new Turning(() => now); turning.open({ page: 0, count: 9 });
            turning.follow({ page: 1 }); now = 399; const same = turning.press("forward"); now = 401;
            const next = turning.press("forward");
            return [same, next, turning.view.page]"""), [None, 2, 2])

    def test_the_players_own_page_wins_over_an_older_wish_and_falls_in_again(self):
        self.assertEqual(self.ask("""const { Turning } = await import("/stand/turning.js"); let now = 5000;
            const turning = new Turning(() => now); turning.open({ page: 0, count: 9 });
            turning.press("forward"); turning.press("forward"); const stale = turning.follow({ page: 1 });
            const stays = turning.view.page;
            turning.follow({ page: 2 }); const falls = turning.follow({ page: 3 });
            turning.press("back"); turning.follow({ page: 4 }); now += 1001; const settled = turning.settle();
            return [stale, stays, falls, settled, turning.view.page]"""), [False, 2, True, True, 4])

    def test_what_is_played_is_read_or_told_what_is_wrong_with_it(self):
        self.assertEqual(self.ask("""const { measuresOf, readPassages, written } = await import("/stand/played.js");
            const score = { parts: [{ places: [{ first: 0, last: 4, page: 0 }] },
                { places: [{ movement: 0, first: 3, last: 88, page: 0 },
                { movement: 1, first: 1, last: 9, page: 1 }] }] };
            const read = (text) => { const { passages, fault } = readPassages(text, [1, 88]);
                return passages ? written(passages) : fault ?? null; };
            return [[0, 1, 2].map((number) => measuresOf(score, number)),
                [" 1-32,1 – 80;88", "", "1–", "a", "32–1", "0–4", "5–89", "-3"].map(read),
              readPassages("1-900000").fault !== undefined]"""),
            [[[0, 88], [1, 9], None],
             ["1–32, 1–80, 88", None, "“1–” is no passage; write first and last measure, as in 1–32, 1–80.",
              "“a” is no passage; write first and last measure, as in 1–32, 1–80.",
              "32–1 goes backwards; write the lower measure first.",
              "There is no measure 0; the measures go from 1 to 88.",
              "There is no measure 89; the measures go from 1 to 88.",
              "“-3” is no passage; write first and last measure, as in 1–32, 1–80."], True])

    def test_rests_that_follow_each_other_are_counted_as_one(self):
        self.assertEqual(self.ask("""const { restAt } = await import("/stand/rests.js");
            const part = { rests: [{ movement: 0, first: 1, last: 25 }, { movement: 0, first: 26, last: 41 },
                { movement: 0, first: 43, last: 43 }] };
            return [restAt(part, 0, 30), restAt(part, 0, 42), restAt(part, 1, 30), restAt(part, 0, 43).left]"""),
            [{"measures": 41, "counted": 30, "left": 12, "entry": 42}, None, None, 1])

    def test_a_bar_that_was_entered_in_its_middle_says_nothing_of_how_long_bars_last(self):
        self.assertEqual(self.ask("""const { Pace } = await import("/stand/rests.js");
            const pace = new Pace(); const lengths = [];
            const hear = (bar, at, isSure = true) => { pace.hear(bar, at, isSure); lengths.push(pace.seconds); };
            hear(7, 10); hear(8, 10.5); hear(9, 12.5);   // the first was heard half
            pace.forget(); hear(12, 30); hear(13, 30.4); hear(14, 32.4);   // a restart, in the middle of 12
            return lengths"""), [None, None, 2, 2, 2, 2])

    def test_the_seconds_of_a_rest_only_fall(self):
        self.assertEqual(self.ask("""const { Countdown } = await import("/stand/rests.js");
            const down = new Countdown(); const at = (left, seconds, entry = 42) => down.show({ entry, left }, seconds);
            return [at(10, 20), at(9, 23), at(8, 16), at(8, 17), at(12, 24), at(3, 9, 60)]"""), [20, 20, 16, 16, 24, 9])

    def test_the_newer_of_two_pages_is_told_by_how_long_each_lies_there(self):
        self.assertEqual(self.ask("""const { serverIsNewer } = await import("/stand/whereabouts.js");
            const home = (at, now) => ({ now, whereabouts: { at } });
            // The clocks of device and server are years apart.
            return [serverIsNewer(home(9_000, 10_000), { at: 500 }, 3_500),
                serverIsNewer(home(7_000, 10_000), { at: 3_000 }, 3_500),
                serverIsNewer(home(9_000, 10_000), { at: 2_300 }, 3_500),
                serverIsNewer(home(undefined, 10_000), { at: 0 }, 3_500),
                serverIsNewer(null, { at: 1 }), serverIsNewer(home(9_000, 10_000), null)]"""),
                         [True, False, False, False, False, False])

    def test_an_event_stream_may_be_cut_anywhere(self):
        self.assertEqual(self.ask("""const { EventParser } = await import("/shared/stream.js");
            const text = 'retry: 500\\r\\n\\r\\ndata: {"a":1}\\r\\n\\r\\n' +
                'event: beat\\ndata: {}\\n\\n: still\\n\\ndata: x\\ndata: y\\n\\n';
            const whole = JSON.stringify(new EventParser().feed(text)); const different = [];
            for (let at = 1; at < text.length; at += 1) {
              const parser = new EventParser();
              const parts = JSON.stringify([...parser.feed(text.slice(0, at)), ...parser.feed(text.slice(at))]);
              if (parts !== whole) different.push(at);
            }
            return [whole, different]"""),
            ['[{"name":"message","data":"{\\"a\\":1}"},{"name":"beat","data":"{}"},{"name":"message","data":"x\\ny"}]',
             []])

    def test_a_bar_named_by_its_number_is_on_the_page_that_holds_it(self):
        self.assertEqual(self.ask("""const { pinpointBar, knownMovements } = await import("/stand/frombar.js");
            const { pinpointPlace } = await import("/stand/places.js");
            const place = (page, first, last, box, movement = 0) => ({ movement, page, first, last, box });
            const score = { movements: [{}, {}, {}],
                parts: [{ pages: [1, 2], places: [place(0, 1, 8), place(1, 9, 16, [0, .2, 1, .4])] },
              { pages: [1], places: [place(0, 1, 16), place(0, 1, 4, null, 2)] }] };
            const [whole, boxed, other] = [pinpointBar(score, 0, 0, 5), pinpointBar(score, 0, 0, 9),
                pinpointBar(score, 0, 2, 4)];
            return [whole, pinpointPlace(whole, 0, score), pinpointPlace(whole, 1, score).page, boxed.page, boxed.point,
              [other.part, other.page], pinpointBar(score, 0, 0, 17), knownMovements(score)]"""),
            [{"part": 0, "page": 0, "point": [5000, 5000], "movement": 0, "measure": 5},
             {"page": 0, "box": None, "point": None}, 0, 1, [5000, 3000],
             [1, 0], None, [0, 2]])

    def test_a_tap_means_the_bar_it_hits_or_the_nearest_line(self):
        self.assertEqual(
            self.ask("""const { placeAt, pinpointOf, pinpointPlace, pageInPart } = await import("/stand/places.js");
            const place = (page, first, last, box) => ({ movement: 0, page, first, last, box });
            const score = { parts: [{ pages: [1, 2], places: [place(0, 1, 1, [0, 0, .5, .2]),
                place(0, 2, 2, [.5, 0, 1, .2]), place(1, 3, 3, [0, 0, 1, .2])] },
              { pages: [1], places: [place(0, 1, 2, [0, 0, .5, .1]), place(0, 3, 3, [.5, 0, 1, .1])] }] };
            const pin = pinpointOf(.6, .3, 0, 0, score);
            return [placeAt(score.parts[0], 0, .1, .1).first, pin.measure, pinpointPlace(pin, 1, score).box,
                pinpointPlace(pin, 0, score).page,
              pageInPart([0, 1], 1, score), pageInPart([0, 7], 0, score)]"""), [1, 2, [0, 0, 0.5, 0.1], 0, 0, None])

    def test_what_is_kept_is_found_again_where_the_browser_has_lost_the_connection(self):
        self.assertEqual(self.ask("""const { things } = await import("/stand/store.js");
            await things.put("kept", 7);
            const { transaction } = IDBDatabase.prototype;
            let lost = 0;
            IDBDatabase.prototype.transaction = function (...all) {
              if (lost++ === 0) throw new DOMException("Connection to Indexed Database server lost.",
                  "InvalidStateError");
              return transaction.apply(this, all);
            };
            try { return [await things.get("kept"), lost]; } finally { IDBDatabase.prototype.transaction = transaction;
                }"""), [7, 2])
