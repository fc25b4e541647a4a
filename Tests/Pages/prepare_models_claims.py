"""The prepared pieces on /prepare: removed after a question, had back, and kept while the show has them."""

from prepare_case import SERVED, PrepareCase

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
