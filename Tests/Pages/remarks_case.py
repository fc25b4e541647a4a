"""Two pages side by side in a browser, and the hands that draw on them."""

import functools
import gzip
import os
import pathlib
import shutil

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

import prepared
from browser import resize
from lib.pages import page_folders
from lib.repository import BACH, RECORDINGS
from page_case import PageCase
from scripted import Scripted

MUSIC = RECORDINGS / "petzold-anna-magdalena-notebook-minuet-in-g/pages/score/page-001.svg.gz"
PICTURES = os.environ.get("REMARK_PICTURES")
MEASURED = {}


@functools.cache
def pages():
    """A folder of the server's pages with remarks_page and its music among them."""
    folder, given = prepared.new_folder(), os.environ.get("BATON_PAGES")
    for each in [given] if given else page_folders():
        shutil.copytree(each, folder, dirs_exist_ok=True)
    for each in pathlib.Path(__file__).parent.glob("remarks_page.*"):
        shutil.copy(each, folder)
    (folder / "page.svg").write_bytes(gzip.decompress(MUSIC.read_bytes()))
    return folder


class RemarksCase(PageCase):
    """One browser; every test begins with two empty pages side by side."""

    @classmethod
    def setUpClass(cls):
        cls.begin(Scripted(BACH, pages=pages()))
        resize(cls.driver, (1180, 900))

    def setUp(self):
        self.open()

    def tearDown(self):
        errors = [entry["message"] for entry in self.driver.get_log("browser") if "favicon" not in entry["message"]]
        self.assertEqual(errors, [])

    # -- doing --------------------------------------------------------------------------------------------

    def open(self, query=""):
        self.driver.get(self.base + "/remarks_page?" + query)
        self.until(lambda: self.script("return document.body.dataset.ready === 'true' && left.clientWidth > 0"
                                       " && getComputedStyle(left.querySelector('.remarks')).position === 'absolute'"),
                   "the page is there")

    def spot(self, x, y, page="left"):
        """A point of a page, given in ten-thousandths, on the screen."""
        frame = self.script(f"const b = {page}.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
        return round(frame[0] + frame[2] * x / 10_000), round(frame[1] + frame[3] * y / 10_000)

    def point(self, kind, *spots, page="left", hold=0, pressure=None, duration=20, release=True):
        """Presses at the first spot, holds, goes through the others and lets go."""
        actions = ActionBuilder(self.driver, mouse=PointerInput(kind, "a " + kind), duration=duration)
        pointer = actions.pointer_action
        more = {} if pressure is None else {"pressure": pressure}
        pointer.move_to_location(*self.spot(*spots[0], page=page))
        pointer.pointer_down(**more)
        if hold:
            pointer.pause(hold)
        for spot in spots[1:]:
            target = spot if len(spot) == 2 else spot[:2]
            pointer.source.create_pointer_move(duration, *self.spot(*target, page=spot[2] if len(spot) > 2 else page),
                                               origin="viewport", **more)
        if release:
            pointer.pointer_up(0)
        actions.perform()

    def tap(self, x, y, kind="mouse", page="left"):
        self.point(kind, (x, y), page=page)

    def tool(self, **fields):
        self.script("r.setTool(arguments[0])", fields or None)

    def give(self, *remarks):
        """Remarks that are in the room already; what is not said is plain."""
        self.script("""
            for (const each of arguments[0]) room.remarks.push({ layer: layers.public, author: me, part: 0, page: 0,
                ink: { colour: "#c8191e", width: 300 }, ...each, ...(each.by === "anna" ? { author: anna } : {}) });
            r.update(room.state);""", list(remarks))

    def press(self, *keys, modifiers=()):
        chain = ActionChains(self.driver, duration=0)
        for key in modifiers:
            chain.key_down(key)
        chain.send_keys(*keys)
        for key in reversed(modifiers):
            chain.key_up(key)
        chain.perform()

    # -- looking ------------------------------------------------------------------------------------------

    @property
    def remarks(self):
        return self.script("return room.remarks")

    @property
    def acts(self):
        return self.script("return room.acts")

    def seen(self, name):
        return self.script("return seen[arguments[0]]", name)

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def picture(self, name):
        if PICTURES:
            self.driver.save_screenshot(str(pathlib.Path(PICTURES) / f"{name}.png"))

    def near(self, found, wanted, off=80):
        for one, other in zip(found, wanted, strict=True):
            self.assertLess(abs(one - other), off, f"{found} is not near {wanted}")
