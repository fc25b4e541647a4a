"""A hall in small: main, backup and hall as network namespaces on one bridge. Needs root; removed at the end.

    main 10.77.0.2 ──┐
                     ├── bridge 10.77.0.1 in the hall
    backup 10.77.0.3 ┘
"""

import ctypes
import os
import socket
import subprocess

HALL_ADDRESS = "10.77.0.1"
ADDRESSES = {"main": "10.77.0.2", "backup": "10.77.0.3"}
_CLONE_NEWNET = 0x40000000


def why_not():
    """Why there cannot be namespaces here; None if there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    trial = f"btry{os.getpid() % 10000}"
    if subprocess.run(["ip", "netns", "add", trial], capture_output=True).returncode:
        return "this machine does not allow network namespaces"
    try:
        bridge = ["ip", "-n", trial, "link", "add", "b0", "type", "bridge"]
        if subprocess.run(bridge, capture_output=True).returncode:
            return "this kernel has no bridge"
    finally:
        subprocess.run(["ip", "netns", "del", trial], capture_output=True)
    return None


class Hall:
    """Three namespaces joined by a bridge; names carry the process number, so that two runs do not meet."""

    def __init__(self):
        mark = f"b{os.getpid() % 100000}"
        self.names = {who: f"{mark}{who[0]}" for who in ("main", "backup", "hall")}
        self._open = {}
        self._own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            self._build()
        except BaseException:
            self.remove()
            raise

    def _build(self):
        for name in self.names.values():
            run("ip", "netns", "add", name)
            run("ip", "-n", name, "link", "set", "lo", "up")
        hall = self.names["hall"]
        run("ip", "-n", hall, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        run("ip", "-n", hall, "addr", "add", HALL_ADDRESS + "/24", "dev", "br0")
        run("ip", "-n", hall, "link", "set", "br0", "up")
        for who, address in ADDRESSES.items():
            run("ip", "-n", hall, "link", "add", who, "type", "veth", "peer", "name", "eth0", "netns",
                self.names[who])
            run("ip", "-n", hall, "link", "set", who, "master", "br0", "up")
            run("ip", "-n", self.names[who], "addr", "add", address + "/24", "dev", "eth0")
            run("ip", "-n", self.names[who], "link", "set", "eth0", "up")
            run("ip", "-n", self.names[who], "route", "add", "default", "dev", "eth0")

    def cable(self, who, is_in):
        """Pulls a server's cable, or puts it in."""
        run("ip", "-n", self.names["hall"], "link", "set", who, "up" if is_in else "down")

    def split(self, is_split):
        """Main and backup hear the hall, and the hall hears both, but neither hears the other."""
        word = "on" if is_split else "off"
        for who in ADDRESSES:
            run("ip", "netns", "exec", self.names["hall"], "bridge", "link", "set", "dev", who, "isolated", word)

    def interface(self, who, is_up):
        """Takes the server's own interface down, as a technician's wrong click would."""
        run("ip", "-n", self.names[who], "link", "set", "eth0", "up" if is_up else "down")
        if is_up:
            subprocess.run(
                ["ip", "-n", self.names[who], "route", "add", "default", "dev", "eth0"], capture_output=True)

    def within(self, who, action):
        """Does something as a program in a namespace would; sockets made there stay there."""
        if who not in self._open:
            self._open[who] = os.open(f"/run/netns/{self.names[who]}", os.O_RDONLY)
        enter(self._open[who])
        try:
            return action()
        finally:
            enter(self._own)

    def connector(self, who, port, timeout=1.5):
        """A function that connects from the hall to a server."""
        def connect():
            made = self.within("hall", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            try:
                made.settimeout(timeout)
                made.connect((ADDRESSES[who], port))
                return made
            except OSError:
                made.close()
                raise
        return connect

    def remove(self):
        for descriptor in [*self._open.values(), self._own]:
            os.close(descriptor)
        self._open = {}
        for name in self.names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


def enter(descriptor):
    """Of the calling thread alone."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.setns(descriptor, _CLONE_NEWNET):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
