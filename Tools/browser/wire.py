"""A wire between browsers and a server on loopback, which can be cut, stalled and counted."""

import asyncio
import collections
import threading
import time


class Wire:
    """Everything that changes is touched on the loop of its own thread."""

    def __init__(self, inner):
        self.inner = inner
        self.links = set()
        self.requests = collections.Counter()
        self.bytes = collections.Counter()  # of answers, by their paths
        self.is_cut = False
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
        server = self.loop.run_until_complete(asyncio.start_server(self.link, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        begun.set()
        self.loop.run_forever()
        server.close()
        # What still hangs on a line would complain at the very end.
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
        self.is_cut = False
        self.stalled_until = 0.0

    def deaf(self):
        """The streams of now stay open and carry nothing more."""
        self.do(lambda: [setattr(link, "is_deaf", True) for link in self.links if link.is_stream])

    def stall(self, seconds):
        """What streams say is lost for so long."""
        self.stalled_until = time.monotonic() + seconds

    def close(self):
        self.drop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)


class Link:
    def __init__(self, wire, writer, back):
        self.wire, self.writer, self.back = wire, writer, back
        self.is_deaf = self.is_stream = False
        self.path = None  # of the newest request

    def close(self):
        for end in (self.writer, self.back):
            end.close()

    async def ask(self, reader):
        try:
            while data := await reader.read(65536):
                for line in data.split(b"\r\n"):
                    if line.startswith(b"GET ") and line.endswith(b"HTTP/1.1"):
                        path = line.split()[1].split(b"?")[0].decode()
                        self.wire.requests[path] += 1
                        self.path = path
                        self.is_stream = self.is_stream or path.endswith("/events")
                self.back.write(data)
        except OSError:
            pass
        finally:
            self.back.close()

    async def answer(self, reader):
        try:
            while data := await reader.read(65536):
                self.wire.bytes[self.path] += len(data)
                lost = self.is_stream and time.monotonic() < self.wire.stalled_until
                if not self.is_deaf and not lost:
                    self.writer.write(data)
                    await self.writer.drain()
        except OSError:
            pass
        finally:
            if not self.is_deaf:
                self.writer.close()
