"""The right slide at the right moment, whatever happens to the stream."""

import os
import pathlib
import signal
import sys

from browser import started
from hall_case import HallCase
from lib.waiting import hold_for

# Notes every slide number that is ever on the screen.
WATCH = """window.numbers = []; const place = document.getElementById('place');
new MutationObserver(() => numbers.push(parseInt(place.textContent) || 0))
    .observe(place, {childList: true, characterData: true, subtree: true});"""


class StreamTest(HallCase):
    def follows(self, live, seconds=1.0, claim="the right slide"):
        return self.until(lambda: self.number() == self.right(live) and self.green(), claim, seconds)

    def test_a_newcomer_taps_nothing_and_sees_the_right_slide_in_the_dark(self):
        if self.hall:
            live = self.scenario("state")["live"]
        self.open()
        if not self.hall:
            return self.assertIn(self.screen(), ("slides", "home"))
        self.follows(live, 2)
        self.assertIn("The tune a fifth higher", self.text("#slide"))
        self.assertEqual(self.text("#top h1"), "Grieg, Peer Gynt Suite No. 1: In the Hall of the Mountain King")
        self.assertEqual(self.text("#place"), "3 of 13")
        self.assertIn("Live Stream Connected", self.text("#lines"))
        self.assertEqual(self.script("return document.documentElement.dataset.theme"), "dark")
        # Half the light is 0.73 of the signal.
        self.assertAlmostEqual(float(self.script("return getComputedStyle(document.getElementById('veil')).opacity")),
                               0.27, 2)

    def test_never_early_over_a_whole_piece(self):
        self.scenario("at?piece=4&played=0")
        self.open()
        self.script(WATCH)
        self.scenario("speed?x=25")
        self.scenario("play")
        looks = 0
        while True:
            shown = self.number()
            # Asked after the page: the music can only have gone on since.
            live = self.scenario("state")["live"]
            self.assertLessEqual(shown, self.right(live), "a slide before its measure")
            looks += 1
            if live["played"] == 87:
                break
        self.follows(live)
        self.assertGreater(looks, 50)
        self.assertEqual(self.script("return numbers"), list(range(2, 14)), "every slide once, in order")
        self.assertNotIn("last turn", self.script("return document.getElementById('slide').textContent"))

    def test_later_slides_are_not_even_in_the_page(self):
        self.scenario("at?piece=4&played=6")
        self.open()
        self.assertNotIn("fifth higher", self.driver.page_source)
        for _ in range(4):
            self.press("")  # nothing: arrows would be keys
        self.click("#next")
        self.assertEqual(self.number(), 2)

    def test_before_the_first_slide_there_is_the_title(self):
        self.scenario("headless")
        self.scenario("at?piece=4&played=2")
        self.open()
        self.until(lambda: "comes with the music" in self.text("#slide"), "the title")
        self.assertTrue(self.green())
        self.scenario("at?piece=4&played=5")
        self.until(lambda: "bassoons answer" in self.text("#slide"), "the first slide", 1)

    def test_two_phones_show_the_same_within_a_quarter_of_a_second(self):
        with started() as other:
            self.open()
            other.get(self.base + "/")
            number = lambda: other.execute_script("return parseInt(document.getElementById('place').textContent) || 0")
            for played in (17, 41, 30, 84):
                live = self.scenario(f"at?piece=4&played={played}")["live"]
                self.until(lambda: self.number() == self.right(live) == number(), f"both at {played}",
                           2 if played == 17 else 0.5)

    def test_scrolling_back_and_live_again(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        self.press("\ue012")  # left
        self.assertEqual(self.number(), 2)
        self.assertFalse(self.green())
        self.scenario("at?piece=4&played=26")
        self.stays(lambda: self.number() == 2, "a reader is left alone", 0.4)
        self.press("\ue014", "\ue014", "\ue014", "\ue014", "\ue014")  # right, further than the music
        self.assertEqual(self.number(), 5)
        self.assertTrue(self.green(), "arriving at the music means to follow it")
        self.press("\ue012")
        before = self.scenario("state")["streams"]
        self.click("#live")
        self.follows(self.scenario("state")["live"])
        self.assertEqual(self.scenario("state")["streams"], before + 1, "joined anew")
        self.assertIn("Live Stream Connected", self.text("#lines"))

    def test_older_epochs_and_late_words_change_nothing(self):
        self.scenario("fork")
        self.open()
        self.scenario("at?piece=4&played=0")
        live = self.scenario("at?piece=4&played=12")["live"]
        self.follows(live, 2)
        self.scenario("late")
        self.stays(lambda: self.number() == 3 and self.green(), "a late word changes nothing", 0.3)
        self.scenario("old")
        self.until(lambda: not self.green(), "an old server is not believed", 2)
        self.assertEqual(self.number(), 3)
        self.open()
        self.stays(lambda: not self.green(), "nor after a reload", 0.5)
        self.assertEqual(self.number(), 0)
        self.scenario("true")
        self.follows(live, 2)
        # A term that was known two days ago binds nobody.
        self.scenario("old")
        self.script("""const kept = JSON.parse(localStorage['baton.audience.epoch']); kept.at -= 2 * 86400e3;
            localStorage['baton.audience.epoch'] = JSON.stringify(kept)""")
        self.open()
        self.until(lambda: self.number() == 1 and self.green(), "believed", 2)

    def test_takeovers_and_a_persons_step_back_are_followed(self):
        live = self.scenario("at?piece=4&played=30")["live"]
        self.open()
        self.follows(live, 2)
        self.script(WATCH)
        self.scenario("take")
        self.stays(lambda: self.script("return numbers") == [], "a takeover alone changes nothing", 0.3)
        self.follows(self.scenario("back?by=20")["live"])
        self.scenario("renew")
        self.follows(self.scenario("at?piece=4&played=45")["live"], 1.5)

    def test_a_dropped_stream_is_right_again_within_a_second(self):
        self.open()
        self.script(WATCH)
        for played in (30, 60, 80):
            self.scenario("drop")
            took = self.follows(self.scenario(f"at?piece=4&played={played}")["live"])
            print(f"\n    right {took * 1000:.0f} ms after a dropped stream", file=sys.stderr, end="")

    def test_a_server_that_comes_back_is_found_within_a_second(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        self.scenario("gone")
        live = self.scenario("at?piece=4&played=60")["live"]
        self.until(lambda: not self.green() and self.shown("#notice"), "red, and a word about it", 5)
        self.assertEqual(self.number(), 3, "the last slide stays")
        self.scenario("here")
        took = self.follows(live)
        print(f"\n    right {took * 1000:.0f} ms after the server came back", file=sys.stderr, end="")

    def test_a_silent_stream_is_given_up_after_two_and_a_half_seconds(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        streams = self.scenario("stall?s=2.6")["streams"]
        took = self.until(lambda: self.scenario("state")["streams"] > streams, "joined anew", 4)
        self.assertGreater(took, 1.4)
        # At worst the new stream begins in the last of the silence and is given up, too.
        self.follows(self.scenario("at?piece=4&played=60")["live"], 4)

    def test_after_sleep_the_slide_is_right_within_a_second(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        self.scenario("deaf")
        asleep = renderers(self.driver)
        self.assertTrue(asleep)
        for pid in asleep:
            os.kill(pid, signal.SIGSTOP)
        live = self.scenario("at?piece=4&played=70")["live"]
        hold_for(4)  # the phone sleeps
        for pid in asleep:
            os.kill(pid, signal.SIGCONT)
        took = self.follows(live)
        print(f"\n    right {took * 1000:.0f} ms after waking", file=sys.stderr, end="")

    def test_lost_wifi_is_noticed_by_the_phones_own_word(self):
        self.open()
        streams = self.scenario("state")["streams"]
        self.script("dispatchEvent(new Event('online'))")
        self.until(lambda: self.scenario("state")["streams"] == streams + 1, "joined at once", 0.5)

    def test_blackout_covers_all_and_ends(self):
        self.open()
        self.scenario("view?is=black")
        self.until(lambda: self.shown("#black"), "black", 1)
        self.assertTrue(self.script("return document.getElementById('app').inert"))
        self.assertEqual(self.script("return getComputedStyle(document.getElementById('black')).backgroundColor"),
                         "rgb(0, 0, 0)")
        self.scenario("view?is=live")
        self.until(lambda: not self.shown("#black"), "light", 1)
        self.assertFalse(self.script("return document.getElementById('app').inert"))

    def test_the_end_leaves_the_last_slide_and_the_beginning_finds_the_listener(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        self.scenario("view?is=ended")
        self.until(lambda: "No music just now" in self.text("#lines"), "said so", 1)
        self.assertEqual(self.number(), 3)
        self.assertFalse(self.green())
        self.open()
        self.until(lambda: self.screen() == "home", "the programme")
        self.until(lambda: "Intermission" in self.text("#now"), "said so there, too")
        self.follows(self.scenario("at?piece=1&played=5")["live"], 2, "carried to the music without a tap")

    def test_a_piece_that_the_concert_does_not_have_is_named(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        piece = self.concert["pieces"][3]
        self.scenario("textless")
        self.until(lambda: "No text for this piece" in self.text("#slide"), "said so", 4)
        self.assertIn(piece["movement"], self.text("#slide"))
        self.assertEqual(self.text("#heading-name"), piece["name"])
        self.assertFalse(self.shown("#deck"), "nothing to turn")
        self.follows(self.scenario("at?piece=1&played=5")["live"], 2, "the next one comes by itself")
        self.assertTrue(self.shown("#deck"))

    def test_a_reader_of_another_piece_is_left_alone(self):
        self.open("/#/piece/POABachWellTemperedClavierIPreludeinC")
        self.until(lambda: self.number() == 1, "the document opens")
        self.scenario("at?piece=4&played=60")
        self.stays(lambda: "broken chord" in self.text("#slide"), "the reader's own piece stays", 0.3)
        self.press("l")
        self.follows(self.scenario("state")["live"])

    def test_a_late_edit_reaches_a_loaded_phone(self):
        self.open()
        self.follows(self.scenario("state")["live"], 2)
        self.scenario("edit")
        took = self.until(lambda: "late edit" in self.text("#slide"), "the new words", 3.5)
        print(f"\n    a late edit is on the screen after {took:.1f} s", file=sys.stderr, end="")
        self.assertEqual(self.number(), 3)

    def test_radio_listeners_get_it_later(self):
        self.open()
        self.script("localStorage['baton.audience.settings'] = JSON.stringify({delay: 2})")
        self.scenario("at?piece=4&played=4")
        self.open()
        # Two seconds before, by reckoning: an earlier measure, never a later one.
        self.until(lambda: self.number() == 1 and self.green(), "joined")
        hold_for(2.2)  # the listener's delay, and some
        self.scenario("at?piece=4&played=9")
        took = self.until(lambda: self.number() == 3, "the slide", 4)
        self.assertGreater(took, 1.8)
        self.assertLess(took, 2.6)
        self.assertIn("−2 s", self.text("#live"))


def renderers(driver):
    """The processes that run this browser's pages, found below the driver that started them."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents.setdefault(int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]),
                               []).append(int(folder.name))
        except (OSError, IndexError):
            continue  # gone meanwhile
    below, found = [driver.service.process.pid], []
    while below:
        pid = below.pop()
        below += parents.get(pid, [])
        try:
            if b"--type=renderer" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found
