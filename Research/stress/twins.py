"""Tells whether a passage sounds twice in a piece. If it does, nobody can hear which of the two places is played."""

import functools

import numpy

from .sound import RATE

SLOTS = 4
PASSAGE = 6  # bars compared


def twin(recording, bar):
    """The bar whose passage sounds most like the one at `bar`, and how like (1 is the same).

    Bars are indices into the recording. Similarity is the mean cosine of chroma in quarters of bars.
    """
    bars = quarters(recording)
    count = min(PASSAGE, len(bars) - bar)
    own = bars[bar:bar + count]
    best = (None, 0.0)
    for other in range(len(bars) - count + 1):
        if abs(other - bar) >= 2:
            alike = float((own * bars[other:other + count]).sum(axis=2).mean())
            best = max(best, (other, alike), key=lambda pair: pair[1])
    return best


@functools.lru_cache(maxsize=64)
def quarters(recording):
    """Chroma of each quarter of each bar: shape [bars, SLOTS, 12], each of length 1."""
    samples, bounds = recording.samples(), recording.bounds
    size, hop = 4096, 1024
    hertz = numpy.fft.rfftfreq(size, 1 / RATE)
    heard = (hertz > 80) & (hertz < 2500)
    note = numpy.round(12 * numpy.log2(hertz[heard] / 440)).astype(int) % 12
    folded = numpy.zeros((heard.sum(), 12))
    folded[numpy.arange(len(note)), note] = 1
    padded = numpy.concatenate([numpy.zeros(size // 2), samples, numpy.zeros(size)])
    frames = numpy.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    chroma = numpy.concatenate([
        numpy.abs(numpy.fft.rfft(frames[k:k + 512] * numpy.hanning(size), axis=1))[:, heard] @ folded
        for k in range(0, len(frames), 512)])
    edges = numpy.concatenate([
        numpy.linspace(a, b, SLOTS, endpoint=False) for a, b in zip(bounds, bounds[1:])] + [bounds[-1:]])
    places = numpy.minimum((edges * RATE / hop).astype(int), len(chroma) - 1)
    slots = numpy.array([chroma[a:max(b, a + 1)].mean(axis=0) for a, b in zip(places, places[1:])])
    slots -= slots.mean(axis=1, keepdims=True)
    slots /= numpy.linalg.norm(slots, axis=1, keepdims=True) + 1e-9
    return slots.reshape(-1, SLOTS, 12)
