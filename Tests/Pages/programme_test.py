#!/usr/bin/python3
"""An evening without a terminal, in a real browser, against a real server: first steps, programme on the console.

    BATON=path/to/baton Tests/Pages/programme_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import resize, settle
from lib.repository import ROOT
from lib.servers import Server
from page_case import PageCase

PASSPHRASE = "seven quiet violas at noon"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 800)}
PICTURES = None
BACH, ELISE = "bach-well-tempered-clavier-1-prelude-in-c", "beethoven-woo-59-fur-elise"
MINUET = "petzold-anna-magdalena-notebook-minuet-in-g"
HEARD = ROOT / "Recordings" / BACH / "even" / "audio.ogg"


class HouseCase(PageCase):
    """A server without a programme; its models are a folder of its own, so that pieces can be added to it."""

    signs_in = True
    prepared = (BACH, ELISE)

    @classmethod
    def setUpClass(cls):
        cls.models = tempfile.mkdtemp(prefix="baton-models-")
        for piece in cls.prepared:
            cls.prepare(piece)
        pages = os.environ.get("BATON_PAGES")
        cls.begin(Server(
            None, "--no-listen-osc", "--no-multicast", "--models", cls.models, "--loop", "0", "--arm", "at-once",
            *([] if cls.signs_in else ["--no-sign-in"]), *(["--pages", pages] if pages else []), lives=[HEARD]).start())

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.models, ignore_errors=True)

    @classmethod
    def prepare(cls, piece):
        """The result of a person's work on the page /prepare: the piece has a model from now on."""
        shutil.copytree(ROOT / "Models" / piece, os.path.join(cls.models, piece))

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def button(self, text):
        """The visible button or link with this text."""
        # One script looks at all of them, because the page may draw a list anew meanwhile.
        return self.driver.execute_script("""
            return [...document.querySelectorAll("button, a.button")].find((each) =>
              each.checkVisibility() && each.innerText.trim().split("\\n")[0] === arguments[0])""", text)

    def pictures(self, name):
        """One picture at each width, and nothing beyond the edge at any."""
        for size, (width, height) in SIZES.items():
            resize(self.driver, (width, height))
            settle(self.driver)
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, size)
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])

    def no_control_is_small_or_nameless(self):
        wrong = self.script("""
            const reach = (one) => (one.matches("[type=checkbox], [type=radio]") ? one.closest("label") : one)
                .getBoundingClientRect();
            return [...document.querySelectorAll("main button, main input, main select, main a.button")]
                .filter((one) => one.getClientRects().length
                    && (reach(one).height < 44 || !(one.textContent.trim() || one.ariaLabel || one.labels?.length)))
                .map((one) => one.outerHTML.slice(0, 100))""")
        self.assertEqual(wrong, [])


