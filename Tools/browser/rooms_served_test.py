#!/usr/bin/python3
"""A rehearsal with three stands against a real server that follows the music. Takes about four minutes.

    BATON=path/to/baton Tools/browser/rooms_served_test.py [--pictures FOLDER]

The owner and a member have the full score, another member the first violins. The players begin, stop, and go on from
where the conductor shows; the server is killed; a stand is a minute without a network; the players break off into
another piece. Everything on loopback; the sound is made from the repository's recordings. The last line is
`N passed, N failed`.
"""

import concurrent.futures
import contextlib
import csv
import json
import pathlib
import sys
import tempfile
import time
import traceback
import urllib.request
import uuid

import rooms_rehearsal
import sound
from browser import chromium
from checks import Checks
from rooms_stand import Ear, Stand
from served import ROOT, Served, recording
from wire import Wire

PIECE, OTHER = "grieg-peer-gynt-hall-of-the-mountain-king", "beethoven-woo-59-fur-elise"
PASSPHRASE = "seven quiet violas at noon"
PEOPLE = [("lena", "editor"), ("tina", "technician"), ("anna", "technician"), ("bert", "musician"),
          ("carl", "musician"), ("dora", "musician")]
# Seconds of quiet in which everybody comes in; bars that are played, the pause in which the conductor says where to go
# on; and how long the players stray.
QUIET, FIRST, PAUSE, AGAIN, STRAY = 44, (1, 23), 9, (64, 88), 45


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def onsets():
    """Seconds of the recording at which each bar begins."""
    with open(ROOT / "Recordings" / PIECE / "studio" / "measures.csv", encoding="utf-8") as file:
        return {int(row[0]): float(row[1]) for row in list(csv.reader(file))[1:]}


def room(seconds):
    """A hall in which nobody plays; it is never as silent as a wire that was pulled out."""
    return sound.noise(seconds, 0.002)


def performances(folder):
    """The sound files: the rehearsal, and what the server hears after it was killed."""
    live, at = recording(PIECE, "studio"), onsets()
    rehearsal, later = folder / "rehearsal.wav", folder / "later.wav"
    sound.write(rehearsal, room(QUIET), sound.part(live, 0, at[FIRST[1] + 1]), room(PAUSE),
                sound.part(live, at[AGAIN[0]], 200), room(60))
    sound.write(later, room(12), sound.part(live, 0, 14),
                sound.part(recording(OTHER, "swift"), 60, 60 + STRAY), room(60))
    return rehearsal, later


class Evening:
    """Everything of one run that its scenes share."""

    def __init__(self, checks, served, drivers, later):
        self.checks, self.served, self.later = checks, served, later
        self.wire = Wire(served.port)
        self.pictures = option("--pictures")
        self.began = time.monotonic()
        names = ("anna", "bert", "carl")
        bases = (served.base, served.base, f"http://127.0.0.1:{self.wire.port}")
        self.anna, self.bert, self.carl = [
            Stand(driver, base, name, PASSPHRASE) for driver, base, name in zip(drivers, bases, names)]
        self.stands = [self.anna, self.bert, self.carl]
        self.cookies = {}
        self.room = self.score = self.parts = self.ear = None

    def that(self, claim, holds, said=""):
        self.checks.that(f"{time.monotonic() - self.began:5.0f} s  {claim}", holds, said)

    def cookie(self, name):
        if name not in self.cookies:
            self.cookies[name] = self.served.signed_in(name, PASSPHRASE)
        return self.cookies[name]

    def ask(self, name, path, body=None, method=None):
        """What somebody's own program is answered: the status and the JSON."""
        status, content, _ = self.served.ask(path, self.cookie(name), body, method)
        return status, json.loads(content) if content[:1] in (b"{", b"[") else content

    def seconds(self, bar, since):
        """From the beginning of one bar of the first passage to that of one of the second, as the players play."""
        at = onsets()
        return at[FIRST[1] + 1] - at[since] + PAUSE + at[bar] - at[AGAIN[0]]

    def all(self, act):
        """Three people do the same at the same time."""
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            return list(pool.map(act, self.stands))

    def listen(self, name="bert"):
        self.ear = Ear(self.served.base, self.room, self.cookie(name))

    def picture(self, stand, name):
        stand.picture(self.pictures, name)

    def snapshot(self, name):
        """The whole room as somebody is given it."""
        return json.loads(self.first_word(name) or "{}").get("snapshot")

    def first_word(self, name):
        """What a stand that comes new is told first; "" where it is refused."""
        request = urllib.request.Request(
            f"{self.served.base}/api/rooms/{self.room}/stream?stand={uuid.uuid4()}&seen=new",
            headers={"Cookie": self.cookie(name)})
        try:
            with urllib.request.urlopen(request, timeout=5) as stream:
                return next((line[6:].decode() for line in stream if line.startswith(b"data: ")), "")
        except OSError:
            return ""


def main():
    checks = Checks()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-rooms-")))
        rehearsal, later = performances(folder)
        drivers = [stack.enter_context(chromium()) for _ in range(3)]
        accounts = [(name, role, PASSPHRASE) for name, role in PEOPLE]
        served = stack.enter_context(Served(PIECE, [rehearsal], accounts=accounts))
        evening = Evening(checks, served, drivers, later)
        stack.callback(evening.wire.close)
        try:
            rooms_rehearsal.play(evening)
        except (Exception, SystemExit) as trouble:  # what was found before it must be told all the same
            traceback.print_exc()
            for stand in evening.stands:
                evening.picture(stand, f"trouble-{stand.name}")
            checks.that("the rehearsal comes to its end", False, repr(trouble))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
