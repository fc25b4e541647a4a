#!/usr/bin/python3
"""The diary in a real browser: an evening's entry, its confirmation, a concert entered without the server, two editors.

    BATON=path/to/baton Tests/Pages/diary_test.py [--pictures FOLDER] [TEST …]

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

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from browser import ENGINE, resize, sign_in
from edit_looks_test import CONTRAST
from lib.repository import ROOT, program
from page_case import PageCase, pictures_folder
from scripted import Scripted
from source_stand_in import SourceStandIn

PIECES = "petzold-anna-magdalena-notebook-minuet-in-g,beethoven-woo-59-fur-elise"
PASSPHRASE = "open sesame"
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}
PICTURES = None
SMALL = """return [...document.querySelectorAll("header a, nav a, main a, main button, main input, main summary")]
    .filter((e) => e.offsetHeight && getComputedStyle(e).display !== "inline" && (e.offsetHeight < 43.5
        || e.offsetWidth < 43.5) && !(/checkbox|radio/.test(e.type)
        && e.closest("label").offsetHeight >= 44))
    .map((e) => e.outerHTML.slice(0, 120))"""
# A box to tick is as large as a letter; its label is the target.
LARGE_TICKS = """return [...document.querySelectorAll("main :is([type=radio], [type=checkbox])")]
    .filter((e) => e.offsetHeight > 26 || e.offsetWidth > 26).map((e) => e.outerHTML.slice(0, 120))"""


class DiaryCase(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(PIECES, accounts=[
            ("ada", "administrator", PASSPHRASE), ("lena", "editor", PASSPHRASE), ("max", "musician", PASSPHRASE)]))

    def picture(self, name):
        if PICTURES:
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"diary-{name}.png"))

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
        self.until(lambda: self.pressed(css), f"there is {css}", 6)

    def fill(self, css, text):
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, css), f"there is {css}", 6)
        field = self.driver.find_elements(By.CSS_SELECTOR, css)[-1]
        if field.get_attribute("type") in ("date", "time"):
            self.script(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", field, text)
        else:
            field.clear()
            field.send_keys(text)

    def pressed(self, css):
        """Presses it where it is there. The page is drawn anew once it knows whose device it is."""
        found = self.driver.find_elements(By.CSS_SELECTOR, css)
        if found:
            found[0].click()
        return bool(found)

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

    def test_no_number_of_a_tempo_curve_is_cut(self):
        self.open()
        try:
            for width in (390, 820, 1440):
                resize(self.driver, (width, 900))
                cut = self.later("""
                    const { tempoChart, yearsChart } = await import("/diary/curves.js");
                    const bars = Array.from({ length: 161 }, (_, played) => ({ played, printed: 995 + played,
                        rate: 30 + played % 7 }));
                    const points = [[2019.1, 9], [2026.9, 12]].map(([year, minutes]) => ({ year, minutes, name: "A" }));
                    document.querySelector("main").prepend(tempoChart([{ name: "A", bars }]), yearsChart(points));
                    const cut = [...document.querySelectorAll("svg.tempo")].flatMap((chart) => {
                      const frame = chart.getBoundingClientRect();
                      return [...chart.querySelectorAll("text")].map((one) => [one, one.getBoundingClientRect()])
                        .filter(([, box]) => box.right > frame.right + .5 || box.left < frame.left - .5)
                        .map(([one]) => one.textContent); });
                    const count = document.querySelectorAll("svg.tempo text").length;
                    document.querySelectorAll("main > figure").forEach((one) => one.remove());
                    return [count > 10, cut];""")
                self.assertEqual(cut, [True, []], width)
        finally:
            resize(self.driver, "desktop")

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

    def test_4b_a_stranger_gets_no_form_of_the_house(self):
        for hash_ in (f"#/concerts/{self.entry()}/edit", "#/ensembles/new", "#/halls/new"):
            self.open(hash_)
            self.until(lambda: "Only those who run the house write here" in self.words(), hash_, 6)
            self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "main form"), [], hash_)

    def test_4c_on_a_phone_the_two_versions_stand_one_below_the_other_with_whole_words(self):
        entry = self.entry()
        self.addCleanup(resize, self.driver, SIZES["desk"])
        resize(self.driver, SIZES["phone"])
        self.open(f"#/concerts/{entry}/edit", who="lena")
        before = self.call(f"/api/diary/concerts/{entry}")["body"].get("comment", "")
        answer = self.call(f"/api/diary/concerts/{entry}", "PUT", {"changes": {"comment": {
            "from": before, "to": "A rather long remark about everything that was heard on this evening."}}})
        self.assertEqual(answer["status"], 200, answer)
        self.fill("[name=comment]", "Another remark, of other words, which is no shorter than the first one.")
        self.press_on("#entry [type=submit]")
        self.until(lambda: "rather long" in self.words("#conflict"), "the conflict is shown", 6)
        self.picture("conflict-phone")
        self.assertEqual(self.words("#conflict th[scope=row]"), "Comment")
        lines = "return document.querySelector('#conflict th[scope=row]').getClientRects()[0].height"
        self.assertLess(self.script(lines), 36, "the field's name stands on one line")
        tops = self.script("""return ["th[scope=row]", "td", "td + td"].map((css) =>
            document.querySelector(`#conflict ${css}`).getBoundingClientRect().top)""")
        self.assertEqual(tops, sorted(set(tops)), "one below the other")
        self.press_on("#use-theirs")

    def test_4d_works_that_were_heard_are_removed_only_on_purpose(self):
        entry = self.entry()
        before = self.call(f"/api/diary/concerts/{entry}")["body"]["programme"]
        self.open(f"#/concerts/{entry}/edit", who="lena")
        for _ in range(2):
            self.fill("[name=works]", "")
            self.press_on("#entry [type=submit]")
            self.until(lambda: "Heard in this concert" in self.words("#heard-works"), "it is asked", 6)
            for title in ("Notebook for Anna Magdalena Bach", "Bagatelle WoO 59"):
                self.assertIn(title, self.words("#heard-works"))
            self.picture("heard-works")
            self.assertEqual(self.script("return document.activeElement.id"), "keep-heard")
            self.press_on("#keep-heard")
            self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#heard-works"), [])
        self.assertEqual(self.call(f"/api/diary/concerts/{entry}")["body"]["programme"], before)

    def test_4e_a_page_that_is_not_up_to_date_hides_nothing(self):
        entry = self.entry()
        self.open(f"#/concerts/{entry}", who="lena")
        self.until(lambda: self.driver.find_elements(By.ID, "keep-private"), "it is published", 6)
        for is_private in (True, False):
            answer = self.call(f"/api/diary/concerts/{entry}/confirm", "POST", {"isPrivate": is_private})
            self.assertEqual(answer["status"], 200, answer)
            self.press_on("#keep-private" if is_private else "#publish")
            self.until(lambda: "Somebody else has decided meanwhile" in self.driver.page_source, "it is told", 6)
            now = "publish" if is_private else "keep-private"
            self.until(lambda css=now: self.driver.find_elements(By.ID, css), "the page shows what is so", 6)
        self.assertEqual(self.call(f"/api/diary/concerts/{entry}")["body"]["isPrivate"], False)

    def test_4f_a_country_that_there_is_not_is_refused_in_the_form(self):
        entry = self.entry()
        self.open(f"#/concerts/{entry}/edit", who="lena")
        self.fill("[name=country]", "zz")
        self.press_on("#entry [type=submit]")
        self.until(lambda: "“ZZ” is no country" in self.words("#trouble"), "the server's sentence is shown", 6)
        self.assertFalse(self.call(f"/api/diary/concerts/{entry}")["body"].get("country"))
        self.fill("[name=country]", "at")
        self.press_on("#entry [type=submit]")
        self.until(lambda: self.call(f"/api/diary/concerts/{entry}")["body"].get("country") == "AT", "it is kept", 6)

    def test_5_i_was_there_goes_with_the_account_to_another_device(self):
        self.open(f"#/concerts/{self.entry()}", who="max")
        self.press_on("#there")
        self.press_on(".rate button:nth-child(4)")
        mine = lambda: self.call("/api/diary/mine")["body"]["concerts"]
        self.until(lambda: [each["concert"].get("rating") for each in mine()] == [4], "it is on the account", 8)
        self.script("localStorage.clear()")  # another device
        self.open("#/mine", who="max")
        self.until(lambda: "★★★★☆" in self.words(), "with its stars", 8)
        self.press_on(".concert a")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#there[aria-pressed=true]"), "it is the same", 6)
        self.press_on("#there")
        self.until(lambda: mine() == [], "and taken back everywhere", 8)

    def test_5a_what_the_hall_page_kept_is_taken_over(self):
        self.open()
        self.script("localStorage.setItem('baton-diary-heard', JSON.stringify([{id: arguments[0], title: 'Gala', "
                    "date: '2026-01-01', works: []}]))", self.entry())
        self.open("#/mine")
        self.until(lambda: "Gala" in self.words(), "it is among one's own", 6)
        self.press_on(".concert a")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#there[aria-pressed=true]"), "and known", 6)
        self.press_on("#there")

    def test_5c_the_page_of_statistics_counts(self):
        self.open("#/statistics")
        self.until(lambda: "Beethoven" in self.words("[aria-label=Composers]"), "the composers are counted", 8)
        self.picture("statistics")

    def is_there(self, element):
        """True as long as the page has not been drawn again."""
        try:
            return self.script("return arguments[0].isConnected", element)
        except StaleElementReferenceException:
            return False

    def test_5b_no_press_and_no_word_is_lost_when_the_page_learns_whose_it_is(self):
        self.open(f"#/concerts/{self.entry()}")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#there"), "the page is there", 6)
        self.settle()
        button = self.driver.find_element(By.ID, "there")
        before = button.get_attribute("aria-pressed")
        ActionChains(self.driver).click_and_hold(button).perform()
        self.script("dispatchEvent(new Event('account'))")
        self.stays(lambda: self.is_there(button), "the button stays under the finger", 0.7)
        ActionChains(self.driver).release().perform()
        self.until(lambda: not self.is_there(button), "then the page is drawn again", 6)
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#there"), "and is there", 6)
        self.assertNotEqual(self.driver.find_element(By.ID, "there").get_attribute("aria-pressed"), before)
        comment = self.driver.find_element(By.CSS_SELECTOR, ".memory textarea")
        comment.send_keys("Bravo")
        self.script("dispatchEvent(new Event('received'))")
        self.stays(lambda: self.is_there(comment), "nothing is drawn while somebody writes", 0.7)
        self.driver.find_element(By.ID, "query").click()
        self.until(lambda: not self.is_there(comment), "it is drawn again afterwards", 6)
        self.until(lambda: self.script("return document.querySelector('.memory textarea')?.value") == "Bravo",
                   "with what was written", 6)

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
                for name in ("#/", f"#/concerts/{self.entry()}", "#/new", "#/new/by-hand", "#/mine", "#/statistics",
                             "#/data"):
                    self.go(name)
                    self.settle()
                    wide = self.script("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{name} on a {kind}")
                    self.assertEqual(self.script(SMALL), [], f"{name} on a {kind}")
                    self.assertEqual(self.script(CONTRAST), [], f"{name} on a {kind}")
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
        own = kept[0]["id"]
        self.open()
        self.assertEqual(self.call("/api/diary/search?q=Vienna")["body"]["ensembles"], [])
        self.assertEqual(self.call("/api/diary/mine")["status"], 401)
        # Another device of the same person deletes it; this one no longer has it.
        self.open("#/mine", who="max")
        self.until(lambda: "Vienna Philharmonic" in self.words(), "it is here", 6)
        self.assertEqual(self.call(f"/api/diary/mine/{own}", "DELETE")["status"], 200)
        self.script("dispatchEvent(new Event('online'))")
        self.until(lambda: "0 concerts" in self.words(), "it is deleted here too", 8)
        resize(self.driver, SIZES["desk"])


class HouseTest(DiaryCase):
    """Those who run the house enter a festival, name who played, link works, and ask outside sources."""

    @classmethod
    def setUpClass(cls):
        cls.sources = SourceStandIn()
        cls.begin(Scripted(PIECES, "--sources", cls.sources.base, "--models", "Models", accounts=[
            ("ada", "administrator", PASSPHRASE), ("lena", "editor", PASSPHRASE), ("max", "musician", PASSPHRASE)]))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.sources.shutdown()
        cls.sources.server_close()

    def festival(self, name):
        """A festival of two concerts, as somebody with a phone enters it."""
        self.go("#/events/new")
        self.fill("[name=description]", name)
        self.fill("[name=all-venue]", "Meadow")
        self.fill("[name=all-city]", "Musterstadt")
        self.fill(".event-row [name=date]", "2026-07-04")
        self.fill(".event-row [name=ensemble]", "The Examples")
        self.fill(".event-row [name=stage]", "Big stage")
        self.press_on("#another")
        self.fill(".event-row [name=date]", "2026-07-05")
        self.fill(".event-row [name=ensemble]", "Muster Quartet")
        self.picture(f"event-form-{name.split()[0].lower()}")
        self.press_on("#event [type=submit]")

    def test_0_nothing_is_said_to_be_unknown_before_it_was_searched(self):
        self.open("#/new", who="lena")
        self.until(lambda: self.words("#known") == "The house has no concert yet. Enter yours by hand.",
                   "it is empty", 6)
        self.script("const field = document.querySelector('[name=q]'); field.value = 'xyzzy'; "
                    "field.dispatchEvent(new Event('input'))")
        self.until(lambda: self.words("#known") == "The house knows no such concert.", "a search finds none", 6)

    def test_1_a_festival_is_entered_without_the_server_and_everybody_finds_it_later(self):
        resize(self.driver, SIZES["phone"])
        self.open("#/events", who="lena")
        self.until(lambda: self.later("return Boolean((await navigator.serviceWorker.ready).active)"), "it is kept", 10)
        self.until(lambda: self.later("return (await (await caches.open('baton-diary')).keys()).length") > 28,
                   "the page is on the device", 10)
        self.server.kill()
        self.driver.get(f"{self.base}/diary#/events")
        self.until(lambda: self.driver.find_elements(By.ID, "new-event"), "the page is there", 10)
        begun = time.monotonic()
        self.festival("Open air")
        self.until(lambda: "safe on this device" in self.words(), "it is kept here", 6)
        print(f"a festival of two concerts entered in {time.monotonic() - begun:.1f} s")
        self.picture("event-waiting-phone")
        self.server.start()
        self.script("dispatchEvent(new Event('online'))")
        self.until(lambda: self.call("/api/diary/events")["body"]["events"], "it is sent", 15)
        self.open("#/events")
        self.press_on("#events a")
        self.until(lambda: "Big stage" in self.words() and "Muster Quartet" in self.words(), "everybody sees it", 6)
        self.picture("event-phone")
        self.press_on(".tick")
        self.until(lambda: self.words(".tick[aria-pressed=true]") == "✓ I was there", "a concert is ticked", 6)
        own = "return JSON.parse(localStorage.getItem('baton-diary-own')).map((each) => [each.event, each.ensemble])"
        self.assertEqual(self.script(own), [["Open air", "The Examples"]])
        self.press_on(".tick")
        self.until(lambda: self.script(own) == [], "and taken back", 6)
        self.driver.find_element(By.ID, "query").send_keys("open air")
        self.until(lambda: "Open air" in self.words("[aria-label='Festivals and tours']"), "it is found by its name", 6)
        self.go(f"#/events/{self.call('/api/diary/events')['body']['events'][0]['id']}")
        self.press_on(".concert a")
        self.until(lambda: "Meadow, Musterstadt" in self.words(), "each concert has its page", 6)
        resize(self.driver, SIZES["desk"])

    def test_2_a_listener_enters_a_festival_for_himself(self):
        self.open("#/events", who="max")
        self.festival("My camp")
        self.until(lambda: "2 concerts" in self.words(), "it is his own", 6)
        self.until(lambda: len(self.call("/api/diary/mine")["body"]["concerts"]) == 2, "on his account too", 8)
        self.open("#/events")
        self.assertNotIn("My camp", self.words())

    def test_3_an_ensemble_is_joined_to_musicbrainz(self):
        self.open("#/ensembles", who="lena")
        found = self.call("/api/diary/search?q=examples")["body"]["ensembles"][0]
        self.assertEqual(self.sources.asked, [], "nothing was asked before somebody pressed")
        self.go(f"#/ensembles/{found['id']}")
        self.press_on(".source-question button")
        self.until(lambda: "made for a test" in self.words(), "what was found is shown", 8)
        self.picture("musicbrainz")
        self.press_on(".outside .primary")
        self.until(lambda: not self.driver.find_elements(By.CSS_SELECTOR, ".outside"), "it is joined", 8)
        known = self.call(f"/api/diary/ensembles/{found['id']}")["body"]
        self.assertEqual(known["mbid"], "11111111-2222-4333-8444-555555555555")
        self.assertTrue(any("/ws/2/artist?" in each for each in self.sources.asked))

    def test_4_an_evening_is_imported_and_stays_as_a_person_corrected_it(self):
        self.open("#/new", who="lena")
        self.fill("[name=setlist-ensemble]", "The Examples")
        self.fill("[name=setlist-date]", "2026-07-05")
        self.press_on(".source-question [type=submit]")
        self.until(lambda: "Loud tour" in self.words(), "the setlist is shown", 8)
        self.picture("setlist")
        self.press_on(".outside .primary")
        self.until(lambda: "imported from setlist.fm" in self.words(), "it is an entry to confirm", 8)
        self.assertIn("Borrowed", self.words())
        self.press_on("#publish")
        self.until(lambda: "Nobody has confirmed it yet" not in self.words(), "it is published", 6)
        self.go("#/concerts/setlistfm-63de4613/edit")
        self.fill("[name=conductor]", "Example, Anna")
        self.picture("performers")
        self.press_on("#entry [type=submit]")
        self.until(lambda: "Example, Anna (conductor)" in self.words(), "the conductor stands there", 6)
        self.picture("imported")
        again = self.call("/api/diary/sources/setlists/63de4613", "POST", {})
        self.assertEqual(again["body"]["outcome"], "kept")
        self.go("#/people/Example%2C%20Anna")
        self.until(lambda: "conductor" in self.words() and "1 concert" in self.words(), "she has a page", 6)

    def test_4b_a_video_is_found_and_its_link_kept(self):
        self.open("#/concerts/setlistfm-63de4613/edit", who="lena")
        self.press_on(".source-question [type=submit]")
        self.until(lambda: "The Examples & friends" in self.words(), "the video is shown", 8)
        self.assertTrue(any(path.startswith("/youtube/v3/search?") and "Opener" in path and "2026" in path
                            for path in self.sources.asked), self.sources.asked)
        self.picture("videos")
        self.press_on(".outside .primary")
        self.press_on("#entry [type=submit]")
        link = "https://www.youtube.com/watch?v=abc-DEF_123"
        self.until(lambda: link in [each.get_attribute("href") for each in
                                    self.driver.find_elements(By.CSS_SELECTOR, ".recordings a")], "it is linked", 6)
        self.open("#/new/by-hand", who="max")
        self.fill("[name=ensemble]", "The Examples")
        self.press_on(".source-question [type=submit]")
        self.until(lambda: "The Examples & friends" in self.words(), "a listener finds it too", 8)

    def test_4c_a_name_that_is_too_long_is_refused_in_plain_words(self):
        self.open("#/concerts/setlistfm-63de4613/edit", who="lena")
        self.fill("[name=conductor]", "n" * 600)
        self.assertEqual(len(self.driver.find_element(By.NAME, "conductor").get_property("value")), 300)
        self.fill("[name=conductor]", "é" * 200)
        self.press_on("#entry [type=submit]")
        self.until(lambda: "Conductor: “éééé" in self.words("#trouble") and "is too long." in self.words("#trouble"),
                   "it is said which name", 6)
        self.assertNotIn("bytes", self.words("#trouble"))

    def test_5_two_people_name_who_played(self):
        self.open("#/concerts/setlistfm-63de4613/edit", who="lena")
        self.until(lambda: self.driver.find_elements(By.NAME, "soloists-0"), "the form is there", 6)
        known = {"composer": "The Examples", "title": "Opener", "conductors": ["Example, Anna"], "soloists": []}
        meanwhile = {**known, "soloists": [{"name": "Muster, Ida", "instrument": "violin"}]}
        answer = self.call("/api/diary/concerts/setlistfm-63de4613", "PUT",
                           {"changes": {"performers/0": {"from": known, "to": meanwhile}}})
        self.assertEqual(answer["status"], 200, answer)
        self.press_on(".performers summary")
        self.fill("[name=soloists-0]", "Muster, Max (flute)")
        self.press_on("#entry [type=submit]")
        self.until(lambda: "Muster, Ida" in self.words("#conflict"), "the conflict is shown", 6)
        self.picture("performers-conflict")
        self.press_on("#use-theirs")
        self.until(lambda: "Muster, Ida (violin)" in self.words(), "theirs stays", 6)

    def test_6_a_work_leads_to_what_the_house_has_of_it(self):
        self.open("#/", who="ada")
        work = self.call("/api/diary/search?q=opener")["body"]["works"][0]["id"]
        self.go(f"#/works/{work}")
        self.press_on(".holdings summary")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "[name=holding] option"), "there is a choice", 6)
        self.press_on(".holdings .fields button")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".holdings li a"), "it is linked", 6)
        self.picture("work-links")
        link = self.driver.find_element(By.CSS_SELECTOR, ".holdings li a").get_attribute("href")
        self.assertIn("/practice/follow?piece=", link)
        self.go("#/concerts/setlistfm-63de4613")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#programme .holdings a"), "the concert too", 6)
        self.open("#/concerts/setlistfm-63de4613")
        self.until(lambda: "Opener" in self.words(), "a stranger sees the concert", 6)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".holdings a"), [])

    def test_7_an_entry_is_removed_and_what_else_is_there_fits_every_width(self):
        try:
            for kind, size in SIZES.items():
                resize(self.driver, size)
                self.open(who="ada")
                for name in ("#/new", "#/events", "#/events/new", "#/ensembles/new", "#/halls/new",
                             "#/concerts/setlistfm-63de4613/edit", "#/concerts/setlistfm-63de4613"):
                    self.go(name)
                    self.settle()
                    wide = self.script("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{name} on a {kind}")
                    self.assertEqual(self.script(SMALL), [], f"{name} on a {kind}")
                    self.assertEqual(self.script(CONTRAST), [], f"{name} on a {kind}")
                    self.assertEqual(self.script(LARGE_TICKS), [], f"{name} on a {kind}")
                    self.picture(f"house-{name.strip('#/').replace('/', '-')}-{kind}")
        finally:
            resize(self.driver, SIZES["desk"])
        self.assertEqual(self.complaints(), [])
        self.press_on("#remove")
        self.driver.switch_to.alert.accept()
        self.until(lambda: self.call("/api/diary/concerts/setlistfm-63de4613")["status"] == 404, "it is gone", 6)


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("diary_test: only Chromium is driven here.")
    PICTURES = pictures_folder()
    unittest.main()
