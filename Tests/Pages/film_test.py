#!/usr/bin/python3
"""A film that follows the music, on a screen in a real browser: loaded, shown, moved and refused.

    BATON=path/to/baton Tests/Pages/film_test.py [TEST …]

Tests/System/film measures how well it follows.
"""

import shutil
import subprocess
import unittest

from lib import web
from lib.repository import RECORDINGS, ROOT
from page_case import PageCase
from scripted import Scripted

ODE = "beethoven-symphony-9-ode-to-joy-variations"
PLACE = "return document.querySelector('.film')?.currentTime ?? -1"
SHOWN = "const film = document.querySelector('.film'); return Boolean(film && !film.hidden)"


class FilmTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.recordings = cls.new_folder()
        place = cls.recordings / ODE
        place.mkdir()
        for entry in (RECORDINGS / ODE).iterdir():
            (place / entry.name).symlink_to(entry)
        cls.film = place / "film"
        subprocess.run([ROOT / "Tools/make-film", ODE, "festival", cls.film, "--rate", "10"], check=True)
        cls.kept = cls.new_folder() / "film"
        shutil.copytree(cls.film, cls.kept)
        cls.begin(Scripted(ODE, recordings=cls.recordings))

    def setUp(self):
        shutil.rmtree(self.film, ignore_errors=True)
        shutil.copytree(self.kept, self.film)
        self.server.begin_anew()
        self.driver.get(f"{self.base}/screen/hall?language=en")

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    @property
    def report(self):
        """What the screen says of the film; None before it does."""
        screens = web.snapshot(self.base)["screens"]
        return next((each["film"] for each in screens if each["name"] == "hall" and each["isHere"]), None)

    def is_in(self, state, seconds=15):
        self.until(lambda: self.report and self.report["state"] == state, f"{state}, not {self.report}", seconds)

    def bar(self, played):
        """The second of the film at which a bar begins."""
        lines = (self.film / "measures.csv").read_text(encoding="utf-8").split()
        return float(lines[played + 1].split(",")[1])

    def is_at(self, played, most=0.5):
        self.until(lambda: abs(self.script(PLACE) - self.bar(played)) < most,
                   f"bar {played} at {self.bar(played)}, not {self.script(PLACE)}", 6)

    def check(self):
        """The check's verdict on the film."""
        self.server.ask("POST", "/api/check", {})
        self.until(lambda: not web.snapshot(self.base)["check"]["running"], "the check is over", 40)
        items = web.snapshot(self.base)["check"]["items"]
        return next((each["state"], each["sentence"]) for each in items if each["id"] == "film")

    def test_it_is_loaded_before_the_show_and_shown_with_the_music_under_the_titles(self):
        self.is_in("ready")
        self.assertFalse(self.script(SHOWN), "nothing is shown before the music")
        self.server.line("at 1 1")
        self.server.line("play 1")
        self.until(lambda: self.script(SHOWN), "the film is shown")
        self.is_in("playing")
        self.until(lambda: self.script("return document.querySelector('.title p')?.innerText"), "a title is there")
        self.assertEqual(self.script("""
            const [film, title] = [".film", ".title p"].map((each) => document.querySelector(each));
            const { left, top, width, height } = title.getBoundingClientRect();
            return [document.elementFromPoint(left + width / 2, top + height / 2).closest(".title") !== null,
                getComputedStyle(title).backgroundColor !== "rgba(0, 0, 0, 0)", film.videoWidth > 0]"""),
            [True, True, True], "the title lies over the film, on a ground of its own")
        self.server.command("title", "blank", "black")
        self.until(lambda: self.script("return !document.getElementById('cover').hidden"), "blank lies over everything")

    def test_it_jumps_with_the_music_and_holds_with_it(self):
        self.is_in("ready")
        self.server.line("at 1 1")
        self.server.line("play 1")
        self.is_in("playing")
        self.server.line("report piece=1 played=100")
        self.is_at(100)
        self.server.command("hold")
        self.is_in("holding")
        place = self.script(PLACE)
        self.stays(lambda: self.script(PLACE) == place, "its frame stays", 1)

    def test_a_screen_that_comes_late_joins_at_the_frame(self):
        self.is_in("ready")
        self.server.line("report piece=1 played=60")
        self.is_at(60)
        self.driver.refresh()
        self.until(lambda: self.script(SHOWN), "the film is shown again")
        self.is_at(60, most=1.5)

    def test_the_operator_moves_it_and_other_screens_show_none(self):
        self.is_in("ready")
        self.server.ask("POST", "/api/screens/hall", {"filmOffset": 400})
        self.until(lambda: self.report["offsetMs"] == 400, "the screen uses the offset")
        screen = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.driver.get(f"{self.base}/console")
        self.until(lambda: self.words("#link-state") == "Connected", "the console is connected", 20)
        self.press("q")
        self.until(lambda: self.script("""
            const button = document.querySelector("[aria-label='Earlier on the screen hall']");
            button?.click();
            return Boolean(button)"""), "the console has a button for it", 20)
        self.until(lambda: self.server.ask("GET", "/api/screens").value["hall"]["filmOffset"] == 420, "it is moved", 10)
        self.driver.close()
        self.driver.switch_to.window(screen)
        self.server.ask("DELETE", "/api/screens/hall")
        self.driver.get(f"{self.base}/screen/hall?show=titles")
        self.until(lambda: self.script("return document.title").startswith("hall"), "the page is there")
        self.stays(lambda: not self.script("return Boolean(document.querySelector('.film'))"), "no film is loaded", 1)

    def test_the_check_names_a_film_that_this_browser_cannot_play(self):
        self.is_in("ready")
        self.assertEqual(self.check(), ("pass", "The film is loaded on this screen: hall."))
        broken = b"\0\0\0\x20ftypisom" + b"\7" * 5000
        (self.film / "film.mp4").write_bytes(broken)
        self.is_in("failed")
        state, sentence = self.check()
        self.assertEqual(state, "fail")
        self.assertIn("cannot play the film: hall", sentence)
        self.assertFalse(self.script(SHOWN))

    def test_a_film_that_cannot_be_used_is_a_fault_with_a_sentence(self):
        (self.film / "measures.csv").write_text("measure,time\n1,1\n2,2\n", encoding="utf-8")

        def sentences():
            return [fault["sentence"] for fault in web.snapshot(self.base)["faults"] if not fault["over"]]

        self.until(lambda: any("2 bars as played" in each for each in sentences()), "the table is reported", 8)
        shutil.rmtree(self.film)
        self.until(lambda: not any("bars as played" in each for each in sentences()), "it is over without a film", 8)


if __name__ == "__main__":
    unittest.main()
