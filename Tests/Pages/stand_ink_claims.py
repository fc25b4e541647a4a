"""Remarks of a stand: the ink lies where the pen was, however late the page's style comes."""

from selenium.webdriver.common.action_chains import ActionChains

from hall_case import size
from stand_case import LANDSCAPE, PHONE, PORTRAIT, StandCase

HEIGHT = 0.73  # of the page: where the line is drawn
OFF = 0.01  # of the page: as far the ink may lie from the pen


class InkTest(StandCase):
    def again(self):
        """Into the room once more with all that the device has kept, as after a crash."""
        self.driver.get("about:blank")
        self.open()
        self.until(lambda: self.screen() == "reader" and self.is_painted(), "the music lies there again", 10)

    def take_the_pen(self):
        if not self.shown("#top-bar"):
            self.tap(0.5)
        self.until(lambda: self.shown("#pencil")
                   and self.script("return !document.getElementById('pencil').hasAttribute('aria-disabled')"),
                   "remarks are open")
        self.click("#pencil")
        self.until(lambda: self.script("return !document.querySelector('[data-layer=public]').dataset.why"),
                   "the session is known")
        self.click("[data-layer='public']")
        # What was in hand last is in hand again.
        if self.script("return document.querySelector('[data-tool=line]').ariaPressed") != "true":
            self.click("[data-tool='line']")

    def draw(self, left, height):
        """A line across the page, a fifth of its width long."""
        frame = self.script("const f = document.querySelector('.leaf.shown .whole').getBoundingClientRect(); return "
                            "[f.left, f.top, f.width, f.height]")
        pointer = (chain := ActionChains(self.driver, duration=0)).w3c_actions.pointer_action
        at = lambda x: (int(frame[0] + x * frame[2]), int(frame[1] + height * frame[3]))  # noqa: E731
        pointer.move_to_location(*at(left)).pointer_down()
        for step in range(1, 6):
            pointer.move_to_location(*at(left + 0.04 * step))
        pointer.pointer_up()
        chain.perform()

    def kept(self):
        return self.rehearsal.room()["remarks"]

    def ink(self):
        """The middle of each line that is seen, in shares of its page."""
        return self.script("""const page = document.querySelector(".leaf.shown .whole").getBoundingClientRect();
            return [...document.querySelectorAll(".leaf.shown .remark-ink .remark path")].map((path) =>
                path.getBoundingClientRect())
                .map((box) => [(box.left + box.width / 2 - page.left) / page.width,
                    (box.top + box.height / 2 - page.top) / page.height])""")

    def lies_right(self, count):
        self.until(lambda: len(self.ink()) == count, f"{count} lines are seen, not {len(self.ink())}")
        for at, (x, y) in enumerate(self.ink()):
            self.assertAlmostEqual(x, 0.2 + 0.1 * at + 0.1, delta=OFF)
            self.assertAlmostEqual(y, HEIGHT, delta=OFF)

    def test_ink_lies_where_the_pen_was_at_every_entry_with_a_slow_style(self):
        self.rehearsal.wire.slow["remarks.css"] = 3
        self.enter_room(part=2)
        paper = self.rehearsal.score["parts"][2]["pages"][0]
        box = f"0 0 10000 {round(10_000 * paper['height'] / paper['width'])}"
        for entry in range(3):
            if entry > 0:
                self.again()
            self.take_the_pen()
            self.assertEqual(
                self.script("return document.querySelector('.leaf.shown .remark-ink').getAttribute('viewBox')"), box)
            self.draw(0.2 + 0.1 * entry, HEIGHT)
            self.until(lambda: len(self.kept()) == entry + 1, "the room has the line")
            remark = self.kept()[-1]
            self.assertAlmostEqual(remark["anchor"][1] / 10_000, HEIGHT, delta=OFF)
            self.assertEqual(remark["paper"], [paper["width"], paper["height"]])
            self.lies_right(entry + 1)
        # The same on stands of other sizes.
        self.click("#remarks-done")
        # A phone would show systems by itself.
        self.click("#settings")
        self.click("#dialog [data-value='single']")
        self.script("document.getElementById('dialog').close()")
        for screen in (PHONE, LANDSCAPE, PORTRAIT):
            size(self.driver, screen)
            self.again()
            self.lies_right(3)

    def test_nothing_is_drawn_before_the_page_is_laid_out(self):
        self.enter_room(part=2)
        self.take_the_pen()
        self.script("document.querySelector('.leaf.shown').style.height = '70%'")
        self.draw(0.2, 0.8)
        self.assertIn("not laid out yet", self.text(".remark-said"))
        self.assertEqual(self.kept(), [])

    def test_a_line_that_was_pressed_onto_the_lower_edge_is_shown_as_unsure_until_its_author_says_it_is_right(self):
        self.enter_room(part=2)
        user = self.script("return JSON.parse(localStorage.getItem('baton.stand.device')).current")
        layer = self.rehearsal.room()["layers"][-1]["id"]
        flat = {"id": "10000000-0000-4000-8000-000000000001", "layer": layer, "author": user, "part": 2, "page": 0,
                "anchor": [2000, 10_000], "shape": {"line": [0, 0, 1000, 0, 2000, 0]},
                "ink": {"colour": "#1a4fd6", "width": 36}}
        right = {**flat, "id": "10000000-0000-4000-8000-000000000002", "anchor": [2000, 5000]}
        for remark in (flat, right):
            self.rehearsal.act("otto", place=remark)
        self.until(lambda: self.script("return document.querySelectorAll('.leaf.shown .remark').length") == 2,
                   "both are seen")
        unsure = lambda: self.script("return [...document.querySelectorAll('.remark.unsure')].map((each) => "
                                     "each.dataset.remark)")  # noqa: E731
        self.assertEqual(unsure(), [flat["id"]])
        self.assertIn("place unsure", self.text(".leaf.shown .remark-ink"))
        self.take_the_pen()
        self.click("[data-tool='select']")
        self.script("document.querySelector('.remark.unsure').focus()")
        self.click(".remark-keep")
        self.until(lambda: unsure() == [], "its author has said so")
        self.until(lambda: "paper" in self.kept()[0], "the room knows it")
