"""Tabs are kept without the server and on two devices; bad input."""

import contextlib

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from practice_case import PracticeCase, beat, pulse, tab


class KeepingTest(PracticeCase):
    """A written tab is kept: without the server, and on two devices."""

    def test_it_works_offline_and_syncs_later_without_loss(self):
        self.library()
        self.later("await navigator.serviceWorker.ready; return 0")
        self.until(lambda: self.later("return (await caches.keys()).length > 0 && Boolean(await caches.match("
                                      "'/practice/main.js'))"), "the page is kept", 8)
        tab_id = self.open(tab([beat("1/4", (1, 2))], [], title="On the train"))
        self.until(lambda: self.kept(tab_id)["version"] == 1, "the server has it")
        self.server.stop()
        try:
            self.driver.get("about:blank")
            self.driver.get(f"{self.base}/practice#/{tab_id}")
            self.until(lambda: self.text(".fret") == "2", "it opens without the server", 8)
            self.keys(Keys.ARROW_RIGHT, "7", Keys.ARROW_RIGHT, "9")
            saved = self.saved()
            self.play()
            self.until(lambda: len(self.sounds()) == 3, "it plays without the server")
            self.click("#stop")
            # A tab that the server has learned stays open, because the page that follows needs the server.
            self.later("""
                const { changed } = await (await (await import("/practice/store.js")).Store.open()).read(given[0]);
                localStorage.setItem("baton-practice-following",
                  JSON.stringify({ [given[0]]: { folder: "tab-x", changed } }));""", tab_id)
            self.dialog()
            self.click("#follow-me")
            self.until(lambda: "does not answer" in self.text("#notices"), "it says that the server is missing")
            self.assertEqual(self.current(), tab_id)
            self.click("#leave")
            self.until(lambda: "not on the server yet" in self.text("#tabs"), "it says what is only here")
            self.click("#new-tab")
            self.until(lambda: self.current() not in ("", tab_id), "a new tab is made")
            self.keys("1", "1")
            other = self.current()
            self.saved()
        finally:
            self.server.start()
        self.script("dispatchEvent(new Event('online'))")
        self.until(lambda: self.ask("GET", f"/{tab_id}").value.get("tab") == saved, "the change is on the server", 8)
        self.until(lambda: self.ask("GET", f"/{other}").status == 200, "and so is the new tab", 8)
        # Another device, with nothing in it, gets all.
        self.later("indexedDB.deleteDatabase('baton-practice'); return 0")
        self.library()
        self.until(lambda: "On the train" in self.text("#tabs"), "the other device has it", 8)

    def test_a_tab_changed_on_two_devices_becomes_two(self):
        tab_id = self.open(tab([], title="Both"))
        self.until(lambda: self.kept(tab_id)["version"] == 1, "the server has it")
        # A page that is not seen does not look for newer versions, so that both change the same one.
        self.script("Object.defineProperty(document, 'hidden', { value: true })")
        elsewhere = tab([beat("1/1", (1, 24))], title="Both")
        self.assertEqual(self.ask("PUT", f"/{tab_id}?base=1&title=Both", elsewhere).status, 200)
        self.keys("5")
        self.until(lambda: self.current() != tab_id, "this one goes on as a copy", 8)
        copy = self.current()
        self.keys(Keys.ARROW_RIGHT, "6")
        self.until(lambda: len(self.beats()) == 2, "it goes on being written")
        self.until(lambda: (self.ask("GET", f"/{copy}").value.get("tab") or {}).get("tracks") ==
                   self.saved()["tracks"], "and is on the server", 8)
        self.assertEqual(self.ask("GET", f"/{tab_id}").value["tab"], elsewhere)
        self.assertEqual(self.kept(tab_id)["tab"], elsewhere)
        self.assertRegex(self.saved()["title"], r"^Both \(copy of \d+ \w+, [\d:]+\)$")
        title = "return document.getElementById('title').value"
        self.assertEqual(self.script(title), self.saved()["title"])
        self.until(lambda: [each["title"] for each in self.ask("GET", "").value["tabs"] if each["id"] == copy] ==
                   [self.saved()["title"]], "the server's list tells the two apart", 8)
        # Undo goes back in the notes and not to the title of the other one.
        self.click("#undo")
        self.assertIn("(copy of", self.saved()["title"])

    def test_an_open_tab_takes_up_what_another_device_changes(self):
        tab_id = self.open(tab([], title="Both"))
        self.until(lambda: self.kept(tab_id)["version"] == 1, "the server has it")
        elsewhere = tab([beat("1/1", (1, 24))], title="Both")
        self.assertEqual(self.ask("PUT", f"/{tab_id}?base=1&title=Both", elsewhere).status, 200)
        self.until(lambda: self.text(".fret") == "24", "it is shown without a touch", 10)
        self.keys(Keys.ARROW_UP, "5")
        self.until(lambda: self.kept(tab_id)["version"] == 3, "the next change goes on from it", 8)
        self.assertEqual(self.current(), tab_id, "no copy was made")

    @contextlib.contextmanager
    def another_window(self):
        """Opens a further window, which is closed at the end."""
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")
        try:
            yield
        finally:
            self.driver.switch_to.window(self.driver.window_handles[-1])
            self.driver.close()
            self.driver.switch_to.window(first)

    def test_two_windows_of_a_browser_show_the_same_tab(self):
        tab_id = self.open(tab([beat("1/4", (1, 3))], [], title="Twice"))
        first = self.driver.current_window_handle
        with self.another_window():
            self.open(tab_id)
            self.keys("9")
            self.saved()
            self.driver.switch_to.window(first)
            self.until(lambda: self.text(".fret") == "9", "the other window shows it")
            self.keys(Keys.ARROW_RIGHT, "7")
            self.assertEqual([note["notes"][0]["fret"] for note in self.beats()], [9, 7])
            self.assertEqual(self.current(), tab_id, "no copy was made")
            self.driver.switch_to.window(self.driver.window_handles[-1])
            self.until(lambda: self.script("return document.querySelectorAll('.fret').length") == 2, "and back")

    def test_a_title_that_is_typed_stays_while_another_window_changes_the_tab(self):
        tab_id = self.open(tab([beat("1/4", (1, 3))], [], title="Twice"))
        first = self.driver.current_window_handle
        title = "return document.getElementById('title').value"
        self.script("document.getElementById('title').focus(); document.getElementById('title').select()")
        self.keys(*"Thrice")
        with self.another_window():
            self.open(tab_id)
            self.keys("9")
            self.saved()
            self.driver.switch_to.window(first)
            self.until(lambda: self.text(".fret") == "9", "the other window's note is shown")
            self.assertEqual(self.script(title), "Thrice")
            self.assertEqual(self.script("return document.activeElement.id"), "title", "and can be written on")
            self.keys(*" now", Keys.ENTER)
            kept = self.saved()
            self.assertEqual([kept["title"], self.beats()[0]["notes"][0]["fret"]], ["Thrice now", 9])
            self.assertEqual(self.current(), tab_id, "no copy was made")
            # A title that nobody typed in is the newest one when its field is left.
            self.driver.switch_to.window(self.driver.window_handles[-1])
            self.until(lambda: self.script(title) == "Thrice now", "the other window has the title")
            self.script("document.getElementById('title').focus()")
            self.driver.switch_to.window(first)
            self.keys(*" again", Keys.ENTER)
            self.saved()
            self.driver.switch_to.window(self.driver.window_handles[-1])
            self.until(lambda: self.script("return document.title").startswith("Thrice now again"), "it is there")
            self.script("document.getElementById('sheet').focus()")
            self.until(lambda: self.script(title) == "Thrice now again", "it is shown")

    def test_the_day_in_the_name_of_a_new_tab_is_written_as_in_the_list(self):
        self.library()
        self.click("#new-tab")
        self.until(lambda: self.current() != "", "a new tab is made")
        title = self.saved()["title"]
        day = self.script("return new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })")
        self.assertEqual(title, f"Tab {day} {self.script('return new Date().getFullYear()')}")
        self.click("#leave")
        self.until(lambda: title in self.text("#tabs") and f"{day}," in self.text("#tabs"), "both stand in the list")

    def test_undo_and_redo_go_through_all_that_was_done(self):
        self.open(tab([], []))
        states = [self.saved()]
        for keys in (["1", "2"], [Keys.ARROW_RIGHT, "t", "5"], ["h"], ["."], [Keys.ARROW_DOWN, "7"], [Keys.DELETE]):
            self.keys(*keys)
            states.append(self.saved())
        for state in reversed(states[:-1]):
            while self.saved() != state:
                self.assertFalse(self.script("return document.getElementById('undo').disabled"), state)
                self.click("#undo")
        while not self.script("return document.getElementById('redo').disabled"):
            self.click("#redo")
        self.assertEqual(self.saved(), states[-1])


