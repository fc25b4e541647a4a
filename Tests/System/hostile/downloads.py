"""Many connections that fetch large files, and whether commands and packets are still in time."""

import contextlib
import hashlib
import json
import multiprocessing
import os
import re
import select
import socket
import struct
import threading
import time
import zlib

from lib.figures import Process
from lib.processes import free_port
from lib.waiting import hold_for, until
from survival.phone import Ears

from .crowd import OWN, request
from .hall import Hall
from .reserve import TABLET, Evening, holds
from .trial import Trial

PACKET_GAP_MS = 250
MOST_MORE_MB = 64
PICTURE_BYTES = 5 << 20
STRANGERS = [f"127.0.66.{number}" for number in range(1, 4)]
# How the program is started, as words before its command. Root is given away what a person's account has not.
BY_HAND = ("setpriv", "--bounding-set", "-sys_nice,-ipc_lock") if os.geteuid() == 0 else ()
AS_SERVICE = ("nice", "-n", "-10")


def picture(size=PICTURE_BYTES):
    """A PNG of about so many bytes: noise in 32 bits a pixel, so that the server need not make it smaller."""
    side = int((size / 4) ** 0.5)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    noise = b"".join(b"\0" + os.urandom(4 * side) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(noise, 0)) + chunk(b"IEND", b""))


