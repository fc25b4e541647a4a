"""The follower really lost: the players break off into another piece, and come back somewhere else."""

import bisect
import csv
import time

from selenium.webdriver.common.keys import Keys

import sound
from browser import resize, settle
from checks import Desk, until
from lib.repository import ROOT, recording
from lib.waiting import hold_for
from served import Served

PIECE, OTHER = "beethoven-woo-59-fur-elise", "grieg-peer-gynt-hall-of-the-mountain-king"
LEAVES, STRAYS, RETURNS = 12, 34, 60  # seconds of music, of the other piece, and where the music goes on


def performance(folder):
    live = recording(PIECE, "swift")
    path = folder / "stray.wav"
    sound.write(path, sound.part(live, 0, LEAVES), sound.part(recording(OTHER, "hall"), 60, 60 + STRAYS),
                sound.part(live, RETURNS, 150))
    return path


def truth():
    """Onsets of the recording's measures, in seconds, and their printed numbers."""
    with open(ROOT / "Recordings" / PIECE / "swift" / "measures.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return [float(row[1]) for row in rows], [int(row[0]) for row in rows]


def play(checks, driver, folder):
    with Served(PIECE, [performance(folder)]) as served:
        began = time.monotonic()
        desk = Desk(driver)
        driver.get(served.base + "/console")
        checks.that("lost: the performance is followed first", until(lambda: desk.mode == "following", 15), desk.mode)
        choose(checks, served, desk)
        say_where(checks, served, desk, began)


def lost(desk):
    return desk.mode == "lost" and desk.shown("#help .candidate")


def choose(checks, served, desk):
    checks.that("lost: another piece loses the follower, and places are offered", until(lambda: lost(desk), 30),
                desk.mode)
    kept, audience = desk.bar, served.snapshot()["position"]["audience"]
    hold_for(0.7)  # the players stay away
    if lost(desk):
        checks.that("lost: the last trusted bar stays, and so does the audience's", desk.bar == kept
                    and served.snapshot()["position"]["audience"] == audience, f"{kept} to {desk.bar}")
    fits(checks, desk)
    until(lambda: lost(desk), 20)
    offered = served.snapshot()["help"]["candidates"]
    checks.that("lost: the console shows the places that the server offers",
                str(offered[0]["measure"]) in desk.text(".candidate-bar"),
                desk.text(".candidate-bar"))
    # One key and Enter, at once: candidates change while the follower listens on.
    desk.press("1", Keys.ENTER)
    place = until(lambda: desk.mode == "following" and desk.bar, 2)
    # The first candidate may have moved by a bar or two between the look and the key.
    near = [each["measure"] + step for each in offered for step in (-2, -1, 0, 1, 2)]
    checks.that("lost: one key chooses, and the follower goes on there", place in near and not desk.shown("#help"),
                f"bar {place}, offered {[each['measure'] for each in offered]}")
    checks.that("lost: the technician need not hold the baton for it", "Follower" in desk.holder, desk.holder)


def fits(checks, desk):
    """Sections have long names here: on no screen may they push anything out of it."""
    wide = """
        const wide = document.documentElement.clientWidth;
        return [...document.querySelectorAll("#help:not([hidden]) *, .present *, .controls *, .cues *")].filter((e) =>
            e.getClientRects().length && !e.matches(".spoken") && e.getBoundingClientRect().right > wide + 1)
            .map((e) => e.className || e.id).concat(document.documentElement.scrollWidth > wide ? ["the page"] : []);"""
    for size in ("phone", "tablet", "small-laptop", "laptop"):
        resize(desk.driver, size)
        settle(desk.driver)
        out = desk.script(wide)
        checks.that(f"lost: everything is within a {size}'s screen", out == [], out)


def say_where(checks, served, desk, began):
    """The music is back: the bar typed, then N; from there the follower must be right."""
    onsets, printed = truth()
    hold_for(LEAVES + STRAYS + 1.5 - (time.monotonic() - began))  # the players are back

    def playing():
        return RETURNS + time.monotonic() - began - LEAVES - STRAYS

    def bar_at(seconds):
        return printed[bisect.bisect_right(onsets, seconds) - 1]

    # The next bar, announced quietly; N at its downbeat.
    following = bisect.bisect_right(onsets, playing() + 0.8)
    place = f"p:{following}"
    desk.press("g", *place, Keys.ENTER)
    stood = until(lambda: desk.bar == printed[following] and desk.mode == "manual", 2)
    checks.that("lost: a place is set by hand", stood, f"{desk.bar}, {desk.mode}")
    hold_for(onsets[following] - playing())  # the music reaches the place
    desk.press("n")
    checks.that("lost: N gives the baton back there", until(lambda: desk.mode == "following", 2), desk.mode)
    looks = right = 0
    end = time.monotonic() + 10
    while time.monotonic() < end:
        seconds = playing()
        near = {bar_at(seconds + lag) for lag in (-1.2, -0.6, 0, 0.6)}
        looks += 1
        right += desk.bar in near
        hold_for(0.2)  # between two looks
    checks.that("lost: and for 10 s the bar is the one that is played", right >= 0.9 * looks, f"{right} of {looks}")
