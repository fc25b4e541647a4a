#!/usr/bin/python3
"""From photographs of a part to a musician's stand: what becomes of them, what is refused, and how long it takes.

    BATON=path/to/baton Tests/Pages/library_photographs_test.py [TEST …]

BATON_PHOTOGRAPH names a photograph of a printed page, whose way to the stand is timed step by step; without it, a page
that the browser draws takes its place. The last line is unittest's.
"""

import base64
import os
import pathlib
import shutil
import tempfile
import time
import unittest

from browser import ENGINE, resize, sign_in, started
from page_case import PageCase
from scripted import Scripted

PIECES = "petzold-anna-magdalena-notebook-minuet-in-g"
PASSPHRASE = "open sesame"
PHOTOGRAPH = os.environ.get("BATON_PHOTOGRAPH")
MOST_S = 180  # from the photograph to the stand, with everything that a librarian does between
# A page with four systems of three bars, on grey paper, as a picture of a kind: data without its head.
DRAWN = """const [kind, width, height] = given, canvas = new OffscreenCanvas(width, height);
    const brush = canvas.getContext("2d");
    brush.fillStyle = "#e9e4d8";
    brush.fillRect(0, 0, width, height);
    brush.fillStyle = "#1a1a1a";
    const space = height / 120;
    for (let system = 0; system < 4; system += 1) {
        const top = height * (0.12 + 0.2 * system);
        for (let line = 0; line < 5; line += 1) brush.fillRect(0.1 * width, top + line * space, 0.8 * width, 2);
        for (let bar = 0; bar <= 3; bar += 1) {
            brush.fillRect((0.1 + 0.8 * bar / 3) * width - 1, top, 3, 4 * space + 2);
        }
    }
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: `image/${kind}` })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));"""


class PhotographTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-photographs-"))
        cls.begin(Scripted(PIECES, accounts=[("lena", "editor", PASSPHRASE), ("otto", "musician", PASSPHRASE)]))
        resize(cls.driver, (1280, 900))
        sign_in(cls.driver, cls.base, "lena", PASSPHRASE)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        self.driver.get("about:blank")
        self.driver.get(self.base + "/library")
        self.until(lambda: "score" in self.text("#count"), "the list is there", 10)

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def text(self, css):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def drawn(self, name, kind="jpeg", size=(900, 1200)):
        path = self.folder / name
        path.write_bytes(base64.b64decode(self.later(DRAWN, kind, *size)))
        return path

    def add(self, *paths):
        self.driver.find_element("id", "file").send_keys("\n".join(map(str, paths)))

    def opened(self):
        self.until(lambda: self.script("return location.hash").startswith("#/score/"), "the score is opened", 60)
        return self.script("return location.hash.split('/')[2]")

    def score(self, identifier):
        return self.later("return (await fetch(`/api/library/scores/${given[0]}`)).json()", identifier)

    def test_photographs_chosen_together_are_the_pages_of_one_score_in_the_order_of_their_names(self):
        wide, tall = (1200, 900), (900, 1200)
        self.add(self.drawn("Viola 10.png", "png", tall), self.drawn("Viola 2.jpg", "jpeg", wide),
                 self.drawn("Viola 9.jpg", "jpeg", tall))
        score = self.score(self.opened())
        self.assertEqual(score["title"], "Viola")
        self.assertEqual([page["width"] > page["height"] for page in score["parts"][0]["pages"]],
                         [True, False, False])

    def test_names_that_a_camera_gives_are_no_titles(self):
        self.add(self.drawn("IMG_0012.jpg"), self.drawn("IMG_0013.jpg"))
        self.assertEqual(self.score(self.opened())["title"], "Photographed pages")

    def test_what_is_no_picture_is_refused_with_its_name_and_nothing_is_kept(self):
        broken = self.folder / "page 2.jpg"
        broken.write_bytes(b"\xff\xd8\xff\xe0 cut off")
        before = self.text("#count")
        self.add(self.drawn("page 1.jpg"), broken)
        said = lambda: self.text("#uploads li[data-trouble] .state")  # noqa: E731
        self.until(lambda: "“page 2.jpg” cannot be read as a picture" in said(), "it is named", 10)
        self.assertEqual(self.text("#count"), before)
        self.script("document.querySelector('#uploads li button').click()")

    def test_a_photographed_part_is_on_a_stand_within_three_minutes(self):
        steps, begun = [], time.monotonic()

        def done(step):
            steps.append((step, round(time.monotonic() - begun - sum(each for _, each in steps), 1)))

        self.add(pathlib.Path(PHOTOGRAPH).resolve() if PHOTOGRAPH else self.drawn("Part.jpg", "jpeg", (1936, 2592)))
        identifier = self.opened()
        done("photograph added")
        self.until(lambda: self.script("return document.querySelector('[name=title]') !== null"), "its cover", 10)
        self.script("const title = document.querySelector('[name=title]'); title.value = 'Photographed part'")
        self.push_button("Save")
        self.until(lambda: "Photographed part" in self.text("#scores"), "its title is kept", 10)
        done("title written")
        self.script("document.querySelector('#score a[href$=\"/page/0\"]').click()")
        self.until(lambda: self.script("return document.querySelector('.paper img')?.naturalWidth > 500"),
                   "the page is there", 20)
        self.push_button("Find measures")
        frames = lambda: self.script("return document.querySelectorAll('.frame').length")  # noqa: E731
        self.until(lambda: frames() > 5, "its measures are found", 30)
        self.push_button("Save")
        self.until(lambda: len(self.score(identifier)["parts"][0]["places"]) == frames(), "they are kept", 10)
        done(f"{frames()} measures found and saved")
        self.script("location.hash = `#/score/${arguments[0]}`", identifier)
        self.until(lambda: self.script("""
            const box = [...document.querySelectorAll(".bundles label")].find((each) =>
                each.textContent.toLowerCase().includes("otto"))?.querySelector("input");
            box?.click();
            return Boolean(box);"""), "it can be given", 10)
        self.until(lambda: self.later("return (await (await fetch(`/api/library/bundles?score=${given[0]}`)).json())"
                                      ".length", identifier), "it is given", 10)
        done("given to a musician")
        with started() as stand:
            done("(another browser started)")
            sign_in(stand, self.base, "otto", PASSPHRASE)
            stand.get(self.base + "/stand")
            here = lambda script, *given: stand.execute_script(script, *given)  # noqa: E731
            self.until(lambda: here("""
                const entry = document.querySelector(`[data-score='${arguments[0]}'] .entry`);
                entry?.click();
                return Boolean(entry);""", identifier), "the musician sees it", 20)
            self.until(lambda: here("""
                document.querySelector("#dialog[open] [data-part='0']")?.click();
                const leaf = document.querySelector(".leaf.shown .sheet > canvas");
                return leaf !== null && leaf.width > 300;"""), "the page is painted", 20)
            done("open on the musician's stand")
        print("\n" + "\n".join(f"{seconds:6.1f} s  {step}" for step, seconds in steps), flush=True)
        self.assertLess(sum(seconds for _, seconds in steps), MOST_S)


if __name__ == "__main__":
    if ENGINE != "chromium":
        raise SystemExit("library_photographs_test: only Chromium is driven here.")
    unittest.main(verbosity=2)
