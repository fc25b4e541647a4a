"""Keyboard, screen reader, paper; and how long it takes with many."""

from selenium.webdriver.common.keys import Keys

from browser import resize
from remarks_case import MEASURED, RemarksCase


class AccessTest(RemarksCase):
    def test_remarks_are_told_focused_moved_and_deleted_by_keyboard(self):
        self.give({"id": "1", "anchor": [2000, 2000], "shape": {"stamp": "up-bow"}},
                  {"id": "2", "anchor": [5000, 5000], "shape": {"text": "Dolce"}, "by": "anna"})
        self.assertEqual(self.count(".remark[tabindex]"), 0, "while playing, keys are the pedal's")
        self.tool(kind="select")
        labels = self.script("return [...document.querySelectorAll('.remark')].map((each) => "
                             "each.getAttribute('aria-label'))")
        self.assertEqual(labels, [
            "Up-bow, by you, everybody in this part, 20 percent from the left, 20 percent from the top",
            "Text “Dolce”, by Anna Berg, everybody in this part, 50 percent from the left, 50 percent from the top"])
        self.script("document.querySelector('.remark').focus()")
        self.assertEqual(self.count(".remark-frame"), 1, "focus is shown")
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        self.until(lambda: self.remarks[0]["anchor"] != [2000, 2000], "the move is sent")
        ratio = self.script("return left.clientHeight / left.clientWidth")
        self.near(self.remarks[0]["anchor"], [2080, 2000 + round(40 / ratio)], off=2)
        self.assertEqual(len(self.acts), 1, "one act for all presses")
        self.assertTrue(self.script("return document.activeElement.dataset.remark === '1'"), "focus stays")
        self.press(Keys.DELETE)
        self.assertEqual([remark["id"] for remark in self.remarks], ["2"])
        self.assertEqual(self.script("return document.activeElement.dataset.remark"), "2")
        self.press(Keys.DELETE)
        self.assertEqual(len(self.remarks), 1)
        self.assertIn("Only its author", self.script("return document.querySelector('.remark-said').textContent"))
        self.assertEqual(self.seen("keys"), [], "no page was turned by them")

    def test_stamps_and_texts_are_put_by_keyboard(self):
        self.tool(kind="stamp", stamp="glasses")
        self.script("document.querySelector('.remark-cross').focus()")
        self.press(Keys.ARROW_UP, Keys.ENTER)
        self.assertEqual(self.remarks[0]["shape"], {"stamp": "glasses"})
        self.assertLess(self.remarks[0]["anchor"][1], 5000)
        self.picture("cross")
        self.tool(kind="text")
        self.script("document.querySelector('.remark-cross').focus()")
        self.press(Keys.ENTER)
        self.press("piano", Keys.NULL)
        self.press(Keys.ENTER, modifiers=[Keys.CONTROL])
        self.assertEqual(self.remarks[1]["shape"], {"text": "piano"})

    def test_controls_have_names_and_room_for_fingers(self):
        self.tool(kind="stamp")
        small = self.script(
            """return [...document.querySelectorAll('.remark-tools button')].filter((each) => !each.hidden)
                .filter((each) => {
            const { width, height } = each.getBoundingClientRect();
            return width < 44 || height < 44 || !each.getAttribute('aria-label'); }).length""")
        self.assertEqual(small, 0)
        for size, name in (((390, 844), "phone"), ((820, 1180), "tablet")):
            resize(self.driver, size)
            self.assertLessEqual(self.script("return document.querySelector('.remark-tools').scrollWidth"), size[0])
            self.picture(f"controls-{name}")
        resize(self.driver, (1180, 900))

    def test_ink_is_light_on_black_paper_and_left_alone_where_a_filter_inverts_it_too(self):
        self.give({"id": "1", "anchor": [5000, 5000], "shape": {"text": "Dolce"},
                   "ink": {"colour": "#000000", "width": 300}})
        colour = lambda: self.script("return getComputedStyle(left.querySelector('.remark')).color")
        self.assertEqual(colour(), "rgb(0, 0, 0)")
        self.script("document.documentElement.dataset.paper = 'dark'")
        self.until(lambda: colour() == "rgb(255, 255, 255)", "black ink is white on black paper")
        self.open()
        self.give({"id": "1", "anchor": [5000, 5000], "shape": {"text": "Dolce"},
                   "ink": {"colour": "#000000", "width": 300}})
        self.script("left.style.filter = 'invert(1)'; document.documentElement.dataset.paper = 'dark'")
        self.until(lambda: self.script("return right.querySelector('.remarks').dataset.ground") == "dark",
                   "the other page")
        self.assertEqual(colour(), "rgb(0, 0, 0)")

    def test_printing_shows_the_remarks_and_nothing_else(self):
        self.open("dark")
        self.give({"id": "1", "anchor": [5000, 5000], "shape": {"text": "Print me"}})
        self.tool(kind="select")
        self.tap(5200, 5100)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = self.script("return ['.remark-tools', '.remark-bar', '.remark-frame', '.remark'].map((each) => "
                            "document.querySelector(each).getClientRects().length > 0)")
        colour = self.script("return getComputedStyle(document.querySelector('.remark')).color")
        self.picture("print")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual(shown, [False, False, False, True])
        self.assertEqual(colour, "rgb(200, 25, 30)")


