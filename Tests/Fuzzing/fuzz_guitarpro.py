#!/usr/bin/env python3
"""Feeds damaged Guitar Pro files to Sources/Python/guitarpro_tab.py, in the Python environment of the tools.

    fuzz_guitarpro.py --seconds 60 --findings FOLDER [--seeds FOLDER]... [--seed N]

Each file is read in a process of its own, with the limits that Baton gives it. It must end with tab JSON that
`baton tab notes` reads (a share of them is tried; $BATON names the program), or with one sentence and status 1.
What ends otherwise, or takes more than 10 s or 2 GB, lies in FOLDER afterwards. First files are made by PyGuitarPro;
more come from folders of files. The output is in the form of Tools/fuzz; status 1 if there are findings.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

import guitarpro

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Sources/Python"))
import guitarpro_tab  # noqa: E402

MOST_SECONDS, MOST_BYTES, MOST_OUTPUT = 10, 2_000_000_000, 24_000_000
MOST_SEED_BYTES = 60_000
LONGEST_SENTENCE = 300
TRIED_EVERY = 25  # of the tabs that were read, one is given to Baton
NUMBERS = (0, 1, -1, 2, 7, 127, 128, 255, 256, 32_767, -32_768, 65_535, 1 << 30, (1 << 31) - 1, -(1 << 31))


def made():
    """Small files of each version, with two tracks, repeats, effects, a chord, a bend and lyrics."""
    for version in ((3, 0, 0), (4, 0, 6), (5, 0, 0), (5, 1, 0)):
        song = guitarpro.Song(title="T", artist="A", instructions="I", notice=["n"])
        song.tracks[0].name = "G"
        song.tracks.append(guitarpro.Track(song, number=2))
        for header in song.measureHeaders:
            header.isRepeatOpen, header.repeatClose, header.marker = True, 2, guitarpro.Marker("M")
        for track in song.tracks:
            voice = track.measures[0].voices[0]
            for number, effect in enumerate(effects()):
                beat = guitarpro.Beat(voice, status=guitarpro.BeatStatus.normal)
                beat.duration.value, beat.duration.isDotted = 8, number % 2 == 1
                note = guitarpro.Note(beat, value=number + 1, string=number % 6 + 1, type=guitarpro.NoteType.normal)
                note.effect = effect
                beat.notes.append(note)
                voice.beats.append(beat)
        with tempfile.NamedTemporaryFile(suffix=".gp5") as file:
            guitarpro.write(song, file.name, version=version)
            yield pathlib.Path(file.name).read_bytes()


def effects():
    bend = guitarpro.BendEffect(type=guitarpro.BendType.bend, value=100,
                                points=[guitarpro.BendPoint(0, 0), guitarpro.BendPoint(12, 4)])
    yield guitarpro.NoteEffect(bend=bend, hammer=True, palmMute=True)
    yield guitarpro.NoteEffect(grace=guitarpro.GraceEffect(duration=32, fret=2), vibrato=True)
    yield guitarpro.NoteEffect(harmonic=guitarpro.NaturalHarmonic(), letRing=True)
    yield guitarpro.NoteEffect(slides=[guitarpro.SlideType.shiftSlideTo], staccato=True)


def damaged(chance, seeds):
    """A file of the seeds with some of its bytes changed: flipped, made a number of note, moved, cut or joined."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        place = chance.randrange(len(data)) if data else 0
        kind = chance.randrange(8)
        if kind <= 1 and data:
            data[place] = chance.randrange(256)
        elif kind == 2 and data:
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 3:
            size = chance.choice((1, 2, 4))
            data[place:place + size] = struct.pack("<q", chance.choice(NUMBERS))[:size]
        elif kind == 4:
            del data[place:place + chance.randrange(1, 40)]
        elif kind == 5:
            data[place:place] = chance.randbytes(chance.randrange(1, 40))
        elif kind == 6:
            del data[place:]
        else:
            other = chance.choice(seeds)
            data[place:] = other[min(place, len(other)):]
    return bytes(data)


