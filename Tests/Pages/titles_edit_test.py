#!/usr/bin/python3
"""Titles are edited in /edit against the recording, in a real browser against a real server.

    BATON=path/to/baton Tests/Pages/titles_edit_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import json
import os
import pathlib
import shutil
import statistics
import sys
import unittest
import urllib.error
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import ENGINE, resize
from page_case import PageCase, pictures_folder
from scripted import Scripted

ODE = "beethoven-symphony-9-ode-to-joy-variations"
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}
PICTURES = None
# The numbers of the rows, their bars and their first texts, as far as they are built.
ROWS = """return [...document.querySelectorAll(".titles > li")].map((row) => [
    row.querySelector(".bar-input")?.value ?? "", row.querySelector("textarea")?.value ?? row.innerText])"""


class EditCase(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(ODE))

    def setUp(self):
        shutil.rmtree(pathlib.Path(self.server.data) / "titles", ignore_errors=True)
        self.server.begin_anew()
        resize(self.driver, SIZES["desk"])
        # Removes edits that an earlier test left unsaved.
        self.driver.get(f"{self.base}/shared/mark.svg")
        self.script("localStorage.clear()")

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def ask(self, path, body=None):
        request = urllib.request.Request(self.base + path, method="GET" if body is None else "POST",
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"X-Baton": "1", "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def titles(self):
        return self.ask("/api/titles/0")["titles"]

    def change(self, number, **fields):
        """Somebody else's edit of one title."""
        read = self.ask("/api/titles/0")
        title = read["titles"][number - 1] | fields
        keys = ("texts", "place", "lead", "fadeIn", "fadeOut", "doubleCut", "position", "note", "label")
        self.ask("/api/titles/0/edits", {"base": read["revision"], "index": number - 1, "remove": 1,
                                         "insert": [{key: title[key] for key in keys}]})

    def open(self, count=13):
        concert = self.ask("/api/edit/concerts")[0]["id"]
        piece = next(node["id"] for node in self.ask(f"/api/edit/concerts/{concert}")["nodes"]
                     if node["kind"] == "piece")
        self.driver.get(f"{self.base}/edit#/{concert}/titles/{piece}")
        self.driver.refresh()
        self.until(lambda: len(self.script(ROWS)) == count, f"{count} titles are there", 10)

    def field(self, number, language="en"):
        return self.driver.find_element(
            By.CSS_SELECTOR, f".titles > li:nth-child({number}) textarea[data-language='{language}']")

    def state(self):
        return self.script("return document.getElementById('saved').dataset.state")

    def is_saved(self, seconds=6):
        self.until(lambda: self.state() == "saved", f"it is saved, not {self.state()}", seconds)

    def picture(self, name, sizes=tuple(SIZES)):
        for size in sizes:
            resize(self.driver, SIZES[size])
            self.settle()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), SIZES[size][0], size)
            if PICTURES:
                self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])


