#!/usr/bin/python3
"""The titles in a real browser against a real server: the screen, its operator's page, a server that dies.

    BATON=path/to/baton Tests/Pages/screen_test.py [--pictures FOLDER] [TEST …]
    BATON=path/to/baton Tests/Pages/screen_test.py --titles 400 MeasureTest    # for figures in docs/screen.md

The last line is unittest's.
"""

import json
import os
import pathlib
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import ENGINE, bounce, resize
from lib.processes import free_port
from lib.repository import ROOT
from lib.servers import Server
from lib.waiting import hold_for
from page_case import PageCase, pictures_folder
from scripted import Scripted

ODE = "beethoven-symphony-9-ode-to-joy-variations"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 800), "projector": (1920, 1080)}
PICTURES = None
TITLES = 60  # how many titles are timed
WAIT = 120  # ms that a title waits after the report, so that its bar has certainly begun
# The content of the screen: the text of the layer that stays, and the cover over it.
SHOWN = """
    const layers = [...document.querySelectorAll(".title")].filter((one) => one.style.opacity === "1");
    return layers.map((one) => one.innerText.replaceAll("\\n\\n", "\\n")).join("|")"""
COVER = "const cover = document.getElementById('cover'); return cover.hidden ? 'none' : cover.className"


class TitlesCase(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(ODE))

    def setUp(self):
        # A list that an earlier test has loaded.
        shutil.rmtree(pathlib.Path(self.server.data) / "titles", ignore_errors=True)
        self.server.begin_anew()
        resize(self.driver, SIZES["projector"])

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def screen(self, query="language=en", name="hall"):
        self.driver.get(f"{self.base}/screen/{name}?{query}")
        self.until(lambda: self.script("return document.title").startswith(name), "the screen's page is there")

    def say(self, words):
        self.server.line(f"command title {words}")

    def music(self, played):
        self.server.line(f"report piece=1 played={played}")

    def load(self, sheet):
        status = self.script("""
            const request = new XMLHttpRequest();
            request.open("PUT", "/api/titles/0.csv", false);
            request.setRequestHeader("X-Baton", "1");
            request.send(arguments[0]);
            return request.status;""", sheet)
        self.assertEqual(status, 200)

    def shows(self, text, claim="", seconds=4.0):
        return self.until(lambda: self.script(SHOWN) == text, f"{claim} “{text}”, not “{self.script(SHOWN)}”", seconds)

    def picture(self, name, sizes=tuple(SIZES)):
        for size in sizes:
            resize(self.driver, SIZES[size])
            self.settle()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), SIZES[size][0], size)
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{size}.png"))
        resize(self.driver, SIZES["projector"])


