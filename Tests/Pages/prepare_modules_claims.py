"""The reckoning of the page that prepares pieces, asked in the browser module by module."""

from prepare_case import PrepareCase

DRAFT = """
const bar = (id, seconds, printed, more = {}) => ({ id, seconds, printed, doubt: 0, reasons: [], origin: "score",
  checked: false, ...more });
const draft = { id: "p", name: "A piece", revision: 4, beatsPerBar: 4, main: null, recordings: [], end: 9,
  marks: [{ id: "m", bar: "b", kind: "rehearsal", text: "A" }],
  bars: [bar("a", 1, 1), bar("b", 3, 2, { doubt: 0.8, reasons: ["x"] }), bar("c", 5, 3), bar("d", 7, 1)] };
const { applyEdits } = await import("/prepare/edits.js");
const after = (...edits) => applyEdits(draft, edits);
const brief = (found) => found.draft.bars.map(({ id, seconds, printed }) => `${id}${printed}@${seconds}`).join(" ");
const there = (found) => JSON.stringify({ ...applyEdits(found.draft, found.inverse).draft, revision: 4 })
  === JSON.stringify(draft);
"""
MIRROR = DRAFT + """
const { Mirror } = await import("/prepare/mirror.js");
const mirror = new Mirror();
mirror.load(draft);
const move = (bar, seconds) => ({ move: { bar, seconds } });
const time = (id) => mirror.shown.bars.find((each) => each.id === id)?.seconds ?? null;
"""


