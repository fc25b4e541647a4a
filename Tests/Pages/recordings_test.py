#!/usr/bin/python3
"""The list of recordings in a real browser against a real server: hear, copy, delete; who may; how it looks.

    BATON=path/to/baton Tests/Pages/recordings_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from selenium.webdriver.common.by import By

from browser import resize, settle, sign_in
from lib import repository
from lib.waiting import wait_for
from page_case import PageCase, pictures_folder
from scripted import Scripted

PASSPHRASE = "seven quiet violas at noon"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1440, 900)}
PICTURES = None
DAY = 86_400_000
EVENING = 1_789_930_800_000  # ms since 1970


def part(number, started, seconds, **more):
    return {"number": number, "startedAt": started, "endedAt": started + int(seconds * 1000), "end": "stopped",
            "lostSampleCount": 0, **more}


class RecordingsCase(PageCase):
    """A server that records, and three earlier evenings whose sound is the beginning of this one."""

    @classmethod
    def setUpClass(cls):
        cls.cookies = {}  # of those who have signed in, because each sign-in costs a slow hash
        cls.begin(Scripted("Recordings/concert.json", "--record", accounts=[
            ("ada", "administrator", PASSPHRASE), ("theo", "technician", PASSPHRASE), ("lena", "editor", PASSPHRASE),
            ("mia", "musician", PASSPHRASE)]))
        cls.folder = pathlib.Path(cls.server.data) / "recordings"
        wait_for(lambda: cls.sound() is not None, 20, "this evening is recorded")
        cls.add("2026-09-18-193000-gala", "Gala of the Friends of the Orchestra: “Été” <b>№ 7</b>",
                [part(1, EVENING - 2 * DAY, 2), part(2, EVENING - 2 * DAY + 77_000, 2, end="interrupted")])
        cls.add("2026-09-20-200000-concert", "Baton plays: a small concert", [
            part(1, EVENING, 2, lostSampleCount=4_410)])

    @classmethod
    def sound(cls):
        """The file that is being recorded, when there are two seconds of it."""
        files = sorted(cls.folder.glob("*/part-0001.flac"))
        if not files:
            return None
        packed = int.from_bytes(files[-1].read_bytes()[18:26], "big")
        return files[-1] if packed & (1 << 36) - 1 >= 2 * (packed >> 44) > 0 else None

    @classmethod
    def add(cls, name, title, parts):
        folder = cls.folder / name
        folder.mkdir(exist_ok=True)
        for each in parts:
            shutil.copy(cls.sound(), folder / f"part-{each['number']:04}.flac")
        (folder / "recording.json").write_text(json.dumps({
            "version": 1, "title": title, "pieces": ["Bach: Prelude in C", "Grieg: Peer Gynt"],
            "folders": ["bach", "grieg"], "parts": parts}), encoding="utf-8")

    def open(self, name="ada", path="/recordings"):
        self.driver.delete_all_cookies()
        if name in self.cookies:
            self.driver.get(self.base + "/login")
            for cookie in self.cookies[name]:
                self.driver.add_cookie(cookie)
        else:
            sign_in(self.driver, self.base, name, PASSPHRASE)
            self.cookies[name] = self.driver.get_cookies()
        self.driver.get(self.base + path)

    def cards(self):
        return self.driver.find_elements(By.CSS_SELECTOR, ".recording")

    def card(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f'.recording[data-name="{name}"]')

    def picture(self, name):
        if PICTURES:
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"{name}.png"))


class ListTest(RecordingsCase):
    def test_it_says_that_this_evening_is_recorded(self):
        self.open()
        self.until(lambda: "is being recorded" in self.words("#now-sentence"), "the page says that it records")
        self.assertIn("deleted after 30 days", self.words("#now-facts"))
        self.until(lambda: "still running" in self.words(".recording .facts"), "this evening is on top")

    def test_gaps_and_losses_are_stated(self):
        self.open()
        self.until(lambda: len(self.cards()) >= 3, "all evenings are listed")
        gala = self.card("2026-09-18-193000-gala").text
        self.assertIn("“Été” <b>№ 7</b>", gala)
        self.assertIn("1 min 15 s are missing before this part", gala)
        self.assertIn("at most its last second is missing", gala)
        self.assertIn("are silent, because the disk was too slow", self.card("2026-09-20-200000-concert").text)

    def test_a_recording_is_heard_by_ranges(self):
        self.open()
        self.until(lambda: len(self.cards()) >= 3, "all evenings are listed")
        self.card("2026-09-18-193000-gala").find_element(By.CSS_SELECTOR, ".part button").click()
        self.until(lambda: self.script("return document.querySelector('audio')?.currentTime ?? 0") > 0.1,
                   "it plays", 10)
        self.assertGreater(self.script("return document.querySelector('audio').duration"), 0.9)
        status, length, sent = self.later(
            """const answer = await fetch("/api/recordings/2026-09-18-193000-gala/1", {headers: {Range: "bytes=4-9"}});
            return [answer.status, answer.headers.get("Content-Range"), (await answer.arrayBuffer()).byteLength];""")
        self.assertEqual((status, sent), (206, 6))
        self.assertRegex(length, r"^bytes 4-9/\d+$")
        link = self.card("2026-09-18-193000-gala").find_element(By.CSS_SELECTOR, "a.button")
        self.assertEqual(link.get_attribute("download"), "2026-09-18-193000-gala-part-1.flac")
        self.assertEqual(self.complaints(), [])

    def test_the_player_stays_while_the_running_evening_grows(self):
        self.open()
        self.until(lambda: len(self.cards()) >= 3, "all evenings are listed")
        self.card("2026-09-20-200000-concert").find_element(By.CSS_SELECTOR, ".part button").click()
        self.script("document.querySelector('audio').dataset.mine = 'yes'")
        before = self.words(".recording .facts")
        self.until(lambda: self.words(".recording .facts") != before, "the running evening grows", 15)
        self.assertEqual(self.script("return document.querySelector('audio')?.dataset.mine"), "yes")


class DeletionTest(RecordingsCase):
    def test_it_is_deleted_after_a_question(self):
        self.add("2026-09-01-200000-old", "An old evening", [part(1, EVENING - 20 * DAY, 2)])
        self.open()
        self.until(lambda: "An old evening" in self.words("#recordings"), "it is listed")
        self.card("2026-09-01-200000-old").find_element(By.CSS_SELECTOR, "button.danger").click()
        self.assertIn("It cannot be brought back", self.words("#deleting"))
        self.picture("recordings-deleting")
        self.driver.find_element(By.XPATH, "//button[.='Keep it']").click()
        self.assertIn("An old evening", self.words("#recordings"))
        self.card("2026-09-01-200000-old").find_element(By.CSS_SELECTOR, "button.danger").click()
        self.driver.find_element(By.CSS_SELECTOR, "#deleting button.danger").click()
        self.until(lambda: "An old evening" not in self.words("#recordings"), "it is gone")
        self.assertFalse((self.folder / "2026-09-01-200000-old").exists())

    def test_what_another_has_deleted_leaves_the_list_with_a_sentence(self):
        self.add("2026-09-02-200000-other", "Another evening", [part(1, EVENING - 19 * DAY, 2)])
        self.open()
        self.until(lambda: "Another evening" in self.words("#recordings"), "it is listed")
        self.card("2026-09-02-200000-other").find_element(By.CSS_SELECTOR, "button.danger").click()
        shutil.rmtree(self.folder / "2026-09-02-200000-other")
        self.driver.find_element(By.CSS_SELECTOR, "#deleting button.danger").click()
        self.until(lambda: "Another evening" not in self.words("#recordings"), "it is gone")

    def test_the_running_evening_has_no_button_to_delete_it(self):
        self.open()
        self.until(lambda: "still running" in self.words(".recording .facts"), "this evening is on top")
        self.assertEqual(self.cards()[0].find_elements(By.CSS_SELECTOR, "button.danger"), [])


class RightsTest(RecordingsCase):
    def test_a_technician_hears_and_does_not_delete(self):
        self.open("theo")
        self.until(lambda: len(self.cards()) >= 3, "all evenings are listed")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".recording button.danger"), [])
        status = self.later("""return (await fetch("/api/recordings/2026-09-18-193000-gala",
            {method: "DELETE", headers: {"X-Baton": "1"}})).status;""")
        self.assertEqual(status, 403)
        self.assertTrue((self.folder / "2026-09-18-193000-gala").exists())

    def test_others_do_not_hear(self):
        for name in ("lena", "mia"):
            self.open(name)
            self.assertIn("may not open", self.driver.page_source)
            status = self.later("""return (await fetch("/api/recordings/2026-09-18-193000-gala/1")).status;""")
            self.assertEqual(status, 403)


class ReferenceTest(RecordingsCase):
    """An evening on which the minuet was played, and Bach's prelude only in part, becomes a reference."""

    EVENING = "2026-09-21-200000-dress"
    MINUET = "petzold-anna-magdalena-notebook-minuet-in-g"

    @classmethod
    def setUpClass(cls):
        cls.models = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.models.cleanup)
        for piece in (cls.MINUET, repository.BACH):
            shutil.copytree(repository.ROOT / "Models" / piece, pathlib.Path(cls.models.name) / piece)
        cls.cookies = {}
        cls.begin(Scripted("Recordings/concert.json", "--models", cls.models.name, accounts=[
            ("ada", "administrator", PASSPHRASE), ("theo", "technician", PASSPHRASE), ("lena", "editor", PASSPHRASE)]))
        cls.folder = pathlib.Path(cls.server.data) / "recordings"
        evening = cls.folder / cls.EVENING
        evening.mkdir(parents=True)
        prelude, minuet = (f"|sox {repository.recording(piece, name)} -p {part} pad 3 3" for piece, name, part in (
            (repository.BACH, "swift", "trim 0 37"), (cls.MINUET, "gentle", "")))
        subprocess.run(["sox", prelude, minuet, "-c", "1", evening / "part-0001.flac"], check=True)
        (evening / "recording.json").write_text(json.dumps({
            "version": 1, "title": "Dress rehearsal", "pieces": ["Bach", "Petzold"],
            "folders": [repository.BACH, cls.MINUET], "parts": [part(1, EVENING, 165)]}), encoding="utf-8")

    def job(self, state):
        css = f'.job[data-state="{state}"]'
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, css), f"a job is {state}", 120)
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def begin_job(self, *folders):
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#pieces input"), "the pieces are listed")
        for box in self.driver.find_elements(By.CSS_SELECTOR, "#pieces input:enabled"):
            if box.is_selected() != (box.get_attribute("value") in folders):
                box.click()
        self.driver.find_element(By.ID, "start").click()

    def clear(self):
        for row in self.driver.find_elements(By.CSS_SELECTOR, ".job-top button"):
            row.click()
        self.until(lambda: not self.driver.find_elements(By.CSS_SELECTOR, ".job"), "the list is empty")

    def test_1_a_work_that_is_interrupted_changes_no_model(self):
        self.open("lena", "/reference")
        before = (pathlib.Path(self.models.name) / self.MINUET / "model.json").read_bytes()
        self.begin_job(self.MINUET)
        self.job("running").find_element(By.CSS_SELECTOR, "button.danger").click()
        self.assertIn("interrupted", self.job("interrupted").text)
        self.assertEqual((pathlib.Path(self.models.name) / self.MINUET / "model.json").read_bytes(), before)
        self.clear()

    def test_2_the_list_of_recordings_leads_to_references_whose_doubtful_bars_are_heard(self):
        self.open()
        self.until(lambda: self.cards(), "the evening is listed")
        self.card(self.EVENING).find_element(By.CSS_SELECTOR, "a.use").click()
        self.begin_job(self.MINUET, repository.BACH)
        self.picture("reference-running")
        done = self.job("done")
        self.assertIn("It was played from beginning to end", done.text)
        self.assertIn("was not played completely: bars", done.text)
        references = json.loads((pathlib.Path(self.models.name) / self.MINUET / "model.json").read_text())["references"]
        self.assertEqual([each["about"]["name"] for each in references], ["dance", self.EVENING])
        self.until(lambda: "This evening is a reference of it already" in self.words("#pieces"), "the choice knows it")
        done = self.job("done")
        done.find_element(By.CSS_SELECTOR, ".doubts summary").click()
        done.find_element(By.CSS_SELECTOR, ".doubts button").click()
        self.until(lambda: self.script("return document.querySelector('audio')?.currentTime ?? 0") > 0.1, "it is heard",
                   10)
        played = references[1]["about"]["doubtful"][0]["played"]
        truth = repository.measure_times(repository.RECORDINGS / self.MINUET / "gentle" / "measures.csv")[played - 1][1]
        heard = self.script("return document.querySelector('audio').currentTime")
        # The minuet begins behind the prelude and three pauses, and the player two seconds before the bar.
        self.assertAlmostEqual(heard, 37 + 9 + truth - 2, delta=1.5)
        self.assertEqual(self.complaints(), [])
        for kind, size in SIZES.items():
            resize(self.driver, size)
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth - innerWidth"), 0, kind)
            small = self.script("""return [...document.querySelectorAll("main button, main a, nav a, summary, label")]
                .filter((e) => e.offsetHeight && (e.offsetHeight < 44 || e.offsetWidth < 44))
                .map((e) => e.textContent)""")
            self.assertEqual(small, [], kind)
            self.picture(f"reference-{kind}")
        resize(self.driver, SIZES["desk"])

    def test_3_an_editor_comes_from_the_report_and_a_technician_may_not(self):
        self.open("lena", "/report")
        self.until(lambda: self.words("#foot") != "", "the report is there")
        # Nothing was recorded in this show; the recording is another evening's.
        self.stays(lambda: not self.driver.find_element(By.ID, "use").is_displayed(), "nothing is offered", 1)
        show = self.later("return (await (await fetch('/api/report/current')).json()).folder")
        shutil.copytree(self.folder / self.EVENING, self.folder / show)
        self.addCleanup(shutil.rmtree, self.folder / show)
        self.driver.refresh()
        self.until(lambda: self.driver.find_element(By.ID, "use").is_displayed(), "the report offers it")
        self.picture("report-use")
        self.driver.find_element(By.ID, "use").click()
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#pieces input"), "the pieces are listed")
        self.assertEqual(self.driver.find_element(By.ID, "recording").get_attribute("value"), show)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".doubts button"), [])
        self.open("theo", "/report")
        self.until(lambda: self.words("#when") != "Loading …", "the report is there")
        self.assertFalse(self.driver.find_element(By.ID, "use").is_displayed())
        status = self.later("""return (await fetch("/api/references/jobs", {method: "POST", headers: {"X-Baton": "1"},
            body: "{}"})).status;""")
        self.assertEqual(status, 403)

    def test_4_a_restart_says_what_was_interrupted(self):
        self.open("ada", "/reference")
        self.begin_job(repository.BACH)
        self.job("running")
        model = pathlib.Path(self.models.name) / repository.BACH / "model.json"
        before = model.read_bytes()
        self.server.kill()
        # The work ends within a second after the server that began it.
        self.stays(lambda: model.read_bytes() == before, "the model is the one of before", 2)
        self.server.start()
        self.driver.refresh()
        self.assertIn("The server ended during the work", self.job("interrupted").text)
        self.assertFalse((self.folder / "references-unfinished").exists())
        self.assertEqual(model.read_bytes(), before)