class ScreenTest(TitlesCase):
    def test_titles_come_with_their_bars_and_nothing_else_is_shown(self):
        self.screen()
        self.assertEqual(self.script("return document.body.innerText.trim()"), "")
        self.music(0)
        self.shows("Softly the street begins to hum,")
        self.picture("screen-title")
        self.music(3)
        self.stays(lambda: self.script(SHOWN).startswith("Softly"), "no title comes before its bar", 0.5)
        self.music(4)
        self.shows("hardly a window is lit.")
        self.music(24)
        self.shows("")

    def test_a_title_follows_another_by_itself(self):
        self.screen()
        self.music(40)
        self.shows("Those who cannot sing may nod,")
        self.shows("and those who are mute beat time.", seconds=5)

    def test_a_person_takes_over_and_gives_back(self):
        self.screen()
        self.music(0)
        self.shows("Softly the street begins to hum,")
        time.sleep(0.3)
        self.say("next")
        self.shows("hardly a window is lit.")
        self.music(8)
        self.stays(lambda: self.script(SHOWN).startswith("hardly"), "by hand nothing comes by itself", 0.5)
        self.say("auto")
        self.shows("One is whistling, another hears it,")

    def test_hidden_and_blank(self):
        self.screen()
        self.say("goto 3")
        self.shows("One is whistling, another hears it,")
        self.say("hide")
        self.shows("")
        self.say("next")
        self.say("reveal")
        self.shows("and now they do not walk alone.")
        for colour in ("black", "white"):
            self.say(f"blank {colour}")
            self.until(lambda: self.script(COVER) == colour, f"the screen is {colour}", 0.5)
        self.say("blank off")
        self.until(lambda: self.script(COVER) == "none", "the title is there again", 0.5)
        self.shows("and now they do not walk alone.")

    def test_a_stage_screen_is_not_blanked_with_the_halls(self):
        self.screen("language=en&blank=ignore", "stage")
        self.say("goto 3")
        self.say("blank black")
        self.shows("One is whistling, another hears it,")
        self.stays(lambda: self.script(COVER) == "none", "the stage goes on reading", 0.5)

    def test_two_languages_their_place_and_size(self):
        self.screen("language=de,en&size=1.3&position=top")
        self.say("goto 12")
        self.shows("Morgen sind wir wieder viele,\ngestern waren wir zu zwein.\n"
                   "Tomorrow we shall be many,\nyesterday we were but two.")
        box = self.script("const box = document.querySelector('.title').getBoundingClientRect();"
                          "return [box.left, box.top, box.right, box.bottom, innerWidth, innerHeight]")
        self.assertTrue(box[0] >= 0 and box[1] >= 0 and box[2] <= box[4] and box[3] < box[5] * 0.55, box)
        self.picture("screen-two-languages")
        self.screen("language=de,en&colour=ff8800,00ffff&sizes=0.5,2")
        self.say("goto 12")
        self.until(lambda: self.script("""return [...document.querySelectorAll(".title p")].map((line) =>
            getComputedStyle(line).color).join()""") == "rgb(255, 136, 0),rgb(0, 255, 255)", "each has its colour")
        sizes = self.script("""return [...document.querySelectorAll(".title p")].map((line) =>
            parseFloat(getComputedStyle(line).fontSize))""")
        self.assertAlmostEqual(sizes[1] / sizes[0], 4, 2)

    def test_a_second_round_begins_like_the_first(self):
        self.screen()
        self.music(0)
        self.shows("Softly the street begins to hum,")
        self.say("goto 12")
        self.shows("Tomorrow we shall be many,\nyesterday we were but two.")
        self.say("hide")
        self.shows("")
        self.server.line("over")
        # The piece is played once more, and nobody has given the titles back.
        self.server.line("command piece 1")
        self.music(0)
        # No title comes by itself before the piece is under way.
        self.server.line("command begin")
        self.music(0)
        self.shows("Softly the street begins to hum,", "the first title, shown and automatic")
        self.music(3)
        self.music(4)
        self.shows("hardly a window is lit.")

    def test_a_late_screen_shows_the_present_title_at_once(self):
        self.say("goto 1")
        self.screen()
        self.shows("Softly the street begins to hum,")
        self.assertEqual(self.script("return document.getAnimations().length"), 0, "its fade was long ago")

    def test_a_fade_and_its_end(self):
        self.screen("")
        self.load("bar,text,fade_in,fade_out\n,Slow,8,8\n,Then,8,8\n")
        self.say("goto 1")
        self.until(lambda: self.script("return document.getAnimations().length") == 1, "it fades in")
        opacity = float(self.script("return getComputedStyle(document.querySelector('.title')).opacity"))
        self.assertLess(opacity, 0.6)
        self.say("hurry")
        self.until(lambda: self.script("return getComputedStyle(document.querySelector('.title')).opacity") == "1",
                   "the fade has ended", 1)

    def test_the_server_dies_and_comes_back(self):
        self.screen()
        self.say("goto 3")
        self.shows("One is whistling, another hears it,")
        self.server.kill()
        self.stays(lambda: self.script(SHOWN).startswith("One is"), "the frame is held", 2)
        self.server.command_line = [each for each in self.server.command_line if each != "--new"]
        self.server.start()
        self.shows("One is whistling, another hears it,")
        self.say("next")
        self.shows("and now they do not walk alone.", "the screen follows again", seconds=1)

    def test_how_soon_a_title_is_there(self):
        self.screen("")
        self.load("bar,text\n" + "".join(f"{bar},Title {bar}\n" for bar in range(1, 41)))
        self.script("""
            window.seen = [];
            new MutationObserver(() => window.seen.push(Date.now())).observe(document.getElementById("screen"),
              { childList: true });""")
        delays = []
        self.music(0)
        self.shows("Title 1")
        # One bar after another: a place far away has to be proven first.
        for number in range(1, 40):
            before = self.script("return window.seen.length")
            begun = time.time() * 1000
            self.music(number)
            self.until(lambda: self.script("return window.seen.length") > before, "the title changes")
            delays.append(self.script("return window.seen[arguments[0]]", before) - begun)
        delays.sort()
        print(f"from the follower's report to the page: median {statistics.median(delays):.0f} ms, "
              f"most {delays[-1]:.0f} ms")
        self.assertLess(statistics.median(delays), WAIT + 80)


