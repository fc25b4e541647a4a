"""Makes music sound as through a telephone: a narrow band, an even level, few bits for masked sound."""

import numpy

from .sound import RATE, decibels, seconds

LOW, HIGH = 300, 3400  # hertz
# The automatic gain falls within the first and rises within the second of these, seconds, and by so many decibels.
ATTACK, RELEASE, RANGE = 0.05, 1.5, 24
LEVEL = 0.1  # of full scale, root mean square
FRAME = 512  # samples of a frame of the codec
BANDS = 18
# Sound this many decibels below the strongest of its band is not sent; the rest is rounded to steps of this size.
MASKED, STEP = 20, 6


def heard(samples):
    """The samples after band, gain and codec; every instant stays where it was."""
    return _coded(_levelled(_narrow(samples))).astype(numpy.float32)


def _narrow(samples):
    spectrum = numpy.fft.rfft(samples)
    hertz = numpy.fft.rfftfreq(len(samples), 1 / RATE)
    spectrum /= numpy.sqrt((1 + (hertz / HIGH) ** 20) * (1 + (LOW / numpy.maximum(hertz, 1)) ** 8))
    return numpy.fft.irfft(spectrum, len(samples))


def _levelled(samples):
    """Automatic gain: loud music is turned down fast, soft music up slowly."""
    block = seconds(0.01)
    count = -(-len(samples) // block)
    power = numpy.square(numpy.pad(samples, (0, count * block - len(samples)))).reshape(count, block).mean(axis=1)
    wanted = numpy.clip(LEVEL / numpy.sqrt(power + 1e-12), decibels(-RANGE), decibels(RANGE))
    gains, gain = numpy.empty(count), 1.0
    falls, rises = numpy.exp(-0.01 / ATTACK), numpy.exp(-0.01 / RELEASE)
    for place, goal in enumerate(wanted):
        keeps = falls if goal < gain else rises
        gain = keeps * gain + (1 - keeps) * goal
        gains[place] = gain
    return samples * numpy.interp(numpy.arange(len(samples)) / block, numpy.arange(count) + 0.5, gains)


def _coded(samples):
    """Rounds the spectrum of overlapping frames as a codec for speech does at a low rate."""
    window = numpy.sin(numpy.pi * (numpy.arange(FRAME) + 0.5) / FRAME)
    hop = FRAME // 2
    padded = numpy.pad(samples, (hop, FRAME))
    frames = numpy.lib.stride_tricks.sliding_window_view(padded, FRAME)[::hop] * window
    spectra = numpy.fft.rfft(frames, axis=1)
    hertz = numpy.fft.rfftfreq(FRAME, 1 / RATE)
    edges = numpy.searchsorted(hertz, numpy.geomspace(LOW / 2, HIGH * 1.2, BANDS + 1))
    size = numpy.abs(spectra)
    sent = numpy.zeros_like(size)
    for first, last in zip(edges, edges[1:]):
        if last == first:
            continue
        band = size[:, first:last]
        strongest = band.max(axis=1, keepdims=True) + 1e-9
        steps = numpy.round(20 * numpy.log10(band / strongest + 1e-9) / STEP) * STEP
        sent[:, first:last] = numpy.where(steps > -MASKED, strongest * decibels(steps), 0)
    coded = numpy.fft.irfft(spectra / (size + 1e-12) * sent, FRAME, axis=1) * window
    made = numpy.zeros(len(padded))
    for place, frame in enumerate(coded):
        made[place * hop:place * hop + FRAME] += frame
    return made[hop:hop + len(samples)]
