"""The paths of the program, the concert's pieces, their recordings and measures."""

import os
import shutil
import struct
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from lib.repository import BACH, RECORDINGS, ROOT, concert, measure_times, piece_name, program  # noqa: F401

BATON = program()
PAUSE_SECONDS = 3.0  # what the server puts between the recordings of a playlist


@cache
def printed_measures(folder):
    """The printed numbers in the order in which they are played, repeats unfolded."""
    first = sorted((RECORDINGS / folder).glob("*/measures.csv"))[0]
    return [printed for printed, _ in measure_times(first)]


def recording(folder, which=-1):
    """One performance of a piece."""
    return sorted((RECORDINGS / folder).glob("*/audio.ogg"))[which]


@cache
def quick_recording(folder, which=-1):
    """The same sound where skipping is cheap: as WAV where ffmpeg is there, else as it is."""
    source = recording(folder, which)
    if not shutil.which("ffmpeg"):
        return source
    target = scratch() / f"{folder}-{source.parent.name}.wav"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", source, "-c:a", "pcm_s16le", target], check=True)
    return target


def seconds(audio):
    """Length of a WAV or Ogg Vorbis file."""
    with open(audio, "rb") as file:
        head = file.read(4096)
        if head.startswith(b"RIFF"):
            layout = head.index(b"fmt ") + 8
            byte_rate = struct.unpack("<I", head[layout + 8:layout + 12])[0]
            return (os.path.getsize(audio) - head.index(b"data") - 8) / byte_rate
        vorbis = head.index(b"\x01vorbis")
        rate = struct.unpack("<I", head[vorbis + 12:vorbis + 16])[0]
        file.seek(-min(os.path.getsize(audio), 1 << 16), os.SEEK_END)
        tail = file.read()
    last = tail.rindex(b"OggS")
    return struct.unpack("<q", tail[last + 6:last + 14])[0] / rate


@cache
def scratch():
    """A folder of this run alone; removed by `sweep`."""
    return Path(tempfile.mkdtemp(prefix="baton-survival-"))


def sweep():
    if scratch.cache_info().currsize:
        shutil.rmtree(scratch(), ignore_errors=True)
