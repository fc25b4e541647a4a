"""A page's side: the event stream of a console or of a listener's page, kept as the newest value of each section."""

import contextlib
import socket
import threading
import time

from lib.waiting import hold_for
from lib.web import read_events


class Console:
    """Listens on a thread of its own and connects again by itself, as the page does.

    `connect` makes a connected socket; it is given so that the socket may lie in another network namespace.
    """

    def __init__(self, connect, cookie=None, on_event=None, host="localhost", patience=3.0, path="/api/events"):
        self.sections = {}
        self.notices = []
        self.joined = []  # (monotonic, snapshot) of each time it joined
        self.heard_at = 0.0
        self.beat = None  # (monotonic, show milliseconds); of a console alone
        self._connect = connect
        self._head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n"
        if cookie:
            self._head += f"Cookie: {cookie}\r\n"
        self._on_event = on_event
        self._patience = patience
        self._closed = False
        self._socket = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._closed:
            with contextlib.suppress(OSError, ValueError):
                self._listen()
            if not self._closed:
                hold_for(0.02)  # before it connects again

    def _listen(self):
        with self._connect() as self._socket:
            self._socket.settimeout(self._patience)
            self._socket.sendall((self._head + "\r\n").encode())
            with self._socket.makefile("rb") as stream:
                status = stream.readline()
                if b" 200 " not in status:
                    raise ValueError(status)
                while stream.readline() not in (b"\r\n", b""):
                    pass
                self._read(stream)

    def _read(self, stream):
        for event, value in read_events(stream):
            if event:
                self._take(event, value)
            if self._closed:
                return

    def _take(self, event, value):
        now = time.monotonic()
        with self._changed:
            self.heard_at = now
            if event == "snapshot":
                self.sections = dict(value)
                self.joined.append((now, value))
            elif event == "notice":
                self.notices.append((now, value))
            elif event == "beat":
                self.beat = (now, value["at"]) if value else None
            else:
                self.sections[event] = value
            self._changed.notify_all()
        if self._on_event:
            self._on_event(now, event, value)

    def __getitem__(self, section):
        return self.sections.get(section)

    @property
    def is_fresh(self):
        """Something came within the last 1.5 s; a beat comes each second."""
        return time.monotonic() - self.heard_at < 1.5

    def wait(self, condition, timeout):
        """Until the condition holds of this console; returns when, or None."""
        end = time.monotonic() + timeout
        with self._changed:
            while not condition(self):
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self._changed.wait(min(left, 0.1))
            return time.monotonic()

    def snapshot_after(self, at, timeout):
        """The first snapshot behind an instant, as (when, snapshot), or None."""
        def found(console):
            return any(when > at for when, _ in console.joined)
        if self.wait(found, timeout) is None:
            return None
        return next(item for item in self.joined if item[0] > at)

    def stop_listening(self):
        """Takes nothing any more; the connection ends with the process."""
        self._closed = True

    def close(self):
        self._closed = True
        current = self._socket
        if current:
            with contextlib.suppress(OSError):
                current.shutdown(socket.SHUT_RDWR)
        self._thread.join(self._patience + 1)
