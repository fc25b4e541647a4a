"""Compares detected frames with the true bars of pages, and gathers what the detector's networks are fitted to."""

import collections
import json

import numpy

# The largest distance of a frame's edge from the bar line, as a share of the page.
TOLERANCE = 0.012
# A page with less of its outermost staff lines counts as one whose lines are gone.
LEAST_PRINTED = 0.6


class Verdict:
    """The right and wrong results on one page: frames, and the corners of true bars without a frame of their own."""

    def __init__(self, right, wrong, missed):
        self.right, self.wrong, self.missed = right, wrong, missed

    @property
    def bars(self):
        return len(self.right) + len(self.missed)


def judge(bars, found):
    """Compares the true bars with the frames found.

    `bars`: [system, [[x, y] of the upper left, lower left, upper right, lower right corner]]. A frame is right if both
    edges lie at the bar lines and if it holds the staves of the system and no others.
    """
    used, missed = {}, []
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
                used[index] = measure
                break
        else:
            missed.append(corners.tolist())
    return Verdict(list(used.values()), [measure for index, measure in enumerate(found) if index not in used], missed)


def is_doubtful(measure):
    return measure["confidence"] < 0.5


class Tally:
    """Figures for each kind of page."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.slowest = collections.Counter()
        self.bins = [collections.Counter() for _ in range(10)]

    def add(self, kinds, verdict, seconds):
        for measures, key in ((verdict.right, "right"), (verdict.wrong, "wrong")):
            for measure in measures:
                self.bins[min(int(measure["confidence"] * 10), 9)][key] += 1
        for kind in kinds:
            row = self.rows[kind]
            row["pages"] += 1
            row["bars"] += verdict.bars
            row["right"] += len(verdict.right)
            row["wrong"] += len(verdict.wrong)
            row["doubted wrong"] += sum(map(is_doubtful, verdict.wrong))
            row["doubted right"] += sum(map(is_doubtful, verdict.right))
            row["perfect"] += not verdict.missed and not verdict.wrong
            self.slowest[kind] = max(self.slowest[kind], seconds)

    def lines(self):
        """A table by kind, then what confidence means: how many of the frames of each tenth are right."""
        yield (f"{'':14}{'pages':>6}{'perfect':>9}{'bars':>6}{'right':>8}{'wrong frames':>14}{'of them doubted':>17}"
               f"{'right ones doubted':>20}{'slowest':>9}")
        for kind, row in self.rows.items():
            share = 100 * row["right"] / max(row["bars"], 1)
            yield (f"{kind:14}{row['pages']:6}{row['perfect']:9}{row['bars']:6}{share:7.1f}%{row['wrong']:14}"
                   f"{row['doubted wrong']:17}{row['doubted right']:20}{self.slowest[kind]:8.2f}s")
        row = self.rows["all"]
        doubted = row["doubted wrong"] + row["doubted right"]
        if doubted and row["wrong"]:
            yield (f"doubt: precision {row['doubted wrong'] / doubted:.3f} (doubted frames that are wrong), "
                   f"recall {row['doubted wrong'] / row['wrong']:.3f} (wrong frames that are doubted)")
        for number, tenth in enumerate(self.bins):
            frames = tenth["right"] + tenth["wrong"]
            if frames:
                yield (f"confidence {number / 10:.1f} to {(number + 1) / 10:.1f}: {frames} frames, "
                       f"{100 * tenth['right'] / frames:.1f} % right")


def labelled(strokes, candidates):
    """The candidates with 1 for a true stroke of a bar line, else 0; those near one are left out."""
    segments = [(numpy.array(top), numpy.array(bottom)) for top, bottom in strokes]
    kept, labels = [], []
    for candidate in candidates:
        point = numpy.array(candidate["at"])
        space = numpy.linalg.norm(numpy.array(candidate["space"]) - point)
        nearest = numpy.inf
        for top, bottom in segments:
            way = bottom - top
            length = max(numpy.linalg.norm(way), 1e-9)
            share = numpy.dot(point - top, way) / length ** 2
            if -0.02 - 2 * space / length <= share <= 1.02 + 2 * space / length:
                distance = abs(way[0] * (point - top)[1] - way[1] * (point - top)[0]) / length
                nearest = min(nearest, distance / max(space, 1e-9))
        if nearest < 0.5 or nearest > 1:
            kept.append(candidate)
            labels.append(1 if nearest < 0.5 else 0)
    return kept, labels


def read(path):
    return json.loads(path.read_text())
