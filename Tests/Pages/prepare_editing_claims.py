"""Bars by mouse, finger and keyboard; two people at once; cuts."""

from selenium.webdriver.common.keys import Keys

from browser import press, resize, started
from prepare_case import DESKTOP, PHONE, PrepareCase

WHOLE = 95.057  # seconds of the recording


class HandTest(PrepareCase):
    """A mouse and fingers on the stage."""

    def setUp(self):
        super().setUp()
        self.open(self.restored())

    def test_a_dragged_line_moves_its_bar_and_undo_brings_it_back(self):
        before = self.times()
        x = self.x_of(20, WHOLE)
        self.drag((x, 120), (x + 6, 120))
        self.saved()
        after = self.times()
        self.assertAlmostEqual(after[20] - before[20], 6 * WHOLE / DESKTOP[0], delta=0.03)
        self.assertEqual(after[:20] + after[21:], before[:20] + before[21:])
        self.assertEqual(self.bars()[20]["origin"], "person")
        self.with_keys(Keys.CONTROL, "z")
        self.until(lambda: self.times() == before, "undo brings it back")
        self.with_keys(Keys.CONTROL, "y")
        self.until(lambda: self.times() == after, "redo moves it again")

    def test_dragging_moves_everything_after_if_it_is_told_to(self):
        before = self.times()
        x = self.x_of(30, WHOLE)
        self.click(".transport [aria-label^='Dragging moves everything']")
        self.drag((x, 120), (x + 8, 120))
        self.saved()
        by = self.times()[30] - before[30]
        self.assertGreater(by, 0.2)
        self.assertEqual([round(a - b, 4) for a, b in zip(self.times(), before)], [0] * 30 + [round(by, 4)] * 34)

    def test_a_line_cannot_be_dragged_past_its_neighbours(self):
        x = self.x_of(20, WHOLE)
        self.drag((x, 120), (x + 300, 120))
        self.saved()
        times = self.times()
        self.assertLess(times[20], times[21])
        self.assertGreater(times[20], times[21] - 0.1)

    def test_a_double_click_puts_in_a_bar_and_the_numbers_count_on(self):
        before = self.bars()
        x = (self.x_of(4, WHOLE) + self.x_of(5, WHOLE)) / 2
        box = self.script("const box = document.querySelector('.stage').getBoundingClientRect(); return [box.x, box.y]")
        for count in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, (box[0] + x, box[1] + 120), count)
        self.saved()
        self.until(lambda: len(self.bars()) == 65, "there is one more")
        self.assertEqual([bar["printed"] for bar in self.bars()][:16], list(range(1, 17)))
        self.keys(Keys.DELETE)
        self.until(lambda: self.bars() == before, "taken out, all is as before")

    def test_the_wheel_zooms_where_the_mouse_is_and_scrolls_with_shift(self):
        self.script("document.querySelector('.overview').scrollIntoView()")
        self.script("""const stage = document.querySelector(".stage"), box = stage.getBoundingClientRect();
            for (let step = 0; step < 40; step += 1) stage.dispatchEvent(new WheelEvent("wheel", { deltaY: -100,
              clientX: box.x + 640, clientY: box.y + 100, cancelable: true, bubbles: true }));""")
        self.settle()
        self.picture("prepare-close")
        x = 640
        self.drag((x, 120), (x + 200, 120))
        self.settle()
        self.assertEqual(len(self.bars()), 64)
        self.assertEqual(self.text("#saved"), "Saved")

    def test_a_click_on_the_sound_seeks_and_chooses_the_bar_there(self):
        x = self.x_of(10, WHOLE) + 9
        self.drag((x, 120), (x, 120))
        self.until(lambda: self.text(".inspector-title") == "Bar 11", "bar 11 is chosen")
        self.assertEqual(self.text(".place"), "Bar 11")

    def test_a_finger_drags_a_bar_on_a_phone(self):
        resize(self.driver, PHONE)
        self.settle()
        before = self.times()
        for _ in range(6):
            self.click(".transport [aria-label='Closer']")
        self.settle()
        x = before[0] / (WHOLE / 1.5 ** 6) * PHONE[0]
        self.drag((x, 110), (x + 30, 110), touch=True)
        self.saved()
        self.until(lambda: self.times()[0] > before[0] + 0.1, "the first bar begins later")
        self.assertEqual(self.times()[1:], before[1:])


