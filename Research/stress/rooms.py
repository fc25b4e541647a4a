"""A hall around a recording: shaped noise that decays, as a microphone away from the stage hears it.

Direct sound stays where it was, so the true onsets stay true. The reverberation is made in octave bands, each
decaying at its own rate (low ones longer, high ones shorter, as air and seats absorb them), after single
reflections that become denser (after Moorer, Computer Music Journal 1979). Levels are those of the whole
recording.
"""

import dataclasses

import numpy

from . import noises
from .sound import RATE, decibels, level, seconds

# Octave bands, Hz, and how long each rings relative to 500 Hz to 1 kHz.
BANDS = ((63, 1.15), (125, 1.15), (250, 1.08), (500, 1.0), (1000, 1.0), (2000, 0.9), (4000, 0.7), (8000, 0.45))


@dataclasses.dataclass(frozen=True)
class Room:
    """The place of the microphone."""

    name: str
    # Seconds until the reverberation has fallen by 60 dB, at 500 Hz to 1 kHz.
    reverberation: float
    # Energy of the direct sound over that of all that comes later.
    direct_decibels: float
    # Audience, ventilation and coughs: level below the music.
    noise_decibels: float
    # Largest gain of the microphone's and the hall's colouration in an octave.
    colour_decibels: float = 3.0
    microphones: int = 1

    @property
    def note(self):
        return (f"a hall of {self.reverberation} s, direct sound {self.direct_decibels:+} dB, noise at "
                f"{self.noise_decibels} dB, microphones: {self.microphones}")

    @property
    def figures(self):
        return {"reverberation": self.reverberation, "direct_db": self.direct_decibels,
                "noise_db": self.noise_decibels}


# The fixed groups over a whole benchmark.
FIXED = (
    Room("hanging", 1.8, 0.0, 25.0),
    Room("far", 2.2, -6.0, 18.0),
)


def drawn(rng):
    """A room between a studio and a cathedral."""
    return Room(
        "drawn", round(float(rng.uniform(1, 4)), 2), round(float(rng.uniform(-9, 6)), 1),
        round(float(rng.uniform(12, 35)), 1), microphones=int(rng.integers(1, 3)))


def heard(samples, room, rng):
    """The sound at the microphone, as long as the recording was; its level is that of the recording."""
    wet = sum(_convolved(samples, response(room, rng)) for _ in range(room.microphones)) / room.microphones
    wet *= level(samples) / level(wet)
    music = level(samples)
    kind = rng.choice(("pink", "rumble"))
    made = getattr(noises, kind)(len(wet), rng)
    made += 0.5 * noises.murmur(len(wet), rng, voices=4) * (rng.random() < 0.3)
    made *= music / decibels(room.noise_decibels) / level(made)
    coughs = int(rng.poisson(len(wet) / seconds(40)))
    made = noises.with_coughs(made.astype(numpy.float32), rng, coughs, music * decibels(rng.uniform(-3, 6)))
    return (wet + made).astype(numpy.float32)


def response(room, rng):
    """The impulse response: direct sound at sample 0, with energy 1."""
    length = seconds(1.2 * room.reverberation)
    time = numpy.arange(length) / RATE
    hertz = numpy.fft.rfftfreq(length, 1 / RATE)
    late = numpy.zeros(length)
    for centre, ratio in BANDS:
        spectrum = numpy.fft.rfft(rng.standard_normal(length))
        octave = numpy.exp(-0.5 * (numpy.log2(numpy.maximum(hertz, 1) / centre) / 0.5) ** 2)
        band = numpy.fft.irfft(spectrum * octave, length)
        late += band * 10 ** (-3 * time / (room.reverberation * ratio))
    # The hall answers after some milliseconds: a ramp, and single reflections that come through it.
    late *= numpy.clip((time - 0.008) / 0.04, 0, 1)
    late /= numpy.sqrt(numpy.sum(late ** 2))
    early = numpy.zeros(length)
    for _ in range(14):
        at = 0.008 + 0.072 * rng.random() ** 1.5
        early[seconds(at)] += rng.choice((-1, 1)) * rng.uniform(0.3, 1) * 0.02 / (0.02 + at)
    early /= numpy.sqrt(numpy.sum(early ** 2))
    reverberant = 0.85 * late + 0.53 * early
    reverberant *= decibels(-room.direct_decibels) / numpy.sqrt(numpy.sum(reverberant ** 2))
    whole = reverberant
    whole[0] += 1
    gains = rng.uniform(-room.colour_decibels, room.colour_decibels, len(BANDS))
    colour = numpy.interp(
        numpy.log2(numpy.maximum(hertz, 20)), [numpy.log2(centre) for centre, _ in BANDS], gains)
    # Minimum phase, so that the colour does not move the direct sound.
    return numpy.fft.irfft(numpy.fft.rfft(whole) * _minimum_phase(decibels(colour)), length)


def _minimum_phase(gain):
    """The spectrum of minimum phase with these gains, by the cepstrum."""
    size = 2 * (len(gain) - 1)
    cepstrum = numpy.fft.irfft(numpy.log(gain), size)
    folded = numpy.zeros(size)
    folded[0] = cepstrum[0]
    folded[1:size // 2] = 2 * cepstrum[1:size // 2]
    folded[size // 2] = cepstrum[size // 2]
    return numpy.exp(numpy.fft.rfft(folded))


def _convolved(samples, kernel, block=1 << 17):
    """Overlap-add, so that an hour of music takes the memory of a few seconds."""
    made = numpy.zeros(len(samples) + len(kernel))
    size = 1 << int(numpy.ceil(numpy.log2(block + len(kernel))))
    spectrum = numpy.fft.rfft(kernel, size)
    for start in range(0, len(samples), block):
        part = samples[start:start + block]
        out = numpy.fft.irfft(numpy.fft.rfft(part, size) * spectrum, size)
        end = min(start + size, len(made))
        made[start:end] += out[:end - start]
    return made[:len(samples)].astype(numpy.float32)
