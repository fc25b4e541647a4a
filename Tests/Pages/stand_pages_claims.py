"""The page fills the stand: margins, turned and reordered pages, halves between systems, systems on a phone."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from hall_case import size
from lib.web import Refused
from served_stands import new
from stand_case import LANDSCAPE, PHONE, PORTRAIT, StandCase

PART = 2  # Violin I: two pages, whose measures are known
OFF = 0.012  # of the page: as far as something may lie from where it belongs
CROP = [0.06, 0.05, 0.94, 0.95]

# The handles of the margins of which something else lies over the middle, as far as that is on the screen.
COVERED = """return [...document.querySelectorAll('.crop-handle')].filter((each) => {
    const b = each.getBoundingClientRect();
    const [x, y] = [Math.min(Math.max((b.left + b.right) / 2, 1), innerWidth - 2),
        Math.min(Math.max((b.top + b.bottom) / 2, 1), innerHeight - 2)];
    return !document.elementFromPoint(x, y)?.closest('.crop-handle');
}).map((each) => each.dataset.edge)"""

SCORE = """
const { filedAct, laidPage, laidRemark, laidScore } = await import("/stand/layout.js");
const score = laidScore({ revision: "1", parts: [{ name: "Horn", places: [{ page: 1, first: 1, last: 1,
    box: [0.1, 0.1, 0.3, 0.2] }, { page: 0, first: 2, last: 2, box: [0.1, 0.1, 0.3, 0.2] }], rests: [],
  pages: [{ width: 595, height: 842 }, { width: 595, height: 842 }, { width: 595, height: 842 }],
  layout: { pages: [{ page: 1, turn: 1 }, { page: 3 }, { page: 0, tilt: -2 }] } }] });
const remark = (page, fields) => ({ id: "r", layer: "l", author: "a", part: 0, page, anchor: [2000, 3000],
  shape: { line: [0, 0, 500, -300] }, ink: { colour: "#000000", width: 40 }, paper: [595, 842], ...fields });
