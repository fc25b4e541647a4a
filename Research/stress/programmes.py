"""A long programme of which any piece may be played, and what the follower makes of it."""

import csv
import dataclasses
import functools
import json
import os
import pathlib
import subprocess

import numpy

from . import sound
from .recordings import find
from .renderer import ROOT
from .sound import RATE, SoundFailure, seconds

# Seconds of each passage, and of the music of the hour without a change.
PASSAGE, HOUR = 25.0, 3600.0
# Seconds between two whole performances, and the level of the quiet room there (root mean square of full scale).
BETWEEN, ROOM = 8.0, 0.0003
# A bar is found from the first report that is following in the right piece, at most this many bars beside.
BARS = 1


@dataclasses.dataclass(frozen=True)
class Programme:
    pieces: dict  # recordings by the piece's folder
    models: pathlib.Path
    minutes: float


def prepare(places, out):
    """Prepares a model for the reference of each piece. Several performances of a piece share its first model."""
    models = out / "models"
    models.mkdir(parents=True, exist_ok=True)
    pieces, known, minutes = {}, {}, 0.0
    for recording in find(places):
        composer, title = recording.title.get("composer", ""), recording.title.get("title", recording.name)
        if (composer, title) in known:
            pieces[known[composer, title]].append(recording)
            continue
        folder = recording.name.lower()
        known[composer, title] = folder
        pieces[folder] = [recording]
        if not (models / folder).is_dir():
            _prepare(recording, models, folder, f"{composer}, {title}")
        minutes += recording.references[0].end / 60
    return Programme(pieces, models, minutes)


def _prepare(recording, models, folder, name):
    reference = recording.references[0]
    measures = reference.measures
    if reference.renumbered:
        measures = models / f"{folder}.csv"
        rows = "".join(f"{number},{time:.4f}\n" for number, time in reference.renumbered)
        measures.write_text("measure,time\n" + rows, encoding="utf-8")
    _baton("prepare", folder, "--recording", reference.audio, "--measures", measures, "--name", name,
           "--models", models, "--end", f"{reference.end:.3f}")


def rehearsal(programme, out, count, pause, seed):
    """Passages of `PASSAGE` seconds from anywhere; returns the sentence about the time until each is found."""
    rng = numpy.random.default_rng(seed)
    names = sorted(programme.pieces)
    parts, truth, at, last = [], [], 0.0, None
    for _ in range(count):
        piece = names[rng.integers(len(names))]
        while piece == last:
            piece = names[rng.integers(len(names))]
        last = piece
        recording = programme.pieces[piece][rng.integers(len(programme.pieces[piece]))]
        fits = [k for k, onset in enumerate(recording.onsets) if onset + PASSAGE < recording.end]
        first = recording.onsets[fits[rng.integers(len(fits))]] if fits else recording.onsets[0]
        samples = recording.samples()[seconds(first):seconds(min(first + PASSAGE, recording.end))]
        parts += [_room(pause, rng), samples / max(1.0, numpy.abs(samples).max())]
        begin = at + pause
        at = begin + len(samples) / RATE
        truth.append((piece, recording, begin, at, first))
    reports = _follow(programme, numpy.concatenate(parts), out, f"rehearsal-{seed}-{pause:g}")
    waits, bar_waits, wrong, rows = [], [], 0, []
    for number, (piece, recording, begin, end, first) in enumerate(truth):
        heard = [row for row in reports if begin <= row["live"] < end and row["state"] == "following"]
        waits.append(_wait(begin, (row for row in heard if row["piece"] == piece)))
        bar_waits.append(_wait(begin, (
            row for row in heard if _is_right(row, piece, recording, first + row["live"] - begin))))
        # The piece before may be shown until this one is found; any third piece is a wrong one.
        before = truth[number - 1][0] if number else names[0]
        shown = sorted({row["piece"] for row in heard} - {piece, before})
        wrong += bool(shown)
        rows.append(f"{piece},{first:.2f},{waits[-1]:.2f},{bar_waits[-1]:.2f},{' '.join(shown)}")
    (out / f"rehearsal-{seed}-{pause:g}.csv").write_text(
        "piece,from,piece_found_s,bar_found_s,wrong\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return (f"{count} passages after {pause:g} s of a quiet room: the piece is found {_told(waits)}; the bar "
            f"{_told(bar_waits)}; another piece was followed in {wrong}")


