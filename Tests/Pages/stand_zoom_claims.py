"""Zooming the page: fingers, double taps, keys, the wheel; what turns then, and where remarks land."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from hall_case import size
from stand_case import LANDSCAPE, PORTRAIT, StandCase

FRAME = ("const b = document.querySelector('.leaf.shown').getBoundingClientRect(); return [b.left, b.top, b.right, "
         "b.bottom]")


class ZoomTest(StandCase):
    def touch(self, kind, *points):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]})

    def pinch(self, middle, gap, wider, towards=None, steps=6, release=True):
        """Two fingers on a level line, `gap` apart, then `wider` apart about where they have gone to."""
        towards = towards or middle
        for step in range(steps + 1):
            share = step / steps
            x, y = (a + (b - a) * share for a, b in zip(middle, towards))
            half = (gap + (wider - gap) * share) / 2
            if step == 0:
                self.touch("touchStart", (x - half, y))
                self.touch("touchStart", (x - half, y), (x + half, y))
            else:
                self.touch("touchMove", (x - half, y), (x + half, y))
        if release:
            self.touch("touchEnd", (x - half, y))
            self.touch("touchEnd")

    def drag(self, begin, end, steps=5):
        self.touch("touchStart", begin)
        for step in range(1, steps + 1):
            self.touch("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(begin, end)))
        self.touch("touchEnd")

    def frame(self):
        return self.script(FRAME)

    @property
    def scale(self):
        left, _, right, _ = self.frame()
        return (right - left) / (self.whole[2] - self.whole[0])

    def enter_whole(self, **more):
        """Into the room; `whole` is the frame of the page that is not zoomed."""
        self.enter_room(**more)
        self.whole = self.frame()

    def is_near(self, value, wanted, by):
        return abs(value - wanted) <= by

    def test_two_fingers_zoom_about_their_middle(self):
        self.enter_whole()
        middle = (500, 700)
        share = [(middle[0] - self.whole[0]) / (self.whole[2] - self.whole[0]),
                 (middle[1] - self.whole[1]) / (self.whole[3] - self.whole[1])]
        self.pinch(middle, 100, 250)
        self.assertAlmostEqual(self.scale, 2.5, delta=0.06)
        left, top, right, bottom = self.frame()
        self.assertAlmostEqual(left + share[0] * (right - left), middle[0], delta=4)
        self.assertAlmostEqual(top + share[1] * (bottom - top), middle[1], delta=4)
        self.assertEqual(self.pages(), [0], "nothing has turned")
        self.assertFalse(self.shown("#top-bar"), "nothing has come up")

    def test_no_larger_than_four_times_and_no_smaller_than_whole(self):
        self.enter_whole()
        self.pinch((400, 600), 60, 600)
        self.assertAlmostEqual(self.scale, 4, delta=0.01)
        self.pinch((400, 600), 600, 20)
        self.until(lambda: self.frame() == self.whole, "the page lies as it lay")
        self.assertFalse(self.shown("#whole"))

    def test_one_finger_moves_zoomed_music_no_further_than_its_edge(self):
        self.enter_whole()
        self.pinch((410, 590), 100, 300)
        before = self.frame()
        self.drag((400, 600), (300, 500))
        after = self.frame()
        self.assertAlmostEqual(after[0] - before[0], -100, delta=14)
        self.assertAlmostEqual(after[1] - before[1], -100, delta=14)
        for _ in range(4):
            self.drag((100, 100), (800, 1100))
        left, top, *_ = self.frame()
        self.assertAlmostEqual(left, 0, delta=1)
        self.assertAlmostEqual(top, 0, delta=1)
        self.assertEqual(self.pages(), [0], "a finger that moves the music turns nothing")

    def test_a_double_tap_in_the_middle_goes_in_and_out(self):
        self.enter_whole()
        for wanted in (2, 1):
            # In one go: a busy machine may take long between two asked for one after the other.
            chain = ActionChains(self.driver, duration=0)
            chain.w3c_actions.pointer_action.move_to_location(410, 350).click().pause(0.05).click()
            chain.perform()
            self.until(lambda: self.is_near(self.scale, wanted, 0.01), f"{wanted} times as large")
        self.assertFalse(self.shown("#top-bar"), "two taps are no tap")
        self.tap(0.5)
        self.until(lambda: self.shown("#top-bar"), "one tap is one")

    def test_the_corner_leads_back_with_one_tap(self):
        self.enter_whole()
        self.assertFalse(self.shown("#whole"), "nothing is in the way")
        self.pinch((400, 600), 100, 200)
        self.until(lambda: self.text("#whole").startswith("2.0"), "the corner says how large")
        self.assertGreaterEqual(self.script("return document.getElementById('whole').offsetHeight"), 44)
        self.click("#whole")
        self.until(lambda: self.frame() == self.whole, "the whole page is seen")
        self.assertFalse(self.shown("#whole"))

    def test_keys_and_wheel_zoom(self):
        self.enter_whole()
        self.key("+")
        self.until(lambda: self.is_near(self.scale, 1.5, 0.01), "plus goes in")
        self.key("-")
        self.until(lambda: self.is_near(self.scale, 1, 0.001), "minus goes out")
        self.key("+")
        self.key("+")
        self.until(lambda: self.is_near(self.scale, 2.25, 0.01), "plus and plus")
        top = self.frame()[1]
        ActionChains(self.driver,
                     duration=0).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
        self.until(lambda: self.frame()[1] < top - 60, "Shift and an arrow move the music")
        self.key("0")
        self.until(lambda: self.frame() == self.whole, "nought shows the whole")
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": 300, "y": 300, "deltaX": 0,
                                                                 "deltaY": -200, "modifiers": 2})
        self.until(lambda: self.scale > 1.5, "the wheel with Control goes in")
        self.assertEqual(self.script("return visualViewport.scale"), 1, "the stand alone zooms, not the browser")

    def test_a_turn_shows_the_whole_of_the_next_page(self):
        self.enter_whole(part=2)
        self.pinch((400, 600), 100, 250)
        self.pedal()
        self.lies(1)
        self.assertEqual(self.frame(), self.whole)
        self.pinch((400, 600), 100, 250)
        self.tap(0.1)
        self.lies(0)
        self.assertEqual(self.frame(), self.whole)
        self.pinch((400, 600), 100, 250)
        self.rehearsal.music(30)
        self.rehearsal.music(80)
        self.lies(1)
        self.assertEqual(self.frame(), self.whole, "the music turns to a whole page as well")
        self.assertFalse(self.shown("#whole"))

    def test_another_screen_shows_the_whole(self):
        self.enter_whole()
        self.pinch((400, 600), 100, 250)
        size(self.driver, LANDSCAPE)
        self.lies(0, 1)
        size(self.driver, PORTRAIT)
        self.lies(0)
        self.until(lambda: self.frame() == self.whole, "the whole page is seen")

    def test_facing_pages_zoom_together(self):
        self.enter_room()
        size(self.driver, LANDSCAPE)
        self.lies(0, 1)
        spine = ("return [...document.querySelectorAll('.leaf.shown')].map((leaf) => "
                 "leaf.getBoundingClientRect()).map((b) => [b.left, b.right]).sort((a, b) => a[0] - b[0])")
        self.pinch((590, 400), 100, 300)
        (_, right), (left, _) = self.script(spine)
        self.assertAlmostEqual(left, right, delta=1)
        self.assertAlmostEqual(left, 590, delta=6)

    def test_what_is_zoomed_is_painted_sharply(self):
        self.enter_whole()
        width = "return document.querySelector('.leaf.shown .sheet > canvas').width"
        before = self.script(width)
        self.pinch((400, 600), 100, 200)
        self.until(lambda: self.script(width) >= 1.9 * before, "twice as many pixels")
        self.key("+")
        self.key("+")
        self.until(lambda: self.is_near(self.scale, 4, 0.01), "as large as can be")
        pixels = "const c = document.querySelector('.leaf.shown .sheet > canvas'); return c.width * c.height"
        self.until(lambda: self.script(pixels) > 8 * before * before, "more pixels still")
        self.assertLessEqual(self.script(pixels), 12_010_000, "no more than a tablet can hold")
        self.key("0")
        self.until(lambda: self.script(width) == before, "and given back")

    def test_a_remark_drawn_while_zoomed_lands_where_it_was_drawn(self):
        self.enter_whole()
        self.pinch((400, 600), 100, 250)
        self.take_pen()
        chain = ActionChains(self.driver, duration=20)
        chain.w3c_actions.pointer_action.move_to_location(300, 500).pointer_down().move_to_location(
            380, 620).move_to_location(500, 520).pointer_up()
        chain.perform()
        self.until(self.drawn, "the line is there")
        for edge, wanted in zip(self.drawn(), (300, 500, 500, 620)):
            self.assertAlmostEqual(edge, wanted, delta=8)
        left, top, right, bottom = self.frame()
        self.script("document.getElementById('remarks-done').click()")
        self.key("0")
        self.until(lambda: self.frame() == self.whole, "the whole page is seen")
        for edge, there, (zero, one), (low, high) in zip(self.drawn(), (300, 500, 500, 620),
                                                         [(left, right), (top, bottom)] * 2,
                                                         [self.whole[0::2], self.whole[1::2]] * 2):
            self.assertAlmostEqual(edge, low + (there - zero) / (one - zero) * (high - low), delta=4)

    def test_two_fingers_zoom_while_a_finger_draws_and_draw_nothing(self):
        self.enter_whole()
        self.take_pen()
        before = self.drawn_count()
        self.pinch((400, 700), 100, 200)
        self.assertAlmostEqual(self.scale, 2, delta=0.05)
        self.assertEqual(self.drawn_count(), before)
        self.drag((300, 700), (500, 800))
        self.until(lambda: self.drawn_count() == before + 1, "one finger draws")

    # -- words ----------------------------------------------------------------------------------------------

    def take_pen(self):
        """The tools up, a line in hand."""
        self.tap(0.5)
        self.click("#pencil")
        self.click("#tools [data-tool='line']")

    def drawn(self):
        """The frame of the first line on the screen: left, top, right, bottom; None if there is none."""
        return self.script("""const line = document.querySelector('.leaf.shown .remark-ink .remark .stroke');
            const b = line?.getBoundingClientRect(); return b ? [b.left, b.top, b.right, b.bottom] : null""")

    def drawn_count(self):
        """The lines on the page; other tests of the same player leave some."""
        return self.script("return document.querySelectorAll('.leaf.shown .remark-ink .remark .stroke').length")