class EditTest(EditCase):
    def test_what_is_typed_is_saved_in_the_show_and_for_the_next_one(self):
        self.open()
        self.picture("titles-edit")
        field = self.field(2)
        field.send_keys(Keys.END, " At all.")
        self.until(lambda: self.titles()[1]["texts"]["en"].endswith("At all."), "the server has it")
        self.is_saved()
        self.assertEqual(self.titles()[1]["texts"]["de"], "kaum ein Fenster ist schon hell.")
        kept = pathlib.Path(self.server.data) / "titles" / f"{ODE}.csv"
        self.until(lambda: kept.exists() and "At all." in kept.read_text(), "the file has it too")
        self.press("z", modifier=Keys.CONTROL)
        self.until(lambda: self.titles()[1]["texts"]["en"] == "hardly a window is lit.", "and it is taken back")

    def test_one_key_sets_the_bar_while_one_listens(self):
        self.open()
        self.script("document.activeElement.blur()")
        self.press(Keys.HOME, *[Keys.ARROW_RIGHT] * 5)
        self.until(lambda: "bar 6" in self.script("return document.querySelector('[data-does=title-here]').innerText"),
                   "the recording is at bar 6")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, "h")
        self.until(lambda: self.titles()[1]["measure"] == 6, "the second title comes there")
        self.until(lambda: self.script("return document.querySelector('.titles > [data-now]')"
                                       "?.querySelector('.number').innerText") == "3", "the next is chosen")
        self.press("z", modifier=Keys.CONTROL)
        self.until(lambda: self.titles()[1]["measure"] == 5, "it is taken back")

    def test_a_bar_that_goes_back_stays_as_written_and_the_rest_is_saved(self):
        self.open()
        self.script("""
            const bar = document.querySelector(".titles > li:nth-child(3) .bar-input");
            bar.value = "2"; bar.dispatchEvent(new Event("change"));""")
        self.until(lambda: self.state() == "refused", "the bar is refused")
        self.picture("titles-edit-refused", ("desk",))
        self.field(6).send_keys(Keys.END, " So.")
        self.until(lambda: self.titles()[5]["texts"]["en"].endswith("So."), "another title is saved all the same")
        row = self.script("const row = document.querySelector('.titles > li:nth-child(3)');"
                          "return [row.querySelector('.bar-input').value, row.innerText]")
        self.assertEqual(row[0], "2")
        self.assertIn("earlier bar", row[1])

    def test_titles_are_put_in_divided_and_taken_out(self):
        self.open()
        field = self.field(3)
        field.send_keys(Keys.HOME, *[Keys.ARROW_RIGHT] * len("One is whistling,"))
        self.press(Keys.ENTER, modifier=Keys.ALT)
        self.until(lambda: len(self.titles()) == 14, "the title is divided")
        texts = [title["texts"].get("en") for title in self.titles()]
        self.assertEqual(texts[2:4], ["One is whistling,", "another hears it,"])
        self.script("document.querySelector('.titles > li:nth-child(4) [data-does=remove]').click()")
        self.until(lambda: len(self.titles()) == 13, "one is taken out")
        self.script("document.querySelector('.titles > li:nth-child(1) [data-does=move-down]').click()")
        self.until(lambda: self.state() == "refused", "a title does not go before an earlier bar")

    def test_two_editors_lose_nothing(self):
        self.open()
        self.change(3, texts={"de": "Einer pfeift, ein andrer hört ihn,", "en": "One whistles, another hears,"})
        self.field(3, "de").send_keys(Keys.END, " ganz leise")
        self.until(lambda: "leise" in self.titles()[2]["texts"]["de"], "both languages are saved", 6)
        self.assertEqual(self.titles()[2]["texts"]["en"], "One whistles, another hears,")
        self.until(lambda: self.script(ROWS)[2][1].endswith("leise"), "and shown")
        self.change(5, texts={"de": "Von jemand anderem", "en": "By somebody else"})
        self.field(5).send_keys(Keys.END, " by me")
        self.until(lambda: self.driver.find_elements(By.CSS_SELECTOR, "dialog[open]"), "the second is asked", 6)
        self.picture("titles-edit-conflict", ("desk",))
        self.assertEqual(self.titles()[4]["texts"]["en"], "By somebody else", "nothing is overwritten unasked")
        self.script("document.querySelector('[data-does=take-mine]').click()")
        self.until(lambda: self.titles()[4]["texts"]["en"].endswith("by me"), "the choice is saved", 6)

    def test_what_is_typed_while_the_server_is_away_is_saved_when_it_is_back(self):
        self.open()
        self.server.kill()
        self.field(1).send_keys(Keys.END, " Still.")
        self.until(lambda: self.state() == "waiting", "it is not saved yet", 8)
        self.driver.refresh()
        self.server.command_line = [each for each in self.server.command_line if each != "--new"]
        self.server.start()
        self.driver.refresh()
        self.until(lambda: self.titles()[0]["texts"]["en"].endswith("Still."), "it is saved after a reload", 12)


    def test_titles_that_somebody_else_left_unsaved_here_are_told(self):
        self.script(f"""localStorage.setItem("baton.edit.titles.Ada.{ODE}.x", JSON.stringify(
            {{ beat: 0, by: "Ada", folder: "{ODE}", server: [], rows: [] }}))""")
        self.open()
        self.until(lambda: "Ada left changes in this browser that are not saved. They go out when Ada signs in here."
                   in self.script("return document.getElementById('notices').textContent"), "it is said")
        self.assertIn("Ada", self.script("return Object.keys(localStorage).join()"), "and they are kept")

    def test_what_is_kept_of_the_titles_says_whose_it_is(self):
        self.open()
        self.server.kill()
        self.field(1).send_keys(Keys.END, " Still.")
        self.until(lambda: self.state() == "waiting", "it is not saved yet", 8)
        self.assertEqual(self.later(f"""
            const {{ peopleWithTitles: others }} = await import("/edit/titlebook.js");
            const me = JSON.parse(Object.entries(localStorage).find(([key]) => key.includes("titles."))[1]).by;
            return [others("{ODE}", me).length, others("{ODE}", me + "!"), others("elsewhere", me + "!")]
                .map((one) => one.length ?? one);"""), [0, 1, 0])
        self.server.command_line = [each for each in self.server.command_line if each != "--new"]
        self.server.start()
        self.is_saved(12)


class LongTest(EditCase):
    def test_fifteen_hundred_titles(self):
        rows = "".join(f",Titel {n} von sehr vielen,Title {n} of very many\n" for n in range(1, 1501))
        request = urllib.request.Request(self.base + "/api/titles/0.csv", method="PUT", headers={"X-Baton": "1"},
                                         data=("bar,text_de,text_en\n" + rows).encode())
        urllib.request.urlopen(request).close()
        self.open(1500)
        took = self.script("return Math.round(performance.now())")
        frames = self.later("""
            const main = document.getElementById("main");
            const taken = [];
            let before = performance.now();
            while (main.scrollTop + main.clientHeight < main.scrollHeight - 4 && taken.length < 150) {
              main.scrollTop += 200;
              await new Promise(requestAnimationFrame);
              const now = performance.now();
              taken.push(now - before);
              before = now;
            }
            return taken""")
        frames.sort()
        print(f"1,500 titles: shown after {took} ms; {len(frames)} frames of scrolling, "
              f"median {statistics.median(frames):.0f} ms, 95 % {frames[int(len(frames) * 0.95)]:.0f} ms, "
              f"most {frames[-1]:.0f} ms")
        self.assertLess(statistics.median(frames), 34)
        pdf = urllib.request.urlopen(self.base + "/api/titles/0.pdf").read()
        self.assertTrue(pdf.startswith(b"%PDF"))
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask("/api/titles/0/edits", {"base": "0", "index": 0, "remove": 0, "insert": []})
        self.assertEqual(refused.exception.code, 409)


if __name__ == "__main__":
    if ENGINE != "chromium":
        sys.exit("titles_edit_test: only Chromium is driven here.")
    PICTURES = pictures_folder()
    unittest.main()
