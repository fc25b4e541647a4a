"""Cases of the table 5.3 of “Tune Teacher” about whole tabs; 19 is turning the device."""

import json
import pathlib
import shutil
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import press, resize
from practice_case import GUITAR, PHONE, TABLET, PracticeCase, beat, pulse, tab


class TabsCaseTest(PracticeCase):
    """Saving, opening, deleting; staves; clearing; zoom."""

    def test_case_11_save_tab_and_replay(self):
        self.setting(metronome=False)
        self.library()
        self.click("#new-tab")
        self.until(lambda: self.script("return document.querySelector('.tab-line') !== null"), "it is open")
        self.keys("t", "3", Keys.ARROW_DOWN, Keys.ARROW_DOWN, "0", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "7")
        self.fill("#title", "Smoke on the water")
        saved, tab_id = self.saved(), self.current()
        self.assertEqual(saved["tracks"][0]["bars"][0]["voices"][0]["beats"], [
            beat("1/8", (1, 3), (3, 0)), beat("1/4"), beat("1/8", (3, 7))])
        self.click("#leave")
        self.until(lambda: "Smoke on the water" in self.text("#tabs"), "it is in the library")
        self.until(lambda: self.ask("GET", f"/{tab_id}").value.get("tab") == saved, "the server has it", 8)
        self.open(tab_id)
        self.play()
        self.until(lambda: len(self.sounds()) == 3, "it plays")
        self.near(self.sounds(), [0, 0, 0.75])

    def test_case_12_open_tab_with_the_sequence_and_lengths_it_was_saved_with(self):
        music = tab([beat("1/8", (1, 5), dots=1), beat("1/16", (6, 3))], [], [], [], [], [],
                    heads=[{"time": [4, 4]}, {}, {}, {}, {"repeatStart": True}, {"repeats": 2}])
        tab_id = self.open(music)
        staves = self.script("return document.querySelectorAll('.stave-number').length")
        self.assertEqual(staves, 3)
        for _ in range(2):
            self.open(tab_id)
            self.assertEqual(self.script("return document.querySelectorAll('.stave-number').length"), staves)
            self.assertEqual(self.kept(tab_id)["tab"], music)
        self.assertEqual(self.script("return [...document.querySelectorAll('.fret')].map((e) => e.textContent)"),
                         ["5", "3"])

    def test_what_was_understood_of_a_file_is_shown_before_it_is_imported(self):
        brought = pathlib.Path(tempfile.mkdtemp()) / "brought.json"
        self.addCleanup(shutil.rmtree, brought.parent)
        music = tab([beat("1/4", (1, 0), (2, 1)), beat("1/4")], [beat("1/4", (3, 2))], tempo=96, title="Brought")
        music["tracks"][0]["capo"] = 2
        music["bars"][0]["time"] = [3, 4]
        # As an editor of Windows writes it.
        brought.write_bytes(json.dumps(music).encode("utf-16"))
        self.library()
        field = self.driver.find_element("id", "import-file")
        for wanted in (False, True):
            field.send_keys(str(brought))
            self.until(lambda: "Brought" in self.text("dialog[open] h2"), "what was understood is shown")
            rows = self.script("return [...document.querySelectorAll('.understood > *')].map((e) => e.textContent)")
            self.assertEqual(rows, [
                "Bars", "2", "Meter", "3/4", "Tempo", "96 quarters a minute", "Notes", "3",
                "Strings", "6 strings, the lowest first: E2 A2 D3 G3 B3 E4 (Guitar)", "Capo", "fret 2"])
            self.click("#import-take" if wanted else "#import-leave")
            self.until(lambda: not self.script("return Boolean(document.querySelector('dialog[open]'))"),
                       "it is closed")
            if not wanted:
                self.assertNotIn("Brought", self.text("#tabs"))
        self.until(lambda: self.script("return document.body.dataset.view") == "tab", "the tab is open")

    def test_remarks_about_a_file_are_a_list(self):
        self.library()
        said = self.later("""
            const { confirmImport } = await import("/practice/preview.js");
            const { newTab, instruments } = await import("/practice/instruments.js");
            const answer = confirmImport("a.txt", newTab("", instruments[4]), ["Line 3 is no string.", "No tempo."]);
            const found = [...document.querySelectorAll("#import-remarks li")].map((each) => each.textContent);
            document.querySelector("#import-leave").click();
            return [found, await answer];""")
        self.assertEqual(said, [["Line 3 is no string.", "No tempo."], False])

    def test_a_triplet_that_is_chosen_before_writing_is_written(self):
        self.open(tab([], []))
        self.script("document.querySelector('[data-role=triplet]').click()")
        self.keys("t", "5", Keys.ARROW_RIGHT, "7", Keys.ARROW_RIGHT, "r")
        triplet = {"value": "1/8", "tuplet": [3, 2]}
        self.assertEqual(self.beats(), [{**triplet, "notes": [{"string": 1, "fret": 5}]},
                                        {**triplet, "notes": [{"string": 1, "fret": 7}]}, triplet])

    def test_bars_are_copied_cut_pasted_and_put_between(self):
        self.open(tab([beat("1/4", (1, 1))], [beat("1/4", (2, 2))], [], []))
        frets = lambda: [[note["fret"] for each in bar.get("voices", [{}])[0].get("beats", [])
                          for note in each.get("notes", [])] for bar in self.saved()["tracks"][0]["bars"]]
        control = lambda *keys: press(self.driver, *keys, modifier=Keys.CONTROL)
        control("c", Keys.ARROW_RIGHT, "v")
        self.assertEqual(frets(), [[1], [1], [2], [], []])
        control("x")
        self.assertEqual(frets(), [[1], [2], [], []])
        control(Keys.INSERT)
        self.assertEqual(frets(), [[1], [], [2], [], []])
        control("z")
        self.assertEqual(frets(), [[1], [2], [], []])

    def test_a_tuning_words_sections_endings_and_bends_are_written_and_seen(self):
        self.open(tab([beat("1/4", (1, 5))], [], []))
        self.dialog()
        for field, text in (("tuning", "D2 A2 D3 G3 B3 E4"), ("section", "Verse"), ("chord", "Am7"),
                            ("lyrics", "la"), ("endings", "1, 2")):
            self.fill(f"#{field}", text)
        self.click("#bend-3")
        self.script("document.getElementById('capo').value = '2';"
                    "document.getElementById('capo').dispatchEvent(new Event('change'))")
        self.close_dialog()
        saved = self.saved()
        track, bar = saved["tracks"][0], saved["bars"][0]
        self.assertEqual((track["strings"][-1], track["capo"]), (38, 2))
        self.assertEqual((bar["section"], bar["endings"]), ("Verse", [1, 2]))
        written = self.beats()[0]
        self.assertEqual((written["chord"], written["lyrics"]), ("Am7", ["la"]))
        self.assertEqual(written["notes"][0]["techniques"]["bend"][-1]["semitones"], "3")
        seen = self.script("return document.querySelector('.tab-line').textContent")
        for words in ("Capo 2 · D A D G B E", "Verse", "Am7", "la", "1½", "1, 2."):
            self.assertIn(words, seen)

    def test_notes_that_may_be_mistakes_are_marked_on_the_tab(self):
        self.library()
        music = tab([beat("1/4", (1, 5)), beat("1/4", (3, 2))], [beat("1/2"), beat("1/2", (6, 3), (5, 2))])
        found = self.later("""
            const { fretWords, markedTab } = await import("/practice-follow/tabsheet.js");
            const { completed } = await import("/shared/tabmodel.js");
            const music = completed(arguments[0]);
            const finding = (printed, share, pitch, verdict) => ({ printed, share, pitch, verdict });
            const findings = [finding(1, 0.25, 57, "wrong"), finding(2, 0.5, 43, "missing"), finding(2, 0, 40, "late")];
            const marked = markedTab(music, 600, findings);
            return [[...marked.querySelectorAll(".note-mark")].map((mark) => mark.getAttribute("class")),
              findings.map((each) => fretWords(music, each)), markedTab(music, 600, findings.slice(2))];""", music)
        self.assertEqual(found, [["note-mark wrong", "note-mark missing"],
                                 ["string 3, fret 2", "string 6, fret 3", ""], None])

    def test_case_13_delete_tab(self):
        tab_id = self.put(tab([], title="Away with it"))
        self.library()
        self.until(lambda: any(each["id"] == tab_id for each in self.ask("GET", "").value["tabs"]), "the server has it")
        self.library()
        self.until(lambda: "Away with it" in self.text("#tabs"), "it is in the library")
        self.click(f"#tabs li[data-id='{tab_id}'] button[aria-label^='Delete']")
        self.until(lambda: "Away with it" not in self.text("#tabs"), "it is out of the library")
        self.library()
        self.until(lambda: self.kept(tab_id) is None, "it is off the disk")
        self.until(lambda: all(each["id"] != tab_id for each in self.ask("GET", "").value["tabs"]), "and the server's")

    def test_case_15_add_and_remove_staff_and_check_limits_of_amount_of_staffs(self):
        self.open(tab([beat("1/4", (1, 1))], []))
        self.dialog()
        for _ in range(2):
            self.click("#add-stave")
        self.assertEqual(len(self.saved()["bars"]), 6)
        for _ in range(5):
            self.click("#remove-stave")
        self.close_dialog()
        self.assertEqual((len(self.saved()["bars"]), self.beats()[0]["notes"][0]["fret"]), (2, 1))
        self.assertIn("keeps its first stave", self.text("#notices"))

    def test_case_16_clear_tab(self):
        self.open(tab([beat("1/4", (1, 1), (6, 3)), beat("1/8")], [beat("1/2", (3, 4))], [],
                      heads=[{"time": [3, 4], "repeatStart": True}, {"repeats": 4}, {"time": [4, 4]}]))
        before = self.saved()
        self.dialog()
        self.click("#clear")
        self.close_dialog()
        after = self.saved()
        self.assertEqual(after["bars"], before["bars"])
        self.assertEqual(after["tracks"][0]["strings"], GUITAR)
        self.assertEqual(self.script("return document.querySelectorAll('.fret, .stem, .rest').length"), 0)
        # A note that is written now looks as before.
        self.keys("4")
        self.assertEqual(self.script("return document.querySelector('.fret').getAttribute('font-size')"), "13")
        press(self.driver, "z", modifier=Keys.CONTROL)
        press(self.driver, "z", modifier=Keys.CONTROL)
        self.assertEqual(self.saved()["tracks"], before["tracks"])

    def test_case_19_zoom_and_scroll_while_rotating(self):
        self.open(pulse(60))
        self.choose_bar(40)
        look = """
            const sheet = document.getElementById("sheet"), box = sheet.getBoundingClientRect();
            const cursor = document.querySelector(".cursor")?.getBoundingClientRect();
            const widest = Math.max(...[...document.querySelectorAll(".tab-line")].map((each) => each.clientWidth));
            return [innerWidth, document.documentElement.scrollWidth <= innerWidth, widest <= sheet.clientWidth + 1,
              box.height > 60, Boolean(cursor) && cursor.top < box.bottom && cursor.bottom > box.top];"""
        for size in (PHONE, PHONE[::-1], TABLET, TABLET[::-1], PHONE):
            resize(self.driver, size)
            for button, times in (("#zoom-in", 7), ("#zoom-out", 8), ("#zoom-in", 3)):
                for _ in range(times):
                    self.click(button)
                self.until(lambda: self.script(look) == [size[0], True, True, True, True],
                           f"{size}: the page and the cursor are seen after {button}: {self.script(look)}")
        self.picture("practice-phone")
        # All that a finger needs has 44 pixels.
        small = self.script("""
            return [...document.querySelectorAll("#tab button, #tab input")].filter((each) => each.checkVisibility())
              .map((each) => [each.id || each.textContent, each.getBoundingClientRect()])
              .filter(([, box]) => box.width < 44 || box.height < 44).map(([name, box]) => `${name} ${box.width}`);""")
        self.assertEqual(small, [])

    def test_case_24_the_open_tab_function_on_the_start_view_opens_the_tab(self):
        self.put(tab([beat("1/4", (1, 9))], title="From the start"))
        self.library()
        self.until(lambda: "From the start" in self.text("#tabs"), "it is in the library")
        self.script("""
            [...document.querySelectorAll("#tabs .open")].find((each) => each.textContent.includes("From the start"))
              .click();""")
        self.until(lambda: self.script("return document.querySelector('.fret')?.textContent") == "9", "it is open")
        self.assertEqual(self.script("return [document.getElementById('shelf').hidden, "
                                     "document.getElementById('tab').hidden]"), [True, False])