class KeyboardTest(PrepareCase):
    """Everything without a mouse."""

    def setUp(self):
        super().setUp()
        self.open(self.restored())
        self.focus_stage()

    def test_bars_are_chosen_and_the_place_is_said(self):
        self.keys(Keys.HOME)
        self.assertIn("bar 1, 0:00.", self.place())
        self.keys(*[Keys.ARROW_RIGHT] * 17)
        self.assertIn("bar 2 (2nd time)", self.place())
        self.keys(Keys.END)
        self.assertIn("bar 32 (2nd time)", self.place())

    def test_a_bar_is_nudged_alone_and_with_all_after_it(self):
        before = self.times()
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 3)
        self.with_keys(Keys.ALT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.until(lambda: round(self.times()[3] - before[3], 4) == 0.02, "20 ms later")
        self.assertEqual(self.times()[4:], before[4:])
        self.script("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
                    "{key: 'ArrowLeft', altKey: true, shiftKey: true, bubbles: true}))")
        self.until(lambda: round(self.times()[4] - before[4], 4) == -0.01, "all after it 10 ms earlier")
        self.assertEqual(round(self.times()[-1] - before[-1], 4), -0.01)

    def test_put_in_take_out_number_mark_and_end(self):
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 5)
        self.keys(Keys.DELETE)
        self.until(lambda: len(self.bars()) == 63, "one is taken out")
        self.assertEqual([bar["printed"] for bar in self.bars()][:8], [1, 2, 3, 4, 5, 6, 7, 8])
        self.keys("r")
        self.until(lambda: self.text("dialog[open] h2").startswith("Number anew"), "it asks for the number")
        self.keys("1", "0", "1", Keys.ENTER)
        self.until(lambda: self.bars()[5]["printed"] == 101, "bar 6 is bar 101 now")
        self.assertEqual(self.bars()[6]["printed"], 102)
        self.keys("b")
        self.until(lambda: self.text("dialog[open] h2").startswith("Mark at"), "it asks for the mark")
        self.keys(Keys.TAB, *"Trio", Keys.ENTER)
        self.until(lambda: [mark["text"] for mark in self.draft()["marks"]] == ["Trio"], "the section has begun")
        self.keys(Keys.END, "e")
        self.until(lambda: self.draft()["end"] is not None, "the piece has an end")
        for _ in range(4):
            self.with_keys(Keys.CONTROL, "z")
        self.until(lambda: len(self.bars()) == 64 and not self.draft()["marks"], "four undos take all back")

    def test_it_goes_to_a_bar_by_its_number_and_the_keys_are_listed(self):
        self.keys("g")
        self.until(lambda: self.text("dialog[open] h2") == "Go to bar", "it asks for the number")
        self.keys("2", "5", Keys.ENTER)
        self.assertIn("bar 25,", self.place())
        self.keys("?")
        self.until(lambda: "Go to a bar by its number" in self.text("#help-sheet"), "the keys are listed")
        self.picture("prepare-keys")
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.script("return Boolean(document.querySelector('dialog[open]'))"))

    def test_it_plays_slower_with_the_same_pitch_in_a_loop(self):
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 2)
        self.keys("l", "c", *["["] * 8)
        self.assertEqual(self.text(".percent"), "60 %")
        self.keys("p")
        self.until(lambda: self.text(".play") == "" and self.script(
            "return document.querySelector('.play').ariaLabel") == "Pause", "it plays")
        begin = self.times()[2]
        seconds = lambda: self.script("""const [minutes, rest] = document.querySelector(".time").textContent
            .split(" / ")[0].split(":"); return 60 * Number(minutes) + Number(rest)""")
        self.until(lambda: seconds() > begin + 1, "the bar is nearly over", 8)
        self.until(lambda: seconds() < begin + 0.5, "it begins again", 8)
        self.keys(" ")
        self.until(lambda: self.script("return document.querySelector('.play').ariaLabel") == "Play", "it stands")

    def test_a_bar_to_check_is_heard_and_accepted_by_two_keys(self):
        bars = self.bars()
        doubts = [{"move": {"bar": bars[at]["id"], "seconds": bars[at]["seconds"], "doubt": 0.8, "reasons": ["sound"],
                            "origin": "score", "checked": False}} for at in (9, 30)]
        self.edit(*doubts)
        self.until(lambda: self.text("#tab-check .count") == "2", "two are to be checked")
        self.picture("prepare-check")
        self.keys("n")
        self.assertIn("bar 10, ", self.place())
        self.assertIn("to be checked", self.place())
        self.until(lambda: self.script("return document.querySelector('.play').ariaLabel") == "Pause", "it is played")
        self.keys("a")
        self.until(lambda: self.bars()[9]["checked"], "it is right")
        self.until(lambda: "bar 15 (2nd time)" in self.place(), "the next one is chosen")
        self.until(lambda: self.script("return document.querySelector('.play').ariaLabel") == "Pause", "it is played")
        self.keys("h")
        self.until(lambda: self.bars()[30]["checked"] and self.bars()[30]["origin"] == "person", "it is here")
        self.until(lambda: self.text("#tab-check .count") == "", "none is left")


