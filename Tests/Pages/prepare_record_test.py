#!/usr/bin/python3
"""A piece that is recorded on the page /prepare from the server's own sound device, in a real browser.

    BATON=path/to/baton Tests/Pages/prepare_record_test.py [TEST …]

Half a minute. It needs pulseaudio for a private sound card. With $BATON_PICTURES, a folder, it leaves screenshots
there. The last line is unittest's.
"""

import shutil
import sys
import tempfile
import time
import unittest

from browser import resize
from lib import soundcard
from lib.processes import free_port
from lib.repository import BACH, recording
from lib.servers import Server
from lib.waiting import hold_for
from page_case import PageCase
from prepare_case import DESKTOP, PHONE, PrepareCase

TAKE = 4.0  # s that are recorded


@unittest.skipUnless(soundcard.is_possible(), "pulseaudio is not installed (a private sound card needs it)")
class RecordHereTest(PrepareCase):
    """A server that hears a sound card, in which music is played while the page records."""

    @classmethod
    def setUpClass(cls):
        cls.card, cls.folder = soundcard.SoundCard(), tempfile.mkdtemp(prefix="baton-record-")
        cls.begin(Server(None, "--no-sign-in", "--no-listen-osc", "--no-multicast", "--osc",
                         f"127.0.0.1:{free_port()}", "--models", f"{cls.folder}/Models", "--recordings",
                         f"{cls.folder}/Recordings", environment=cls.card.environment).start())
        cls.card.play(recording(BACH, "romantic"))

    @classmethod
    def tearDownClass(cls):
        PageCase.tearDownClass.__func__(cls)
        cls.card.remove()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def shown(self, css):
        return self.script("return document.querySelector(arguments[0])?.checkVisibility() === true", css)

    def is_there(self, words):
        return self.script("""return [...document.querySelectorAll("dialog[open] button")].some((e) =>
            e.checkVisibility() && !e.disabled && e.textContent === arguments[0])""", words)

    def record(self, seconds=TAKE):
        """From the open dialog to what was recorded; the seconds between the two buttons."""
        self.until(lambda: self.is_there("Start"), "it can be started", 10)
        self.button("Start", "dialog[open]").click()
        self.until(lambda: self.is_there("Stop"), "it records")
        begun = time.monotonic()
        hold_for(seconds)
        self.button("Stop", "dialog[open]").click()
        taken = time.monotonic() - begun
        self.until(lambda: self.is_there("Use this recording"), "it can be used", 10)
        return taken

    def test_what_the_device_hears_becomes_the_recording_of_a_new_piece(self):
        self.open()
        self.until(lambda: self.shown(".slot[data-kind=here]"), "an administrator may record")
        self.button("Record here").click()
        self.until(lambda: self.script("return document.querySelector('.record-here meter').value") > -50,
                   "the level moves", 10)
        self.picture("prepare-record-ready")
        self.until(lambda: self.is_there("Start"), "it can be started", 10)
        # An upload that was begun continues after a reload.
        self.button("Start", "dialog[open]").click()
        self.until(lambda: self.is_there("Stop"), "it records")
        begun = time.monotonic()
        self.open()
        self.button("Record here").click()
        self.until(lambda: self.is_there("Stop"), "it still records")
        hold_for(TAKE - (time.monotonic() - begun))
        self.picture("prepare-record-running")
        self.button("Stop", "dialog[open]").click()
        taken = time.monotonic() - begun
        self.until(lambda: self.is_there("Use this recording"), "it can be used", 10)
        # Listening back: only what was recorded is played.
        self.assertAlmostEqual(self.script("""const line = document.querySelector(".record-here input[type=range]");
            return line.max - line.min"""), taken, delta=1.5)
        self.button("Play", "dialog[open]").click()
        self.until(lambda: self.script("return document.querySelector('.record-here audio').currentTime") > 1,
                   "it is heard", 10)
        self.picture("prepare-record-heard")
        resize(self.driver, PHONE)
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), PHONE[0])
        self.picture("prepare-record-phone")
        resize(self.driver, DESKTOP)
        self.button("Use this recording", "dialog[open]").click()
        self.until(lambda: self.text("[data-kind=here] .slot-words").startswith("Recorded here at"), "it is chosen")
        field = self.find(".new-piece .grow input")
        field.clear()
        field.send_keys("Bach: Prelude, recorded here")
        self.button("Begin").click()
        self.until(lambda: "#/" in self.driver.current_url, "the piece is opened", 10)
        piece = self.driver.current_url.split("#/")[1]
        self.until(lambda: any(each["isReady"] for each in self.draft(piece)["recordings"]), "the sound is there", 30)
        sound = self.draft(piece)["recordings"][0]
        self.assertAlmostEqual(sound["seconds"], taken, delta=1.5)
        self.assertTrue(sound["isMain"])
        self.assertEqual(sound["warnings"], [])

        # A further reference of the same piece is recorded in the same way.
        self.click("#tab-sound")
        self.button("Record here").click()
        self.record(3)
        self.button("Use this recording", "dialog[open]").click()
        self.until(lambda: len(self.draft(piece)["recordings"]) == 2, "the second one is taken", 30)

        # The other way: from the list of recordings.
        self.driver.get(self.base + "/recordings")
        self.until(lambda: self.script("return Boolean(document.querySelector(\"[href^='/prepare?evening=']\"))"),
                   "a piece can be made of an evening", 10)
        self.button("Make a piece of this").click()
        self.until(lambda: self.shown("dialog[open] [aria-label=From]"), "the evening is offered", 10)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
