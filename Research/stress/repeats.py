"""Finds where a recording plays a section twice in a row, and which of its bars are therefore one printed bar."""

import dataclasses
import functools

import numpy

from .twins import quarters

# Mean cosine of chroma from which two bars, and two sections, count as the same music.
ALIKE, ALIKE_TOGETHER = 0.9, 0.93
# Bars of the shortest section (shorter ones are phrases), and the share of it that is alike: its endings may differ.
LEAST, SHARE = 8, 0.8


@dataclasses.dataclass(frozen=True)
class Repeat:
    """A section and its copy, which follows at once; bars are indices into the recording."""

    start: int
    # Bars from the section to its copy.
    length: int
    # Bars from the start that sound alike; the rest are other endings.
    alike: int

    @property
    def end(self):
        """The bar after the copy."""
        return self.start + 2 * self.length


@functools.lru_cache(maxsize=64)
def found(recording):
    """The repeats of a recording, in order; of two that overlap the one that is more alike."""
    bars = quarters(recording)
    candidates = []
    for length in range(LEAST, len(bars) // 2 + 1):
        likeness = (bars[:-length] * bars[length:]).sum(axis=2).mean(axis=1)
        for first, last in _runs(likeness > ALIKE):
            if (mean := float(likeness[first:last].mean())) > ALIKE_TOGETHER:
                candidates.append((mean, first, last, length))
    chosen = []
    for _, first, last, length in sorted(candidates, reverse=True):
        # The music before a section often resembles its end: a section begins where the one before it ends.
        first = max([first, *(other.end for other in chosen if other.start <= first < other.end)])
        repeat = Repeat(first, length, min(last - first, length))
        if repeat.alike >= SHARE * length and repeat.end <= len(bars) and all(
                repeat.end <= other.start or other.end <= repeat.start for other in chosen):
            chosen.append(repeat)
    return sorted(chosen, key=lambda repeat: repeat.start)


def _runs(is_alike):
    """Stretches of true values; one false value between true ones does not end a stretch."""
    filled = is_alike.copy()
    filled[1:-1] |= is_alike[:-2] & is_alike[2:]
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate([[0], filled.astype(int), [0]])))
    return zip(edges[::2].tolist(), edges[1::2].tolist())


def printed(recording):
    """The printed bar of each number of the recording: a copy's bars are those of its section."""
    names = {number: str(number) for number in recording.measures}
    for repeat in found(recording):
        for bar in range(repeat.start, repeat.start + repeat.alike):
            names[recording.measures[bar + repeat.length]] = names[recording.measures[bar]]
    return names
