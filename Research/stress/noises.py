"""Synthesises the noises of a hall besides the music; at level 1 (root mean square) unless another is named."""

import numpy

from .sound import RATE, level, seconds

# First three resonances of seven vowels, Hz (after Peterson and Barney, 1952, men, rounded).
VOWELS = [(270, 2290, 3010), (390, 1990, 2550), (530, 1840, 2480), (660, 1720, 2410),
          (730, 1090, 2440), (570, 840, 2410), (300, 870, 2240)]


def shaped(length, rng, gain):
    """White noise with the spectrum `gain(frequencies in Hz)`."""
    size = max(length, 64)
    spectrum = numpy.fft.rfft(rng.standard_normal(size))
    made = numpy.fft.irfft(spectrum * gain(numpy.fft.rfftfreq(size, 1 / RATE)), size)[:length]
    return (made / level(made)).astype(numpy.float32)


def pink(length, rng):
    return shaped(length, rng, lambda hertz: 1 / numpy.sqrt(numpy.maximum(hertz, 20)))


def rumble(length, rng):
    """Ventilation: steep noise and a hum of the mains."""
    noise = shaped(length, rng, lambda hertz: 1 / numpy.maximum(hertz, 40))
    time = numpy.arange(length) / RATE
    hum = sum(numpy.sin(2 * numpy.pi * 50 * k * time + rng.uniform(0, 6)) / k for k in (1, 2, 3, 4))
    made = noise + 0.3 * hum
    return (made / level(made)).astype(numpy.float32)


def speech(length, rng, pitch=None):
    """One voice that says nothing: syllables of vowels with hissed consonants, in phrases with pauses."""
    pitch = pitch or rng.uniform(95, 210)
    made = numpy.zeros(length + RATE, numpy.float32)
    place = 0
    while place < length:
        for _ in range(rng.integers(4, 14)):
            syllable = _syllable(rng, pitch * rng.uniform(0.85, 1.2))
            if place >= length:
                break
            end = min(place + len(syllable), len(made))
            made[place:end] += syllable[:end - place]
            place += int(len(syllable) * rng.uniform(0.85, 1.05))
        place += seconds(rng.uniform(0.2, 0.8))
    made = made[:length]
    return made / level(made)


def _syllable(rng, pitch):
    length = seconds(rng.uniform(0.12, 0.28))
    time = numpy.arange(length) / RATE
    phase = numpy.cumsum(pitch * (1 + 0.12 * rng.uniform(-1, 1) * time / time[-1])) / RATE
    pulses = 2 * (phase % 1) - 1
    breath = rng.standard_normal(length) * 0.15
    hertz = numpy.fft.rfftfreq(length, 1 / RATE)
    resonances = VOWELS[rng.integers(len(VOWELS))]
    mouth = sum(0.7 ** k / (1 + ((hertz - f) / (60 + 40 * k)) ** 2) for k, f in enumerate(resonances))
    vowel = numpy.fft.irfft(numpy.fft.rfft(pulses + breath) * mouth, length)
    vowel *= numpy.sin(numpy.pi * numpy.arange(length) / length) ** 0.6 / level(vowel)
    if rng.random() < 0.6:
        hiss = seconds(rng.uniform(0.03, 0.09))
        vowel[:hiss] += 0.5 * shaped(hiss, rng, lambda f: (f > 2500) + 0.02) * numpy.hanning(hiss)
    return vowel.astype(numpy.float32)


def murmur(length, rng, voices=8):
    """Many voices at once."""
    made = sum(speech(length, rng) for _ in range(voices))
    return made / level(made)


def cough(rng):
    """Two or three bursts within half a second, peak level 1."""
    made = numpy.zeros(seconds(0.6), numpy.float32)
    for burst in range(rng.integers(2, 4)):
        length = seconds(rng.uniform(0.08, 0.18))
        low, high = rng.uniform(150, 400), rng.uniform(1500, 4000)
        noise = shaped(length, rng, lambda f: (f > low) / (1 + (f / high) ** 2))
        start = seconds(0.19 * burst)
        made[start:start + length] += noise * numpy.exp(-numpy.linspace(0, 4, length))
    return made / numpy.abs(made).max()


def with_coughs(noise, rng, count, loudness):
    for _ in range(count):
        burst = cough(rng) * loudness
        if len(noise) > len(burst):
            start = rng.integers(0, len(noise) - len(burst))
            noise[start:start + len(burst)] += burst
    return noise


def applause(length, rng):
    """Hundreds of claps a second that swell within one second."""
    claps = numpy.zeros(length, numpy.float32)
    for _ in range(int(length / RATE * 300)):
        claps[rng.integers(0, length)] += rng.uniform(0.2, 1) * rng.choice((-1, 1))
    size = seconds(0.03)
    clap = shaped(size, rng, lambda f: (f > 400) / (1 + ((f - 1400) / 1500) ** 2))
    clap *= numpy.exp(-numpy.linspace(0, 7, size))
    whole = length + size
    made = numpy.fft.irfft(numpy.fft.rfft(claps, whole) * numpy.fft.rfft(clap, whole), whole)[:length]
    made *= numpy.minimum(1, numpy.arange(length) / RATE + 0.1)
    return (made / level(made)).astype(numpy.float32)


def tuning(length, rng, a4=440.0):
    """An orchestra tuning: long A's, fifths, slides towards the note; people talking."""
    made = 0.25 * murmur(length, rng, voices=5)
    for _ in range(int(length / RATE * 2.5)):
        size = min(length, seconds(rng.uniform(1, 4)))
        start = rng.integers(0, max(1, length - size))
        note = a4 * rng.choice((0.25, 0.5, 1, 2, 1.5, 2 / 3, 4 / 9, 8 / 27, 0.75))
        slide = 1 + rng.uniform(-0.03, 0.03) * numpy.exp(-numpy.arange(size) / seconds(0.5))
        phase = 2 * numpy.pi * numpy.cumsum(note * slide) / RATE
        tone = sum(numpy.sin(k * phase) / k ** 1.3 for k in range(1, 9) if k * note < RATE / 2.5)
        made[start:start + size] += rng.uniform(0.3, 1) * tone * numpy.hanning(size)
    return (made / level(made)).astype(numpy.float32)


def ring_out(before, rng, reverberation=1.1):
    """The reverberation of a hall when `before` stops at once: two seconds, at the level of the sound that stopped."""
    heard = before[-seconds(0.8):].astype(numpy.float64)
    size = seconds(2)
    decay = rng.standard_normal(size) * 10 ** (-3 * numpy.arange(size) / RATE / reverberation)
    whole = len(heard) + size
    rung = numpy.fft.irfft(numpy.fft.rfft(heard, whole) * numpy.fft.rfft(decay, whole), whole)[len(heard):]
    loud = 0.5 * level(heard[-seconds(0.1):]) / level(rung[:seconds(0.1)])
    return (rung * loud * numpy.linspace(1, 0, len(rung))).astype(numpy.float32)
