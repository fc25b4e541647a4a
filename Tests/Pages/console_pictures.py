#!/usr/bin/python3
"""Pictures of the console of a real server, as a technician has it on a laptop, a tablet, a phone.

    BATON=path/to/baton Tests/Pages/console_pictures.py [--all] [OUTDIR]

Serves the repository's concert, lets the follower get lost over a passage of another piece, runs a check, ends with
the report. OUTDIR is docs/pictures unless given, which then gets the few pictures the documents show, made small
with ImageMagick where it is installed; --all makes every view at every size.
"""

import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile

from selenium.webdriver.common.keys import Keys

import console_lost_scene
from browser import chromium, resize, settle
from checks import Desk, until
from lib.repository import ROOT, recording
from lib.waiting import hold_for
from served import Served

SCREENS = {"laptop": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}
DRAWERS = {"programme": "p", "cues": "c", "messages": "e", "check": "k", "outputs": "q", "keys": "?"}
# The pictures in the documents.
CHOSEN = {"console-laptop": "console", "console-tablet": "console-tablet", "console-phone": "console-phone",
          "lost-laptop": "console-lost", "check-laptop": "console-check", "cues-laptop": "console-cues",
          "report-laptop": "report"}
BACH, PETZOLD = "bach-well-tempered-clavier-1-prelude-in-c", "petzold-anna-magdalena-notebook-minuet-in-g"


class Photographer:
    def __init__(self, driver, folder, every):
        self.driver, self.folder, self.every = driver, folder, every
        self.desk = Desk(driver)

    def wanted(self, name):
        return self.every or name in CHOSEN

    def shoot(self, name):
        if not self.wanted(name):
            return
        path = self.folder / f"{name if self.every else CHOSEN[name]}.png"
        self.driver.save_screenshot(str(path))
        if shutil.which("convert"):
            # Few colours are enough for flat panels, and half the size.
            subprocess.run(["convert", path, "-strip", "+dither", "-colors", "200", "-define",
                            "png:compression-level=9",
                            f"PNG8:{path}"], check=True)
        print(f"{path}  {path.stat().st_size // 1024} KB", flush=True)

    def everywhere(self, name):
        for screen, size in SCREENS.items():
            if self.wanted(f"{name}-{screen}"):
                resize(self.driver, size)
                settle(self.driver)
                self.shoot(f"{name}-{screen}")

    def console(self, base):
        self.driver.get(base + "/console")
        until(lambda: self.desk.mode == "following", 20)

    def drawers(self, base):
        """Each drawer open; the check is run first, so that it has something to say."""
        resize(self.driver, SCREENS["laptop"])
        for name, key in DRAWERS.items():
            if not any(self.wanted(f"{name}-{screen}") for screen in SCREENS):
                continue
            self.desk.press(key)
            if name == "check":
                self.desk.tab_to("Run the check")
                self.desk.press(Keys.ENTER)
                until(lambda: self.desk.text(".verdict"), 30)
            if name == "messages":
                self.desk.script("document.querySelector('.templates button')?.click()")
            settle(self.driver)
            self.everywhere(name)
            self.desk.press(*([Keys.ESCAPE] if name == "messages" and self.desk.script(
                "return document.activeElement.matches('input, textarea')") else []), key)
            resize(self.driver, SCREENS["laptop"])

    def whole(self, name, path, base):
        """A page from top to bottom, as far as a screen and a half."""
        for screen, (width, height) in SCREENS.items():
            if not self.wanted(f"{name}-{screen}"):
                continue
            resize(self.driver, (width, height))
            self.driver.get(base + path)
            until(lambda: self.desk.script(
                "return document.getElementById('report')?.getAttribute('aria-busy')") == "false", 10)
            settle(self.driver)
            full = self.desk.script("return document.documentElement.scrollHeight")
            resize(self.driver, (width, full if self.every else min(full, height * 3 // 2)))
            settle(self.driver)
            self.shoot(f"{name}-{screen}")


def main():
    arguments = [each for each in sys.argv[1:] if each != "--all"]
    if len(arguments) > 1 or any(each.startswith("-") for each in arguments):
        raise SystemExit(__doc__)
    folder = pathlib.Path(arguments[0]) if arguments else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        scratch = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-pictures-")))
        driver = stack.enter_context(chromium())
        photographer = Photographer(driver, folder, "--all" in sys.argv)
        lives = [recording(BACH, "swift"), recording(PETZOLD, "gentle")]
        with Served("Recordings/concert.json", lives, "--check-seconds", "6") as served:
            photographer.console(served.base)
            hold_for(35)  # some bars of history make a picture that says more
            photographer.everywhere("console")
            photographer.drawers(served.base)
            for words in (["take"], ["nudge", "2"], ["release"],
                          ["message", "Welcome", "Enjoy the concert.", "BUTTON", "Will do"],
                          ["note", "violas late at C"], ["hold"]):
                served.command(*words)
                hold_for(1)  # the report tells them apart
            served.command("resume")
            hold_for(12)  # the music goes on for some bars
            photographer.whole("report", "/report", served.base)
        with Served(console_lost_scene.PIECE, [console_lost_scene.performance(scratch)]) as served:
            photographer.console(served.base)
            for screen, size in SCREENS.items():
                resize(driver, size)
                until(lambda: console_lost_scene.lost(photographer.desk), 30)
                photographer.shoot(f"lost-{screen}")


if __name__ == "__main__":
    main()
