"""Other ways through repeated sections: a repeat left out, one more, from the beginning again, a section left out."""

import numpy

from . import repeats
from .montage import Event, Montage, Unfit

KINDS = ("left-out", "once-more", "da-capo", "section-cut")
# Music before and after the jump, seconds; less than of other troubles, because sections of dances are short.
APPROACH, AFTERMATH = 8.0, 12.0


def performed(kind, recording, rng, longest):
    """An excerpt of at most about `longest` seconds in which the music jumps from one bar line to another."""
    line, goal, note = _jump(kind, recording, rng)
    bounds, numbers = recording.bounds, recording.measures
    before = rng.uniform(APPROACH, max(APPROACH, longest / 2))
    start = max(0, int(numpy.searchsorted(bounds, bounds[line] - before)))
    stop = min(len(numbers), int(numpy.searchsorted(bounds, bounds[goal] + longest / 2)))
    if bounds[line] - bounds[start] < 0.5 * APPROACH or bounds[stop] - bounds[goal] < AFTERMATH:
        raise Unfit
    montage = Montage(recording, rng)
    montage.lead_in(start)
    montage.bars(start, line)
    event = Event(
        kind, note, montage.now, montage.now, figures={"goal": numbers[goal], "bars": goal - line})
    montage.bars(goal, stop)
    performance = montage.close(is_last=stop == len(numbers))
    performance.events.append(event)
    return performance


def _jump(kind, recording, rng):
    """The bar line that the music leaves, the bar that it goes to, and a sentence."""
    known = repeats.found(recording)
    if not known:
        raise Unfit
    numbers = recording.measures
    repeat = known[rng.integers(len(known))]
    second, end = repeat.start + repeat.length, repeat.end
    if kind == "left-out":
        # The last bars of the copy are played: they may be another ending.
        line = repeat.start + repeat.alike
        note = f"bars {numbers[repeat.start]} to {numbers[second - 1]} are not repeated"
        return *_checked(line, line + repeat.length, recording), note
    if kind == "once-more":
        note = f"bars {numbers[second]} to {numbers[end - 1]} are played once more"
        return *_checked(end, second, recording), note
    borders = sorted({0, *(edge for one in known for edge in (one.start, one.end))})
    if kind == "da-capo":
        return *_checked(end, 0, recording), f"from the beginning again after bar {numbers[end - 1]}"
    pairs = [(line, goal) for line in borders for goal in borders
             if line and goal - line >= 8 and goal < len(numbers) and not _is_copy(known, line, goal)]
    if not pairs:
        raise Unfit
    line, goal = pairs[rng.integers(len(pairs))]
    return *_checked(line, goal, recording), f"bars {numbers[line]} to {numbers[goal - 1]} are left out"


def _checked(line, goal, recording):
    if not 0 < line <= len(recording.measures) or not goal < len(recording.measures):
        raise Unfit
    return line, goal


def _is_copy(known, line, goal):
    """True if the music after the cut is that of the other copy: then a repeat is left out, no section."""
    return any(goal - line == one.length and one.start <= line <= one.start + one.length for one in known)
