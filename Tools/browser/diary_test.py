#!/usr/bin/python3
"""The diary in a real browser: an evening's entry, its confirmation, a concert entered without the server, two editors.

    BATON=path/to/baton Tools/browser/diary_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time
import unittest
import urllib.request

from selenium.webdriver.common.by import By

from browser import ENGINE, resize, sign_in
from lib.repository import ROOT, program
from page_case import PageCase
from scripted import Scripted

PIECES = "petzold-anna-magdalena-notebook-minuet-in-g,beethoven-woo-59-fur-elise"
PASSPHRASE = "open sesame"
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}
PICTURES = None
SMALL = """return [...document.querySelectorAll("header a, nav a, main a, main button, main input, main summary")]
    .filter((e) => e.offsetHeight && getComputedStyle(e).display !== "inline" && (e.offsetHeight < 43.5
        || e.offsetWidth < 43.5) && !(e.type === "checkbox" && e.closest("label").offsetHeight >= 44))
    .map((e) => e.outerHTML.slice(0, 120))"""


class DiaryCase(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(PIECES, accounts=[
            ("ada", "administrator", PASSPHRASE), ("lena", "editor", PASSPHRASE), ("max", "musician", PASSPHRASE)]))

    def picture(self, name):
        if PICTURES:
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"diary-{name}.png"))

    def words(self, css="main"):
        found = self.driver.find_elements(By.CSS_SELECTOR, css)
        return found[0].text if found else ""

    def open(self, hash_="", who=None):
        self.driver.get(self.base + "/login")
        self.driver.delete_all_cookies()
        if who:
            sign_in(self.driver, self.base, who, PASSPHRASE)
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/diary{hash_}")
        self.until(lambda: self.words() != "", "the page is there", 8)

    def go(self, hash_):
        self.script("location.hash = arguments[0]", hash_)

    def press_on(self, css):
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, css), f"there is {css}", 6)
        self.driver.find_element(By.CSS_SELECTOR, css).click()

    def call(self, path, method="GET", body=None):
        return self.later("""
            const answer = await fetch(given[0], { method: given[1], body: given[2],
              headers: given[1] === "GET" ? {} : { "X-Baton": "1" } });
            const text = await answer.text();
            try { return { status: answer.status, body: JSON.parse(text) }; }
            catch { return { status: answer.status, body: text }; }""",
                          path, method, None if body is None else json.dumps(body))


class EveningTest(DiaryCase):
    """A concert ends, and its entry stands in the diary."""

    def heard(self, piece, played):
        """True once the log has the follower's report of this bar."""
        lines = [json.loads(line) for line in self.server.show_log.splitlines() if line.endswith(b"}")]
        reports = [line["e"]["report"] for line in lines if "report" in line.get("e", {})]
        return any(each["piece"] == piece and (each.get("position") or {}).get("played") == played for each in reports)

    def bars(self, piece, count):
        for played in range(count):
            self.server.line(f"report piece={piece + 1} played={played}")
            self.until(lambda: self.heard(piece, played), f"bar {played} is heard", 6)
            time.sleep(0.2)  # The bar's length, of which the tempo curve is drawn.

    def play(self):
        """Some bars of each piece, then the end of the last one, and quiet until the concert counts as over."""
        with urllib.request.urlopen(f"{self.base}/api/audience/concert") as concert:
            final = len(json.load(concert)["pieces"][1]["measures"]) - 1
        self.bars(0, 6)
        self.server.line("command piece 2")
        self.bars(1, 6)
        self.server.line("command take")
        self.server.line(f"command goto p:{final}")
        self.server.line(f"report piece=2 played={final}")
        self.until(lambda: self.heard(1, final), "the end is heard", 6)
        self.server.line("command release")
        self.server.line("over")

    def entry(self):
        shows = sorted((self.server.data / "shows").iterdir())
        return "evening-" + "".join(c if c.isalnum() and c.isascii() else "-" for c in shows[-1].name.lower())

    def test_1_an_evening_writes_its_entry_which_a_person_confirms(self):
        self.open()
        self.assertIn("Nothing is in the diary yet", self.words())
        self.play()
        self.open(who="ada")
        self.until(lambda: self.call("/api/diary/timeline")["body"]["count"] == 1, "the entry is there", 40)
        self.driver.refresh()
        self.until(lambda: "To confirm" in self.words(), "it stands on the timeline", 6)
        self.picture("timeline")
        self.press_on(".concert a")
        self.until(lambda: "Nobody has confirmed it yet" in self.words(), "it asks for a person", 6)
        self.assertIn("Minuet in G", self.words())
        self.assertIn("Für Elise", self.words())
        self.assertIn("heard", self.words())
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "svg.tempo"), "the tempo is drawn", 6)
        self.picture("proposed")
        # A stranger sees nothing of it, at no address.
        self.open()
        entry = self.entry()
        self.assertEqual(self.call("/api/diary/timeline")["body"]["count"], 0)
        self.assertEqual(self.call("/api/diary/search?q=Petzold")["body"]["people"], [])
        self.assertEqual(self.call("/api/diary/search?q=Elise")["body"]["works"], [])
        for path in (f"concerts/{entry}", f"concerts/{entry}/evening", f"compare?one={entry}&other={entry}"):
            self.assertEqual(self.call(f"/api/diary/{path}")["status"], 404, path)
        self.assertEqual(self.call("/api/diary/ensembles")["body"]["ensembles"], [])
        self.open(f"#/concerts/{entry}", who="ada")
        self.press_on("#publish")
        self.until(lambda: "Everybody sees this entry" in self.words(), "it is published", 6)
        self.open()
        self.until(lambda: "Bagatelle WoO 59" in self.words(), "everybody sees it", 6)

    def test_2_the_log_gives_the_same_entry_again(self):
        with sqlite3.connect(self.server.data / "diary.sqlite") as database:
            (kept,) = database.execute("SELECT document FROM programme WHERE id = ?", (self.entry(),)).fetchone()
        database.close()
        show = sorted((self.server.data / "shows").iterdir())[-1]
        said = subprocess.run([program(), "diary", "evening", str(show)], cwd=ROOT, capture_output=True, check=True)
        kept, again = json.loads(kept), json.loads(said.stdout)
        self.assertEqual(again.pop("visibility"), "proposed")
        self.assertEqual([item.pop("work", None) for item in kept["items"]][0][:4], "work")
        self.assertEqual(again, kept)

    def test_3_search_finds_as_one_types(self):
        self.open()
        self.driver.find_element(By.ID, "query").send_keys("beeth")
        self.until(lambda: "Beethoven" in self.words() and "1 concert" in self.words("#count"), "it finds him", 6)
        self.picture("search")
        self.driver.find_element(By.ID, "query").send_keys("xq")
        self.until(lambda: "0 concerts" in self.words("#count"), "and nobody else", 6)

    def test_4_two_people_edit_one_entry(self):
        entry = self.entry()
        self.open(f"#/concerts/{entry}/edit", who="lena")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#entry"), "the form is there", 6)
        field = {name: self.driver.find_element(By.NAME, name) for name in ("venue", "city", "title")}
        # Meanwhile somebody else writes the hall and another field.
        for name, to in (("venue", "Town hall"), ("stage", "Left")):
            answer = self.call(f"/api/diary/concerts/{entry}", "PUT", {"changes": {name: {"from": "", "to": to}}})
            self.assertEqual(answer["status"], 200, answer)
        field["venue"].send_keys("Great hall")
        field["city"].send_keys("Vienna")
        self.driver.find_element(By.CSS_SELECTOR, "#entry [type=submit]").click()
        self.until(lambda: "Town hall" in self.words("#conflict"), "the conflict is shown", 6)
        self.assertNotIn("Town\n", self.words("#conflict").replace("Town hall", ""))
        self.picture("conflict")
        self.press_on("#use-mine")
        self.until(lambda: "Great hall, Vienna" in self.words(), "the choice holds, and the other field", 6)
        self.assertEqual(self.call(f"/api/diary/concerts/{entry}")["body"]["stage"], "Left")

    def test_5_i_was_there_stays_on_the_device(self):
        self.open(f"#/concerts/{self.entry()}")
        self.press_on("#there")
        self.press_on(".rate button:nth-child(4)")
        self.go("#/mine")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".concert"), "it is kept", 6)
        self.driver.refresh()
        self.until(lambda: "★★★★☆" in self.words(), "with its stars, also after a reload", 6)

    def test_6_an_application_reads_with_its_token(self):
        self.open("#/data", who="ada")
        self.until(lambda: self.driver.find_elements(By.NAME, "name"), "the form for tokens is there", 6)
        self.driver.find_element(By.NAME, "name").send_keys("Test app")
        self.press_on(".fields [type=submit]")
        self.until(lambda: self.words("#made code") != "", "the token is shown", 6)
        token = self.words("#made code")
        self.picture("data")
        self.open()
        status = """return (await fetch("/api/diary/bands", given[0] ? { headers: { Authorization:
            `Bearer ${given[0]}` } } : {})).status"""
        self.assertEqual(self.later(status, token), 200)
        self.assertEqual(self.later(status, None), 401)
        self.open("#/data", who="ada")
        self.press_on("#tokens .danger")
        self.until(lambda: "no tokens" in self.words("#tokens"), "it is withdrawn", 6)
        self.open()
        self.assertEqual(self.later(status, token), 401)

    def test_7_nothing_is_cut_off_or_too_small_at_any_width(self):
        try:
            for kind, size in SIZES.items():
                resize(self.driver, size)
                self.open(who="ada")
                for name in ("#/", f"#/concerts/{self.entry()}", "#/new", "#/new/by-hand", "#/mine", "#/data"):
                    self.go(name)
                    self.settle()
                    wide = self.script("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{name} on a {kind}")
                    self.assertEqual(self.script(SMALL), [], f"{name} on a {kind}")
                    self.picture(f"{name.strip('#/').split('/')[0] or 'start'}-{kind}")
        finally:
            resize(self.driver, SIZES["desk"])
        self.assertEqual(self.complaints(), [])


