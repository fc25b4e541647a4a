"""Time and pitch: a phase vocoder that leaves attacks as they are.

Peaks keep their surroundings' phases (Laroche and Dolson, "Improved phase vocoder time-scale modification of
audio", 1999). Around each clear attack 80 ms are copied at the original speed; what this gains or costs is
taken from the sound between attacks. Truth follows the very map the sound was made with.
"""

import numpy

from .sound import RATE, seconds

SIZE = 2048
HOP = 256
# Copied before and after an attack, seconds: half a window before, so that nothing of it sounds early.
BEFORE, AFTER = 0.046, 0.034
CLOSEST = 0.16


def attacks(samples):
    """Seconds of clear attacks, at least CLOSEST apart, the strongest first served."""
    step = HOP // 2
    frames = numpy.lib.stride_tricks.sliding_window_view(samples, 512)[::step]
    spectra = numpy.log1p(300 * numpy.abs(numpy.fft.rfft(frames * numpy.hanning(512), axis=1)))
    rise = numpy.maximum(0, spectra[2:] - spectra[:-2]).sum(axis=1)
    hill = numpy.flatnonzero((rise[1:-1] >= rise[:-2]) & (rise[1:-1] > rise[2:])) + 1
    usual = numpy.convolve(rise, numpy.ones(81) / 81, "same")
    hill = hill[rise[hill] > 1.8 * usual[hill] + 1]
    taken = []
    for frame in hill[numpy.argsort(-rise[hill], kind="stable")]:
        time = ((frame + 1) * step + 256) / RATE
        if all(abs(time - other) >= CLOSEST for other in taken):
            taken.append(time)
    return numpy.sort(taken)


def speed_map(length_seconds, changes):
    """Corners (input seconds, output seconds) of a tempo given as [(from input second, speed), …]."""
    inputs = [start for start, _ in changes] + [length_seconds]
    outputs = [0.0]
    for (start, speed), stop in zip(changes, inputs[1:]):
        outputs.append(outputs[-1] + (stop - start) / speed)
    return numpy.array(inputs), numpy.array(outputs)


def sparing(corners, instants):
    """The map with a slope of 1 around each instant that has room for it, and where these stretches start."""
    inputs, outputs = corners
    points, starts = [(inputs[0], outputs[0])], []
    for instant in instants:
        goal = numpy.interp(instant, inputs, outputs)
        enter, leave = (instant - BEFORE, goal - BEFORE), (instant + AFTER, goal + AFTER)
        gone, made = enter[0] - points[-1][0], enter[1] - points[-1][1]
        if gone < 0.02 or made < 0.02 or leave[0] > inputs[-1] - 0.1 or not 0.2 < made / gone < 5:
            continue
        points += [enter, leave]
        starts.append(enter[1])
    points.append((inputs[-1], outputs[-1]))
    if len(points) > 2 and points[-1][1] <= points[-2][1]:
        points[-1] = (points[-1][0], points[-2][1] + points[-1][0] - points[-2][0])
    both = numpy.array(points)
    return (both[:, 0], both[:, 1]), numpy.array(starts)


def stretched(samples, changes):
    """The sound at other speeds, and a function from its old to its new seconds."""
    wished = speed_map(len(samples) / RATE, changes)
    (inputs, outputs), starts = sparing(wished, attacks(samples))
    made = _vocoder(samples, (inputs, outputs), starts)
    return made, lambda time: numpy.interp(time, inputs, outputs)


def transposed(samples, ratio):
    """All frequencies times `ratio`, same tempo, and a function from old to new seconds."""
    longer, moved = stretched(samples, [(0.0, 1 / ratio)])
    length = int(round(len(longer) / ratio))
    exact = len(longer) / length
    return resampled(longer, length), lambda time: moved(time) / exact


def resampled(samples, length):
    """The same sound in `length` samples."""
    spectrum = numpy.fft.rfft(samples.astype(numpy.float64))
    kept = numpy.zeros(length // 2 + 1, complex)
    count = min(len(kept), len(spectrum))
    kept[:count] = spectrum[:count]
    return (numpy.fft.irfft(kept, length) * (length / len(samples))).astype(numpy.float32)


def _vocoder(samples, corners, starts):
    inputs, outputs = corners
    count = int(outputs[-1] * RATE / HOP) + 1
    centres = numpy.arange(count) * HOP
    origin = numpy.floor(numpy.interp(centres / RATE, outputs, inputs) * RATE + 0.5).astype(int)
    fresh = numpy.zeros(count, bool)
    fresh[numpy.minimum(numpy.ceil(starts * RATE / HOP).astype(int), count - 1)] = True
    fresh[0] = True
    margin = SIZE // 2 + HOP
    padded = numpy.concatenate([numpy.zeros(margin), samples, numpy.zeros(margin + SIZE)])
    window = numpy.hanning(SIZE + 1)[:-1]
    made = numpy.zeros(count * HOP + SIZE)
    weight = numpy.zeros(count * HOP + SIZE)
    grid = numpy.arange(SIZE)
    turn = None
    for first in range(0, count, 512):
        part = slice(first, min(first + 512, count))
        places = origin[part] + HOP
        now = numpy.fft.rfft(padded[places[:, None] + grid] * window, axis=1)
        earlier = numpy.fft.rfft(padded[places[:, None] - HOP + grid] * window, axis=1)
        whole = numpy.empty_like(now)
        for k in range(len(now)):
            turn = _turned(now[k], earlier[k], None if fresh[first + k] else turn)
            whole[k] = turn
        waves = numpy.fft.irfft(whole, SIZE, axis=1) * window
        for k, wave in enumerate(waves):
            at = (first + k) * HOP
            made[at:at + SIZE] += wave
            weight[at:at + SIZE] += window ** 2
    half = SIZE // 2
    length = seconds(outputs[-1])
    return (made / numpy.maximum(weight, 0.1))[half:half + length].astype(numpy.float32)


def _turned(now, earlier, last):
    """The frame with phases that continue `last`, the frame before it in the output; as it is without one."""
    if last is None:
        return now
    size = numpy.abs(now)
    middle = size[2:-2]
    is_peak = (middle > size[:-4]) & (middle > size[1:-3]) & (middle >= size[3:-1]) & (middle >= size[4:])
    peak = numpy.flatnonzero(is_peak) + 2
    if not len(peak):
        return now
    turn = last[peak] * numpy.conj(earlier[peak])
    turn /= numpy.maximum(numpy.abs(turn), 1e-20)
    owner = numpy.searchsorted((peak[1:] + peak[:-1]) / 2, numpy.arange(len(now)))
    return now * turn[owner]
