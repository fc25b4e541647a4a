#!/usr/bin/python3
"""The tools of a music stand in a real browser with touch: bars that are found, links at repeats, a recording beside
the music, metronome, tuner, learned keys, and the picture that explains the stand.

    BATON=path/to/baton Tests/Pages/stand_tools_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import math
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest
import wave

from selenium.webdriver.common.keys import Keys

import browser
import served_stands
from hall_case import size
from page_case import pictures_folder
from stand_case import PORTRAIT, USERS, StandCase

PICTURES = None
SIZES = {"portrait": (1024, 1366), "landscape": (1366, 1024), "phone": (390, 844)}
TONE = 442.0 * 2 ** (-2 / 12) * 2 ** (8 / 1200)  # Hz: the G below A 442, 8 cents sharp


def tone_file(folder):
    """A tone with overtones, as a WAV that the fake microphone repeats."""
    path = folder / "tone.wav"
    rate, seconds = 48_000, 4
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        samples = [sum(0.25 / n * math.sin(2 * math.pi * TONE * n * i / rate) for n in (1, 2, 3, 4))
                   for i in range(rate * seconds)]
        file.writeframes(b"".join(struct.pack("<h", int(20_000 * each)) for each in samples))
    return path


class ToolsCase(StandCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-tools-"))
        cls.server, cls.base = None, served_stands.shared().base
        cls.holder = browser.chromium(arguments=[
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--autoplay-policy=no-user-gesture-required",
            f"--use-file-for-fake-audio-capture={tone_file(cls.folder)}"])
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def pictures(self, name, papers=("white",)):
        for paper in papers if PICTURES else ():
            self.script("document.documentElement.dataset.paper = arguments[0]", paper)
            for label, pixels in SIZES.items():
                size(self.driver, pixels)
                self.settle()
                self.driver.save_screenshot(os.path.join(PICTURES, f"tools-{name}-{paper}-{label}.png"))
        self.script("document.documentElement.dataset.paper = 'white'")
        if PICTURES:
            size(self.driver, PORTRAIT)
            self.settle()

    def score_named(self, word):
        scores = self.rehearsal.ask("ines", "/api/stand/home")["scores"]
        found = next(each for each in scores if word in each["title"])
        return self.rehearsal.ask("ines", f"/api/scores/{found['id']}")

    def read(self, word, part=0, tour=False):
        """A score alone on the stand, the picture of its zones gone."""
        self.enter_home(USERS[0])
        if not tour:
            self.script("localStorage.setItem('baton.stand.tour', '1')")
        score = self.score_named(word)
        self.click(f"[data-score='{score['id']}'] .entry")
        self.until(lambda: self.screen() == "reader", "the reader is shown")
        if len(score["parts"]) > 1:
            self.click(f"#dialog [data-part='{part}']")
        self.until(self.is_painted, "the page is painted", 8)
        return score

    def tools(self, tool=None):
        self.tap(0.5)
        self.click("#tools-open")
        self.until(lambda: self.shown("#bar-number"), "the tools are offered")
        if tool:
            self.click(f"#tool-{tool}")

    def marked(self, kind):
        return self.script("return document.querySelector(`.leaf.shown .marks .${arguments[0]}`) !== null", kind)

    def place(self, score, bar, part=0):
        return next(each for each in score["parts"][part]["places"] if each["first"] <= bar <= each["last"])


class ToolsTest(ToolsCase):
    def mark(self, score, *marks):
        """Writes rehearsal marks into the first movement, as the library's page does."""
        now = self.rehearsal.ask("ines", f"/api/scores/{score['id']}")
        first = now["movements"][0] | {"marks": [{"label": label, "measure": bar} for label, bar in marks]}
        self.rehearsal.ask("ines", f"/api/library/scores/{score['id']}",
                           {"movements": [first, *now["movements"][1:]], "revision": now["revision"]}, "PUT")

    def test_rehearsal_marks_lead_to_their_bars_and_are_shown_with_the_pages(self):
        score = self.score_named("Bagatelle")
        self.mark(score, ("A", 17), ("B", 60))
        self.addCleanup(lambda: self.mark(score))
        self.read("Bagatelle")
        page_of = lambda bar: self.place(score, bar)["page"]  # noqa: E731
        self.tools()
        self.until(lambda: self.shown("[data-mark='B']"), "the marks are offered")
        self.pictures("marks", ("white", "dark"))
        self.click("[data-mark='B']")
        self.lies(page_of(60))
        self.until(lambda: self.marked("sought"), "its bar is marked")
        for typed, bar in (("a", 17), ("b+1", 61), ("2 before B", 58), ("3 after a", 20)):
            self.tools()
            self.script("document.getElementById('bar-number').value = arguments[0]", typed)
            self.click("#bar-go")
            self.lies(page_of(bar))
            self.until(lambda: f"Bar {bar}," in self.text("#say"), f"{typed} is bar {bar}")  # noqa: B023
        self.tap(0.5)
        self.until(lambda: self.text(f"[data-page='{page_of(60)}'] .page-marks").endswith("B"), "on its page")
        self.pictures("strip")

    def test_a_bar_is_found_by_its_number_and_marked(self):
        score = self.read("Bagatelle")
        self.tools()
        self.pictures("menu", ("white", "dark"))
        self.script("document.getElementById('bar-number').value = '60'")
        self.click("#bar-go")
        self.lies(self.place(score, 60)["page"])
        self.until(lambda: self.marked("sought"), "the bar is marked")
        # A digit typed over the music begins the next search.
        self.key("2")
        self.until(lambda: self.script("return document.getElementById('bar-number')?.value") == "2", "it is asked for")
        self.key(Keys.ENTER)
        self.lies(self.place(score, 2)["page"])
        self.key("9")
        self.until(lambda: self.shown("#bar-number"), "it is asked for")
        self.script("document.getElementById('bar-number').value = '999'")
        self.click("#bar-go")
        self.until(lambda: "has bars" in self.text("#bar-fault"), "a bar that is not there is said so")

    def test_a_repeat_has_a_link_to_its_beginning_and_back(self):
        score = self.read("Bagatelle")
        here = [(link["page"], link["to"], link["kind"]) for link in self.later("""
            const { linksOf } = await import("/stand/links.js");
            return linksOf(given[0].parts[0], 1, () => given[1]);""", score, [[0, 8], [0, 7], [9, 23], [10, 22],
                                                                              [24, 104]])]
        self.assertIn((self.place(score, 23)["page"], 10, "repeat"), here)
        shown = self.later("""
            const { linksOf } = await import("/stand/links.js");
            return linksOf(given[0].parts[0], 1, () => [[0, 104], [0, 20]])
                .map((link) => [link.kind, link.to, link.page]);""", score)
        self.assertEqual(shown, [["repeat", 0, self.place(score, 104)["page"]], ["back", 104, 0]])

    def test_a_link_is_tapped_and_turns_there_and_back(self):
        self.rehearsal.act("ines", begin={"session": served_stands.new(), "layer": served_stands.new(),
                                          "performances": [[[1, 88], [1, 20]]]})
        self.enter_room(part=2, begun=False)
        self.pedal()
        self.lies(1)
        self.until(lambda: self.shown(".leaf.shown .link-to[data-to='1']"), "the repeat has a link")
        self.pictures("link", ("white", "dark"))
        if self.pages() != [1]:
            self.pedal()
        self.click(".leaf.shown .link-to[data-to='1']")
        self.lies(0)
        self.until(lambda: self.marked("sought"), "the bar is marked")
        self.click(".leaf.shown .link-to.back")
        self.lies(1)
    def test_the_recording_plays_at_any_speed_from_the_bar_that_is_tapped(self):
        score = self.read("Bagatelle")
        self.tools("listen")
        self.until(lambda: self.shown("#listen-play"), "the recording is offered", 6)
        self.pictures("listen", ("white", "warm", "dark"))
        self.script("""const speed = document.getElementById("listen-speed"); speed.value = "150";
            speed.dispatchEvent(new Event("input"))""")
        left, top, right, bottom = self.place(score, 5)["box"]
        frame = self.script("const r = document.querySelector('.leaf.shown').getBoundingClientRect();"
                            "return [r.left, r.top, r.width, r.height, innerWidth, innerHeight]")
        x = (frame[0] + (left + right) / 2 * frame[2]) / frame[4]
        y = (frame[1] + (top + bottom) / 2 * frame[3]) / frame[5]
        self.tap(x, y)
        self.until(lambda: self.text("#listen-bar") in ("5", "6"), "it plays from bar 5", 6)
        self.until(lambda: self.marked("heard"), "the bar that sounds is marked")
        self.until(lambda: int(self.text("#listen-bar")) >= 7, "it goes on", 8)
        self.assertEqual(self.text("#listen-play"), "❚❚")
        self.click("#listen-play")
        self.until(lambda: self.text("#listen-play") == "▶", "it pauses")
        self.click("#dock-close")
        self.assertFalse(self.marked("heard"))
    def test_the_metronome_beats_with_an_accent_and_takes_taps_and_the_recorded_tempo(self):
        self.read("Bagatelle")
        self.tools("metronome")
        self.click("#beat-sound")
        self.assertEqual(self.text("#beat-sound"), "Silent")
        self.click("#beat-start")
        self.until(lambda: self.script("return document.querySelector('.beat-dots .on') !== null"), "it beats")
        self.pictures("metronome", ("white",))
        before = self.text("#beat-tempo")
        self.click("#beat-recorded")
        self.until(lambda: self.text("#beat-tempo") != before, "the tempo of the recording is taken")
        self.click("#beat-start")
    def test_the_tuner_names_the_note_as_written_and_how_far_it_is_off(self):
        self.read("Bagatelle")
        self.tools("tuner")
        self.until(lambda: self.text("#tuner-note").startswith("G"), f"a G is heard, not {self.text('#tuner-note')}", 8)
        self.pictures("tuner", ("white", "dark"))
        # Of A 440 the tone is 8 + 7.9 cents sharp, of 442 it is 8.
        self.until(lambda: self.text("#tuner-cents") == "+16 cents", "of 440", 4)
        self.script("const a = document.getElementById('tuner-a'); a.value = '442';"
                    "a.dispatchEvent(new Event('input'))")
        self.until(lambda: self.text("#tuner-cents") == "+8 cents", "of 442", 4)
        self.script("const i = document.getElementById('tuner-instrument'); i.value = '1';"
                    "i.dispatchEvent(new Event('change'))")
        self.until(lambda: self.text("#tuner-note") == "A4", "a B flat clarinet reads A", 4)
    def test_a_key_and_a_midi_note_are_learned_and_kept(self):
        score = self.read("Bagatelle")
        self.tools("keys")
        self.until(lambda: self.shown("[data-action='last']"), "the actions are listed")
        self.pictures("keys")
        self.click("[data-action='last']")
        self.key("x")
        self.until(lambda: "X" in self.text(".actions"), "it is learned")
        self.click("[data-action='first']")
        self.key(Keys.F8)
        self.until(lambda: "F8" in self.text(".actions"), "it is learned")
        self.script("document.getElementById('dialog').close()")
        pages = len(score["parts"][0]["pages"])
        self.key("x")
        self.lies(pages - 1)
        self.key(Keys.F8)
        self.lies(0)
        self.assertEqual(self.script("return JSON.parse(localStorage.getItem('baton.stand.actions'))"),
                         {"key:x": "last", "key:F8": "first"})
        self.assertEqual(self.later("""
            const { midiTrigger, triggerName } = await import("/stand/actions.js");
            return [[0x90, 60, 90], [0x90, 60, 0], [0x80, 60, 0], [0xb3, 64, 127], [0xb3, 64, 0], [0xc0, 5], [0xf8]]
              .map((data) => midiTrigger(data) && triggerName(midiTrigger(data)));"""),
                         ["MIDI C4", None, None, "MIDI controller 64", None, "MIDI program 5", None])
    def test_the_first_music_is_explained_and_the_first_touch_does_what_it_says(self):
        self.read("Bagatelle", tour=True)
        self.until(lambda: self.shown("#tour"), "the zones are shown")
        self.pictures("tour", ("white", "warm", "dark"))
        self.assertIn("Hold a bar", self.text("#say"))
        self.tap(0.9)
        self.lies(1)
        self.assertFalse(self.shown("#tour"))
        self.driver.refresh()
        self.until(self.is_painted, "the page is painted", 8)
        self.assertFalse(self.shown("#tour"), "once is enough")
        self.tools("tour")
        self.until(lambda: self.shown("#tour-close"), "it is called again")
        self.script("document.getElementById('tour-close').focus()")
        self.key(Keys.ENTER)
        self.until(lambda: not self.shown("#tour"), "the keyboard closes it")
        self.lies(1)

    def test_nothing_covers_a_running_session(self):
        self.enter_room()
        self.assertFalse(self.shown("#tour"))


if __name__ == "__main__":
    if browser.ENGINE != "chromium":
        sys.exit("stand_tools_test: only Chromium is driven here, because its microphone can be a file.")
    PICTURES = pictures_folder()
    unittest.main()
