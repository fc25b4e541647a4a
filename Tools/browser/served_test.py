#!/usr/bin/python3
"""A replayed performance drives a console and two phones, end to end in a real browser.

    BATON=path/to/baton Tools/browser/served_test.py [--pages FOLDER]

Starts `baton serve` on a piece of the repository's own concert, on loopback; reads what the pages show and compares it
with the measures of the recording and the content's own XML. The last line is `N passed, N failed`.
"""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import xml.etree.ElementTree as ET

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import chromium, resize

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
LIVE = ROOT / "Recordings" / PIECE / "swift" / "audio.ogg"
TRACK = "The Music"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Served:
    """A server of its own, with its data in a scratch folder."""

    def __init__(self, pages):
        self.folder = tempfile.mkdtemp(prefix="baton-served-")
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        baton = os.environ.get("BATON", str(ROOT / ".build" / "debug" / "baton"))
        self.process = subprocess.Popen(
            [baton, "serve", PIECE, "--live", str(LIVE), "--data", self.folder, "--no-sign-in",
             "--http", f"127.0.0.1:{self.port}", "--no-listen-osc", "--ttl", "0", "--port", str(free_port())]
            + (["--pages", pages] if pages else []), cwd=ROOT, stderr=subprocess.PIPE)
        for _ in range(200):
            try:
                urllib.request.urlopen(self.base + "/healthz", timeout=1)
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("served_test: the server does not answer")

    def command(self, *words):
        body = json.dumps({"command": words[0], "arguments": list(words[1:])}).encode()
        request = urllib.request.Request(
            self.base + "/api/command", body, {"Content-Type": "application/json", "X-Baton": "1"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


def slides():
    """The measures at which the track's slides begin, and their texts."""
    root = ET.parse(ROOT / "Recordings" / PIECE / "content" / "data.xml").getroot()
    for track in root.iter("track"):
        if track.findtext("name") == TRACK:
            return [(int(page.findtext("measure")), page.findtext("text")) for page in track.findall("page")]
    raise SystemExit(f"served_test: the content has no track {TRACK}")


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def that(self, claim, holds, said=""):
        self.passed += bool(holds)
        self.failed += not holds
        print(("ok      " if holds else "FAILED  ") + claim + ("" if holds else f"  ({said})"), flush=True)


def until(get, seconds=6):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = get()
        if value:
            return value
        time.sleep(0.03)
    return get()


def text(driver, css):
    return driver.execute_script("return document.querySelector(arguments[0])?.textContent?.trim() ?? ''", css)


def bar(driver):
    found = text(driver, "#measure")
    return int(found) if found.isdigit() else None


def main():
    pages = sys.argv[sys.argv.index("--pages") + 1] if "--pages" in sys.argv else None
    checks = Checks()
    served = Served(pages)
    try:
        with chromium() as desk, chromium() as phone, chromium() as other:
            run(checks, served, desk, phone, other)
    finally:
        served.stop()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def run(checks, served, desk, phone, other):
    resize(desk, "laptop")
    desk.get(served.base + "/console")
    for listener in (phone, other):
        resize(listener, "phone")
        listener.get(served.base + "/")

    def press(key):
        ActionChains(desk).send_keys(key).perform()

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
        time.sleep(0.2)
    checks.that("phones show slides", seen > 50, f"{seen} looks")
    checks.that("no slide is early", early == 0, f"{early} of {seen}")
    checks.that("each slide belongs to the bar", wrong == 0, f"{wrong} of {seen}")


def take_and_move(checks, desk, press, mode, holder):
    before = bar(desk)
    press("m")
    checks.that("M takes the baton", until(lambda: mode() == "manual"), mode() + " " + holder())
    stood = bar(desk)
    checks.that("and the bar stays", stood in (before, before + 1), f"{before} to {stood}")
    time.sleep(4)
    checks.that("while the music goes on", bar(desk) == stood, bar(desk))
    press(Keys.ARROW_RIGHT)
    checks.that("right moves one bar", until(lambda: bar(desk) == stood + 1), bar(desk))
    press(Keys.ARROW_LEFT)
    checks.that("left moves it back", until(lambda: bar(desk) == stood), bar(desk))
    press("t")
    time.sleep(0.4)
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


def messages(checks, served, phone, other):
    served.command("message", "Welcome", "Enjoy the concert.", "BUTTON", "Will do")
    shown = lambda driver: "Enjoy the concert." in text(driver, "#messages")
    checks.that("a message reaches both phones", until(lambda: shown(phone) and shown(other)))
    phone.find_element(By.CSS_SELECTOR, "#messages button").click()
    checks.that("a button closes it", until(lambda: not shown(phone)))
    phone.refresh()
    until(lambda: text(phone, "#place"), 8)
    time.sleep(1)
    checks.that("and it is shown once", not shown(phone))


if __name__ == "__main__":
    sys.exit(main())
