"""Sound files in and out: mono at 22,050 Hz, samples as 32-bit floats in -1…1."""

import pathlib
import shutil
import subprocess

import numpy

RATE = 22050


class SoundFailure(Exception):
    """Its text is a sentence for people."""


def seconds(duration):
    """A duration in seconds as a number of samples."""
    return int(round(duration * RATE))


def read(path):
    """A whole file, mixed to one channel."""
    _must_exist(path)
    bare = ["-t", "f32"] if _tool() == "sox" else ["-f", "f32le"]
    if _tool() == "sox":
        command = ["sox", "-V1", str(path), "-r", str(RATE), "-c", "1", *bare, "-"]
    else:
        command = ["ffmpeg", "-v", "error", "-i", str(path), "-ar", str(RATE), "-ac", "1", *bare, "-"]
    return numpy.frombuffer(_run(command, path), dtype="<f4").copy()


def write(path, samples):
    """FLAC, 16 bit. What is louder than full scale is clipped."""
    whole = numpy.round(numpy.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
    if _tool() == "sox":
        bare = ["-t", "raw", "-e", "signed", "-b", "16", "-r", str(RATE), "-c", "1", "-"]
        command = ["sox", "-V1", "-D", *bare, str(path)]
    else:
        bare = ["-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-"]
        command = ["ffmpeg", "-v", "error", "-y", *bare, str(path)]
    _run(command, path, whole)


def level(samples):
    """Root mean square; never zero, so that it may be divided by."""
    power = numpy.mean(numpy.square(samples, dtype=numpy.float64)) if len(samples) else 0.0
    return float(numpy.sqrt(power)) + 1e-9


def decibels(figure):
    """A ratio of amplitudes."""
    return 10 ** (figure / 20)


def _tool():
    for name in ("sox", "ffmpeg"):
        if shutil.which(name):
            return name
    raise SoundFailure(
        "Neither sox nor ffmpeg is installed, so no recording can be read; apt-get install sox libsox-fmt-all.")


def _must_exist(path):
    if not pathlib.Path(path).is_file():
        raise SoundFailure(f"{path} is not there; the recording that its case names is needed.")


def _run(command, path, given=None):
    done = subprocess.run(command, input=given, capture_output=True)
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it gives no reason"]
        raise SoundFailure(f"{command[0]} cannot read or write {path}: {lines[-1]}.")
    return done.stdout
