"""Sections and rehearsal letters that were marked while a piece was prepared, taken into its form on the page /edit."""

from lib import web
from prepare_case import PrepareCase


class MarksTest(PrepareCase):
    def test_the_marks_of_a_prepared_piece_become_its_form_and_undo_takes_them_back(self):
        self.prepare("A minuet with marks")
        bars = self.bars()
        self.edit(*({"mark": {"id": f"m{at}", "bar": bars[at]["id"], "kind": kind, "text": text}}
                    for at, kind, text in ((0, "section", "Minuet"), (32, "rehearsal", "B"))))
        self.ask("POST", f"/pieces/{self.piece}/jobs", {"kind": "prepare", "folder": "minuet-with-marks"})
        self.until(lambda: self.draft()["prepared"], "it is prepared", 120)
        concert = self.content("GET", "/concerts")[0]["id"]
        piece = self.content("POST", f"/concerts/{concert}/recording", {"folder": "minuet-with-marks"})["piece"]

        def sections():
            return [(node["fields"]["label"], node["fields"]["printed"])
                    for node in self.content("GET", f"/concerts/{concert}")["nodes"]
                    if node["kind"] == "section" and node["parent"] == piece]

        self.driver.get(f"{self.base}/edit#/{concert}/form/{piece}")
        take = "[data-does=take-marks]"
        self.until(lambda: self.script("return document.querySelector(arguments[0])?.checkVisibility()", take),
                   "the marks are offered", 10)
        self.assertEqual(sections(), [], "nothing is taken before somebody asks")
        self.click(take)
        self.until(lambda: sections() == [("Minuet", "1"), ("B", "17")], "they are sections", 10)
        self.picture("edit-marks")
        self.click(take)
        self.until(lambda: "No new section" in self.text("#notices"), "they are not taken twice")
        self.assertEqual(len(sections()), 2)
        self.button("Undo", "#notices").click()
        self.until(lambda: sections() == [], "undo takes them back", 10)

    def content(self, method, path, body=None):
        answer = web.ask(self.base, method, "/api/edit" + path, body)
        self.assertEqual(answer.status // 100, 2, answer.text)
        return answer.value
