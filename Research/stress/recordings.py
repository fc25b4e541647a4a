"""The sources of recordings: folders of cases, and pieces of the repository's own concert."""

import csv
import dataclasses
import functools
import json
import pathlib
import re

import numpy

from . import sound
from .sound import SoundFailure


@dataclasses.dataclass(frozen=True)
class Recording:
    """A live recording whose measures are known, and what it may be followed with."""

    name: str
    # Composer, title, licence as the case says them.
    title: dict = dataclasses.field(compare=False)
    audio: pathlib.Path
    measures: tuple  # number of each played measure, counted as the reference plays them
    onsets: tuple  # seconds
    end: float
    references: tuple  # of Reference

    @property
    def bounds(self):
        """Onsets and the end, seconds."""
        return numpy.array([*self.onsets, self.end])

    def samples(self):
        return _samples(str(self.audio))


@dataclasses.dataclass(frozen=True)
class Reference:
    audio: pathlib.Path
    measures: pathlib.Path
    end: float
    # Rows to write instead of the file's where printed numbers repeat: (number, seconds).
    renumbered: tuple = ()
    side: dict = dataclasses.field(default_factory=dict, compare=False)


@functools.lru_cache(maxsize=6)
def _samples(path):
    samples = sound.read(path)
    samples.flags.writeable = False
    return samples


def find(places, left_out=()):
    """All recordings in folders of cases, single cases, Recordings or one piece of it; sorted by name."""
    found = []
    for place in (pathlib.Path(place).resolve() for place in places):
        if not place.is_dir():
            raise SoundFailure(f"{place} is no folder; --from takes folders of cases or recordings.")
        inside = [place, *sorted(place.iterdir())]
        cases = [folder for folder in inside if (folder / "case.json").is_file()]
        found += [r for folder in cases if (r := _from_case(folder))] if cases else [
            recording for folder in inside if folder.is_dir() for recording in _from_piece(folder)]
    found = sorted((r for r in found if r.name not in left_out), key=lambda r: r.name)
    if not found:
        raise SoundFailure(
            f"There is no recording to make trouble from in {', '.join(map(str, places))}: neither cases "
            "with case.json and live measures nor pieces with two performances.")
    return found


def _rows(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = [(int(float(row["measure"])), float(row["time"])) for row in csv.DictReader(file)]
    except (OSError, KeyError, TypeError, ValueError) as fault:
        raise SoundFailure(f"{path} cannot be used: it needs columns measure and time ({fault}).") from None
    if len(rows) < 2 or any(after[1] <= before[1] for before, after in zip(rows, rows[1:])):
        raise SoundFailure(f"{path} cannot be used: it needs two measures or more, whose times rise.")
    return rows


def _object(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise SoundFailure(f"{path} cannot be used: {fault}.") from None


def _from_case(folder):
    """None for a case whose live side is already in trouble, is unknown, or may not be altered."""
    case = _object(folder / "case.json")
    live = case.get("live") or {}
    if case.get("disruption") or not live.get("measures") or _is_protected(case, live):
        return None
    references = tuple(
        Reference(folder / side["audio"], folder / side["measures"], side.get("end"), side=side)
        for side in case["references"] if side.get("measures"))
    rows = _rows(folder / live["measures"])
    if not references or case.get("first_cue", {}).get("known") is False:
        return None
    return Recording(
        folder.name, {key: case[key] for key in ("composer", "title", "licence") if key in case},
        folder / live["audio"], tuple(m for m, _ in rows), tuple(t for _, t in rows),
        live.get("end") or _end(rows), references)


def _is_protected(case, live):
    """True if the licence forbids modified forms of this very side, told by a word of its file's name."""
    words = {word.lower() for word in re.split(r"[^A-Za-z0-9]+", live.get("file", "")) if len(word) >= 4}
    licence = case.get("licence") or []
    clauses = " ; ".join([licence] if isinstance(licence, str) else licence).lower().split(";")
    return any(words & set(re.split(r"[^a-z0-9]+", clause)) for clause in clauses if "modified form" in clause)


def _end(rows):
    return rows[-1][1] + float(numpy.median(numpy.diff([time for _, time in rows])))


def _from_piece(folder):
    """Each performance with each other one as its reference; measures counted through, a pickup is 0."""
    sides = []
    for place in sorted(folder.iterdir()):
        sounds = [place / name for name in ("audio.ogg", "audio.flac", "audio.wav")]
        audio = next((path for path in sounds if path.is_file()), None)
        if audio and (place / "measures.csv").is_file():
            rows = _rows(place / "measures.csv")
            render = place / "render.json"
            end = _object(render).get("endSeconds") if render.is_file() else None
            sides.append((place, audio, rows, end or _end(rows)))
    piece = folder / "piece.json"
    described = _object(piece) if piece.is_file() else {}
    title = {"composer": described.get("composer", ""), "title": described.get("name", folder.name)}
    for reference, reference_audio, reference_rows, reference_end in sides:
        for live, live_audio, live_rows, live_end in sides:
            # Another sequence of repeats is another structure; its numbers would not be the reference's.
            if live == reference or [m for m, _ in live_rows] != [m for m, _ in reference_rows]:
                continue
            first = min(1, live_rows[0][0])
            numbers = tuple(range(first, first + len(live_rows)))
            times = tuple(time for _, time in reference_rows)
            known = Reference(
                reference_audio, reference / "measures.csv", reference_end, tuple(zip(numbers, times)))
            yield Recording(
                f"{folder.name}-{reference.name}-{live.name}", title, live_audio, numbers,
                tuple(time for _, time in live_rows), live_end, (known,))
