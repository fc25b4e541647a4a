"""The page that prepares pieces, in a real browser against a real server, and the words its tests speak."""

import os
import pathlib
import shutil
import tempfile

from selenium.webdriver.common.by import By

from browser import press, resize, settle
from lib import web
from lib.repository import RECORDINGS, ROOT, recording
from page_case import PageCase
from served import Served

SERVED = "petzold-anna-magdalena-notebook-minuet-in-g"  # the concert that runs while pieces are prepared
SOUND = recording(SERVED, "dance")
SCORE = RECORDINGS / SERVED / "score.musicxml"
TIMES = RECORDINGS / SERVED / "dance" / "measures.csv"
PHONE, TABLET, DESKTOP = (390, 844), (820, 1180), (1280, 800)
PICTURES = os.environ.get("BATON_PICTURES")  # a folder for screenshots

# Presses a key at each of the given times of the page's own sound, as a listener would.
TAPPING = """const [times] = given;
    const shown = document.querySelector(".time");
    const heard = () => {
      const [minutes, rest] = shown.textContent.split(" / ")[0].split(":");
      return 60 * Number(minutes) + Number(rest);
    };
    const key = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "t", bubbles: true }));
    key();
    for (const time of times) {
      while (heard() < time) await new Promise((done) => setTimeout(done, 5));
      key();
    }
    return document.querySelector(".tap-say").textContent"""


class PrepareCase(PageCase):
    """A server with nothing in preparation, and a browser that was never there."""

    kept, whole = None, None  # the piece of all tests of a class: its id, and the draft at first

    @classmethod
    def setUpClass(cls):
        # Pieces are prepared into folders of the test; the repository's own are only read.
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-prepare-"))
        for kept in ("Models", "Recordings"):
            (cls.folder / kept).mkdir()
            for piece in (ROOT / kept).iterdir():
                (cls.folder / kept / piece.name).symlink_to(piece)
        cls.begin(Served(SERVED, [recording(SERVED, "gentle")], "--new", "--models", str(cls.folder / "Models"),
                         "--recordings", str(cls.folder / "Recordings")))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        resize(self.driver, DESKTOP)
        self.driver.get_log("browser")

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    # -- the server -----------------------------------------------------------------------------------------

    def ask(self, method, path, body=None, status=200):
        answer = web.ask(self.base, method, "/api/prepare" + path, body)
        self.assertEqual(answer.status, status, answer.text)
        return answer.value if answer.content else None

    def draft(self, piece=None):
        return self.ask("GET", f"/pieces/{piece or self.piece}")

    def upload(self, piece, path, purpose):
        data = path.read_bytes()
        begun = self.ask("POST", f"/pieces/{piece}/uploads",
                         {"name": path.name, "bytes": len(data), "purpose": purpose})
        received = 0
        while received < len(data):
            answer = self.ask("PUT", f"/pieces/{piece}/uploads/{begun['upload']}?offset={received}",
                              data[received:received + begun["chunkBytes"]])
            received = answer["received"]

    def prepare(self, name="Petzold: Minuet in G", bars=TIMES, sound=SOUND, seconds=60):
        """A piece with a recording and, from a table, its bars; made without the page."""
        self.piece = self.ask("POST", "/pieces", {"name": name})["id"]
        self.upload(self.piece, sound, "recording")
        self.until(lambda: any(each["isReady"] for each in self.draft()["recordings"]), "the sound is there", seconds)
        if bars:
            self.ask("POST", f"/pieces/{self.piece}/bars/import?name=bars.csv", bars.read_bytes())
        return self.piece

    def restored(self):
        """The class's piece, as it was at first: a sound is prepared only once."""
        cls = type(self)
        if cls.whole is None:
            self.prepare()
            cls.kept, cls.whole = self.piece, self.draft()
        self.piece = cls.kept
        self.edit({"replaceBars": {"bars": cls.whole["bars"], "end": None, "marks": []}})
        return self.piece

    def edit(self, *edits, label="an edit"):
        return self.ask("POST", f"/pieces/{self.piece}/edits", {"edits": list(edits), "label": label})

    # -- the page -------------------------------------------------------------------------------------------

    def open(self, piece=None, is_work=True):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/prepare" + (f"#/{piece}" if piece else ""))
        self.until(lambda: self.script("return document.getElementById('main')?.childElementCount > 0"), "it is shown",
                   10)
        if piece and is_work:
            self.until(lambda: self.script("return Boolean(document.querySelector('.piece'))"), "its page", 10)
        self.settle()

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def text(self, css):
        """The text of the first such element, shown or not; empty if there is none."""
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def click(self, css):
        self.find(css).click()

    def button(self, words, within="body"):
        """The first visible button or link with these words or this name."""
        found = self.script("""
            const shown = [...document.querySelectorAll(`${arguments[1]} :is(button, a)`)].filter((e) =>
              e.checkVisibility());
            const said = (e) => [e.getAttribute("aria-label"), e.textContent.trim()];
            return shown.find((e) => said(e).includes(arguments[0]))
              ?? shown.find((e) => said(e).some((text) => text?.startsWith(arguments[0]))) ?? null""", words, within)
        self.assertIsNotNone(found, f"there is no button “{words}”")
        return found

    def keys(self, *keys):
        press(self.driver, *keys)

    def with_keys(self, modifier, *keys):
        press(self.driver, *keys, modifier=modifier)

    def focus_stage(self):
        self.script("document.querySelector('.stage').focus()")

    def place(self):
        """The text of the place for screen readers."""
        return self.script("return document.querySelector('.stage').getAttribute('aria-valuetext')")

    def choose_file(self, css, *paths):
        self.find(css).send_keys("\n".join(str(path) for path in paths))

    def tap_along(self, times, patience=180):
        """Taps at these seconds of the sound while it plays; what the page then says of the taps."""
        self.driver.set_script_timeout(patience)
        return self.later(TAPPING, times)

    def saved(self, seconds=6):
        self.until(lambda: self.script("return document.getElementById('saved').dataset.state") == "saved",
                   "it is saved", seconds)

    def bars(self):
        return self.draft()["bars"]

    def times(self):
        return [bar["seconds"] for bar in self.bars()]

    def drag(self, start, end, touch=False):
        """A mouse, or a finger, from one point of the stage to another, in pixels from its corner."""
        self.script("document.querySelector('.stage').scrollIntoView({ block: 'center' })")
        box = self.script("const box = document.querySelector('.stage').getBoundingClientRect(); return [box.x, box.y]")
        points = [(start[0] + (end[0] - start[0]) * step / 8, start[1] + (end[1] - start[1]) * step / 8)
                  for step in range(9)]
        points = [(box[0] + x, box[1] + y) for x, y in points]
        if touch:
            self.fingers("touchStart", [points[0]])
            for point in points[1:]:
                self.fingers("touchMove", [point])
            return self.fingers("touchEnd", [])
        self.mouse("mousePressed", points[0])
        for point in points[1:]:
            self.mouse("mouseMoved", point)
        return self.mouse("mouseReleased", points[-1])

    def fingers(self, kind, points):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]})

    def mouse(self, kind, point, count=1):
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": count,
            "buttons": 0 if kind == "mouseReleased" else 1})

    def x_of(self, index, whole):
        """The pixel of a bar's line while the whole recording of `whole` seconds is shown."""
        return self.times()[index] / whole * self.script("return document.querySelector('.stage').clientWidth")

    def picture(self, name):
        if PICTURES:
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"{name}.png"))

