"""The pre-show check: an input that is good, one that is silent, one that is not there."""

import os
import shlex
import shutil
import subprocess

from selenium.webdriver.common.keys import Keys

import sound
from checks import Desk, until
from lib.repository import ROOT, recording
from lib.servers import NoServer
from served import Served

PIECE = "bach-well-tempered-clavier-1-prelude-in-c"


def play(checks, driver, folder):
    quiet = folder / "silence.wav"
    sound.write(quiet, sound.silence(40))
    with Served(PIECE, [recording(PIECE, "swift")], "--check-seconds", "12") as served:
        state, items = run(driver, served)
        checks.that("check: with music nothing is to be mended", state in ("pass", "warn"), said(items))
        checks.that("check: the input is heard", items.get("Audio input", ("",))[0] == "pass", said(items))
        checks.that("check: the piece is recognised", items.get("Live match", ("",))[0] == "pass", said(items))
    with Served(PIECE, [quiet], "--check-seconds", "3") as served:
        state, items = run(driver, served)
        checks.that("check: silence fails", state == "fail", said(items))
        checks.that("check: and says where to look", "cable" in items.get("Audio input", ("", ""))[1], said(items))
        checks.that("check: and that nothing was recognised", items.get("Live match", ("",))[0] == "fail", said(items))
    missing(checks)
    unplugged(checks, driver, folder)


def missing(checks):
    """A device that is not there: the server does not begin, and says why."""
    sentence = ""
    try:
        Served(PIECE, device="nosuch").stop()
    except NoServer as words:
        sentence = str(words)
    checks.that("check: a device that does not exist is a sentence at once", "“nosuch”" in sentence, sentence)


def unplugged(checks, driver, folder):
    """A device that goes during the evening."""
    if not shutil.which("pulseaudio"):
        return print("skipped check: a device that is pulled out (pulseaudio is not installed)")
    card = {"BATON_SOUNDCARD": str(folder / "card")}

    def soundcard(word):
        command = [ROOT / "Tools" / "soundcard", word]
        return subprocess.run(command, env={**os.environ, **card}, capture_output=True, text=True, check=True).stdout

    try:
        exports = shlex.split(soundcard("start"))
        environment = card | dict(word.split("=", 1) for word in exports if "=" in word)
        with Served(PIECE, (), "--check-seconds", "2", device="room", environment=environment) as served:
            desk = Desk(driver)
            driver.get(served.base + "/console")
            until(lambda: desk.text("#link-state") == "Connected")
            soundcard("stop")
            checks.that("check: a device that is pulled out is a fault by itself",
                        until(lambda: "room" in desk.text("#faults"), 15),
                        desk.text("#faults"))
            state, items = run(driver, served)
            checks.that("check: it fails the check", state == "fail", said(items))
            checks.that("check: by its name, with what to do",
                        all(word in items.get("Audio input", ("", ""))[1] for word in ("room", "Plug it in")),
                        said(items))
    finally:
        soundcard("stop")


def run(driver, served):
    """Runs the check by keys; its verdict, and each item's state and sentence by title."""
    desk = Desk(driver)
    driver.get(served.base + "/console")
    until(lambda: desk.text("#link-state") == "Connected")
    desk.press("k")
    desk.tab_to("Run the check")
    desk.press(Keys.ENTER)
    until(lambda: desk.text(".verdict"), 30)
    rows = desk.script("""
        return [...document.querySelectorAll(".check-item")].map((item) =>
            [item.querySelector(".check-title").textContent,
            item.dataset.state, item.querySelector(".check-text").textContent]);""")
    return desk.script("return document.querySelector('.verdict').dataset.state"), {row[0]: (row[1], row[2])
                                                                                    for row in rows}


def said(items):
    return "; ".join(f"{title}: {state}, {sentence}" for title, (state, sentence) in items.items() if state != "pass")
