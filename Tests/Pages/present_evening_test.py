#!/usr/bin/python3
"""Two speakers, a moderator, a title operator and a screen at once, each in a browser of their own, in an evening.

    BATON=path/to/baton Tests/Pages/present_evening_test.py [--pictures FOLDER] [TEST …]

Anna has spoken here before, with this browser; Bert has a phone. Both reach the server over wires that are cut. The
music is real and followed meanwhile. The last line is unittest's.
"""

import contextlib
import json
import pathlib
import shutil
import tempfile
import threading
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import present_test
from browser import chromium, resize, started
from lib import web
from lib.processes import free_port
from lib.repository import recording
from page_case import PageCase, pictures_folder
from present_test import CODE, DESK, PHONE, SpeakersPage
from screen_test import ODE, SHOWN
from served import Served
from slides_test import pdf

HAS_SLIDE = "return document.querySelector('img.slide') !== null"


class HoldersHeard(threading.Thread):
    """Carl, a third speaker, who only listens: everything that he hears of the floor, as (epoch, holder)."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.heard = base, []
        joined = web.ask(base, "POST", "/api/present/join", {"name": "Carl", "code": CODE})
        self.token = joined.value["token"]
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            for name, value in web.events(self.base, f"/api/present/stream?token={self.token}", timeout=300):
                if name == "floor":
                    self.heard.append((tuple(map(int, value["epoch"].split("."))), value["holder"]))


class Page(SpeakersPage):
    """A browser of one person; `profile` is a folder with what an earlier evening has left in it."""

    def __init__(self, case, size, profile=None):
        super().__init__(case, size)
        if profile:
            self.driver.quit()
            holder = chromium(profile=str(profile))
            self.driver = holder.__enter__()
            case.addClassCleanup(holder.__exit__, None, None, None)
            resize(self.driver, size)


class EveningTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Served(ODE, [recording(ODE, "broad")], "--new", "--loop", "0", "--present",
                         f"127.0.0.1:{free_port()}", "--present-code", CODE))
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-evening-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        for name, pages in (("anna", 3), ("bert", 2)):
            (cls.folder / f"{name}.pdf").write_bytes(pdf([(1600, 900)] * pages))
        cls.anna, cls.bert = Page(cls, DESK, cls.folder / "profile"), SpeakersPage(cls, PHONE)
        cls.moderator, cls.operator = (cls.browser() for _ in range(2))
        cls.heard = HoldersHeard(cls.base)

    @classmethod
    def browser(cls):
        holder = started()
        driver = holder.__enter__()
        cls.addClassCleanup(holder.__exit__, None, None, None)
        resize(driver, DESK)
        return driver

    def setUp(self):
        resize(self.driver, (1600, 900))

    def floor(self):
        return web.ask(self.base, "GET", "/api/floor").value

    def number(self, name):
        return next(each["id"] for each in self.floor()["presenters"] if each["name"] == name)

    def speaking(self):
        floor = self.floor()
        return next((each["name"] for each in floor["presenters"] if each["id"] == floor["holder"]), None)

    def words(self, driver, css):
        return driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", css)

    def moderate(self, label):
        """Clicks a button of the console's panel, by its name or its words."""
        find = """return [...document.querySelectorAll("button")].find((one) => one.checkVisibility() && !one.disabled
            && (one.ariaLabel === arguments[0] || one.innerText.trim() === arguments[0]))"""
        self.until(lambda: self.moderator.execute_script(find, label), f"the moderator has “{label}”", 8)
        self.moderator.execute_script(find.replace("return ", "(") + ").click()", label)

    def picture(self, driver, name):
        if present_test.PICTURES:
            driver.save_screenshot(f"{present_test.PICTURES}/{name}.png")

    def by_hand(self, title):
        """The title operator shows a title by its number."""
        body = self.operator.find_element(By.TAG_NAME, "body")
        body.send_keys(str(title)[0])
        self.operator.find_element(By.ID, "wanted").send_keys(Keys.BACKSPACE, str(title), Keys.ENTER)
        self.until(lambda: self.words(self.operator, "#number").startswith(f"{title} of"), f"title {title}", 6)

    def test_1_everybody_comes_in_the_wrong_order_and_all_is_right(self):
        anna, bert = self.anna, self.bert
        # The screen is open before there is anything to show, the console before there is anybody.
        self.driver.get(f"{self.base}/screen/hall?language=en")
        self.moderator.get(f"{self.base}/console")
        self.until(lambda: self.words(self.moderator, "#link-state") == "Connected", "the console is there", 10)
        self.moderator.find_element(By.TAG_NAME, "body").send_keys("s")
        self.until(lambda: CODE in self.words(self.moderator, "body"), "the moderator sees the code", 6)
        self.operator.get(f"{self.base}/titles")
        # The operator takes the titles into the hand before the first one has come.
        self.until(lambda: self.words(self.operator, "#sentence") not in ("", "Loading …"), "the titles are there", 8)
        self.by_hand(3)
        self.until(lambda: self.script(SHOWN) == "One is whistling, another hears it,", "the title is on the screen")
        # Bert asks before he has slides, and gets the floor: nothing hides the title.
        bert.join("Bert")
        bert.joined()
        bert.click("#ask")
        self.moderate("Give the floor: Bert")
        bert.until(bert.holds, "Bert has the floor without slides")
        self.assertFalse(self.script(HAS_SLIDE))
        # Anna was here yesterday; another server has that session, this one asks her for the code.
        anna.driver.get(f"{anna.base}/present")
        anna.script("""localStorage.setItem("baton.present", JSON.stringify(
            { name: "Anna", code: "k7-winter", token: "yesterday" }))""")
        anna.driver.get("about:blank")
        anna.driver.get(f"{anna.base}/present#code={CODE}")
        anna.until(lambda: anna.script("return document.getElementById('join')?.hidden === false"), "the form", 12)
        if not anna.script("return document.getElementById('name').value"):
            anna.driver.find_element(By.ID, "name").send_keys("Anna")
        anna.driver.find_element(By.CSS_SELECTOR, "#join button.primary").click()
        anna.joined()
        # Bert's slides come while he has the floor already, Anna's while he speaks.
        bert.send(self.folder / "bert.pdf", 2)
        self.until(lambda: self.script(HAS_SLIDE), "his first slide is on the screen", 8)
        anna.send(self.folder / "anna.pdf", 3)
        self.assertEqual(self.script(SHOWN), "One is whistling, another hears it,", "the title stays over the slides")
        self.picture(self.driver, "evening-screen")
        self.picture(self.moderator, "evening-moderator")
        self.picture(self.operator, "evening-operator")
        bert.picture("evening-bert")
        anna.picture("evening-anna")

    def test_2_a_network_lost_in_the_middle_of_a_hand_over_leaves_one_holder_everywhere(self):
        anna, bert = self.anna, self.bert
        for turn in range(3):
            self.until(lambda: self.speaking() in ("Anna", "Bert"), "somebody speaks")
            giver, taker = (anna, bert) if self.speaking() == "Anna" else (bert, anna)
            name = "Bert" if taker is bert else "Anna"
            giver.until(giver.holds, "who has the floor knows it", 10)
            hand_on = f"#people button[aria-label='Hand on: {name}']"
            giver.until(lambda each=giver, css=hand_on: each.script(
                "return document.querySelector(arguments[0])?.disabled === false", css), "a hand-over is possible", 10)
            # At once: the hand-over, a lost network, the next title, and a slide of whoever speaks now.
            giver.click(hand_on)
            (giver if turn % 2 == 0 else taker).wire.cut()
            self.by_hand(4 + turn)
            lost = giver if turn % 2 == 0 else taker
            lost.until(lambda each=lost: not each.holds(), "a page without a connection does not claim the floor", 10)
            lost.wire.mend()
            lost.until(lambda each=lost: "onnection lost" not in each.words("#sentence"), "it is back", 10)
            self.until(lambda: [anna.holds(), bert.holds()].count(True) == 1, "one of them has the floor", 8)
            self.assertEqual((anna if self.speaking() == "Anna" else bert).holds(), True)
            page = self.floor()["screen"]
            self.until(lambda image=page["image"]: self.script(
                "return document.querySelector('img.slide')?.getAttribute('src')") == image, "its slide is shown", 6)
        # A hand-over whose speaker's network was lost may not have left; these two have.
        for _ in range(2):
            self.until(lambda: self.speaking() in ("Anna", "Bert"), "somebody speaks")
            giver, taker, name = (anna, bert, "Bert") if self.speaking() == "Anna" else (bert, anna, "Anna")
            hand_on = f"#people button[aria-label='Hand on: {name}']"
            giver.until(lambda each=giver, css=hand_on: each.script(
                "return document.querySelector(arguments[0])?.disabled === false", css), "a hand-over is possible", 10)
            giver.click(hand_on)
            taker.until(taker.holds, "the floor has passed", 10)
        # Whatever a client heard: each epoch has one holder, and epochs only rise.
        epochs = [epoch for epoch, _ in self.heard.heard]
        self.assertEqual(epochs, sorted(epochs))
        holders = {}
        for epoch, holder in self.heard.heard:
            self.assertEqual(holders.setdefault(epoch, holder), holder, f"one holder in {epoch}")
        self.assertGreater(len(holders), 2)
        # And in the log the floor passes from the one who has it, each time.
        changes = self.logged_changes()
        self.assertGreater(len(changes), 2)
        for (before, _, holder), (after, giver, _) in zip(changes, changes[1:], strict=False):
            self.assertGreater(after, before)
            self.assertEqual(giver, holder, f"who has the floor gives it, in {after}")

    def logged_changes(self):
        """The changes of the floor's holder in the show's log: (epoch, from, to)."""
        changes = []
        show = max((pathlib.Path(self.server.data) / "shows").iterdir())
        for log in sorted(show.glob("log-*.jsonl")):
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
                for effect in json.loads(line).get("x", []) if line.endswith("}") else []:
                    if change := effect.get("floor", {}).get("holderChanged"):
                        epoch = tuple(map(int, change["epoch"].split(".")))
                        changes.append((epoch, change.get("from"), change.get("to")))
        return changes

    def test_3_a_browser_that_was_closed_comes_back_as_the_same_speaker(self):
        anna = self.anna
        number = self.number("Anna")
        holder = self.speaking()
        anna.driver.quit()
        again = chromium(profile=str(self.folder / "profile"))
        anna.driver = again.__enter__()
        self.addClassCleanup(again.__exit__, None, None, None)
        resize(anna.driver, DESK)
        anna.driver.get(f"{anna.base}/present")
        anna.joined()
        self.assertEqual((self.number("Anna"), self.speaking()), (number, holder))
        self.until(lambda: next(each for each in self.floor()["presenters"] if each["id"] == number)["pages"] == 3,
                   "her slides are there")

    def test_4_the_moderator_stops_everything_and_titles_go_on(self):
        self.by_hand(12)
        self.moderate("Stop everything")
        self.until(lambda: not self.script(HAS_SLIDE), "the slide is gone", 4)
        self.until(lambda: "Tomorrow we shall be many" in self.script(SHOWN), "the title is there", 4)
        for page in (self.anna, self.bert):
            page.until(lambda each=page: not each.holds(), "nobody has the floor")
        self.until(lambda: "titles go on" in self.words(self.moderator, "#panel-body"), "the moderator is told so")
        lamp = """return [...document.querySelectorAll("#panel-body button")].find((one) =>
            one.innerText.trim() === "Black").ariaPressed"""
        self.assertEqual(self.moderator.execute_script(lamp), "false", "the screen is not black")
        self.moderate("Black")
        self.until(lambda: "The screen is black." in self.words(self.moderator, "#panel-body"), "now it is")
        self.assertEqual(self.moderator.execute_script(lamp), "true")
        self.moderate("Black")
        self.until(lambda: self.moderator.execute_script(lamp) == "false", "no longer")
        # The title operator's black is not undone by a speaker who gets the floor.
        self.operator.find_element(By.TAG_NAME, "body").send_keys("b")
        cover = "const one = document.getElementById('cover'); return one.hidden ? 'none' : one.className"
        self.until(lambda: self.script(cover) == "black", "black", 2)
        self.moderate("Give the floor: Bert")
        self.bert.until(self.bert.holds, "Bert has the floor")
        self.bert.click("#next")
        self.stays(lambda: self.script(cover) == "black", "it stays black", 0.5)
        self.operator.find_element(By.TAG_NAME, "body").send_keys("b")
        self.until(lambda: self.script(cover) == "none" and self.script(HAS_SLIDE), "both are there again", 4)
        self.operator.find_element(By.TAG_NAME, "body").send_keys("a")
        self.until(lambda: "follow the music" in self.words(self.operator, "#sentence"), "the music leads again", 6)
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    present_test.PICTURES = pictures_folder()
    unittest.main()
