"""Sections and rehearsal letters that were marked while a piece was prepared, taken into its form on the page /edit."""

from lib import web
from prepare_case import PrepareCase

FORM = """
const { newSections } = await import("/edit/preparedmarks.js");
const bars = [1, 2, 1, 2, 3].map((printed, at) => ({ id: `b${at}`, printed, seconds: at }));
const measures = bars.map(({ printed, seconds }) => ({ printed, time: seconds }));
const mark = (bar, kind, text) => ({ id: bar + kind, bar, kind, text });
const taken = (marks, sections = [], found = measures) => {
  const { sections: all, unmatched } = newSections({ bars, marks }, found, sections);
  return [all.map(({ played, label }) => `${label}${played}`).join(" "), unmatched];
};
"""


class MarksTest(PrepareCase):
    def reckon(self, body):
        if not self.driver.current_url.endswith("/edit"):
            self.driver.get(self.base + "/edit")
        return self.later(FORM + body)

    def test_sections_and_letters_become_sections_in_the_order_in_which_they_are_played(self):
        self.assertEqual(self.reckon("""return taken([mark("b4", "rehearsal", "B"), mark("b2", "section", "Trio"),
            mark("b2", "rehearsal", "A"), mark("b0", "repeatStart", "")])"""), ["Trio2 B4", 0])

    def test_a_bar_that_has_a_section_keeps_it(self):
        self.assertEqual(self.reckon("""return taken([mark("b0", "section", "New"), mark("b3", "section", "Coda")],
            [{ played: 0, fields: { label: "Old", colour: "1,2,3" } }])"""), ["Coda3", 0])

    def test_marks_on_bars_that_the_piece_does_not_have_are_counted(self):
        self.assertEqual(self.reckon("""return taken([mark("b1", "section", "A"), mark("b4", "section", "B")], [],
            measures.slice(0, 4))"""), ["A1", 1])

    def test_parts_with_the_same_name_have_the_same_colour(self):
        self.assertTrue(self.reckon("""const { sections } = newSections({ bars, marks: [mark("b0", "section", "A"),
            mark("b1", "section", "B"), mark("b2", "section", "A")] }, measures, []);
            return sections[0].colour === sections[2].colour && sections[0].colour !== sections[1].colour"""))

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
