"""Changes to the music by the players: cuts, repeats, stops, pauses, other beginnings."""

import numpy

from . import noises, sections
from .montage import Event, Montage, Unfit
from .sound import decibels, level, seconds

KINDS = ("plain", "cut", "repeat", "stop", "pause", "start")
# Only if asked for, as those of troubles.FURTHER.
FURTHER = ("foreign", *sections.KINDS)
# The length in seconds of the music of another piece.
FOREIGN = 30.0
# Music before and after an event, seconds.
APPROACH, AFTERMATH = 15.0, 22.0


def performed(kind, recording, rng, longest, to_the_end, others=()):
    """An excerpt of at most about `longest` seconds in which `kind` happens; `others` lend foreign music."""
    if kind in sections.KINDS:
        return sections.performed(kind, recording, rng, longest)
    bounds, numbers = recording.bounds, recording.measures
    length = rng.uniform(min(60, 0.7 * longest), longest)
    start, stop = _excerpt(bounds, length, rng, to_the_end, from_inside=kind == "start")
    montage = Montage(recording, rng)
    montage.lead_in(start)
    event = None
    if kind == "cut":
        line = _line(bounds, start, stop, rng, APPROACH, 0)
        goal, stop = _landing(bounds, line, stop, rng, length, to_the_end)
        montage.bars(start, line)
        note = f"bars {numbers[line]} to {numbers[goal - 1]} are left out"
        event = _jump(kind, note, numbers[goal], goal - line, montage.now)
        montage.bars(goal, stop)
    elif kind == "repeat":
        line = _line(bounds, start, stop, rng, APPROACH, AFTERMATH)
        goal = max(start, line - int(rng.integers(4, 17)))
        montage.bars(start, line)
        note = f"bars {numbers[goal]} to {numbers[line - 1]} are played twice"
        event = _jump(kind, note, numbers[goal], line - goal, montage.now)
        montage.bars(goal, stop)
    elif kind == "stop":
        line = _line(bounds, start, stop, rng, APPROACH, AFTERMATH)
        goal = max(start, line + 1 - int(rng.integers(1, 13)))
        montage.bars(start, line, until=rng.uniform(0.2, 0.8))
        note = f"stop in bar {numbers[line]}, talk, again from {numbers[goal]}"
        event = _jump(kind, note, numbers[goal], line - goal, montage.now)
        montage.hold(_talk(rng.uniform(5, 15), montage, recording, rng))
        event.end = montage.now
        montage.bars(goal, stop)
    elif kind == "pause":
        line = _line(bounds, start, stop, rng, APPROACH, AFTERMATH)
        montage.bars(start, line)
        event = Event(kind, f"silence before bar {numbers[line]}", montage.now)
        montage.hold(montage.room(rng.uniform(3, 8)))
        event.end = montage.now
        montage.bars(line, stop)
    elif kind == "foreign":
        line = _line(bounds, start, stop, rng, APPROACH, AFTERMATH)
        montage.bars(start, line)
        other, sound_of_other = _foreign(recording, others, rng)
        event = Event(
            kind, f"{FOREIGN:.0f} s of {other.name} before bar {numbers[line]}", montage.now,
            figures={"goal": numbers[line]})
        montage.hold(montage.at_music_level(sound_of_other))
        event.end = montage.now
        montage.bars(line, stop)
    else:
        montage.bars(start, stop)
    performance = montage.close(is_last=stop == len(numbers))
    if kind == "start":
        performance.first_is_known = bool(rng.random() < 0.33)
        told = "known" if performance.first_is_known else "unknown"
        event = Event(f"start-{told}", f"begins at bar {numbers[start]}", is_local=False)
        event.figures = {"goal": numbers[start]}
    if event:
        performance.events.append(event)
    return performance


def _foreign(recording, others, rng):
    """Half a minute from within a recording of another piece, and that recording."""
    fit = [other for other in others
           if _piece(other) != _piece(recording) and other.end - other.onsets[0] > FOREIGN + 5]
    if not fit:
        raise Unfit
    other = fit[rng.integers(len(fit))]
    first = rng.uniform(other.onsets[0], other.end - FOREIGN)
    return other, other.samples()[seconds(first):seconds(first) + seconds(FOREIGN)].copy()


def _piece(recording):
    """The name of the piece that a recording plays; without a title, each recording counts as a piece of its own."""
    title = recording.title.get("title")
    return (recording.title.get("composer"), title) if title else recording.name


def _jump(kind, note, goal, bars, now):
    return Event(kind, note, now, now, figures={"goal": goal, "bars": bars})


def _landing(bounds, line, stop, rng, length, to_the_end):
    """The bar a cut from `line` leads to, and where the excerpt then stops."""
    stop = min(len(bounds) - 1, stop + 40)
    most = _last(bounds, stop, AFTERMATH) - line
    if most < 8:
        raise Unfit
    goal = line + int(rng.integers(8, min(40, most) + 1))
    if not to_the_end:
        stop = max(goal + 1, min(stop, int(numpy.searchsorted(bounds, bounds[goal] + length / 2))))
    if bounds[stop] - bounds[goal] < AFTERMATH:
        raise Unfit
    return goal, stop


def _excerpt(bounds, length, rng, to_the_end, from_inside):
    """Bars of about `length` seconds."""
    last = len(bounds) - 1
    least = 30 if from_inside else length
    latest = int(numpy.searchsorted(bounds, bounds[-1] - least, "right")) - 1
    if to_the_end:
        start = max(0, latest)
    elif from_inside:
        earliest = max(4, last // 10)
        if latest <= earliest:
            raise Unfit
        start = int(rng.integers(earliest, latest))
    else:
        start = 0 if latest <= 0 or rng.random() < 0.4 else int(rng.integers(0, latest + 1))
    stop = min(last, int(numpy.searchsorted(bounds, bounds[start] + length)))
    if bounds[stop] - bounds[start] < 25:
        raise Unfit
    return start, last if to_the_end else stop


def _line(bounds, start, stop, rng, before, after):
    """A bar line with so many seconds of music before and after it."""
    first = int(numpy.searchsorted(bounds, bounds[start] + before))
    last = _last(bounds, stop, after)
    if last <= first:
        raise Unfit
    return int(rng.integers(first, last))


def _last(bounds, stop, after):
    return int(numpy.searchsorted(bounds, bounds[stop] - after, "right")) - 1


def _talk(duration, montage, recording, rng):
    length = seconds(duration)
    made = noises.speech(length, rng) if rng.random() < 0.6 else noises.murmur(length, rng)
    rest = seconds(0.6)
    made[:rest] *= numpy.linspace(0, 1, rest)
    made[-rest:] *= numpy.linspace(1, 0, rest)
    loud = level(recording.samples()) * decibels(rng.uniform(-12, 0))
    return made * loud + montage.room(duration)[:length]
