"""Cases from real solo violin recordings: the score is rendered as the reference, with its repeats and without.

The recordings, their scores and an estimated alignment of their notes are those of the Bach Violin Dataset
(salu133445/bach-violin-dataset), as ../shared/data/violin holds them: NAME.opus or .mp3, NAME.scores.mxl,
NAME.notes.csv (onset in ticks of a 24th of a quarter) and NAME.alignments.csv (start and end in seconds).
"""

import csv

import numpy

from . import renderer, scores
from .cases import write_case, write_rows
from .sound import SoundFailure

# Seconds by which an alignment is early against its recording, the same from the first bar to the last. Found where
# the rises of each note's own pitch agree best with the alignment, in eighths of the movement (0.96 to 1.02 s); the
# other two movements differ by 0.02 s. In these three the alignment begins in digital silence.
EARLY = dict.fromkeys(
    ("john-garner_bwv1002_mov6", "minji-kim_bwv1003_mov3", "minji-kim_bwv1003_mov4"), 1.0)
REFERENCES = {
    "repeats": "the reference is rendered with every repeat of the score",
    "once": "the reference is rendered without repeats, each written bar once",
}


def cases(data, out):
    """Writes two cases of each recording; yields ids and sentences."""
    for score in sorted(data.glob("*.scores.mxl")):
        name = score.name.removesuffix(".scores.mxl")
        audio = next((path for path in sorted(data.glob(f"{name}.*")) if path.suffix in (".opus", ".mp3")), None)
        if audio is None:
            raise SoundFailure(f"{data} has no recording of {name}.")
        written = scores.bars(scores.read(score))
        onsets = _columns(data / f"{name}.notes.csv", "onset", "pitch")
        times = _columns(data / f"{name}.alignments.csv", "start", "end") + EARLY.get(name, 0)
        order, share = scores.played(written, {(int(tick), int(pitch)) for tick, pitch in onsets})
        if share < 0.9:
            raise SoundFailure(f"{score} does not have the notes of {name}.notes.csv: only {share:.0%} agree.")
        live = _bar_times(written, order, onsets[:, 0], times)
        for kind, sentence in REFERENCES.items():
            folder = out / f"violin-{kind}-{name.replace('_', '-')}"
            yield folder.name, _write(folder, kind, score, audio, written, order, live) + sentence


def _columns(path, *names):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return numpy.array([[float(row[name]) for name in names] for row in csv.DictReader(file)])
    except (OSError, KeyError, ValueError) as fault:
        raise SoundFailure(f"{path} cannot be used: it needs columns {' and '.join(names)} ({fault}).") from None


def _bar_times(written, order, ticks, times):
    """Seconds at which each played bar begins, and at which the last one ends."""
    begins = numpy.concatenate([[0], numpy.cumsum([written[place].ticks for place in order])])
    known = numpy.unique(ticks)
    first = numpy.array([times[ticks == tick, 0].min() for tick in known])
    heard = numpy.maximum.accumulate(first + 1e-6 * numpy.arange(len(first)))
    end = float(times[:, 1].max())
    return numpy.interp(begins, [*known, begins[-1]], [*heard, end])


def _write(folder, kind, score, audio, written, order, live):
    """Writes one case; returns how the live recording goes through the bars, as the start of a sentence."""
    root = scores.read(score)
    if kind == "once":
        route = list(range(len(written)))
        scores.without_repeats(root)
    else:
        route = scores.route(written, [True] * scores.repeats(written))
    folder.mkdir(parents=True)
    scores.write(root, folder / "reference.musicxml")
    reference = renderer.render(folder / "reference.musicxml", folder / "reference")
    if len(reference.onsets) != len(route):
        raise SoundFailure(
            f"{score} was rendered with {len(reference.onsets)} bars where {len(route)} were expected.")
    numbers = _numbers(route, order)
    write_rows(folder / "reference.measures.csv", zip(range(1, len(route) + 1), reference.onsets))
    write_rows(folder / "live.measures.csv", zip(numbers, live))
    write_case(
        folder, group=f"violin-{kind}", composer="J. S. Bach", title=score.name.removesuffix(".scores.mxl"),
        reference={"audio": reference.audio, "measures": "reference.measures.csv", "end": reference.end},
        live={"audio": audio, "measures": "live.measures.csv", "start": float(live[0]), "end": float(live[-1])},
        first=numbers[0], printed={number: written[place].number for number, place in enumerate(route, 1)})
    jumps = [k for k in range(1, len(numbers)) if numbers[k] != numbers[k - 1] + 1]
    return f"{len(order)} bars played of {len(route)}, {len(jumps)} jumps; "


def _numbers(route, order):
    """The reference's number of each bar played: the next place where the reference plays it, or else the first one."""
    numbers, last = [], -1
    for bar in order:
        places = [place for place, other in enumerate(route) if other == bar]
        last = next((place for place in places if place > last), places[0])
        numbers.append(last + 1)
    return numbers
