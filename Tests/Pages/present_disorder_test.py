#!/usr/bin/python3
"""Speakers who do what nobody has planned: two tabs, a used browser, a file too late, everything twice.

    BATON=path/to/baton Tests/Pages/present_disorder_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import pathlib
import shutil
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import present_test
from browser import resize
from lib import web
from lib.processes import free_port
from lib.repository import BACH, recording
from lib.waiting import hold_for
from page_case import PageCase, pictures_folder
from present_test import CODE, DESK, PHONE, SpeakersPage
from served import Served
from slides_test import pdf

SHOWN = "return document.querySelector('img.slide')?.getAttribute('src') ?? null"


def server():
    return Served(BACH, [recording(BACH, "even")], "--loop", "0", "--present", f"127.0.0.1:{free_port()}",
                  "--present-code", CODE)


# The names in the list of speakers.
NAMES = "return [...document.querySelectorAll('#people .who')].map((one) => one.textContent)"
# What is seen in the middle of a speaker's picture of the screen: its part, its ground and its words.
COVER = """
    const picture = document.getElementById("now");
    picture.scrollIntoView({ block: "center" });
    const box = picture.getBoundingClientRect();
    const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [seen.id, getComputedStyle(seen).backgroundColor, seen.textContent];"""
# The contrast of the letters on the button Black.
READABLE = """
    const style = getComputedStyle(document.getElementById("black"));
    const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const [low, high] = [light(style.color), light(style.backgroundColor)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);"""


class DisorderCase(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(server())
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-disorder-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.anna, cls.bert = SpeakersPage(cls, DESK), SpeakersPage(cls, PHONE)

    def setUp(self):
        resize(self.driver, (1600, 900))
        self.forget()

    def floor(self, base=None):
        return web.ask(base or self.base, "GET", "/api/floor").value

    def order(self, action, base=None, **more):
        answer = web.ask(base or self.base, "POST", "/api/floor", {"action": action, **more})
        self.assertEqual(answer.status, 200, answer.text)

    def names(self, base=None):
        return [each["name"] for each in self.floor(base)["presenters"] if each["connected"]]

    def number(self, name, base=None):
        return next(each["id"] for each in self.floor(base)["presenters"] if each["name"] == name)

    def file(self, name, pages, size=(1600, 900)):
        path = self.folder / name
        path.write_bytes(pdf([size] * pages))
        return path

    def speaks(self, page, name):
        """Joins, and has the floor."""
        page.join(name)
        page.joined()
        self.order("grant", presenter=self.number(name))
        page.until(page.holds, f"{name} has the floor")

    def leaves(self, *pages):
        for page in pages:
            page.click("#leave")
            page.until(lambda each=page: each.script("return document.getElementById('join').hidden === false"),
                       "the form is there again")
        self.forget()

    def forget(self):
        """Removes those whose numbers are kept for a minute, as of a session that was begun at another server."""
        for presenter in self.floor()["presenters"]:
            self.order("remove", presenter=presenter["id"])


class TabsTest(DisorderCase):
    """One person with the page open twice."""

    def other_tab(self, page):
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        second = page.driver.current_window_handle
        page.driver.get(f"{page.base}/present#code={CODE}")
        return first, second

    def test_who_joins_in_two_tabs_is_one_speaker(self):
        anna = self.anna
        anna.driver.get("about:blank")
        anna.driver.get(f"{anna.base}/present")
        anna.script("localStorage.clear()")
        first, second = self.other_tab(anna)
        # Both tabs have the form, and the name is written into both.
        for tab in (second, first):
            anna.driver.switch_to.window(tab)
            anna.until(lambda: anna.script("return document.getElementById('join').hidden === false"), "the form")
            anna.script("document.getElementById('code').value = arguments[0]", CODE)
            anna.driver.find_element(By.ID, "name").clear()
            anna.driver.find_element(By.ID, "name").send_keys("Anna")
            anna.driver.find_element(By.CSS_SELECTOR, "#join button.primary").click()
            anna.joined()
        self.assertEqual(self.names(), ["Anna"])
        self.order("grant", presenter=self.number("Anna"))
        for tab in (first, second):
            anna.driver.switch_to.window(tab)
            anna.until(anna.holds, "both tabs have the floor")
        # One tab is closed: the other speaks on.
        anna.driver.close()
        anna.driver.switch_to.window(first)
        self.stays(lambda: self.names() == ["Anna"] and anna.holds(), "she is there", 0.6)
        self.leaves(anna)

    def test_two_tabs_that_outlive_the_server_are_one_speaker_at_the_next_one(self):
        anna = self.anna
        anna.join("Anna")
        anna.joined()
        first, second = self.other_tab(anna)
        anna.joined()
        with server() as other:
            try:
                # The same address, but a server that knows nothing of this evening.
                anna.wire.lead_to(other.port)
                self.until(lambda: self.names(other.base) == ["Anna"], "she is there without a hand", 12)
                self.stays(lambda: len(self.floor(other.base)["presenters"]) == 1, "once", 3)
                for tab in (first, second):
                    anna.driver.switch_to.window(tab)
                    anna.until(lambda: "Nobody has the floor" in anna.words("#sentence"), "both tabs are back", 10)
                self.order("grant", base=other.base, presenter=self.number("Anna", other.base))
                for tab in (first, second):
                    anna.driver.switch_to.window(tab)
                    anna.until(anna.holds, "in both tabs")
                self.assertEqual(len(self.floor(other.base)["presenters"]), 1)
            finally:
                anna.wire.lead_to(self.server.port)
                other.remove()
        anna.driver.close()
        anna.driver.switch_to.window(first)
        anna.until(lambda: "floor" in anna.words("#sentence") and self.names() == ["Anna"], "she is back here", 15)
        self.leaves(anna)


class UsedBrowserTest(DisorderCase):
    def test_the_time_of_a_turn_is_not_that_of_an_earlier_show(self):
        anna = self.anna
        self.speaks(anna, "Anna")
        epoch = self.floor()["epoch"]
        # That was ten hours ago.
        anna.script("""for (const [key, value] of Object.entries(localStorage)) {
            if (!value.includes('"since":')) continue;
            const kept = JSON.parse(value);
            localStorage.setItem(key, JSON.stringify({ ...kept, since: kept.since - 36_000_000 }));
        }""")
        anna.driver.refresh()
        anna.until(lambda: anna.words("#elapsed").startswith("600:"), "a page loaded anew knows its turn")
        with server() as other:
            try:
                anna.wire.lead_to(other.port)
                self.until(lambda: self.names(other.base) == ["Anna"], "she is there without a hand", 12)
                self.order("grant", base=other.base, presenter=self.number("Anna", other.base))
                anna.until(anna.holds, "Anna has the floor")
                self.assertEqual(self.floor(other.base)["epoch"], epoch, "another show counts from the beginning")
                anna.until(lambda: anna.words("#elapsed").startswith("0:0"), "her turn has just begun")
            finally:
                anna.wire.lead_to(self.server.port)
                other.remove()
        anna.until(lambda: self.names() == ["Anna"], "she is back here", 15)
        anna.joined()
        self.leaves(anna)


class ModeratorTest(DisorderCase):
    """What the moderator's panel offers."""

    def setUp(self):
        super().setUp()
        self.driver.get(f"{self.base}/console")

    def open_panel(self):
        self.until(lambda: self.script("return document.querySelector('[data-panel=speakers]').hidden === false"),
                   "there are speakers", 8)
        if self.script("return document.querySelector('#panel').hidden"):
            self.press("s")

    def offers(self, words):
        return self.script("""
            return [...document.querySelectorAll("#panel button")].filter((one) => one.getClientRects().length)
              .map((one) => one.ariaLabel ?? one.textContent).filter((one) => one.startsWith(arguments[0]))""", words)

    def test_two_speakers_of_one_name_are_told_apart_everywhere(self):
        first, second = self.anna, self.bert
        for page in (first, second):
            page.join("Anna")
            page.joined()
        for page, own in ((first, "Anna"), (second, "Anna (2)")):
            page.until(lambda on=page: on.script(NAMES) == ["Anna", "Anna (2)"], "both are listed")
            page.until(lambda on=page, name=own: on.words("#me") == name, "the own name too")
        self.open_panel()
        wanted = ["Give the floor: Anna", "Give the floor: Anna (2)"]
        self.until(lambda: self.offers("Give the floor") == wanted, "the moderator's list")
        self.script("document.querySelector('#panel button[aria-label=\"Give the floor: Anna (2)\"]').click()")
        second.until(second.holds, "the second Anna has the floor")
        first.until(lambda: first.words("#sentence").startswith("Anna (2) has the floor"), "the first is told")
        first.click("#leave")
        second.until(lambda: second.script(NAMES) == ["Anna (2)"], "the first is gone")
        self.assertEqual(second.words("#me"), "Anna (2)", "the number stays with its speaker")
        self.until(lambda: self.script("return document.querySelector('#panel .piece-title').textContent")
                   .startswith("Anna (2) has the floor"), "for the moderator too")
        self.leaves(second)

    def test_the_floor_is_taken_away_only_from_somebody(self):
        self.anna.join("Anna")
        self.anna.joined()
        self.open_panel()
        self.until(lambda: self.offers("Give the floor") == ["Give the floor: Anna"], "nobody has the floor")
        self.assertEqual(self.offers("Take the floor away"), [])
        self.order("grant", presenter=self.number("Anna"))
        self.until(lambda: self.offers("Take the floor away"), "Anna has it")
        self.leaves(self.anna)


