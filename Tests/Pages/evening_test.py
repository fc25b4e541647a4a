#!/usr/bin/python3
"""Evenings are begun and ended in a real browser, against a real server that nobody restarts; and the way from an empty
folder to a rehearsal, a concert on the next day and its encore.

    BATON=path/to/baton Tests/Pages/evening_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import contextlib
import datetime
import http.client
import json
import re
import shutil
import sqlite3
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import paired
import sound
from browser import resize, sign_in
from lib.repository import RECORDINGS, ROOT, measure_times, recording
from lib.servers import Server
from page_case import PageCase, pictures_folder

BACH = "bach-well-tempered-clavier-1-prelude-in-c"
MINUET = "petzold-anna-magdalena-notebook-minuet-in-g"
BARS = 8  # of the minuet that is prepared and played
PASSPHRASE = "seven quiet violas at noon"
ACCOUNTS = (("anna", "technician", PASSPHRASE), ("ed", "editor", PASSPHRASE))
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 800)}
PICTURES = None


class EveningCase(PageCase):
    """One console that an administrator or technician works at."""

    cookies = {}

    def ask(self, method, path, body=None, name="anna"):
        return self.server.ask(method, path, body, self.cookies.get(name))

    def command(self, *words):
        self.server.command(*words, cookie=self.cookies["anna"])

    @property
    def show(self):
        return self.server.snapshot(self.cookies.get("anna"))["show"]

    @property
    def position(self):
        return self.server.snapshot(self.cookies.get("anna"))["position"]

    def open_panel(self):
        if not self.driver.find_element(By.ID, "panel").is_displayed():
            self.press("p")
        self.until(lambda: self.words(".evening-about") != "", "the panel says which evening it is")

    def console_shows(self, title):
        self.until(lambda: self.words("#show-title") == title, f"the console of {title} is there by itself", 30)
        self.until(lambda: self.words("#link-state") == "Connected", "and connected", 15)

    def begin_evening(self, kind, title, people="", programme="now"):
        self.open_panel()
        self.push_button("New evening")
        form = self.driver.find_element(By.CSS_SELECTOR, "#panel section form")
        self.until(form.is_displayed, "the form is there")
        form.find_element(By.CSS_SELECTOR, f'option[value="{kind}"]').click()
        form.find_element(By.CSS_SELECTOR, "input").send_keys(title)
        self.until(lambda: form.find_elements(By.CSS_SELECTOR, f'option[value="{programme}"]'), "the programmes", 15)
        form.find_element(By.CSS_SELECTOR, f'option[value="{programme}"]').click()
        form.find_element(By.CSS_SELECTOR, "textarea").send_keys(people)
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

    def reports(self):
        """Of each show that has ended, oldest first, its report."""
        return [json.loads((show / "report.json").read_text(encoding="utf-8"))
                for show in sorted((self.server.data / "shows").iterdir()) if (show / "report.json").exists()]

    def recordings(self):
        """The names of the recordings by title."""
        found = (self.server.data / "recordings").glob("*/recording.json")
        return {json.loads(each.read_text(encoding="utf-8"))["title"]: each.parent.name for each in found}

    def entries(self):
        """The entries of the diary by title."""
        with sqlite3.connect(self.server.data / "diary.sqlite") as database:
            rows = database.execute("SELECT document FROM programme").fetchall()
        database.close()
        return {entry["title"]: entry for entry in (json.loads(row[0]) for row in rows)}


class EveningTest(EveningCase):
    """An empty data folder; a file that is played again and again stands for the hall."""

    @classmethod
    def setUpClass(cls):
        cls.begin(Server(None, "--no-listen-osc", "--no-multicast", "--loop", "0", "--record",
                         lives=[recording(BACH, "even")], accounts=ACCOUNTS).start())
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

    def both_consoles_show(self, title):
        for tab in (self.second, self.first):
            self.driver.switch_to.window(tab)
            self.console_shows(title)

    def test_1_an_evening_in_which_nothing_was_played_becomes_the_one_that_is_begun(self):
        began = self.show["started"]
        self.begin_evening("concert", "Concert")
        self.both_consoles_show("Concert")
        self.assertEqual((self.show["started"], self.show["rehearsal"]), (began, False))
        self.put_on(BACH)

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

        def is_another():
            with contextlib.suppress(OSError):
                return self.show["started"] != began
            return False

        self.until(is_another, "another show has begun", 40)
        self.both_consoles_show("Concert")
        self.assertEqual(self.show["evening"], "not-yet")
        self.until(lambda: self.words("#evening-text") == "", "nothing goes on")
        self.assertEqual(len(self.reports()), 1)
        self.assertEqual(self.complaints(), [])


    def test_4_an_evening_of_another_day_is_planned_and_begins_when_this_one_is_over(self):
        self.open_panel()
        before = self.show
        self.push_button("New evening")
        form = self.driver.find_element(By.CSS_SELECTOR, "#panel section form")
        self.until(form.is_displayed, "the form is there")
        form.find_element(By.CSS_SELECTOR, "input").send_keys("Gala")
        self.script("document.querySelector('#panel section form input[type=date]').value = '2999-12-05'")
        self.push_button("Plan it")
        planned = ".planned li"
        self.until(lambda: "Concert · Gala · 2999-12-05" in self.words(planned), "it is in the list", 15)
        self.pictures("evening-planned")
        self.assertEqual(self.show, before, "this evening goes on")
        self.push_button("Change")
        self.until(lambda: "Change the plan: Gala" in self.words(".programme-editor"), "the plan is changed", 10)
        self.until(lambda: self.script("return !document.querySelector('.programme-editor .primary').disabled"),
                   "with its pieces", 10)
        self.driver.find_elements(By.CSS_SELECTOR, ".programme-editor fieldset input")[2].send_keys("Town hall")
        self.push_button("Save the programme")
        self.until(lambda: "Gala · 2999-12-05 · Town hall" in self.words(planned), "it has a place", 15)
        self.push_button("End the evening")
        self.until(lambda: "the diary has it" in self.words("#panel"), "it is asked once")
        # A hand that clicks twice ends one evening.
        self.script("""const end = [...document.querySelectorAll("#panel button")].find((each) =>
            each.textContent === "End it now"); end.click(); end.click();""")
        self.console_shows("Gala")
        self.assertEqual((self.show["place"], self.show["evening"]), ("Town hall", "not-yet"))
        self.assertEqual(self.ask("GET", "/api/evenings").value["planned"], [])
        self.assertEqual(len(self.reports()), 2, "one evening was ended")
        self.assertEqual(self.complaints(), [])

    def open_editor(self):
        self.open_panel()
        self.push_button("Change the programme")
        self.until(lambda: self.script("return !document.querySelector('.programme-editor .primary')?.disabled"),
                   "the editor is there", 15)

    def rows(self):
        return len(self.driver.find_elements(By.CSS_SELECTOR, ".order-row"))

    def test_5_what_was_not_saved_is_there_after_a_reload(self):
        self.open_editor()
        self.driver.find_element(By.CSS_SELECTOR, f'.programme-editor option[value="{MINUET}"]').click()
        self.push_button("Add")
        self.assertEqual(self.rows(), 2)
        self.driver.refresh()
        self.console_shows("Gala")
        self.open_editor()
        self.until(lambda: self.rows() == 2 and "not saved yet" in self.words(".programme-editor .say"),
                   "both pieces", 8)
        self.push_button("Look at it as it is now")
        self.until(lambda: self.rows() == 1, "as it is saved", 8)
        self.push_button("Cancel")

    def listed(self):
        return [piece["name"] for piece in self.ask("GET", "/api/audience/concert").value["pieces"]]

    def test_6_nobody_is_told_of_an_encore_before_it_is_played(self):
        known = self.ask("GET", "/api/programme").value
        answer = self.ask("PUT", "/api/programme", {"pieces": [MINUET, BACH], "intermissions": [], "encores": 1,
                                                    "revision": known["revision"]})
        self.assertEqual(answer.status, 200, answer.text)
        self.until(lambda: self.listed() and not any("Prelude" in name for name in self.listed()),
                   "listeners find the minuet alone", 15)
        self.open_panel()
        self.until(lambda: "encore" in self.words("#panel .pieces"), "the technician sees it")
        self.press(Keys.ESCAPE)
        self.command("piece", "2", "unknown")
        self.until(lambda: any("Prelude" in name for name in self.listed()), "once it sounds, they find it", 45)
        self.assertEqual(self.complaints(), [])


class StandsTest(EveningCase):
    """A concert whose library has the score; who plays is opened the stands by one button."""

    @classmethod
    def setUpClass(cls):
        accounts = (*ACCOUNTS, ("Bo Ek", "musician", PASSPHRASE), ("cy", "musician", PASSPHRASE))
        cls.begin(Server(ROOT / "Recordings" / "concert.json", "--no-listen-osc", "--no-multicast", "--loop", "0",
                         "--arm", "by-hand", lives=[recording(BACH, "even")], accounts=accounts).start())
        cls.cookies = {name: cls.server.sign_in(name, PASSPHRASE) for name in ("anna", "ed", "Bo Ek", "cy")}
        resize(cls.driver, SIZES["desk"])

    def rooms(self, name):
        rooms = self.ask("GET", "/api/stand/home", name=name).value["rooms"]
        return [room for each in rooms.values() for room in each if room["isTonight"]]

    def test_one_button_gives_the_music_and_the_stands_follow_once_the_evening_is_armed(self):
        evening = {"title": "Gala", "people": "Bo Ek, violin\nAda, viola"}
        self.assertEqual(self.ask("POST", "/api/evenings", evening).status, 200)
        self.assertEqual(self.ask("POST", "/api/stands/tonight", {"players": "people"}, "Bo Ek").status, 403)
        sign_in(self.driver, self.base, "anna", PASSPHRASE)
        self.driver.get(self.base + "/console")
        self.console_shows("Gala")
        self.open_panel()
        self.script("document.querySelector('section[aria-label=Stands] input').click()")
        self.push_button("Stands tonight")
        stands = "section[aria-label=Stands]"
        self.until(lambda: "1 account has the music" in self.words(stands), "the people of the evening have it", 20)
        self.assertIn("No account has this name: Ada", self.words(stands))
        self.assertIn(f"{self.base}/stand?tonight", self.words(stands))
        self.pictures("stands-tonight")
        self.assertEqual((len(self.rooms("Bo Ek")), self.rooms("cy")), (1, []))
        self.script("document.querySelector('section[aria-label=Stands] input').click()")
        self.until(lambda: "2 accounts have the music" in self.words(stands), "and now every musician", 20)
        self.assertEqual(self.rooms("cy"), self.rooms("Bo Ek"), "there is one room")
        self.opens_a_stand()

    def opens_a_stand(self):
        self.driver.delete_all_cookies()
        self.driver.get(self.base + "/stand?tonight")
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        self.until(lambda: self.driver.find_element(By.ID, "login").is_displayed(), "the musician signs in", 10)
        self.driver.find_element(By.ID, "login").send_keys("Bo Ek")
        self.driver.find_element(By.ID, "password").send_keys(PASSPHRASE, Keys.ENTER)
        text = "return document.getElementById(arguments[0])?.textContent ?? ''"
        self.until(lambda: self.script(text, "what-room") == "Tonight", "the music lies there", 20)
        self.until(lambda: self.script("return document.querySelector('.leaf.shown .sheet > canvas')?.width > 300"),
                   "its page is shown", 20)
        self.until(lambda: "armed" in self.script(text, "sign-waiting"), "it waits", 10)
        self.command("arm", "on")
        self.until(lambda: "session" in self.script(text, "what-room"), "nobody has to start a rehearsal", 15)


class PairTest(EveningCase):
    """Two servers run the evening; the one that leads is killed."""

    @classmethod
    def setUpClass(cls):
        options = ("--no-listen-osc", "--no-multicast", "--loop", "0", "--record")
        cls.pair = [Server(None, *options, role, f"127.0.0.1:{port}", *key, lives=[recording(BACH, "even")],
                           accounts=() if role == "--backup-of" else ACCOUNTS)
                    for role, port, *key in paired.options(cls)]
        cls.server = cls.pair[0]
        for server in cls.pair:
            cls.addClassCleanup(server.remove)
            server.start()

    @classmethod
    def tearDownClass(cls):
        """Both servers are removed as the class is cleaned up."""

    def setUp(self):
        main, backup = self.pair
        type(self).server, type(self).cookies = main, {"anna": main.sign_in("anna", PASSPHRASE)}
        self.until(lambda: paired.follows(backup, lambda: backup.sign_in("anna", PASSPHRASE)), "the backup follows", 30)

    def test_another_evening_begins_on_both(self):
        main, backup = self.pair
        self.assertEqual(self.refusal_of("Matinée"), "")
        self.command("arm", "on")
        self.play()
        began = self.show["started"]
        self.assertEqual(self.refusal_of("Soirée"), "")
        for server in self.pair:
            type(self).server = server
            self.until(lambda: self.show_or_none("title") == "Soirée", "the next evening has begun", 30)
        self.until(lambda: paired.follows(backup, lambda: self.cookies["anna"]), "the backup follows again", 20)
        type(self).server = main
        self.assertEqual((self.show["server"]["role"], self.show["evening"]), ("main", "not-yet"))
        self.assertNotEqual(self.show["started"], began)
        self.assertEqual([each["name"] for each in self.ask("GET", "/api/evenings").value["evenings"]], ["Matinée"])

    def refusal_of(self, title):
        """Why another evening with this title cannot begin; empty if it does."""
        answer = self.ask("POST", "/api/evenings", {"kind": "concert", "title": title, "pieces": [BACH]})
        return "" if answer.status == 200 else answer.text

    def show_or_none(self, name):
        """A fact of the show; None while the server begins again."""
        with contextlib.suppress(OSError, http.client.HTTPException, KeyError, TypeError):
            return self.show[name]

    def test_the_evening_goes_on_with_its_name_people_and_programme(self):
        main, backup = self.pair
        cookies = self.cookies
        evening = {"kind": "concert", "title": "Gala", "date": "2026-11-29", "place": "Barn", "people": "Bo Ek, violin"}
        answer = self.ask("POST", "/api/evenings", {**evening, "pieces": [BACH]})
        self.assertEqual(answer.status, 200, answer.text)
        self.command("arm", "on")
        type(self).server = backup
        cookies["anna"] = backup.sign_in("anna", PASSPHRASE)
        self.until(lambda: [self.show[name] for name in evening] == list(evening.values()), "the backup has it", 15)
        main.kill()
        self.until(lambda: self.show["server"]["role"] == "main", "the other server leads", 15)
        self.assertEqual([self.show[name] for name in evening], list(evening.values()))
        self.assertEqual([each["folder"] for each in self.ask("GET", "/api/programme").value["pieces"]], [BACH])
        self.play()
        report = self.ask("GET", "/api/report/current").value
        self.assertEqual((report["title"], report["people"]), ("Gala", "Bo Ek, violin"))
        self.until(lambda: "Gala" in self.recordings(), "the recording goes on under its name", 10)
        term = self.show["server"]["term"]
        self.assertEqual(self.refusal_of("Soirée"), "")
        self.until(lambda: self.show_or_none("title") == "Soirée", "one that is alone begins the next one, too", 30)
        self.until(lambda: self.show["server"]["role"] == "main", "and leads it", 10)
        self.assertGreater(self.show["server"]["term"], term)


class TwoEveningsTest(EveningCase):
    """From an empty folder, without a terminal after the server's start: a piece of one's own, rehearsed, and played on
    the next day. A file that is played again and again stands for the hall: the piece, and seven seconds of silence.
    """

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        cls.make_music()
        for each in ("Models", "Recordings"):
            (cls.folder / each).mkdir()
        cls.begin(Server(None, "--no-listen-osc", "--no-multicast", "--loop", "0", "--record",
                         "--models", cls.folder / "Models", "--recordings", cls.folder / "Recordings",
                         lives=[cls.folder / "hall.wav"], environment=cls.moved_clock()).start())
        resize(cls.driver, SIZES["desk"])

    @classmethod
    def make_music(cls):
        """The first bars of the minuet: a score with two letters, a recording of it, and another one for the hall."""
        score = ElementTree.parse(RECORDINGS / MINUET / "score.musicxml")
        for part in score.getroot().findall("part"):
            for measure in part.findall("measure")[BARS:]:
                part.remove(measure)
        measures = score.getroot().find("part").findall("measure")
        for label, measure in (("A", 0), ("B", BARS // 2)):
            measures[measure].insert(0, ElementTree.fromstring(
                f"<direction><direction-type><rehearsal>{label}</rehearsal></direction-type></direction>"))
        score.write(cls.folder / "minuet.musicxml")
        for name, performance, before, after in (("minuet", "dance", 0, 1.5), ("hall", "gentle", 1, 7)):
            path = recording(MINUET, performance)
            sound.write(cls.folder / f"{name}.wav", sound.silence(before),
                        sound.part(path, 0, measure_times(path.with_name("measures.csv"))[BARS][1]),
                        sound.silence(after))

    @classmethod
    def moved_clock(cls):
        """The surroundings of a server whose clock is off by the seconds in a file."""
        cls.clock, library = cls.folder / "clock", cls.folder / "clock.so"
        compiler = next(filter(shutil.which, ("cc", "clang", "gcc")), None)
        if not compiler:
            raise unittest.SkipTest("there is no C compiler to build the moved clock with")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library,
                        ROOT / "Tests/System/survival/stepped_clock.c", "-ldl"], check=True)
        cls.clock.write_text("0")
        return {"LD_PRELOAD": str(library), "SURVIVAL_CLOCK": str(cls.clock)}

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def text(self, css):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def visit(self, path, size="desk"):
        resize(self.driver, SIZES[size])
        self.driver.get(self.base + path)

    def click(self, css, seconds=8):
        """Clicks the first such element, as soon as it is there to be clicked."""
        self.until(lambda: self.script("""
            const found = document.querySelector(arguments[0]);
            if (!found?.checkVisibility() || found.disabled) return false;
            found.click();
            return true;""", css), f"{css} can be clicked", seconds)

    def hall_is_quiet(self):
        """The silence after the piece has begun; the music begins again some seconds later."""
        self.until(lambda: self.server.snapshot(self.cookies["anna"])["meters"]["silentSeconds"] > 1.5,
                   "the hall is quiet", 30)

    def followed_to_the_end(self):
        self.until(lambda: self.position["measure"] in (2, 3, 4), "the music is followed", 60)
        self.until(lambda: self.position["measure"] == BARS, f"bar {BARS} is heard", 25)

    # -- the steps, in their order ----------------------------------------------------------------------------

    def becomes_administrator(self):
        self.visit("/start")
        self.until(lambda: self.find("#account-form").is_displayed(), "the first administrator can be made", 10)
        self.find("#name").send_keys("anna")
        self.find("#code").send_keys(re.search(r"asks for the code (\d{4} \d{4})", self.server.said)[1])
        self.find("#password").send_keys(PASSPHRASE, Keys.ENTER)
        self.until(lambda: self.find("#account-done").is_displayed(), "signed in", 15)
        type(self).cookies = {"anna": "; ".join(f"{each['name']}={each['value']}"
                                                for each in self.driver.get_cookies())}

    def prepares_the_piece(self):
        self.visit("/prepare")
        self.until(lambda: self.script("return Boolean(document.querySelector('.new-piece'))"), "a piece can be begun")
        self.find("[aria-label='Recording'][type=file]").send_keys(str(self.folder / "minuet.wav"))
        self.find("[aria-label='Score'][type=file]").send_keys(str(self.folder / "minuet.musicxml"))
        self.push_button("Begin")
        self.until(lambda: self.text(".next-title") == "Ready to be prepared", "the bars are found", 60)
        self.click(".next [data-does=prepare]")
        self.until(lambda: self.text(".next-title") == "Prepared", "it is prepared", 60)
        models = self.ask("GET", "/api/prepare/models").value
        self.assertEqual([each["bars"] for each in models], [BARS])
        type(self).piece = models[0]["folder"]

    def adds_the_piece(self, pieces):
        """Opens the editor of the programme and adds the piece, of which it then has some."""
        self.until(lambda: self.find(".programme-editor select").get_attribute("value"), "it can be added", 15)
        self.click(".programme-editor > .stack > button")
        self.push_button("Save the programme")
        self.until(lambda: len(self.ask("GET", "/api/programme").value["pieces"]) == pieces, "it is saved", 20)

    def rehearses(self):
        self.visit("/console")
        self.console_shows("Tonight")
        self.begin_evening("rehearsal", "Minuet")
        self.console_shows("Rehearsal: Minuet")
        self.open_panel()
        self.push_button("Change the programme")
        self.hall_is_quiet()
        self.adds_the_piece(1)
        self.press(Keys.ESCAPE)
        self.followed_to_the_end()
        self.assertEqual(self.position["audience"]["why"], "rehearsal", "no listener sees it")
        self.find("#place").send_keys("B", Keys.ENTER)
        self.until(lambda: self.position["measure"] == BARS // 2 + 1, "letter B of the score is bar 5 on the console")

    def has_letters_on_the_stand(self):
        self.visit("/stand", "tablet")
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        self.driver.refresh()
        self.click("[data-score] .entry")
        self.until(lambda: self.script(
            "return document.querySelector('.leaf.shown .sheet > canvas')?.width > 300"), "its page is shown", 15)
        self.script("document.getElementById('tools-open').click()")
        self.click("[data-mark='B']")
        self.until(lambda: f"Bar {BARS // 2 + 1}," in self.text("#say"), "letter B is the same bar on the stand")

    def ends(self, name, day=0):
        """Ends the evening; what begins then begins so many days after the first one."""
        self.visit("/console")
        self.console_shows(name)
        self.open_panel()
        self.push_button("End the evening")
        self.until(lambda: "the diary has it" in self.words("#panel"), "it is asked once")
        self.pictures("evening-end")
        # Before the next show begins, because its own time does not follow a clock that is moved.
        self.clock.write_text(str(86_400 * day))
        self.push_button("End it now")
        self.console_shows("Tonight")
        self.until(lambda: name in self.recordings() and name in self.entries(), "recording and entry are there", 20)

    def makes_a_reference(self, name):
        self.visit(f"/reference?recording={self.recordings()[name]}")
        self.click("#choice[aria-busy=false] #start")
        self.until(lambda: self.script("return document.querySelector('.job')?.dataset.state") in ("done", "failed"),
                   "the work is over", 40)
        overview = self.ask("GET", f"/api/prepare/models/{self.piece}").value
        self.assertEqual(len(overview["references"]), 2)

    def plays_the_concert(self):
        self.visit("/console")
        self.begin_evening("concert", "Gala", "Anna Berg, conductor\nBo Ek, violin", "0")
        self.console_shows("Gala")
        console = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        phone = self.driver.current_window_handle
        self.visit("/", "phone")
        self.phone_says("#cast-list", "bo ek")
        self.phone_says("#concert-title", self.show["title"].lower())
        self.phone_says("#programme", "minuet")
        self.phone_says("#now-head", "no music")
        self.driver.switch_to.window(console)
        self.hall_is_quiet()
        self.click("[data-action=arm]")
        self.driver.switch_to.window(phone)
        self.until(lambda: self.position["audience"]["view"] == "live", "the concert is live", 45)
        self.visit("/", "phone")
        self.phone_shows_a_bar()
        if PICTURES:
            self.driver.save_screenshot(f"{PICTURES}/evening-phone-live.png")
        self.driver.switch_to.window(console)
        self.open_panel()
        self.push_button("Add an encore")
        self.adds_the_piece(2)
        self.until(lambda: self.position["piece"] == 1 and self.position["audience"]["view"] == "live",
                   "the encore is live", 45)
        self.until(lambda: self.show["evening"] == "under-way", "and not only a false start", 45)
        self.driver.switch_to.window(phone)
        self.phone_shows_a_bar()
        self.driver.close()
        self.driver.switch_to.window(console)

    def phone_says(self, css, words):
        self.until(lambda: words in self.text(css).lower(), f"the phone says {words}", 10)

    def phone_shows_a_bar(self):
        self.until(lambda: self.text(".plain-bar strong") in map(str, range(2, BARS + 1)), "the phone shows the bar",
                   15)

    def test_a_rehearsal_and_a_concert_of_two_days(self):
        process = self.server.process.pid
        self.becomes_administrator()
        self.prepares_the_piece()
        self.rehearses()
        self.has_letters_on_the_stand()
        self.ends("Rehearsal: Minuet", day=1)
        self.assertFalse(self.show["goesOn"] or self.show["rehearsal"])
        self.makes_a_reference("Rehearsal: Minuet")
        self.plays_the_concert()
        self.ends("Gala", day=1)
        self.assertTrue(self.server.is_running and self.server.process.pid == process)
        reports = {report["title"]: report for report in self.reports()}
        self.assertEqual(set(reports), {"Rehearsal: Minuet", "Gala"})
        for report in reports.values():
            self.assertGreaterEqual(len({bar["measure"] for bar in report["pieces"][0]["measures"]}), BARS // 2)
        self.assertEqual(reports["Gala"]["people"], "Anna Berg, conductor\nBo Ek, violin")
        # The entry is there since the concert was over, before its encore.
        self.until(lambda: len(self.entries()["Gala"]["items"]) == 2, "the diary has the encore", 20)
        rehearsal, gala = self.entries()["Rehearsal: Minuet"], self.entries()["Gala"]
        self.assertEqual((rehearsal["concerts"][0].get("type"), gala["concerts"][0].get("type")), ("Rehearsal", None))
        first, second = (datetime.date.fromisoformat(entry["concerts"][0]["date"]) for entry in (rehearsal, gala))
        self.assertEqual(second - first, datetime.timedelta(days=1))
        self.assertEqual([(item.get("conductors"), item.get("encore", False)) for item in gala["items"]],
                         [(["Anna Berg"], False), (["Anna Berg"], True)])
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main(verbosity=2)
