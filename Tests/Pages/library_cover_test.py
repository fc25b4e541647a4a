#!/usr/bin/python3
"""The cover of a score on the librarian's page: which rehearsal marks it refuses, that nobody leaves it unsaved without
a question, and what it does where another librarian, who speaks with the server alone, changed the same.

    BATON=path/to/baton Tests/Pages/library_cover_test.py [TEST …]

The last line is unittest's.
"""

import unittest

from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as EC

from browser import resize, sign_in
from lib.music_pdf import music_pdf
from page_case import PageCase
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"  # measures 1 to 32
PASSPHRASE = "seven quiet violas at noon"
UPLOAD = """const body = Uint8Array.from(given[0], (letter) => letter.charCodeAt(0));
    const answer = await fetch("/api/library/scores?title=Duo&file=duo.pdf", { method: "POST", body, headers: {
        "X-Baton": "1", "Content-Type": "application/octet-stream" } });
    return (await answer.json()).score;"""


class CoverCase(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Served(PIECE, accounts=[(name, "editor", PASSPHRASE) for name in ("lena", "emil")]))
        resize(cls.driver, (1280, 900))
        sign_in(cls.driver, cls.base, "lena", PASSPHRASE)
        cls.emil = cls.server.sign_in("emil", PASSPHRASE)

    def setUp(self):
        self.score = self.later(UPLOAD, music_pdf(2).decode("latin-1"))
        self.before()
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/library#/score/{self.score}")
        self.until(lambda: self.script("return document.querySelector('[name=title]') !== null"), "its cover", 10)

    def before(self):
        """What the other librarian has done when the page is opened."""

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def kept(self):
        """The score as the server has it."""
        return self.server.ask("GET", f"/api/library/scores/{self.score}", cookie=self.emil).value

    def other_writes(self, path="", **words):
        """The other librarian changes the score, again where the server itself wrote something of it in between."""
        place = f"/api/library/scores/{self.score}{path}"

        def is_taken():
            change = {"revision": self.kept()["revision"], **words}
            return self.server.ask("PUT", place, change, self.emil).status == 200

        self.until(is_taken, "the other librarian's change is taken")

    def movements(self, *marks, name="Allegro"):
        return [{"name": name, "piece": PIECE, "isAttacca": False,
                 "marks": [{"label": label, "measure": measure} for label, measure in marks]}]

    def field(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def value(self, css):
        return self.field(css).get_property("value")

    def write(self, css, text):
        field = self.field(css)
        field.clear()
        field.send_keys(text)

    def told(self, words):
        said = lambda: self.script("return document.getElementById('say').textContent")  # noqa: E731
        self.until(lambda: words in said(), f"“{words}” is said", 10)


class MarksTest(CoverCase):
    """Rehearsal marks that cannot be."""

    def before(self):
        self.other_writes(movements=self.movements())

    def test_a_measure_outside_the_piece_is_refused(self):
        self.refused("A 3, B 33", "“B 33” is outside the music, which has measures 1 to 32: correct the measure.")
        self.refused("A 0", "“A 0” is outside the music")

    def test_a_negative_measure_is_refused(self):
        self.refused("A -3", "“A -3” is before the music: write a measure from 0, an upbeat, on.")

    def test_a_letter_twice_is_refused_also_as_a_small_one(self):
        self.refused("A 3, B 9, A 17", "“A” is marked twice, at measures 3 and 17: rename one of them.")
        self.refused("A 3, a 17", "“a” is marked twice")

    def test_marks_that_can_be_are_saved(self):
        self.save("A 1, B 32")
        self.told("Saved")
        self.assertEqual(self.marks(), [("A", 1), ("B", 32)])

    def test_marks_are_held_against_the_piece_that_is_chosen_now(self):
        self.script("document.querySelector('.movements select').value = ''")
        self.save("A 300")
        self.told("Saved")
        self.assertEqual(self.marks(), [("A", 300)])
        # What nobody touched stays, also where the measures are known again.
        self.script("document.querySelector('.movements select').value = arguments[0]", PIECE)
        self.script("document.getElementById('say').textContent = ''")
        self.push_button("Save")
        self.told("Saved")
        self.assertEqual(self.marks(), [("A", 300)])

    def test_the_measures_of_a_part_that_is_marked_to_its_end_bound_the_marks(self):
        places = [{"movement": 0, "page": page, "first": first, "last": first + 39}
                  for page, first in ((0, 1), (1, 41))]
        self.script("document.querySelector('.movements select').value = ''")
        self.save("A 5")
        self.told("Saved")
        self.other_writes("/parts/0", name="Duo", places=places)
        self.driver.refresh()
        self.until(lambda: self.script("return document.querySelector('[data-marks]')?.value") == "A 5", "its marks",
                   10)
        self.save("A 81")
        self.told("“A 81” is outside the music, which has measures 1 to 80")
        self.save("A 80")
        self.told("Saved")

    def save(self, marks):
        self.write("[data-marks]", marks)
        self.push_button("Save")

    def refused(self, marks, words):
        self.save(marks)
        self.told(words)
        self.assertEqual(self.value("[data-marks]"), marks, "what was written stays to be mended")
        self.assertEqual(self.marks(), [])

    def marks(self):
        return [(mark["label"], mark["measure"]) for mark in self.kept()["movements"][0].get("marks", [])]


class LeavingTest(CoverCase):
    """Text on the cover that is not saved."""

    def setUp(self):
        super().setUp()
        self.other = self.later(UPLOAD, music_pdf(2).decode("latin-1"))
        self.write("[name=title]", "Duo of Lena")

    def tearDown(self):
        self.script("location.hash = '#/'")
        self.answer(True)
        super().tearDown()

    def answer(self, leaves):
        """Answers the question if there is one; gives its words."""
        try:
            alert = self.driver.switch_to.alert
        except NoAlertPresentException:
            return ""
        words = alert.text
        (alert.accept if leaves else alert.dismiss)()
        return words

    def is_asked_by(self, place):
        self.script("location.hash = arguments[0]", place)
        self.until(lambda: EC.alert_is_present()(self.driver), f"leaving to {place} is a question")
        return "not saved. Leave it?" in self.answer(False)

    def test_leaving_to_another_score_the_list_or_a_part_is_a_question(self):
        for place in (f"#/score/{self.other}", "#/", f"#/score/{self.score}/part/0/page/0",
                      f"#/score/{self.score}/part/0/pages"):
            with self.subTest(place=place):
                self.assertTrue(self.is_asked_by(place))
                self.assertEqual(self.value("[name=title]"), "Duo of Lena", "who stays keeps the text")
                self.assertTrue(self.driver.current_url.endswith(f"#/score/{self.score}"))
        self.script("location.hash = arguments[0]", f"#/score/{self.other}")
        self.until(lambda: EC.alert_is_present()(self.driver), "the question again")
        self.answer(True)
        shown = "return document.querySelector('[name=title]')?.value"
        self.until(lambda: self.script(shown) == "Duo", "the other score")

    def test_reloading_is_a_question_until_it_is_saved(self):
        asks = """const event = new Event("beforeunload", { cancelable: true });
            window.dispatchEvent(event);
            return event.defaultPrevented;"""
        self.assertTrue(self.script(asks))
        self.push_button("Save")
        self.told("Saved")
        self.assertFalse(self.script(asks))
        self.script("location.hash = '#/'")
        self.assertEqual(self.answer(True), "")

    def test_the_text_stays_when_the_score_is_shown_anew_as_after_a_part_was_added(self):
        self.script("""document.querySelector(".parts").remove();
            dispatchEvent(new HashChangeEvent("hashchange"));""")
        self.until(lambda: self.script("return document.querySelector('.parts') !== null"), "its parts anew")
        self.assertEqual(self.value("[name=title]"), "Duo of Lena")
        self.assertEqual(self.script("return document.activeElement.name"), "title")

    def test_whoever_is_signed_out_signs_in_beside_the_page_and_saves(self):
        cookies = self.driver.get_cookies()
        self.driver.delete_all_cookies()
        self.push_button("Save")
        self.told("you are signed out. What you wrote stays here.")
        link = self.field("#say a")
        self.assertEqual((link.get_attribute("target"), link.get_property("pathname")), ("_blank", "/login"))
        self.assertEqual(self.value("[name=title]"), "Duo of Lena")
        for cookie in cookies:
            self.driver.add_cookie(cookie)
        self.push_button("Save")
        self.told("Saved")
        self.assertEqual(self.kept()["title"], "Duo of Lena")


class BothChangedTest(CoverCase):
    """Two librarians change a field to different things."""

    def before(self):
        self.other_writes(composer="Anna", movements=self.movements())

    def test_the_field_and_its_other_value_are_named_and_what_was_written_stays(self):
        self.write("[name=title]", "Duo of Lena")
        self.other_writes(title="Duo of Emil")
        self.push_button("Save")
        self.told("Nothing was saved: somebody else has changed the title meanwhile.")
        self.assertEqual(self.offers(), ["Somebody else has changed the title to “Duo of Emil”."])
        self.assertEqual(self.value("[name=title]"), "Duo of Lena")
        self.assertEqual(self.kept()["title"], "Duo of Emil")

    def test_keeping_ones_own_and_saving_replaces_theirs(self):
        self.write("[name=title]", "Duo of Lena")
        self.other_writes(title="Duo of Emil", composer="Emil")
        self.push_button("Save")
        self.told("Nothing was saved")
        self.assertEqual(self.value("[name=composer]"), "Emil", "what only they changed is taken")
        self.push_button("Keep mine")
        self.until(lambda: self.offers() == [], "the choice is made")
        self.assertEqual(self.value("[name=title]"), "Duo of Lena")
        self.push_button("Save")
        self.told("Saved")
        self.assertEqual([self.kept()[name] for name in ("title", "composer")], ["Duo of Lena", "Emil"])

    def test_taking_theirs_shows_it_and_each_field_is_chosen_by_itself(self):
        self.write("[name=title]", "Duo of Lena")
        self.write("[name=composer]", "Lena")
        self.write("[data-marks]", "A 5")
        self.other_writes(title="Duo of Emil", composer="", movements=self.movements(("B", 9), name="Trio"))
        self.push_button("Save")
        self.told("somebody else has changed the title, composer and movements meanwhile")
        self.assertEqual(self.offers(), [
            "Somebody else has changed the title to “Duo of Emil”.", "Somebody else has removed the composer.",
            "Somebody else has changed the movements: Movement 1: Trio, followed as “Petzold, Notebook for Anna "
            "Magdalena Bach: Minuet in G”, B 9."])
        self.take("title")
        self.push_button("Keep mine")
        self.take("movements")
        self.told("Not saved yet.")
        shown = [self.value(css) for css in ("[name=title]", "[name=composer]", "[data-name]", "[data-marks]")]
        self.assertEqual(shown, ["Duo of Emil", "Lena", "Trio", "B 9"])
        self.push_button("Save")
        self.told("Saved")
        self.assertEqual([self.kept()[name] for name in ("title", "composer")], ["Duo of Emil", "Lena"])

    def test_different_fields_of_two_librarians_are_both_saved_without_a_question(self):
        self.write("[name=title]", "Duo of Lena")
        self.other_writes(composer="Emil")
        self.push_button("Save")
        self.told("Saved")
        self.assertEqual([self.kept()[name] for name in ("title", "composer")], ["Duo of Lena", "Emil"])

    def offers(self):
        return self.script("return [...document.querySelectorAll('.their-changes p')].map((line) => line.textContent)")

    def take(self, field):
        self.field(f"[aria-label='Take theirs: {field}']").click()


if __name__ == "__main__":
    unittest.main(verbosity=2)