def _wait(begin, rows):
    return next((row["live"] - begin for row in rows), numpy.inf)


def _told(waits):
    waits = numpy.sort(waits)
    at_95 = waits[int(numpy.ceil(0.95 * len(waits))) - 1]
    return (f"after {numpy.median(waits):.1f} s in the median, 95 % within {at_95:.1f} s, {numpy.mean(waits <= 5):.0%} "
            f"within 5 s, {numpy.mean(waits <= 10):.0%} within 10 s, {int(numpy.isinf(waits).sum())} not at all")


def hour(programme, out, seed):
    """Whole performances in any order; returns the sentence about false changes."""
    rng = numpy.random.default_rng(seed + 1000)
    parts, truth, at = [], [], 0.0
    names = sorted(programme.pieces)
    rng.shuffle(names)
    for piece in names:
        if at > HOUR:
            break
        recording = programme.pieces[piece][0]
        samples = recording.samples()[:seconds(recording.end)]
        parts += [_room(BETWEEN, rng), samples / max(1.0, numpy.abs(samples).max())]
        begin = at + BETWEEN
        at = begin + len(samples) / RATE
        truth.append((piece, recording, begin, at))
    reports = _follow(programme, numpy.concatenate(parts), out, f"hour-{seed}")
    changes, right, total, places = 0, 0, 0, []
    for piece, recording, begin, end in truth:
        was_there = False
        music = begin + recording.onsets[0]
        for row in (row for row in reports if music <= row["live"] < end):
            total += 1
            right += _is_right(row, piece, recording, row["live"] - begin)
            if was_there and row["piece"] != piece:
                changes += 1
                places.append(f"{piece} -> {row['piece']} at {row['live'] - begin:.0f} s")
            was_there = row["piece"] == piece
    told = f" ({'; '.join(places)})" if places else ""
    return (f"{at / 60:.0f} minutes of whole performances, {len(truth)} pieces: {changes} false changes{told}, right "
            f"piece and bar (±{BARS}) in {right / max(total, 1):.1%} of the time")


def _is_right(row, piece, recording, time):
    if row["piece"] != piece or row["state"] != "following" or row.get("played") is None:
        return False
    place = int(numpy.searchsorted(recording.onsets, time + 1e-6)) - 1
    # Reports count the bars of the reference from 1, whatever their numbers.
    reference = _reference_numbers(recording)
    return abs(reference[row["played"] - 1] - recording.measures[max(place, 0)]) <= BARS


@functools.cache
def _reference_numbers(recording):
    reference = recording.references[0]
    if reference.renumbered:
        return [number for number, _ in reference.renumbered]
    with open(reference.measures, newline="", encoding="utf-8") as file:
        return [int(float(row["measure"])) for row in csv.DictReader(file)]


def _room(duration, rng):
    return ROOM * rng.standard_normal(seconds(duration)).astype(numpy.float32)


def _follow(programme, samples, out, name):
    audio, reports = out / f"{name}.flac", out / f"{name}.jsonl"
    sound.write(audio, 0.9 * samples)
    _baton("replay", ",".join(sorted(programme.pieces)), "--models", programme.models, "--live", audio, "--advance",
           "any", "--speed", "max", "--reports", reports, "--quiet")
    with open(reports, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _baton(*words):
    program = os.environ.get("BATON") or ROOT / ".build" / "debug" / "baton"
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise SoundFailure(f"baton {words[0]} {words[1]} failed: {done.stderr.strip() or done.stdout.strip()[-300:]}")
