#!/usr/bin/python3
"""The engine in Firefox, whose microphone is a private sound card: it follows a performance without the server.

    BATON=path/to/baton Tests/Pages/firefox_ear_test.py

Needs firefox-esr, geckodriver and pulseaudio, else it is skipped. The last line is unittest's.
"""

import unittest

import engines
import sound
from lib import repository
from page_case import PageCase
from served import Served
from wire import Wire

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
SECONDS = 24


@unittest.skipIf(engines.missing("hearing firefox"), engines.missing("hearing firefox"))
class FirefoxTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.wave = cls.new_folder() / "take.wav"
        sound.write(cls.wave, sound.part(repository.recording(PIECE, "gentle"), 0, SECONDS))
        repository.build_engine()
        server = Served(PIECE, [], "--new")
        cls.wire = Wire(server.port)
        cls.addClassCleanup(cls.wire.close)
        cls.begin(server, base=f"http://127.0.0.1:{cls.wire.port}", holder=engines.hearing_firefox())

    def text(self, name):
        return self.script("return document.getElementById(arguments[0])?.textContent ?? ''", name)

    def test_a_performance_is_followed_and_judged_without_the_server(self):
        self.driver.get(f"{self.base}/practice/follow?piece={PIECE}")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the piece is there", 20)
        self.wire.asked.clear()
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.script("return !document.getElementById('playing').hidden"), "it listens", 20)
        self.wire.cut()
        self.addCleanup(self.wire.mend)
        self.driver.card.play(self.wave)
        bars = []
        self.until(lambda: bars.append(self.text("bar")) or bars[-1] in ("8", "9", "10"), "it follows", 40)
        shown = [int(bar) for bar in dict.fromkeys(bars) if bar.isdigit()]
        self.assertEqual(shown, sorted(shown), "no bar goes back")
        self.assertGreaterEqual(len(shown), 6, shown)
        self.script("document.getElementById('stop').click()")
        self.until(lambda: self.script("return document.querySelectorAll('#report .bars li').length") >= 5,
                   "the report", 60)
        self.assertEqual([each for each in self.wire.asked if each.method != "GET"], [])
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    unittest.main()
