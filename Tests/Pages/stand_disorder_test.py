#!/usr/bin/python3
"""Stands used in the wrong order, twice, and by one musician on two devices.

    BATON=path/to/baton Tests/Pages/stand_disorder_test.py [TEST …]

Rooms of several players in the wrong order are in rooms_disorder_test.py. The last line is unittest's.
"""

import contextlib
import pathlib
import unittest
import uuid

from browser import started
from hall_case import size
from lib.music_pdf import music_pdf
from score_remarks_test import ScoreCase
from stand_case import PHONE, PORTRAIT, USERS, StandCase

VENV = pathlib.Path(__file__).resolve().parents[2] / ".venv"


class DisorderCase(StandCase):
    def score_named(self, word):
        return next(each for each in self.rehearsal.ask("ines", "/api/stand/home")["scores"] if word in each["title"])

    def controls(self):
        if not self.shown("#top-bar"):
            self.tap(0.5)
        self.until(lambda: self.shown("#top-bar"), "the controls are shown")


class SetlistTest(DisorderCase):
    """One setlist on two devices; the other one is the server's own interface."""

    def setUp(self):
        super().setUp()
        for each in self.rehearsal.ask("ines", "/api/setlists")["setlists"]:
            self.rehearsal.ask("ines", f"/api/setlists/{each['id']}", method="DELETE")
        self.scores = [each["id"] for each in self.rehearsal.ask("ines", "/api/stand/home")["scores"]]
        self.id = str(uuid.uuid4())
        self.elsewhere(0, self.scores[:1])
        self.enter_home(USERS[0])
        self.click(f"[data-setlist='{self.id}']")

    def elsewhere(self, revision, scores, name="Tour"):
        return self.rehearsal.ask("ines", f"/api/setlists/{self.id}",
                                  {"name": name, "scores": scores, "revision": revision}, "PUT")["revision"]

    def kept(self):
        return next((each for each in self.rehearsal.ask("ines", "/api/setlists")["setlists"]
                     if each["id"] == self.id), None)

    def test_a_score_that_was_added_elsewhere_stays_and_the_next_tap_adds_to_it(self):
        self.click("#add-to-setlist")
        self.elsewhere(self.kept()["revision"], self.scores[:2])
        self.click(f"#dialog [data-score='{self.scores[2]}']")
        self.until(lambda: "changed on another stand" in self.text("#notice"), "the musician is told")
        self.assertEqual(self.kept()["scores"], self.scores[:2])
        chosen = f"#dialog [data-score='{self.scores[1]}'] .chosen"
        self.until(lambda: self.shown(chosen), "what was added elsewhere is ticked")
        self.click(f"#dialog [data-score='{self.scores[2]}']")
        self.until(lambda: self.kept()["scores"] == self.scores[:3], "the next tap adds")

    def test_a_setlist_that_was_renamed_elsewhere_is_shown_so_and_can_be_changed(self):
        self.click("#edit-setlist")
        self.elsewhere(self.kept()["revision"], self.scores[:2], "Spring tour")
        self.click("#dialog .actions button:last-child")
        self.until(lambda: self.text("#dialog h2") == "Spring tour", "its new name is shown")
        self.until(lambda: self.script("return document.querySelectorAll('#dialog .programme li').length") == 2,
                   "with what it holds now")
        self.click("#dialog li:last-child .actions button:last-child")
        self.until(lambda: self.kept()["scores"] == self.scores[:1], "it can be changed")

    def test_a_setlist_that_was_deleted_elsewhere_says_so_and_goes(self):
        self.click("#edit-setlist")
        self.rehearsal.ask("ines", f"/api/setlists/{self.id}", method="DELETE")
        self.click("#dialog .actions button:last-child")
        self.until(lambda: "deleted on another stand" in self.text("#notice"), "the musician is told")
        self.until(lambda: not self.shown("#dialog"), "its dialog goes")
        self.assertFalse(self.shown(f"[data-setlist='{self.id}']"))
        self.assertIsNone(self.kept())


