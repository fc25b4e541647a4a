"""Beginnings: what sounds before the first note of a piece, the silence after it, and the first minute of the music."""

import dataclasses

import numpy

from . import cases, noises, rooms, warmups
from .montage import Event, Montage
from .sound import RATE, decibels, level, seconds

KINDS = ("oboe", "fifths", "winds", "orchestra", "noodling", "house", "speech", "applause", "doors", "hum",
         "ventilation", "silence", "usual", "false-start")
# Seconds of what sounds before, and of the room that follows.
BEFORE, REST = (20.0, 60.0), (5.0, 30.0)
# Kinds that go on under the music.
LASTING = ("hum", "ventilation")
# Every third case is heard in a drawn room.
IN_A_ROOM = 3


@dataclasses.dataclass
class Length:
    """Seconds of the three parts; `music` is the most that is played."""

    before: tuple
    rest: tuple
    music: float


WHOLE = Length(BEFORE, REST, 74.0)
QUICK = Length((8.0, 20.0), (2.5, 8.0), 30.0)


def make(index, recordings, kinds, seed, length, out):
    """Writes case `index`; the same arguments write the same bytes. Returns its id and a sentence."""
    rng = numpy.random.default_rng([seed, index])
    kind = kinds[index % len(kinds)]
    recording = recordings[int(rng.integers(len(recordings)))]
    others = [other for other in recordings if other.title.get("title") != recording.title.get("title")]
    performance = begun(kind, recording, others, length, rng)
    if index % IN_A_ROOM == 2:
        performance.samples = rooms.heard(performance.samples, rooms.drawn(rng), rng)
    performance.samples = performance.samples * (0.9 / max(numpy.abs(performance.samples).max(), 0.9))
    name = f"{index:03d}-{kind}-{recording.name}"
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    cases.write(folder, name, [kind], recording, performance, group="beginnings")
    return name, performance.events[0].note


def begun(kind, recording, others, length, rng):
    """A performance that begins as the kind says."""
    montage = Montage(recording, rng)
    montage.lead_in(0)
    # A false start may break off in its first bar, which then has no onset in the truth.
    first_note = montage.now
    bounds = recording.bounds
    stop = max(int(numpy.searchsorted(bounds, bounds[0] + length.music)), 3)
    stop = min(stop, len(recording.measures))
    again = None
    pause = None
    if kind == "false-start":
        broken = max(int(numpy.searchsorted(bounds, bounds[0] + rng.uniform(4, 8))) - 1, 0)
        montage.bars(0, broken, until=rng.uniform(0.2, 0.9))
        montage.hold(montage.room(rng.uniform(1.5, 5)))
        again = montage.now
        montage.bars(0, stop)
    elif kind in LASTING and rng.random() < 0.5 and stop > 8:
        line = int(numpy.searchsorted(bounds, bounds[0] + 0.5 * (bounds[stop] - bounds[0])))
        montage.bars(0, line)
        pause = montage.now
        montage.hold(montage.room(rng.uniform(6, 15)))
        montage.bars(line, stop)
    else:
        montage.bars(0, stop)
    performance = montage.close(is_last=stop == len(recording.measures))
    loud = performance.music()
    before, note = _before(kind, seconds(rng.uniform(*length.before)), recording, others, rng)
    rest = seconds(rng.uniform(5, 60) if kind == "silence" and length is WHOLE else rng.uniform(*length.rest))
    floor = loud * decibels(rng.uniform(-52, -40))
    lead = numpy.concatenate([before * loud, numpy.zeros(rest, numpy.float32)])
    lead = lead + noises.pink(len(lead), rng) * floor
    performance.samples = numpy.concatenate([lead, performance.samples]).astype(numpy.float32)
    performance.move(lambda time: time + len(lead) / RATE)
    if kind in LASTING:
        below = float(rng.choice((-20, -26, -32, -40)))
        lasting = getattr(warmups, kind)(len(performance.samples), rng) * loud * decibels(below)
        performance.samples = (performance.samples + lasting).astype(numpy.float32)
        note = f"{kind} {-below:.0f} dB below the music"
    figures = {"first_note": round(first_note + len(lead) / RATE, 4)}
    if again is not None:
        figures["again"] = round(again + len(lead) / RATE, 4)
    if pause is not None:
        figures["pause"] = round(pause + len(lead) / RATE, 4)
    performance.events.append(
        Event(kind, f"{note}, then {rest / RATE:.0f} s of the room", is_local=False, scored=False, figures=figures))
    return performance


def _before(kind, length, recording, others, rng):
    """What sounds before, relative to the level of the music, and its description."""
    a4 = rng.uniform(438, 445)
    gain = decibels(rng.uniform(-14, 0))
    told = f"{length / RATE:.0f} s of {kind}"
    if kind in ("oboe", "fifths", "winds", "orchestra"):
        made = getattr(warmups, kind)(length, rng, a4)
    elif kind == "noodling":
        made = warmups.noodling(length, rng, recording, others)
    elif kind == "house":
        made = warmups.house(length, rng, others)
    elif kind == "speech":
        made = noises.speech(length, rng) if rng.random() < 0.5 else noises.murmur(length, rng)
    elif kind == "applause":
        made = noises.applause(length, rng)
        made[-seconds(1.5):] *= numpy.linspace(1, 0, seconds(1.5))
    elif kind == "doors":
        made = warmups.doors(length, rng)
    elif kind == "usual":
        return _usual(length, a4, recording, others, rng), f"{length / RATE:.0f} s of talk, tuning and applause"
    else:
        return numpy.zeros(seconds(2) if kind == "silence" else length, numpy.float32), "nothing"
    return (made / level(made) * gain).astype(numpy.float32), told


def _usual(length, a4, recording, others, rng):
    """Talk and noodling, the oboe, the orchestra, a rest, applause for the conductor."""
    shares = (0.3, 0.2, 0.3, 0.05, 0.15)
    sizes = [int(length * share) for share in shares]
    parts = [
        noises.murmur(sizes[0], rng) * decibels(-16)
        + _even(warmups.noodling(sizes[0], rng, recording, others)) * decibels(-8),
        _even(warmups.oboe(sizes[1], rng, a4)) * decibels(-8),
        _even(warmups.orchestra(sizes[2], rng, a4)) * decibels(-4),
        numpy.zeros(sizes[3], numpy.float32),
        noises.applause(sizes[4], rng) * decibels(-6) * numpy.linspace(1, 0.02, sizes[4]),
    ]
    return numpy.concatenate(parts).astype(numpy.float32)


def _even(made):
    return made / level(made)
