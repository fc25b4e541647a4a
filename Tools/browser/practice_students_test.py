#!/usr/bin/python3
"""Two students one after the other in one browser: nothing of the first shows to the second. Takes of a piece that
was deleted.

    BATON=path/to/baton Tools/browser/practice_students_test.py

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import pathlib
import shutil
import tempfile
import unittest

import browser
from lib.repository import RECORDINGS, ROOT, recording
from page_case import PageCase
from practice_case import beat, tab
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
OTHER = "minuet-of-another-name"
SECRET = "open sesame"


class StudentsTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-students-"))
        for source, kind in ((ROOT / "Models", "models"), (RECORDINGS, "recordings")):
            for name in (PIECE, OTHER):
                shutil.copytree(source / PIECE, cls.folder / kind / name)
        cls.server = Served(
            PIECE, [recording(PIECE, "gentle")], "--new", "--models", cls.folder / "models", "--recordings",
            cls.folder / "recordings", accounts=[("ines", "technician", SECRET), ("otto", "technician", SECRET)])
        cls.base = cls.server.base
        cls.holder = browser.chromium(arguments=[
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def be(self, name):
        self.driver.delete_all_cookies()
        self.assertEqual(browser.sign_in(self.driver, self.base, name, SECRET), 200)

    def library(self):
        """What the library of tabs says, once it has asked the server."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice")
        self.until(lambda: "in sync" in self.script("return document.body.innerText"), "it is in sync", 10)
        return self.script("return document.body.innerText")

    def takes(self):
        """The takes that the page lists."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the pieces are there", 10)
        self.settle()
        return self.script("return [...document.querySelectorAll('#take-list .take')].map((take) => take.innerText)")

    def play(self, piece):
        """Keeps a take of a few seconds."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow?piece={piece}")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the pieces are there", 10)
        self.script("document.getElementById('keep').checked = true; document.getElementById('start').click()")
        self.until(lambda: self.script("return Number(document.getElementById('place').dataset.heard ?? 0) > 100000"),
                   "the server hears", 20)
        self.script("document.getElementById('stop').click()")
        self.until(lambda: self.script("return document.querySelector('#take-list .take') !== null"), "it is listed",
                   20)

    def test_nothing_of_the_first_student_shows_to_the_second(self):
        self.be("ines")
        self.library()
        tab_id = self.later("""
            const { Store, newID } = await import("/practice/store.js");
            const id = newID();
            await (await Store.open()).write({ id, tab: given[0], changed: Date.now(), version: 0, isDirty: true,
              isShared: false, owner: null });
            return id;""", tab([beat("1/4", (1, 2))], title="Secret Study"))
        self.assertIn("Secret Study", self.library())
        self.play(PIECE)
        self.be("otto")
        self.assertNotIn("Secret Study", self.library())
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice#/{tab_id}")
        self.until(lambda: self.script("return document.body?.dataset.view") == "shelf", "her tab stays closed", 10)
        self.assertEqual(self.takes(), [])
        self.be("ines")
        self.assertIn("Secret Study", self.library())
        self.assertEqual(len(self.takes()), 1)

    def test_a_take_of_a_deleted_piece_is_shown_under_its_name_and_can_be_deleted(self):
        self.be("otto")
        self.play(OTHER)
        [before] = self.takes()
        for kind in ("models", "recordings"):
            shutil.rmtree(self.folder / kind / OTHER)
        [after] = self.takes()
        self.assertEqual(before, after)
        self.assertNotIn(OTHER, self.script(
            "return [...document.getElementById('piece').options].map((each) => each.value)"))
        self.script("document.querySelector('.take button').click()")
        self.until(lambda: self.script("""return document.getElementById('report-say').textContent !== ''
            && !document.getElementById('report-say').textContent.includes('…')"""), "there is a report", 60)
        self.assertNotIn("no longer", self.script("return document.getElementById('report').innerText"))
        self.script("const drop = document.querySelector('.take .danger'); drop.click(); drop.click();")
        self.until(lambda: self.script("return document.querySelector('#take-list .take') === null"), "it is gone", 10)
        self.assertEqual(self.takes(), [])


if __name__ == "__main__":
    unittest.main()
