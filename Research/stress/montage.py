"""Cuts a performance together from bars of a recording and other sounds, and knows where every bar went.

Joints lie just before bar lines: equal power over 20 ms that end 5 ms before the line, so that the attack of
the new bar is whole and that of the bar left out is not heard.
"""

import dataclasses

import numpy

from . import noises
from .sound import RATE, decibels, level, seconds

FADE = seconds(0.020)
LEAD = seconds(0.025)


class Unfit(Exception):
    """The recording is too short for this trouble, or has no place for it; another one is taken."""


@dataclasses.dataclass
class Event:
    """One kind of trouble: what it did, and when."""

    kind: str
    note: str
    start: float = 0.0
    end: float = 0.0
    # False if the whole performance is concerned: then the time to find the first place counts.
    is_local: bool = True
    scored: bool = True
    figures: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Performance:
    """Sound and its truth."""

    samples: numpy.ndarray
    measures: list
    onsets: numpy.ndarray
    end: float
    holds: list
    first_is_known: bool = True
    events: list = dataclasses.field(default_factory=list)

    def move(self, moved):
        """Takes all instants along to another time line."""
        self.onsets = numpy.array([moved(time) for time in self.onsets])
        self.end = float(moved(self.end))
        self.holds = [(float(moved(a)), float(moved(b))) for a, b in self.holds]
        for event in self.events:
            event.start, event.end = float(moved(event.start)), float(moved(event.end))

    def music(self):
        """Level of the music, without what is before, after and in holds."""
        time = numpy.arange(len(self.samples)) / RATE
        played = (time >= self.onsets[0]) & (time < self.end)
        for a, b in self.holds:
            played &= (time < a) | (time >= b)
        return level(self.samples[played])


class Montage:
    def __init__(self, recording, rng):
        self._source = recording.samples()
        self._bounds = recording.bounds
        self._numbers = recording.measures
        self._rng = rng
        self._made = numpy.zeros(0, numpy.float32)
        self._measures, self._onsets, self._holds = [], [], []
        self._held_from = None
        first, last = seconds(self._bounds[0]), seconds(self._bounds[-1])
        self._music = level(self._source[first:last])
        self._floor = self._music * decibels(rng.uniform(-48, -36))

    @property
    def now(self):
        """Seconds made so far."""
        return len(self._made) / RATE

    def lead_in(self, start):
        """Makes the sound before bar `start`: the recording's own beginning, or the silent room."""
        if start == 0 and self._bounds[0] >= 0.4:
            first = seconds(self._bounds[0])
            self._made = self._source[max(0, first - seconds(4)):first].copy()
        else:
            self._made = self.room(self._rng.uniform(1, 2))

    def room(self, duration):
        return noises.pink(seconds(duration), self._rng) * self._floor

    def at_music_level(self, samples):
        """Another sound, as loud as this recording's music."""
        return samples * (self._music / max(level(samples), 1e-9))

    def bars(self, start, stop, until=None):
        """Plays bars start..<stop; with `until`, a part 0…1 of bar `stop`, which belongs to no row.

        A bar that breaks off has no length of its own: it counts as held from its bar line.
        """
        first = seconds(self._bounds[start])
        last = self._bounds[stop]
        if until is not None:
            last += until * (self._bounds[stop + 1] - self._bounds[stop])
        if self._held_from is not None:
            self._holds.append((self._held_from, self.now))
            self._held_from = None
        offset = self.now - first / RATE
        self._measures += self._numbers[start:stop]
        self._onsets += [float(time) + offset for time in self._bounds[start:stop]]
        self._join(self._from(first, seconds(last)))
        if until is not None:
            self._held_from = float(self._bounds[stop]) + offset

    def hold(self, noise):
        """No music: the hall rings out under the noise."""
        if self._held_from is None:
            self._held_from = self.now
        self._join(self._rung(noise))

    def close(self, is_last):
        """After the last bar: the recording's own end, or the hall that rings out."""
        end = self.now
        if is_last and len(self._source) / RATE - self._bounds[-1] > 0.5:
            self._join(self._from(seconds(self._bounds[-1]), len(self._source)))
        else:
            self._join(self._rung(self.room(3)))
        return Performance(self._made, self._measures, numpy.array(self._onsets), end, self._holds)

    def _rung(self, noise):
        noise = numpy.concatenate([noise[:LEAD], noise])
        rung = noises.ring_out(self._made, self._rng)[:len(noise)]
        noise[:len(rung)] += rung
        return noise

    def _from(self, first, last):
        """The source from LEAD before `first`."""
        missing = max(0, LEAD - first)
        silence = numpy.zeros(missing, numpy.float32)
        return numpy.concatenate([silence, self._source[first - LEAD + missing:last]])

    def _join(self, piece):
        """Appends a piece whose zero is LEAD after its first sample."""
        head, over = self._made[:-LEAD], self._made[-LEAD:][:FADE]
        angle = numpy.linspace(0, numpy.pi / 2, FADE, dtype=numpy.float32)
        joint = over * numpy.cos(angle) + piece[:FADE] * numpy.sin(angle)
        self._made = numpy.concatenate([head, joint, piece[FADE:]])
