"""`survive faults --only reserve`: a disk that people fill, then to its last byte; the show goes on, uploads do not.

Needs root, for a small disk of its own in memory.
"""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from lib.processes import free_port
from lib.waiting import when

from . import places
from .account import PASSPHRASE
from .desk import HTTPDesk, Unwritten, tcp
from .server import Server
from .verdict import skip

WHOLE_MB = 300
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'


@contextmanager
def small_disk():
    """The path of a disk of `WHOLE_MB`; None if none can be mounted."""
    mount = Path(tempfile.mkdtemp(prefix="baton-reserve-"))
    size = f"size={WHOLE_MB}m"
    mounted = os.geteuid() == 0 and not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "survival", mount], capture_output=True).returncode
    try:
        yield mount if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", mount], capture_output=True)
        shutil.rmtree(mount, ignore_errors=True)


def fill(mount, left):
    """Leaves so many bytes free."""
    with open(mount / "ballast", "ab", buffering=0) as ballast:
        step = 1 << 20
        while step:
            free = os.statvfs(mount)
            step = min(step, free.f_bavail * free.f_frsize - left)
            try:
                if step <= 0 or ballast.write(b"\0" * step) < step:
                    return
            except OSError:
                return


class Hall:
    """A server whose data lie on the small disk, and the people at it."""

    def __init__(self, data, *words):
        self.http = free_port()
        for name, role in (("ada", "administrator"), ("theo", "technician")):
            subprocess.run(
                [places.BATON, "user", "add", name, "--role", role, "--data", data], input=PASSPHRASE + "\n", text=True,
                check=True, capture_output=True)
        self.server = Server(
            "reserve", [places.BACH, "--live", places.quick_recording(places.BACH), "--loop", "0", "--no-multicast",
                        "--no-listen-osc", "--http", f"127.0.0.1:{self.http}", *words], data)

    def sign_in(self, name):
        """A desk that is signed in; a sentence where that is refused."""
        door = HTTPDesk(tcp("127.0.0.1", self.http), timeout=20)
        status, value = when(lambda: door.request("POST", "/api/login", {"name": name, "password": PASSPHRASE}), 60)
        cookie = (door.cookie_set or "").split(";")[0]
        door.close()
        return HTTPDesk(tcp("127.0.0.1", self.http), cookie, timeout=20) if status == 200 else f"{status} {value}"

    def log_bytes(self):
        return sum(file.stat().st_size for file in Path(self.server.data).rglob("log-*.jsonl"))


def reserve(verdict):
    with small_disk() as mount:
        if mount is None:
            return skip("faults reserve", "no tmpfs can be mounted here; it needs root")
        hall = Hall(mount / "data")
        hall.server.start()
        try:
            _tried(hall, mount, verdict)
        except OSError as error:
            verdict.claim("faults reserve: the server goes on", hall.server.is_running,
                          f"{error}: {hall.server.said()[-600:]}")
        finally:
            hall.server.stop()


def _tried(hall, mount, verdict):
    ada = hall.sign_in("ada")
    theo = hall.sign_in("theo")
    made = ada.request("POST", "/api/edit/concerts", {"title": "Matinee"})
    picture = f"/api/edit/concerts/{made[1]['concert']}/assets/images/"
    status, said = ada.request("PUT", picture + "before.svg", PICTURE)
    verdict.claim("faults reserve: with room a picture is taken", status == 200, f"{status} {said}")

    # Into the reserve: a tenth of this small disk.
    fill(mount, (WHOLE_MB // 10 - 5) << 20)
    for what, method, path, body in (
            ("a picture", "PUT", picture + "after.svg", PICTURE),
            ("a concert", "POST", "/api/edit/concerts", {"title": "Another"}),
            ("a score", "POST", "/api/library/scores?title=x&file=x.pdf", b"%PDF-1.4")):
        status, said = ada.request(method, path, body)
        sentence = said.get("error", "") if isinstance(said, dict) else str(said)
        verdict.claim(f"faults reserve: {what} is refused with a sentence",
                      status == 507 and "kept for the show" in sentence, f"{status} {sentence}")
    before = hall.log_bytes()
    theo.command("note", "written out of the reserve")
    verdict.claim("faults reserve: the show log goes on", hall.log_bytes() > before,
                  f"{hall.log_bytes() - before} bytes more")
    cues = b"place,name,kind\np:3,Bells,note\n"
    status, said = theo.request("PUT", "/api/cues/0", cues)
    verdict.claim("faults reserve: a technician's cue is taken", status == 200, f"{status} {said}")

    # To the last byte.
    fill(mount, 0)
    for number in range(8):
        try:
            theo.command("note", f"{number} " + "x" * 1_800)
        except Unwritten:
            break
    late = hall.sign_in("theo")
    verdict.claim("faults reserve: on a full disk a technician signs in", not isinstance(late, str), str(late)[:300])
    if isinstance(late, str):
        return
    status, said = late.request("GET", "/api/me")
    verdict.claim("faults reserve: and is who they are", status == 200 and said.get("role") == "technician",
                  f"{status} {said}")
    status, said = late.request("POST", "/api/command", {"command": "blackout", "arguments": ["on"]})
    verdict.claim("faults reserve: their command is done, and said to be unwritten",
                  status == 507 and said.get("code") == "not-written", f"{status} {said}")
    os.unlink(mount / "ballast")

    def writes():
        try:
            late.command("blackout", "off")
        except Unwritten as told:
            raise OSError(told) from told
        return True

    verdict.claim("faults reserve: with room again everything is written", when(writes, 15), "")