"""


class PagesTest(StandCase):
    def tearDown(self):
        if not getattr(self, "isAlone", False):
            self.lay(None)
        super().tearDown()

    def lay(self, layout):
        """The librarian lays the pages of the part."""
        self.rehearsal.ask("ines", f"/api/library/scores/{self.rehearsal.score['id']}/parts/{PART}/layout",
                           {"layout": layout}, "PUT")

    def finger(self, *points):
        """One finger goes along points of the screen."""
        touch = PointerInput("touch", "finger")
        action = (built := ActionBuilder(self.driver, mouse=touch, duration=20)).pointer_action
        action.move_to_location(*map(int, points[0])).pointer_down()
        for point in points[1:]:
            action.move_to_location(*map(int, point))
        action.pointer_up()
        built.perform()

    def box(self, selector):
        return self.script("const f = document.querySelector(arguments[0]).getBoundingClientRect(); return [f.left, "
                           "f.top, f.right, f.bottom]", selector)

    def shown_of_page(self):
        """The part of the page that lies on the stand, as shares of the page."""
        page, leaf = self.box(".leaf.shown .whole"), self.box(".leaf.shown")
        return [(leaf[at] - page[at % 2]) / (page[at % 2 + 2] - page[at % 2]) for at in range(4)]

    def settings(self, name):
        """A switch of the settings, by the beginning of its name."""
        self.tap(0.5)
        self.click("#settings")
        self.script("[...document.querySelectorAll('.tick')].find((each) => "
                    "each.textContent.startsWith(arguments[0])).querySelector('input').click(); "
                    "document.getElementById('dialog').close()", name)
        self.tap(0.5)
        self.until(lambda: not self.shown("#top-bar"), "the controls go")

    # -- reckoning ------------------------------------------------------------------------------------------

    def test_remarks_go_to_the_stand_and_back_unchanged(self):
        self.isAlone = True
        self.driver.get(self.base + "/stand")
        there, back, hidden, untouched = self.later(SCORE + """
            const before = [remark(1), remark(0)];
            const laid = before.map((each) => laidRemark(each, score));
            const back = laid.map((place) => filedAct({ place }, score).place);
            const plain = laidScore({ parts: [{ pages: [{ width: 1, height: 1 }], places: [] }] });
            const same = remark(0);
            return [laid.map(({ page, anchor, paper }) => [page, anchor, paper]),
                back.map(({ page, anchor, shape, ink, paper }) => [page, anchor, shape.line, ink.width, paper]),
                laidRemark(remark(2), score), laidRemark(same, plain) === same]""")
        self.assertEqual(there[0], [0, [7000, 2000], [842, 595]])
        self.assertEqual(there[1][0], 2)
        for (page, anchor, line, width, paper), wanted in zip(back, (1, 0)):
            self.assertEqual((page, paper), (wanted, [595, 842]))
            for found, right in zip([*anchor, *line, width], [2000, 3000, 0, 0, 500, -300, 40]):
                self.assertAlmostEqual(found, right, delta=2)
        self.assertIsNone(hidden)  # on a page that is left out
        self.assertTrue(untouched)

    # -- layouts --------------------------------------------------------------------------------------------

    def test_an_open_stand_takes_the_new_order_on_the_page_it_shows(self):
        self.enter_room(part=PART)
        self.pedal()
        self.lies(1)
        self.lay({"pages": [{"page": 2}, {"page": 1, "turn": 3}, {"page": 0}]})
        # The second page of the file is still there, now with an empty one before it.
        self.until(lambda: self.text("#page-number") == "2 / 3", "the new pages are counted", 6)
        self.lies(1)
        width, height = self.script("const f = document.querySelector('.leaf.shown').getBoundingClientRect(); return "
                                    "[f.width, f.height]")
        self.assertGreater(width, height)
        self.pedal()
        self.lies(2)
        self.until(lambda: self.rehearsal.page("otto") == 0, "the server knows it by its number in the file")
        # The music turns to the page where it is printed.
        self.rehearsal.music(80)
        self.lies(1, seconds=6)

    def test_a_remark_drawn_on_a_turned_page_stays_on_its_music(self):
        self.lay({"pages": [{"page": 0, "turn": 1, "tilt": -2}, {"page": 1}]})
        self.enter_room(part=PART)
        self.tap(0.5)
        self.click("#pencil")
        self.click("[data-layer='public']")
        self.click("[data-tool='line']")
        left, top, right, bottom = self.box(".leaf.shown .whole")
        at = lambda x, y: (left + x * (right - left), top + y * (bottom - top))  # noqa: E731
        pointer = (chain := ActionChains(self.driver, duration=0)).w3c_actions.pointer_action
        points = [at(0.4 + 0.05 * step, 0.6) for step in range(5)]
        pointer.move_to_location(*map(int, points[0])).pointer_down()
        for point in points[1:]:
            pointer.move_to_location(*map(int, point))
        pointer.pointer_up()
        chain.perform()
        self.until(lambda: len(self.rehearsal.room()["remarks"]) == 1, "the room has the line")
        [remark] = self.rehearsal.room()["remarks"]
        paper = self.rehearsal.score["parts"][PART]["pages"][0]
        self.assertEqual((remark["page"], remark["paper"]), (0, [paper["width"], paper["height"]]))
        # A quarter turn clockwise takes (x, y) of the file to (1 - y, x); two degrees are left out of account.
        self.assertAlmostEqual(remark["anchor"][0] / 10_000, 0.6, delta=0.03)
        self.assertAlmostEqual(1 - remark["anchor"][1] / 10_000, 0.4, delta=0.03)
        ink = self.box(".leaf.shown .remark-ink .remark path")
        self.assertAlmostEqual((ink[0] + ink[2]) / 2, sum(x for x, _ in points) / 5, delta=8)
        self.assertAlmostEqual((ink[1] + ink[3]) / 2, points[0][1], delta=8)
        # As the file has it, the line stands upright on the same music.
        self.click("#remarks-done")
        self.lay(None)
        self.until(lambda: self.text("#page-number") == f"1 / {len(self.rehearsal.score['parts'][PART]['pages'])}"
                   and self.box(".leaf.shown .remark-ink .remark path")[3] - self.box(
                       ".leaf.shown .remark-ink .remark path")[1] > 40, "the line stands upright", 6)

    # -- margins --------------------------------------------------------------------------------------------

    def test_margins_that_a_leader_drags_are_everybodys(self):
        self.enter_room(name="ines", part=PART)
        self.tap(0.5)
        self.click("#settings")
        # Found ones come some seconds after the score was opened first; what is dragged begins there.
        layout = self.rehearsal.ask("otto", f"/api/scores/{self.rehearsal.score['id']}")["parts"][PART].get("layout")
        before = (layout or {}).get("crop", {}).get("odd", [0, 0, 1, 1])
        wanted = [before[0] + 0.1, before[1], before[2], before[3] - 0.2]
        self.click("#set-margins")
        self.assertEqual(self.script(COVERED), [], "each handle can be taken")
        left, top, right, bottom = self.box(".crop-area")
        handle = lambda edge: [(a + b) / 2 for a, b in zip(*(lambda f: (f[:2], f[2:]))(  # noqa: E731
            self.box(f".crop-handle[data-edge='{edge}']")))]
        x, y = handle("l")
        self.finger((x, y), (x + 20, y), (x + 0.1 * (right - left), y))
        x, y = handle("b")
        self.finger((x, y), (x, y - 20), (x, y - 0.2 * (bottom - top)))
        self.click("#keep-margins")
        self.until(lambda: not self.shown(".cropping"), "they are kept", 6)
        self.until(lambda: abs(self.shown_of_page()[0] - wanted[0]) < OFF, "the margins are gone", 6)
        for found, share in zip(self.shown_of_page(), wanted):
            self.assertAlmostEqual(found, share, delta=0.02)
        layout = self.rehearsal.ask("otto", f"/api/scores/{self.rehearsal.score['id']}")["parts"][PART]["layout"]
        self.assertAlmostEqual(layout["crop"]["odd"][3], wanted[3], delta=0.02)
        # A musician who leads nothing cannot set them, by no address.
        body = {"part": PART, "crop": None}
        for path in (f"/api/rooms/{self.rehearsal.room_id}/crop",
                     f"/api/library/scores/{self.rehearsal.score['id']}/crop"):
            with self.assertRaises(Refused) as refusal:
                self.rehearsal.ask("otto", path, body, "PUT")
            self.assertEqual(refusal.exception.status, 403)
        # But he can look at the whole page.
        self.settings("Crop the margins")
        self.until(lambda: self.shown_of_page() == [0, 0, 1, 1], "the whole page is seen")

    def test_a_remark_in_a_margin_is_seen(self):
        self.lay({"pages": [{"page": 0}, {"page": 1}], "crop": {"odd": CROP, "even": CROP}})
        self.enter_room(part=PART)
        for found, wanted in zip(self.shown_of_page(), CROP):
            self.assertAlmostEqual(found, wanted, delta=OFF)
        room = self.rehearsal.room()
        self.rehearsal.act("ines", place={
            "id": new(), "layer": room["layers"][-1]["id"], "author": self.rehearsal.id("ines"), "part": PART,
            "page": 0, "anchor": [5000, 150], "shape": {"text": "Watch!"}, "ink": {"colour": "#c4301c", "width": 200}})
        self.until(lambda: self.shown_of_page()[1] <= 0.016, "the frame has grown", 4)
        self.assertTrue(self.shown(".leaf.shown .remark-ink .remark"))
        self.assertAlmostEqual(self.shown_of_page()[3], CROP[3], delta=OFF)

    def test_a_cropped_part_is_printed_with_its_margins_or_without(self):
        self.lay({"pages": [{"page": 0}, {"page": 1}], "crop": {"odd": CROP, "even": CROP}})
        self.enter_room(part=PART)
        self.tap(0.5)
        self.click("#members")
        address = lambda: self.script("return document.getElementById('room-print')?.href ?? ''")  # noqa: E731
        self.until(lambda: address() != "", "the part can be printed")
        self.assertNotIn("margins=0", address())
        self.click("#room-print-margins")
        self.until(lambda: "margins=0" in address(), "without its margins")
        kinds = "const found = await fetch(given[0]); return [found.status, found.headers.get('content-type')];"
        self.assertEqual(self.later(kinds, address()), [200, "application/pdf"])

    def test_facing_pages_are_cropped_and_meet_at_the_spine(self):
        self.lay({"pages": [{"page": 0}, {"page": 1}], "crop": {"odd": CROP, "even": CROP}})
        size(self.driver, LANDSCAPE)
        self.enter_room(part=PART)
        self.lies(0, 1)
        left, right = self.script("return [...document.querySelectorAll('.leaf.shown')].map((leaf) => { const f = "
                                  "leaf.getBoundingClientRect(); return [f.left, f.right, f.height]; }).sort((a, b) => "
                                  "a[0] - b[0])")
        self.assertAlmostEqual(left[1], right[0], delta=2)
        self.assertEqual(left[2], right[2])
        self.assertGreater(left[2], 0.97 * self.script("return innerHeight"))

    # -- halves and systems ---------------------------------------------------------------------------------

    def test_two_halves_meet_between_systems_of_both_pages(self):
        self.enter_room(part=PART)
        self.settings("Half pages")
        self.pedal()
        self.lies(0, 1)
        cut, end = self.script("""const { style } = document.querySelector('.leaf.ahead');
            return ['--cut', '--end'].map((name) => parseFloat(style.getPropertyValue(name)) / 100)""")
        for page, height in ((0, cut), (1, end)):
            for place in self.rehearsal.score["parts"][PART]["places"]:
                if place["page"] == page and place.get("box"):
                    _, top, _, bottom = place["box"]
                    self.assertFalse(top + 0.002 < height < bottom - 0.002, f"page {page} is cut at {height}: {place}")
        self.assertLessEqual(end, cut)
        self.assertGreater(end, 0.2)

    def test_where_a_neighbours_ink_was_there_is_paper_of_its_own_colour(self):
        self.isAlone = True
        self.driver.get(self.base + "/stand")
        colours = self.later("""const { withoutForeign } = await import("/stand/ownink.js");
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [200, 100];
            const brush = canvas.getContext("2d");
            const box = (colour, ...place) => { brush.fillStyle = colour; brush.fillRect(...place); };
            box("rgb(246 240 220)", 0, 0, 200, 100);
            for (const top of [5, 80]) { box("rgb(190 185 170)", 0, top, 200, 15); box("black", 0, top + 1, 200, 13); }
            box("rgb(190 185 170)", 90, 60, 20, 14);
            box("black", 91, 61, 18, 12); // nearer to the lower system
            withoutForeign(canvas, [0, 1], { own: [0.05, 0.2], above: null, below: [0.8, 0.95] });
            const at = (x, y) => [...brush.getImageData(x, y, 1, 1).data.slice(0, 3)];
            return [at(100, 67), at(90, 60), at(100, 12), at(50, 40)];""")
        self.assertEqual(colours, [[246, 240, 220], [246, 240, 220], [0, 0, 0], [246, 240, 220]])

    def test_the_last_rows_of_a_part_lie_one_below_the_other(self):
        self.enter_room(part=1)
        size(self.driver, PHONE)
        seen = """const frames = [...document.querySelectorAll('.leaf.shown')].map((leaf) =>
            leaf.getBoundingClientRect()).sort((a, b) => a.top - b.top); return frames"""
        self.until(lambda: self.script(seen + ".length") > 1, "systems are shown")
        for _ in range(2):
            self.pedal()
            self.settle()
            apart = self.script(seen + ".slice(1).map((frame, at) => frame.top - frames[at].bottom)")
            self.assertTrue(all(gap >= 0 for gap in apart), apart)

    def test_a_phone_shows_systems_that_follow_the_music_and_the_thumb(self):
        self.enter_room(part=PART)
        size(self.driver, PHONE)
        rows = lambda: self.script("""return [...document.querySelectorAll('.leaf.shown')].map((leaf) => { const f =
            leaf.getBoundingClientRect(), p = leaf.querySelector('.whole').getBoundingClientRect();
            return [Number(leaf.dataset.page), Math.round(f.top), f.width, p.width, (f.top - p.top) / p.height]; })
            .sort((a, b) => a[1] - b[1])""")  # noqa: E731
        self.until(lambda: len(rows()) >= 2, "systems are shown")
        first = rows()
        for _, _, width, page, _ in first:
            self.assertLessEqual(width, 391)
            self.assertGreater(page, 500)  # larger than the whole page would be
        self.pedal()
        self.until(lambda: rows()[0][4] > first[0][4] + 0.05 or rows()[0][0] > 0, "the next systems are seen")
        self.finger((80, 400), (200, 402), (340, 404))
        self.until(lambda: rows()[0][:2] == first[0][:2] and rows()[0][4] == first[0][4], "back by the thumb")
        # The music comes to a bar on the second page.
        self.rehearsal.music(80)
        places = self.rehearsal.score["parts"][PART]["places"]
        place = next(each for each in places if each["first"] <= 80 <= each["last"])
        self.until(lambda: place["page"] in [row[0] for row in rows()], "the system of the bar is seen", 6)
        # The whole page, for a player who wants it.
        size(self.driver, PORTRAIT)
        self.until(lambda: len(rows()) == 1, "a tablet shows pages")