class OfflineTest(DiaryCase):
    """A listener enters a concert on a phone without the server."""

    def test_a_concert_is_entered_without_the_server_and_sent_later(self):
        resize(self.driver, SIZES["phone"])
        self.open(who="max")
        self.until(lambda: self.later("return Boolean((await navigator.serviceWorker.ready).active)"), "it is kept", 10)
        self.until(lambda: self.later("return (await (await caches.open('baton-diary')).keys()).length") > 20,
                   "the page is on the device", 10)
        self.server.kill()
        begun = time.monotonic()
        self.driver.get(f"{self.base}/diary#/new")
        self.until(lambda: "Without the server" in self.words(), "it says what is missing", 10)
        self.press_on("#by-hand")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#entry"), "the form is there")
        self.driver.find_element(By.NAME, "ensemble").send_keys("Vienna Philharmonic")
        self.driver.find_element(By.NAME, "works").send_keys("Mahler: Symphony No. 1")
        self.press_on(".rate button:nth-child(5)")
        self.picture("by-hand-phone")
        self.press_on("#entry [type=submit]")
        self.until(lambda: "Not sent yet" in self.words() and "Mahler" in self.words(), "it is kept here", 6)
        print(f"entered without a server in {time.monotonic() - begun:.1f} s")
        self.driver.refresh()
        self.until(lambda: "Mahler" in self.words(), "also after a reload", 10)
        self.picture("kept-phone")
        self.server.start()
        self.script("dispatchEvent(new Event('online'))")
        self.until(lambda: "sent to your account" in self.words("#state"), "it is sent", 15)
        kept = self.call("/api/diary/mine")["body"]["concerts"]
        self.assertEqual([(each["concert"]["ensemble"], each["concert"]["rating"]) for each in kept],
                         [("Vienna Philharmonic", 5)])
        # Nobody else sees it.
        self.open()
        self.assertEqual(self.call("/api/diary/search?q=Vienna")["body"]["ensembles"], [])
        self.assertEqual(self.call("/api/diary/mine")["status"], 401)
        resize(self.driver, SIZES["desk"])


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("diary_test: only Chromium is driven here.")
    if "--pictures" in sys.argv:
        place = sys.argv.index("--pictures")
        PICTURES = sys.argv[place + 1]
        os.makedirs(PICTURES, exist_ok=True)
        del sys.argv[place:place + 2]
    unittest.main()
