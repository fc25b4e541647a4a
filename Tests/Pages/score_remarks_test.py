#!/usr/bin/python3
"""Remarks of a score on a music stand: by pen and finger, with and without a room, in a real browser.

    BATON=path/to/baton Tests/Pages/score_remarks_test.py [NAME …]

A pen writes in reading, fingers turn, a palm does neither. Remarks survive a reload and a time without the server, and
come from the user's other devices. Layers of sections, sets given to others, bookmarks and the search are used as
people use them. SCORE_REMARKS_PICTURES names a folder for screenshots.
"""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import served_stands
from hall_case import size
from ink_lag import measure
from lib.waiting import hold_for
from stand_case import PHONE, PORTRAIT, StandCase

PICTURES = os.environ.get("SCORE_REMARKS_PICTURES")
SCREENS = {"1024x1366": (1024, 1366), "1366x1024": (1366, 1024), "390x844": PHONE}
AFTER_PEN = 0.6  # s after which a finger counts again
new = served_stands.new


class ScoreCase(StandCase):
    def setUp(self):
        super().setUp()
        for name in ("ines", "otto", "vera"):
            self.clear(name)

    # -- the server, as another device of the user has it ----------------------------------------------------

    @property
    def address(self):
        return f"/api/scores/{self.rehearsal.score['id']}"

    def clear(self, name):
        """Takes away what earlier tests have left of a user."""
        found = self.remarks(name)
        events = [{"v": 1, "id": new(), "erase": one["id"]} for one in found["remarks"]
                  if one["author"] == self.rehearsal.id(name)]
        events += [{"v": 1, "id": new(), "unbookmark": one["id"]} for one in found["bookmarks"]]
        events += [{"v": 1, "id": new(), "hide": {"layer": one, "isHidden": False}} for one in found["hidden"]]
        if events:
            self.rehearsal.ask(name, f"{self.address}/remarks", events)
        for layer in found["layers"]:
            if layer["kind"] == "given" or (layer["kind"] == "section" and name == "ines"):
                self.rehearsal.ask(name, f"{self.address}/layers/{layer['id']}", method="DELETE")

    def remarks(self, name):
        return self.rehearsal.ask(name, f"{self.address}/remarks?since=0")

    def kept(self, name="otto"):
        """The user's own remarks, as the server has them."""
        return [one for one in self.remarks(name)["remarks"] if one["layer"] == self.rehearsal.id(name)]

    def write(self, name="otto", part=2, page=0, layer=None, **shape):
        """A remark from elsewhere."""
        remark = {"id": new(), "layer": layer or self.rehearsal.id(name), "author": self.rehearsal.id(name),
                  "part": part, "page": page, "anchor": [3000, 3000], "shape": shape or {"stamp": "fermata"},
                  "ink": {"colour": "#c8191e", "width": 300}}
        [answer] = self.rehearsal.ask(name, f"{self.address}/remarks", {"v": 1, "id": new(), "place": remark})
        self.assertNotIn("refused", answer)
        return remark["id"]

    # -- hands ----------------------------------------------------------------------------------------------

    def spot(self, x, y):
        """A point of the page that lies there, given in shares of it, on the screen."""
        left, top, width, height = self.script(
            "const f = document.querySelector('.leaf.shown .whole').getBoundingClientRect(); return [f.left, f.top, "
            "f.width, f.height]")
        return left + x * width, top + y * height

    def pen(self, *spots, halfway=None):
        """A pen goes down at the first point, over the others, and up; what is given is done halfway."""
        places = [self.spot(*each) for each in spots]
        movements = [("mousePressed", places[0]), *[("mouseMoved", each) for each in places[1:]],
                     ("mouseReleased", places[-1])]
        for number, (kind, (x, y)) in enumerate(movements):
            if halfway and number == len(movements) // 2:
                halfway()
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "button": "left", "buttons": 0 if kind == "mouseReleased" else 1,
                "clickCount": 1, "pointerType": "pen", "force": 0.5})

    def line(self, y=0.4, left=0.3, halfway=None):
        self.pen(*[(left + 0.04 * step, y) for step in range(6)], halfway=halfway)

    def finger(self, *spots, radius=8):
        """A finger, or with a large radius a palm."""
        places = [self.spot(*each) for each in spots]
        touch = lambda kind, points: self.driver.execute_cdp_cmd(  # noqa: E731
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": x, "y": y, "radiusX": radius, "radiusY": radius} for x, y in points]})
        touch("touchStart", places[:1])
        for each in places[1:]:
            touch("touchMove", [each])
        touch("touchEnd", [])

    # -- the page -------------------------------------------------------------------------------------------

    def open_score(self, name="otto", part=2):
        self.enter_home(name)
        self.click(f"[data-score='{self.rehearsal.score['id']}'] .entry")
        self.choose_part(part)

    def choose_part(self, part):
        self.until(lambda: self.shown(f"#dialog [data-part='{part}']"), "the parts are offered")
        self.click(f"#dialog [data-part='{part}']")
        self.until(self.is_painted, "the page is painted", 8)
        self.script("document.getElementById('dialog').close()")

    def seen(self):
        return self.script("return [...document.querySelectorAll('.leaf.shown .remark:not(.ghost)')].map((each) => "
                           "each.dataset.remark)")

    def sees(self, count, claim, seconds=4):
        self.until(lambda: len(self.seen()) == count, f"{claim}: {count}, not {self.seen()}", seconds)

    def has(self, count, claim, name="otto"):
        self.until(lambda: len(self.kept(name)) == count, f"{claim}: {count}, not {len(self.kept(name))}", 8)

    def again(self):
        self.driver.get("about:blank")
        self.open()
        self.until(lambda: self.screen() == "reader" and self.is_painted(), "the music lies there again", 10)

    def tools(self):
        if not self.shown("#toolbox"):
            self.controls()
            self.click("#pencil")
        self.until(lambda: self.shown("#toolbox"), "the tools are there")

    def controls(self):
        if not self.shown("#top-bar"):
            self.finger((0.5, 0.5))
            self.until(lambda: self.shown("#top-bar"), "the controls are up")

    def layers(self):
        self.tools()
        self.click("[data-layers]")
        self.until(lambda: self.shown("#dialog .layers"), "the layers are listed")

    def type(self, selector, words):
        self.script("const field = document.querySelector(arguments[0]); field.value = arguments[1]; "
                    "field.dispatchEvent(new Event('input', { bubbles: true }))", selector, words)

    def pictures(self, name):
        """The page at three sizes, in three papers."""
        if not PICTURES:
            return
        for screen, wanted in SCREENS.items():
            size(self.driver, wanted)
            for paper in ("white", "warm", "dark"):
                self.script("document.documentElement.dataset.paper = arguments[0]", paper)
                self.settle()
                self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{screen}-{paper}.png"))
        self.script("document.documentElement.dataset.paper = 'white'")
        size(self.driver, PORTRAIT)
        self.settle()


class ScoreRemarksTest(ScoreCase):
    def test_a_pen_writes_in_reading_fingers_turn_and_a_palm_does_neither(self):
        self.open_score()
        self.line()
        self.has(1, "the pen wrote at once, on the layer that nobody else sees")
        [remark] = self.kept()
        self.assertIn("line", remark["shape"])
        self.assertAlmostEqual(remark["anchor"][1] / 10_000, 0.4, delta=0.01)
        self.sees(1, "and it is seen")
        self.assertFalse(self.shown("#toolbox"), "without the tools")
        self.lies(0)
        # Just after the pen, a hand rests on the page.
        self.finger((0.9, 0.8), radius=60)
        self.pen((0.9, 0.5))
        self.lies(1, seconds=2)  # a pen that taps turns, as a finger does
        self.has(1, "and writes nothing")
        hold_for(AFTER_PEN)  # what follows a pen sooner is its hand
        self.finger((0.1, 0.5))
        self.lies(0)
        self.finger((0.8, 0.5), (0.6, 0.5), (0.3, 0.5))
        self.lies(1)
        self.finger((0.5, 0.5), (0.7, 0.5), (0.9, 0.5), radius=60)
        self.stays(lambda: self.pages() == [1], "a palm turns nothing", 0.3)
        self.has(1, "and fingers write nothing")

    def test_what_was_foreseen_is_no_part_of_the_remark(self):
        self.open_score()
        self.script("""
            const f = document.querySelector(".leaf.shown .whole").getBoundingClientRect();
            const sheet = document.elementFromPoint(f.left + 0.3 * f.width, f.top + 0.5 * f.height);
            const at = (type, x, more = {}) => new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 7,
                pointerType: "pen", isPrimary: true, button: 0, buttons: 1, pressure: 0.5,
                clientX: f.left + x * f.width, clientY: f.top + 0.5 * f.height, ...more });
            sheet.dispatchEvent(at("pointerdown", 0.3));
            for (let step = 1; step <= 5; step += 1) {
                const x = 0.3 + 0.04 * step;
                sheet.dispatchEvent(at("pointermove", x, { coalescedEvents: [at("pointermove", x - 0.02),
                    at("pointermove", x)], predictedEvents: [at("pointermove", 0.9)] }));
            }
            sheet.dispatchEvent(at("pointerup", 0.5, { buttons: 0 }));""")
        self.has(1, "the line is kept")
        [remark] = self.kept()
        course = remark["shape"]["line"]
        self.assertAlmostEqual((remark["anchor"][0] + max(course[::2])) / 10_000, 0.5, delta=0.02)
        self.assertEqual(self.script("return document.querySelectorAll('.remark-wet, .remark-tail').length"), 0)

    def test_what_is_foreseen_lies_where_the_pen_will_be_on_a_canvas_that_goes_with_it(self):
        self.open_score()
        for zoom in ("whole", "zoomed"):
            if zoom == "zoomed":
                self.script("""document.getElementById("stage").dispatchEvent(new WheelEvent("wheel", { ctrlKey: true,
                    deltaY: -240, clientX: 300, clientY: 300, bubbles: true, cancelable: true }))""")
                self.until(lambda: self.text("#whole"), "it is zoomed")
                self.settle()
            found = self.script("""
                const stage = document.getElementById("stage").getBoundingClientRect();
                const y = stage.top + 0.5 * stage.height;
                const sheet = document.elementFromPoint(stage.left + 0.3 * stage.width, y);
                const at = (type, x, more = {}) => new PointerEvent(type, { bubbles: true, cancelable: true,
                    pointerId: 7, pointerType: "pen", isPrimary: true, button: 0, buttons: 1, pressure: 0.5,
                    clientX: x, clientY: y, ...more });
                const inked = (x) => {
                    const canvas = document.querySelector(".remark-tail"), f = canvas.getBoundingClientRect();
                    const scale = canvas.width / f.width;
                    const { data } = canvas.getContext("2d").getImageData(
                        Math.round((x - f.left) * scale) - 2, Math.round((y - f.top) * scale) - 2, 5, 5);
                    return data.some((value, place) => place % 4 === 3 && value > 0);
                };
                const ways = [];
                let x = stage.left + 0.25 * stage.width;
                sheet.dispatchEvent(at("pointerdown", x));
                for (let step = 0; step < 10; step += 1) {
                    x += 0.05 * stage.width;
                    sheet.dispatchEvent(at("pointermove", x, { predictedEvents: [at("pointermove", x + 40)] }));
                    ways.push([inked(x + 38), inked(x - 0.05 * stage.width - 4)]);
                }
                const size = document.querySelector(".remark-tail").getBoundingClientRect();
                sheet.dispatchEvent(at("pointercancel", x));
                return [ways, size.width, size.height];""")
            ways, width, height = found
            with self.subTest(zoom):
                self.assertEqual(ways, [[True, False]] * 10)
                self.assertAlmostEqual(width, 320, delta=2)
                self.assertAlmostEqual(height, 320, delta=2)

    def test_the_stroke_under_way_is_whole_on_small_canvases(self):
        self.open_score()
        sides, gaps = self.script("""
            const f = document.querySelector(".leaf.shown .whole").getBoundingClientRect();
            const sheet = document.elementFromPoint(f.left + 0.1 * f.width, f.top + 0.1 * f.height);
            const spot = (share) => [f.left + (0.1 + 0.8 * share) * f.width, f.top + (0.1 + 0.8 * share) * f.height];
            const at = (type, share) => new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 7,
                pointerType: "pen", isPrimary: true, button: 0, buttons: 1, pressure: 0.5, clientX: spot(share)[0],
                clientY: spot(share)[1] });
            sheet.dispatchEvent(at("pointerdown", 0));
            for (let step = 1; step <= 40; step += 1) sheet.dispatchEvent(at("pointermove", step / 40));
            const canvases = [...document.querySelectorAll(".remark-wet, .remark-tail")];
            const inked = ([x, y]) => canvases.some((canvas) => {
                const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
                const { data } = canvas.getContext("2d").getImageData(
                    Math.round((x - box.left) * scale) - 1, Math.round((y - box.top) * scale) - 1, 3, 3);
                return data.some((value, place) => place % 4 === 3 && value > 0);
            });
            const gaps = Array.from({ length: 401 }, (_, at) => at / 400).filter((share) => !inked(spot(share)));
            const sides = canvases.map((canvas) => canvas.getBoundingClientRect().width);
            sheet.dispatchEvent(at("pointercancel", 1));
            return [sides, gaps];""")
        self.assertEqual(gaps, [])
        self.assertGreater(len(sides), 3)
        self.assertLess(max(sides), 330, "browsers copy a changed canvas as a whole")

    def test_what_mixes_with_the_page_is_there_only_where_it_is_needed(self):
        self.open_score()
        shown = lambda: self.shown(".leaf.shown .remark-highlights")  # noqa: E731
        self.assertFalse(shown(), "no highlight: the browser need not draw the page twice for each point of a stroke")
        self.assertEqual(self.script("return getComputedStyle(document.getElementById('stage')).filter"), "none")
        remark = self.write("otto", highlight=[0, 0, 2000, 0])
        self.until(shown, "a highlight is seen")
        self.rehearsal.ask("otto", f"{self.address}/remarks", {"v": 1, "id": new(), "erase": remark})
        self.until(lambda: not shown(), "and gone")

    def test_ink_follows_the_pen(self):
        self.open_score()
        # Judged by frames, not by time, which other suites share; ink_lag.py measures the time.
        found = measure(self.driver, self.spot, strokes=1)
        self.assertGreater(found["events"], 10)
        self.assertEqual(found["missing"], 0, "the frame after each event has its ink")

    # -- with and without a room, on several devices -------------------------------------------------------

    def test_remarks_without_a_room_survive_a_reload_and_a_time_without_the_server(self):
        self.open_score()
        self.line(0.3)
        self.has(1, "it is delivered")
        self.again()
        self.sees(1, "after a reload it is there")
        self.rehearsal.wire.cut()
        self.line(0.5)
        self.sees(2, "without the server it is seen")
        self.until(lambda: self.text("#sign-outbox") == "1 remark: not sent yet", "and counted", 10)
        self.driver.get("about:blank")  # the page is gone with it
        self.assertEqual(len(self.kept()), 1)
        self.rehearsal.wire.mend()
        self.open()
        self.has(2, "once the server is back, it is delivered, once")
        self.sees(2, "and both are seen", 8)
        # Another device of the same user.
        mine = self.write(text="from the phone")
        self.until(lambda: mine in self.seen(), "what another device wrote comes by itself")
        self.assertEqual(self.kept("vera"), [])

    def test_a_stroke_during_which_the_network_goes_is_whole_and_delivered_once(self):
        self.open_score()
        self.line(0.3, halfway=self.rehearsal.wire.cut)
        self.addCleanup(self.rehearsal.wire.mend)
        self.sees(1, "it is drawn to its end")
        self.until(lambda: self.text("#sign-outbox") == "1 remark: not sent yet", "and counted", 10)
        self.line(0.5, halfway=self.rehearsal.wire.mend)
        self.has(2, "both are delivered once the network is back")
        lengths = [max(along) - min(along) for along in (remark["shape"]["line"][::2] for remark in self.kept())]
        self.assertAlmostEqual(lengths[0], lengths[1], delta=50)
        self.assertGreater(lengths[0], 1_500, "a fifth of the page's width")
        self.sees(2, "and seen once each")

    def test_a_room_shows_the_scores_own_remarks_to_their_author_alone(self):
        mine, hers = self.write("otto"), self.write("vera")
        self.enter_room("otto", part=2)
        self.until(lambda: self.seen() == [mine], f"only one's own, not {self.seen()}")
        self.line(0.6)
        self.has(2, "what is written there privately belongs to the score")
        room = self.rehearsal.room()
        self.assertEqual(room["remarks"] + room["ownRemarks"], [])
        self.assertNotIn(hers, self.seen())

    # -- for everybody ---------------------------------------------------------------------------------------

    def everybody(self, name="vera"):
        """What is written for everybody in the room, as somebody reads it with or without the room."""
        page = self.remarks(name)
        rooms = {layer["id"] for layer in page["layers"] if layer["kind"] == "everybody"}
        return [one for one in page["remarks"] if one["layer"] in rooms]

    def middles(self):
        """The middle of each remark that is seen, in shares of its page, with the height of its letters."""
        return self.script("""const page = document.querySelector(".leaf.shown .whole").getBoundingClientRect();
            return [...document.querySelectorAll(".leaf.shown .remark:not(.ghost)")].map((each) => {
                const box = each.getBoundingClientRect();
                return [each.dataset.remark, ((box.left + box.right) / 2 - page.left) / page.width,
                    ((box.top + box.bottom) / 2 - page.top) / page.height, box.height / page.width];
            })""")

    def choose_layer(self, key):
        self.until(lambda: self.script("return document.querySelector('[data-layer=part]')?.dataset.why === undefined"
                                       " && document.querySelector('[data-layer=part]') !== null"), "it is open")
        self.click(f"[data-layer='{key}']")

    def test_a_remark_for_everybody_is_in_every_part_at_its_bar_in_the_room_and_without_it(self):
        full, target = self.rehearsal.score["parts"][0], self.rehearsal.score["parts"][2]
        place = next(each for each in full["places"] if each["box"][1] > 0.4)
        bar, (left, top, right, bottom) = place["first"], place["box"]
        self.enter_room("ines", part=0)
        self.tools()
        self.choose_layer("public")
        self.assertIn("in every part", self.script("return document.querySelector('[data-layer=public]').title"))
        self.assertIn(full["name"], self.script("return document.querySelector('[data-layer=part]').title"))
        self.click("[data-tool='line']")
        across = lambda share: left + share * (right - left)  # noqa: E731
        for count, (layer, down) in enumerate((("public", 0.5), ("part", 0.7)), 1):
            self.choose_layer(layer)
            self.pen(*[(across(share), top + down * (bottom - top)) for share in (0.2, 0.4, 0.6, 0.8)])
            self.until(lambda: len(self.everybody()) == count, f"{layer}: it is delivered", 8)
        one = next(each for each in self.everybody() if each.get("parts") == "all")
        self.assertEqual(len(self.rehearsal.room()["remarks"]), 2, "programs in the room are told")
        label = f"return document.querySelector(\"[data-remark='{one['id']}']\").getAttribute('aria-label')"
        self.assertIn("everybody, in all parts", self.script(label))
        small = {"id": new(), "layer": one["layer"], "author": self.rehearsal.id("ines"), "part": 0, "page": 0,
                 "anchor": [round(10_000 * across(0.3)), round(10_000 * (top + bottom) / 2)], "parts": "all",
                 "shape": {"text": "dim."}, "ink": {"colour": "#c8191e", "width": 60}}
        self.rehearsal.ask("ines", f"{self.address}/remarks", {"v": 1, "id": new(), "place": small})
        self.forget()
        there = next(each for each in target["places"] if each["first"] <= bar <= each["last"])
        begin, upper, end, lower = there["box"]
        for enter in (lambda: self.enter_room("otto", part=2), lambda: self.open_score("vera", part=2)):
            enter()
            self.sees(2, "those for all parts are seen in another part", 8)
            for name, across_page, down, height in self.middles():
                self.assertIn(name.split("@")[0], (one["id"], small["id"]))
                self.assertTrue(begin - 0.02 <= across_page <= end + 0.02, (across_page, begin, end))
                self.assertTrue(upper - 3 * (lower - upper) <= down <= lower, (down, upper, lower))
                if name.startswith(small["id"]):
                    self.assertGreater(height, 0.016, "large enough to read")
            self.forget()

    def test_what_is_for_everybody_is_written_without_the_server_and_survives_a_reload(self):
        self.enter_room("otto", part=2)
        self.tools()
        self.choose_layer("public")
        self.click("[data-tool='line']")
        self.rehearsal.wire.cut()
        self.addCleanup(self.rehearsal.wire.mend)
        self.line(0.4)
        self.sees(1, "it is seen at once")
        self.until(lambda: self.text("#sign-outbox") == "1 remark: not sent yet", "and counted", 10)
        self.driver.get("about:blank")
        self.assertEqual(self.everybody("vera"), [])
        self.rehearsal.wire.mend()
        self.open()
        self.until(lambda: len(self.everybody("vera")) == 1, "it is delivered, once", 12)
        self.sees(1, "and seen once", 8)

    def test_what_a_user_wrote_is_not_seen_or_sent_by_the_next_one_on_the_device(self):
        self.open_score("otto")
        self.rehearsal.wire.cut()
        self.line(0.3)
        self.sees(1, "it is seen")
        self.rehearsal.wire.mend()
        self.has(1, "it is otto's")
        hold_for(AFTER_PEN)
        self.controls()
        self.click("#leave")
        self.click("#user")
        self.click("#sign-out")
        self.sign_in("vera")
        self.click(f"[data-score='{self.rehearsal.score['id']}'] .entry")
        self.choose_part(2)
        self.stays(lambda: self.seen() == [], "vera sees nothing of it", 0.5)
        self.assertEqual(self.kept("vera"), [])

    # -- with others ---------------------------------------------------------------------------------------

    def section(self, *writers, parts=(2,)):
        layer = new()
        self.rehearsal.ask("ines", f"{self.address}/layers/{layer}", {
            "name": "Bowings", "parts": list(parts), "writers": [self.rehearsal.id(each) for each in writers]}, "PUT")
        return layer

    def test_bowings_of_the_section_are_written_seen_and_hidden(self):
        layer = self.section("otto")
        self.open_score("otto")
        self.tools()
        self.click(f"[data-layer='{layer}']")
        self.click("[data-tool='line']")
        self.line(0.35)
        self.until(lambda: [one["layer"] for one in self.remarks("vera")["remarks"]] == [layer],
                   "all who have the score get it")
        self.pictures("section")
        self.layers()
        self.until(lambda: self.shown(f"[data-shown='{layer}']"), "the layer is listed")
        self.pictures("layers")
        self.click(f"[data-shown='{layer}']")
        self.until(lambda: self.remarks("otto")["hidden"] == [layer], "it is hidden on all of this user's devices")
        self.sees(0, "and here")
        self.assertEqual(self.remarks("vera")["hidden"], [])

    def test_the_concertmaster_is_named_makes_the_sections_layer_and_corrects_it(self):
        otto = self.rehearsal.id("otto")
        self.addCleanup(lambda: self.rehearsal.ask("ines", f"{self.address}/leaders/{otto}", {"parts": []}, "PUT"))
        self.open_score("ines")
        self.layers()
        self.click("#section-leaders")
        self.click(f"[data-leader='{otto}']")
        self.click("#dialog input[name='part'][value='2']")
        self.click("#save-leader")
        self.until(lambda: self.remarks("otto")["leads"] == [2], "the librarian has named the leader")
        self.pictures("leaders")
        self.forget()
        self.open_score("otto")
        self.layers()
        self.assertFalse(self.shown("#section-leaders"), "leaders name no leaders")
        self.click("#new-section")
        self.until(lambda: self.shown("#save-section"), "the leader is asked for its name")
        self.assertEqual(self.script("return [...document.querySelectorAll(\"#dialog input[name='part']\")]"
                                     ".map((each) => each.value)"), ["2"], "of the own section alone")
        self.pictures("section-form")
        self.click(f"#dialog input[name='writer'][value='{self.rehearsal.id('vera')}']")
        self.click("#save-section")
        sections = lambda: [one for one in self.remarks("vera")["layers"] if one["kind"] == "section"]  # noqa: E731
        self.until(sections, "all who have the score get the layer")
        [layer] = sections()
        self.assertTrue(layer["mayWrite"], "vera writes on it")
        written = self.write("vera", layer=layer["id"])
        self.script("document.getElementById('dialog').close()")
        self.until(lambda: written in self.seen(), "the leader sees what she wrote")
        self.tools()
        self.click(f"[data-layer='{layer['id']}']")
        self.click("[data-tool='line']")
        self.line(0.6)
        hers = lambda: [one["id"] for one in self.remarks("vera")["remarks"]]  # noqa: E731
        self.until(lambda: len(hers()) == 2, "the leader writes without being named")
        self.click("[data-tool='eraser']")
        self.pen((0.2, 0.3), (0.3, 0.3), (0.4, 0.3))
        self.until(lambda: written not in hers(), "and takes back what another wrote")
        self.click("[data-undo]")
        self.until(lambda: written in hers(), "undone, it is hers again")

    def test_a_part_is_printed_with_the_layers_that_are_chosen(self):
        self.write("otto", text="breathe")
        layer = self.section()
        self.open_score("otto")
        self.layers()
        self.click("#print-remarks")
        self.until(lambda: self.shown("#print-part"), "the layers are offered")
        self.pictures("print")
        address = lambda: self.script("return new URL(document.getElementById('print-part').href).search")  # noqa: E731
        named = address().split("layers=")[1].split("&")[0].split(",")
        self.assertEqual(set(named), {self.rehearsal.id("otto"), layer})
        self.click(f"#dialog input[name='layer'][value='{layer}']")
        self.assertIn(f"layers={self.rehearsal.id('otto')}&", address())

    def test_a_part_is_printed_without_its_margins_if_one_says_so(self):
        address = f"/api/library/scores/{self.rehearsal.score['id']}/parts/2/layout"
        frame = [0.06, 0.05, 0.94, 0.95]
        self.rehearsal.ask("ines", address, {"layout": {"pages": [{"page": 0}, {"page": 1}],
                                                        "crop": {"odd": frame, "even": frame}}}, "PUT")
        self.addCleanup(self.rehearsal.ask, "ines", address, {"layout": None}, "PUT")
        self.open_score("otto")
        self.layers()
        self.click("#print-remarks")
        search = "return new URL(document.getElementById('print-part').href).searchParams.get('margins')"
        self.until(lambda: self.shown("#print-part"), "the print is offered")
        self.assertIsNone(self.script(search), "paper keeps its margins")
        self.click("#dialog input[name='margins']")
        self.assertEqual(self.script(search), "0")

    def test_a_set_is_given_to_several_in_one_act_and_taken_as_a_layer(self):
        self.write("vera", text="breathe")
        self.write("vera", page=0)
        self.open_score("vera")
        self.layers()
        self.until(lambda: self.shown(".layers .actions button"), "it can be given")
        self.click(".layers .actions button")
        self.click("#gift-all")
        self.click("#give")
        received = lambda: self.rehearsal.ask("otto", "/api/gifts")["received"]  # noqa: E731
        self.until(received, "it waits for those it was given to")
        waiting = received()
        self.assertEqual([(each["from"], each["remarks"]) for each in waiting], [("Vera", 2)])
        self.rehearsal.ask("otto", f"/api/gifts/{waiting[0]['id']}/answer", {"takes": True})
        self.assertEqual(len(self.remarks("otto")["remarks"]), 2)
        self.assertEqual(self.kept(), [])
        self.until(lambda: self.shown("[data-gift]"), "the giver sees the answers")
        self.rehearsal.ask("vera", f"/api/gifts/{waiting[0]['id']}", method="DELETE")

    def exported(self, folder):
        """The file that the link of the own layer saves."""
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.layers()
        self.until(lambda: self.shown(".layers a[download]"), "it can be exported")
        self.click(".layers a[download]")
        files = lambda: list(folder.glob("*.json"))  # noqa: E731
        self.until(files, "the file is saved")
        return files()[0]

    def choose_file(self, path):
        """The dialog is drawn anew when the server has answered it."""
        def is_chosen():
            self.driver.find_element("css selector", "#import-file").send_keys(str(path))
            return True

        self.until(is_chosen, "a file can be chosen")

    def taken(self, name="otto"):
        return [one for one in self.remarks(name)["layers"] if one["kind"] == "given"]

    def test_a_set_is_exported_and_imported_by_another_player(self):
        self.write("vera", text="breathe")
        self.write("vera", part=0, page=0, stamp="down-bow")
        self.open_score("vera")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-set-"))
        self.addCleanup(shutil.rmtree, folder)
        path = self.exported(folder)
        self.assertIn(self.rehearsal.score["title"], path.name.replace("_", ":"))
        content = json.loads(path.read_text())
        self.assertEqual([len(content["remarks"]), content["by"]], [2, "Vera"])
        self.assertNotIn(self.rehearsal.id("vera"), path.read_text())
        self.forget()
        self.open_score("otto")
        self.layers()
        self.choose_file(path)
        self.until(self.taken, "the set is a layer")
        self.sees(1, "what was written for this part is on the page")
        self.assertEqual([self.kept(), len(self.taken("vera"))], [[], 0])
        self.until(lambda: len(self.driver.find_elements("css selector", "[data-layer-row]")) == 2, "it is listed")
        # Once more: it is asked about, and may be left.
        self.choose_file(path)
        self.until(lambda: "already" in self.text("#dialog"), "that it is there is told")
        self.click("#import-not")
        self.assertEqual(len(self.taken()), 1)
        self.choose_file_again(path)
        self.click("#import-anyway")
        self.until(lambda: len(self.taken()) == 2, "a second one is taken when one says so")

    def choose_file_again(self, path):
        self.layers()
        self.choose_file(path)

    def test_a_set_of_another_score_is_asked_about_and_a_damaged_one_is_refused_with_sentences(self):
        self.write("vera", text="breathe")
        content = self.rehearsal.ask("vera", f"{self.address}/remarks/set")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-set-"))
        self.addCleanup(shutil.rmtree, folder)

        def file(name, text):
            (folder / name).write_text(text)
            return folder / name

        other = {**content, "score": {**content["score"], "id": new(), "title": "Another work"}}
        beyond = {**content, "remarks": [{**content["remarks"][0], "page": 500}]}
        cases = (("half.json", json.dumps(content)[:200], "damaged"), ("picture.json", "\x89PNG", "damaged"),
                 ("empty.json", "", "damaged"), ("list.json", "[]", "damaged"),
                 ("other.json", json.dumps({"format": "else"}), "no set of remarks"),
                 ("none.json", json.dumps({**content, "remarks": []}), "no remarks"),
                 ("beyond.json", json.dumps(beyond), "Remark 1 is on page 501"))
        self.open_score("otto")
        for name, text, sentence in cases:
            with self.subTest(name):
                self.layers()
                self.choose_file(file(name, text))
                self.until(lambda sentence=sentence: sentence in self.text("#dialog-body"),
                           f"{name} is told as: {sentence}")
                self.assertIn(f"{name}: nothing of it was taken", self.text("#dialog-body"))
                self.assertEqual(self.taken(), [])
                self.script("document.getElementById('dialog').close()")
        self.layers()
        self.choose_file(file("work.json", json.dumps(other)))
        self.until(lambda: "Another work" in self.text("#dialog-body"), "the other score is named")
        self.pictures("import-other")
        self.click("#import-not")
        self.stays(lambda: self.taken() == [], "nothing is taken", 0.5)

    def test_a_layer_that_is_hidden_stays_hidden_and_the_list_goes_on(self):
        self.write("otto", text="breathe")
        self.open_score("otto")
        self.layers()
        self.until(lambda: "1 remark" in self.text(".layers"), "it is counted")
        self.click(f"[data-shown='{self.rehearsal.id('otto')}']")
        self.sees(0, "it is hidden")
        self.write("otto", page=0)
        # The box has the focus.
        self.until(lambda: "2 remarks" in self.text(".layers"), "what comes from another device is counted")
        box = "return [document.activeElement.dataset.shown, document.activeElement.checked]"
        self.assertEqual(self.script(box), [self.rehearsal.id("otto"), False])

    def test_bookmarks_and_texts_are_found_from_home_and_open_the_score_there(self):
        found = self.write("otto", part=2, page=1, text="Vibrato, senza fretta")
        self.open_score("otto")
        self.controls()
        self.click("#bookmarks")
        self.type("#bookmark-name", "Solo of the oboe")
        self.click("#add-bookmark")
        self.until(lambda: [one["name"] for one in self.remarks("otto")["bookmarks"]] == ["Solo of the oboe"],
                   "it is on the server")
        self.until(lambda: self.shown("[data-bookmark]"), "and on the list")
        self.pictures("bookmarks")
        self.script("document.getElementById('dialog').close()")
        self.click("#leave")
        self.until(lambda: self.screen() == "home", "home is shown")
        self.type("#seek", "oboe")
        self.until(lambda: "Solo of the oboe" in self.text("#found-remarks"), "the bookmark is found")
        self.type("#seek", "senza vibr")
        self.until(lambda: self.shown(f"[data-found='{found}']"), "the text is found")
        self.pictures("found")
        self.click(f"[data-found='{found}']")
        self.lies(1, seconds=8)
        self.until(lambda: self.script("return document.querySelector('.remark.sought')?.dataset.remark") == found,
                   "and pointed out")


if __name__ == "__main__":
    unittest.main(verbosity=2)
