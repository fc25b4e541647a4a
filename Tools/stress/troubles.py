"""The kinds of trouble. Those of structure decide what is played; the others change what was played."""

import numpy

from . import noises, stretch
from .montage import Event, Montage
from .sound import RATE, decibels, level, seconds

STRUCTURE = ("plain", "cut", "repeat", "stop", "pause", "start")
# In the order in which they act: first the players, then what is added in the hall, then the microphone.
ACTING = ("tempo", "pitch", "tuning", "applause", "before", "noise", "level", "phone", "clip", "dropout")
KINDS = STRUCTURE + ACTING
# May come along with any other kind.
COMPANIONS = ("pitch", "tuning", "tempo", "applause", "before", "noise", "level", "phone", "clip", "dropout")
# Music before and after an event, seconds.
APPROACH, AFTERMATH = 15.0, 22.0


class Unfit(Exception):
    """The recording is too short for this trouble; another one is taken."""


def performed(kinds, recording, rng, longest):
    """A performance of at most about `longest` seconds in which the kinds happen."""
    structure = next((kind for kind in kinds if kind in STRUCTURE), "plain")
    slowest = 0.6 if "tempo" in kinds else 1.0
    performance = _structured(structure, recording, rng, longest * slowest, "applause" in kinds)
    for kind in ACTING:
        if kind in kinds:
            globals()["_" + kind](performance, rng)
    peak = numpy.abs(performance.samples).max()
    if peak > 0.97 and "clip" not in kinds:
        performance.samples = performance.samples * (0.97 / peak)
    return performance


# Structure

def _structured(kind, recording, rng, longest, to_the_end):
    bounds = recording.bounds
    length = rng.uniform(min(60, 0.7 * longest), longest)
    start, stop = _excerpt(bounds, length, rng, to_the_end, from_inside=kind == "start")
    montage = Montage(recording, rng)
    montage.lead_in(start)
    numbers = recording.measures
    event = None
    if kind == "cut":
        line = _line(bounds, start, stop, rng, APPROACH, 0)
        stop = min(len(numbers), stop + 40)
        most = _last(bounds, stop, AFTERMATH) - line
        if most < 8:
            raise Unfit
        goal = line + int(rng.integers(8, min(40, most) + 1))
        if not to_the_end:
            stop = max(goal + 1, min(stop, int(numpy.searchsorted(bounds, bounds[goal] + length / 2))))
        if bounds[stop] - bounds[goal] < AFTERMATH:
            raise Unfit
        montage.bars(start, line)
        event = Event(kind, f"bars {numbers[line]} to {numbers[goal - 1]} are left out", montage.now, montage.now)
        event.figures = {"goal": numbers[goal], "bars": goal - line}
        montage.bars(goal, stop)
    elif kind == "repeat":
        line = _line(bounds, start, stop, rng, APPROACH, AFTERMATH)
        count = int(rng.integers(4, 17))
        goal = max(start, line - count)
        montage.bars(start, line)
        event = Event(kind, f"bars {numbers[goal]} to {numbers[line - 1]} are played twice", montage.now, montage.now)
        event.figures = {"goal": numbers[goal], "bars": line - goal}
        montage.bars(goal, stop)
    elif kind == "stop":
        line = _line(bounds, start, stop, rng, APPROACH, AFTERMATH)
        goal = max(start, line + 1 - int(rng.integers(1, 13)))
        montage.bars(start, line, until=rng.uniform(0.2, 0.8))
        event = Event(kind, f"stop in bar {numbers[line]}, talk, again from {numbers[goal]}", montage.now)
        event.figures = {"goal": numbers[goal], "bars": line - goal}
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
    else:
        montage.bars(start, stop)
    performance = montage.close(is_last=stop == len(numbers))
    if kind == "start":
        performance.first_is_known = bool(rng.random() < 0.33)
        told = "known" if performance.first_is_known else "unknown"
        event = Event(f"start-{told}", f"begins at bar {numbers[start]}", is_local=False, figures={"goal": numbers[start]})
    if event:
        performance.events.append(event)
    return performance


def _excerpt(bounds, length, rng, to_the_end, from_inside):
    """Bars of about `length` seconds."""
    last = len(bounds) - 1
    latest = int(numpy.searchsorted(bounds, bounds[-1] - (30 if from_inside else length), "right")) - 1
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
    """A bar line with so much music before and after."""
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


# Time and pitch

def _stretch(performance, changes):
    performance.samples, moved = stretch.stretched(performance.samples, changes)
    performance.move(moved)


def _ratio(rng):
    """A tempo ratio in 0.6…1.6 that can be told from none."""
    ratio = 1.0
    while 0.87 < ratio < 1.15:
        ratio = float(numpy.exp(rng.uniform(numpy.log(0.6), numpy.log(1.6))))
    return round(ratio, 3)


def _tempo(performance, rng):
    ratio = _ratio(rng)
    if rng.random() < 0.5:
        _stretch(performance, [(0.0, ratio)])
        performance.events.append(Event("tempo", f"all at {ratio} of the tempo", is_local=False, figures={"ratio": ratio}))
        return
    after, before = performance.onsets > performance.onsets[0] + APPROACH, performance.onsets < performance.end - AFTERMATH
    lines = [time for time in performance.onsets[after & before] if all(time < a or time > b for a, b in performance.holds)]
    if not lines:
        raise Unfit
    line = float(lines[rng.integers(0, len(lines))])
    performance.events.append(Event("tempo", f"suddenly {ratio} of the tempo", line, line, figures={"ratio": ratio}))
    _stretch(performance, [(0.0, 1.0), (line, ratio)])


