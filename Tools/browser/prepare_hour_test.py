#!/usr/bin/python3
"""An hour of made music and its score on the page that prepares pieces, in a real browser against a real server.

    BATON=path/to/baton Tools/browser/prepare_hour_test.py

It takes ten minutes on two busy cores, two of them to make the music. Needs fluidsynth, a second soundfont, and Verovio
for the score. Prints how long the upload and the alignment took, and the most memory of every process of the server.
The last line is unittest's.
"""

import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import threading
import time
import types
import unittest

from lib import longscore
from lib.repository import RECORDINGS, program
from prepare_case import PrepareCase

OTHER_INSTRUMENTS = "/usr/share/sounds/sf2/TimGM6mb.sf2"
MOST_SECONDS, MOST_MEGABYTES = 300, 1_000
RECORDING, SCORES = "[aria-label='Recording'][type=file]", "[aria-label='Score'][type=file]"


def run(command):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Watched:
    """The most memory of a process and of each that it starts, in megabytes, and these ones' seconds of processor."""

    def __init__(self, process):
        self.process, self.megabytes, self.seconds = process, {}, {}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self):
        while not self.ended.wait(0.25):
            for process in [self.process, *self.started_by(self.process)]:
                try:
                    status = pathlib.Path(f"/proc/{process}/status").read_text()
                    spent = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
                except OSError:  # it has ended
                    continue
                most = re.search(r"VmHWM:\s+(\d+)", status)
                if most:
                    self.megabytes[process] = int(most[1]) / 1024
                    self.seconds[process] = sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")

    def started_by(self, process):
        children = []
        for file in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
            try:
                children += map(int, file.read_text().split())
            except OSError:
                continue
        return children + [each for child in children for each in self.started_by(child)]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.own = self.megabytes.pop(self.process)
        self.of_work = max(self.megabytes.values())


class HourTest(PrepareCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="baton-hour-")
        cls.addClassCleanup(scratch.cleanup)
        bench = types.SimpleNamespace(folder=pathlib.Path(scratch.name), program=program())
        cls.score, cls.sound, cls.truth, cls.end = longscore.make(
            bench, lambda piece: RECORDINGS / piece / "score.musicxml", OTHER_INSTRUMENTS, run)
        super().setUpClass()

    def next(self):
        return self.text(".next-title")

    def share(self):
        """The progress that the page shows; none if it shows no share."""
        return self.script("return document.querySelector('.next progress[value]:not([hidden])')?.value ?? null")

    def job(self):
        return self.draft()["job"] or {}

    def test_an_hour_and_its_score_become_bars_within_five_minutes(self):
        with Watched(self.server.process.pid) as watched:
            begun = time.monotonic()
            self.open()
            self.choose_file(RECORDING, self.sound)
            self.choose_file(SCORES, self.score)
            self.button("Begin").click()
            self.until(lambda: "#/" in self.driver.current_url, "the piece is opened", 10)
            self.piece = self.driver.current_url.split("#/")[1]
            self.until(lambda: self.next().startswith("Finding the bars"), "it looks for the bars", 120)
            looking = time.monotonic()
            self.is_interrupted_and_begun_again()
            again = time.monotonic()
            shares = self.watched_until_found()
            found = time.monotonic()
        worked = max(watched.seconds[each] for each in watched.megabytes)
        print(f"{self.end / 60:.0f} minutes: {looking - begun:.0f} s until it looks for the bars, "
              f"{found - again:.0f} s to find them ({worked:.0f} s of processor time); "
              f"at most {watched.own:.0f} MB in the server, {watched.of_work:.0f} MB in its work", flush=True)
        self.assertGreater(len(shares), 10, "the progress is shown")
        self.assertEqual(self.job()["state"], "done", self.job())
        # Other programs may want the processors too.
        self.assertLess(worked, MOST_SECONDS)
        self.assertLess(max(watched.own, watched.of_work), MOST_MEGABYTES)
        self.bars_are_right()
        self.picture("prepare-hour")

    def is_interrupted_and_begun_again(self):
        self.until(lambda: (self.share() or 0) > 0.02, "the progress is shown", 120)
        self.button("Stop").click()
        took = self.until(lambda: self.button("Find the bars"), "it can be begun again", 5)
        self.assertLess(took, 5)
        self.assertEqual(self.job().get("state"), "interrupted")
        self.assertEqual(self.bars(), [])
        self.button("Find the bars").click()
        self.until(lambda: self.next().startswith("Finding the bars"), "it looks for them again", 10)

    def watched_until_found(self):
        """The different shares that the page showed."""
        shares = set()

        def is_over():
            share = self.share()
            if share is not None:
                shares.add(round(share, 3))
            return not self.next().startswith(("Finding the bars", "Listening", "Playing"))
        self.until(is_over, "the bars are found", 3_000)
        return shares

    def bars_are_right(self):
        found = self.bars()
        self.assertEqual([bar["printed"] for bar in found], [number for number, _ in self.truth])
        errors = sorted(abs(bar["seconds"] - seconds) for bar, (_, seconds) in zip(found, self.truth))
        print(f"{len(errors)} bars: {1000 * statistics.median(errors):.0f} ms in the median, "
              f"{100 * sum(error <= 0.1 for error in errors) / len(errors):.1f} % within 100 ms", flush=True)
        self.assertLess(statistics.median(errors), 0.05)
        self.assertLess(errors[int(0.95 * len(errors))], 0.1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