class SettingsTest(TitlesCase):
    def set_up(self, name, method="POST", **settings):
        request = urllib.request.Request(f"{self.base}/api/screens/{name}", method=method,
                                         data=json.dumps(settings).encode() if method == "POST" else None,
                                         headers={"X-Baton": "1", "Content-Type": "application/json"})
        urllib.request.urlopen(request).close()

    def test_an_open_screen_changes_at_once_and_its_address_goes_before(self):
        self.screen("", "wall")
        self.say("goto 3")
        self.shows("Einer pfeift, ein andrer hört ihn,\nOne is whistling, another hears it,")
        self.set_up("wall", languages=["de"], position="top", ground="00ff00", size=2)
        self.shows("Einer pfeift, ein andrer hört ihn,", seconds=1)
        self.assertEqual(self.script("""const title = document.querySelector(".title");
            const ground = getComputedStyle(document.getElementById("screen")).backgroundColor;
            return [title.classList.contains("top"), ground,
                document.getAnimations().length]"""), [True, "rgb(0, 255, 0)", 0])
        self.screen("language=en", "wall")
        self.shows("One is whistling, another hears it,")
        self.server.kill()
        self.server.start()
        self.screen("", "wall")
        self.say("goto 3")
        self.shows("Einer pfeift, ein andrer hört ihn,", "the settings are kept")
        self.set_up("wall", method="DELETE")
        self.shows("Einer pfeift, ein andrer hört ihn,\nOne is whistling, another hears it,", seconds=1)

    def test_a_title_without_the_language_falls_back_and_the_operator_is_told(self):
        self.screen("language=fr", "foyer")
        self.say("goto 3")
        self.shows("Einer pfeift, ein andrer hört ihn,")
        self.screen("language=fr&fallback=none", "foyer")
        self.shows("")
        self.driver.get(f"{self.base}/titles")
        self.until(lambda: "no fr" in self.script("return document.getElementById('screens').innerText"),
                   "the operator is told", 8)


    def test_margins_place_letters_and_brightness(self):
        """What an odd board needs: titles keep to the part that can be seen, and to the side that was chosen."""
        self.screen("", "wall")
        self.say("goto 3")
        self.shows("Einer pfeift, ein andrer hört ihn,\nOne is whistling, another hears it,")
        box = lambda what: self.script("""const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.left / innerWidth, box.top / innerHeight, box.right / innerWidth, box.bottom / innerHeight]""",
                                       what)
        size = lambda: self.script("return parseFloat(getComputedStyle(document.querySelector('.title')).fontSize)")
        large = size()
        self.set_up("wall", margins=[0.1, 0.2, 0.3, 0.4], align="left", lettering="outline", font="DejaVu Serif",
                    brightness=0.5)
        self.until(lambda: self.script("return document.querySelector('.title.left.outline') !== null"), "it changes")
        left, top, right, bottom = box(".title")
        self.assertTrue(left >= 0.4 and top >= 0.1 and right <= 0.8 and bottom <= 0.7, (left, top, right, bottom))
        self.assertAlmostEqual(box(".title p")[0], left, 2, "lines stand at the left")
        self.assertLess(size(), large, "letters go with the room that there is")
        self.assertEqual(self.script("""const line = getComputedStyle(document.querySelector(".title p"));
            return [line.fontFamily.split(",")[0], parseFloat(line.webkitTextStrokeWidth) > 1,
                getComputedStyle(document.getElementById("screen")).filter]"""),
                         ['"DejaVu Serif"', True, "brightness(0.5)"])
        self.picture("screen-margins", ("projector",))
        self.set_up("wall", margins=[], position="middle", align="right")
        self.until(lambda: self.script("return document.querySelector('.title.middle.right') !== null"), "the middle")
        _, top, right, bottom = box(".title")
        self.assertAlmostEqual((top + bottom) / 2, 0.5, 2)
        self.assertAlmostEqual(box(".title p")[2], right, 2, "lines stand at the right")

    def test_one_key_makes_all_screens_darker_and_a_button_one(self):
        self.set_up("wall", brightness=1)
        self.screen("", "wall")
        other = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            self.driver.get(f"{self.base}/titles")
            self.until(lambda: self.script("return document.querySelector('.dimmer') !== null"), "it is listed", 8)
            self.driver.find_element(By.CSS_SELECTOR, "body").send_keys("-")
            self.until(lambda: self.kept()["brightness"] == 0.8, "darker")
            self.script("document.querySelector('.dimmer button').click()")
            self.until(lambda: self.kept()["brightness"] == 0.64, "darker again")
            self.driver.find_element(By.CSS_SELECTOR, "body").send_keys("+")
            self.until(lambda: self.kept()["brightness"] == 0.8, "brighter")
        finally:
            self.driver.close()
            self.driver.switch_to.window(other)

    def test_margins_are_written_in_percent(self):
        self.set_up("wall", position="top")
        self.open_dialog()
        for words in ("5, 5", "60", "a"):
            self.write("set-margins", words)
            self.save()
            self.until(lambda: "0 to 45 %" in self.script(
                "return document.querySelector('#screen-dialog .trouble').textContent"), f"“{words}” is told")
        self.write("set-margins", "5, 5, 10 %, 5")
        self.save()
        self.until(lambda: self.kept()["margins"] == [0.05, 0.05, 0.1, 0.05], "kept as shares")

    def open_dialog(self, name="wall"):
        self.driver.get(f"{self.base}/titles")
        self.until(lambda: self.script("return Boolean(document.querySelector(arguments[0]))",
                                       f"[data-screen={name}]"), "the screen is listed", 8)
        self.script("document.querySelector(arguments[0]).click()", f"[data-screen={name}]")
        self.until(lambda: self.script("return document.getElementById('screen-dialog').open"), "the dialog is open")

    def write(self, identifier, words):
        self.script("""
            const field = document.getElementById(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event("input", { bubbles: true }));""", identifier, words)

    def save(self):
        self.driver.find_element(By.CSS_SELECTOR, "#screen-dialog button[type=submit]").click()

    def kept(self, name="wall"):
        with urllib.request.urlopen(f"{self.base}/api/screens") as answer:
            return json.load(answer)[name]

    def test_a_size_that_is_no_number_is_told_and_not_sent(self):
        self.set_up("wall", position="top")
        self.open_dialog()
        told = lambda: self.script("return document.querySelector('#screen-dialog .trouble').textContent")
        self.write("set-ground", "#00ff00")
        for identifier, wrong, right in (("set-size", ("abc", "", "4"), "1,5"),
                                         ("set-sizes", ("1, abc", "1, 0.7x", "9"), "1, 0.7")):
            for words in wrong:
                self.write(identifier, words)
                self.save()
                self.until(lambda: "number from 0.3 to 3" in told(), f"“{words}” is told")
                self.assertEqual(self.kept()["ground"], "000000", "nothing is sent")
            self.write(identifier, right)
        self.save()
        self.until(lambda: not self.script("return document.getElementById('screen-dialog').open"), "saved")
        self.assertEqual([self.kept()[key] for key in ("size", "sizes", "ground")], [1.5, [1, 0.7], "00ff00"])

    def test_the_buttons_of_the_dialog_are_in_sight(self):
        self.set_up("wall", position="top")
        for size in ((390, 844), (820, 1180), (1440, 900)):
            resize(self.driver, size)
            self.open_dialog()
            self.settle()
            self.assertTrue(self.script("""
                const save = document.querySelector("#screen-dialog button[type=submit]");
                const box = save.getBoundingClientRect();
                return box.top >= 0 && box.bottom <= innerHeight
                  && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === save"""), size)
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"titles-dialog-{size[0]}.png"))

    def test_two_technicians_change_different_settings_and_both_are_kept(self):
        self.set_up("wall", size=1, ground="000000")
        self.open_dialog()
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        second = self.driver.current_window_handle
        try:
            self.open_dialog()
            self.write("set-ground", "#00ff00")
            self.driver.switch_to.window(first)
            self.write("set-size", "2")
            self.save()
            self.until(lambda: self.kept()["size"] == 2, "the size of the first")
            self.driver.switch_to.window(second)
            self.save()
            self.until(lambda: self.kept()["ground"] == "00ff00", "the background of the second")
            self.assertEqual(self.kept()["size"], 2, "the size stays")
        finally:
            self.driver.switch_to.window(second)
            self.driver.close()
            self.driver.switch_to.window(first)