class FirstStepsTest(HouseCase):
    def test_a_bare_server_is_led_through_account_sound_and_piece(self):
        self.driver.get(self.base + "/console")
        self.until(lambda: self.driver.current_url.endswith("/start"), "the sign-in leads to the first steps", 8)
        self.until(lambda: self.find("#account-form").is_displayed(), "the first administrator can be made")
        self.pictures("start-empty")
        self.find("#name").send_keys("anna")
        self.find("#code").send_keys(re.search(r"asks for the code (\d{4} \d{4})", self.server.said)[1])
        self.find("#password").send_keys("short")
        self.find("#make").click()
        self.until(lambda: "at least 8" in self.words("#account-say"), "a short passphrase is refused with a sentence")
        self.find("#password").clear()
        self.find("#password").send_keys(PASSPHRASE, Keys.ENTER)
        self.until(lambda: self.find("#account-done").is_displayed(), "signed in", 15)
        self.assertIn("anna", self.words("#account-say"))
        self.until(lambda: self.find("#sound-done").is_displayed(), "the level moves", 15)
        self.assertIn("The sound comes from a file", self.words("#sound-say"))
        self.until(lambda: "Prelude" in self.words("#pieces"), "the prepared pieces are listed")
        self.no_control_is_small_or_nameless()
        self.pictures("start-signed-in")
        self.find("#try").click()
        self.until(lambda: self.find("#piece-done").is_displayed(), "the programme is set", 30)
        self.assertIn("All is ready", self.words("#ready"))
        told = self.later(r"""
            const reader = (await fetch("/api/events")).body.getReader();
            let text = "";
            while (!text.includes("\n\n")) text += new TextDecoder().decode((await reader.read()).value);
            reader.cancel();
            return JSON.parse(text.match(/^data: (.*)$/m)[1]);""")
        self.assertTrue(told["show"]["rehearsal"], "nothing of the first try reaches the audience")
        self.assertEqual(len(told["programme"]["pieces"]), len(self.prepared), "in any order")
        self.pictures("start-ready")
        self.find("#to-console").click()
        self.until(lambda: "Prelude" in self.words("#piece-name"), "the console shows the piece", 10)
        # Whoever comes later cannot make another first administrator.
        answer = self.server.ask("POST", "/api/first-account", {"name": "eve", "password": PASSPHRASE})
        self.assertEqual((answer.status, answer.value["code"]), (409, "there-is-one"))
        self.assertEqual(self.complaints(), [])

    def test_without_the_code_nobody_makes_an_administrator(self):
        if self.server.ask("GET", "/api/first-account").value["isNeeded"]:
            for code in ("", "0000 0000"):
                wish = {"name": "eve", "password": PASSPHRASE, "code": code}
                answer = self.server.ask("POST", "/api/first-account", wish)
                self.assertEqual((answer.status, answer.value["code"]), (403, "wrong-code"))


class EmptyProgrammeTest(HouseCase):
    signs_in = False

    def test_a_console_without_a_piece_says_how_to_add_one_and_speaks_of_no_piece(self):
        self.driver.get(self.base + "/console")
        self.until(lambda: "The programme is empty" in self.words("#cue-list"), "the list of cues", 8)
        self.assertIn("“Change the programme” to add a piece", self.words("#cue-list"))
        self.assertNotIn("of the reference", self.words("main"))
        self.assertNotIn("This piece", self.words("main"))
        self.pictures("console-empty")
        self.assertEqual(self.complaints(), [])


