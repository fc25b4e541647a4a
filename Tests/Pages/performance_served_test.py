#!/usr/bin/python3
"""A replayed performance drives a console and two phones, end to end in a real browser.

    BATON=path/to/baton Tests/Pages/performance_served_test.py [--pages FOLDER]

Starts `baton serve` on a piece of the repository's own concert, on loopback; reads what the pages show and compares it
with the measures of the recording and the content's own XML. The last line is `N passed, N failed`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import chromium, resize
from browser import press as press_key
from checks import Checks, bar, text, until
from lib.repository import ROOT, recording
from lib.waiting import hold_for, holds_for
from served import Served

PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
LIVE = recording(PIECE, "swift")
TRACK = "The Music"


def slides():
    """The measures at which the track's slides begin, and their texts."""
    root = ET.parse(ROOT / "Recordings" / PIECE / "content" / "data.xml").getroot()
    for track in root.iter("track"):
        if track.findtext("name") == TRACK:
            return [(int(page.findtext("measure")), page.findtext("text")) for page in track.findall("page")]
    raise SystemExit(f"served_test: the content has no track {TRACK}")


def main():
    pages = sys.argv[sys.argv.index("--pages") + 1] if "--pages" in sys.argv else None
    checks = Checks()
    served = Served(PIECE, [LIVE], pages=pages)
    try:
        with chromium() as desk, chromium() as phone, chromium() as other:
            run(checks, served, desk, phone, other)
    finally:
        served.remove()
    return checks.end()


def run(checks, served, desk, phone, other):
    resize(desk, "laptop")
    desk.get(served.base + "/console")
    for listener in (phone, other):
        resize(listener, "phone")
        listener.get(served.base + "/")

    def press(key):
        press_key(desk, key)

    def mode():
        return desk.execute_script("return document.body.dataset.mode")

    def holder():
        return text(desk, "#holder")

    checks.that("the console follows the performance", until(lambda: mode() == "following", 15), mode())
    first = until(lambda: bar(desk), 10)
    checks.that("its bar rises as the music plays", until(lambda: (bar(desk) or 0) > first, 15), bar(desk))
    watch_slides(checks, desk, phone, other)
    take_and_move(checks, desk, press, mode, holder)
    safety(checks, served, desk, phone, press)
    messages(checks, served, phone, other)
    codes(checks, served, desk, press, other)


def watch_slides(checks, desk, phone, other):
    """For some bars: what the phones show belongs to the bar of the console, and is never ahead of it."""
    starts = slides()
    early = wrong = seen = 0
    end = time.monotonic() + 25
    while time.monotonic() < end:
        before = bar(desk)
        shown = [text(listener, "#place") for listener in (phone, other)]
        after = bar(desk)
        for place in shown:
            found = re.match(r"(\d+)", place)
            if not found or after is None or before is None:
                continue
            seen += 1
            number = int(found[1])
            right = {max((index + 1 for index, (start, _) in enumerate(starts) if start <= b), default=0)
                     for b in range(before - 1, after + 2)}
            early += starts[number - 1][0] > after + 1
            wrong += number not in right
        hold_for(0.2)  # between two looks
    checks.that("phones show slides", seen > 50, f"{seen} looks")
    checks.that("no slide is early", early == 0, f"{early} of {seen}")
    checks.that("each slide belongs to the bar", wrong == 0, f"{wrong} of {seen}")


def take_and_move(checks, desk, press, mode, holder):
    before = bar(desk)
    press("m")
    checks.that("M takes the baton", until(lambda: mode() == "manual"), mode() + " " + holder())
    stood = bar(desk)
    checks.that("and the bar stays", stood in (before, before + 1), f"{before} to {stood}")
    checks.that("while the music goes on", holds_for(lambda: bar(desk) == stood, 4), bar(desk))
    press(Keys.ARROW_RIGHT)
    checks.that("right moves one bar", until(lambda: bar(desk) == stood + 1), bar(desk))
    press(Keys.ARROW_LEFT)
    checks.that("left moves it back", until(lambda: bar(desk) == stood), bar(desk))
    press("t")
    hold_for(0.4)  # between two taps
    press("t")
    checks.that("taps move it along", until(lambda: bar(desk) in (stood + 1, stood + 2)), bar(desk))
    press("m")
    checks.that("M gives it back to the follower", until(lambda: mode() == "following"), mode())
    checks.that("who is where the music is", until(lambda: (bar(desk) or 0) > stood + 1, 10), bar(desk))
    press("h")
    checks.that("H holds", until(lambda: mode() == "held"), mode())
    press("h")
    checks.that("and goes on", until(lambda: mode() == "following"), mode())


def safety(checks, served, desk, phone, press):
    press("b")
    dark = "return !document.getElementById('black').hidden"
    checks.that("B makes the phones dark", until(lambda: phone.execute_script(dark)))
    press("b")
    checks.that("and light again", until(lambda: not phone.execute_script(dark)))
    press(Keys.ESCAPE)
    panic = "return document.body.dataset.panic"
    checks.that("Esc is panic", until(lambda: desk.execute_script(panic) == "safe"))
    served.command("panic-over")
    checks.that("which ends", until(lambda: desk.execute_script(panic) == "none"))


def codes(checks, served, desk, press, other):
    """The codes of the console and of the poster, read from the screen by a decoder that shares nothing with them."""
    decoder = shutil.which("zbarimg")
    if not decoder:
        print("skipped QR codes: zbarimg is missing; Tools/setup installs it", flush=True)
        return

    def said(driver, selector):
        code = driver.find_element(By.CSS_SELECTOR, selector)
        if not until(lambda: driver.execute_script("return arguments[0].naturalWidth > 0", code), 5):
            return "no code"
        driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", code)
        with tempfile.NamedTemporaryFile(suffix=".png") as picture:
            picture.write(code.screenshot_as_png)
            picture.flush()
            read = subprocess.run([decoder, "--quiet", "--raw", picture.name], capture_output=True, text=True,
                                  check=False)
        return read.stdout.strip()

    press("q")
    checks.that("the console's code leads to the hall", said(desk, ".qr") == served.base + "/", said(desk, ".qr"))
    resize(other, "desktop")
    other.get(served.base + "/poster")
    checks.that("the poster's code leads to the hall", said(other, "#code") == served.base + "/", said(other, "#code"))
    address = other.find_element(By.NAME, "address")
    address.clear()
    address.send_keys("https://hall.example/Dvo\u0159\u00e1k")
    wanted = "https://hall.example/Dvo%C5%99%C3%A1k"
    checks.that("and to any address that is written", until(lambda: said(other, "#code") == wanted, 10),
                said(other, "#code"))
    address.clear()
    address.send_keys("https://hall.example/" + "ü" * 60)
    checks.that("one that is too long is told", until(lambda: "213 bytes" in text(other, "#advice"), 10),
                text(other, "#advice"))


def messages(checks, served, phone, other):
    served.command("message", "Welcome", "Enjoy the concert.", "BUTTON", "Will do")
    shown = lambda driver: "Enjoy the concert." in text(driver, "#messages")
    checks.that("a message reaches both phones", until(lambda: shown(phone) and shown(other)))
    phone.find_element(By.CSS_SELECTOR, "#messages button").click()
    checks.that("a button closes it", until(lambda: not shown(phone)))
    phone.refresh()
    until(lambda: text(phone, "#place"), 8)
    checks.that("and it is shown once", holds_for(lambda: not shown(phone), 1))


if __name__ == "__main__":
    sys.exit(main())