class PhoneTest(TitlesCase):
    """Titles on a listener's phone."""

    WORDS = """const title = document.getElementById("title");
        return title.hidden ? null : document.getElementById("title-words").innerText"""

    def setUp(self):
        super().setUp()
        resize(self.driver, SIZES["phone"])

    def reads(self, text, claim="", seconds=4.0):
        self.until(lambda: self.script(self.WORDS) == text, f"{claim} “{text}”, not “{self.script(self.WORDS)}”",
                   seconds)

    def open(self):
        self.driver.get(self.base + "/")
        self.until(lambda: self.script("return document.getElementById('live').dataset.live === 'true'"),
                   "it is live", 8)

    def test_nothing_stands_on_phones_until_the_first_title_comes(self):
        strip = "return document.getElementById('title').checkVisibility()"
        self.music(0)
        self.say("blank black")
        self.say("phones on")
        self.open()
        # The strip is loaded with the first word of titles.
        self.until(lambda: self.script("return document.getElementById('title').childElementCount > 0"), "told of them")
        self.stays(lambda: not self.script(strip), "no strip without a text", 0.7)
        self.say("blank off")
        self.until(lambda: self.script(strip), "it comes with the first title")
        self.assertTrue(self.script("return document.getElementById('title-language').checkVisibility()"))
        self.say("blank black")
        self.reads("", "a gap")
        self.assertTrue(self.script(strip), "a short gap moves nothing")
        self.say("blank off")
        self.say("phones off")
        self.until(lambda: not self.script(strip), "taken away at once")

    def test_titles_are_on_phones_only_when_allowed_in_each_phones_language(self):
        self.music(0)
        self.open()
        self.stays(lambda: self.script(self.WORDS) is None, "phones show none unless allowed", 0.7)
        self.say("phones on")
        self.reads("Softly the street begins to hum,")
        self.picture("phone-title", ("phone",))
        resize(self.driver, SIZES["phone"])
        self.music(4)
        self.reads("hardly a window is lit.")
        self.script("""const choice = document.getElementById("title-language");
            choice.value = "de"; choice.dispatchEvent(new Event("change"));""")
        self.reads("kaum ein Fenster ist schon hell.")
        self.driver.refresh()
        self.reads("kaum ein Fenster ist schon hell.", "who comes late reads it at once", 6)
        self.say("blank black")
        self.reads("", "dark with the screens")
        self.say("blank off")
        self.say("phones off")
        self.until(lambda: self.script(self.WORDS) is None, "taken away")
        self.script("localStorage.clear()")


