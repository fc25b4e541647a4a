"""One server on loopback, everybody who listens to it, and music that goes on while it is away."""

import random
import socket
import time

from lib.mqtt import Broker
from lib.processes import free_port
from lib.waiting import when

from . import places
from .console import Console
from .desk import HTTPDesk, OSCDesk, tcp
from .phone import Ears
from .server import Server


class Solo:
    """A server of a programme that hears recordings one after another, for ever."""

    def __init__(self, name, folders, data=None, recordings=None, mqtt=None, words=(), **server):
        self.folders = folders
        self.recordings = recordings or [places.quick_recording(folder) for folder in folders]
        self.turn = sum(map(places.seconds, self.recordings)) + places.PAUSE_SECONDS * len(self.recordings)
        self.http, self.osc = free_port(), free_port(socket.SOCK_DGRAM)
        self.port = 20000 + random.randrange(20000)
        self.mqtt_port = mqtt
        self.began = time.time()
        self.server = Server(
            name,
            [",".join(folders), *[word for audio in self.recordings for word in ("--live", audio)], "--loop", "0",
             "--no-sign-in", "--http", f"127.0.0.1:{self.http}", "--osc", f"127.0.0.1:{self.osc}", "--ttl", "0",
             "--port", self.port, *words,
             *(["--mqtt", f"127.0.0.1:{mqtt}", "--mqtt-user", "trial", "--mqtt-commands"] if mqtt else [])],
            data or places.scratch() / name, **server)
        self.ears = Ears(self.port)
        self.console = Console(tcp("127.0.0.1", self.http))
        self.desk = HTTPDesk(tcp("127.0.0.1", self.http))

    def start(self, extra=()):
        """Starts; the music is where it would be had it never stopped."""
        played = (time.time() - self.began) % self.turn
        self.server.start(["--live-since", f"{time.time() - played:.3f}", *extra])
        return self.server.started_at

    def first_start(self, extra=()):
        self.began = time.time()
        self.start(extra)
        self.wait_for_console(0, 30)

    def wait_for_console(self, since, timeout):
        found = self.console.snapshot_after(since, timeout)
        if not found:
            raise RuntimeError(f"no console within {timeout} s: {self.server.said()[:600]}")
        return found

    def command(self, *words):
        return self.desk.command(*words)

    def until_following(self, timeout=20):
        def follows(console):
            return (console["position"] or {}).get("mode") == "following"
        if self.console.wait(follows, timeout) is None:
            raise RuntimeError(f"not followed within {timeout} s: {self.console['position']}")

    def osc_desk(self):
        return OSCDesk("127.0.0.1", self.osc)

    def broker(self):
        """A connection to the broker that the server listens to."""
        return when(lambda: Broker(self.mqtt_port, "survival"), 5)

    def end(self):
        ended_well = self.server.stop()
        self.console.close()
        self.desk.close()
        self.ears.close()
        return ended_well
