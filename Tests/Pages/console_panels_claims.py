"""The drawers: keys, programme, cue editor, messages, check."""


from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import resize
from console_case import DeskCase

PANELS = {"p": "Programme", "c": "Cues", "e": "Messages", "k": "Pre-show check", "q": "Outputs", "?": "Keys"}
# Finds the element on top at the middle and near the corners of a button: if it is not the button itself, the button is
# covered.
COVERED = """
const bad = [];
for (const css of ["#go", ".fire [data-action=panic]"]) {
  const button = document.querySelector(css); const box = button.getBoundingClientRect();
  for (const [x, y] of [[.5, .5], [.05, .15], [.95, .15], [.05, .85], [.95, .85]]) {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    if (!top || !button.contains(top))
                    bad.push(`${css} at ${x},${y}: ${top ? top.id || top.className : "off the screen"}`);
  }
}
return bad;"""


class RoomForGoAndPanicTest(DeskCase):
    """GO and panic are free at every width, whatever is open and whatever is wrong."""

    def tearDown(self):
        resize(self.driver, "laptop")
        super().tearDown()

    def covered(self, at):
        self.assertEqual(self.script(COVERED), [], at)
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth - innerWidth"), 0, at)
        self.assertLessEqual(
            self.script("const m = document.querySelector('main'); return m.scrollWidth - m.clientWidth"), 0, at)

    def test_no_panel_covers_go_and_panic_at_any_width(self):
        for size in [(1440, 900), (1280, 800), (1024, 768), (820, 1180), (768, 1024), (390, 844), (640, 400),
                     (1280, 600)]:
            resize(self.driver, size)
            self.open()
            self.covered(f"{size}, nothing open")
            for key, title in PANELS.items():
                self.press(key)
                self.until(lambda: self.shown("panel") and self.text("panel-title") == title, title)
                self.covered(f"{size}, {title}")
                self.press(Keys.ESCAPE)
                self.until(lambda: not self.shown("panel"), f"{title} is closed")

    def test_arming_cues_again_takes_no_room_from_go_and_panic(self):
        self.assertEqual(self.command("piece", "3", "p:22"), 200)
        self.script_line("play 8")
        # A place far from the beginning is believed after eight seconds.
        self.until(lambda: any(cue["fired"] for cue in self.snapshot()["cues"]["list"]), "the music fires a cue", 14)
        self.assertEqual(self.command("goto", "p:0"), 200)
        for size in [(1440, 900), (1280, 800), (820, 1180), (390, 844)]:
            resize(self.driver, size)
            self.until(lambda: self.shown("rearm"), f"{size}: cues that were done lie ahead, arming them is offered")
            self.covered(f"{size}, cues to arm again")
            self.assertLessEqual(self.script("return document.querySelector('#go').getBoundingClientRect().bottom - "
                                             "innerHeight"), 0, size)
            self.assertIn("ahead done: arm again", self.text("rearm"))
        self.script("document.getElementById('rearm').click()")
        self.until(lambda: not self.shown("rearm"), "armed")

    def test_faults_and_a_panic_take_no_room_from_go_and_panic(self):
        self.scenario("fault")
        self.scenario("input-lost")
        self.until(lambda: self.open_faults() == 2, "both faults")
        self.assertEqual(self.command("panic"), 200)
        for size in [(1440, 900), (820, 1180), (390, 844)]:
            resize(self.driver, size)
            self.until(lambda: self.shown("panic-banner"), "the banner")
            self.covered(f"{size}, two faults and a panic")
            self.press("c")
            self.until(lambda: self.shown("panel"), "the panel")
            self.covered(f"{size}, two faults, a panic and the cue editor")
            self.assertTrue(self.script("""
                const e = document.querySelector('.panic-banner button'), b = e.getBoundingClientRect();
                return e.contains(document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2))"""),
                            "the way out of the panic")
            self.press("c")

    def test_go_keeps_its_distance_from_the_edge_whatever_stands_by(self):
        cue = next(cue for cue in self.snapshot()["cues"]["list"] if cue["notes"])
        self.assertEqual(self.command("standby", cue["id"]), 200)
        self.addCleanup(self.command, "panic-over")
        for wrong in ("nothing", "a panic", "no connection"):
            if wrong == "a panic":
                self.assertEqual(self.command("panic"), 200)
            elif wrong == "no connection":
                self.assertEqual(self.command("panic-over"), 200)
                self.server.wire.cut()
                self.addCleanup(self.server.wire.mend)
            shown = {"nothing": "standby-notes", "a panic": "panic-banner", "no connection": "cut"}[wrong]
            self.until(lambda css=shown: self.shown(css), wrong, 10)
            for size in [(1920, 1080), (1440, 900), (1280, 800), (1280, 720), (1024, 768), (820, 1180), (390, 844)]:
                resize(self.driver, size)
                self.settle()
                below = self.script("""return ["#go", ".fire .panic"].map((css) => Math.round(
                    innerHeight - document.querySelector(css).getBoundingClientRect().bottom))""")
                self.assertEqual(below, [8, 8], f"{size}, {wrong}")
                self.assertEqual(self.script("""
                    return [...document.querySelectorAll(".fire, .standby, .standby-steps button")].filter((e) =>
                        e.getClientRects().length && e.scrollHeight > e.clientHeight + 1).map((e) => e.className)"""),
                                 [], f"{size}, {wrong}")

    def test_key_hints_stay_when_something_is_wrong(self):
        hints = """return [...document.querySelectorAll('.controls .group > button kbd, .fire kbd')].filter((e) => {
            const b = e.getBoundingClientRect();
            return b.width < 8 || b.height < 8 || getComputedStyle(e).clipPath !== 'none'; }).length"""
        self.assertEqual(self.script(hints), 0, "without a fault")
        self.scenario("fault")
        self.until(lambda: "10.0.0.20" in self.text("faults"), "the fault bar")
        self.assertEqual(self.script(hints), 0, "with a fault")