class MeasureTest(TitlesCase):
    def test_how_soon_titles_are_there_and_how_smoothly_they_fade(self):
        """From a bar's report to the frame with its title, over many titles; and the frames of a fade of one second."""
        self.screen("")
        bars = 140
        self.load("bar,text_de,text_en\n" + "".join(f"{bar},Titel {bar},Title {bar}\n" for bar in range(1, bars + 1)))
        self.script("""
            window.seen = [];
            new MutationObserver(() => requestAnimationFrame(() => {
              // The frame is drawn when the next one begins.
              const { port1, port2 } = new MessageChannel();
              port2.onmessage = () => window.seen.push(Date.now());
              port1.postMessage(null);
            })).observe(document.getElementById("screen"), { childList: true });""")
        delays = []
        while len(delays) < TITLES:
            self.server.begin_anew()
            self.screen_again()
            for number in range(min(bars, TITLES - len(delays))):
                before = self.script("return window.seen.length")
                begun = time.time() * 1000
                self.music(number)
                self.until(lambda was=before: self.script("return window.seen.length") > was, "the title changes")
                delays.append(self.script("return window.seen[arguments[0]]", before) - begun)
        delays.sort()
        print(f"from the follower's report to the drawn frame, {len(delays)} titles: median "
              f"{statistics.median(delays):.0f} ms, 99 % {delays[int(len(delays) * 0.99) - 1]:.0f} ms, "
              f"most {delays[-1]:.0f} ms")
        # The 99th percentile is judged where it was asked for: it needs an idle machine and some hundred titles.
        judged = delays[int(len(delays) * 0.99) - 1] if TITLES >= 300 else statistics.median(delays)
        self.assertLess(judged, WAIT + 80)
        self.load("bar,text,fade_in\n,One,1\n,Two,1\n")
        self.say("goto 2")
        frames = self.later("""
            const taken = [];
            while (document.getAnimations().length === 0) await new Promise(requestAnimationFrame);
            let before = await new Promise(requestAnimationFrame);
            while (document.getAnimations().length > 0) {
              const now = await new Promise(requestAnimationFrame);
              taken.push(now - before);
              before = now;
            }
            return taken""")
        print(f"a fade of 1 s: {len(frames)} frames, {1000 / statistics.mean(frames):.1f} a second, longest "
              f"{max(frames):.0f} ms")
        self.assertGreater(len(frames), 30)

    def screen_again(self):
        # The page joins the new server by itself, with the measuring in it.
        self.until(lambda: self.script(SHOWN) == "", "nothing is shown yet", 8)