def _transpose(performance, ratio):
    performance.samples, moved = stretch.transposed(performance.samples, ratio)
    performance.move(moved)


def _pitch(performance, rng):
    semitones = int(rng.choice((-3, -2, -1, 1, 2, 3)))
    _transpose(performance, 2 ** (semitones / 12))
    performance.events.append(
        Event("pitch", f"{semitones:+d} semitones", is_local=False, figures={"ratio": 2 ** (semitones / 12)}))


def _tuning(performance, rng):
    a4 = round(float(rng.choice((rng.uniform(415, 437), rng.uniform(442, 446)), p=(0.7, 0.3))), 1)
    _transpose(performance, a4 / 440)
    performance.events.append(Event("tuning", f"A = {a4} Hz where it was 440", is_local=False, figures={"ratio": a4 / 440}))


# In the hall

def _applause(performance, rng):
    duration = rng.uniform(8, 15)
    # Never before the end, often into the last chord's reverberation.
    start = seconds(performance.end + rng.uniform(0.3, 2.5))
    made = noises.applause(seconds(duration), rng) * performance.music() * decibels(rng.uniform(-6, 6))
    length = max(len(performance.samples), start + len(made))
    whole = numpy.zeros(length, numpy.float32)
    whole[:len(performance.samples)] = performance.samples
    whole[start:start + len(made)] += made
    performance.samples = whole
    performance.events.append(
        Event("applause", f"{duration:.0f} s of applause after the end", start / RATE, length / RATE, scored=False))


def _before(performance, rng):
    duration = seconds(rng.uniform(8, 25))
    kind = rng.choice(("tuning", "murmur"))
    made = noises.tuning(duration, rng) if kind == "tuning" else noises.murmur(duration, rng)
    made = made * performance.music() * decibels(rng.uniform(-10, 0))
    fade = seconds(1)
    made[-fade:] *= numpy.linspace(1, 0, fade)
    # The room before the first bar goes on under it, so that nothing starts with the lead-in.
    performance.samples = numpy.concatenate([made.astype(numpy.float32), performance.samples])
    performance.move(lambda time: time + duration / RATE)
    words = "an orchestra tunes" if kind == "tuning" else "the audience talks"
    performance.events.append(Event("before", f"{words} for {duration / RATE:.0f} s before", is_local=False))


def _noise(performance, rng):
    ratio = rng.uniform(0, 10)
    kind = str(rng.choice(("pink", "rumble", "murmur")))
    made = getattr(noises, kind)(len(performance.samples), rng)
    music = performance.music()
    coughs = int(rng.integers(0, len(performance.samples) // seconds(10)))
    made = made * music / decibels(ratio)
    made = noises.with_coughs(made, rng, coughs, music * decibels(rng.uniform(6, 14)))
    performance.samples = (performance.samples + made).astype(numpy.float32)
    performance.events.append(Event(
        "noise", f"{kind} at {ratio:.1f} dB, {coughs} coughs", is_local=False, figures={"snr_db": round(float(ratio), 1)}))


# The microphone

def _level(performance, rng):
    jumps = numpy.sort(rng.uniform(performance.onsets[0] + 5, performance.end - 10, rng.integers(2, 6)))
    time = numpy.arange(len(performance.samples)) / RATE
    gains = rng.uniform(-24, 6, len(jumps) + 1)
    curve = decibels(gains[numpy.searchsorted(jumps, time)])
    performance.samples = (performance.samples * curve).astype(numpy.float32)
    told = ", ".join(f"{gain:+.0f}" for gain in gains)
    performance.events.append(Event("level", f"gains of {told} dB", float(jumps[0]), float(jumps[-1])))


def _phone(performance, rng):
    is_phone = rng.random() < 0.5
    low, high = (300, 3400) if is_phone else (30, rng.uniform(900, 3000))
    spectrum = numpy.fft.rfft(performance.samples)
    hertz = numpy.fft.rfftfreq(len(performance.samples), 1 / RATE)
    spectrum /= numpy.sqrt((1 + (hertz / high) ** 12) * (1 + (low / numpy.maximum(hertz, 1)) ** 8))
    performance.samples = numpy.fft.irfft(spectrum, len(performance.samples)).astype(numpy.float32)
    note = "telephone, 300 to 3400 Hz" if is_phone else f"dull, up to {high:.0f} Hz"
    performance.events.append(Event("phone", note, is_local=False))


def _clip(performance, rng):
    share = rng.uniform(0.02, 0.12)
    limit = float(numpy.quantile(numpy.abs(performance.samples), 1 - share))
    performance.samples = numpy.clip(performance.samples / max(limit, 1e-6), -1, 1).astype(numpy.float32)
    performance.events.append(Event("clip", f"{100 * share:.0f} % of the samples at full scale", is_local=False))


def _dropout(performance, rng):
    holes, first, last = [], performance.onsets[0] + 8, performance.end - 16
    for start in numpy.sort(rng.uniform(first, last, rng.integers(1, 4))):
        if not holes or start > holes[-1][1] + 2:
            holes.append((float(start), float(start + rng.uniform(1, 6))))
    performance.samples = performance.samples.copy()
    for start, end in holes:
        performance.samples[seconds(start):seconds(end)] = 0
    told = ", ".join(f"{end - start:.1f} s at {start:.0f} s" for start, end in holes)
    performance.events.append(Event("dropout", f"nothing for {told}", holes[0][0], holes[-1][1]))
