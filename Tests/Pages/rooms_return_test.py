#!/usr/bin/python3
"""Coming back to a music stand, against a real server: after the browser was killed, and again and again. Three
minutes.

    BATON=path/to/baton Tests/Pages/rooms_return_test.py [--once]

A player's browser is killed so many seconds after a turn and opened again with the profile it left: the page that lay
there last lies there. A line is drawn at each entry: its ink lies where the pen was, here and on another player's stand
of another size, to 1 % of the page. `--once`: one kill and two entries, a minute. Everything on loopback. The last line
is `N passed, N failed`.
"""

import contextlib
import json
import os
import pathlib
import signal
import sys
import tempfile
import uuid

import sound
from browser import chromium
from checks import Checks, until
from lib.waiting import hold_for, holds_for
from lib.web import snapshot
from rooms_stand import Stand
from served import Served

PIECE = "grieg-peer-gynt-hall-of-the-mountain-king"
PASSPHRASE = "open sesame 1"
ACCOUNTS = [("lib", "editor", PASSPHRASE), ("anna", "musician", PASSPHRASE), ("bert", "musician", PASSPHRASE)]
KILLED_AFTER = (0.3, 1, 3)  # seconds after a turn
HEIGHT, OFF = 0.73, 0.01  # of the page: where the line is drawn, and how far off its ink may lie


def new():
    return str(uuid.uuid4())


class Rooms:
    """The requests of programs to the server."""

    def __init__(self, served):
        self.served, self.room, self.cookies = served, new(), {}

    def ask(self, name, path, body=None, method=None):
        if name not in self.cookies:
            self.cookies[name] = self.served.sign_in(name, PASSPHRASE)
        status, content, _ = self.served.ask(method or ("GET" if body is None else "POST"), path, body,
                                             self.cookies[name])
        if status != 200:
            raise LookupError(f"{path}: {status} {content[:200]}")
        return json.loads(content)

    def send(self, name, **act):
        return self.ask(name, f"/api/rooms/{self.room}/send?stand={new()}", {"v": 1, "id": new(), **act})

    def prepare(self):
        """A room of Anna's with Bert in it, and a session."""
        # nobody plays it: no music turns its pages
        score = next(each for each in self.ask("lib", "/api/stand/home")["scores"] if "Ode to Joy" in each["title"])
        users = {each["name"]: each["id"] for each in self.ask("lib", "/api/library/users")}
        for name in ("anna", "bert"):
            self.ask("lib", "/api/library/bundles", {"user": users[name], "score": score["id"]})
        self.ask("anna", "/api/rooms",
                 {"id": self.room, "membership": new(), "score": score["id"], "name": "Return", "published": True})
        self.ask("bert", f"/api/rooms/{self.room}/join", {"event": new(), "membership": new()})
        self.send("anna", begin={"session": new(), "layer": new()})

    def remarks(self):
        path = f"/api/rooms/{self.room}/stream?stand={new()}&seen=new"
        return snapshot(self.served.base, self.cookies["anna"], path)["snapshot"]["remarks"]


def killed(profile):
    """Ends the browser of a profile as an empty battery would, by its own processes' ids."""
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if entry.name.isdigit() and f"--user-data-dir={profile}".encode() in (entry / "cmdline").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
    for lock in pathlib.Path(profile).glob("Singleton*"):
        lock.unlink(missing_ok=True)


def into_the_room(stand):
    stand.sign_in()
    stand.click("#rooms .entry.room")
    if until(lambda: stand.shown("#dialog [data-part='0']"), 10):
        stand.click("#dialog [data-part='0']")
    until(stand.painted, 15)


def ink(stand):
    """The middle of each line that is seen, in shares of its page."""
    return stand.script("""const page = document.querySelector(".leaf.shown .whole").getBoundingClientRect();
        return [...document.querySelectorAll(".leaf.shown .remark-ink .remark path")].map((path) =>
            path.getBoundingClientRect())
            .map((box) => [(box.left + box.width / 2 - page.left) / page.width,
                (box.top + box.height / 2 - page.top) / page.height])""")


def crashes(checks, served, profile, killed_after):
    page = 0
    for seconds in killed_after:
        # The driver complains that its browser is gone.
        with contextlib.suppress(Exception), chromium(profile) as driver:
            stand = Stand(driver, served.base, "anna", PASSPHRASE)
            stand.open()
            until(stand.painted, 20)
            for _ in range(2 if page == 0 else 1):
                stand.pedal()
                page += 1
                stand.lies(page)
                if seconds == killed_after[0] and page == 1:
                    hold_for(8)  # what is older is on the disk
            hold_for(seconds)  # after the turn
            killed(profile)
        with chromium(profile) as driver:
            stand = Stand(driver, served.base, "anna", PASSPHRASE)
            stand.open()
            right = stand.lies(page, seconds=12)
            checks.that(f"killed {seconds} s after a turn to page {page + 1}, it opens on that page", right,
                        stand.pages)
            checks.that("and stays there", holds_for(lambda: stand.pages == [page], 2), stand.pages)


def entries(checks, served, rooms, profile, count):
    with chromium() as other:
        bert = Stand(other, served.base, "bert", PASSPHRASE, size=(1366, 1024))
        into_the_room(bert)
        for entry in range(count):
            with chromium(profile) as driver:
                anna = Stand(driver, served.base, "anna", PASSPHRASE, size=(1024, 1366))
                anna.open()
                until(anna.painted, 20)
                rooms.send("anna", turn=[0, 1])
                anna.lies(1)
                anna.tools("public")
                anna.draw(0.2 + 0.2 * entry, HEIGHT)
                until(lambda: len(rooms.remarks()) == entry + 1, 8)
                kept = rooms.remarks()[-1]["anchor"][1] / 10_000
                checks.that(f"entry {entry + 1}: the room keeps the line where the pen was", abs(kept - HEIGHT) < OFF,
                            kept)
                for stand in (anna, bert):
                    until(lambda: len(ink(stand)) == entry + 1, 8)
                    found = ink(stand)
                    checks.that(f"entry {entry + 1}: on {stand.name}'s stand all ink lies there",
                                len(found) == entry + 1 and all(abs(y - HEIGHT) < OFF for _, y in found), found)


def main():
    checks, once = Checks(), sys.argv[1:] == ["--once"]
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-return-")))
        quiet, profile = folder / "quiet.wav", str(folder / "profile")
        sound.write(quiet, sound.noise(20, 0.002))
        served = stack.enter_context(Served(PIECE, [quiet], "--loop", "0", accounts=ACCOUNTS))
        rooms = Rooms(served)
        rooms.prepare()
        with chromium(profile) as driver:
            into_the_room(Stand(driver, served.base, "anna", PASSPHRASE))
            hold_for(2)  # the browser writes its profile
        crashes(checks, served, profile, KILLED_AFTER[:1] if once else KILLED_AFTER)
        entries(checks, served, rooms, profile, 2 if once else 3)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
