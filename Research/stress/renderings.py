"""Cases from the repository's own scores, in which other instruments play the performance or the reference."""

import csv
import json

from . import renderer, scores, sound, voice
from .cases import write_case, write_rows

KINDS = ("piano", "instrument", "part", "voice")
# General MIDI programs that play the pieces for one instrument, and their names.
INSTRUMENTS = {20: "church organ", 49: "strings", 74: "flute", 1: "piano", 25: "guitar"}
FLUID, TIM = (f"/usr/share/sounds/sf2/{name}.sf2" for name in ("FluidR3_GM", "TimGM6mb"))
# Decibels by which the other parts are made softer where one plays alone.
SILENCE = -60
# Parts that play alone, of each piece for many parts, and families that play without the others.
SOLOISTS = 5
FAMILIES = {
    "strings": ("Violin", "Viola", "Violoncello", "Contrabass"), "winds": ("Flute", "Oboe", "Clarinet", "Bassoon")}


def cases(kind, recordings, out):
    """Writes the cases of a kind; yields ids and sentences."""
    for piece in sorted(recordings.iterdir()):
        if not (piece / "score.musicxml").is_file():
            continue
        names = scores.part_names(scores.read(piece / "score.musicxml"))
        performances = sorted(place for place in piece.iterdir() if (place / "tempo.csv").is_file())
        first, second = performances[:2]
        if (kind in ("instrument", "voice")) == (len(names) > 1):
            continue
        makers = {"piano": _piano, "instrument": _instruments, "part": _parts, "voice": _voices}
        yield from makers[kind](piece, names, first, second, out)


def _piano(piece, _, first, second, out):
    """A piano reduction as the reference of the orchestra, and a rehearsal at the piano with the orchestra's."""
    for known, live in ((first, second), (second, first)):
        yield _case(out, "piano-reference", piece, known, live, program=scores.PIANO)
        yield _case(out, "piano-live", piece, known, live, program=scores.PIANO, is_live=True)


def _instruments(piece, _, first, second, out):
    for program in INSTRUMENTS:
        yield _case(out, f"instrument-{program:03d}", piece, first, second, program=program, is_live=True)


def _parts(piece, names, first, second, out):
    alone = {name: [name] for name in _busiest(piece, names)}
    for family, members in FAMILIES.items():
        alone[family] = [name for name in names if name.startswith(members)]
    for told, players in alone.items():
        label = f"part-{told.lower().replace(' ', '-')}"
        yield _case(out, label, piece, first, second, alone=players, told=told, is_live=True)


def _voices(piece, _, first, second, out):
    for singer in voice.SINGERS:
        for known, live in ((first, second), (second, first)):
            yield _voice(out, singer, piece, known, live)


def _busiest(piece, names):
    """The parts that rest in the fewest bars, in the order of the score."""
    root = scores.read(piece / "score.musicxml")
    sounding = [sum(measure.find("note/pitch") is not None for measure in part.findall("measure"))
                for part in root.findall("part")]
    chosen = sorted(range(len(names)), key=lambda index: -sounding[index])[:SOLOISTS]
    return [names[index] for index in sorted(chosen)]


def _case(out, label, piece, known, live, program=None, alone=(), told="", is_live=False):
    """One case: the side that is changed is rendered anew, by the other side's tempo curve and another soundfont."""
    folder = out / f"{label}-{piece.name}-{known.name}-{live.name}"
    folder.mkdir(parents=True)
    changed = live if is_live else known
    root = scores.read(piece / "score.musicxml")
    names = scores.part_names(root)
    if program:
        scores.on_program(root, program)
    scores.write(root, folder / "score.musicxml")
    hushed = [word for name in names if alone and name not in alone for word in ("--balance", f"{name}={SILENCE}")]
    made = renderer.render(
        folder / "score.musicxml", folder / "rendered", "--tempo-curve", changed / "tempo.csv",
        "--soundfont", FLUID if is_live else TIM, "--jitter", 10, "--velocity-jitter", 5, "--seed", 7,
        "--gain", 1.5 if alone else 0.8, *hushed)
    told = f"{told} alone" if alone else "a piano" if program == scores.PIANO else INSTRUMENTS[program]
    group = label.split("-")[0] + ("-live" if label == "piano-live" else "")
    return _written(folder, group, piece, known, live, changed, made,
                    f"{told} as the {'performance' if is_live else 'reference'}")


def _voice(out, singer, piece, known, live):
    """One case: a singer alone sings the tune in another performance's tempo."""
    folder = out / f"voice-{singer}-{piece.name}-{known.name}-{live.name}"
    folder.mkdir(parents=True)
    onsets, end = [float(row["time"]) for row in _rows(live)], _end(live)
    sung = voice.notes(scores.read(piece / "score.musicxml"), onsets, end)
    sound.write(folder / "voice.flac", voice.sing(sung, end, voice.SINGERS[singer], seed=7))
    made = renderer.Rendering(folder / "voice.flac", tuple(onsets), end)
    return _written(folder, f"voice-{singer}", piece, known, live, live, made, f"a {singer} alone as the performance")


def _written(folder, group, piece, known, live, changed, made, sentence):
    """Writes a case of which one side is `made`; returns its name and a sentence."""
    sides = []
    for role, place in (("reference", known), ("live", live)):
        rows = [(int(row["measure"]), float(row["time"])) for row in _rows(place)]
        onsets, audio, end = [time for _, time in rows], place / "audio.ogg", _end(place)
        if place == changed:
            onsets, audio, end = made.onsets, made.audio, made.end
        numbers = range(1, len(onsets) + 1)
        write_rows(folder / f"{role}.measures.csv", zip(numbers, onsets))
        sides.append({"audio": audio, "measures": f"{role}.measures.csv", "start": onsets[0], "end": end})
    described = json.loads((piece / "piece.json").read_text(encoding="utf-8"))
    printed = {number: str(row[0]) for number, row in enumerate(rows, 1)}
    write_case(
        folder, group=group, composer=described.get("composer", ""), title=described.get("name", piece.name),
        reference=sides[0], live=sides[1], first=1, printed=printed)
    return folder.name, sentence


def _rows(place):
    with open(place / "measures.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _end(place):
    return json.loads((place / "render.json").read_text(encoding="utf-8"))["endSeconds"]
