#!/usr/bin/python3
"""A stand that hears its player: the bar is marked and the page turns a moment before it is needed.

    BATON=path/to/baton Tests/Pages/stand_practise_test.py [--pictures FOLDER] [TEST …]

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import itertools
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import browser
import served_stands
import sound
from hall_case import size
from lib import repository
from page_case import pictures_folder
from played_microphone import HOOK, play
from stand_case import PORTRAIT, USERS, StandCase

PICTURES = None
PIECE, PERFORMANCE = "beethoven-woo-59-fur-elise", "swift"
BEFORE, AFTER = 3, 2  # bars that are played on either side of the turn
LEAD = 0.3  # seconds of silence before the player

# The page that lies there at each instant of the audio clock.
NOTES = HOOK + """
window.noted = [];
setInterval(() => window.microphoneContext && window.noted.push([window.microphoneContext.currentTime,
  document.getElementById("page-number").textContent]), 20);
"""


class PractiseTest(StandCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-practise-"))
        repository.build_engine()
        shared = served_stands.shared()
        cls.server, cls.base, cls.wire = None, shared.base, shared.wire
        score = next(each for each in shared.ask("ines", "/api/stand/home")["scores"] if "Bagatelle" in each["title"])
        cls.score = shared.ask("ines", f"/api/scores/{score['id']}")
        times = repository.measure_times_without_end(repository.recording(PIECE, PERFORMANCE).parent / "measures.csv")
        pages = [cls.place(printed)["page"] for printed, _ in times]
        # The first bar on the second page, as played from 0.
        cls.turn = next(index for index, (one, next_one) in enumerate(itertools.pairwise(pages), 1) if next_one > one)
        cls.first, last = cls.turn - BEFORE, cls.turn + AFTER
        cls.begins = times[cls.first][0]
        cls.until_turn = times[cls.turn][1] - times[cls.first][1]
        cls.wave = cls.folder / "player.wav"
        sound.write(cls.wave, sound.silence(LEAD), sound.part(
            repository.recording(PIECE, PERFORMANCE), times[cls.first][1], times[last][1]), sound.silence(2))
        cls.holder = browser.chromium(arguments=[
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--autoplay-policy=no-user-gesture-required"])
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def place(cls, bar):
        return next(each for each in cls.score["parts"][0]["places"] if each["first"] <= bar <= each["last"])

    def picture(self, name):
        for label, pixels in {"portrait": PORTRAIT, "phone": (390, 844)}.items() if PICTURES else ():
            size(self.driver, pixels)
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"practise-{name}-{label}.png"))
        if PICTURES:
            size(self.driver, PORTRAIT)
            self.settle()

    def tap_bar(self, bar):
        left, top, right, bottom = self.place(bar)["box"]
        frame = self.script("const r = document.querySelector('.leaf.shown').getBoundingClientRect();"
                            "return [r.left, r.top, r.width, r.height, innerWidth, innerHeight]")
        self.tap((frame[0] + (left + right) / 2 * frame[2]) / frame[4],
                 (frame[1] + (top + bottom) / 2 * frame[3]) / frame[5])

    def listen(self):
        self.tap(0.5)
        self.click("#tools-open")
        self.until(lambda: self.shown("#tool-practise"), "the tool is offered")
        self.click("#tool-practise")
        self.until(lambda: "Play when you like" in self.text("#practise-say"), "the stand listens", 40)

    def test_the_page_turns_before_the_player_needs_it(self):
        self.enter_home(USERS[0])
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        self.click(f"[data-score='{self.score['id']}'] .entry")
        self.until(lambda: self.screen() == "reader", "the reader is shown")
        if len(self.score["parts"]) > 1:
            self.click("#dialog [data-part='0']")
        self.until(self.is_painted, "the page is painted", 8)
        self.script(NOTES)
        self.listen()
        self.tap_bar(self.begins)
        self.until(lambda: self.text("#practise-bar") == str(self.begins), "the player begins here", 5)
        play(self, self.wave)
        self.lies(self.place(self.begins)["page"])
        self.until(lambda: self.text("#practise-say") == "Follows you.", "it follows", 6)
        self.picture("following")
        self.lies(self.place(self.begins)["page"] + 1, seconds=self.until_turn + 3)
        self.until(lambda: self.script("return noted.at(-1)[1] !== noted[0][1]"), "the turn is noted")
        noted, began = self.script("return [window.noted, window.began]")
        turned = next(at for at, page in noted if page != noted[0][1])
        early = LEAD + self.until_turn - (turned - began)
        print(f"turned {early:.2f} s before the bar", file=sys.stderr)
        self.assertGreater(early, 0.2, "before the bar")
        self.assertLess(early, 2.5, "not long before it")
        self.click("#dock-close")
        self.assertEqual(self.complaints(), [])
        self.without_the_server()

    def without_the_server(self):
        """What was practised here is followed again, from the same bar."""
        self.until(lambda: self.later("""return Boolean(navigator.serviceWorker.controller
            && await caches.match("/stand/followerworker.js"))"""), "the page is kept on the device", 20)
        self.addCleanup(self.wire.mend)
        self.wire.cut()
        self.listen()
        self.tap_bar(self.begins + 1)
        play(self, self.wave)
        self.until(lambda: self.text("#practise-say") == "Follows you.", "it follows", 10)
        self.click("#dock-close")


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main()