class OrderTest(DisorderCase):
    def test_slides_that_are_replaced_while_they_are_shown(self):
        anna = self.anna
        self.driver.get(f"{self.base}/screen/hall")
        self.speaks(anna, "Anna")
        anna.send(self.file("talk.pdf", 3), 3)
        anna.click("#next")
        self.until(lambda: (self.script(SHOWN) or "").endswith("/2"), "slide 2 is on the screen")
        before = self.script(SHOWN)
        anna.send(self.file("better.pdf", 5), 5)
        self.until(lambda: self.script(SHOWN) not in (None, before), "the new ones are on the screen", 8)
        self.assertTrue(self.script(SHOWN).endswith("/1"))
        anna.until(lambda: anna.words("#shown-title") == "On the screen · slide 1 of 5", "her page says so")
        # Black stays black until she shows a page.
        anna.click("#black")
        self.until(lambda: self.script(SHOWN) is None, "the screen is empty")
        anna.send(self.file("best.pdf", 4), 4)
        self.stays(lambda: self.script(SHOWN) is None, "other slides do not end it", 0.6)
        anna.click("#next")
        self.until(lambda: (self.script(SHOWN) or "").endswith("/2"), "a page does")
        self.leaves(anna)

    def test_a_page_without_a_connection_claims_the_floor_nowhere(self):
        anna = self.anna
        self.speaks(anna, "Anna")
        anna.until(lambda: "has the floor" in anna.words("#people"), "it is said beside her name")
        anna.wire.cut()
        anna.until(lambda: "onnection lost" in anna.words("#sentence"), "the page knows it", 10)
        self.assertNotIn("has the floor", anna.words("body"))
        anna.wire.mend()
        anna.until(anna.holds, "she has it still", 10)
        anna.until(lambda: "has the floor" in anna.words("#people"), "and it is said again")
        self.leaves(anna)

    def test_the_moderators_black_is_said_and_no_button_pretends_to_end_it(self):
        anna = self.anna
        self.speaks(anna, "Anna")
        anna.send(self.file("black.pdf", 2), 2)
        self.order("blank", colour="black")
        anna.until(lambda: anna.words("#shown-title").endswith("black, by the moderator"), "she is told")
        self.assertTrue(anna.script("return document.getElementById('black').disabled"))
        self.order("blank", colour="none")
        anna.until(lambda: not anna.script("return document.getElementById('black').disabled"), "it is hers again")
        self.leaves(anna)

    def test_a_pressed_button_that_cannot_be_pressed_is_readable_on_a_phone(self):
        bert = self.bert
        self.speaks(bert, "Bert")
        self.order("blank", colour="black")
        bert.until(lambda: bert.script("return document.getElementById('black').disabled"), "it is the moderator's")
        self.assertGreaterEqual(bert.script(READABLE), 4.5)
        self.order("blank", colour="none")
        self.leaves(bert)

    def test_black_covers_the_speakers_own_picture(self):
        anna = self.anna
        self.speaks(anna, "Anna")
        anna.send(self.file("covered.pdf", 2), 2)
        anna.until(lambda: anna.script(COVER)[0] == "now-picture", "her slide is seen")
        for colour, ground in (("black", "rgb(0, 0, 0)"), ("white", "rgb(255, 255, 255)")):
            anna.click(f"#{colour}")
            anna.until(lambda drawn=ground: anna.script(COVER)[:2] == ["now-words", drawn], f"it is {colour}")
            self.assertIn(f"The screen is {colour}.", anna.script(COVER)[2])
            hold_for(0.2)  # A second press so soon would be one that bounces.
            anna.click(f"#{colour}")
            anna.until(lambda: anna.script(COVER)[0] == "now-picture", "her slide is seen again")
        self.leaves(anna)

    def test_a_network_that_is_lost_during_an_upload_does_not_begin_it_again(self):
        anna = self.anna
        anna.join("Anna")
        anna.joined()
        before = len([asked for asked in anna.wire.asked if asked.method == "POST" and "/uploads" in asked.path])
        path = self.folder / "large.pdf"
        path.write_bytes(pdf([(1600, 900)] * 2, padding=60_000_000))
        anna.driver.find_element(By.ID, "file").send_keys(str(path))
        progress = "return document.getElementById('progress').value"
        anna.until(lambda: anna.script(progress) > 0.05, "it is on its way", 20)
        anna.wire.cut()
        self.assertLess(anna.script(progress), 1, "it is lost in the middle")
        anna.until(lambda: "onnection lost" in anna.words("#sentence"), "the page knows it", 10)
        anna.wire.mend()
        anna.until(lambda: "2 slides, ready" in anna.words("#upload-say"), "the slides are ready", 60)
        begun = [asked.path for asked in anna.wire.asked if asked.method == "POST" and "/uploads" in asked.path]
        self.assertEqual(len(begun), before + 1, "it was begun once")
        self.leaves(anna)

    def test_a_file_that_is_no_pdf_is_named_as_the_speaker_knows_it(self):
        anna = self.anna
        anna.join("Anna")
        anna.joined()
        path = self.folder / "talk.pdf"
        path.write_bytes(b"PK\x03\x04 slides of another program")
        anna.driver.find_element(By.ID, "file").send_keys(str(path))
        anna.until(lambda: anna.words("#say") == "talk.pdf: The file is not a PDF; export your slides as PDF.",
                   "the sentence")
        self.leaves(anna)

    def test_a_hand_held_presenter_works_wherever_the_cursor_is(self):
        anna = self.anna
        self.speaks(anna, "Anna")
        anna.send(self.file("keys.pdf", 6), 6)
        for page, (place, key) in enumerate([("notes", Keys.PAGE_DOWN), ("colour", Keys.PAGE_DOWN),
                                             ("file", Keys.ARROW_RIGHT), ("file", Keys.PAGE_DOWN)], 2):
            anna.script("document.getElementById(arguments[0]).focus()", place)
            ActionChains(anna.driver).send_keys(key).perform()
            self.until(lambda wanted=page: self.floor()["screen"]["page"] == wanted, f"slide {page}, from {place}")
        # In the notes, arrows and letters are text.
        anna.script("document.getElementById('notes').focus()")
        ActionChains(anna.driver).send_keys("bw ", Keys.ARROW_RIGHT, Keys.ARROW_LEFT).perform()
        self.stays(lambda: self.floor()["screen"]["page"] == 5 and self.floor()["screen"]["blank"] == "none",
                   "nothing changes", 0.4)
        self.leaves(anna)

    def test_everything_before_its_time_and_twice(self):
        anna, bert = self.anna, self.bert
        anna.join("Anna")
        anna.joined()
        bert.join("Bert")
        bert.joined()
        # If a speaker has neither the floor nor slides, the keys do nothing and show no complaint.
        anna.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.PAGE_DOWN, Keys.ARROW_LEFT, "b", "w", " ")
        self.stays(lambda: anna.words("#say") == "", "no complaint", 0.4)
        self.order("grant", presenter=self.number("Anna"))
        anna.until(anna.holds, "Anna has the floor without slides")
        anna.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.PAGE_DOWN)
        self.stays(lambda: anna.words("#say") == "", "no complaint", 0.4)
        # Asked for twice, handed on twice.
        bert.script("for (let each = 0; each < 2; each += 1) document.getElementById('ask').click()")
        self.until(lambda: self.floor()["requests"] != [], "he asks")
        self.assertEqual(len(self.floor()["requests"]), 1)
        anna.until(lambda: anna.script("return document.querySelector(\"#people button[aria-label='Hand on: Bert']\")"),
                   "the button")
        anna.script("""const button = document.querySelector("#people button[aria-label='Hand on: Bert']");
            button.click(); button.click()""")
        bert.until(bert.holds, "Bert has the floor")
        self.stays(lambda: anna.words("#say") == "" and bert.holds(), "nobody is told of a mistake", 0.6)
        # Back at once, before anything has come to rest.
        bert.press("Hand on: Anna")
        anna.until(anna.holds, "Anna has it again")
        self.stays(lambda: anna.holds() and not bert.holds(), "and keeps it", 0.4)
        self.leaves(anna, bert)

    def test_a_speaker_who_does_not_want_to_be_disturbed_hears_of_requests_later(self):
        anna, bert = self.anna, self.bert
        bert.join("Bert")
        bert.joined()
        anna.join("Anna")
        anna.joined()
        anna.click("#quiet")
        anna.until(lambda: anna.script("return document.getElementById('quiet').ariaPressed") == "true", "it is on")
        self.order("grant", presenter=self.number("Anna"))
        anna.until(anna.holds, "Anna has the floor")
        bert.click("#ask")
        bert.until(lambda: "You are next" in bert.words("#queue"), "Bert's request is known")
        bert.until(lambda: "hears of requests later" in bert.words("#people"), "and why nothing happens")
        self.stays(lambda: "Bert asks" not in anna.words("#state") and "asks" not in anna.words("#people"),
                   "she is not disturbed", 0.5)
        anna.picture("present-quiet")
        self.assertEqual([each["presenter"] for each in self.floor()["requests"]], [self.number("Bert")])
        anna.click("#quiet")
        anna.until(lambda: "Bert asks for the floor" in anna.words("#queue"), "now she is told")
        self.leaves(anna, bert)


if __name__ == "__main__":
    present_test.PICTURES = pictures_folder()
    unittest.main(verbosity=2)
