#!/usr/bin/python3
"""A tab that follows its player: brought to /practice, played and learned by the server, practised by the microphone,
with the report on its notes.

    BATON=path/to/baton Tests/Pages/practice_follow_test.py [--pictures FOLDER] [--file TAB]

`--file` is a tab of more than four bars to bring instead of a made one, such as a Guitar Pro file. Chromium only,
because only its microphone can be a file. The server needs Verovio and FluidSynth. The last line is unittest's.
"""

import json
import os
import pathlib
import random
import shutil
import sys
import unittest

import browser
from browser import resize, settle
from lib import web
from lib.repository import RECORDINGS, ROOT, build_engine, recording
from page_case import PageCase
from played_microphone import HOOK, play
from practice_case import beat, tab
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
PICTURES = FILE = None
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 800)}
BARS, PLAYED = 8, 4  # of the made tab, and those that are followed at least


def melody():
    """Quarters on the upper strings, no bar like another."""
    chance = random.Random(3)
    return tab(*[[beat("1/4", (chance.randint(1, 3), chance.randint(0, 7))) for _ in range(4)] for _ in range(BARS)],
               title="Walk")


class FollowTabTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        for source, name in ((ROOT / "Models", "models"), (RECORDINGS, "recordings")):
            shutil.copytree(source / PIECE, cls.folder / name / PIECE)
        cls.file = FILE or cls.folder / "walk.json"
        if not FILE:
            cls.file.write_text(json.dumps(melody()), encoding="utf-8")
        build_engine()
        server = Served(PIECE, [recording(PIECE, "gentle")], "--new", "--models", cls.folder / "models",
                            "--recordings", cls.folder / "recordings")
        cls.begin(server, holder=browser.hearing(plays_unasked=True))

    def picture(self, name):
        for size, pixels in SIZES.items() if PICTURES else ():
            resize(self.driver, pixels)
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"follow-tab-{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])

    def click(self, name):
        self.until(lambda: self.script("return Boolean(document.getElementById(arguments[0])?.getClientRects().length)",
                                       name), f"{name} is there", 10)
        self.script("document.getElementById(arguments[0]).click()", name)

    def bar(self):
        """The bar that is shown; 0 before the first."""
        shown = self.value("bar")
        return int(shown) if shown.isdigit() else 0

    def value(self, name):
        return self.script("return document.getElementById(arguments[0]).textContent", name)

    def test_a_tab_is_practised_by_the_microphone_and_its_notes_are_judged(self):
        self.driver.get(f"{self.base}/practice")
        self.until(lambda: self.script("return document.body.dataset.view") == "shelf", "the library is open", 10)
        self.driver.find_element("id", "import-file").send_keys(str(self.file))
        self.click("import-take")
        self.until(lambda: self.script("return document.body.dataset.view") == "tab", "the tab is open", 20)
        tab_address = self.driver.current_url
        folder = self.practise("first")
        self.assertRegex(self.script("return document.getElementById('report').innerText"), r"\d+ notes|[Nn]otes")
        print(self.script("return document.getElementById('report').innerText")[:700], file=sys.stderr)
        self.assertEqual(self.complaints(), [])
        if not FILE:
            folder = self.changed_and_practised_again(tab_address, folder)
        self.nobody_is_offered_it_for_the_programme(folder)

    def changed_and_practised_again(self, tab_address, before):
        """The first bar of the tab is changed, and its first version goes: their takes stay comparable.

        Gives the folder of the second version."""
        self.driver.get(tab_address)
        self.until(lambda: self.script("return document.body.dataset.view") == "tab", "the tab is open again", 20)
        self.press("9")
        after = self.practise("second")
        self.assertNotEqual(before, after, "it is another piece")
        piece = json.loads((self.folder / "recordings" / before / "piece.json").read_text(encoding="utf-8"))
        web.ask(self.base, "DELETE", f"/api/prepare/pieces/{piece['draft']}")
        self.assertFalse((self.folder / "models" / before).exists())
        self.script("""[...document.querySelectorAll('#report-body button')]
            .find((each) => each.textContent.startsWith('Compare')).click()""")
        self.until(lambda: self.script("return document.querySelectorAll('.comparison tbody tr').length") == 2,
                   "the takes stand side by side", 60)
        self.picture("compared")
        rows = self.script("""return [...document.querySelectorAll('.comparison tbody tr')].map((row) =>
            [...row.children].map((cell) => cell.textContent))""")
        print(rows, file=sys.stderr)
        self.assertIn("of which 1 was changed since", rows[1][1])
        self.assertEqual(self.script("return document.querySelectorAll('#report figure polyline').length"), 2)
        return after

    def practise(self, name):
        """Makes the open tab follow, plays it into the microphone, and waits for the report. Gives its folder."""
        self.click("more")
        self.until(lambda: self.script("return document.getElementById('follow-me') !== null"), "it can follow")
        self.picture(f"more-{name}")
        self.click("follow-me")
        self.until(lambda: "/practice/follow?piece=tab-" in self.driver.current_url, "the server has learned it", 90)
        self.until(lambda: self.script("return document.getElementById('start')?.disabled === false"), "it is there",
                   10)
        folder = self.driver.current_url.split("piece=")[1]
        self.assertEqual(self.script("return document.getElementById('piece').value"), folder)
        [played] = (self.folder / "recordings" / folder).glob("*/audio.*")
        self.script(HOOK + "document.getElementById('start').click();")
        self.until(lambda: self.script("return document.getElementById('playing').hidden") is False, "it listens", 30)
        play(self, played)
        self.until(lambda: self.bar() > PLAYED, "it follows", 60)
        seen = "return document.querySelector('#tab .here-bar') !== null"
        self.until(lambda: self.script(seen), "the tab is seen, with its bar", 6)
        self.picture(f"playing-{name}")
        self.click("stop")
        self.until(lambda: self.script("return document.querySelectorAll('.bars li').length") >= PLAYED - 1,
                   "the report", 60)
        self.click("send")
        self.until(lambda: self.script("return document.getElementById('offer').hidden"), "the take is kept", 30)
        self.picture(f"report-{name}")
        return folder

    def nobody_is_offered_it_for_the_programme(self, folder):
        seen = web.ask(self.base, "GET", "/api/programme").value
        self.assertEqual([each["folder"] for each in seen["prepared"]], [PIECE])
        refused = web.ask(self.base, "PUT", "/api/programme", {"pieces": [folder], "intermissions": [],
                                                               "revision": seen["revision"]})
        self.assertEqual(refused.status, 422)
        self.assertIn("only its owner", refused.value["error"])
        self.driver.get(f"{self.base}/console")
        self.until(lambda: self.script("return document.getElementById('link-state')?.textContent") == "Connected",
                   "the console connects", 10)
        self.press("p")
        self.until(lambda: self.script("""
            const button = [...document.querySelectorAll("#panel button")]
              .find((each) => each.textContent === "Change the programme");
            button?.click();
            return Boolean(button);"""), "the panel opens", 5)
        offered = "return [...document.querySelectorAll('.programme-editor option')].map((each) => each.value)"
        self.until(lambda: PIECE in self.script(offered), "the pieces of the house are offered", 10)
        self.assertNotIn(folder, self.script(offered))


def option(name):
    """The value of an option, which is then taken away for unittest."""
    if name not in sys.argv:
        return None
    place = sys.argv.index(name)
    value = sys.argv[place + 1]
    del sys.argv[place:place + 2]
    return pathlib.Path(value)


if __name__ == "__main__":
    PICTURES, FILE = option("--pictures"), option("--file")
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
    unittest.main()