def read(path, scratch):
    """Runs the script on a file; gives how it ended: its status or “killed”, its output and errors."""
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            for descriptor, name in ((1, "out"), (2, "err")):
                target = os.open(scratch / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(target, descriptor)
            sys.argv = ["guitarpro_tab.py", str(path)]
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
            status = guitarpro_tab.main()
            sys.stdout.flush()
            sys.stderr.flush()
        # An error that escapes from the script is the finding.
        except BaseException as error:  # noqa: BLE001
            os.write(2, f"Traceback: {error!r}".encode()[:2_000])
            status = 99
        os._exit(status)
    _, ended = os.waitpid(child, 0)
    output, errors = ((scratch / name).read_bytes() for name in ("out", "err"))
    return "killed" if os.WIFSIGNALED(ended) else os.WEXITSTATUS(ended), output, errors.decode(errors="replace")


def fault(ended, output, errors):
    """A sentence about a run that ended wrongly; None if it ended as it should."""
    if ended == "killed":
        return f"takes more than {MOST_SECONDS} s of processor time"
    if ended == 1:
        lines = errors.strip().splitlines()
        if not lines or "Traceback" in errors or len(lines[-1]) > LONGEST_SENTENCE:
            return f"is refused without one sentence: {errors[-300:]!r}"
        return None
    if ended != 0:
        return f"ends with status {ended}: {errors[-300:]!r}"
    if len(output) > MOST_OUTPUT:
        return f"becomes {len(output) / 1e6:.0f} MB of tab"
    try:
        tab = json.loads(output)
    except ValueError as error:
        return f"becomes no JSON: {error}"
    return None if tab.get("format") == "baton-tab" else "becomes no tab"


def refused_by_baton(scratch):
    """The difference between Baton's reading and the tab that was made; None if there is none."""
    (scratch / "out").replace(scratch / "tab.json")
    done = subprocess.run([os.environ["BATON"], "tab", "notes", str(scratch / "tab.json"), "--json", "--quiet"],
                          capture_output=True, text=True, timeout=120, check=False)
    return f"becomes a tab that Baton refuses: {done.stderr.strip()[-300:]}" if done.returncode else None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--findings", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--seed", type=int, default=None, help="of chance; the time unless given")
    return parser.parse_args()


def main():
    chosen = arguments()
    seed = chosen.seed if chosen.seed is not None else time.time_ns() % 1_000_000
    chance = random.Random(seed)
    seeds = list(made())
    seeds += [file.read_bytes() for folder in chosen.seeds for file in sorted(folder.rglob("*.gp[345]"))
              if file.stat().st_size <= MOST_SEED_BYTES]
    chosen.findings.mkdir(parents=True, exist_ok=True)
    tries = {"read": 0, "refused": 0, "findings": 0, "tried": 0}
    slowest = 0.0
    ends = time.monotonic() + chosen.seconds
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="baton-fuzz-") as folder:
        scratch, queue = pathlib.Path(folder), list(seeds)
        while queue or time.monotonic() < ends:
            data = queue.pop() if queue else damaged(chance, seeds)
            path = scratch / "tab.gp5"
            path.write_bytes(data)
            before = time.monotonic()
            ended, output, errors = read(path, scratch)
            slowest = max(slowest, time.monotonic() - before)
            said = fault(ended, output, errors)
            tries["read" if ended == 0 else "refused"] += 1
            if said is None and ended == 0 and "BATON" in os.environ and (
                    queue or tries["read"] % TRIED_EVERY == 0):
                tries["tried"] += 1
                said = refused_by_baton(scratch)
            if said:
                tries["findings"] += 1
                name = hashlib.sha1(data).hexdigest()[:12]
                (chosen.findings / f"{name}.gp5").write_bytes(data)
                print(f"{name}.gp5 {said}", file=sys.stderr, flush=True)
    print(f"stat::number_of_executed_units: {tries['read'] + tries['refused']}")
    print(f"{tries['read']} read, {tries['tried']} of them by Baton too, {tries['refused']} refused, slowest "
          f"{slowest:.1f} s, chance {seed}, {tries['findings']} findings")
    return 1 if tries["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
