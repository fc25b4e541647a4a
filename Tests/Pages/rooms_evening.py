"""Three people at their stands before a real server, and what checks of it share."""

import concurrent.futures
import json
import sys
import time
import traceback
import uuid

from lib import web
from rooms_stand import Ear, Stand
from wire import Wire

PASSPHRASE = "seven quiet violas at noon"
PEOPLE = [("lena", "editor"), ("tina", "technician"), ("anna", "technician"), ("bert", "musician"),
          ("carl", "musician"), ("dora", "musician")]
ACCOUNTS = [(name, role, PASSPHRASE) for name, role in PEOPLE]


def option(name, otherwise=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


class Evening:
    """Everything of one run that its scenes share. Carl's stand hangs on a wire that can be cut."""

    def __init__(self, checks, served, drivers, title):
        self.checks, self.served, self.title = checks, served, title
        self.wire = Wire(served.port)
        self.pictures = option("--pictures")
        self.began = time.monotonic()
        names = ("anna", "bert", "carl")
        bases = (served.base, served.base, f"http://127.0.0.1:{self.wire.port}")
        self.anna, self.bert, self.carl = [
            Stand(driver, base, name, PASSPHRASE) for driver, base, name in zip(drivers, bases, names)]
        self.stands = [self.anna, self.bert, self.carl]
        self.cookies = {}
        self.room = self.score = self.parts = self.ear = None

    def play(self, scene, claim):
        """Plays a scene; what was found before a trouble is told all the same."""
        try:
            scene.play(self)
        except (Exception, SystemExit) as trouble:
            traceback.print_exc()
            for stand in self.stands:
                self.picture(stand, f"trouble-{stand.name}")
            self.checks.that(claim, False, repr(trouble))

    def that(self, claim, holds, said=""):
        self.checks.that(f"{time.monotonic() - self.began:5.0f} s  {claim}", holds, said)

    def cookie(self, name):
        if name not in self.cookies:
            self.cookies[name] = self.served.sign_in(name, PASSPHRASE)
        return self.cookies[name]

    def ask(self, name, path, body=None, method=None):
        """The answer to somebody's own program: the status and the JSON."""
        status, content, _ = self.served.ask(method or ("GET" if body is None else "POST"), path, body,
                                             self.cookie(name))
        return status, json.loads(content) if content[:1] in (b"{", b"[") else content

    def all(self, act):
        """Three people do the same at the same time."""
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            return list(pool.map(act, self.stands))

    def listen(self, name="bert"):
        self.ear = Ear(self.served.base, self.room, self.cookie(name))

    def picture(self, stand, name):
        stand.picture(self.pictures, name)

    def own_remarks(self, name):
        """Somebody's private remarks in the score."""
        page = self.ask(name, f"/api/scores/{self.score}/remarks?since=0")[1]
        own = next(layer["id"] for layer in page["layers"] if layer["kind"] == "own")
        return [each for each in page["remarks"] if each["layer"] == own]

    def snapshot(self, name):
        """The whole room as somebody is given it; None if it is refused."""
        path = f"/api/rooms/{self.room}/stream?stand={uuid.uuid4()}&seen=new"
        try:
            return web.snapshot(self.served.base, self.cookie(name), path, timeout=5).get("snapshot")
        except OSError:
            return None
