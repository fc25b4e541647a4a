#!/usr/bin/python3
"""The tuner, the input meter and the latency of the page /practice, with a microphone that plays a tone.

    BATON=path/to/baton Tests/Pages/practice_ear_test.py [TEST …]

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import array
import math
import os
import sys
import unittest

import browser
import sound
from browser import resize, settle
from page_case import PageCase
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
CENTS = -12
G3 = 196.0 * 2 ** (CENTS / 1200)
PICTURES = os.environ.get("BATON_PICTURES")


def string_tone(hertz, seconds):
    """A plucked string's sound: partials that fade at different speeds, over again each second."""
    def value(index):
        time = index / sound.RATE
        age = time % 1.0
        return sum(math.sin(2 * math.pi * n * hertz * time) / n * math.exp(-n * age) for n in range(1, 9))
    return array.array("h", (int(6_000 * value(index)) for index in range(int(seconds * sound.RATE))))


class EarTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        wave, silent = cls.folder / "tone.wav", cls.folder / "silence.wav"
        sound.write(wave, string_tone(G3, 4))
        sound.write(silent, sound.silence(30))
        server = Served(PIECE, [silent], "--new")
        cls.begin(server, holder=browser.hearing(wave))
        cls.driver.set_script_timeout(30)

    def open(self):
        self.driver.get("about:blank")
        self.driver.get(self.base + "/practice")
        self.until(lambda: self.script("return document.body.dataset.view === 'shelf'"), "the library is there", 10)

    def text(self, element):
        return self.script("return document.getElementById(arguments[0])?.textContent ?? ''", element)

    def test_the_tuner_names_the_string_and_the_cents(self):
        self.open()
        self.script("document.getElementById('hear').click()")
        self.until(lambda: self.text("tuner-note") == "G3", "the note", 15)
        self.until(lambda: self.text("tuner-cents").endswith("cents low"), "it is low", 10)
        self.assertLessEqual(abs(int(self.text("tuner-cents").split()[0]) + CENTS), 3, self.text("tuner-cents"))
        self.assertGreater(self.script("return document.querySelector('#ear meter').value"), -50)
        for size, pixels in (("phone", (390, 844)), ("desk", (1280, 800))) if PICTURES else ():
            resize(self.driver, pixels)
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"practice-tuner-{size}.png"))
        # Closed, it lets the microphone go.
        self.script("document.getElementById('ear-close').click()")
        self.assertEqual(self.complaints(), [])

    def test_what_keeps_the_microphone_away_is_a_sentence(self):
        for name, words in (("NotAllowedError", "not allowed"), ("NotReadableError", "Another program"),
                            ("NotFoundError", "no microphone")):
            self.open()
            self.script("""navigator.mediaDevices.getUserMedia = async () => {
                throw new DOMException("no", arguments[0]);
            };""", name)
            self.script("document.getElementById('hear').click()")
            self.until(lambda words=words: words in self.text("ear-say"), f"a sentence for {name}", 5)

    def test_a_latency_that_cannot_be_measured_is_told(self):
        self.open()
        self.script("document.getElementById('hear').click()")
        self.until(lambda: self.script("return document.getElementById('measure')?.disabled === false"), "it hears", 10)
        # The tone of the microphone covers every click.
        self.script("document.getElementById('measure').click()")
        self.until(lambda: "measure again" in self.text("latency"), "a sentence", 20)

    def test_clicks_that_are_heard_back_give_the_median_and_it_is_kept_for_this_microphone_and_output(self):
        self.open()
        found = self.later("""
            const { findLatency, keepLatency, keptLatency, outputLatency } = await import("/shared/latency.js");
            const { playClick } = await import("/practice/ear.js");
            const rate = 48000;
            const clicks = Array.from({ length: 10 }, (_, index) => 0.5 + 0.63 * index);
            const context = new OfflineAudioContext(1, 8 * rate, rate);
            // One click comes late, as if a door had closed.
            clicks.forEach((time, index) => playClick(context, time + 0.123 + (index === 4 ? 0.2 : 0)));
            const sound = (await context.startRendering()).getChannelData(0);
            const noisy = sound.map((value, index) => value + 0.002 * Math.sin(index * index));
            const { seconds, heard } = findLatency(clicks, noisy, rate);
            keepLatency("a", "b", seconds);
            return [seconds, heard, keptLatency("a", "b"), keptLatency("a", "c"), outputLatency("b", 0.5)];""")
        self.assertAlmostEqual(found[0], 0.123, delta=0.001)
        self.assertEqual(found[1:4], [10, found[0], None])
        self.assertAlmostEqual(found[4], 0.108, delta=0.001)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