class OperatorTest(TitlesCase):
    def operate(self):
        self.driver.get(f"{self.base}/titles")
        self.until(lambda: "follow the music" in self.words("#sentence"), "the page is there", 8)
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#list li")) == 13, "the script")

    def number(self, number):
        self.until(lambda: self.words("#number").startswith(f"{number} of 13"), f"title {number} is present")

    def test_the_script_goes_with_the_music_and_calls_out_what_was_passed(self):
        self.operate()
        self.music(0)
        self.number(1)
        present = lambda: self.script("""
            const [list, row] = [document.getElementById("list"), document.querySelector("#list [aria-current]")];
            const [seen, place] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
            return [Number(row.dataset.number), (place.top + place.bottom) / 2 > seen.top
              && (place.top + place.bottom) / 2 < seen.bottom]""")
        self.assertEqual(present(), [1, True])
        self.until(lambda: "title 2 in" in self.words("#progress"), "how far the next one is")
        self.assertRegex(self.words("#progress"), r"^Bar 1 · title 2 in \d+ bars?, \d+ s")
        self.picture("titles-script")
        # A cut: the music goes on after titles that were not shown.
        self.music(12)
        self.until(lambda: "passed by" in self.words("#passed"), "they are called out")
        self.until(lambda: present()[1], "the present one is in the middle")
        gone = self.script("""
            return [...document.querySelectorAll("#list [data-passed]")].map((row) => row.dataset.number)""")
        self.assertEqual(gone, [str(number) for number in range(2, present()[0])])
        self.press("a")
        self.until(lambda: "It would show" in self.words("#sentence"), "by hand, and where automatic would be")
        # What is left out tonight does not come, neither by the music nor by a step; the list stays.
        self.script("document.querySelector('#list [data-number=\"6\"] .skip').click()")
        skipped = lambda: self.script("return document.querySelectorAll('#list [data-skipped]').length")
        self.until(lambda: skipped() == 1, "it is marked")
        self.say("goto 5")
        self.press(Keys.PAGE_DOWN)
        self.number(7)
        self.script("document.querySelector('#list [data-number=\"6\"] .skip').click()")
        self.until(lambda: skipped() == 0, "it comes again")
        # By a click on its row a title is shown.
        self.script("document.querySelector('#list [data-number=\"5\"] button').click()")
        self.number(5)
        self.assertEqual(self.complaints(), [])

    def test_letters_of_any_direction_stand_as_they_are_written(self):
        self.driver.get(f"{self.base}/shared/mark.svg")
        self.load('bar,text_he,text_en\n1,"שלום, עולם!","<i>Peace</i>, world!"\n2,a,b\n')
        self.say("goto 1")
        self.screen("show=titles")
        lines = """return [...document.querySelectorAll(".title p")].map((line) => [line.lang,
            getComputedStyle(line).direction, getComputedStyle(line).fontStyle, line.textContent])"""
        self.until(lambda: len(self.script(lines)) == 2, "both languages")
        self.assertEqual(sorted(self.script(lines)), [["en", "ltr", "italic", "Peace, world!"],
                                                      ["he", "rtl", "normal", "שלום, עולם!"]])
        self.assertEqual(self.script("return document.querySelector('.title i').textContent"), "Peace")
        self.picture("screen-directions", ("desk",))

    def test_a_long_title_has_the_largest_letters_that_fit_on_a_picture_and_on_a_board(self):
        self.driver.get(f"{self.base}/shared/mark.svg")
        self.load('bar,text_de,text_en\n1,"' + "Ein langer Satz, der nicht endet. " * 9 + '","'
                  + "A long sentence that does not end. " * 9 + '"\n2,a,b\n')
        for width, height, share in ((1920, 1080, 0.46), (1920, 360, 0.9), (1920, 240, 0.9)):
            resize(self.driver, (width, height))
            self.say("goto 1")
            self.screen()
            self.until(lambda: self.script("return document.querySelector('.title')?.style.opacity") == "1", "there")
            taken = self.script("return document.querySelector('.title').getBoundingClientRect().height / innerHeight")
            self.assertLessEqual(taken, share)
            # One line more would not fit.
            self.assertGreater(taken, 0.75 * share, (width, height))
            self.picture(f"screen-long-{height}", ())
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"screen-long-{height}.png"))
        resize(self.driver, SIZES["desk"])

    def test_keys_and_a_foot_pedal(self):
        self.operate()
        self.press(Keys.PAGE_DOWN)
        self.number(1)
        self.press(Keys.PAGE_DOWN)
        self.number(2)
        self.press(Keys.PAGE_UP)
        self.number(1)
        self.press("h")
        self.until(lambda: self.script("return document.getElementById('present').dataset.hidden") == "true", "hidden")
        self.press("h")
        self.press("b")
        self.until(lambda: self.script("return document.getElementById('black').ariaPressed") == "true", "black")
        self.press("b")
        self.press("1", "2", Keys.ENTER)
        self.number(12)
        self.press("5", Keys.BACKSPACE, *"bar 9", Keys.ENTER)
        self.number(3)
        self.press("/", *"TOMORROW we", Keys.ENTER)
        self.number(12)
        self.press("a")
        self.until(lambda: "follow the music" in self.words("#sentence"), "automatic again")

    def test_one_press_is_one_title(self):
        self.operate()
        bounce(self.driver, "PageDown")
        self.number(1)
        self.stays(lambda: self.words("#number").startswith("1 of"), "one title for one foot", 0.3)
        bounce(self.driver, "ArrowRight", times=8)
        self.number(2)
        self.script("for (const _ of [1, 2]) document.getElementById('next').click()")
        self.number(3)
        bounce(self.driver, "b")
        self.until(lambda: self.script("return document.getElementById('black').ariaPressed") == "true", "black")
        self.stays(lambda: self.script("return document.getElementById('black').ariaPressed") == "true",
                   "and not back", 0.3)

    def test_a_key_is_a_command_only_where_nothing_else_takes_it(self):
        self.operate()
        self.script("document.getElementById('files').open = true")
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#of option")) > 1, "the pieces are listed")
        choice = self.driver.find_element(By.ID, "of")
        # In the choice of a piece, arrows and letters choose a piece.
        self.script("arguments[0].focus()", choice)
        self.press(Keys.ARROW_DOWN)
        self.until(lambda: choice.get_attribute("value") != "", "a piece is chosen by the keyboard")
        self.press("b")
        self.stays(lambda: self.words("#number") == "No title yet"
                   and self.script("return document.getElementById('black').ariaPressed") == "false",
                   "no title has come, and the screens are not black", 0.5)
        # A pedal works everywhere, and where a file was chosen all keys do.
        self.press(Keys.PAGE_DOWN)
        self.number(1)
        self.script("document.getElementById('file').focus()")
        self.press(Keys.ARROW_RIGHT)
        self.number(2)

    def test_a_lost_follower_asks_for_the_operator(self):
        self.operate()
        self.music(0)
        self.number(1)
        self.server.line("lose 30 0.4")
        self.until(lambda: "is lost" in self.words("#sentence"), "the operator is asked", 10)
        self.picture("titles-lost")
        self.press(Keys.PAGE_DOWN)
        self.until(lambda: "By hand" in self.words("#sentence"), "the operator has them")

    def test_it_says_which_screens_are_there_and_what_they_show(self):
        self.screen()
        hall = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            self.operate()
            self.press(Keys.PAGE_DOWN)
            self.until(lambda: "hall" in self.words("#screens") and "Softly" in self.words("#screens"), "the hall's", 8)
            self.picture("titles")
            self.assertEqual(self.script("""
                return [...document.querySelectorAll("main button, main input:not([type=checkbox]), main a.button")]
                  .filter((one) => one.getClientRects().length && one.getBoundingClientRect().height < 44)
                  .map((one) => one.outerHTML)"""), [])
        finally:
            operator = self.driver.current_window_handle
            self.driver.switch_to.window(hall)
            self.driver.close()
            self.driver.switch_to.window(operator)
        self.until(lambda: "does not answer" in self.words("#screens"), "a screen that was closed is missing", 12)

    def test_the_buttons_stay_in_their_place_whatever_the_texts_are(self):
        long, note = "A long title that goes on and on. " * 12, "A long note. " * 15
        self.driver.get(f"{self.base}/shared/mark.svg")
        self.load("bar,text_de,text_en,note\n1,,,\n2,Kurz,Short,\n"
                  + "".join(f'{bar},"{long}","{long}","{note}"\n' for bar in range(3, 7)))
        for size in ((390, 844), (820, 1180), (1440, 900)):
            resize(self.driver, size)
            self.say("goto 1")
            self.driver.get(f"{self.base}/titles")
            self.until(lambda: self.words("#number").startswith("1 of 6"), "the empty title")
            self.settle()
            before = self.places()
            for number in (2, 3, 4):
                self.press(Keys.PAGE_DOWN)
                self.until(lambda wanted=number: self.words("#number").startswith(f"{wanted} of 6"), f"title {number}")
                self.assertEqual(self.places(), before, (size, number))
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"titles-long-{size[0]}.png"))
            self.press("/", *"no such words", Keys.ENTER)
            self.until(lambda: "No title has these words" in self.words("#say"), "a refusal")
            self.assertEqual(self.places(), before, (size, "a refusal"))
            self.assertLess(before["next"], size[1] - 100, "without scrolling")

    def places(self):
        """The top of each button that is used without looking."""
        return self.script("""
            return Object.fromEntries(["previous", "next", "hide", "black", "auto"]
              .map((id) => [id, document.getElementById(id).getBoundingClientRect().top]))""")

    def test_a_list_is_loaded_and_a_bad_one_gets_a_sentence(self):
        self.operate()
        self.script("document.getElementById('files').open = true")
        folder = pathlib.Path(tempfile.mkdtemp())
        (folder / "bad.csv").write_text("bar,text\n999,No such bar\n", encoding="utf-8")
        (folder / "old.csv").write_text("bar,text\n1,Stra\u00dfe hinunter\n", encoding="latin-1")
        (folder / "song.srt").write_text("1\n00:00:00,500 --> 00:00:03,000\nFirst line\n\n"
                                         "2\n00:00:06,000 --> 00:00:09,000\nSecond line\n", encoding="utf-8")
        field = self.driver.find_element(By.ID, "file")
        field.send_keys(str(folder / "bad.csv"))
        self.until(lambda: "Title 1" in self.words("#say"), "the mistake is named")
        self.picture("titles-list", ("phone", "desk"))
        # Letters that cannot be read are refused; they do not become question marks on the screens.
        field.send_keys(str(folder / "old.csv"))
        self.until(lambda: "neither UTF-8 nor UTF-16" in self.words("#say"), "the encoding is named")
        self.assertIn("Softly", self.words("#list"), "the list is as before")
        field.send_keys(str(folder / "song.srt"))
        self.until(lambda: "First line" in self.words("#list"), "the new list is there")
        self.until(lambda: self.words("#say") == "", "the sentence is gone")
        self.assertTrue((pathlib.Path(self.server.data) / "titles" / f"{ODE}.csv").exists())