class TitlesOfTheHouseTest(HouseCase):
    signs_in = False
    prepared = (BACH, ELISE, MINUET)

    def put_on(self, *pieces):
        now = self.server.ask("GET", "/api/programme").value
        answer = self.server.ask("PUT", "/api/programme", {"pieces": list(pieces), "intermissions": [],
                                                           "revision": now["revision"]})
        self.assertEqual(answer.status, 200, answer.text)

    def test_a_piece_brings_the_titles_that_were_loaded_before_it_was_put_on(self):
        sheet = pathlib.Path(self.models, "elise.csv")
        sheet.write_text("bar,text\n2,First words\n4,Further words\n", encoding="utf-8")
        self.driver.get(self.base + "/titles")
        self.find("#files summary").click()
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, f"#of option[value='{ELISE}']"), "it is listed")
        self.assertIn("not in tonight’s programme", self.find(f"#of option[value='{ELISE}']").text)
        self.find(f"#of option[value='{ELISE}']").click()
        self.find("#file").send_keys(str(sheet))
        self.until(lambda: "Further words" in self.words("#list"), "its titles are there")
        self.pictures("titles-of-the-house")
        self.no_control_is_small_or_nameless()
        self.put_on(ELISE)
        self.until(lambda: "First words" in self.words("#coming"), "it brings them", 20)
        self.put_on()
        self.assertEqual(self.complaints(), [])


    def test_without_a_piece_the_page_says_so_and_a_file_waits_for_the_list_that_is_on_its_way(self):
        sheet = pathlib.Path(self.models, "early.csv")
        sheet.write_text("bar,text\n2,First words\n", encoding="utf-8")
        self.driver.get(self.base + "/titles")
        self.until(lambda: self.words("#sentence") == "The programme has no piece yet.", "it says so", 8)
        self.assertEqual(self.words("#say"), "")
        self.find("#files summary").click()
        self.find("#file").send_keys(str(sheet))
        self.until(lambda: "No piece is on the screens yet" in self.words("#say"), "the file has no piece")
        # The list of the piece is held back on its way.
        self.script("""const real = window.fetch;
            window.fetch = (address, how) => (String(address).includes("/api/titles/@") && how?.method !== "PUT"
              ? new Promise((resolve) => {
                window.letGo = () => { window.fetch = real; resolve(real(address, how)); };
              })
              : real(address, how));""")
        self.put_on(MINUET)
        self.until(lambda: self.script("return window.letGo !== undefined"), "the list is asked for", 20)
        self.find("#file").send_keys(str(sheet))
        self.script("window.letGo()")
        self.until(lambda: "First words" in self.words("#coming"), "the file is taken", 20)
        self.assertEqual(self.words("#say"), "")
        self.put_on(ELISE)
        self.until(lambda: "Elise" in self.words("#piece"), "another piece in its place is noticed", 20)
        self.put_on()
        self.until(lambda: self.words("#sentence") == "The programme has no piece yet.", "and none", 20)
        self.until(lambda: self.words("#piece") == "Titles", "of which nothing is said")
        pathlib.Path(self.server.data, "titles", f"{MINUET}.csv").unlink(missing_ok=True)
        self.assertEqual(self.complaints(), [])

    def test_a_list_that_cannot_be_used_is_named_to_the_title_operator_and_the_console(self):
        kept = pathlib.Path(self.server.data, "titles", f"{MINUET}.csv")
        kept.parent.mkdir(exist_ok=True)
        kept.write_text("bar,text\n2,\"a quote without an end\n", encoding="utf-8")
        self.driver.get(self.base + "/titles")
        self.until(lambda: "No piece" in self.words("#sentence") or self.words("#sentence"), "the page is there")
        self.put_on(MINUET)
        self.until(lambda: "Minuet" in self.words("#unusable") and "quot" in self.words("#unusable"),
                   "the title operator is told which list, and why", 20)
        self.assertIn("Load a corrected list", self.words("#unusable"))
        self.pictures("titles-unusable")
        faults = [each for each in self.server.snapshot()["faults"] if not each["over"]]
        self.assertEqual([each["id"] for each in faults if each["id"].startswith("title")], [f"title-list-{MINUET}"])
        sheet = pathlib.Path(self.models, "corrected.csv")
        sheet.write_text("bar,text\n2,First words\n", encoding="utf-8")
        self.find("#files summary").click()
        self.until(lambda: MINUET in self.script("return document.getElementById('downloads').innerHTML"),
                   "the piece's list is read", 8)
        self.find("#file").send_keys(str(sheet))
        self.until(lambda: "First words" in self.words("#coming"), "the corrected list is used", 10)
        self.until(lambda: self.words("#unusable") == "", "the sentence is over", 10)
        self.put_on()
        # A list that is no list at all is named before its piece is put on.
        kept.write_text("\x00\x01", encoding="utf-8")
        self.driver.get(self.base + "/titles")
        self.find("#files summary").click()
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, f"#of option[value='{MINUET}']"), "it is listed")
        self.assertIn("its list cannot be used", self.find(f"#of option[value='{MINUET}']").text)
        kept.unlink()
        self.assertEqual(self.complaints(), [])


