"""What time code and films that follow the music are compared with: the follower's positions, and bar lines."""

import bisect
import csv
import json

from .figures import percentile
from .repository import ROOT

# A performance of each piece from which its model was not made.
LIVE = {
    "bach-well-tempered-clavier-1-prelude-in-c": "swift",
    "petzold-anna-magdalena-notebook-minuet-in-g": "gentle",
    "beethoven-woo-59-fur-elise": "swift",
    "grieg-peer-gynt-hall-of-the-mountain-king": "studio",
    "beethoven-symphony-9-ode-to-joy-variations": "broad",
}


def onsets(piece):
    model = json.loads((ROOT / "Models" / piece / "model.json").read_text())
    return [mark["onset"] for mark in model["references"][0]["about"]["measures"]["marks"]]


def interpolated(rows, at, reach):
    """The value at a time between two rows that are no further apart than `reach` seconds; None elsewhere."""
    place = bisect.bisect_right(rows, (at, float("inf")))
    if not 0 < place < len(rows) or rows[place][0] - rows[place - 1][0] > reach:
        return None
    (early, low), (late, high) = rows[place - 1], rows[place]
    return low + (high - low) * (at - early) / (late - early)


def followed(path):
    """The follower's own positions: (live seconds, reference seconds)."""
    with open(path, newline="", encoding="utf-8") as rows:
        return [(float(row["live"]), float(row["reference"])) for row in csv.DictReader(rows)
                if row["reference"] and row["state"] in ("following", "coasting")]


def spread(distances):
    sizes = [abs(distance) for distance in distances]
    return percentile(sizes, 0.5), percentile(sizes, 0.95)
