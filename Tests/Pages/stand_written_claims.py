"""A part in another key: other notes on the same page, and everything else where it was."""

import pathlib

from stand_case import USERS, StandCase

VENV = pathlib.Path(__file__).resolve().parents[2] / ".venv"
# The shown page as small squares of grey, so that two of them can be compared.
LOOK = """const page = document.querySelector('.leaf.shown .sheet > canvas');
    const small = document.createElement('canvas');
    [small.width, small.height] = [60, 85];
    const brush = small.getContext('2d');
    brush.drawImage(page, 0, 0, 60, 85);
    return [...brush.getImageData(0, 0, 60, 85).data].filter((_, index) => index % 4 === 0);"""
SMALL = """const canvas = document.querySelector('#strip [data-page="0"] canvas');
    return canvas && [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data]
        .filter((_, index) => index % 4 === 0);"""
CHOOSE = """const choice = document.getElementById('interval');
    choice.value = arguments[0];
    choice.dispatchEvent(new Event('change'));"""


class WrittenTest(StandCase):
    def read(self):
        scores = self.rehearsal.ask("ines", "/api/stand/home")["scores"]
        score = next(each for each in scores if "Bagatelle" in each["title"])
        self.click(f"[data-score='{score['id']}'] .entry")
        self.until(self.is_painted, "the page is painted", 8)

    def choose(self, interval):
        self.tap(0.5)
        self.click("#settings")
        self.until(lambda: self.shown("#interval"), "the key can be chosen")
        self.script(CHOOSE, interval)
        self.until(lambda: self.script("return !document.getElementById('interval').disabled"), "it is engraved", 60)
        self.script("document.getElementById('dialog').close()")
        self.tap(0.5)

    def thumbnail(self):
        """The first thumbnail as squares of grey, once it is painted."""
        self.tap(0.5)
        inked = lambda: sum(255 - each for each in self.script(SMALL) or [255]) > 2000  # noqa: E731
        self.until(inked, "the thumbnail is painted", 8)
        found = self.script(SMALL)
        self.tap(0.5)
        return found

    def differs(self, before):
        return sum(abs(one - other) > 40 for one, other in zip(self.script(LOOK), before)) > 20

    def test_a_part_is_read_in_another_key_on_the_same_pages(self):
        if not VENV.exists():
            self.skipTest("run Tools/verovio-venv")
        self.enter_home(USERS[0])
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        self.read()
        self.settle()
        plain = self.script(LOOK)
        self.choose("m2")
        self.until(lambda: self.is_painted() and self.differs(plain), "other notes lie there", 8)
        written = self.script(LOOK)
        self.assertEqual(self.pages(), [0])
        self.pedal()
        self.lies(1)
        self.pedal(back=True)
        self.lies(0)
        # A reload goes back to the page, in the key.
        self.open()
        self.until(lambda: self.screen() == "reader" and self.is_painted(), "the page is back", 8)
        self.until(lambda: not self.differs(written), "in the key that was chosen", 8)
        self.choose("")
        self.until(lambda: not self.differs(plain), "as it is written", 8)

    def test_thumbnails_and_prints_are_in_the_key_in_which_one_reads(self):
        if not VENV.exists():
            self.skipTest("run Tools/verovio-venv")
        self.enter_home(USERS[0])
        self.script("localStorage.setItem('baton.stand.tour', '1')")
        self.read()
        plain = self.thumbnail()
        self.choose("P5")
        changed = lambda: sum(abs(one - other) > 60 for one, other in zip(self.thumbnail(), plain)) > 50  # noqa: E731
        self.until(changed, "the thumbnail shows other notes", 8)
        self.tap(0.5)
        self.click("#pencil")
        self.click("[data-layers]")
        self.click("#print-remarks")
        self.until(lambda: self.shown("#print-part"), "the print is asked for")
        self.assertIn("a fifth higher", self.text("#dialog-body"), "the page says in which key it prints")
        link = lambda: self.script("return document.getElementById('print-part').href")  # noqa: E731
        self.assertIn("&written=P5", link())
        kinds = "const found = await fetch(given[0]); return [found.status, found.headers.get('content-type')];"
        self.assertEqual(self.later(kinds, link()), [200, "application/pdf"])
        self.click("#dialog [value='plain']")
        self.assertNotIn("written", link())
        self.script("document.getElementById('dialog').close()")
