#!/usr/bin/python3
"""How many actions and how long it takes from an empty folder to a piece on the programme, and how right its bars are.

    BATON=path/to/baton Tests/Pages/own_piece_trial.py RECORDING MEASURES [--score SCORE] [--every BARS] [--keys]
                                                         [--seed N] [--own-offset]

MEASURES is the truth (measure,time), one row for each bar that is played. With a score Baton finds the bars, and each
doubtful one is called right without a correction; without one, taps with an error of 60 ms (standard deviation) are
made. --keys uses the keyboard alone, except in the system's file chooser. --own-offset takes the median out of the
errors, for a truth that lies beside the sound.
"""

import argparse
import pathlib
import random
import statistics
import time
import unittest

from lib import soundcard
from lib.repository import measure_times_without_end
from own_piece_test import RECORDING_FIELD, SCORE_FIELD, KeyboardTest, OwnPieceCase

TAP_ERROR = 0.06  # s
FOLDER = "trial"


class Trial:
    """Counts what a person does: a button, a field, a choice, a file, a key of a command or a tap is one action."""

    actions = keys_pressed = 0
    options = None

    def push(self, button):
        self.actions += 1
        super().push(button)

    def fill(self, css, text):
        self.actions += 1
        super().fill(css, text)

    def choose(self, css, value):
        self.actions += 1
        super().choose(css, value)

    def choose_file(self, css, *paths):
        self.actions += 1
        super().choose_file(css, *paths)

    def keys(self, *keys):
        self.keys_pressed += len(keys)
        super().keys(*keys)

    def runTest(self):
        begun = time.monotonic()
        truth = measure_times_without_end(self.options.measures)
        self.first_steps()
        self.stage("first steps", begun)
        files = [(RECORDING_FIELD, self.options.recording)]
        if self.options.score:
            files.append((SCORE_FIELD, self.options.score))
        self.new_piece(FOLDER, *files)
        if self.options.score:
            self.until(lambda: len(self.bars()) > 1, "the bars are found", 300)
            self.stage("bars found", begun)
            self.check_by_ear()
        else:
            self.taps([seconds for _, seconds in truth])
        self.stage("bars checked or tapped", begun)
        self.judge(truth)
        self.prepare_it()
        self.on_the_programme(FOLDER)
        self.stage("on the programme", begun)

    def taps(self, bars):
        self.until(lambda: self.text(".next-title") == "Tap the bars", "it asks for taps", 60)
        self.until(lambda: self.text(".time").split(" / ")[-1] > "0:10", "the sound is there", 60)
        self.focus_stage()
        self.keys("t")
        self.until(lambda: self.shown(".tapping"), "it is ready for taps")
        if self.options.every > 1:
            self.choose(".tapping select", str(self.options.every))
            self.focus_stage()
        chance = random.Random(self.options.seed)
        times = [seconds + chance.gauss(0, TAP_ERROR) for seconds in bars[::self.options.every]]
        self.tap_along(times, patience=900)
        self.actions += 1 + len(times)
        self.keys_pressed += 1 + len(times)
        self.push(self.button("Find the bars"))
        self.until(lambda: len(self.bars()) > 1, "the bars are found", 120)

    def judge(self, truth):
        found, first = self.bars(), 0 if self.options.score else truth[0][0] - 1  # Taps are counted from 1.
        pairs = list(zip(found, truth))
        errors = [bar["seconds"] - seconds for bar, (_, seconds) in pairs]
        numbered = sum(bar["printed"] == number - first for bar, (number, _) in pairs)
        offset = statistics.median(errors) if self.options.own_offset else 0
        away = sorted(1000 * abs(error - offset) for error in errors)
        within = ", ".join(f"within {limit} ms {sum(error <= limit for error in away) / len(away):.1%}"
                           for limit in (50, 100))
        print(f"    {len(found)} bars found, {len(truth)} in the truth, {numbered} with its number; error "
              f"{statistics.median(away):.0f} ms in the median, 95 % within {away[int(0.95 * len(away))]:.0f} ms, "
              f"{within}; offset {1000 * offset:.0f} ms. Next: {self.text('.next-title')}", flush=True)

    def stage(self, name, begun):
        print(f"    {name}: {time.monotonic() - begun:.0f} s, {self.actions} actions, {self.keys_pressed} keys",
              flush=True)


class MouseTrial(Trial, OwnPieceCase):
    def keys(self, *keys):
        self.actions += len(keys)
        super().keys(*keys)


class KeyboardTrial(Trial, KeyboardTest):
    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("recording", type=pathlib.Path)
    parser.add_argument("measures", type=pathlib.Path)
    parser.add_argument("--score", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--keys", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--own-offset", action="store_true")
    Trial.options = parser.parse_args()
    if not soundcard.is_possible():
        raise SystemExit("pulseaudio is not installed; a private sound card needs it.")
    case = KeyboardTrial if Trial.options.keys else MouseTrial
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite([case("runTest")]))
    raise SystemExit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
