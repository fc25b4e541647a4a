"""Main and backup of one trial, and everybody in the hall who listens to them."""

import bisect
import os
import random
import shutil
import time
from pathlib import Path

from lib.repository import measure_times
from lib.waiting import hold_for, until, when

from . import places
from .account import fresh_data
from .console import Console
from .desk import HTTPDesk
from .namespaces import ADDRESSES
from .server import Server

PORT = 12345
HTTP_PORT = 8080
LINK_PORT = 8190
# Until both have found each other, on a busy machine too.
LEAD_SECONDS = 5.0
MOST_STARTS = 12


class Couple:
    """Two servers that hear the same music, somewhere in the middle of a piece."""

    def __init__(self, hall, ears, name, seed, osc=("--osc", "127.0.0.1:9120")):
        self.hall = hall
        self.ears = ears
        self.random = random.Random(seed)
        self.key = places.scratch() / "key"
        if not self.key.exists():
            self.key.write_bytes(os.urandom(48).hex().encode())
            self.key.chmod(0o600)
        self.servers, self.consoles, self.desks = {}, {}, {}
        self.events = []  # (at, who, section, value)
        self.began = time.monotonic()
        audio = places.recording(places.BACH)
        onsets = self.onsets = [seconds for _, seconds in measure_times(audio.parent / "measures.csv")]
        self.measure = self.random.randrange(1, len(onsets) // 2)
        # The music reaches that measure when both servers have found each other.
        self.due = self.began + LEAD_SECONDS
        self.since = since = time.time() + LEAD_SECONDS - onsets[self.measure]
        for who in ("main", "backup"):
            data, self.cookie = fresh_data(f"{name}-{who}")
            link = ["--link", f"0.0.0.0:{LINK_PORT}"] if who == "main" else \
                ["--backup-of", f"{ADDRESSES['main']}:{LINK_PORT}"]
            self.servers[who] = Server(
                f"{name}-{who}",
                [places.BACH, "--live", audio, "--live-since", f"{since:.3f}", "--ttl", "1", "--port", PORT,
                 "--interface", ADDRESSES[who], "--http", f"{ADDRESSES[who]}:{HTTP_PORT}",
                 *osc, "--link-key", self.key, *link],
                data, namespace=hall.names[who])
            self.listen(who)

    def listen(self, who):
        connect = self.hall.connector(who, HTTP_PORT)
        self.consoles[who] = Console(
            connect, self.cookie, host=f"{ADDRESSES[who]}:{HTTP_PORT}", patience=1.5,
            on_event=lambda at, section, value: self.note(at, who, section, value))
        self.desks[who] = HTTPDesk(connect, self.cookie)

    def note(self, at, who, section, value):
        if section == "snapshot":
            for name in ("show", "position"):
                if name in value:
                    self.events.append((at, who, name, value[name]))
        elif section in ("show", "position"):
            self.events.append((at, who, section, value))

    def start(self, seconds, in_one_second=False):
        """Both run, the music is followed, the backup has everything. Raises RuntimeError where not.

        `seconds` is how long that is waited for; `in_one_second` starts them so that their logs begin alike.
        """
        if in_one_second:
            self.start_in_one_second()
        else:
            self.servers["main"].start()
            hold_for(0.1)  # the main one is first
            self.servers["backup"].start()
        self.need(lambda: self.role("main") == "main", 30, "the main server does not lead")
        hold_for(self.due - time.monotonic())  # the music reaches the measure
        # It has gone on if the start took longer.
        self.measure = max(self.measure, bisect.bisect(self.onsets, time.time() - self.since) - 1)
        when(lambda: self.desks["main"].command("bar-is-now", f"p:{self.measure}"), 5)
        self.need(
            lambda: self.mode("main") == "following" and self.is_followed("backup"), seconds,
            "the backup does not follow")

    def start_in_one_second(self):
        """A log begins with the state and the second of the start: here with the same line on both servers.

        A machine with other work may need several trials. Raises RuntimeError if none succeeds.
        """
        for _ in range(MOST_STARTS):
            hold_for(1 - time.time() % 1)  # a second begins
            for server in self.servers.values():
                server.start()
            if not until(lambda: all(first_line(server) for server in self.servers.values()), 30, every=0.05):
                break
            if len({first_line(server) for server in self.servers.values()}) == 1:
                return
            for server in self.servers.values():
                server.kill()
                shutil.rmtree(Path(server.data) / "shows")
        raise RuntimeError("the servers' logs never began in the same second")

    def need(self, condition, seconds, otherwise):
        if not self.until(condition, seconds):
            raise RuntimeError(f"{otherwise}: " + "; ".join(
                f"{who} {self.role(who)} {self.mode(who)} {self.consoles[who]['backup']}" for who in self.servers))

    def until(self, condition, seconds):
        """The time at which the condition began to hold; None if it did not in time."""
        return until(lambda: condition() and time.monotonic(), seconds, every=0.01) or None

    def role(self, who):
        console = self.consoles[who]
        return ((console["show"] or {}).get("server") or {}).get("role") if console.is_fresh else None

    def term(self, who):
        return ((self.consoles[who]["show"] or {}).get("server") or {}).get("term", 0)

    def mode(self, who):
        return (self.consoles[who]["position"] or {}).get("mode")

    def is_followed(self, follower):
        """The follower's copy stands where the leading server stands."""
        other = "main" if follower == "backup" else "backup"
        section = self.consoles[follower]["backup"] or {}
        mine, its = (self.consoles[who]["position"] or {} for who in (follower, other))
        return bool(
            self.role(follower) == "backup" and section.get("connected") and section.get("otherHeard")
            and mine.get("epoch") == its.get("epoch") and mine.get("measure") == its.get("measure"))

    def has_current_copy(self, who):
        return ((self.consoles[who]["backup"] or {}).get("content") or {}).get("isCurrent") is True

    def is_healed(self):
        """Exactly one leads, and the other follows it."""
        roles = [self.role(who) for who in self.servers]
        return sorted(map(str, roles)) == ["backup", "main"]

    def packets(self, since=None):
        since = self.began if since is None else since
        return [packet for packet in self.ears.packets if packet.at >= since]

    def leading_measures(self):
        """The measures shown by a client that listens to both consoles and believes the highest epoch."""
        highest, roles, shown = (0, 0), {}, []
        for at, who, section, value in list(self.events):
            if section == "show":
                roles[who] = value["server"]["role"]
                continue
            epoch = tuple(int(part) for part in value["epoch"].split("."))
            if roles.get(who) != "main" or epoch < highest or not value.get("audience", {}).get("measure"):
                continue
            highest = epoch
            shown.append((at, who, epoch, value["audience"]["measure"]))
        return shown

    def end(self):
        for console in self.consoles.values():
            console._closed = True
        for server in self.servers.values():
            server.stop()
        for who in self.servers:
            self.consoles[who].close()
            self.desks[who].close()


def first_line(server):
    """The first line of a server's show log behind its heading; None before it is whole."""
    for log in (Path(show) / "log-0001.jsonl" for show in server.shows):
        lines = log.read_text(encoding="utf-8").split("\n") if log.exists() else []
        if len(lines) > 2:
            return lines[1]
    return None