class TogetherTest(PrepareCase):
    """Two people, and a connection that is cut."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.offline, False)
        self.open(self.restored())
        self.focus_stage()

    def test_what_another_changes_is_seen_at_once(self):
        bar = self.bars()[3]
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 3)
        self.edit({"move": {"bar": bar["id"], "seconds": bar["seconds"] + 0.25}}, label="move bar 4 +250 ms")
        self.until(lambda: f"{bar['seconds'] + 0.25:.2f}"[:3] in self.place() and "move bar 4" in self.text("#notices"),
                   "the other's change is shown and said")

    def test_edits_of_two_people_at_the_same_time_are_all_kept(self):
        before = self.times()
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 10)
        for _ in range(5):
            self.with_keys(Keys.ALT, Keys.ARROW_RIGHT)
            bar = self.bars()[40]
            self.edit({"move": {"bar": bar["id"], "seconds": bar["seconds"] + 0.02}})
        self.saved()
        self.until(lambda: round(self.times()[10] - before[10], 3) == 0.05
                   and round(self.times()[40] - before[40], 3) == 0.1, "both are kept")
        self.keys(*[Keys.ARROW_RIGHT] * 30)
        self.assertIn(f"{self.times()[40] % 60:.2f}"[-4:], self.place())

    def test_an_edit_of_a_bar_that_another_took_out_is_said(self):
        bar = self.bars()[5]
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 5)
        self.offline(True)
        self.with_keys(Keys.ALT, Keys.ARROW_RIGHT)
        self.until(lambda: self.text("#saved") == "Not sent yet", "it waits")
        self.edit({"delete": {"bar": bar["id"]}}, label="take out bar 6")
        self.offline(False)
        self.until(lambda: "no longer exists" in self.text("#notices"), "it is said", 15)
        self.assertEqual(len(self.bars()), 63)

    def test_undo_leaves_what_another_changed_since(self):
        before = self.times()
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 10)
        self.with_keys(Keys.ALT, Keys.ARROW_RIGHT)
        self.until(lambda: round(self.times()[10] - before[10], 4) == 0.01, "it is moved here")
        self.edit({"move": {"bar": self.bars()[10]["id"], "seconds": before[10] - 0.2}})
        self.until(lambda: f"{(before[10] - 0.2) % 60:.2f}"[-4:] in self.place(), "the other's change is shown")
        self.with_keys(Keys.CONTROL, "z")
        self.until(lambda: "Somebody moved bar 11 since; it stays there." in self.text("#notices"), "it is said")
        self.assertNotIn("Undone", self.text("#notices"))
        self.assertAlmostEqual(self.times()[10], before[10] - 0.2, places=4)
        # One's own later step is no other's: both are taken back.
        for _ in range(2):
            self.with_keys(Keys.ALT, Keys.ARROW_RIGHT)
        for _ in range(2):
            self.with_keys(Keys.CONTROL, "z")
        self.until(lambda: self.text("#notices").count("Undone") == 2, "both steps are taken back")
        self.saved()
        self.assertAlmostEqual(self.times()[10], before[10] - 0.2, places=4)
        self.with_keys(Keys.CONTROL, "y")
        self.saved()
        self.until(lambda: round(self.times()[10] - before[10], 4) == -0.19, "one is made again")

    def test_undo_of_a_bar_that_another_took_out_is_not_said_to_be_done(self):
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 7)
        self.with_keys(Keys.ALT, Keys.ARROW_RIGHT)
        self.saved()
        self.edit({"delete": {"bar": self.bars()[7]["id"]}}, label="take out bar 8")
        self.until(lambda: "take out bar 8" in self.text("#notices"), "the other's change is said")
        self.with_keys(Keys.CONTROL, "z")
        self.until(lambda: "no longer exists" in self.text("#notices"), "it is said")
        self.assertNotIn("Undone", self.text("#notices"))

    def test_edits_made_in_a_cut_are_sent_after_it(self):
        before = self.times()
        self.offline(True)
        self.keys(Keys.HOME)
        self.with_keys(Keys.ALT, *[Keys.ARROW_RIGHT] * 3)
        self.until(lambda: self.text("#saved") == "Not sent yet", "the page says that they wait")
        self.picture("prepare-cut")
        self.assertEqual(self.times(), before)
        self.offline(False)
        self.until(lambda: round(self.times()[0] - before[0], 4) == 0.03, "they are there", 15)
        self.saved(15)

    def test_edits_made_in_a_cut_survive_a_reload(self):
        before = self.times()
        self.offline(True)
        self.keys(Keys.HOME)
        self.with_keys(Keys.ALT, Keys.ARROW_RIGHT)
        self.until(lambda: self.text("#saved") == "Not sent yet", "it waits")
        self.driver.get("about:blank")
        self.offline(False)
        self.open(self.piece)
        self.until(lambda: round(self.times()[0] - before[0], 4) == 0.01, "it is sent after the reload", 10)

    def test_what_another_person_left_unsent_is_named_and_not_sent(self):
        before = self.times()
        key = f"baton.prepare.unsent.{self.piece}.ed"
        batch = {"id": "left-behind", "label": "move bar 1 +10 ms",
                 "edits": [{"move": {"bar": self.bars()[0]["id"], "seconds": before[0] + 0.01}}]}
        self.script("localStorage.setItem(arguments[0], JSON.stringify([arguments[1]]))", key, batch)
        self.addCleanup(self.script, "localStorage.clear()")
        self.open(self.piece)
        self.until(lambda: "ed left changes in this browser" in self.text("#notices"), "ed's changes are named", 10)
        self.stays(lambda: self.times() == before, "and not sent", 1)
        self.assertEqual(self.script("return JSON.parse(localStorage.getItem(arguments[0]))", key), [batch])
        refused = self.ask("POST", f"/pieces/{self.piece}/edits", {**batch, "by": "ed"}, status=422)
        self.assertEqual(refused["code"], "other-person")
        self.assertEqual(self.times(), before)
        # Whoever made the changes sends them.
        own = f"baton.prepare.unsent.{self.piece}.local"
        self.script("""const [from, to] = arguments;
            localStorage.setItem(to, localStorage.getItem(from)); localStorage.removeItem(from)""", key, own)
        self.open(self.piece)
        self.until(lambda: round(self.times()[0] - before[0], 4) == 0.01, "they are sent", 10)

    def test_two_people_in_two_browsers_lose_nothing_with_each_offline_in_turn(self):
        before = self.times()
        others = started()
        other = others.__enter__()
        self.addCleanup(others.__exit__, None, None, None)
        both = [self.driver, other]
        resize(other, DESKTOP)
        other.get(f"{self.base}/prepare#/{self.piece}")
        words = "return document.getElementById('saved')?.textContent ?? ''"
        self.until(lambda: other.execute_script(words) == "Saved", "the other sees the piece", 10)
        other.execute_script("document.querySelector('.stage').focus()")

        def nudge(driver, bar, times):
            press(driver, Keys.HOME, *[Keys.ARROW_RIGHT] * bar)
            press(driver, *[Keys.ARROW_RIGHT] * times, modifier=Keys.ALT)

        # Twice in a row: one is offline while both edit, also the same bar; then the other one is.
        for turn, (away, here) in enumerate([both, both[::-1], both, both[::-1]]):
            self.offline(True, away)
            nudge(away, 10 + turn, 3)
            nudge(away, 30, 1)
            nudge(here, 20 + turn, 2)
            nudge(here, 30, 1)
            self.until(lambda away=away: away.execute_script(words) == "Not sent yet", "edits wait", 10)
            self.offline(False, away)
            for driver in both:
                self.until(lambda driver=driver: driver.execute_script(words) == "Saved", f"turn {turn}: saved", 20)
        moved = [round(1000 * (now - then)) for now, then in zip(self.times(), before)]
        self.assertEqual(moved[10:14], [30] * 4, "what was done offline is kept")
        self.assertEqual(moved[20:24], [20] * 4, "what was done meanwhile is kept")
        self.assertGreaterEqual(moved[30], 10, "of two who move one bar, the last one has it")
        for driver in both:
            press(driver, Keys.HOME, *[Keys.ARROW_RIGHT] * 30)
        places = [driver.execute_script("return document.querySelector('.stage').getAttribute('aria-valuetext')")
                  for driver in both]
        self.assertEqual(places[0], places[1], "both see the same")

    def offline(self, is_cut, driver=None):
        (driver or self.driver).execute_cdp_cmd("Network.enable", {})
        (driver or self.driver).execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": is_cut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