class SizeTest(RemarksCase):
    def test_a_room_of_ten_thousand_remarks_draws_only_the_pages_shown(self):
        times = self.script("""
            const all = fill(10_000, 33);
            const took = (work) => { const began = performance.now(); work(); left.getBoundingClientRect();
                return performance.now() - began; };
            const state = () => ({ ...room.state, remarks: all });
            const first = took(() => r.update(state()));
            const again = Array.from({ length: 9 }, () => took(() => r.update(state()))).sort((a, b) => a - b)[4];
            all[0] = { ...all[0], anchor: [50, 50] };
            const one = took(() => r.update(state()));
            const turn = took(() => { r.detach(left);
                r.attach(left, { part: 0, page: 7, paper: { width: 210, height: 297 } }); });
            return { first, again, one, turn, shown: document.querySelectorAll("#left .remark").length };""")
        MEASURED["10,000 remarks, 2 pages shown: ms at first, unchanged, one changed, page turned"] = times
        self.assertEqual(times["shown"], 303)

    def test_a_page_with_300_remarks_is_drawn_whole(self):
        times = self.script("""
            const all = fill(300, 1);
            const runs = Array.from({ length: 9 }, () => {
                r.update({ ...room.state, remarks: [] });
                const began = performance.now();
                r.update({ ...room.state, remarks: structuredClone(all) });
                left.getBoundingClientRect();
                return performance.now() - began;
            }).sort((a, b) => a - b);
            return { median: runs[4], worst: runs[8] };""")
        MEASURED["page with 300 remarks, ms"] = times
        self.assertEqual(self.count("#left .remark"), 300)

    def test_a_stroke_among_300_remarks_becomes_one_remark(self):
        self.tool(kind="line")
        times = self.script("""
            r.update({ ...room.state, remarks: fill(300, 1) });
            const frame = left.getBoundingClientRect();
            const traits = (at, more = {}) => ({ bubbles: true, cancelable: true, pointerId: 7, pointerType: "pen",
                button: 0, buttons: 1, pressure: 0.5,
                clientX: frame.left + 50 + at, clientY: frame.top + 200 + 40 * Math.sin(at / 30), ...more });
            const fire = (name, at, more) => left.dispatchEvent(new PointerEvent(name, traits(at, more)));
            fire("pointerdown", 0);
            const times = [];
            for (let at = 4; at < 400; at += 1) {
                const near = (count, step) => Array.from({ length: count },
                    (_, each) => new PointerEvent("pointermove", traits(at + each * step)));
                const more = { coalescedEvents: near(4, 0.25), predictedEvents: near(2, 4) };
                const began = performance.now();
                fire("pointermove", at, more);
                times.push(performance.now() - began);
            }
            const began = performance.now();
            fire("pointerup", 400);
            const commit = performance.now() - began;
            times.sort((a, b) => a - b);
            return { median: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)], worst: times.at(-1),
                commit };""")
        MEASURED["stroke among 300 remarks: ms for an event with 4 samples, and to commit it"] = times
        self.assertEqual(len(self.remarks), 1)
