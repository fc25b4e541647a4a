#!/usr/bin/python3
"""A folder that is added to the library: what it becomes, what fails, and that nothing is lost.

    BATON=path/to/baton Tests/Pages/library_folder_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from browser import ENGINE, resize, sign_in
from lib.music_pdf import music_pdf
from page_case import PageCase, pictures_folder
from scripted import Scripted

PIECES = "petzold-anna-magdalena-notebook-minuet-in-g"
PASSPHRASE = "open sesame"
PICTURES = None
ONE_PART = """<?xml version="1.0" encoding="UTF-8"?>
<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Part 1</part-name></score-part></part-list>
<part id="P1"><measure number="1"><attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type>
</time><clef><sign>G</sign><line>2</line></clef></attributes><note><pitch><step>C</step><octave>4</octave></pitch>
<duration>4</duration><type>whole</type></note></measure></part></score-partwise>"""


class FolderTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-folder-"))
        cls.begin(Scripted(PIECES, accounts=[("lena", "editor", PASSPHRASE)]))
        sign_in(cls.driver, cls.base, "lena", PASSPHRASE)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def open(self):
        self.driver.get("about:blank")
        self.driver.get(self.base + "/library")
        self.until(lambda: "score" in self.words("#count"), "the list is there", 10)

    def scores(self):
        return self.later("""return (await (await fetch("/api/library/scores")).json())
            .map((score) => [score.title, score.parts.map((part) => part.name)])""")

    def test_a_folder_becomes_scores_and_parts_and_what_failed_is_named_and_tried_again(self):
        concert = self.folder / "Concert"
        (concert / "Ouverture in D").mkdir(parents=True)
        page = music_pdf(1)
        for name in ("Ouverture - 02 Violin I.pdf", "Ouverture - 03 Viola.pdf", "Ouverture - 01 Full score.pdf"):
            (concert / "Ouverture in D" / name).write_bytes(page)
        (concert / "Encore.pdf").write_bytes(page)
        (concert / "Broken.pdf").write_bytes(b"%PDF-1.4 nothing")
        (concert / "notes.txt").write_bytes(b"no music")
        (concert / ".DS_Store").write_bytes(b"x")
        before = len(self.scores()) if self.driver.current_url.startswith(self.base) else 0
        self.open()
        self.driver.find_element("id", "folder-input").send_keys(str(concert))
        self.until(lambda: "3 scores from 5 files" in self.words("#folder-count"), "the plan is shown", 8)
        self.assertIn("notes.txt", self.words("#folder"))
        self.assertNotIn("DS_Store", self.words("#folder"))
        for label, size in (("phone", (390, 844)), ("desk", (1280, 800))) if PICTURES else ():
            resize(self.driver, size)
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"folder-plan-{label}.png"))
        self.script("document.getElementById('folder-begin').click()")
        self.until(lambda: "4 of 5 files are in the library" in self.words("#folder-now"), "four are added", 30)
        self.assertIn("Broken.pdf", self.words("#folder-faults"))
        added = dict(self.scores())
        self.assertEqual(added["Ouverture in D"], ["Full score", "Violin I", "Viola"])
        self.assertEqual(added["Encore"], ["Score"])
        self.assertGreaterEqual(len(added), before + 2)
        self.script("document.getElementById('folder-again').click()")
        self.until(lambda: "0 of 1 files" in self.words("#folder-now"), "only what failed is tried again", 10)

    def test_every_musicxml_part_is_named_after_its_file_and_a_second_drop_is_a_question(self):
        quartet = self.folder / "Quartett"
        quartet.mkdir()
        for name in ("Cello", "Viola", "Violine I"):
            (quartet / f"{name}.musicxml").write_text(ONE_PART, encoding="utf-8")
        self.open()
        self.driver.find_element("id", "folder-input").send_keys(str(quartet))
        self.until(lambda: "1 score from 3 files" in self.words("#folder-count"), "the plan is shown", 8)
        self.script("document.getElementById('folder-begin').click()")
        self.until(lambda: "All 3 files are in the library" in self.words("#folder-now"), "they are engraved", 60)
        parts = [parts for title, parts in self.scores() if title == "Quartett"]
        self.assertEqual(parts, [["Cello", "Viola", "Violine I"]])
        self.open()
        self.driver.find_element("id", "folder-input").send_keys(str(quartet))
        self.until(lambda: "0 scores from 0 files" in self.words("#folder-count"), "nothing is added twice", 8)
        self.assertIn("The library has “Quartett” already. Add it again", self.words("#folder"))
        self.script("document.querySelector('#folder .again input').click()")
        self.until(lambda: "1 score from 3 files" in self.words("#folder-count"), "unless the librarian says so")


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("library_folder_test: only Chromium is driven here.")
    PICTURES = pictures_folder()
    unittest.main()
