"""Draws cases and writes their folders as `baton evaluate` and the benchmark's own scorer read them."""

import json
import os

import numpy

from . import repeats, rooms, sections, sound, troubles
from .montage import Event, Performance, Unfit
from .sound import SoundFailure
from .twins import twin

# Share of cases in which two kinds come together.
TOGETHER = 0.3
TRIES = 60
# Kinds of which a case may end at a passage that sounds twice, and the likeness from which nobody can hear which of the
# two is played.
COPIES, LITERAL = ("cut", "repeat", "left-out", "stop", "start"), 0.96


def kinds_of(index, kinds, rng):
    """The kind whose turn it is, and in some cases a companion."""
    first = kinds[index % len(kinds)]
    others = [kind for kind in troubles.COMPANIONS if kind in kinds and kind != first]
    if first == "start":
        others = [kind for kind in others if kind != "applause"]
    if first == "plain" or not others or rng.random() >= TOGETHER:
        return [first]
    return [first, str(rng.choice(others))]


def make(index, recordings, kinds, seed, longest, out, copies=False):
    """Writes case `index`; the same arguments write the same bytes. Returns its id and a sentence.

    Each case has its own stream of random numbers: more cases do not change the earlier ones. With `copies`, the music
    goes on at a passage that sounds twice, and where it begins is not told.
    """
    rng = numpy.random.default_rng([seed, index])
    chosen = kinds_of(index, kinds, rng)
    for _ in range(TRIES):
        recording = recordings[rng.integers(len(recordings))]
        try:
            performance = troubles.performed(chosen, recording, rng, longest, recordings)
            if copies and not _ends_at_copy(chosen, recording, performance):
                continue
            break
        except Unfit:
            continue
    else:
        raise SoundFailure(
            f"No recording has room for {' and '.join(chosen)}: it takes a minute of music or two, and for "
            "foreign music a recording of another piece.")
    name = f"{index:03d}-{'-'.join(chosen)}-{recording.name}"
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, name, chosen, recording, performance, group="copies" if copies else "nightly")
    return name, "; ".join(event.note for event in performance.events) or "as it was played"


def in_rooms(recordings, seed, out):
    """Writes each recording whole, once in each of the fixed rooms; yields ids and sentences."""
    for place, room in enumerate(rooms.FIXED):
        for index, recording in enumerate(recordings):
            rng = numpy.random.default_rng([seed, place, index])
            samples = rooms.heard(recording.samples(), room, rng)
            samples *= min(1, 0.97 / numpy.abs(samples).max())
            performance = Performance(
                samples, list(recording.measures), numpy.array(recording.onsets), recording.end, [],
                events=[Event("room", room.note, is_local=False, figures=room.figures)])
            name = f"{room.name}-{recording.name}"
            folder = out / name
            folder.mkdir(parents=True, exist_ok=True)
            write(folder, name, ["room"], recording, performance, group=room.name)
            yield name, room.note


def write(folder, name, chosen, recording, performance, group="nightly"):
    sound.write(folder / "live.flac", performance.samples)
    write_rows(folder / "live.measures.csv", zip(performance.measures, performance.onsets))
    duration = len(performance.samples) / sound.RATE
    first = performance.measures[0]
    cue = {"measure": first, "known": True}
    if not performance.first_is_known:
        cue = {"measure": None, "known": False, "true_measure": first}
    case = {
        "id": name, "group": group, "base": recording.name, **recording.title, "kinds": chosen,
        "references": [_reference(folder, k, known) for k, known in enumerate(recording.references)],
        "live": {
            "audio": "live.flac", "measures": "live.measures.csv", "beats": None,
            "start": round(float(performance.onsets[0]), 4), "end": round(performance.end, 4),
            "duration": round(duration, 4), "sample_rate": sound.RATE, "channels": 1,
        },
        "first_cue": cue,
        "disruption": _disruption(performance),
        "holds": [[round(a, 4), round(b, 4)] for a, b in performance.holds],
        "troubles": [{"kind": e.kind, "note": e.note, **e.figures} for e in performance.events],
    }
    if set(chosen) & set(sections.KINDS):
        case["printed"] = repeats.printed(recording)
    if doubt := _doubt(recording, performance):
        case["twin"] = doubt
    (folder / "case.json").write_text(json.dumps(case, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_case(folder, group, composer, title, reference, live, first, printed):
    """Writes case.json for a live recording that stays where it is; paths become relative to the folder.

    `printed` gives the printed bar of each number of the reference, for Research/judge-bars.
    """
    sides = [{**side, "audio": os.path.relpath(side["audio"], folder)} for side in (reference, live)]
    case = {
        "id": folder.name, "group": group, "composer": composer, "title": title, "references": sides[:1],
        "live": sides[1], "first_cue": {"measure": first, "known": True}, "disruption": None, "holds": [],
        "printed": printed,
    }
    (folder / "case.json").write_text(json.dumps(case, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_rows(path, rows):
    text = "".join(f"{measure},{time:.4f}\n" for measure, time in rows)
    path.write_text("measure,time\n" + text, encoding="utf-8")


def _reference(folder, index, reference):
    measures = os.path.relpath(reference.measures, folder)
    if reference.renumbered:
        measures = f"reference{index + 1 if index else ''}.measures.csv"
        write_rows(folder / measures, reference.renumbered)
    side = {**reference.side, "audio": os.path.relpath(reference.audio, folder), "measures": measures}
    if reference.end:
        side["end"] = reference.end
    side.pop("beats", None)
    return side


def _disruption(performance):
    """The interval from which the time of recovery counts; None in a case without trouble."""
    if not performance.events:
        return None
    local = [event for event in performance.events if event.is_local and event.scored]
    told = {"type": "+".join(event.kind for event in performance.events),
            "note": "; ".join(event.note for event in performance.events)}
    start, end = 0.0, float(performance.onsets[0])
    if local:
        start, end = min(event.start for event in local), max(event.end for event in local)
    elif not any(event.scored for event in performance.events):
        start, end = performance.events[0].start, performance.events[0].end
        told["scored"] = False
    return {**told, "start": round(start, 4), "end": round(end, 4)}


def _ends_at_copy(chosen, recording, performance):
    doubt = _doubt(recording, performance)
    is_told = performance.first_is_known and "start" in chosen
    return doubt is not None and doubt["similarity"] >= LITERAL and not is_told


def _doubt(recording, performance):
    """The other place that sounds like the bars which a follower has to find; None if there is nothing to find or no
    such place."""
    goals = [event.figures["goal"] for event in performance.events if "goal" in event.figures]
    if not goals:
        return None
    other, alike = twin(recording, recording.measures.index(goals[0]))
    if other is None:
        return None
    return {"measure": recording.measures[other], "similarity": round(alike, 3)}