class EscapeTest(DeskCase):
    """Esc first closes what is open; only with nothing open it is panic."""

    def panics(self):
        return [words for words in self.commands() if words[0] == "panic"]

    def test_closing_two_panels_by_habit_does_not_stop_the_show(self):
        for key in ("p", "q"):
            self.press(key)
            self.until(lambda: self.shown("panel"), "a panel")
            self.press(Keys.ESCAPE)
            self.until(lambda: not self.shown("panel"), "Esc closes it")
        self.press(Keys.ESCAPE)
        self.until(lambda: "has just closed" in self.notices(), "one Esc too many says what it did")
        self.stays(lambda: self.panics() == [] and self.body("panic") == "none", "no panic for a second", 1.0)
        # At once, because a slow machine may need a second between two presses.
        self.press(Keys.ESCAPE, Keys.ESCAPE)
        self.until(lambda: self.body("panic") == "safe", "the next Esc is panic")
        self.stays(lambda: self.body("panic") == "safe", "a hand that presses twice stops nothing", 1.0)
        self.press(Keys.ESCAPE)
        self.until(lambda: self.body("panic") == "stop", "after a second the hard stop")

    def test_a_field_then_its_panel_then_panic(self):
        self.press("e")
        self.until(lambda: self.shown("panel"), "the messages")
        self.script("document.querySelector('#panel input[name=title]').focus()")
        self.press(Keys.ESCAPE)
        self.assertTrue(self.shown("panel"), "the field is left")
        self.press(Keys.ESCAPE)
        self.until(lambda: not self.shown("panel"), "the panel is closed")
        self.assertEqual(self.panics(), [])

    def test_a_place_about_to_be_chosen_is_put_back(self):
        self.scenario("lost")
        self.until(lambda: self.shown("help"), "help")
        self.press("2", Keys.ESCAPE)
        self.stays(lambda: self.panics() == [], "no panic", 0.8)
        self.assertNotIn(["choose", "2"], self.commands())


