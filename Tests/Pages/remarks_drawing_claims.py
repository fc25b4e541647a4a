"""Strokes, palms, stamps and words."""

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys

from lib.repository import ROOT
from remarks_case import RemarksCase


class DrawingTest(RemarksCase):
    def test_a_finger_draws_a_line_that_stays_where_it_was_drawn(self):
        self.tool(kind="line", colour="#c8191e", width=36, layer="public")
        self.point("touch", (2000, 2000), (4000, 3000), (6000, 2000), (8000, 3000))
        [remark] = self.remarks
        self.assertEqual((remark["author"], remark["page"], remark["part"]), (self.script("return me"), 0, 0))
        self.assertEqual(remark["layer"], self.script("return layers.public"))
        self.near(remark["anchor"], [2000, 2000])
        line = remark["shape"]["line"]
        self.assertEqual(line[:2], [0, 0])
        self.near(line[-2:], [6000, 1000])
        self.assertEqual(remark["ink"], {"colour": "#c8191e", "width": 36})
        self.assertEqual(self.count("#left .remark-ink .remark path"), 1)
        self.assertEqual(self.count("canvas"), 0, "the wet ink is gone")
        self.assertEqual([self.seen(name) for name in ("downs", "taps", "swipes", "clicks")], [0, 0, 0, 0],
                         "no page was turned")

    def test_a_highlight_goes_in_any_direction_and_a_nearly_straight_one_is_straight(self):
        self.tool(kind="highlight", width=240)
        self.point("mouse", (2000, 2000), (3000, 3030), (4000, 4000))
        self.point("mouse", (8000, 6000), (8010, 7000), (8000, 8000))
        self.point("mouse", (2000, 6000), (3500, 8000), (5000, 6000))
        shapes = [remark["shape"]["highlight"] for remark in self.remarks]
        self.assertEqual([len(shape) for shape in shapes[:2]], [4, 4])
        self.near(shapes[0], [0, 0, 2000, 2000])
        self.near(shapes[1], [0, 0, 0, 2000])
        self.assertGreater(len(shapes[2]), 4, "an angle stays one")
        blend = self.script("return getComputedStyle(left.querySelector('.remark-highlights')).mixBlendMode")
        self.assertEqual(blend, "multiply")

    def test_a_tap_is_a_dot_with_the_pen_and_nothing_with_the_marker(self):
        self.tool(kind="highlight")
        self.tap(5000, 5000)
        self.assertEqual(self.remarks, [])
        self.tool(kind="line")
        self.tap(5000, 5000)
        self.assertEqual(self.remarks[0]["shape"]["line"], [0, 0])

    def test_pressure_is_kept_as_one_width(self):
        self.tool(kind="line", width=40)
        self.point("pen", (2000, 2000), (4000, 3000), pressure=0.9)
        self.point("pen", (2000, 4000), (4000, 5000), pressure=0.2)
        strong, weak = [remark["ink"]["width"] for remark in self.remarks]
        self.assertEqual((strong, weak), (56, 28))

    def test_a_stroke_never_leaves_the_page_and_never_has_too_many_points(self):
        self.tool(kind="line")
        self.point("mouse", (9000, 9500), (9990, 9990), (2000, 500, "right"), duration=60)
        line, anchor = self.remarks[0]["shape"]["line"], self.remarks[0]["anchor"]
        for at, part in enumerate(line):
            self.assertTrue(0 <= anchor[at % 2] + part <= 10_000)
        longest, off = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            import("/stand/remarks/geometry.js").then(({ simplified, squaredDistance, mostPoints }) => {
                const wild = Array.from({ length: 40000 }, (_, at) => Math.random() * 10000);
                const gentle = Array.from({ length: 4000 },
                    (_, at) => at % 2 ? 5000 + 3000 * Math.sin(at / 200) : at * 2);
                const few = simplified(gentle);
                let off = 0;
                for (let at = 0; at < gentle.length; at += 2) {
                    let least = Infinity;
                    for (let to = 2; to < few.length; to += 2) least = Math.min(least,
                        squaredDistance(gentle[at], gentle[at + 1], few[to - 2], few[to - 1], few[to], few[to + 1]));
                    off = Math.max(off, Math.sqrt(least));
                }
                done([simplified(wild).length / 2 / mostPoints, off]);
            });""")
        self.assertLessEqual(longest, 1)
        self.assertLessEqual(off, 4)

    def test_a_second_finger_takes_the_stroke_back(self):
        self.tool(kind="line")
        self.point("touch", (2000, 2000), (4000, 3000), release=False)
        self.script(
            """left.dispatchEvent(new PointerEvent("pointerdown",
                { bubbles: true, pointerId: 99, pointerType: "touch", button: 0, buttons: 1 }))""")
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        ActionBuilder(self.driver).clear_actions()
        self.assertEqual((self.remarks, self.count("canvas")), ([], 0))


class PalmTest(RemarksCase):
    def test_once_a_pen_was_seen_fingers_turn_pages_and_draw_nothing(self):
        self.tool(kind="line")
        self.point("pen", (2000, 2000), (4000, 3000), pressure=0.5)
        self.assertEqual(len(self.remarks), 1)
        self.point("touch", (8000, 5000), (5000, 5000), (2000, 5000))
        self.assertEqual(len(self.remarks), 1)
        self.assertEqual(self.seen("swipes"), 1)
        self.script("document.querySelector('[data-finger]').click()")
        self.point("touch", (8000, 5000), (5000, 5000), (2000, 5000))
        self.assertEqual((len(self.remarks), self.seen("swipes")), (2, 1))

    def test_without_a_tool_everything_goes_to_the_page(self):
        self.give({"id": "1", "anchor": [5000, 5000], "shape": {"stamp": "ff"}, "by": "anna"})
        self.tap(5000, 5000, kind="touch")
        self.assertEqual((self.seen("taps"), self.remarks[0]["anchor"]), (1, [5000, 5000]))
        self.point("touch", (8000, 5000), (2000, 5000))
        self.assertEqual(self.seen("swipes"), 1)


class StampTest(RemarksCase):
    def test_every_stamp_of_a_room_can_be_put_and_is_drawn(self):
        source = (ROOT / "Sources/Show/Rehearsal/Remark.swift").read_text()
        source = source.split("enum MusicalStamp", 1)[1].split("\n}", 1)[0]
        wanted = []
        for line in source.splitlines():
            words = line.split()
            if words[:1] == ["case"]:
                wanted.append(words[3].strip('"') if len(words) > 2 else words[1])
        self.assertEqual(len(wanted), 28)
        self.tool(kind="stamp")
        offered = self.script("return [...document.querySelectorAll('[data-stamp]')].map((each) => each.dataset.stamp)")
        self.assertEqual(sorted(offered), sorted(wanted))
        for at, name in enumerate(wanted):
            self.script("document.querySelector(`[data-stamp='${arguments[0]}']`).click()", name)
            self.tap(1200 + 2500 * (at % 4), 700 + 1300 * (at // 4))
        self.assertEqual([remark["shape"]["stamp"] for remark in self.remarks], wanted)
        drawn = self.script("return [...document.querySelectorAll('#left .remark')].map((each) => "
                            "each.querySelectorAll('path, text').length)")
        self.assertTrue(all(drawn) and len(drawn) == 28)
        self.picture("stamps-light")
        self.script("document.documentElement.dataset.paper = 'dark'")
        self.picture("stamps-dark")

    def test_a_stamp_hangs_on_the_finger_until_it_is_let_go(self):
        self.tool(kind="stamp", stamp="fermata")
        self.point("touch", (3000, 3000), (4000, 4500))
        self.near(self.remarks[0]["anchor"], [4000, 4500])
        self.assertEqual(self.count(".ghost"), 0)


class TextTest(RemarksCase):
    def field(self):
        return self.script("return document.querySelector('.remark-writing textarea')?.value ?? null")

    def test_text_is_written_in_place_and_edited_in_place(self):
        self.tool(kind="text", width=300)
        self.tap(2000, 2000, kind="touch")
        self.assertEqual(self.field(), "")
        self.press("Sul tasto", Keys.ENTER, "then <b>ord.</b>")
        self.picture("writing")
        self.press(Keys.ENTER, modifiers=[Keys.CONTROL])
        [remark] = self.remarks
        self.assertEqual(remark["shape"], {"text": "Sul tasto\nthen <b>ord.</b>"})
        self.near(remark["anchor"], [2000, 2000])
        self.assertEqual(self.count(".remark b"), 0, "text is only text")
        self.tap(2300, 2100)
        self.assertEqual(self.field(), "Sul tasto\nthen <b>ord.</b>")
        self.press("!")
        self.tap(8000, 8000)  # anywhere else ends it
        self.assertEqual(self.remarks[0]["shape"], {"text": "Sul tasto\nthen <b>ord.</b>!"})
        self.assertEqual(self.seen("keys"), [], "a pedal's keys are the text's while it is written")

    def test_escape_leaves_it_and_emptied_it_is_erased(self):
        self.tool(kind="text")
        self.tap(2000, 2000)
        self.press("no", Keys.ESCAPE)
        self.assertEqual(self.remarks, [])
        self.tap(2000, 2000)
        self.press("yes", Keys.ENTER, modifiers=[])
        self.press(Keys.ENTER, modifiers=[Keys.CONTROL])
        self.assertEqual(self.remarks[0]["shape"]["text"], "yes")
        self.tap(2100, 2050)
        self.press(Keys.BACKSPACE * 6)
        self.press(Keys.ENTER, modifiers=[Keys.CONTROL])
        self.assertEqual(self.remarks, [])

    def test_a_long_line_is_broken_at_the_pages_edge(self):
        self.tool(kind="text", width=300)
        self.tap(7000, 2000)
        self.press("one two three four five six seven eight nine ten")
        self.press(Keys.ENTER, modifiers=[Keys.CONTROL])
        self.assertGreater(self.remarks[0]["shape"]["text"].count("\n"), 0)
        frame = self.script("const [a, b] = [left.querySelector('.remark').getBoundingClientRect(), "
                            "left.getBoundingClientRect()]; return a.right <= b.right + 2")
        self.assertTrue(frame)