class EveningTest(HouseCase):
    signs_in = False

    def programme(self):
        return [each["folder"] for each in self.server.ask("GET", "/api/programme").value["pieces"]]

    def served(self):
        """The pieces of the concert that listeners find."""
        return self.server.ask("GET", "/api/audience/concert").value["pieces"]

    def open_editor(self):
        self.driver.get(self.base + "/console")
        self.until(lambda: self.words("#link-state") == "Connected", "the console connects", 10)
        if self.find("#panel").is_displayed():
            self.press(Keys.ESCAPE)
        self.press("p")
        self.until(lambda: self.find("#panel").is_displayed(), "the panel opens")
        self.button("Change the programme").click()
        self.until(lambda: self.find(".programme-editor").is_displayed()
                   and self.find(".programme-editor .primary").is_enabled(), "the editor is there", 15)

    def add(self, folder):
        self.find(f'.programme-editor option[value="{folder}"]').click()
        self.button("Add").click()

    def save(self):
        self.button("Save the programme").click()

    def test_an_evening_is_put_together_while_it_runs(self):
        self.assertEqual(self.programme(), [])
        self.driver.get(self.base + "/console")
        self.until(lambda: self.words("#piece-name") == "No piece yet: put one on the programme (P).",
                   "it says what to do", 10)
        self.open_editor()
        self.assertIn("empty", self.words(".programme-editor"))
        # A piece that is chosen but not added would be lost.
        self.save()
        self.assertIn("Choose a piece and press “Add”", self.words(".programme-editor .say"))
        self.add(BACH)
        self.assertEqual(self.words(".programme-editor .say"), "")
        self.add(ELISE)
        self.find(".order-row .order-rest").click()
        self.no_control_is_small_or_nameless()
        self.pictures("programme-editor")
        self.save()
        self.until(lambda: self.programme() == [BACH, ELISE], "the programme has both", 30)
        self.until(lambda: "Intermission" in self.words(".piece-rest"), "the intermission is shown")
        self.until(lambda: self.server.snapshot()["position"]["mode"] == "following", "the music is followed", 30)
        self.pictures("programme")

        # A piece that is prepared while another is played, before it in the order: the music goes on.
        self.prepare(MINUET)
        self.open_editor()
        self.add(MINUET)
        rows = self.driver.find_elements(By.CSS_SELECTOR, ".order-row")
        self.assertEqual(len(rows), 3)
        for row in (3, 2):
            self.find(f".order-row:nth-child({row}) [aria-label^='Earlier']").click()
        before = self.server.snapshot()["position"]
        self.save()
        self.until(lambda: self.programme() == [MINUET, BACH, ELISE], "the new piece is first", 30)
        after = self.server.snapshot()["position"]
        self.assertEqual((after["piece"], after["mode"]), (1, "following"))
        self.assertIn(after["played"] - before["played"], range(4))
        # Listeners find it, in its place, with the texts of its recordings.
        self.until(lambda: "Minuet" in self.served()[0]["name"], "listeners find the new piece", 10)
        self.assertTrue(self.served()[0]["tracks"])

        # The piece being played is not taken out.
        self.open_editor()
        self.find(".order-row:nth-child(2) [aria-label^='Take out']").click()
        self.save()
        self.until(lambda: "being played" in self.words(".programme-editor .say"), "the refusal is a sentence", 15)
        self.pictures("programme-refused")

        # It stands after kill -9, and the show goes on with it.
        self.server.kill()
        self.server.start()
        self.assertEqual(self.programme(), [MINUET, BACH, ELISE])
        self.until(lambda: self.server.snapshot()["position"]["mode"] == "following", "the music is followed again", 40)
        self.assertEqual(self.complaints(), [])

    def test_two_consoles_at_once_lose_nothing(self):
        known = self.server.ask("GET", "/api/programme").value
        self.open_editor()
        one_more = {"pieces": [each["folder"] for each in known["pieces"]] + [ELISE], "intermissions": [],
                    "revision": known["revision"]}
        self.assertEqual(self.server.ask("PUT", "/api/programme", one_more, timeout=60).status, 200)
        self.add(BACH)
        self.save()
        self.until(lambda: re.search("changed the programme meanwhile", self.words(".programme-editor .say")),
                   "the second console is told", 15)
        self.button("Look at it as it is now").click()
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".order-row")) == len(one_more["pieces"]),
                   "it sees the other's change", 10)


def main():
    global PICTURES
    arguments = sys.argv[1:]
    if arguments[:1] == ["--pictures"]:
        PICTURES = os.path.abspath(arguments[1])
        os.makedirs(PICTURES, exist_ok=True)
        arguments = arguments[2:]
    unittest.main(argv=[sys.argv[0], *arguments], verbosity=2)


if __name__ == "__main__":
    main()
