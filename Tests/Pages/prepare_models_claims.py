"""The prepared pieces on /prepare: all they have; removed after a question, had back, kept while the show has them."""

from browser import resize
from prepare_case import DESKTOP, PHONE, SERVED, TABLET, PrepareCase

OTHER = "bach-well-tempered-clavier-1-prelude-in-c"


class ModelTest(PrepareCase):
    def row(self, folder):
        return self.script("return document.querySelector(`.model-card[data-folder='${arguments[0]}']`)?.textContent",
                           folder)

    def remove(self, folder):
        self.click(f".model-card[data-folder='{folder}'] button")
        self.until(lambda: folder in self.text("dialog[open] .dialog-body"), "it asks, and names what goes")
        self.button("Remove", "dialog[open]").click()

    def folders(self):
        return [model["folder"] for model in self.ask("GET", "/models")]

    def test_a_prepared_piece_is_removed_after_a_question_and_had_back(self):
        self.open()
        self.until(lambda: self.row(OTHER), "the prepared pieces are listed")
        self.remove(OTHER)
        self.until(lambda: not self.row(OTHER), "it is gone from the list")
        self.assertNotIn(OTHER, self.folders())
        self.assertFalse((self.folder / "Models" / OTHER).exists())
        self.button("Undo", "#notices").click()
        self.until(lambda: self.row(OTHER), "it is back")
        self.assertIn(OTHER, self.folders())
        self.assertTrue((self.folder / "Models" / OTHER / "model.json").exists())

    def test_a_piece_on_the_programme_stays(self):
        self.open()
        self.until(lambda: "On the programme" in (self.row(SERVED) or ""), "it is marked")
        self.remove(SERVED)
        self.until(lambda: "is on the programme of the show" in self.text("#notices"), "it says why it stays")
        self.assertIn(SERVED, self.folders())

    def test_a_score_of_the_library_is_chosen_without_a_second_upload(self):
        self.open()
        self.until(lambda: self.script("return document.querySelector('[data-kind=library]')?.checkVisibility()"),
                   "the library is offered")
        self.click("[data-kind=library]")
        self.until(lambda: "Minuet" in self.text("dialog[open]"), "its scores are listed")
        self.picture("prepare-library")
        score = self.script("""return [...document.querySelectorAll("dialog[open] [data-score]")].find((each) =>
            each.textContent.includes("Minuet"))""")
        name = score.text
        score.click()
        self.until(lambda: f"{name}.musicxml" in self.text(".slots"), "it is the score of the new piece")
        self.button("Begin", ".new-piece").click()
        self.until(lambda: self.script("return Boolean(document.querySelector('.piece'))"), "its page", 10)
        piece = self.driver.current_url.split("#/")[1]
        self.until(lambda: self.draft(piece)["score"], "it is taken", 20)
        self.assertEqual(self.draft(piece)["score"]["bars"], 64)
        self.assertEqual(self.text(".next-title"), "Add a recording of it")
        for size in (PHONE, TABLET, (1440, 900)):
            resize(self.driver, size)
            self.picture(f"prepare-header-{size[0]}")
            # One line; on a phone the name of the piece has a second one.
            height = self.script("return document.querySelector('.top').offsetHeight")
            self.assertLess(height, 110 if size == PHONE else 60, size)

    def facet(self, name):
        return self.text(f"[data-facet='{name}']")

    def test_a_piece_shows_all_it_has_and_what_it_lacks_for_tonight(self):
        self.open()
        self.until(lambda: self.row(SERVED), "the prepared pieces are listed")
        self.click(f".model-card[data-folder='{SERVED}'] a")
        self.until(lambda: "dance" in self.facet("recordings"), "its recordings")
        self.assertIn("on tonight’s programme", self.text(".lead"))
        self.assertIn("found by listeners", self.facet("slides"))
        self.assertIn("marked", self.facet("score"))
        self.assertGreater(len(self.driver.find_elements("css selector", "[data-facet='sections'] .chip")), 0)
        self.assertNotIn("No slides", self.text(".lacks"))
        for size in (PHONE, TABLET, DESKTOP):
            resize(self.driver, size)
            self.picture(f"piece-{size[0]}")
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), size[0])
        self.prepare()
        self.ask("POST", f"/pieces/{self.piece}/jobs", {"kind": "prepare", "folder": "minuet"})
        self.until(lambda: "minuet" in self.folders(), "another one is prepared", 60)
        self.open("piece/minuet", False)
        self.until(lambda: "No slides: phones show" in self.text(".lacks"), "it says what it lacks")
        self.assertIn("No score: stands show nothing", self.text(".lacks"))
        self.button("Bars and recordings").click()
        self.until(lambda: self.script("return Boolean(document.querySelector('.piece .stage'))"), "taken further")
