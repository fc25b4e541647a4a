"""Sound files for checks: parts of recordings joined, by the library that Baton itself reads sound with."""

import array
import ctypes
import ctypes.util
import random
import wave

RATE = 22050


class _Info(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64), ("samplerate", ctypes.c_int), ("channels", ctypes.c_int),
                ("format", ctypes.c_int), ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


def _library():
    library = ctypes.CDLL(ctypes.util.find_library("sndfile") or "libsndfile.so.1")
    library.sf_open.restype = ctypes.c_void_p
    library.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(_Info)]
    library.sf_readf_short.restype = ctypes.c_int64
    library.sf_readf_short.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    library.sf_close.argtypes = [ctypes.c_void_p]
    return library


def part(path, begin, end):
    """Seconds `begin` to `end` of a recording with one channel at 22050 Hz, as 16-bit samples."""
    library, info = _library(), _Info()
    file = library.sf_open(str(path).encode(), 0x10, ctypes.byref(info))
    if not file:
        raise OSError(f"{path} cannot be read as sound")
    try:
        if info.channels != 1 or info.samplerate != RATE:
            raise OSError(f"{path} has {info.channels} channels at {info.samplerate} Hz; one at {RATE} is wanted")
        last = min(int(end * RATE), info.frames)
        samples = (ctypes.c_int16 * last)()
        read = library.sf_readf_short(file, samples, last)
        return array.array("h", bytes(samples))[int(begin * RATE):read]
    finally:
        library.sf_close(file)


def noise(seconds, level=0.1, seed=1):
    source = random.Random(seed)
    peak = int(32767 * level)
    return array.array("h", (source.randint(-peak, peak) for _ in range(int(seconds * RATE))))


def silence(seconds):
    return array.array("h", bytes(2 * int(seconds * RATE)))


def write(path, *parts):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for each in parts:
            file.writeframes(each.tobytes())