class Downloads:
    """Connections of a process of its own that fetch again and again. `members` are pairs of an address and a request.

    With `reads` False they send their request and never read. A closed connection is opened again after half a second.
    """

    def __init__(self, port, members, reads=True, openings=1_000):
        self.port, self.members, self.reads, self.openings = port, members, reads, openings
        self.counts = multiprocessing.Array("q", 4)  # opened, bytes, complete answers by 200, other answers
        self.process = multiprocessing.get_context("fork").Process(target=self._run, daemon=True)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()

    def settle(self):
        until(lambda: self.counts[0] >= len(self.members), 30, every=0.1)
        hold_for(2)  # the answers begin

    def _run(self):
        self.epoll, self.links = select.epoll(), {}
        waiting = [(0.0, member) for member in self.members]
        buffer = bytearray(1 << 20)
        began, opened = time.monotonic(), 0
        while True:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now and opened < (now - began) * self.openings:
                opened += 1
                self._open(waiting.pop(0)[1])
            for number, event in self.epoll.poll(0.02):
                link, member, _ = self.links[number]
                if event & select.EPOLLOUT:
                    self._send(number)
                elif not self._read(number, buffer):
                    self.epoll.unregister(number)
                    del self.links[number]
                    link.close()
                    waiting.append((now + 0.5, member))

    def _open(self, member):
        link = socket.socket()
        link.setblocking(False)
        link.setsockopt(socket.SOL_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        link.bind((member[0], 0))
        link.connect_ex(("127.0.0.1", self.port))
        self.links[link.fileno()] = [link, member, None]
        self.epoll.register(link.fileno(), select.EPOLLOUT)
        self.counts[0] += 1

    def _send(self, number):
        link, member, _ = self.links[number]
        with contextlib.suppress(OSError):  # the next event says that it is closed
            link.send(member[1])
        self.links[number][2] = None
        self.epoll.modify(number, select.EPOLLIN if self.reads else select.EPOLLHUP)

    def _read(self, number, buffer):
        """False when the connection is closed."""
        link, _, missing = self.links[number]
        try:
            count = link.recv_into(buffer)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if count == 0:
            return False
        self.counts[1] += count
        if missing is None:
            head, _, rest = bytes(buffer[:min(count, 4_096)]).partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *([0-9]+)", head)
            missing = int(length[1]) + len(head) + 4 if length else count
            self.counts[2 if b" 200 " in head[:14] else 3] += 1
            if b" 200 " not in head[:14]:
                return False
        self.links[number][2] = missing - count
        if self.links[number][2] <= 0:
            self._send(number)
        return True


class Watch:
    """The longest gap between packets, and the memory of the server, while it lasts."""

    def __init__(self, hall):
        self.hall, self.process = hall, Process(hall.server.process.pid)

    def __enter__(self):
        self.before_kb = self.most_kb = self.process.resident_kb
        self.first = len(self.hall.ears.packets)
        self.began = time.monotonic()
        self.goes = True
        self.thread = threading.Thread(target=self._sample, daemon=True)
        self.thread.start()
        return self

    def _sample(self):
        while self.goes:
            self.most_kb = max(self.most_kb, self.process.resident_kb)
            time.sleep(0.2)

    def __exit__(self, *_):
        self.goes = False
        self.thread.join()
        times = [self.began] + [packet.at for packet in self.hall.ears.packets[self.first:]] + [time.monotonic()]
        self.gap_ms = max(after - before for before, after in zip(times, times[1:], strict=False)) * 1000
        self.more_mb = (self.most_kb - self.before_kb) / 1024


class DownloadHall(Hall):
    """A hall that sends packets on loopback, and has large files of each kind."""

    def __init__(self, before=()):
        self.packet_port = free_port(socket.SOCK_DGRAM)
        super().__init__("--port", str(self.packet_port), "--interface", "127.0.0.1", "--ttl", "0", "--loop", "0",
                         before=before)

    def __enter__(self):
        super().__enter__()
        try:
            self.ears = Ears(self.packet_port)
            self.evening = Evening(self)
            # A sign-in takes 64 MB for a moment, which is no memory of the trials.
            self.evening.sign_in_technician()
            self.picture = self._serve_picture()
            self.max, self.nora = self.sign_in("max"), self.sign_in("nora")
            self.take = self._keep_take("max")
            self.recording = self._keep_recording()
            until(lambda: self.ears.packets, 30)
        except BaseException:
            self.__exit__()
            raise
        return self

    def _serve_picture(self):
        place = f"/api/edit/concerts/{self.concert}"
        code, said = self.ask("PUT", f"{place}/assets/images/large.png", picture())
        if code != 200:
            raise OSError(f"the picture is not taken: {code} {said}")
        plan = json.loads(self.ask("GET", f"{place}/serve")[1])
        self.ask("POST", f"{place}/serve", json.dumps({"confirm": plan.get("confirm")}))
        code, _ = self.ask("GET", "/images/large.png", cookie=False)
        if code != 200:
            raise OSError(f"the picture is not served: {code}")
        return "/images/large.png"

    def _keep_take(self, name):
        owner = next(user["id"] for user in json.loads(self.ask("GET", "/api/library/users")[1])
                     if user["name"] == name)
        name = hashlib.sha256(str(owner).encode()).hexdigest()[:32]
        folder = self.folder / "takes" / name / "large"
        folder.mkdir(parents=True)
        (folder / "take.json").write_text(json.dumps({
            "piece": "x", "pieceName": "x", "startedAt": 1, "seconds": 60.0, "lostSeconds": 0, "processing": {}}))
        (folder / "take.flac").write_bytes(os.urandom(PICTURE_BYTES))
        return "/api/practice/takes/large/sound"

    def _keep_recording(self):
        folder = self.folder / "recordings" / "2026-01-01-large"
        folder.mkdir(parents=True)
        (folder / "recording.json").write_text(json.dumps({
            "version": 1, "title": "Large", "pieces": [], "folders": [], "parts": [
                {"number": 1, "startedAt": 1, "endedAt": 60_000, "end": "stopped", "lostSampleCount": 0}]}))
        (folder / "part-0001.flac").write_bytes(os.urandom(4 * PICTURE_BYTES))
        return "/api/recordings/2026-01-01-large/1"

    def measured(self, members, reads=True, seconds=8):
        with Watch(self) as watch, Downloads(self.port, members, reads) as downloads:
            downloads.settle()
            said = self.evening.measure(seconds, (OWN, TABLET), signs_in=False)
            _, sent, complete, refused = downloads.counts
        right = holds(said) and watch.gap_ms <= PACKET_GAP_MS and watch.more_mb <= MOST_MORE_MB and self.is_running
        return (("ok: " if right else "late: ") + said.split(": ", 1)[1]
                + f"; packets at most {watch.gap_ms:.0f} ms apart; {watch.more_mb:.0f} MB more memory"
                + f" ({watch.most_kb / 1024:.0f} MB); {sent >> 20} MB sent, {complete} answers, {refused} refusals"
                + f"; load {os.getloadavg()[0]:.1f}")


def downloads(hall, how):
    def strangers(count, path):
        wanted = request(hall.port, path)
        return [(STRANGERS[number % len(STRANGERS)], wanted) for number in range(count)]

    def trial(name, members, reads=True):
        return Trial(f"{how}: {name}", lambda: hall.measured(members(), reads), holds, letters=600)

    yield trial("nobody fetches", list)
    for count in (300, 1_000):
        yield trial(f"{count:,} connections fetch a picture of 5 MB",
                    lambda count=count: strangers(count, hall.picture))
        yield trial(f"{count:,} connections ask for a picture of 5 MB and never read",
                    lambda count=count: strangers(count, hall.picture), reads=False)
    yield trial("1,000 connections fetch the audience's concert", lambda: strangers(1_000, "/api/audience/concert"))
    yield trial("one musician with 2,000 unread downloads of a take",
                lambda: [(STRANGERS[0], request(hall.port, hall.take, hall.max))] * 2_000, reads=False)
    yield trial("one musician fetches a take on 300 connections",
                lambda: [(STRANGERS[0], request(hall.port, hall.take, hall.max))] * 300)
    yield trial("a technician's account fetches a recording on 120 connections",
                lambda: [(STRANGERS[0], request(hall.port, hall.recording, hall.cookie))] * 120)