class BadInputTest(PracticeCase):
    def test_a_tab_of_50_mb_is_refused_with_a_sentence(self):
        self.library()
        self.script("""
            const file = new File([new Uint8Array(50 << 20)], "huge.gp5");
            const drop = new DataTransfer(); drop.items.add(file);
            document.getElementById("shelf").dispatchEvent(new DragEvent("drop", { dataTransfer: drop }));""")
        self.until(lambda: "has 50 MB" in self.text("#notices"), "it says why")

    def test_the_remarks_on_an_import_keep_their_letters(self):
        self.library()
        self.script("""
            const note = "<pitch><step>C</step><octave>4</octave></pitch><duration>4</duration>";
            const drop = new DataTransfer();
            drop.items.add(new File([`<score-partwise><part-list><score-part id="P1"><part-name>Flöte</part-name>
              </score-part></part-list><part id="P1"><measure number="1"><attributes><divisions>1</divisions>
              </attributes><note>${note}</note></measure></part></score-partwise>`], "Ständchen 100%.musicxml"));
            document.getElementById("shelf").dispatchEvent(new DragEvent("drop", { dataTransfer: drop }));""")
        self.until(lambda: self.current() != "", "it is brought", 8)
        self.until(lambda: "“Flöte”" in self.text("#notices"), "the part is named as it is written")

    def test_what_is_no_tab_is_refused_with_a_sentence(self):
        self.library()
        for content in ("", "{", "[]", '{"format":"baton-tab","version":2}',
                        '{"format":"baton-tab","version":1,"bars":[{"time":[0,4]}],"tracks":[]}'):
            self.script("""
                document.getElementById("notices").replaceChildren();
                const drop = new DataTransfer(); drop.items.add(new File([arguments[0]], "a.json"));
                document.getElementById("shelf").dispatchEvent(new DragEvent("drop", { dataTransfer: drop }));""",
                        content)
            self.until(lambda: self.script("return Boolean(document.querySelector('.notice[data-tone=bad]'))"),
                       f"“{content}” is refused")
        self.assertEqual(self.script("return document.body.dataset.view"), "shelf")

    def test_a_damaged_tab_is_refused_by_the_server_and_hides_no_other(self):
        bad = self.ask("PUT", "/zzzzzzzz?base=0&title=x&shared=1", {})
        self.assertEqual((bad.status, bad.value["code"]), (422, "bad-tab"))
        # As an older server took it.
        self.put({"title": "Broken", "tracks": [None]})
        self.put(tab([beat("1/4", (1, 2))], title="Whole"))
        self.library()
        row = "[...document.querySelectorAll('#tabs li')].find((each) => each.textContent.includes(arguments[0]))"
        self.until(lambda: self.script(f"return Boolean({row})", "Whole"), "the other tab is shown")
        self.assertIn("damaged", self.script(f"return {row}.textContent", "Broken"))
        self.script(f"{row}.querySelector('.open').click()", "Broken")
        self.until(lambda: "cannot be opened" in self.text("#notices"), "it says why it does not open")
        self.assertEqual(self.script("return document.body.dataset.view"), "shelf")
        self.script(f"{row}.querySelector('.danger-text').click()", "Broken")
        self.until(lambda: self.script(f"return !{row}", "Broken"), "its owner deletes it")

    def test_without_a_sound_output_the_page_says_so_and_goes_on(self):
        self.open(pulse(1))
        self.script("window.breakSound = true")
        self.driver.find_element(By.ID, "play").click()
        self.until(lambda: "gives no sound" in self.text("#notices"), "it says so")
        self.assertEqual(self.state, "idle")
        self.keys("9")
        self.assertEqual(self.beats()[0]["notes"][0]["fret"], 9)
        self.script("window.breakSound = false")
        self.play()
