"""A fresh Debian in a folder, in which packages are installed, and whose own systemd runs the services.

Made by mmdebstrap from a mirror of Debian, run by systemd-nspawn. While it is booted it has a network of its own with
nothing but loopback, so that what is tried there cannot meet anything of this machine.
"""

import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

from lib.processes import end
from lib.waiting import wait_for

MIRROR = "http://deb.debian.org/debian"
# The packages of a small installation of Debian besides apt.
INCLUDED = "systemd,systemd-sysv,dbus,ca-certificates,curl"


def suite():
    """The name of this machine's Debian, such as bookworm."""
    return platform.freedesktop_os_release()["VERSION_CODENAME"]


def make_base(path, mirror=MIRROR):
    """Writes the file system of a fresh Debian as a tar file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished.tar")
    subprocess.run(["mmdebstrap", "--quiet", "--variant=apt", f"--include={INCLUDED}", suite(), unfinished, mirror],
                   check=True, stdin=subprocess.DEVNULL)
    unfinished.rename(path)


class FreshDebian:
    """A root folder made from a base; `close` ends whatever runs in it and deletes it."""

    def __init__(self, base):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="baton-debian-"))
        self.root = self.scratch / "debian"
        self.root.mkdir()
        self.machine = None
        self.leader = None
        subprocess.run(["tar", "--extract", "--numeric-owner", "--xattrs", "--file", base, "--directory", self.root,
                        "--exclude=./dev/*"], check=True)
        # Nothing of it outlives a power cut, so dpkg need not wait for the disk after each file.
        (self.root / "etc/dpkg/dpkg.cfg.d/fast").write_text("force-unsafe-io\n")

    def take(self, file):
        """Copies a file of this machine into /srv of the fresh Debian; its path there."""
        shutil.copy(file, self.root / "srv")
        return f"/srv/{pathlib.Path(file).name}"

    def nspawn(self, *options):
        return ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--timezone=off",
                f"--directory={self.root}",
                # For real-time priority, locked memory and higher limits, which a container is refused otherwise.
                "--capability=CAP_IPC_LOCK,CAP_SYS_NICE,CAP_SYS_RESOURCE", *options]

    def boot(self, seconds=60):
        """Starts the Debian's own systemd."""
        self.machine = subprocess.Popen(
            self.nspawn("--private-network", "--boot"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        children = pathlib.Path(f"/proc/{self.machine.pid}/task/{self.machine.pid}/children")

        def is_up():
            # The first child makes another one, which becomes the Debian's first process, and ends.
            self.leader = next(iter(children.read_text().split()), None)
            if not self.leader:
                return False
            return self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded")

        wait_for(is_up, seconds, "the Debian has booted", every=0.3)

    def run(self, *words, said=None, environment=()):
        """Runs a command to its end, as root; in the booted system if it is booted. `said` is its standard input."""
        command = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", *environment, *map(str, words)]
        if self.leader:
            command = ["nsenter", f"--target={self.leader}", "--all", *command]
        else:
            command = self.nspawn("--pipe", "--", *command)
        done = subprocess.run(command, input=said or "", capture_output=True, text=True, timeout=900)
        # systemd-nspawn's own remark at the end of each command.
        done.stderr = re.sub(r"^Attempted to remove disk file system .*\n?", "", done.stderr, flags=re.MULTILINE)
        return done

    def size(self):
        """Bytes of all files."""
        words = subprocess.run(["du", "-sxb", self.root], capture_output=True, text=True).stdout
        return int(words.split()[0])

    def close(self):
        if self.machine:
            # The signal that asks systemd in a container to power off is SIGRTMIN+4; nspawn ends it on SIGTERM.
            end(self.machine, 30)
        shutil.rmtree(self.scratch, ignore_errors=True)
