"""A private sound card (Tools/soundcard), into which files are played in real time."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time

from .processes import end
from .repository import ROOT


def is_possible():
    return bool(shutil.which("pulseaudio"))


class SoundCard:
    """Runs from when it is made until `remove`. Its device, `room`, is also the default one."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-card-"))
        self.own = {"BATON_SOUNDCARD": str(self.folder / "card")}
        exports = shlex.split(self.control("start"))
        self.environment = self.own | dict(word.split("=", 1) for word in exports if "=" in word)
        self.player = None
        self.plugged = {}

    def control(self, *words):
        return subprocess.run([ROOT / "Tools" / "soundcard", *words], env={**os.environ, **self.own}, check=True,
                              capture_output=True, text=True, timeout=30).stdout

    def play(self, path, to=None):
        """Begins to play a file; the monotonic time at which it began. `to` names a device of `plug_in`."""
        self.silence()
        words = ["paplay", f"--device={to}", "--latency-msec=20", path] if to else [
            ROOT / "Tools" / "soundcard", "play", path]
        self.player = subprocess.Popen(words, env={**os.environ, **self.environment},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        return time.monotonic()

    def plug_in(self, name, channels=2):
        """Adds a device to the sound server; what is played into it is heard from the source `NAME.monitor`."""
        places = ",".join(f"aux{number}" for number in range(channels))
        self.plugged[name] = self.server("load-module", "module-null-sink", f"sink_name={name}", "rate=48000",
                                         f"channels={channels}", f"channel_map={places}").strip()

    def unplug(self, name):
        self.server("unload-module", self.plugged.pop(name))

    def server(self, *words):
        """Gives a command to the sound server."""
        return subprocess.run(["pactl", *words], env={**os.environ, **self.environment}, check=True,
                              capture_output=True, text=True, timeout=10).stdout

    @property
    def is_playing(self):
        return self.player is not None and self.player.poll() is None

    def silence(self):
        """Ends what is being played."""
        if self.is_playing:
            subprocess.run(["kill", "--", f"-{self.player.pid}"], check=False)
            end(self.player)
        self.player = None

    def remove(self):
        self.silence()
        self.control("stop")
        shutil.rmtree(self.folder, ignore_errors=True)
