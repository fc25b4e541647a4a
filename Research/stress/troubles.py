"""The kinds of trouble. Those of structure decide what is played; the others change what was played."""

import numpy

from . import noises, rooms, stretch, structure, telephone
from .montage import Event, Unfit
from .sound import RATE, decibels, seconds
from .structure import AFTERMATH, APPROACH


def performed(kinds, recording, rng, longest, others=()):
    """A performance of at most about `longest` seconds in which the kinds happen; `others` lend foreign music."""
    shape = next((kind for kind in kinds if kind in structure.KINDS + structure.FURTHER), "plain")
    slowest = 0.6 if "tempo" in kinds else 1.0
    performance = structure.performed(shape, recording, rng, longest * slowest, "applause" in kinds, others)
    for kind, act in ACTING.items():
        if kind in kinds:
            act(performance, rng)
    peak = numpy.abs(performance.samples).max()
    if peak > 0.97 and "clip" not in kinds:
        performance.samples = performance.samples * (0.97 / peak)
    return performance


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
        performance.events.append(
            Event("tempo", f"all at {ratio} of the tempo", is_local=False, figures={"ratio": ratio}))
        return
    onsets = performance.onsets
    lines = onsets[(onsets > onsets[0] + APPROACH) & (onsets < performance.end - AFTERMATH)]
    if not len(lines):
        raise Unfit
    line = float(lines[rng.integers(0, len(lines))])
    performance.events.append(
        Event("tempo", f"suddenly {ratio} of the tempo", line, line, figures={"ratio": ratio}))
    _stretch(performance, [(0.0, 1.0), (line, ratio)])


def _transpose(performance, ratio):
    performance.samples, moved = stretch.transposed(performance.samples, ratio)
    performance.move(moved)


def _pitch(performance, rng):
    semitones = int(rng.choice((-3, -2, -1, 1, 2, 3)))
    ratio = 2 ** (semitones / 12)
    _transpose(performance, ratio)
    performance.events.append(
        Event("pitch", f"{semitones:+d} semitones", is_local=False, figures={"ratio": ratio}))


def _tuning(performance, rng):
    low, high = rng.uniform(415, 437), rng.uniform(442, 446)
    a4 = round(float(rng.choice((low, high), p=(0.7, 0.3))), 1)
    _transpose(performance, a4 / 440)
    performance.events.append(
        Event("tuning", f"A = {a4} Hz where it was 440", is_local=False, figures={"ratio": a4 / 440}))


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
    note = f"{duration:.0f} s of applause after the end"
    performance.events.append(Event("applause", note, start / RATE, length / RATE, scored=False))


def _before(performance, rng):
    duration = seconds(rng.uniform(8, 25))
    kind = rng.choice(("tuning", "murmur"))
    ratios = [event.figures["ratio"] for event in performance.events if event.kind in ("pitch", "tuning")]
    a4 = 440 * float(numpy.prod(ratios))
    made = noises.tuning(duration, rng, a4) if kind == "tuning" else noises.murmur(duration, rng)
    made = made * performance.music() * decibels(rng.uniform(-10, 0))
    fade = seconds(1)
    made[-fade:] *= numpy.linspace(1, 0, fade)
    # The room before the first bar goes on under it, so that nothing starts with the lead-in.
    performance.samples = numpy.concatenate([made.astype(numpy.float32), performance.samples])
    performance.move(lambda time: time + duration / RATE)
    words = "an orchestra tunes" if kind == "tuning" else "the audience talks"
    performance.events.append(Event("before", f"{words} for {duration / RATE:.0f} s before", is_local=False))


def _room(performance, rng):
    room = rooms.drawn(rng)
    performance.samples = rooms.heard(performance.samples, room, rng)
    performance.events.append(Event("room", room.note, is_local=False, figures=room.figures))


def _noise(performance, rng):
    ratio = rng.uniform(0, 10)
    kind = str(rng.choice(("pink", "rumble", "murmur")))
    made = getattr(noises, kind)(len(performance.samples), rng)
    music = performance.music()
    coughs = int(rng.integers(0, len(performance.samples) // seconds(10)))
    made = made * music / decibels(ratio)
    made = noises.with_coughs(made, rng, coughs, music * decibels(rng.uniform(6, 14)))
    performance.samples = (performance.samples + made).astype(numpy.float32)
    note = f"{kind} at {ratio:.1f} dB, {coughs} coughs"
    performance.events.append(
        Event("noise", note, is_local=False, figures={"snr_db": round(float(ratio), 1)}))


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


def _telephone(performance, rng):
    ratio = rng.uniform(8, 20)
    noise = noises.murmur(len(performance.samples), rng) * performance.music() / decibels(ratio)
    performance.samples = telephone.heard(performance.samples + noise)
    note = f"a telephone in the stalls, the audience {ratio:.0f} dB below the music"
    performance.events.append(
        Event("telephone", note, is_local=False, figures={"snr_db": round(float(ratio), 1)}))


def _clip(performance, rng):
    share = rng.uniform(0.02, 0.12)
    limit = float(numpy.quantile(numpy.abs(performance.samples), 1 - share))
    performance.samples = numpy.clip(performance.samples / max(limit, 1e-6), -1, 1).astype(numpy.float32)
    performance.events.append(
        Event("clip", f"{100 * share:.0f} % of the samples at full scale", is_local=False))


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


# In the order in which they act: first the players, then what is added in the hall, then the microphone.
ACTING = {
    "tempo": _tempo, "pitch": _pitch, "tuning": _tuning, "applause": _applause, "before": _before, "room": _room,
    "noise": _noise, "level": _level, "phone": _phone,
    "telephone": _telephone, "clip": _clip, "dropout": _dropout,
}
# Only if asked for: among the others it would change the sound of every seed that Research/following.md names.
FURTHER = ("room", "telephone", *structure.FURTHER)
KINDS = structure.KINDS + tuple(kind for kind in ACTING if kind not in FURTHER)
# May come along with any other kind.
COMPANIONS = (
    "pitch", "tuning", "tempo", "applause", "before", "noise", "level", "phone", "clip", "dropout")
