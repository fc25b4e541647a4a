"""What sounds before the first note: tuning, noodling, house music, the audience, machines; at level 1 (root mean
square) unless another is named. Tones are made of partials, so the same seed makes the same sound everywhere."""

import numpy

from . import noises
from .sound import RATE, level, seconds

# Amplitudes of the first partials, about as a microphone hears them at mezzo forte.
OBOE = (0.6, 0.8, 1.0, 0.7, 0.5, 0.45, 0.3, 0.2, 0.12, 0.08)
CLARINET = (1.0, 0.05, 0.6, 0.08, 0.4, 0.1, 0.2, 0.08, 0.1)
FLUTE = (1.0, 0.5, 0.25, 0.08, 0.04)
BRASS = (0.5, 0.9, 1.0, 0.8, 0.6, 0.5, 0.35, 0.25, 0.18, 0.12)
STRINGS = (1.0, 0.7, 0.55, 0.4, 0.35, 0.25, 0.2, 0.18, 0.12, 0.1, 0.08)
# Semitones from A4 of the open strings of violin, viola, violoncello and double bass.
OPEN_STRINGS = ((-14, -7, 0, 7), (-21, -14, -7, 0), (-33, -26, -19, -12), (-41, -36, -31, -26))


def tone(hertz, duration, partials, rng, vibrato=0.003, slide=0.0, attack=0.08):
    """One held note of a player: a slide into the pitch, a little vibrato, a swell that is never quite even."""
    size = seconds(duration)
    time = numpy.arange(size) / RATE
    bend = 1 + slide * numpy.exp(-time / 0.4)
    bend += vibrato * numpy.minimum(time, 1) * numpy.sin(2 * numpy.pi * rng.uniform(4.5, 6) * time + rng.uniform(0, 6))
    phase = 2 * numpy.pi * numpy.cumsum(hertz * bend) / RATE
    made = sum(amplitude * rng.uniform(0.7, 1.3) * numpy.sin((k + 1) * phase + rng.uniform(0, 6))
               for k, amplitude in enumerate(partials) if (k + 1) * hertz < RATE / 2.3)
    swell = 1 + 0.25 * numpy.sin(2 * numpy.pi * rng.uniform(0.1, 0.6) * time + rng.uniform(0, 6))
    edges = numpy.minimum(1, time / attack) * numpy.minimum(1, (duration - time) / 0.12)
    made = made * swell * numpy.maximum(edges, 0) + 0.02 * rng.standard_normal(size) * edges
    return (made / level(made)).astype(numpy.float32)


def laid(length, parts):
    """Sounds laid over each other at their instants: (seconds, samples)."""
    made = numpy.zeros(length, numpy.float32)
    for start, samples in parts:
        first = seconds(start)
        if first < length:
            made[first:first + len(samples)] += samples[:length - first]
    return made


def oboe(length, rng, a4):
    """The oboe's A again and again."""
    partials = OBOE if rng.random() < 0.7 else (CLARINET if rng.random() < 0.5 else STRINGS)
    octave = rng.choice((1, 1, 1, 0.5))
    parts, now = [], rng.uniform(0, 2)
    while now < length / RATE:
        duration = rng.uniform(1.5, 8)
        parts.append((now, tone(a4 * octave, duration, partials, rng, slide=rng.uniform(-0.01, 0.01))))
        now += duration + rng.uniform(0.3, 4)
    return laid(length, parts)


def fifths(length, rng, a4):
    """Strings that tune: the A, then pairs of open strings, each drawn to its place."""
    parts = [(rng.uniform(0, 1), tone(a4, 4, OBOE, rng))]
    for _ in range(max(2, int(length / RATE / 1.2))):
        strings = OPEN_STRINGS[rng.integers(len(OPEN_STRINGS))]
        lower = rng.integers(3)
        start, duration = rng.uniform(0, length / RATE), rng.uniform(1, 5)
        for string in (strings[lower], strings[lower + 1]):
            hertz = a4 * 2 ** (string / 12)
            made = tone(hertz, duration, STRINGS, rng, 0.002, slide=rng.uniform(-0.03, 0.02))
            parts.append((start, made * rng.uniform(0.3, 1)))
    return laid(length, parts)


