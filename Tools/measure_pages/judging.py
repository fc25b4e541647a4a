"""Compares detected frames with the true bars of pages, and gathers what the detector's networks are fitted to."""

import collections
import json

import numpy

# How far an edge of a frame may lie from the bar line, as a share of the page.
TOLERANCE = 0.012


def judge(bars, found):
    """How many true bars have a frame of their own, and the frames that are wrong.

    `bars`: [system, [[x, y] of the upper left, lower left, upper right, lower right corner]]. A frame is right if both
    edges lie at the bar lines and if it holds the staves of the system and no others.
    """
    used, right = set(), 0
    for _, corners in bars:
        corners = numpy.array(corners)
        is_on_side = abs(corners[0][0] - corners[2][0]) < abs(corners[0][1] - corners[2][1])
        along, across = (1, 0) if is_on_side else (0, 1)
        low, high = sorted([corners[:2, along].mean(), corners[2:, along].mean()])
        top, bottom = sorted([corners[[0, 2], across].mean(), corners[[1, 3], across].mean()])
        for index, measure in enumerate(found):
            box = measure["box"]
            covered = min(bottom, box[across + 2]) - max(top, box[across])
            if (index not in used and abs(box[along] - low) <= TOLERANCE and abs(box[along + 2] - high) <= TOLERANCE
                    and covered >= 0.8 * (bottom - top)
                    and box[across + 2] - box[across] <= 2.2 * (bottom - top) + 0.06):
                used.add(index)
                right += 1
                break
    return right, [measure for index, measure in enumerate(found) if index not in used]


class Tally:
    """Figures for each kind of page."""

    def __init__(self):
        self.rows = collections.defaultdict(lambda: collections.Counter())

    def add(self, kinds, bars, right, wrong, found, seconds):
        for kind in kinds:
            row = self.rows[kind]
            row["pages"] += 1
            row["bars"] += bars
            row["right"] += right
            row["frames"] += len(found)
            row["wrong"] += len(wrong)
            row["doubted"] += sum(measure["confidence"] < 0.5 for measure in wrong)
            row["doubts"] += sum(measure["confidence"] < 0.5 for measure in found)
            row["seconds"] = max(row["seconds"], seconds)

    def lines(self):
        yield (f"{'':14}{'pages':>6}{'bars':>6}{'right':>8}{'wrong frames':>14}{'of them doubted':>17}{'doubted':>9}"
               f"{'slowest':>9}")
        for kind, row in self.rows.items():
            share = 100 * row["right"] / max(row["bars"], 1)
            yield (f"{kind:14}{row['pages']:6}{row['bars']:6}{share:7.1f}%{row['wrong']:14}{row['doubted']:17}"
                   f"{row['doubts']:9}{row['seconds']:8.2f}s")


def labelled(bars, candidates):
    """Features of candidates, and 1 where a bar ends there, else 0; those near a bar line are left out."""
    segments = [(numpy.array(corners[2]), numpy.array(corners[3])) for _, corners in bars]
    features, labels = [], []
    for candidate in candidates:
        point = numpy.array(candidate["at"])
        space = numpy.linalg.norm(numpy.array(candidate["space"]) - point)
        label = 0
        for top, bottom in segments:
            way = bottom - top
            length = max(numpy.linalg.norm(way), 1e-9)
            share = numpy.dot(point - top, way) / length ** 2
            distance = abs(way[0] * (point - top)[1] - way[1] * (point - top)[0]) / length
            if -0.02 - 2 * space / length <= share <= 1.02 + 2 * space / length and distance < 1.6 * space:
                label = 1 if distance < 0.9 * space else None
                break
        if label is not None:
            features.append(candidate["features"])
            labels.append(label)
    return features, labels


def read(path):
    return json.loads(path.read_text())
