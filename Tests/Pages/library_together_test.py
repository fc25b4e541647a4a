#!/usr/bin/python3
"""Two librarians who work on one score at once, each in a browser of his own: nothing is lost, and nobody is left with
work that cannot be saved.

    BATON=path/to/baton Tests/Pages/library_together_test.py [TEST …]

The last line is unittest's.
"""

import unittest

from selenium.webdriver.common.keys import Keys

from browser import resize, sign_in, started
from lib.music_pdf import BARS, LINES, music_pdf
from page_case import PageCase
from scripted import Scripted

PIECES = "petzold-anna-magdalena-notebook-minuet-in-g"
PASSPHRASE = "open sesame"
UPLOAD = """const body = Uint8Array.from(given[0], (letter) => letter.charCodeAt(0));
    const send = async (path) => (await fetch(path, { method: "POST", body, headers: { "X-Baton": "1",
        "Content-Type": "application/octet-stream" } })).json();
    const { score: id } = await send("/api/library/scores?title=Duo&file=duo.pdf");
    await send(`/api/library/scores/${id}/parts?name=Viola`);
    return id;"""
SAYS = "const line = document.getElementById('say'); return line.hidden ? '' : line.textContent"


class Librarian(PageCase):
    """A librarian's browser: the words of the tests, in another profile than the other's."""

    def __init__(self, driver, base, name):
        super().__init__()
        self.driver, self.base = driver, base
        driver.set_script_timeout(20)
        resize(driver, (1280, 900))
        sign_in(driver, base, name, PASSPHRASE)

    def go(self, path):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/library#/score/{path}")

    def pages(self, score, part=0):
        self.go(f"{score}/part/{part}/pages")
        self.until(lambda: self.cards() == 3, "the pages lie there", 10)
        # What is found on the pages comes later and draws them anew.
        self.until(lambda: self.script("return !document.querySelector('.chosen-page [role=status]').textContent"
                                       ".startsWith('Looking')"), "they are looked through", 20)

    def cards(self):
        return self.script("return document.querySelectorAll('.page-card').length")

    def measures(self, score, part=0):
        self.go(f"{score}/part/{part}/page/0")
        self.until(lambda: self.script("return document.querySelector('.paper img')?.naturalWidth > 0"),
                   "the page is there", 20)

    def said(self):
        return self.script(SAYS)

    def told(self, words):
        self.until(lambda: words in self.said(), f"“{words}” is said", 10)

    def kept(self, score):
        """The score as the server has it."""
        return self.later("return (await fetch(`/api/library/scores/${given[0]}`)).json()", score)

    def layout(self, score, part=0):
        return self.kept(score)["parts"][part].get("layout")

    def marked(self, score, part=0):
        return len(self.kept(score)["parts"][part]["places"])

    def turned(self):
        """The quarters by which the first page lies turned here."""
        width, height = self.script("const c = document.querySelector('.page-card canvas'); return [c.width, c.height]")
        return int(width > height)


class TogetherTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(PIECES, accounts=[("lena", "editor", PASSPHRASE), ("emil", "editor", PASSPHRASE)]))
        cls.second = started()
        cls.lena = Librarian(cls.driver, cls.base, "lena")
        cls.emil = Librarian(cls.second.__enter__(), cls.base, "emil")

    @classmethod
    def tearDownClass(cls):
        cls.second.__exit__(None, None, None)
        super().tearDownClass()

    def setUp(self):
        self.score = self.lena.later(UPLOAD, music_pdf(3).decode("latin-1"))

    def tearDown(self):
        self.assertEqual([self.lena.complaints(), self.emil.complaints()], [[], []])

    def test_of_two_layouts_of_a_part_the_second_librarian_sees_the_first_and_chooses(self):
        for each in (self.lena, self.emil):
            each.pages(self.score)
        self.lena.push_button("Turn right")
        self.lena.push_button("Save")
        self.lena.told("Saved")
        self.emil.push_button("Leave out")
        self.emil.push_button("Whole pages")
        self.assertEqual([self.emil.cards(), self.emil.turned()], [2, 0])
        self.emil.push_button("Save")
        self.emil.told("Somebody else has laid these pages")
        self.assertEqual([self.emil.cards(), self.emil.turned()], [3, 1], "the first librarian's pages are shown")
        self.assertEqual([page.get("turn", 0) for page in self.emil.layout(self.score)["pages"]], [1, 0, 0])
        self.emil.push_button("Undo")
        self.assertEqual([self.emil.cards(), self.emil.turned()], [2, 0], "what the second one did is not lost")
        self.emil.push_button("Save")
        self.emil.told("Saved")
        kept = self.emil.layout(self.score)
        self.assertEqual([[page["page"] for page in kept["pages"]], kept["crop"]["odd"]], [[1, 2], [0, 0, 1, 1]])
        # The first one, who goes on, is told in turn.
        self.lena.push_button("Turn right")
        self.lena.push_button("Save")
        self.lena.told("Somebody else has laid these pages")
        self.assertEqual(self.lena.cards(), 2)

    def test_two_parts_of_a_score_are_worked_on_at_once_and_both_are_saved(self):
        self.lena.pages(self.score, 0)
        self.emil.pages(self.score, 1)
        for turns in (1, 2):
            for librarian in (self.lena, self.emil):
                librarian.push_button("Turn right")
                librarian.push_button("Save")
                librarian.told("Saved")
                librarian.script("document.getElementById('say').textContent = ''")
            self.assertEqual([self.lena.layout(self.score, part)["pages"][0]["turn"] for part in (0, 1)],
                             [turns, turns])

    def test_measures_are_marked_while_another_librarian_lays_the_pages_and_names_the_score(self):
        self.lena.measures(self.score)
        self.emil.pages(self.score)
        self.emil.push_button("Later")
        self.emil.push_button("Save")
        self.emil.told("Saved")
        self.lena.push_button("Find measures")
        count = LINES * BARS
        self.until(lambda: self.script("return document.querySelectorAll('.frame').length") == count, "they are found",
                   20)
        self.emil.go(self.score)
        self.until(lambda: self.emil.script("return document.querySelector('[name=composer]') !== null"), "its cover")
        self.lena.push_button("Save")
        self.lena.told("Saved")
        self.assertEqual(self.lena.marked(self.score), count)
        self.emil.script("document.querySelector('[name=composer]').value = 'Anna Lind'")
        self.emil.push_button("Save")
        self.emil.told("Saved")
        self.assertEqual(self.lena.kept(self.score)["composer"], "Anna Lind")
        self.assertEqual([self.lena.marked(self.score), len(self.emil.layout(self.score)["pages"])], [count, 3])

    def test_of_measures_that_both_mark_the_second_sees_the_first_and_chooses(self):
        count = LINES * BARS
        for each in (self.lena, self.emil):
            each.measures(self.score)
            each.push_button("Find measures")
            each.until(lambda each=each: each.script("return document.querySelectorAll('.frame').length") == count,
                       "they are found", 20)
        frames = lambda: self.emil.script("return document.querySelectorAll('.frame').length")  # noqa: E731
        self.lena.push_button("Save")
        self.lena.told("Saved")
        self.emil.script("document.querySelectorAll('.frame')[3].click()")
        self.emil.press(Keys.DELETE)
        self.until(lambda: frames() == count - 1, "one is taken away")
        self.emil.push_button("Save")
        self.emil.told("Somebody else has marked measures")
        self.assertEqual(frames(), count)
        self.emil.push_button("Undo")
        self.assertEqual(frames(), count - 1)
        self.emil.push_button("Save")
        self.emil.told("Saved")
        self.assertEqual(self.lena.marked(self.score), count - 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
