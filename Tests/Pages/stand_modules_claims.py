"""The stand's own reckoning, asked in the browser module by module."""

from stand_case import StandCase


class ModuleTest(StandCase):
    def ask(self, body, *given):
        self.driver.get(self.base + "/stand")
        return self.later(body, *given)

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
