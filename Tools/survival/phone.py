"""The audience's side: hears the multicast packets, and believes the highest count as a phone does."""

import re
import socket
import struct
import threading
import time
from dataclasses import dataclass

MEASURE = re.compile(r"(?s)(.+); ([0-9]+) : ([0-9]+)")
GROUP = "239.255.255.251"
SO_TIMESTAMPNS = 35


@dataclass(frozen=True)
class Packet:
    at: float  # time.monotonic(), from the kernel's stamp
    source: str
    piece: str
    measure: int
    count: int


class Ears:
    """Hears a group on a thread of its own; `packets` only grows."""

    def __init__(self, port, interface="127.0.0.1", on_packet=None):
        self.packets = []
        self.messages = []
        self.strange = []
        self._on_packet = on_packet
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self._socket.bind((GROUP, port))
        membership = struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(interface))
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        self._socket.settimeout(0.2)
        self._closed = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self):
        while not self._closed:
            try:
                data, ancillary, _, address = self._socket.recvmsg(65535, 256)
            except TimeoutError:
                continue
            except OSError:
                return
            self._hear(data, self._stamp(ancillary), address[0])

    @staticmethod
    def _stamp(ancillary):
        # The kernel stamps by the clock that people set; this test never sets it for itself.
        offset = time.time() - time.monotonic()
        for level, kind, value in ancillary:
            if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
                whole, nanoseconds = struct.unpack("qq", value[:16])
                return whole + nanoseconds / 1e9 - offset
        return time.monotonic()

    def _hear(self, data, at, source):
        text = data.decode("utf-8", "replace")
        if text.startswith("PUSH|"):
            self.messages.append((at, source, text))
            return
        match = MEASURE.fullmatch(text)
        if not match:
            self.strange.append((at, source, text))
            return
        packet = Packet(at, source, match[1], int(match[2]), int(match[3]))
        self.packets.append(packet)
        if self._on_packet:
            self._on_packet(packet)

    def first_after(self, at, source=None, timeout=5.0, where=lambda packet: True):
        """The first packet behind an instant; waits for it. None where none came."""
        end = time.monotonic() + timeout
        checked = 0
        while True:
            while checked < len(self.packets):
                packet = self.packets[checked]
                checked += 1
                if packet.at > at and source in (None, packet.source) and where(packet):
                    return packet
            if time.monotonic() > end:
                return None
            time.sleep(0.002)

    def last_before(self, at, source=None):
        for packet in reversed(self.packets):
            if packet.at <= at and source in (None, packet.source):
                return packet
        return None

    def close(self):
        self._closed = True
        self._thread.join(2)
        self._socket.close()


def believed(packets):
    """What a phone shows: packets in order of arrival, those whose count does not rise left out."""
    highest = 0
    shown = []
    for packet in packets:
        if packet.count > highest:
            highest = packet.count
            shown.append(packet)
    return shown


def steps_back(packets):
    """Where what a phone shows goes back within a piece, as (before, after)."""
    shown = believed(packets)
    return [
        (before, after) for before, after in zip(shown, shown[1:])
        if before.piece == after.piece and after.measure < before.measure]


def not_rising(packets):
    """Neighbours of one sender whose count does not rise."""
    newest = {}
    wrong = []
    for packet in packets:
        before = newest.get(packet.source)
        if before and packet.count <= before.count:
            wrong.append((before, packet))
        newest[packet.source] = packet
    return wrong