class LooksTest(RecordingsCase):
    def test_nothing_is_cut_off_at_any_width(self):
        for kind, size in SIZES.items():
            resize(self.driver, size)
            self.open()
            self.until(lambda: len(self.cards()) >= 3, "all evenings are listed")
            self.card("2026-09-18-193000-gala").find_element(By.CSS_SELECTOR, ".part button").click()
            self.until(lambda: self.script("return document.querySelector('audio')?.readyState ?? 0") > 0, "it plays")
            wide = self.script("return document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(wide, 0, kind)
            small = self.script("""return [...document.querySelectorAll("main button, main a, nav a")]
                .filter((e) => e.offsetHeight && (e.offsetHeight < 44 || e.offsetWidth < 44))
                .map((e) => e.textContent)""")
            self.assertEqual(small, [], kind)
            self.picture(f"recordings-{kind}")
        resize(self.driver, SIZES["desk"])

    def test_the_console_says_that_it_records_and_leads_to_the_list(self):
        for kind, size in SIZES.items():
            resize(self.driver, size)
            self.open("theo", "/console")
            self.until(lambda: "●" in self.words('[data-reading="recording"]'), "the console says that it records")
            self.picture(f"console-recording-{kind}")
        link = self.driver.find_element(By.CSS_SELECTOR, '[data-reading="recording"] a')
        self.assertTrue(link.get_attribute("href").endswith("/recordings"))


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main()
