"""A singer alone: the tune of a piece, sung by a synthetic voice, followed with a recording of the whole piece.

The voice has what makes voices hard to follow: vibrato, glides from note to note, soft attacks, vowels that change the
spectrum with every syllable, breaths, and a pitch that drifts. Source of the figures: Sundberg, The Science of the
Singing Voice (1987), for formants, the singer's formant and vibrato.
"""

import numpy

from . import scores, sound

# Formants of five vowels in hertz: the first three and the singer's formant.
VOWELS = ((700, 1150, 2600, 2900), (500, 1800, 2500, 2900), (320, 2200, 2700, 3000), (450, 800, 2600, 2900),
          (350, 750, 2500, 2900))
FORMANT_LOUDNESS = (1.0, 0.5, 0.25, 0.35)
FORMANT_WIDTH_HERTZ = (90, 120, 180, 200)
HIGHEST_HARMONIC_HERTZ = 6000
# Vibrato: times a second, semitones to either side, seconds until it is whole.
VIBRATO_HERTZ, VIBRATO_SEMITONES, VIBRATO_SECONDS = 5.6, 0.6, 0.3
GLIDE_SECONDS = 0.09
ATTACK_SECONDS, RELEASE_SECONDS = 0.06, 0.08
# A note is held to the next one, but no longer than a breath lasts.
LONGEST_NOTE_SECONDS = 6.0
BREATH_SECONDS = 0.25
# Standard deviations: of a note's beginning, of its loudness, and of the drift of the pitch from note to note.
JITTER_SECONDS, JITTER_DECIBELS, DRIFT_SEMITONES = 0.02, 2.0, 0.08
# Singers by name: the lowest pitch (MIDI) of the octave into which the tune's median is moved.
SINGERS = {"soprano": 64, "tenor": 52}


def tune(root):
    """The highest note at each onset of the written bars, without notes of the accompaniment far below the tune."""
    written = scores.bars(root)
    top = [{tick: max(pitch for at, pitch in bar.notes if at == tick) for tick, _ in bar.notes} for bar in written]
    median = numpy.median([pitch for bar in top for pitch in bar.values()])
    return written, [{tick: pitch for tick, pitch in bar.items() if pitch > median - 12} for bar in top]


def notes(root, onsets, end):
    """The sung notes as (seconds, pitch), in the order of performance, with all repeats that were played."""
    written, top = tune(root)
    orders = [scores.route(written, [taken] * scores.repeats(written)) for taken in (True, False)]
    order = next((order for order in orders if len(order) == len(onsets)), None)
    if order is None:
        raise sound.SoundFailure(f"The score has {len(orders[0])} bars with its repeats; {len(onsets)} were played.")
    found = []
    for place, begin, until in zip(order, onsets, (*onsets[1:], end)):
        length = max(written[place].ticks, 1)
        found += [(begin + (until - begin) * tick / length, pitch) for tick, pitch in sorted(top[place].items())]
    return found


def sing(sung, end, lowest, seed):
    """The sound of sung notes.

    - `sung`: (seconds, MIDI pitch), by time. `lowest`: the singer's lowest pitch for the median of the tune.
    """
    chance = numpy.random.default_rng(seed)
    shift = lowest - numpy.median([pitch for _, pitch in sung])
    shift = 12 * numpy.ceil(shift / 12)
    starts = [max(0.0, time + chance.normal(0, JITTER_SECONDS)) for time, _ in sung]
    samples = numpy.zeros(sound.seconds(end + 1.0), dtype=numpy.float32)
    phase, before, since_breath = 0.0, None, 0.0
    for number, (start, (_, pitch)) in enumerate(zip(starts, sung)):
        following = starts[number + 1] if number + 1 < len(starts) else end
        length = min(following - start, LONGEST_NOTE_SECONDS)
        since_breath += length
        breathes = since_breath > 4 and length > 2 * BREATH_SECONDS
        if breathes:
            length, since_breath = length - BREATH_SECONDS, 0.0
        if length < 0.03:
            continue
        target = pitch + shift + chance.normal(0, DRIFT_SEMITONES)
        glide_from = before if before is not None and start - before[1] < 0.05 else (target - 0.5, start)
        note, phase = _note(length, target, glide_from[0], phase, VOWELS[number % len(VOWELS)], chance)
        loudness = sound.decibels(chance.normal(0, JITTER_DECIBELS))
        place = sound.seconds(start)
        room = len(samples) - place
        samples[place:place + len(note)] += loudness * note[:room]
        before = (target, start + length)
        if breathes:
            _add(samples, start + length, 0.02 * chance.normal(size=sound.seconds(0.8 * BREATH_SECONDS)))
    return 0.1 * samples / sound.level(samples)


def _note(length, target, glide_from, phase, vowel, chance):
    """One sung note and the phase at its end."""
    count = sound.seconds(length)
    time = numpy.arange(count) / sound.RATE
    glide = numpy.clip(time / GLIDE_SECONDS, 0, 1)
    semitones = target + (glide_from - target) * (0.5 + 0.5 * numpy.cos(numpy.pi * glide))
    vibrato = VIBRATO_SEMITONES * numpy.minimum(time / VIBRATO_SECONDS, 1)
    semitones += vibrato * numpy.sin(2 * numpy.pi * VIBRATO_HERTZ * time + chance.uniform(0, 2 * numpy.pi))
    hertz = 440 * 2 ** ((semitones - 69) / 12)
    phases = phase + 2 * numpy.pi * numpy.cumsum(hertz) / sound.RATE
    note = numpy.zeros(count)
    for harmonic in range(1, int(HIGHEST_HARMONIC_HERTZ / hertz.min()) + 1):
        place = harmonic * hertz
        gain = sum(loudness / (1 + ((place - formant) / width) ** 2) for formant, loudness, width in
                   zip(vowel, FORMANT_LOUDNESS, FORMANT_WIDTH_HERTZ)) + 0.03
        note += gain / harmonic ** 0.8 * numpy.sin(harmonic * phases)
    envelope = numpy.minimum(time / ATTACK_SECONDS, 1) * numpy.minimum((length - time) / RELEASE_SECONDS, 1)
    # A consonant before every third vowel.
    hiss = 0.15 * chance.normal(size=count) * numpy.exp(-time / 0.03) * (chance.uniform() < 1 / 3)
    return note * numpy.clip(envelope, 0, 1) + hiss, float(phases[-1] % (2 * numpy.pi))


def _add(samples, start, further):
    place = sound.seconds(start)
    end = min(place + len(further), len(samples))
    samples[place:end] += further[:end - place]

