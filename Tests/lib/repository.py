"""The repository's own program, recordings and their measures."""

import csv
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "Recordings"
BACH = "bach-well-tempered-clavier-1-prelude-in-c"


def program(build="debug"):
    """$BATON, or what was built last: debug or release."""
    return os.environ.get("BATON", str(ROOT / ".build" / build / "baton"))


def build_engine():
    """Puts the engine for pages beside the program, before a server starts; the first time a minute or two."""
    subprocess.run([ROOT / "Tools" / "build-web"], check=True, stdout=subprocess.DEVNULL)


def concert():
    """Folder names of the concert's pieces, in order."""
    return json.loads((RECORDINGS / "concert.json").read_text())["pieces"]


def piece_name(piece):
    """The name that phones are shown."""
    return json.loads((RECORDINGS / piece / "piece.json").read_text())["name"]


def recording(piece, performance):
    return RECORDINGS / piece / performance / "audio.ogg"


def measure_times(path):
    """The rows of a measures.csv in the order in which they are played: (printed number, seconds)."""
    with open(path, newline="", encoding="utf-8") as rows:
        return [(int(row["measure"]), float(row["time"])) for row in csv.DictReader(rows)]


def measure_times_without_end(path):
    """The rows of a table of measures that may name the end, which is left out: (printed number, seconds)."""
    with open(path, newline="", encoding="utf-8") as rows:
        return [(int(row["measure"]), float(row["time"])) for row in csv.DictReader(rows) if row["measure"] != "end"]
