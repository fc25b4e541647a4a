#!/usr/bin/python3
"""Three stands and a real performance of the benchmark: does each turn at its own pages, at the true time? Four
minutes.

    BATON=path/to/baton Tests/Pages/rooms_bench_test.py [--case NAME] [--pictures FOLDER]

Where ../shared/bench is: a case of `real` or `piano` with at least 60 measures. Its reference is prepared in a scratch
folder; a librarian brings in blank staves with a full score and a part that turn at different measures, and marks the
first and last measure of each page only. The owner and a member have the score, another member the part. The recording
is played at real speed: its true times are the benchmark's, and when it was begun is known. Meanwhile the server is
killed, a stand is without its network across a page's end, and the conductor goes back to a bar that is named by its
number. The last line is `N passed, N failed`.
"""

import contextlib
import pathlib
import sys
import tempfile

import benchmark_piece
import rooms_performance_scene
import sound
from benchmark_piece import Case, Pages
from browser import chromium
from checks import Checks
from rooms_evening import ACCOUNTS, Evening, option
from served import Served


class Performance(Evening):
    """An evening on a case of the benchmark."""

    def __init__(self, checks, served, drivers, case, folder):
        super().__init__(checks, served, drivers, "Benchmark")
        self.case, self.folder = case, folder
        self.score_pages, self.part_pages = Pages(case, 2, 4), Pages(case, 3, 5)
        self.turns = []  # how much later than wished, in seconds


def main():
    checks = Checks()
    name = option("--case", benchmark_piece.STANDARD)
    if reason := benchmark_piece.missing(name):
        print(f"skipped     the benchmark: {reason}")
        return checks.end()
    case = Case(name)
    if len(case.at) < 60:
        print(f"skipped     {name} has {len(case.at)} measures; 60 are needed")
        return checks.end()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-bench-")))
        case.prepare(folder / "models")
        quiet = folder / "quiet.wav"
        sound.write(quiet, rooms_performance_scene.hall(300))
        drivers = [stack.enter_context(chromium()) for _ in range(3)]
        served = stack.enter_context(
            Served(benchmark_piece.PIECE, [quiet], "--models", str(folder / "models"), accounts=ACCOUNTS))
        evening = Performance(checks, served, drivers, case, folder)
        stack.callback(evening.wire.close)
        evening.play(rooms_performance_scene, "the performance comes to its end")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