def winds(length, rng, a4):
    """Winds and brass: A and B flat, chords of it, and broken triads."""
    parts, now = [], rng.uniform(0, 2)
    while now < length / RATE:
        partials = (OBOE, CLARINET, FLUTE, BRASS)[rng.integers(4)]
        root = rng.choice((0, 1, -11, -12, 13, 12))
        if rng.random() < 0.4:
            duration = rng.uniform(0.12, 0.3)
            for k, step in enumerate((0, 4, 7, 12, 7, 4, 0)[:rng.integers(3, 8)]):
                parts.append((now + k * duration,
                              tone(a4 * 2 ** ((root + step) / 12), duration * 1.1, partials, rng, attack=0.02)))
            now += duration * 5
        else:
            duration = rng.uniform(1, 5)
            for step in (0, 7, 12)[:rng.integers(1, 4)]:
                made = tone(a4 * 2 ** ((root + step) / 12), duration, partials, rng, slide=rng.uniform(-0.02, 0.02))
                parts.append((now + rng.uniform(0, 0.5), made * rng.uniform(0.4, 1)))
            now += duration
        now += rng.uniform(-0.5, 2)
        now = max(now, 0)
    return laid(length, parts)


def orchestra(length, rng, a4):
    """All of it at once, over talk."""
    made = sum(act(length, rng, a4) * rng.uniform(0.4, 1) for act in (fifths, fifths, winds, winds))
    return made + 0.2 * noises.murmur(length, rng, voices=5)


def noodling(length, rng, recording, others):
    """Players who try passages of this piece, though not its beginning, and of others."""
    parts = []
    for _ in range(rng.integers(1, 4)):
        now = rng.uniform(0, 2)
        while now < length / RATE:
            own = rng.random() < 0.35 or not others
            source = recording if own else others[rng.integers(len(others))]
            bounds = source.bounds
            first = rng.uniform(bounds[0] + (15 if own else 0), max(bounds[-1] - 6, bounds[0] + 16))
            duration = rng.uniform(1.5, 5)
            passage = source.samples()[seconds(first):seconds(first + duration)].copy()
            if len(passage) < seconds(1):
                continue
            edge = seconds(0.05)
            passage[:edge] *= numpy.linspace(0, 1, edge)
            passage[-edge:] *= numpy.linspace(1, 0, edge)
            parts.append((now, passage / level(passage) * rng.uniform(0.2, 1)))
            now += duration + rng.uniform(0.3, 4)
    return laid(length, parts)


def house(length, rng, others):
    """Another piece from a loudspeaker, faded out at the end."""
    source = others[rng.integers(len(others))]
    whole = length / RATE
    latest = max(source.bounds[-1] - whole, source.bounds[0])
    first = source.bounds[0] if rng.random() < 0.3 else rng.uniform(source.bounds[0], latest)
    made = numpy.zeros(length, numpy.float32)
    played = source.samples()[seconds(first):seconds(first) + length]
    made[:len(played)] = played
    fade = min(seconds(rng.uniform(0.05, 3)), length)
    made[-fade:] *= numpy.linspace(1, 0, fade)
    return made / level(made)


def doors(length, rng):
    """Doors, seats and steps: dull blows, now and then."""
    parts, now = [], rng.uniform(0, 3)
    while now < length / RATE:
        size = seconds(rng.uniform(0.2, 0.6))
        blow = noises.shaped(size, rng, lambda f: 1 / (1 + (f / rng.uniform(120, 500)) ** 2))
        parts.append((now, blow * numpy.exp(-numpy.linspace(0, 7, size)) * rng.uniform(0.3, 1.5)))
        now += rng.exponential(2.5) + 0.3
    return laid(length, parts)


def hum(length, rng):
    """The mains and what rattles with it: 50 or 60 Hz and some of its multiples, without a break."""
    mains = rng.choice((50.0, 60.0))
    time = numpy.arange(length) / RATE
    made = sum(rng.uniform(0.2, 1) * numpy.sin(2 * numpy.pi * mains * k * time + rng.uniform(0, 6))
               for k in (1, 2, 3, 4, 5, 6, 7, 9, 11, 14))
    return (made / level(made)).astype(numpy.float32)


def ventilation(length, rng):
    """Air and a motor: steep noise, a hum that wanders a little."""
    noise = noises.shaped(length, rng, lambda f: 1 / numpy.maximum(f, 60) ** rng.uniform(0.7, 1.2))
    time = numpy.arange(length) / RATE
    motor = rng.uniform(80, 240)
    phase = 2 * numpy.pi * numpy.cumsum(motor * (1 + 0.002 * numpy.sin(0.7 * time))) / RATE
    made = noise + 0.4 * sum(numpy.sin(k * phase) / k for k in (1, 2, 3))
    return (made / level(made)).astype(numpy.float32)
