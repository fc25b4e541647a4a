#!/usr/bin/python3
"""A rehearsal with three stands against a real server that follows the music. Takes about four minutes.

    BATON=path/to/baton Tests/Pages/rooms_served_test.py [--pictures FOLDER]

The owner and a member have the full score, another member the first violins. The players begin, stop, and go on from
where the conductor shows; the server is killed; a stand is a minute without a network; the players break off into
another piece. Everything on loopback; the sound is made from the repository's recordings. The last line is
`N passed, N failed`.
"""

import contextlib
import csv
import pathlib
import sys
import tempfile

import rooms_rehearsal_scene
import sound
from browser import chromium
from checks import Checks
from lib.repository import ROOT, recording
from rooms_evening import ACCOUNTS, Evening
from served import Served

PIECE, OTHER = "grieg-peer-gynt-hall-of-the-mountain-king", "beethoven-woo-59-fur-elise"
# Seconds of quiet in which everybody comes in; bars that are played, the pause in which the conductor says where to go
# on; and how long the players stray.
QUIET, FIRST, PAUSE, AGAIN, STRAY = 44, (1, 23), 9, (64, 88), 45


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


class Rehearsal(Evening):
    def __init__(self, checks, served, drivers, later):
        super().__init__(checks, served, drivers, "Mountain King")
        self.later = later

    def seconds(self, bar, since):
        """From the beginning of one bar of the first passage to that of one of the second, as the players play."""
        at = onsets()
        return at[FIRST[1] + 1] - at[since] + PAUSE + at[bar] - at[AGAIN[0]]


def main():
    checks = Checks()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-rooms-")))
        rehearsal, later = performances(folder)
        drivers = [stack.enter_context(chromium()) for _ in range(3)]
        served = stack.enter_context(Served(PIECE, [rehearsal], accounts=ACCOUNTS))
        evening = Rehearsal(checks, served, drivers, later)
        stack.callback(evening.wire.close)
        evening.play(rooms_rehearsal_scene, "the rehearsal comes to its end")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
