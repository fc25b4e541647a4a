"""A case of the benchmark (../shared/bench) as a piece that stands can turn: its model, its pages, and its true times.

Nothing of it goes into the repository: the model is made in a scratch folder, and the pages are blank staves.
"""

import csv
import json
import os
import pathlib
import subprocess

from lib.music_pdf import music_pdf
from lib.repository import ROOT, program

BENCH = pathlib.Path(os.environ.get("BATON_BENCH") or ROOT.parent / "shared" / "bench")
# Its live recording, of 1933, is in the public domain and may be cut; the reference is used as it is.
STANDARD = "real-D911-01-sc06-hu33"
PIECE = "benchmark-case"


def missing(case):
    """Why a case cannot be played here; "" where it can."""
    if not (BENCH / "manifest.json").is_file():
        return f"{BENCH} is not here"
    return "" if (BENCH / case / "case.json").is_file() else f"{BENCH} has no case {case}"


def onsets(path):
    """Seconds at which each measure begins; of one played twice the first time."""
    with open(path, encoding="utf-8") as file:
        rows = [(int(row[0]), float(row[1])) for row in list(csv.reader(file))[1:]]
    return dict(reversed(rows))


class Case:
    def __init__(self, name):
        self.folder = BENCH / name
        facts = json.loads((self.folder / "case.json").read_text(encoding="utf-8"))
        self.title = f"{facts['composer']}: {facts['title']}"
        self.reference, live = facts["references"][0], facts["live"]
        self.live = (self.folder / live["audio"]).resolve()
        self.at = onsets(self.folder / live["measures"])
        self.first, self.last = min(self.at), max(self.at)

    def prepare(self, models):
        """Makes the model that follows it."""
        subprocess.run(
            [program(), "prepare", PIECE, "--recording", str(self.folder / self.reference["audio"]),
             "--measures", str(self.folder / self.reference["measures"]), "--end", str(self.reference["end"]),
             "--name", self.title, "--models", str(models)], cwd=ROOT, check=True, capture_output=True)


class Pages:
    """A part whose every page has so many systems of so many measures."""

    def __init__(self, case, systems, bars):
        self.systems, self.bars, self.each = systems, bars, systems * bars
        self.first, self.last = case.first, case.last
        self.count = -(-(self.last - self.first + 1) // self.each)

    def page(self, measure):
        return (measure - self.first) // self.each

    def measures(self, page):
        """The first and the last of a page."""
        first = self.first + page * self.each
        return first, min(first + self.each - 1, self.last)

    @property
    def pdf(self):
        return music_pdf(self.count, "", self.systems, self.bars)

    @property
    def places(self):
        """The first and last measure of each page and no more."""
        spans = [self.measures(page) for page in range(self.count)]
        return [{"movement": 0, "page": page, "first": first, "last": last} for page, (first, last) in enumerate(spans)]
