"""A wire between browsers and a server on loopback: it can be cut, stalled, slowed, counted, and led to another server.

It knows the events of the streams that it carries (HTTP, sent in chunks): it can lose one, repeat one, or say one.
"""

import asyncio
import collections
import threading
import time
from typing import NamedTuple


class Asked(NamedTuple):
    """One request that went over the wire; the cookie says who asked."""
    method: str
    path: str
    cookie: str


class Wire:
    """Everything that changes is touched on the loop of its own thread."""

    def __init__(self, inner):
        self.inner = inner
        self.links = set()
        self.requests = collections.Counter()
        self.asked = []
        self.bytes = collections.Counter()  # of answers, by their paths
        self.sent = 0  # bytes of requests
        self.slow = {}  # seconds that a request waits, by the end of its path
        self.is_cut = False
        self.holds_back = False  # streams' answers until they end, as a proxy that buffers does
        self.stalled_until = 0.0
        self.loop = asyncio.new_event_loop()
        self.port = None
        begun = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(begun,), daemon=True)
        self.thread.start()
        begun.wait()

    @property
    def streams(self):
        return self.requests["/api/audience/events"]

    def run(self, begun):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.link, "127.0.0.1", 0, backlog=128))
        self.port = server.sockets[0].getsockname()[1]
        begun.set()
        self.loop.run_forever()
        server.close()
        # Tasks that still wait on a connection would complain at the very end.
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self.loop.close()

    async def link(self, reader, writer):
        if self.is_cut:
            return writer.close()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.inner)
        except OSError:
            return writer.close()
        link = Link(self, writer, back)
        self.links.add(link)
        try:
            await asyncio.gather(link.ask(reader), link.answer(there))
        finally:
            link.close()
            self.links.discard(link)

    def do(self, act):
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (act(), done.set()))
        done.wait(5)

    def drop(self):
        self.do(lambda: [link.close() for link in list(self.links)])

    def cut(self):
        self.is_cut = True
        self.drop()

    def mend(self):
        self.is_cut = self.holds_back = False
        self.stalled_until = 0.0
        self.slow = {}

    def lead_to(self, port):
        """Whoever connects from now on finds another server; the connections of now end."""
        self.inner = port
        self.drop()

    def deaf(self):
        """The streams of now stay open and carry nothing more."""
        self.do(lambda: [setattr(link, "is_deaf", True) for link in self.links if link.is_stream])

    def forget(self):
        """The connections of now lead nowhere, and their ends do not learn of it; later ones work."""
        self.do(lambda: [setattr(link, "is_forgotten", True) for link in self.links])

    def stall(self, seconds):
        """Events that streams send within this many seconds are lost."""
        self.stalled_until = time.monotonic() + seconds

    def lose(self, *signs):
        """Each stream of now loses the next of its events with these bytes in it, one for each of the signs."""
        self.do(lambda: [setattr(link, "to_lose", list(signs)) for link in self.links if link.is_stream])

    def say(self, event):
        """Each stream carries an event that the server has not sent now."""
        self.do(lambda: [link.send([event]) for link in self.links if link.is_stream])

    def carried(self, sign):
        """The events with these bytes in them that streams of now have carried, the oldest first."""
        found = []
        self.do(lambda: found.extend(event for link in self.links for event in link.events if sign in event))
        return found

    def close(self):
        self.drop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)


class Link:
    MOST_EVENTS = 200

    def __init__(self, wire, writer, back):
        self.wire, self.writer, self.back = wire, writer, back
        self.is_deaf = self.is_forgotten = self.is_stream = self.has_head = False
        self.path = None  # of the newest request
        self.held = b""  # of a stream: the part of a chunk that has come
        self.events = collections.deque(maxlen=self.MOST_EVENTS)
        self.to_lose = []

    def close(self):
        for end in (self.writer, self.back):
            end.close()

    async def ask(self, reader):
        try:
            while data := await reader.read(65536):
                if self.is_forgotten:
                    continue
                self.wire.sent += len(data)
                lines = data.split(b"\r\n")
                for line in lines:
                    words = line.split()
                    if len(words) == 3 and words[2] == b"HTTP/1.1":
                        await self.count(words[0].decode(), words[1].decode(), lines)
                self.back.write(data)
        except OSError:
            pass
        finally:
            self.back.close()

    async def count(self, method, whole, lines):
        cookie = next((line[8:].decode() for line in lines if line.lower().startswith(b"cookie: ")), "")
        path = whole.partition("?")[0]
        self.path = path
        self.wire.requests[path] += 1
        self.wire.asked.append(Asked(method, whole, cookie))
        if path.endswith(("/events", "/stream", "/streams")):
            self.is_stream, self.has_head, self.held = True, False, b""
        await asyncio.sleep(next((seconds for end, seconds in self.wire.slow.items() if path.endswith(end)), 0))

    async def answer(self, reader):
        try:
            while data := await reader.read(65536):
                if self.is_forgotten:
                    continue
                self.wire.bytes[self.path] += len(data)
                if self.is_stream:
                    self.carry(data)
                else:
                    self.writer.write(data)
                await self.writer.drain()
        except OSError:
            pass
        finally:
            if not self.is_deaf and not self.is_forgotten:
                self.writer.close()

    # -- streams ------------------------------------------------------------------------------------------

    def carry(self, data):
        """Passes on a stream's answer: its head as it is, then chunk by chunk."""
        self.held += data
        if not self.has_head:
            head, end, rest = self.held.partition(b"\r\n\r\n")
            if not end:
                return
            # A refusal is no stream.
            self.is_stream = b"chunked" in head.lower() and b"text/event-stream" in head.lower()
            if self.is_stream and self.wire.holds_back:
                self.held = b""
                return
            self.writer.write(head + end)
            self.has_head, self.held = True, rest
        if not self.is_stream:
            self.writer.write(self.held)
            self.held = b""
        while self.is_stream and (chunk := self.next_chunk()) is not None:
            if not chunk:  # the last one: the server has ended the stream
                self.close()
                return
            *events, rest = chunk.split(b"\n\n")
            self.pass_on([event + b"\n\n" for event in events], rest)

    def next_chunk(self):
        size, end, rest = self.held.partition(b"\r\n")
        if not end or len(rest) < int(size, 16) + 2:
            return None
        self.held = rest[int(size, 16) + 2:]
        return rest[:int(size, 16)]

    def pass_on(self, events, rest):
        if self.is_deaf or time.monotonic() < self.wire.stalled_until:
            return
        events = [event for event in events if not self.is_lost(event)]
        self.events.extend(events)
        self.send(events, rest)

    def is_lost(self, event):
        sign = next((sign for sign in self.to_lose if sign in event), None)
        if sign:
            self.to_lose.remove(sign)
        return sign is not None

    def send(self, events, rest=b""):
        """One chunk; an empty one would end the answer."""
        if content := b"".join(events) + rest:
            self.writer.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
