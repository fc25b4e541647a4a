"""Many connections held by few, each of these coming from a loopback address of its own.

The server listens on 127.0.0.1: whoever comes from another address of 127.0.0.0/8 is a stranger to it, and whoever
comes from 127.0.0.1 sits at the console's own machine.
"""

import collections
import selectors
import socket
import threading
import time

from lib.waiting import hold_for, until

OWN = "127.0.0.1"
AGAIN = 500  # connections a second, of those that were closed


def request(port, path, cookie=None, source="hall"):
    return (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n" + (f"Cookie: {cookie}\r\n" if cookie else "")
            + "\r\n").encode()


class Crowd:
    """Holds connections open, and opens those again that the server closes, until it is told to go.

    Opens quickly what was not open yet, and 500 a second of those that were closed. `members` are pairs of an address
    and what is sent at once, empty for a connection that says nothing.
    """

    def __init__(self, port, members, openings=3_000):
        self.port, self.waiting, self.openings = port, collections.deque(members), openings
        self.selector = selectors.DefaultSelector()
        self.held = {}  # connection: (address, words, whether it was answered by 200)
        self.goes = False
        self.again = collections.deque()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.goes = True
        self.thread.join(30)
        for link in list(self.held):
            link.close()
        self.selector.close()

    def settle(self, most=20):
        """Waits until each connection was tried once, and what the system had queued of them was taken."""
        until(lambda: not self.waiting, most, every=0.1)
        hold_for(5)  # what the system had queued of them is taken

    def served(self):
        """Connections that were answered by 200."""
        return sum(1 for _, _, answered in list(self.held.values()) if answered)

    def _open(self):
        address, words = self.waiting.popleft() if self.waiting else self.again.popleft()
        link = socket.socket()
        try:
            link.setblocking(False)
            link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # The port is chosen when it connects, so that each address has all of them.
            link.setsockopt(socket.SOL_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            link.bind((address, 0))
            link.connect_ex(("127.0.0.1", self.port))
        except OSError:
            link.close()
            self.again.append((address, words))
            return
        self.held[link] = (address, words, False)
        self.selector.register(link, selectors.EVENT_WRITE if words else selectors.EVENT_READ)

    def _lose(self, link):
        self.selector.unregister(link)
        link.close()
        address, words, _ = self.held.pop(link)
        self.again.append((address, words))

    def _turn(self, link, event):
        address, words, answered = self.held[link]
        try:
            if event & selectors.EVENT_WRITE:
                link.send(words)
                self.selector.modify(link, selectors.EVENT_READ)
            elif not (heard := link.recv(65_536)):
                self._lose(link)
            elif not answered and heard.startswith(b"HTTP/1.1"):
                if b" 200 " in heard[:14]:
                    self.held[link] = (address, words, True)
                else:
                    self._lose(link)
        except BlockingIOError:
            pass
        except OSError:
            self._lose(link)

    def _run(self):
        last = time.monotonic()
        while not self.goes:
            now = time.monotonic()
            allowed = (now - last) * (self.openings if self.waiting else min(self.openings, AGAIN))
            if allowed >= 1:
                last = now
            for _ in range(min(int(allowed), 1_000)):
                if self.goes or not (self.waiting or self.again):
                    break
                self._open()
            for key, event in self.selector.select(0.02):
                self._turn(key.fileobj, event)


def timed(act):
    """The result of `act`, and its duration in milliseconds."""
    began = time.monotonic()
    try:
        said = act()
    except OSError as fault:
        said = type(fault).__name__
    return said, (time.monotonic() - began) * 1000
