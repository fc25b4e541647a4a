"""The audience's side: hears the multicast packets, and believes the highest count as a phone does."""

import threading
import time
from dataclasses import dataclass

from lib import packets
from lib.waiting import until


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
        self._socket = packets.join(port, interface, is_stamped=True)
        self._socket.settimeout(0.2)
        self._closed = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self):
        while not self._closed:
            try:
                data, ancillary, _, address = self._socket.recvmsg(65535, packets.STAMP_BYTES)
            except TimeoutError:
                continue
            except OSError:
                return
            self._hear(data, self._stamp(ancillary), address[0])

    @staticmethod
    def _stamp(ancillary):
        # The kernel stamps by the clock that people set; this test never sets it for itself.
        stamp = packets.stamp(ancillary)
        return time.monotonic() if stamp is None else stamp - (time.time() - time.monotonic())

    def _hear(self, data, at, source):
        try:
            heard = packets.read(data)
        except packets.Damaged as fault:
            self.strange.append((at, source, str(fault)))
            return
        if isinstance(heard, packets.Message):
            self.messages.append((at, source, heard))
            return
        packet = Packet(at, source, heard.piece, heard.number, heard.count)
        self.packets.append(packet)
        if self._on_packet:
            self._on_packet(packet)

    def first_after(self, at, source=None, timeout=5.0, where=lambda packet: True):
        """The first packet behind an instant; waits for it. None if none came."""
        checked = 0

        def found():
            nonlocal checked
            while checked < len(self.packets):
                packet = self.packets[checked]
                checked += 1
                if packet.at > at and source in (None, packet.source) and where(packet):
                    return packet
            return None
        return until(found, timeout, every=0.002)

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
    """The positions that a phone shows: packets in order of arrival, without those whose count does not rise."""
    highest = 0
    shown = []
    for packet in packets:
        if packet.count > highest:
            highest = packet.count
            shown.append(packet)
    return shown


def steps_back(packets):
    """The places at which a phone's position goes back within a piece, as (before, after)."""
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
