"""Recordings made by `baton render`."""

import csv
import dataclasses
import functools
import json
import os
import pathlib
import subprocess

from .sound import SoundFailure

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Rendering:
    audio: pathlib.Path
    # Seconds at which each played bar begins, and at which the last one ends.
    onsets: tuple
    end: float


def render(score, folder, *options):
    """Renders a score into a folder. $BATON names the program; otherwise the debug build is used."""
    done = subprocess.run(
        [_program(), "render", score, "--out", folder, *map(str, options)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SoundFailure(f"{score} cannot be rendered: {(done.stderr or done.stdout).strip()}")
    with open(folder / "measures.csv", newline="", encoding="utf-8") as file:
        onsets = tuple(float(row["time"]) for row in csv.DictReader(file))
    end = json.loads((folder / "render.json").read_text(encoding="utf-8"))["endSeconds"]
    return Rendering(folder / "audio.ogg", onsets, end)


@functools.cache
def _program():
    if named := os.environ.get("BATON"):
        return named
    done = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True)
    program = pathlib.Path(done.stdout.strip() or ".") / "baton"
    if not program.is_file():
        raise SoundFailure("There is no program; build it with `swift build --product baton`, or name it in $BATON.")
    return program