class TwiceTest(DisorderCase):
    def test_a_room_is_entered_a_second_time_on_the_same_part_and_page_with_nothing_to_choose(self):
        self.enter_room(part=2)
        self.pedal()
        self.lies(1)
        for _ in range(2):
            self.controls()
            self.click("#leave")
            self.until(lambda: self.screen() == "home", "the lists are shown")
            self.click(f"[data-room='{self.rehearsal.room_id}']")
            self.until(lambda: self.screen() == "reader" and self.is_painted(), "the page is painted", 8)
            self.assertFalse(self.shown("#dialog [data-part]"), "the part is known")
            self.lies(1)
        self.until(lambda: self.joined(USERS[1]), "the server knows the stand")
        here = [each for each in self.rehearsal.room()["participations"]
                if each["user"] == self.rehearsal.id(USERS[1]) and "left" not in each]
        self.assertEqual(len(here), 1, "once in the session")

    def test_the_second_round_of_a_programme_opens_each_piece_on_the_part_that_is_known(self):
        entry = self.programme(self.rehearsal.other["id"])
        own = self.rehearsal.room_id
        self.enter_room(part=2)
        self.pedal()
        self.lies(1)
        part = self.text("#part")
        for _ in range(2):
            self.rehearsal.act("ines", openScore={"entry": entry})
            self.opened(self.rehearsal.other)
            self.pedal()
            self.rehearsal.act("ines", openScore={"entry": own})
            self.opened(self.rehearsal.score)
            self.assertEqual(self.text("#part"), part)
            self.lies(0)
            self.pedal()
            self.lies(1)

    def test_a_phone_that_was_opened_before_the_music_is_taken_in_and_turned(self):
        self.enter_home(USERS[1])
        size(self.driver, PHONE)
        self.click(f"[data-room='{self.rehearsal.room_id}']")
        self.until(lambda: self.shown("#dialog [data-part='2']"), "the parts are offered")
        self.click("#dialog [data-part='2']")
        self.until(self.is_painted, "the page is painted", 8)
        for page in (1, 0):
            self.rehearsal.begin()
            self.until(lambda: self.joined(USERS[1]), "the server knows the stand")
            self.rehearsal.act("ines", turn=[2, page])
            self.lies(page)
            self.rehearsal.act("ines", endSession=True)

    def test_a_piece_of_the_programme_that_is_removed_while_it_is_open_stays_and_the_next_one_opens(self):
        score = self.loan()
        entry = self.programme(score)
        self.enter_room(USERS[0])
        self.rehearsal.act("ines", openScore={"entry": entry})
        self.until(lambda: self.text("#what-title") == "Loan" and self.is_painted(), "it lies there", 8)
        self.settle()
        self.rehearsal.ask("ines", f"/api/library/scores/{score}", method="DELETE")
        self.pedal()
        self.lies(1)
        self.until(self.is_painted, "it is played on")
        self.rehearsal.act("ines", openScore={"entry": self.rehearsal.room_id})
        self.opened(self.rehearsal.score)
        self.rehearsal.act("ines", openScore={"entry": entry})
        told = lambda: self.text("#what-title") == "Loan" or self.shown("#withheld")  # noqa: E731
        self.until(told, "it lies there, or the page says why not", 8)

    def programme(self, score):
        """Adds a piece to the room's programme; gives the id of its entry."""
        entry = str(uuid.uuid4())
        self.rehearsal.act("ines", addScore={"entry": {"id": entry, "score": score}})
        return entry

    def opened(self, score):
        self.until(lambda: self.text("#what-title") == score["title"] and self.is_painted(),
                   f"{score['title']} lies there", 8)
        self.assertFalse(self.shown("#dialog [data-part]"), "its part is known")

    def loan(self):
        """A score of three pages, given by nobody but the librarian."""
        made = self.rehearsal.server.ask("POST", "/api/library/scores?title=Loan", music_pdf(3, "Loan"),
                                         self.rehearsal.cookie("ines"), headers={"Content-Type": "application/pdf"})
        return made.value["score"]

    def test_a_score_that_is_removed_while_it_lies_there_can_be_played_to_its_end(self):
        score = self.loan()
        self.enter_home(USERS[0])
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        self.click(f"[data-score='{score}'] .entry")
        self.until(self.is_painted, "the page is painted", 8)
        self.settle()
        self.rehearsal.ask("ines", f"/api/library/scores/{score}", method="DELETE")
        for page in (1, 2):
            self.pedal()
            self.lies(page)
        self.until(self.is_painted, "the last page is painted")
        self.controls()
        self.click("#leave")
        self.until(lambda: self.screen() == "home", "the lists are shown")
        self.until(lambda: not self.shown(f"[data-score='{score}']"), "it is not offered any more", 8)

    def test_the_key_is_changed_while_the_leader_turns_and_no_turn_is_lost(self):
        if not VENV.exists():
            self.skipTest("run Tools/verovio-venv")
        self.enter_room(part=0)
        self.controls()
        self.click("#settings")
        self.until(lambda: self.shown("#interval"), "the key can be chosen")
        self.script("""const choice = document.getElementById('interval');
            choice.value = arguments[0];
            choice.dispatchEvent(new Event('change'));""", "M2")
        # The leader turns on while the server engraves.
        for page in (1, 2):
            self.rehearsal.act("ines", turn=[0, page])
            self.lies(page, seconds=5)
        self.until(lambda: self.script("return document.getElementById('interval')?.disabled === false"),
                   "it is engraved", 60)
        self.lies(2)
        self.until(self.is_painted, "the page is painted", 8)
        self.assertEqual(self.script("return document.getElementById('interval').value"), "M2")
        self.rehearsal.act("ines", turn=[0, 3])
        self.lies(3)
        self.until(self.is_painted, "the next page is painted", 8)
        self.script("document.getElementById('dialog').close()")
        self.controls()
        self.click("#members")
        self.until(lambda: self.shown("#room-print-key"), "the room says in which key it prints")
        self.assertIn("a tone higher", self.text("#room-print-key"))
        kinds = "const found = await fetch(given[0]); return [found.status, found.headers.get('content-type')];"
        link = self.script("return document.getElementById('room-print').href")
        # A full score is made into a PDF for the first time.
        self.driver.set_script_timeout(90)
        self.addCleanup(self.driver.set_script_timeout, 20)
        self.assertEqual(self.later(kinds, link), [200, "application/pdf"])


class TwoDevicesTest(ScoreCase):
    """One musician with two devices, each a browser of its own."""

    @contextlib.contextmanager
    def on(self, driver):
        mine, type(self).driver = self.driver, driver
        try:
            yield
        finally:
            type(self).driver = mine

    def test_remarks_that_were_drawn_offline_on_two_devices_are_all_on_both_afterwards(self):
        with started() as other:
            other.set_script_timeout(20)
            size(other, PORTRAIT)
            self.open_score()
            with self.on(other):
                self.open_score()
            self.rehearsal.wire.cut()
            self.line(0.3)
            self.sees(1, "the first device shows its own")
            with self.on(other):
                self.line(0.5)
                self.line(0.6)
                self.sees(2, "the second device shows its own")
            self.assertEqual(self.kept(), [], "the server knows of none")
            self.rehearsal.wire.mend()
            self.has(3, "the server has all")
            self.sees(3, "the first device shows all", 40)
            with self.on(other):
                self.sees(3, "the second device shows all", 40)
                self.assertFalse(self.shown("#sign-outbox"), "nothing waits")
            self.assertFalse(self.shown("#sign-outbox"), "nothing waits")


if __name__ == "__main__":
    unittest.main()