class ModuleTest(PrepareCase):
    def reckon(self, body):
        if not self.driver.current_url.endswith("/prepare"):
            self.open()
        return self.later(body)

    # -- edits ----------------------------------------------------------------------------------------------

    def test_every_edit_has_an_inverse_that_takes_it_back(self):
        self.assertEqual(self.reckon(DRAFT + """
            const all = [{ move: { bar: "b", seconds: 3.2 } }, { move: { bar: "b", seconds: 6 } },
              { insert: { bar: "n", seconds: 4, printed: 3 } }, { delete: { bar: "b" } },
              { shift: { from: "b", by: 0.5 } }, { renumber: { from: "b", number: 12 } },
              { number: { bar: "c", number: 9 } }, { check: { bar: "b", checked: true } }, { end: { seconds: null } },
              { mark: { id: "m", bar: "c", kind: "section", text: "Trio" } }, { unmark: { id: "m" } },
              { name: { name: "Another" } }, { beatsPerBar: { beats: null } },
              { replaceBars: { bars: [bar("z", 2, 1)], end: 4 } }];
            return all.filter((edit) => !there(after(edit))).map((edit) => Object.keys(edit)[0])"""), [])

    def test_a_list_of_edits_is_taken_back_as_a_whole(self):
        self.assertTrue(self.reckon(DRAFT + """return there(after({ delete: { bar: "b" } },
            { shift: { from: "c", by: 1 } },
            { insert: { bar: "n", seconds: 2, printed: 2 } }, { renumber: { from: "n", number: 5 } }))"""))

    def test_a_moved_bar_is_a_persons_and_checked(self):
        self.assertEqual(self.reckon(DRAFT + """const found = after({ move: { bar: "b", seconds: 3.21234 } });
            const { seconds, doubt, origin, checked } = found.draft.bars[1];
            return [seconds, doubt, origin, checked]"""), [3.2123, 0, "person", True])

    def test_a_bar_that_passes_its_neighbour_stands_behind_it(self):
        self.assertEqual(self.reckon(DRAFT + """return brief(after({ move: { bar: "b", seconds: 6 } }))"""),
                         "a1@1 c3@5 b2@6 d1@7")

    def test_a_shift_moves_all_that_follow_and_the_end(self):
        self.assertEqual(self.reckon(DRAFT + """const found = after({ shift: { from: "c", by: 0.5 } });
            return [brief(found), found.draft.end]"""), ["a1@1 b2@3 c3@5.5 d1@7.5", 9.5])

    def test_a_shift_that_would_pass_the_bar_before_is_skipped(self):
        self.assertEqual(self.reckon(DRAFT + """const found = after({ shift: { from: "c", by: -2.5 } });
            return [brief(found), found.skipped]"""),
                         ["a1@1 b2@3 c3@5 d1@7", ["Bar 3 would begin before bar 2."]])

    def test_numbers_count_on_to_the_next_leap(self):
        self.assertEqual(self.reckon(DRAFT + """return brief(after({ renumber: { from: "b", number: 12 } }))"""),
                         "a1@1 b12@3 c13@5 d1@7")

    def test_an_edit_of_a_bar_that_is_gone_is_skipped_and_the_others_are_not(self):
        self.assertEqual(self.reckon(DRAFT + """const found = after({ delete: { bar: "q" } }, { number: { bar: "a",
            number: 8 } }); return [found.skipped.length, found.draft.bars[0].printed]"""), [1, 8])

    # -- the copy -------------------------------------------------------------------------------------------

    def test_what_is_made_here_is_shown_at_once_and_confirmed_once(self):
        self.assertEqual(self.reckon(MIRROR + """mirror.make({ id: "1", label: "", edits: [{ shift: { from: "c",
              by: 1 } }] });
            const shown = time("d"), base = mirror.base.bars[3].seconds;
            mirror.answered("1", 5);
            return [shown, base, time("d"), mirror.base.revision, mirror.pending.length]"""), [8, 7, 8, 5, 0])

    def test_an_announcement_before_the_answer_is_not_applied_twice(self):
        self.assertEqual(self.reckon(MIRROR + """const edits = [{ shift: { from: "c", by: 1 } }];
            mirror.make({ id: "1", label: "", edits });
            mirror.heard({ revision: 5, id: "1", edits });
            return [time("d"), mirror.answered("1", 5), time("d")]"""), [8, "known", 8])

    def test_others_edits_lie_under_what_is_not_sent_yet(self):
        self.assertEqual(self.reckon(MIRROR + """mirror.make({ id: "1", label: "", edits: [move("b", 3.5)] });
            mirror.heard({ revision: 5, edits: [move("b", 2.5), move("c", 4.5)] });
            return [time("b"), time("c")]"""), [3.5, 4.5])

    def test_a_missing_revision_is_waited_for(self):
        self.assertEqual(self.reckon(MIRROR + """const early = mirror.heard({ revision: 6, edits: [move("c", 4.6)] });
            const between = time("c");
            const late = mirror.heard({ revision: 5, edits: [move("c", 4.5)] });
            return [early, between, late, time("c"), mirror.base.revision]"""), ["missing", 5, "taken", 4.6, 6])

    def test_an_announcement_without_edits_asks_to_load_again(self):
        self.assertEqual(self.reckon(MIRROR + """return mirror.heard({ revision: 5, edits: null })"""), "reload")

    def test_a_reason_for_a_doubt_is_a_sentence(self):
        self.assertEqual(self.reckon("""const { reasonWords } = await import("/prepare/inspector.js");
            return ["the recordings sound different here", "other instants fit nearly as well", "Is a tap missing?"]
              .map(reasonWords)"""), ["The recordings sound different here.", "Other moments fit nearly as well.",
                                      "Is a tap missing?"])

    def test_undo_and_redo_walk_along_the_steps(self):
        self.assertEqual(self.reckon(MIRROR + """const { UndoStack } = await import("/shared/undo.js");
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
            return walk"""), [3.2, 3.1, 3.2, 3.1, 3, 3])

    # -- the view -------------------------------------------------------------------------------------------

    def test_the_zoom_goes_from_the_whole_to_a_tenth_of_a_second_and_keeps_its_place(self):
        self.assertEqual(self.reckon("""const { TimeView } = await import("/prepare/view.js");
            const view = new TimeView();
            view.fit({ width: 1000, length: 5400 });
            view.showAll();
            const whole = view.span, at = view.seconds(400);
            for (let step = 0; step < 100; step += 1) view.zoom(1.5, 400);
            const near = [view.span.toFixed(3), Math.abs(view.seconds(400) - at) < 1e-6];
            for (let step = 0; step < 100; step += 1) view.zoom(1 / 1.5, 10);
            return [whole, ...near, view.from, view.span]"""), [5400, "0.100", True, 0, 5400])

    def test_the_view_ends_where_the_recording_does(self):
        self.assertEqual(self.reckon("""const { TimeView } = await import("/prepare/view.js");
            const view = new TimeView();
            view.fit({ width: 100, length: 50 });
            view.show(10, 20);
            view.pan(1e6);
            const right = view.to;
            view.pan(-1e6);
            return [right, view.from]"""), [50, 0])

    def test_the_bar_at_a_time_and_the_nearest_line_are_found(self):
        self.assertEqual(self.reckon(DRAFT + """const { barAt, nearestBar, firstAt, barEnd } =
              await import("/prepare/hits.js");
            const { bars } = draft;
            return [barAt(bars, 0.9), barAt(bars, 1), barAt(bars, 4.9), barAt(bars, 99), nearestBar(bars, 4.2, 1),
              nearestBar(bars, 4.2, 0.5), firstAt(bars, 3.01), barEnd(bars, 3, null, 20), barEnd(bars, 3, 9, 20)]"""),
                         [-1, 0, 1, 3, 2, -1, 2, 9, 9])

    def test_the_level_of_tiles_fits_the_zoom(self):
        self.assertEqual(self.reckon("""const { levelFor, tilesOf, lastLevel } = await import("/prepare/tiles.js");
            const kind = { column: 0.004, columns: 1024 };
            return [[0.0001, 0.004, 0.0159, 0.016, 4.3].map((pixel) => levelFor(pixel, kind)),
              tilesOf(0, 4, 12.3, 4.096), tilesOf(0, 5, 5, 4.096), lastLevel(5400, kind), lastLevel(3, kind)]"""),
                         [[0, 0, 0, 1, 5], [0, 1, 2, 3], [1], 5, 0])

    def test_few_tiles_are_asked_at_a_time_the_ones_on_the_screen_first(self):
        self.assertEqual(self.reckon("""const { TileCache } = await import("/prepare/tiles.js");
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
            return [first, second, cache.get("a"), cache.get("b"), cache.get("d")]"""),
                         [["a", "b"], ["a", "b", "c"], "A", None, "D"])

    # -- tapping and words ----------------------------------------------------------------------------------

    def test_taps_count_on_a_bounce_does_not_and_a_tap_before_begins_again_from_there(self):
        self.assertEqual(self.reckon("""const { TapSession } = await import("/prepare/taps.js");
            const taps = new TapSession(5, 4);
            for (const seconds of [1, 1.05, 3, 5]) taps.tap(seconds);
            const straight = taps.taps.map(({ bar }) => bar), expected = taps.expected;
            taps.tap(3.4);
            return [straight, expected, taps.taps.map(({ seconds, bar }) => [seconds, bar]), taps.next]"""),
                         [[5, 9, 13], 7, [[1, 5], [3, 9], [3.4, 13]], 17])

    def test_a_tap_is_put_back_by_the_time_its_key_took_to_arrive(self):
        self.assertEqual(self.reckon("""const { secondsOfTap } = await import("/prepare/taps.js");
            return Number(secondsOfTap({ timeStamp: 900 }, { seconds: 10, rate: 0.5 }, 1000).toFixed(4))"""), 9.95)

    def test_times_are_read_as_people_write_them(self):
        self.assertEqual(self.reckon("""const { secondsOf } = await import("/prepare/inspector.js");
            const { clock } = await import("/prepare/bars.js");
            return [["65.25", "1:05,25", "1:00:01", "0:03.5", "soon", ""].map(secondsOf), clock(59.999, 2),
              clock(3725.5, 1)]"""), [[65.25, 65.25, 3601, 3.5, None, None], "1:00.00", "1:02:05.5"])

    def test_bars_after_the_end_are_found_before_the_piece_is_prepared(self):
        self.assertEqual(self.reckon("""const { lateBars } = await import("/prepare/latebars.js");
            const draft = (end, ...times) => ({ end, main: "r", recordings: [{ id: "r", seconds: 90 }],
              bars: times.map((seconds, index) => ({ seconds, printed: index + 1 })) });
            return [lateBars(draft(null, 1, 89.9)), lateBars(draft(null, 1, 90, 95)), lateBars(draft(80, 1, 85)),
              lateBars({ ...draft(null, 1, 95), main: null })]"""), [
            None, {"index": 1, "sentence": "Bar 2 begins at 1:30.00, and the recording ends at 1:30.00; 2 bars lie "
                                           "after it. Move or delete them."},
            {"index": 1, "sentence": "Bar 2 begins at 1:25.00, and the piece ends at 1:20.00. Move or delete it, or "
                                     "correct the end."}, None])

    def test_one_bar_that_is_off_does_not_bend_the_tempo_curve(self):
        self.assertEqual(self.reckon("""const { tempoOf } = await import("/prepare/curves.js");
            return tempoOf([0, 2, 4, 4.5, 6.5, 8.5]).map((value) => Math.round(value))"""), [30, 30, 30, 30, 30])
