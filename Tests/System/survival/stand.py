"""A musician who enters the same room again and again, with the same stand, while the evening goes on.

Each visit opens the stand's stream, enters the session, writes a remark and goes: with a word, or by closing the
lid. What was acknowledged must be in the room at the next visit, and the bar that the stand is told must be the one
that phones are sent. It begins before the music does.
"""

import contextlib
import json
import socket
import threading
import time
import uuid

from .desk import HTTPDesk, tcp

PATIENCE_SECONDS = 10.0


def new():
    return str(uuid.uuid4())


class Stream:
    """The stand's side of a room: everything that came, kept as text and as messages."""

    def __init__(self, http, room, stand, seen, on_live):
        self.snapshot = None
        self.seen = seen
        self.refused = None
        self._on_live = on_live
        self._changed = threading.Condition()
        self._socket = socket.create_connection(("127.0.0.1", http), timeout=PATIENCE_SECONDS)
        path = f"/api/rooms/{room}/stream?stand={stand}&seen={seen}"
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        try:
            with self._socket.makefile("rb") as lines:
                for line in lines:
                    if line.startswith(b"data:"):
                        self._take(json.loads(line[5:]))
        except (OSError, ValueError):
            pass
        with self._changed:
            self._changed.notify_all()

    def _take(self, message):
        if not isinstance(message, dict):
            return
        with self._changed:
            if "snapshot" in message:
                self.snapshot, self.seen = message["snapshot"], message.get("seen", self.seen)
            if "refused" in message and "id" not in message:
                self.refused = message["refused"]
            self._changed.notify_all()
        if "live" in message:
            self._on_live(message["live"])

    def wait_for_snapshot(self):
        """The room as a whole; None if none came in time."""
        end = time.monotonic() + PATIENCE_SECONDS
        with self._changed:
            while self.snapshot is None and self.refused is None and self._thread.is_alive():
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self._changed.wait(left)
            return self.snapshot

    def close(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(2)
        self._socket.close()


class Musician:
    """Visits its room whenever it is told to; counts visits and says what was wrong."""

    def __init__(self, http, random, on_live=lambda live: None):
        self._http, self._random, self._on_live = http, random, on_live
        self._desk = HTTPDesk(tcp("127.0.0.1", http), timeout=PATIENCE_SECONDS)
        self._stand = new()
        self._room = None
        self._layer = self._user = None
        self._written = []  # acknowledged remarks
        self.visits = 0
        self.wrong = []

    def make_room(self):
        """A room of the first score, with a session; before the first visit. Raises OSError or RuntimeError."""
        home = self._ask("GET", "/api/stand/home")
        self._user = home["user"]["id"] if isinstance(home["user"], dict) else home["user"]
        self._room, self._layer = new(), new()
        self._ask("POST", "/api/rooms", {
            "id": self._room, "membership": new(), "score": home["scores"][0]["id"], "name": "Again and again",
            "published": True})
        self._send({"begin": {"session": new(), "layer": self._layer, "performances": []}})

    def visit(self):
        """One visit; a server that is away ends it without blame."""
        if self._room is None:
            return None
        self._desk.close()
        stream = None
        try:
            stream = Stream(self._http, self._room, self._stand, "new", self._on_live)
            snapshot = stream.wait_for_snapshot()
            if snapshot is None:
                return self._note_silence(stream)
            self.visits += 1
            text = json.dumps(snapshot)
            missing = [mark for mark in self._written if mark not in text]
            if missing:
                self.wrong.append(f"visit {self.visits}: {len(missing)} of {len(self._written)} remarks are not there")
            self._send({"enter": {"participation": new(), "part": 0}})
            self._write()
            if self._random.random() < 0.5:
                self._send({"leave": True})
        except OSError:
            pass
        except RuntimeError as error:
            self.wrong.append(f"visit {self.visits}: {error}")
        finally:
            if stream:
                stream.close()

    def _note_silence(self, stream):
        if stream.refused:
            self.wrong.append(f"visit {self.visits + 1}: refused, {stream.refused.get('sentence')}")

    def _write(self):
        mark = new()
        self._send({"place": {
            "id": mark, "layer": self._layer, "author": self._user, "part": 0, "page": 0,
            "anchor": [self._random.randrange(10_000), self._random.randrange(10_000)],
            "shape": {"stamp": "breath"}, "ink": {"colour": "#1a4fd6", "width": 30}}})
        self._written.append(mark)

    def _send(self, act):
        answer = self._ask("POST", f"/api/rooms/{self._room}/send?stand={self._stand}", {"v": 1, "id": new(), **act})
        if "receipt" not in json.dumps(answer):
            raise RuntimeError(f"not taken: {json.dumps(answer)[:300]}")

    def _ask(self, method, path, body=None):
        status, value = self._desk.request(method, path, body)
        if status in (429, 503, 507):
            raise OSError(str(value))
        if status != 200:
            raise RuntimeError(f"{path}: {status} {value}")
        return value

    def close(self):
        self._desk.close()
