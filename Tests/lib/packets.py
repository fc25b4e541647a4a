"""The multicast packets as a phone in the hall hears them, read by the patterns of their definition alone."""

import re
import socket
import struct
import time
from typing import NamedTuple

GROUP = "239.255.255.251"
LONGEST_BYTES = 1200
MEASURE = re.compile(rb"(?s)(.+); ([0-9]+) : ([0-9]+)")
MESSAGE = re.compile(rb"PUSH\|[^|\r\n]*\|[^|\r\n]*\|(?i:BUTTON|AUTO)\|[^|\r\n]*\|")
LINK = re.compile(rb"PUSH\|Link\|[^|]*\|[^|]*\|(?i:https?)://[^|]+\|")
# Room for the kernel's stamp of a packet's arrival, and the name of it (asm-generic/socket.h).
STAMP_BYTES = socket.CMSG_SPACE(16)
SO_TIMESTAMPNS = 35


class Measure(NamedTuple):
    """A measure packet: the piece's name, the printed measure, the sender's count of packets."""
    piece: str
    number: int
    count: int


class Message(NamedTuple):
    """A message to phones: its title, body, style and button text."""
    title: str
    body: str
    style: str
    button: str


class Damaged(ValueError):
    """A packet that breaks a rule; the sentence says which."""


def read(data):
    """The Measure or Message of a packet; raises Damaged."""
    if len(data) > LONGEST_BYTES:
        raise Damaged(f"{len(data)} bytes in one packet")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Damaged(f"not UTF-8: {data[:60]!r}") from None
    if data.startswith(b"PUSH|"):
        if not MESSAGE.fullmatch(data):
            raise Damaged(f"not a message: {text!r}")
        if data.startswith(b"PUSH|Link|") and not LINK.fullmatch(data):
            raise Damaged(f"a link without an address: {text!r}")
        return Message(*text.split("|")[1:5])
    match = MEASURE.fullmatch(data)
    if not match:
        raise Damaged(f"not a measure packet: {data[:60]!r}")
    return Measure(match[1].decode("utf-8"), int(match[2]), int(match[3]))


def join(port, interface="127.0.0.1", group=GROUP, is_stamped=False):
    """A socket that hears the group on an interface, beside others of this machine; closed by its owner."""
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    if is_stamped:
        receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    receiver.bind((group, port))
    membership = struct.pack("4s4s", socket.inet_aton(group), socket.inet_aton(interface))
    receiver.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    return receiver


def stamp(ancillary):
    """Unix seconds at which the kernel took data in, of what recvmsg gives beside them; None without a stamp."""
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS and len(value) >= 16:
            seconds, nanoseconds = struct.unpack("qq", value[:16])
            return seconds + nanoseconds / 1e9
    return None


def heard(receiver, seconds):
    """Packets as (Unix seconds of arrival, bytes), one after another, until the seconds are over."""
    end = time.monotonic() + seconds
    while (remaining := end - time.monotonic()) > 0:
        receiver.settimeout(remaining)
        try:
            data = receiver.recv(65535)
        except TimeoutError:
            return
        yield time.time(), data
