#!/usr/bin/python3
"""Pictures of a full score on a stand in portrait, as a whole and zoomed, for the documents.

    BATON=path/to/baton Tests/Pages/stand_pictures.py FOLDER

Made from the repository's scores; made small with ImageMagick where it is installed.
"""

import pathlib
import shutil
import subprocess
import sys

from selenium.webdriver.common.keys import Keys

from hall_case import size
from stand_case import PORTRAIT, StandCase


class Photographer(StandCase):
    folder = None

    def runTest(self):
        """A conductor's stand: the full score."""
        self.enter_room(part=0)
        size(self.driver, PORTRAIT, 1.5)
        self.key(Keys.PAGE_DOWN)
        self.lies(1)
        self.shoot("stand-score")
        self.driver.execute_script(
            """document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', { ctrlKey: true, deltaY: -240,
            clientX: 250, clientY: 330, bubbles: true, cancelable: true }))""")
        self.until(lambda: self.text("#whole"), "it is zoomed")
        self.shoot("stand-zoomed")

    def shoot(self, name):
        self.settle()
        path = self.folder / f"{name}.png"
        self.driver.save_screenshot(str(path))
        if shutil.which("convert"):
            subprocess.run(["convert", path, "-strip", "-colorspace", "Gray", "+dither", "-colors", "16", "-define",
                            "png:compression-level=9",
                            f"PNG8:{path}"], check=True)
        print(f"{path}  {path.stat().st_size // 1024} KB", flush=True)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    Photographer.folder = pathlib.Path(sys.argv[1])
    Photographer.folder.mkdir(parents=True, exist_ok=True)
    Photographer.setUpClass()
    try:
        each = Photographer()
        each.setUp()
        each.runTest()
    finally:
        Photographer.tearDownClass()


if __name__ == "__main__":
    main()