class PanelTest(DeskCase):
    """The technician's work before and between the pieces."""

    anew = ("test_in_a_second_round_the_next_piece_is_offered_though_it_was_played",)

    def bind(self, action):
        self.script("document.querySelector(`[data-bind='${arguments[0]}']`).click()", action)

    def test_the_overlay_rebinds_refuses_conflicts_and_resets(self):
        self.press("?")
        self.until(lambda: self.shown("panel") and self.text("panel-title") == "Keys", "overlay")
        self.bind("hold")
        self.press("t")
        self.assertIn("already means", self.text("panel-body"))
        self.bind("hold")
        self.press("7")
        self.assertIn("cannot be bound", self.text("panel-body"))
        self.bind("hold")
        self.press("x")
        self.assertIn("is now X", self.text("panel-body"))
        self.press("?")
        self.until(lambda: not self.shown("panel"), "closed")
        self.press("h")
        self.stays(lambda: self.body("mode") == "following", "the old key is free", 0.3)
        self.press("x")
        self.until(lambda: self.body("mode") == "held", "the new key holds")
        self.open(clean=False)
        self.press("x")
        self.until(lambda: self.body("mode") == "following", "kept over a reload")
        self.press(Keys.F1)
        self.until(lambda: self.shown("panel"), "F1 opens the overlay too")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Reset all "
                    "keys').click()")
        self.press(Keys.F1)
        self.press("h")
        self.until(lambda: self.body("mode") == "held", "reset")

    def test_programme_starts_a_piece_and_switches(self):
        self.press("p")
        piece = self.need(self.facts.other_piece(), "the programme has no other piece with sections")
        section = piece["sections"][-1]
        self.driver.find_element(By.CSS_SELECTOR, f".piece:nth-child({piece['index'] + 1}) .start input").send_keys(
            section["label"] + Keys.ENTER)
        self.until(lambda: self.text("piece-name") == piece["name"] and self.text("section") == section["label"],
                   "that piece from there")
        self.script("[...document.querySelectorAll('.toggle')].find((b) => "
                    "b.textContent.startsWith('Rehearsal')).click()")
        self.until(lambda: "Rehearsal" in self.text("show-flags"), "rehearsal")

    def follows(self, piece):
        follower = self.snapshot()["follower"]
        return (follower["piece"], follower["state"]) == (piece, "following")

    def test_in_a_second_round_the_next_piece_is_offered_though_it_was_played(self):
        self.need(self.server or None, "needs a show in which no piece was played")
        pieces = [piece["name"] for piece in self.snapshot()["programme"]["pieces"]]
        for number in (1, 2, 4, 3):
            self.assertEqual(self.command("piece", str(number)), 200)
            self.until(lambda: self.follows(number - 1), "music is followed in it, so that it counts as played")  # noqa: B023
        self.press("p")
        self.until(lambda: self.script("return document.querySelectorAll('.piece[data-state=played]').length") == 3,
                   "played out of order")
        button = "return document.querySelector('#panel .primary')"
        self.assertEqual(self.script(button + ".textContent"), f"Start the next piece: {pieces[3]}")
        self.assertFalse(self.script(button + ".disabled"))
        self.script(button + ".click()")
        self.until(lambda: self.text("piece-name") == pieces[3], "it begins")

    def test_cues_are_edited_refused_and_saved(self):
        self.press("c")
        rows = "#panel .cue-table tbody tr"
        count = len(self.facts.cues)
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, rows)) == count, "the table")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Add a "
                    "cue').click()")
        place = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:last-child [data-column=place] input")
        place.clear()
        place.send_keys("4711")
        self.script("document.querySelector('#panel .primary').click()")
        self.assertIn("the name is empty", self.text("panel-body"))
        self.driver.find_element(By.CSS_SELECTOR,
                                 f"{rows}:last-child [data-column=name] input").send_keys('Bells, "far"')
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: "4711" in self.script("return document.querySelector('#panel .say').textContent"),
                   "the server's sentence")
        self.assertIn("Bells", self.script("return document.querySelector('#panel .say').textContent"), "names the cue")
        self.assertNotRegex(self.script("return document.querySelector('#panel .say').textContent"), r"line \d",
                            "not a line of a file")
        self.assertTrue(self.script("return document.activeElement === arguments[0]", place),
                        "the cursor is in its row")
        place.clear()
        place.send_keys(str(self.facts.bar(0.7)))
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: self.script("return document.querySelector('#panel .say').textContent") == "Saved.", "saved")
        self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, rows)), count + 1)
        self.until(lambda: 'Bells, "far"' in self.text("cue-list"), "in the list")

    def cue_names(self):
        return self.script("return [...document.querySelectorAll('#panel [data-column=name] input')]"
                           ".map((field) => field.value)")

    def stored_names(self, piece):
        return self.later("const r = await fetch(`/api/cues/${given[0]}`); return (await r.json()).map((c) => c.name);",
                          piece)

    def rename_first_cue(self, name):
        field = self.driver.find_element(
            By.CSS_SELECTOR, "#panel .cue-table tbody tr:first-child [data-column=name] input")
        field.clear()
        field.send_keys(name)

    def open_cues(self):
        self.press("c")
        self.until(lambda: len(self.cue_names()) == len(self.facts.cues), "the table")

    def test_cues_that_somebody_else_saved_meanwhile_are_kept(self):
        self.open_cues()
        before = self.cue_names()
        self.later("""
            const { rowsOf, textOf } = await import('/console/cuerows.js');
            const rows = rowsOf(await (await fetch(`/api/cues/${given[0]}.csv`)).text());
            rows[1].name = 'from another console';
            await fetch(`/api/cues/${given[0]}`, {method: 'PUT', headers: {'X-Baton': '1', 'Content-Type': 'text/csv'},
                body: textOf(rows)});""", self.facts.index)
        self.rename_first_cue("from here")
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: "Somebody else has saved" in self.text("panel-body"), "it is said")
        both = sorted(["from here", "from another console", *before[2:]])
        self.assertEqual(sorted(self.cue_names()), both)
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: self.script("return document.querySelector('#panel .say').textContent") == "Saved.", "saved")
        self.assertEqual(sorted(self.stored_names(self.facts.index)), both)

    def test_cues_stay_with_their_piece_if_the_programme_is_put_in_another_order(self):
        self.open_cues()
        here, there = self.facts.index, (self.facts.index + 1) % len(self.facts.pieces)
        before, other = self.stored_names(here), self.stored_names(there)
        self.rename_first_cue("still this piece's")
        order = """
            const now = await (await fetch('/api/programme')).json();
            const folders = now.pieces.map((piece) => piece.folder);
            [folders[given[0]], folders[given[1]]] = [folders[given[1]], folders[given[0]]];
            const r = await fetch('/api/programme', {method: 'PUT', headers: {'X-Baton': '1', 'Content-Type':
                'application/json'}, body: JSON.stringify({title: now.title, revision: now.revision, pieces: folders,
                intermissions: now.intermissions})});
            return [r.status, await r.text()];"""
        self.assertEqual(self.later(order, here, there)[0], 200)
        self.addCleanup(lambda: self.later(order, here, there))
        self.until(lambda: self.script("return document.querySelector('#panel select').value") == str(there),
                   "the menu shows the piece's new number")
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: self.script("return document.querySelector('#panel .say').textContent") == "Saved.", "saved")
        self.assertEqual(sorted(self.stored_names(there)), sorted(["still this piece's", *before[1:]]))
        self.assertEqual(self.stored_names(here), other, "the other piece's cues are as they were")

    def test_cues_that_could_not_be_read_are_not_replaced(self):
        self.script("window.realFetch = fetch; window.fetch = (path, ...rest) =>"
                    " String(path).includes('.csv')"
                    " ? Promise.reject(new TypeError('gone')) : realFetch(path, ...rest)")
        self.press("c")
        self.until(lambda: "could not be read" in self.text("panel-body"), "it is said")
        disabled = "return [...document.querySelectorAll('#panel button')].filter((b) => ['Save', 'Add a cue', " \
            "'Import CSV'].includes(b.textContent)).map((b) => b.disabled)"
        self.assertEqual(self.script(disabled), [True, True, True])
        self.script("window.fetch = realFetch; window.dispatchEvent(new Event('online'))")
        self.press("Escape")
        self.open_cues()
        self.rename_first_cue("changed")
        self.script("window.fetch = (path, ...rest) => String(path).includes('.csv')"
                    " ? Promise.reject(new TypeError('gone')) : realFetch(path, ...rest)")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Undo all changes')"
                    ".click()")
        self.until(lambda: "Your changes are still here" in self.text("panel-body"), "it is said")
        self.assertEqual(self.cue_names()[0], "changed")
        self.assertEqual(len(self.cue_names()), len(self.facts.cues))

    def test_an_editor_is_offered_only_the_kinds_that_the_server_takes(self):
        self.need_script()
        self.server.add_editor()
        self.sign_in("emma")
        self.addCleanup(self.sign_in, "ines")
        self.open()
        self.press("c")
        self.until(lambda: "a technician’s to write" in self.text("panel-body"), "it is said once")
        table = "#panel .cue-table tbody tr"
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, table)) == len(self.facts.cues), "the table")
        self.script(
            "[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Add a cue').click()")
        rows = self.script("""return [...document.querySelectorAll('#panel .cue-table tbody tr')].map((row) => {
          const kind = row.querySelector('[data-column=kind] select');
          const locked = [...row.querySelectorAll('input, select, button')].map((field) => field.disabled);
          const offered = [...kind.options].map((option) => option.value);
          return [kind.value, offered, locked.every(Boolean), locked.some(Boolean)];
        })""")
        self.assertGreater(len(rows), 1)
        for kind, offered, locked, partly in rows:
            if kind in ("osc", "mqtt"):
                self.assertEqual((offered, locked), ([kind], True), "a technician's cue stays as it is")
            else:
                self.assertEqual((sorted(offered), partly), (["message", "note", "slide"], False))
        self.assertIn(rows[-1][0], ("note", "slide", "message"))

    def test_what_is_typed_into_a_new_cue_takes_the_place_of_the_bar_that_stands_there(self):
        self.press("c")
        rows = "#panel .cue-table tbody tr"
        count = len(self.facts.cues)
        self.until(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, rows)) == count, "the table")
        self.script("[...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'Add a "
                    "cue').click()")
        place = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:last-child [data-column=place] input")
        self.assertNotEqual(place.get_attribute("value"), "", "the bar that is played now is offered")
        self.driver.switch_to.active_element.send_keys("61")
        self.assertEqual(place.get_attribute("value"), "61")

    def test_a_mistake_names_the_cue(self):
        self.press("c")
        rows = "#panel .cue-table tbody tr"
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, rows), "the table")
        field = self.driver.find_element(By.CSS_SELECTOR, f"{rows}:first-child [data-column=earliness_ms] input")
        name = self.driver.find_element(By.CSS_SELECTOR,
                                        f"{rows}:first-child [data-column=name] input").get_attribute("value")
        field.clear()
        field.send_keys("soon")
        self.script("document.querySelector('#panel .primary').click()")
        self.assertIn(f"The cue “{name}”", self.script("return document.querySelector('#panel .say').textContent"))

    def test_a_message_is_previewed_refused_sent_and_withdrawn(self):
        self.press("e")
        self.until(lambda: self.shown("panel"), "panel")
        title = self.driver.find_element(By.CSS_SELECTOR, "#panel input[name=title]")
        title.send_keys("Late | start")
        self.assertIn("“|”", self.text("panel-body"))
        self.assertTrue(self.script("return document.querySelector('#panel [type=submit]').disabled"))
        title.clear()
        title.send_keys("Late start")
        self.assertIn("Late start", self.script("return document.querySelector('.phone-title').textContent"))
        title.send_keys(Keys.ENTER)
        self.until(lambda: self.script("return !document.querySelector('.current').hidden"), "on the phones")
        self.script("document.querySelector('.current button').click()")
        self.until(lambda: self.script("return document.querySelector('.current').hidden"), "withdrawn")

    def test_the_check_ends_with_a_verdict_and_sentences(self):
        self.press("k")
        self.script("document.querySelector('#panel .primary').click()")
        self.until(lambda: self.script("return document.querySelector('.verdict').dataset.state") is not None
                   and self.script("return document.querySelector('.verdict').textContent") != "", "a verdict", 60)
        self.assertGreaterEqual(self.script("return document.querySelectorAll('.check-item').length"), 5)
        self.assertTrue(self.script(
            "return [...document.querySelectorAll('.check-item')].every((e) => "
            "e.querySelector('.check-text').textContent)"))

    def test_the_check_names_what_keeps_the_evening_from_working(self):
        self.press("k")
        now = "return document.querySelector('.check-now').textContent"
        self.until(lambda: self.shown("panel"), "the check")
        self.assertEqual(self.script(now), "")
        for words, said in (("rehearsal on", "rehearsal"), ("lock on", "locked"), ("panic", "Panic"),
                            ("panic", "Hard stop")):
            self.assertEqual(self.command(*words.split()), 200)
            self.until(lambda: said in self.script(now), said)
        for words in ("panic-over", "lock off", "rehearsal off"):
            self.command(*words.split())
        for words, said, back in (("blackout on", "black", "blackout off"), ("freeze on", "frozen", "freeze off"),
                                  ("hold", "held", "resume")):
            self.assertEqual(self.command(*words.split()), 200)
            self.until(lambda: said in self.script(now), said)
            self.command(*back.split())
        self.until(lambda: self.script(now) == "", "nothing is in the way")

    def test_what_a_check_found_in_the_way_is_marked_as_over_when_it_is(self):
        self.assertEqual(self.command("blackout", "on"), 200)
        self.press("k")
        self.script("document.querySelector('#panel .primary').click()")
        item = """return [...document.querySelectorAll('.check-item')]
            .find((e) => e.querySelector('.check-title').textContent === 'The show')?.dataset.state"""
        self.until(lambda: self.script(item) == "fail", "the black screens are found", 60)
        self.until(lambda: "Checked at " in self.text("panel-body"), "with the time")
        self.command("blackout", "off")
        self.until(lambda: self.script(item) == "over", "marked as over")
        self.assertIn("Over now. At ", self.text("panel-body"))
        self.assertIn("Run the check again", self.text("panel-body"))

    def test_text_from_the_server_is_never_markup(self):
        self.assertEqual(self.command("message", "<img src=x onerror=alert(1)>", "<b>x</b>", "AUTO", ""), 200)
        self.press("e")
        self.until(lambda: "<b>x</b>" in self.text("panel-body"), "shown as text")
        self.assertEqual(self.script("return document.querySelectorAll('.current img, .current b').length"), 0)
        self.command("withdraw")
