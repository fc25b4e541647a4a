#!/usr/bin/env python3
"""Uses a server as an evening does, all at once, and watches its memory.

    BATON=path/to/baton Tests/System/load/mixed.py [--minutes 5] [--by-hand] [--table FILE]

Starts `baton serve` with sign-in on loopback, with its data in a scratch folder, and with the priority and the locked
memory of the service (needs root, else as started by hand). Phones open the audience's page and listen, apps fetch
data, a console and an editor work, files are uploaded and exported, stands come and go, and large files are
downloaded, some of them by readers that stop reading. Prints the resident memory every ten seconds. Fails if the last
minute needs more than 1.3 times the memory that the server had when it began to answer, or if anything is refused.
An hour (--minutes 60) is the real trial.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import resource
import socket
import sys
import threading
import time
import uuid

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from hostile.crowd import request  # noqa: E402
from hostile.downloads import AS_SERVICE, BY_HAND, DownloadHall, picture  # noqa: E402
from lib import web  # noqa: E402
from lib.figures import Process  # noqa: E402
from lib.music_pdf import music_pdf  # noqa: E402

MOST_GROWTH = 1.3
INTERVAL = 10  # seconds between two lines


class Users:
    """Everybody who uses the server; each kind on a thread of its own, one act after another with a short pause."""

    def __init__(self, hall):
        self.hall, self.goes = hall, True
        self.counts, self.refused = {}, {}
        self.theo = hall.sign_in("theo")
        self.place = f"/api/edit/concerts/{hall.concert}"
        self.score = self._score()
        self.picture = picture(1 << 20)
        self.concert = self.fetch("/api/audience/concert")
        kinds = [self.phone, self.phone, self.app, self.console, self.editor, self.musician, self.downloader,
                 self.sleeper, self.librarian, self.stand]
        self.threads = [threading.Thread(target=self.repeat, args=(kind, number), daemon=True)
                        for number, kind in enumerate(kinds)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.goes = False
        for thread in self.threads:
            thread.join(60)

    def repeat(self, kind, number):
        source = f"127.0.20.{number + 1}"
        while self.goes:
            try:
                kind(source)
            except OSError as fault:
                self.refuse(f"{kind.__name__}: {fault}")
            time.sleep(random.uniform(0.05, 0.3))

    def refuse(self, what):
        self.refused[what] = self.refused.get(what, 0) + 1

    def fetch(self, path, cookie=None, source=None, method="GET", body=None, headers=None):
        kind = f"{method} " + "/".join(path.split("?")[0].split("/")[:3])
        self.counts[kind] = self.counts.get(kind, 0) + 1
        answer = web.ask(self.hall.base, method, path, body, cookie, source=source, headers=headers)
        if answer.status not in (200, 304, 409):
            self.refuse(f"{kind}: {answer.status} {answer.text[:80]}")
        return answer

    def listen(self, path, source, cookie=None, seconds=2.0):
        with socket.create_connection(("127.0.0.1", self.hall.port), 12, (source, 0)) as link:
            link.sendall(request(self.hall.port, path, cookie))
            end = time.monotonic() + seconds
            link.settimeout(seconds)
            with contextlib.suppress(TimeoutError):
                while time.monotonic() < end and link.recv(65_536):
                    pass

    # MARK: What they do

    def phone(self, source):
        for path in ("/", "/audience/concert.js", "/api/audience/concert", "/api/audience/heading",
                     "/api/audience/pieces/0", self.hall.picture):
            self.fetch(path, source=source, headers={"Accept-Encoding": random.choice(["gzip", "identity"])})
        self.listen("/api/audience/events", source)

    def app(self, source):
        names = self.fetch("/getPieces.php", source=source).text.split(";")
        wanted = names[0].replace(" ", "%20").replace(",", "%2C")
        self.fetch(f"/getData.php?database1={wanted}", source=source)
        self.fetch("/images/AppAssets/glossary.xml", source=source)

    def console(self, source):
        self.fetch("/console", self.theo, source)
        web.snapshot(self.hall.base, self.theo)
        for _ in range(5):
            self.fetch("/api/command", self.theo, source, "POST", {"command": "tap"})
        self.fetch("/api/report/current", self.theo, source)

    def editor(self, source):
        cookie = self.hall.cookie
        name = f"{self.place}/assets/images/page{random.randrange(20)}.png"
        self.fetch(name, cookie, source, "PUT", self.picture[:-20] + os.urandom(8) + self.picture[-12:])
        for path in ("", "/preview", "/export/content.xml", "/zip", "/history"):
            self.fetch(self.place + path, cookie, source)

    def musician(self, source):
        for path in ("/api/practice/takes", "/api/stand/home", "/api/practice/pieces", f"/api/scores/{self.score}"):
            self.fetch(path, self.hall.max, source)

    def librarian(self, source):
        self.fetch("/api/library/scores?title=Mixed", self.hall.cookie, source, "POST", music_pdf(4, "Mixed"),
                   {"Content-Type": "application/pdf"})
        time.sleep(5)

    def stand(self, source):
        room = str(uuid.uuid4())
        self.fetch("/api/rooms", self.hall.nora, source, "POST", {
            "id": room, "membership": str(uuid.uuid4()), "score": self.score, "name": "Mixed", "published": True})
        for _ in range(3):
            self.listen(f"/api/rooms/{room}/stream?stand={uuid.uuid4()}&seen=new", source, self.hall.nora, 1.0)
        self.fetch(f"/api/rooms/{room}", self.hall.nora, source, "DELETE")

    def downloader(self, source):
        self.fetch(self.hall.take, self.hall.max, source)
        self.fetch(self.hall.recording, self.hall.cookie, source)

    def sleeper(self, source):
        """Readers that stop: 40 at a time."""
        links = [socket.create_connection(("127.0.0.1", self.hall.port), 12, (source, 0)) for _ in range(40)]
        for link in links:
            link.sendall(request(self.hall.port, self.hall.picture))
        time.sleep(5)
        for link in links:
            link.close()

    def _score(self):
        answer = self.fetch("/api/library/scores?title=Stand", self.hall.cookie, None, "POST", music_pdf(3, "Stand"),
                            {"Content-Type": "application/pdf"})
        score = answer.value["score"]
        for user in self.fetch("/api/library/users", self.hall.cookie).value:
            if user["name"] in ("max", "nora"):
                self.fetch("/api/library/bundles", self.hall.cookie, None, "POST",
                           {"user": user["id"], "score": score})
        return score


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--by-hand", action="store_true", help="without the priority and the locked memory")
    parser.add_argument("--table", type=pathlib.Path)
    chosen = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    is_by_hand = chosen.by_hand or os.geteuid() != 0
    with DownloadHall(BY_HAND if is_by_hand else AS_SERVICE) as hall:
        server = Process(hall.server.process.pid)
        start = server.resident_kb / 1024
        rows, began = [(0.0, start)], time.monotonic()
        print(f"{'by hand' if is_by_hand else 'as the service'}: {start:.0f} MB at the start", flush=True)
        with Users(hall) as users:
            while (gone := time.monotonic() - began) < chosen.minutes * 60 and hall.is_running:
                time.sleep(min(INTERVAL, chosen.minutes * 60 - gone + 0.01))
                rows.append((time.monotonic() - began, server.resident_kb / 1024))
                print(f"{rows[-1][0]:6.0f} s {rows[-1][1]:6.0f} MB {rows[-1][1] / start:5.2f} times, "
                      f"{sum(users.counts.values())} requests, load {os.getloadavg()[0]:.1f}", flush=True)
        running = hall.is_running
    print(json.dumps({"requests": users.counts, "refused": users.refused}, indent=1))
    last = max(size for at, size in rows if at >= rows[-1][0] - 60)
    holds = running and last <= MOST_GROWTH * start and not users.refused
    if chosen.table:
        chosen.table.write_text("\n".join(
            ["| Seconds | Resident memory |", "|---|---|"] + [f"| {at:.0f} | {size:.0f} MB |" for at, size in rows])
            + "\n")
    print(f"{'ok' if holds else 'FAILED'}: {start:.0f} MB at the start, at most {last:.0f} MB in the last minute, "
          f"{last / start:.2f} times (at most {MOST_GROWTH}); {sum(users.refused.values())} refusals")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
