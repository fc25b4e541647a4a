#!/usr/bin/python3
"""The page /start with a sound server's device of eighteen inputs: the level of each, and the choice of one.

    BATON=path/to/baton Tests/Pages/start_inputs_test.py

Some seconds. It needs pulseaudio for a private sound card. With $BATON_PICTURES, a folder, it leaves a screenshot
there. The last line is unittest's.
"""

import array
import math
import os
import pathlib
import subprocess
import sys
import unittest

from browser import resize
from lib import soundcard
from lib.processes import end, free_port
from lib.servers import Server
from page_case import PageCase

INPUTS, PLAYED = 18, 3
PICTURES = os.environ.get("BATON_PICTURES")


@unittest.skipUnless(soundcard.is_possible(), "pulseaudio is not installed (a private sound card needs it)")
class InputsTest(PageCase):
    """The sound is on input 3 alone; nobody has named a device."""

    @classmethod
    def setUpClass(cls):
        cls.card = soundcard.SoundCard()
        cls.addClassCleanup(cls.card.remove)
        cls.card.plug_in("desk", INPUTS)
        cls.card.server("set-default-source", "desk.monitor")
        cls.player = cls.play()
        cls.addClassCleanup(end, cls.player)
        cls.begin(Server(None, "--no-sign-in", "--no-listen-osc", "--no-multicast", "--no-record", "--osc",
                         f"127.0.0.1:{free_port()}", environment=cls.card.environment).start())

    @classmethod
    def play(cls):
        """A sine of half amplitude on one input, without the server's mix."""
        sound = pathlib.Path(cls.new_folder()) / "sine.raw"
        samples = array.array("f", bytes(4 * INPUTS * 48_000))
        for frame in range(48_000):
            samples[frame * INPUTS + PLAYED - 1] = 0.5 * math.sin(2 * math.pi * 440 * frame / 48_000)
        sound.write_bytes(samples.tobytes())
        places = ",".join(f"aux{number}" for number in range(INPUTS))
        endless = subprocess.Popen(["sh", "-c", 'while cat "$0"; do :; done', sound], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        cls.addClassCleanup(end, endless)
        return subprocess.Popen(
            ["pacat", "--playback", "--device=desk", f"--channels={INPUTS}", f"--channel-map={places}", "--no-remix",
             "--format=float32le", "--rate=48000", "--latency-msec=20", "--raw"], stdin=endless.stdout,
            env={**os.environ, **cls.card.environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def levels(self):
        """What stands beside each input, by its name."""
        return dict(self.script("""return [...document.querySelectorAll("#inputs button")].map((each) =>
            [each.querySelector("span").textContent, each.querySelector(".hint")?.textContent ?? ""])"""))

    def chosen(self):
        return self.script("""return [...document.querySelectorAll("#inputs [aria-pressed=true]")].map((each) =>
            each.querySelector("span").textContent)""")

    def test_each_input_has_its_level_and_a_tap_chooses_it(self):
        self.driver.get(self.base + "/start")
        self.until(lambda: len(self.levels()) == INPUTS + 1, "all inputs are there by number", 15)
        self.until(lambda: self.levels()[f"Input {PLAYED}"] == "−6 dB", "the level of the played one", 10)
        self.assertEqual({words for name, words in self.levels().items()
                          if name.startswith("Input") and name != f"Input {PLAYED}"}, {"silent"})
        self.assertEqual(self.chosen(), ["All inputs together"])
        # The mean of eighteen is 25 dB softer.
        self.until(lambda: "−31 dB" in self.script("return document.querySelector('#level').textContent"), "the mix")
        for width in (1280, 390):
            resize(self.driver, (width, 900))
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"start-inputs-{width}.png"))
        self.push_button(f"Input {PLAYED}")
        self.until(lambda: self.chosen() == [f"Input {PLAYED}"], "it is chosen", 8)
        self.until(lambda: "−6 dB" in self.script("return document.querySelector('#level').textContent"),
                   "it is heard as it is", 8)
        self.assertEqual(self.server.ask("GET", "/api/sound").value["channel"], PLAYED)
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
