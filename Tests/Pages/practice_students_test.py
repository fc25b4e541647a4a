#!/usr/bin/python3
"""Two students one after the other in one browser: nothing of the first shows to the second. Takes of a piece that
was deleted. A teacher shares a tab with one student, and sees the report that the student lets the teacher see.

    BATON=path/to/baton Tests/Pages/practice_students_test.py

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import json
import os
import shutil
import unittest

import browser
from browser import resize
from lib.repository import RECORDINGS, ROOT, build_engine, recording
from page_case import PageCase
from practice_case import beat, tab
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
OTHER = "minuet-of-another-name"
SECRET = "open sesame"
PICTURES = os.environ.get("BATON_PICTURES")
SIZES = [(390, 844), (820, 1180), (1440, 900)]


class StudentsTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        for source, kind in ((ROOT / "Models", "models"), (RECORDINGS, "recordings")):
            for name in (PIECE, OTHER):
                shutil.copytree(source / PIECE, cls.folder / kind / name)
        build_engine()
        server = Served(
            PIECE, [recording(PIECE, "gentle")], "--new", "--models", cls.folder / "models", "--recordings",
            cls.folder / "recordings", accounts=[("ines", "technician", SECRET), ("otto", "technician", SECRET)])
        cls.begin(server, holder=browser.hearing())

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
        """Plays for a few seconds, and sends the take."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow?piece={piece}")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the pieces are there", 10)
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.script("return Number(document.getElementById('place').dataset.heard ?? 0) > 100000"),
                   "it hears", 20)
        self.script("document.getElementById('stop').click()")
        self.until(lambda: self.script("return !document.getElementById('offer').hidden"), "it can be sent", 10)
        self.script("document.getElementById('send').click()")
        self.until(lambda: self.script("return document.querySelector('#take-list .take') !== null"), "it is listed",
                   20)

    def write_tab(self, title):
        """A tab of the account that is signed in, in this browser and on the server; its id."""
        self.library()
        tab_id = self.later("""
            const { newID } = await import("/shared/ids.js");
            const { Store } = await import("/practice/store.js");
            const id = newID();
            await (await Store.open()).write({ id, tab: given[0], changed: Date.now(), version: 0, isDirty: true,
              isShared: false, owner: null });
            return id;""", tab([beat("1/4", (1, 2))], title=title))
        self.assertIn(title, self.library())
        self.until(lambda: "not on the server yet" not in self.script("return document.body.innerText"), "it is sent")
        return tab_id

    def watch(self, title):
        """From now on, each page notes in `window.seen` whether it ever had this text."""
        made = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"""
            new MutationObserver(() => {{
              if (document.body?.textContent.includes({json.dumps(title)})) window.seen = true;
            }}).observe(document, {{ subtree: true, childList: true, characterData: true }});"""})
        self.addCleanup(self.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", made)

    def state(self):
        return self.script("return document.getElementById('sync')?.dataset.state")

    def go(self, address):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}{address}")

    def test_tabs_of_an_account_do_not_show_before_the_server_says_who_is_there(self):
        self.be("ines")
        tab_id = self.write_tab("Quiet Waltz")
        self.watch("Quiet Waltz")
        self.library()
        self.assertTrue(self.script("return window.seen"), "her own page shows it")
        self.be("otto")
        for address in ("/practice", f"/practice#/{tab_id}"):
            self.go(address)
            self.until(lambda: self.state() == "done", "it is in sync", 10)
            self.settle()
            self.assertFalse(self.script("return Boolean(window.seen)"), "it never shows to another account")
        self.driver.delete_all_cookies()
        self.go("/practice")
        self.until(lambda: self.state() == "anonymous", "nobody is signed in", 10)
        self.settle()
        self.assertFalse(self.script("return Boolean(window.seen)"), "it never shows to nobody")
        self.go(f"/practice#/{tab_id}")
        self.until(lambda: "Sign in to see it" in self.script("return document.body.innerText"), "it says why", 10)
        self.assertFalse(self.script("return Boolean(window.seen)"))
        self.be("ines")
        self.assertIn("Quiet Waltz", self.library())

    def test_an_open_tab_closes_when_another_window_signs_out(self):
        self.be("ines")
        tab_id = self.write_tab("Long Evening")
        self.go(f"/practice#/{tab_id}")
        self.until(lambda: self.script("return document.getElementById('title').value") == "Long Evening", "it is open")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")
        try:
            self.sign_out()
        finally:
            self.driver.close()
            self.driver.switch_to.window(first)
        self.until(lambda: self.script("return document.body.dataset.view") == "shelf", "it is closed", 10)
        self.settle()
        self.assertIn("You are signed out", self.script("return document.body.innerText"))
        self.assertNotIn("Long Evening", self.script("return document.getElementById('tabs').innerText"))

    def sign_out(self):
        self.go("/house")
        self.until(lambda: self.script("return !document.getElementById('sign-out').hidden"), "the house knows who", 10)
        self.script("document.getElementById('sign-out').click()")
        self.until(lambda: "/login" in self.driver.current_url, "it is signed out", 10)

    def test_without_the_server_the_tabs_of_the_last_account_show_unless_it_signed_out(self):
        self.be("ines")
        self.write_tab("Train Song")
        self.later("await navigator.serviceWorker.ready; return 0")
        self.until(lambda: self.later("return Boolean(await caches.match('/practice/complete'))"),
                   "the page is kept", 8)

        def without_the_server():
            self.server.stop()
            try:
                self.go("/practice")
                self.until(lambda: self.state() == "away", "the server is missing", 15)
                self.settle()
                return self.script("return document.getElementById('tabs').innerText")
            finally:
                self.server.start()
        self.assertIn("Train Song", without_the_server())
        self.be("ines")
        self.sign_out()
        self.assertNotIn("Train Song", without_the_server())

    def test_nothing_of_the_first_student_shows_to_the_second(self):
        self.be("otto")
        his = self.takes()
        self.be("ines")
        hers = self.takes()
        tab_id = self.write_tab("Secret Study")
        self.play(PIECE)
        self.be("otto")
        self.assertNotIn("Secret Study", self.library())
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice#/{tab_id}")
        self.until(lambda: self.script("return document.body?.dataset.view") == "shelf", "her tab stays closed", 10)
        self.assertEqual(self.takes(), his)
        self.be("ines")
        self.assertIn("Secret Study", self.library())
        self.assertEqual(len(self.takes()), len(hers) + 1)

    def picture(self, name):
        for size in SIZES if PICTURES else ():
            resize(self.driver, size)
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"practice-{name}-{size[0]}.png"))
        resize(self.driver, SIZES[-1])

    def share(self, tab_id, name):
        """Shares an own tab with a person, in the dialog of the tab."""
        self.go(f"/practice#/{tab_id}")
        self.until(lambda: self.state() == "done" and self.script("return document.body.dataset.view") == "tab",
                   "the tab is open", 10)
        self.script("document.getElementById('more').click()")
        self.script("""const name = document.getElementById('reader-name');
            name.value = arguments[0]; name.scrollIntoView(); document.getElementById('add-reader').click();""", name)
        self.until(lambda: name in self.readers(), "the person is in the list")

    def readers(self):
        return self.script("return document.querySelector('.readers')?.innerText ?? ''")

    def shared(self):
        """The reports that students let the account see."""
        self.takes()
        self.until(lambda: self.script("return document.getElementById('shared').getAttribute('aria-busy')") == "false",
                   "the reports are read", 10)
        return self.script("return [...document.querySelectorAll('#shared-list .take')].map((each) => each.innerText)")

    def allow(self, is_allowed):
        """The student presses the switch of the newest take, which says so then."""
        switch = "document.querySelector('#take-list .take [aria-pressed]')"
        self.until(lambda: self.script(f"return {switch} !== null"), "the take has a switch", 10)
        self.script(f"{switch}.click()")
        self.until(lambda: self.script(f"return {switch}.getAttribute('aria-pressed')") == str(is_allowed).lower(),
                   "the switch is set")

    def test_a_teacher_sees_the_report_that_a_student_shows(self):
        self.be("ines")
        tab_id = self.write_tab("Etude of the week")
        self.share(tab_id, "otto")
        self.assertIn("does not have it yet", self.readers())
        self.picture("teacher-shares")
        self.assertEqual(self.shared(), [])
        self.be("otto")
        text = self.library()
        self.assertIn("Etude of the week", text)
        self.assertIn("for you, by ines", text)
        self.picture("student-finds")
        self.play(PIECE)
        switch = "return document.querySelector('#take-list .take [aria-pressed]')"
        self.until(lambda: self.script(f"{switch} !== null"), "the take has a switch", 10)
        self.assertEqual(self.script(f"{switch}.textContent"), "ines may see the report")
        self.assertEqual(self.script(f"{switch}.getAttribute('aria-pressed')"), "false", "nothing is shown by itself")
        self.allow(True)
        self.picture("student-allows")

        self.be("ines")
        [seen] = self.shared()
        self.assertIn("otto: ", seen)
        self.assertNotIn("Delete", seen)
        self.assertNotIn("Hear", seen)
        self.script("document.querySelector('#shared-list button').click()")
        self.until(lambda: self.script("""const say = document.getElementById('report-say').textContent;
            return !say.includes('…') && (say.includes('too short')
              || document.getElementById('report-body').childElementCount > 0)"""), "the report is there", 60)
        self.assertIn("otto, ", self.script("return document.getElementById('report-name').textContent"))
        self.picture("teacher-sees")
        # This browser had the student's copy of the tab last.
        self.library()
        self.go(f"/practice#/{tab_id}")
        self.until(lambda: self.script("return document.body.dataset.view") == "tab" and self.state() == "done", "open",
                   10)
        self.script("document.getElementById('more').click()")
        self.until(lambda: "has it" in self.readers(), "the tab has arrived")

        self.be("otto")
        self.takes()
        self.allow(False)
        self.be("ines")
        self.assertEqual(self.shared(), [])

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