class KioskTest(unittest.TestCase):
    def test_a_screen_that_starts_before_the_server_waits_for_it(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-kiosk-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        browser = folder / "browser"
        browser.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$0.saw"\n', encoding="utf-8")
        browser.chmod(0o755)
        server = Server(None, "--no-listen-osc", "--no-multicast")
        self.addCleanup(server.remove)
        address = f"{server.base}/screen/stage"
        started = subprocess.Popen([ROOT / "docs" / "deploy" / "baton-screen", address, "--one-more"],
                                   env={**os.environ, "BROWSER": str(browser), "STATE_DIRECTORY": str(folder)})
        self.addCleanup(started.kill)
        saw = browser.with_name("browser.saw")
        hold_for(1)
        self.assertFalse(saw.exists(), "no browser before the server")
        server.start()
        self.assertEqual(started.wait(timeout=20), 0)
        words = saw.read_text(encoding="utf-8").split("\n")
        self.assertEqual(words[-2:], [address, ""])
        self.assertTrue({"--kiosk", "--one-more", f"--user-data-dir={folder}"} <= set(words))


class PairTest(PageCase):
    """A screen at the backup server, which takes over."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-pair-"))
        key = cls.folder / "key"
        key.write_bytes(secrets.token_bytes(32))
        key.chmod(0o600)
        port = free_port()
        cls.main = Scripted(ODE, "--link", port, "--link-key", key, "--takeover-seconds", 1)
        cls.begin(Scripted(ODE, "--backup-of", port, "--link-key", key, "--takeover-seconds", 1))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.main.remove()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def test_the_backup_goes_on_with_the_same_title(self):
        self.driver.get(f"{self.base}/screen/hall?language=en")
        self.main.line("command title goto 3")
        self.until(lambda: self.script(SHOWN).startswith("One is"), "the backup's screen shows it too", 10)
        self.main.kill()
        self.stays(lambda: self.script(SHOWN).startswith("One is"), "the title stays", 0.8)

        def obeyed():
            self.server.line("command title goto 5")
            return self.script(SHOWN).startswith("Come down")
        taken = self.until(obeyed, "the backup shows titles", 10)
        print(f"the backup obeyed {taken + 0.8:.1f} s after the main server died; it waits for 1 s of silence")


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("screen_test: only Chromium is driven here.")
    PICTURES = pictures_folder()
    if "--titles" in sys.argv:
        place = sys.argv.index("--titles")
        TITLES = int(sys.argv[place + 1])
        del sys.argv[place:place + 2]
    unittest.main()
