#!/usr/bin/python3
"""Evenings are begun and ended in a real browser, against a real server that nobody restarts.

    BATON=path/to/baton Tests/Pages/evening_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import json
import sqlite3
import unittest

from selenium.webdriver.common.by import By

from browser import resize, sign_in
from lib.repository import ROOT
from lib.servers import Server
from page_case import PageCase, pictures_folder

BACH = "bach-well-tempered-clavier-1-prelude-in-c"
HEARD = ROOT / "Recordings" / BACH / "even" / "audio.ogg"
PASSPHRASE = "seven quiet violas at noon"
ACCOUNTS = (("anna", "technician", PASSPHRASE), ("ed", "editor", PASSPHRASE))
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 800)}
PICTURES = None


class EveningTest(PageCase):
    """An empty data folder; a file that is played again and again stands for the hall."""

    @classmethod
    def setUpClass(cls):
        cls.begin(Server(None, "--no-listen-osc", "--no-multicast", "--loop", "0", "--record", lives=[HEARD],
                         accounts=ACCOUNTS).start())
        cls.cookies = {name: cls.server.sign_in(name, PASSPHRASE) for name, _, _ in ACCOUNTS}
        sign_in(cls.driver, cls.base, "anna", PASSPHRASE)
        resize(cls.driver, SIZES["desk"])
        cls.open_consoles()

    @classmethod
    def open_consoles(cls):
        """Two tabs; all that is pressed is pressed in the first one."""
        cls.driver.get(cls.base + "/console")
        cls.first = cls.driver.current_window_handle
        cls.driver.switch_to.new_window("tab")
        cls.driver.get(cls.base + "/console")
        cls.second = cls.driver.current_window_handle
        cls.driver.switch_to.window(cls.first)

    def ask(self, method, path, body=None, name="anna"):
        return self.server.ask(method, path, body, self.cookies[name])

    def command(self, *words):
        self.server.command(*words, cookie=self.cookies["anna"])

    @property
    def show(self):
        return self.server.snapshot(self.cookies["anna"])["show"]

    @property
    def position(self):
        return self.server.snapshot(self.cookies["anna"])["position"]

    def open_panel(self):
        if not self.driver.find_element(By.ID, "panel").is_displayed():
            self.press("p")
        self.until(lambda: self.words(".evening-about") != "", "the panel says which evening it is")

    def both_consoles_show(self, title):
        for tab in (self.second, self.first):
            self.driver.switch_to.window(tab)
            self.until(lambda: self.words("#show-title") == title, f"the console of {title} is there by itself", 30)
            self.until(lambda: self.words("#link-state") == "Connected", "and connected", 15)

    def begin_evening(self, kind, title):
        self.open_panel()
        self.push_button("New evening")
        form = self.driver.find_element(By.CSS_SELECTOR, "#panel section form")
        self.until(form.is_displayed, "the form is there")
        form.find_element(By.CSS_SELECTOR, f'option[value="{kind}"]').click()
        form.find_element(By.CSS_SELECTOR, "input").send_keys(title)
        self.pictures("evening-new")
        self.push_button("Begin it")

    def pictures(self, name):
        for size, (width, height) in SIZES.items():
            resize(self.driver, (width, height))
            self.settle()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, size)
            if PICTURES:
                self.driver.save_screenshot(f"{PICTURES}/{name}-{size}.png")
        resize(self.driver, SIZES["desk"])

    def put_on(self, *pieces):
        known = self.ask("GET", "/api/programme").value
        answer = self.ask("PUT", "/api/programme", {"pieces": pieces, "intermissions": [],
                                                    "revision": known["revision"]})
        self.assertEqual(answer.status, 200, answer.text)

    def play(self, bars=4):
        """The hall plays on, until some bars have been followed."""
        self.until(lambda: self.position["mode"] == "following", "the music is followed", 40)
        began = self.position["played"]
        self.until(lambda: self.position["played"] not in range(began - 2, began + bars), "bars are played", 40)

    def shows(self):
        """Of each show that has ended, oldest first: its title, and whether bars were reported."""
        reports = [json.loads((show / "report.json").read_text(encoding="utf-8"))
                   for show in sorted((self.server.data / "shows").iterdir()) if (show / "report.json").exists()]
        return [(each["title"], any(piece["measures"] for piece in each["pieces"])) for each in reports]

    def recordings(self):
        return {json.loads(each.read_text(encoding="utf-8"))["title"]
                for each in (self.server.data / "recordings").glob("*/recording.json")}

    def entries(self):
        with sqlite3.connect(self.server.data / "diary.sqlite") as database:
            rows = database.execute("SELECT document FROM programme").fetchall()
        database.close()
        entries = [json.loads(row[0]) for row in rows]
        return {(each["title"], each["concerts"][0].get("type")) for each in entries}

    def test_1_a_rehearsal_and_a_concert_are_two_evenings(self):
        process = self.server.process.pid
        began = self.show["started"]
        self.begin_evening("rehearsal", "Prelude")
        # Nothing was played yet, so the server's first evening becomes the rehearsal.
        self.both_consoles_show("Rehearsal: Prelude")
        self.assertEqual((self.show["started"], self.show["rehearsal"]), (began, True))
        self.put_on(BACH)
        self.play()
        self.assertEqual(self.position["audience"]["why"], "rehearsal", "no listener sees it")

        # Ended: the console comes back by itself, with an evening that nobody has named.
        self.open_panel()
        self.push_button("End the evening")
        self.until(lambda: "the diary has it" in self.words("#panel"), "it is asked once")
        self.pictures("evening-end")
        self.push_button("End it now")
        self.both_consoles_show("Tonight")
        self.assertTrue(self.server.is_running and self.server.process.pid == process)
        self.assertEqual(self.shows(), [("Rehearsal: Prelude", True)])
        self.assertFalse(self.show["goesOn"] or self.show["rehearsal"])
        self.assertEqual(self.position["pieceName"], "Bach, Well-Tempered Clavier I: Prelude in C")

        self.begin_evening("concert", "Gala")
        self.both_consoles_show("Gala")
        self.command("piece", "1", "unknown")
        self.play()
        self.assertEqual(self.position["audience"]["view"], "live")

        # The next one ends the concert; it has the programme of an earlier evening.
        self.open_panel()
        self.push_button("New evening")
        programme = 'form option[value="0"]'
        self.until(lambda: self.words(programme).startswith("Rehearsal: Prelude"), "the rehearsal's programme", 15)
        self.driver.find_element(By.CSS_SELECTOR, programme).click()
        self.push_button("Begin it")
        self.both_consoles_show("Concert")
        self.assertEqual(self.shows(), [("Rehearsal: Prelude", True), ("Gala", True)])
        self.until(lambda: self.recordings() >= {"Rehearsal: Prelude", "Gala"}, "two recordings", 15)
        self.until(lambda: self.entries() == {("Rehearsal: Prelude", "Rehearsal"), ("Gala", None)},
                   "two entries of the diary", 30)
        self.assertEqual(self.complaints(), [])

    def test_2_whoever_may_only_look_begins_and_ends_nothing(self):
        before = self.show
        for path, body in (("/api/evenings", {"title": "Mine"}), ("/api/evenings/end", {})):
            self.assertEqual(self.ask("POST", path, body, "ed").status, 403, path)
        self.assertEqual(self.ask("GET", "/api/evenings", name="ed").status, 403)
        self.assertEqual(self.show, before)
        answer = self.ask("POST", "/api/evenings", {"kind": "party"})
        self.assertEqual((answer.status, answer.value["code"]), (422, "bad-evening"))
        self.command("lock", "on")
        answer = self.ask("POST", "/api/evenings/end", {})
        self.assertIn("locked", answer.value["error"])
        self.command("lock", "off")
        self.assertEqual(self.show["started"], before["started"])

    def test_3_after_a_crash_the_evening_goes_on_and_one_tap_begins_anew(self):
        self.command("piece", "1", "unknown")
        self.play()
        self.command("hold")
        (bar, began) = (self.position["measure"], self.show["started"])
        self.server.kill()
        self.server.start()
        self.both_consoles_show("Concert")
        self.assertEqual(self.show["started"], began)
        says = f"Goes on: concert, Bach, Well-Tempered Clavier I: Prelude in C, bar {bar}. Begin anew?"
        self.until(lambda: self.words("#evening-text") == says, "the line says where it goes on", 10)
        self.pictures("evening-goes-on")
        self.driver.switch_to.window(self.second)
        self.until(lambda: self.words("#evening-text") == says, "on each console", 10)
        self.push_button("Go on")
        self.until(lambda: self.words("#evening-text") == "", "the line leaves")
        self.driver.switch_to.window(self.first)
        self.push_button("Begin anew")
        self.until(lambda: self.server.answers() and self.show["started"] != began, "another show has begun", 40)
        self.both_consoles_show("Concert")
        self.assertEqual(self.show["evening"], "not-yet")
        self.until(lambda: self.words("#evening-text") == "", "nothing goes on")
        self.assertEqual(len(self.shows()), 3)
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main(verbosity=2)
