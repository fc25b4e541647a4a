"""A bad network on one machine: two network namespaces and a link between them that loses, delays and reorders packets.

What `netem` does, without needing it in the kernel: each side has a TUN device, and a process of its own carries
packets
from one to the other. The systems' own TCP works above it. Needs root and /dev/net/tun.
"""
import contextlib
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import time

CLONE_NEWNET, TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x40000000, 0x400454CA, 0x0001, 0x1000
LIBC = ctypes.CDLL(None, use_errno=True)


class NotPossible(Exception):
    """A sentence says why."""


def why_not():
    """Why this machine cannot; empty if it can."""
    if os.geteuid() != 0:
        return "a network of its own needs root"
    if not os.path.exists("/dev/net/tun"):
        return "this kernel has no /dev/net/tun"
    return ""


def enter(name):
    """This process goes into a namespace."""
    with open(f"/var/run/netns/{name}", encoding="ascii") as file:
        if LIBC.setns(file.fileno(), CLONE_NEWNET) != 0:
            raise NotPossible(f"no way into the namespace {name}: {os.strerror(ctypes.get_errno())}")


class LossyLink:
    """`loss` of all packets, 0 to 1, are lost, each way; the others take `delay` ± `jitter` seconds, drawn anew for
    each.
    """

    def __init__(self, loss, delay, jitter, seed=1):
        self.loss, self.delay, self.jitter, self.seed = loss, delay, jitter, seed
        self.names = [f"baton-{os.getpid()}-{side}" for side in ("hub", "hall")]
        self.addresses = ["10.213.7.1", "10.213.7.2"]
        self.carrier = None

    def __enter__(self):
        if reason := why_not():
            raise NotPossible(reason)
        try:
            for name in self.names:
                subprocess.run(["ip", "netns", "add", name], check=True, capture_output=True)
                subprocess.run(["ip", "-n", name, "link", "set", "lo", "up"], check=True, capture_output=True)
            ready, says = os.pipe()
            self.carrier = os.fork()
            if self.carrier == 0:
                os.close(ready)
                self._carry(says)
            os.close(says)
            if os.read(ready, 1) != b"+":
                raise NotPossible("the two ends of the link could not be made")
            os.close(ready)
            for name, address in zip(self.names, self.addresses):
                for words in (["addr", "add", address + "/24", "dev", "lossy0"], ["link", "set", "lossy0", "up"]):
                    subprocess.run(["ip", "-n", name, *words], check=True, capture_output=True)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.carrier:
            os.kill(self.carrier, 15)
            os.waitpid(self.carrier, 0)
            self.carrier = None
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)

    def inside(self, side, command):
        """A command that runs on side 0 (the hub) or 1 (the stands)."""
        return ["ip", "netns", "exec", self.names[side], *command]

    def _carry(self, says):
        try:
            ends = [self._end(name) for name in self.names]
            os.write(says, b"+")
            self._forward(ends)
        finally:
            os._exit(0)

    @staticmethod
    def _end(name):
        enter(name)
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", b"lossy0", IFF_TUN | IFF_NO_PI))
        return end

    def _forward(self, ends):
        other = {ends[0]: ends[1], ends[1]: ends[0]}
        chance = random.Random(self.seed)
        under_way, number = [], 0
        while True:
            wait = None if not under_way else max(0.0, under_way[0][0] - time.monotonic())
            for end in select.select(ends, [], [], wait)[0]:
                try:
                    packet = os.read(end, 65_536)
                except OSError:
                    continue
                if chance.random() < self.loss:
                    continue
                number += 1
                due = time.monotonic() + max(0.0, self.delay + chance.uniform(-self.jitter, self.jitter))
                heapq.heappush(under_way, (due, number, other[end], packet))
            now = time.monotonic()
            while under_way and under_way[0][0] <= now:
                _, _, end, packet = heapq.heappop(under_way)
                with contextlib.suppress(OSError):  # the device is not up yet: one more packet lost
                    os.write(end, packet)
