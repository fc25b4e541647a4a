"""`survive content`: what people made is on the backup when the main server dies.

Two servers on loopback. Slides, a picture, a word of the glossary, an account, a score, a room with a remark are
made on the main one, which is then killed in the middle of further remarks; all of it must be on the other. What is
edited there must be on the first one when it comes back, and what only that one had must be kept aside.
"""

import gzip
import http.client
import json
import os
import random
import socket
import subprocess
import time
import uuid
from pathlib import Path

from lib.processes import free_port
from lib.waiting import hold_for, until

from . import keepsakes, places
from .desk import HTTPDesk, tcp
from .server import Server
from .verdict import load_line, say, spread

# Content that was acknowledged longer than this before the death of the main server is not lost.
BOUND_SECONDS = 0.3
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#{:06x}"/></svg>'


def new():
    return str(uuid.uuid4())


def pdf():
    """One page with a line on it, and a number that no other has."""
    drawing = f"% {new()}\n50 700 m 500 700 l S".encode()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing)]
    out, offsets = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"xref\n0 5\n0000000000 65535 f \n" + table + \
        b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(out)


class One:
    """A server of the pair, and what is asked of it."""

    def __init__(self, name, data, link):
        self.http = free_port()
        self.data = Path(data)
        # A server has its own models, as on a machine of its own.
        self.models = self.data.parent / f"{name}-models"
        keepsakes.copy_model(self.models, places.BACH)
        audio = places.quick_recording(places.BACH)
        self.server = Server(
            name, [places.BACH, "--live", audio, "--loop", "0", "--no-sign-in", "--no-multicast", "--no-listen-osc",
                   "--http", f"127.0.0.1:{self.http}", "--models", self.models, *link], data)
        self.desk = HTTPDesk(tcp("127.0.0.1", self.http), timeout=15)

    def ask(self, path, body=None, method=None):
        # A connection that rested may be closed by the server just now.
        self.desk.close()
        return self.desk.request(method or ("GET" if body is None else "POST"), path, body)

    def value(self, path, body=None, method=None):
        status, value = self.ask(path, body, method)
        if status != 200:
            raise RuntimeError(f"{path}: {status} {value}")
        return value

    def upload(self, path, body, method="POST"):
        client = http.client.HTTPConnection("127.0.0.1", self.http, timeout=30)
        client.request(method, path, body, {"X-Baton": "1", "Content-Type": "application/octet-stream"})
        answer = client.getresponse()
        text = answer.read()
        client.close()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {text[:300]}")
        return json.loads(text)

    def fetched(self, path):
        client = http.client.HTTPConnection("127.0.0.1", self.http, timeout=15)
        client.request("GET", path)
        answer = client.getresponse()
        text = answer.read()
        client.close()
        return answer.status, text

    def audience(self):
        text = self.fetched("/api/audience/concert")[1]
        return (gzip.decompress(text) if text.startswith(b"\x1f\x8b") else text).decode()

    def health(self):
        try:
            return self.ask("/healthz")[1] or {}
        except OSError:
            return {}

    def room(self, room):
        """The snapshot that a new stand gets, as text; empty if there is none."""
        with socket.create_connection(("127.0.0.1", self.http), timeout=10) as stream:
            stream.sendall(f"GET /api/rooms/{room}/stream?stand={new()}&seen=new HTTP/1.1\r\nHost: "
                           f"localhost\r\n\r\n".encode())
            end, heard = time.monotonic() + 10, b""
            while time.monotonic() < end and b'"snapshot"' not in heard:
                piece = stream.recv(1 << 16)
                if not piece:
                    break
                heard += piece
            stream.settimeout(0.5)
            try:
                while piece := stream.recv(1 << 16):
                    heard += piece
            except OSError:
                pass
            return heard.decode("utf-8", "replace")

    # Actions of people.

    def concert(self):
        concert = next(each for each in self.value("/api/edit/concerts") if each["served"])
        return concert["id"], self.value(f"/api/edit/concerts/{concert['id']}")

    def write(self, kind, field, text):
        """Sets a field of the first node of a kind; its id."""
        number, tree = self.concert()
        node = next(each for each in tree["nodes"] if each["kind"] == kind)
        self.value(f"/api/edit/concerts/{number}/edits", {
            "base": tree["revision"], "label": "survival",
            "changes": [{"set": node["id"], "field": field, "to": text}]})

    def remark(self, room, layer, user):
        """Acknowledged when this returns; the remark's id."""
        mark = new()
        answer = self.value(f"/api/rooms/{room}/send?stand={new()}", {
            "v": 1, "id": new(), "place": {
                "id": mark, "layer": layer, "author": user, "part": 0, "page": 0, "anchor": [5000, 5000],
                "shape": {"stamp": "breath"}, "ink": {"colour": "#1a4fd6", "width": 30}}})
        if "receipt" not in json.dumps(answer):
            raise RuntimeError(f"the remark was not taken: {answer}")
        return mark


def wait_same(one, seconds=30):
    """The copy is newer than now."""
    begun = time.monotonic()

    def is_newer():
        words = str(one.health().get("content", ""))
        if not words.startswith("same as the main, ") or ";" in words:
            return False
        return float(words.split(", ")[1].split(" ")[0]) < time.monotonic() - begun - 0.1
    return until(is_newer, seconds)


def run(trials, seed, verdict):
    chance = random.Random(seed)
    say(load_line())
    lost = []
    for number in range(trials):
        try:
            trial(number, chance, verdict, lost)
        except (RuntimeError, OSError, StopIteration) as error:
            verdict.claim(f"trial {number} came to its end", False, f"{type(error).__name__}: {error}")
    if lost:
        say("acknowledged, not on the backup, before the death: " + spread([each * 1000 for each in lost]))


def trial(number, chance, verdict, lost):
    key = places.scratch() / "content-key"
    if not key.exists():
        key.write_bytes(os.urandom(48).hex().encode())
        key.chmod(0o600)
    port = free_port()
    pair = ["--link-key", key]
    main = One(f"content-{number}-main", places.scratch() / f"content-{number}-main", [
        "--link", f"127.0.0.1:{port}", *pair])
    backup = One(f"content-{number}-backup", places.scratch() / f"content-{number}-backup", [
        "--backup-of", f"127.0.0.1:{port}", *pair])
    ones = [main, backup]
    try:
        main.server.start()
        if not until(lambda: main.health().get("role") == "main", 60):
            raise RuntimeError(f"the main server does not lead: {main.server.said()[-600:]}")
        backup.server.start()
        verdict.claim("a fresh backup gets everything", wait_same(backup, 90), str(backup.health()))
        room, layer, user = takes_over(chance, verdict, lost, main, backup)
        comes_back(verdict, main, backup, room, layer, user)
    finally:
        for one in ones:
            one.desk.close()
            one.server.stop()


def takes_over(chance, verdict, lost, main, backup):
    """The main server dies; gives the room that goes on, its layer and who writes there."""
    text, word = f"slide {new()}", f"word {new()}"
    main.write("slide", "text", text)
    main.write("word", "description", word)
    number, _ = main.concert()
    picture = SVG.format(chance.randrange(1 << 24)).encode()
    main.upload(f"/api/edit/concerts/{number}/assets/images/survival.svg", picture, "PUT")
    subprocess.run(
        [places.BATON, "user", "add", "carla", "--role", "editor", "--data", main.data],
        input="seventeen grey horses walk\n", text=True, check=True, capture_output=True)
    score = main.upload("/api/library/scores?title=Survival", pdf())["score"]
    score = score["id"] if isinstance(score, dict) else score
    home = main.value("/api/stand/home")
    room, layer, user = new(), new(), home["user"]["id"] if isinstance(home["user"], dict) else home["user"]
    main.value("/api/rooms", {"id": room, "membership": new(), "score": score, "name": "Survival", "published": True})
    for act in ({"begin": {"session": new(), "layer": layer, "performances": []}},
                {"enter": {"participation": new(), "part": 0}}):
        opened = main.value(f"/api/rooms/{room}/send?stand={new()}", {"v": 1, "id": new(), **act})
        if "receipt" not in json.dumps(opened):
            raise RuntimeError(f"no session: {opened}")
    first = main.remark(room, layer, user)
    keeping = keepsakes.Keepsakes(main, backup, verdict)
    keeping.make()
    verdict.claim("the backup's copy goes on", wait_same(backup), str(backup.health()))
    refused, _ = backup.ask("/api/edit/concerts", {"title": "not here"})
    verdict.claim("the backup refuses edits", refused == 503, f"status {refused}")
    # In the middle of further remarks.
    marks, end = [], time.monotonic() + chance.uniform(1, 3)
    while time.monotonic() < end:
        marks.append((main.remark(room, layer, user), time.monotonic()))
        hold_for(chance.uniform(0, 0.06))  # at any moment of the copying
    killed = main.server.kill()
    main.desk.close()
    verdict.claim("the backup leads", until(lambda: backup.health().get("role") == "main", 10), str(backup.health()))
    heard = backup.audience()
    verdict.claim("slides are there", text in heard)
    verdict.claim("the glossary is there", word in heard)
    verdict.claim("pictures are there", backup.fetched("/images/survival.svg")[1] == picture)
    users = subprocess.run(
        [places.BATON, "user", "list", "--data", backup.data], capture_output=True, text=True, check=True).stdout
    verdict.claim("accounts are there", "carla" in users, users)
    scores = json.dumps(backup.value("/api/stand/home")["scores"])
    status, page = backup.fetched(f"/api/scores/{score}/parts/0/pages/0?size=medium")
    verdict.claim("scores and their pages are there", score in scores and status == 200 and len(page) > 100,
                  f"{status}")
    snapshot = backup.room(room)
    verdict.claim("the room and its remark are there", first in snapshot, snapshot[:300])
    keeping.check_on_backup()
    missing = [killed - at for mark, at in marks if mark not in snapshot]
    lost.append(max(missing, default=0.0))
    verdict.claim(
        f"what was acknowledged more than {BOUND_SECONDS} s before is there", max(missing, default=0) <= BOUND_SECONDS,
        f"{len(missing)} of {len(marks)} remarks lost, the oldest {1000 * max(missing, default=0):.0f} ms before")
    return room, layer, user


def comes_back(verdict, main, backup, room, layer, user):
    text = f"later {new()}"
    backup.write("slide", "text", text)
    mark = backup.remark(room, layer, user)
    main.server.start()
    verdict.claim("the old main server follows", until(lambda: main.health().get("role") == "backup", 30),
                  str(main.health()))
    verdict.claim("and copies", wait_same(main, 60), str(main.health()))
    backup.server.kill()
    backup.desk.close()
    verdict.claim("it leads again", until(lambda: main.health().get("role") == "main", 15), str(main.health()))
    verdict.claim("it has what was edited meanwhile", text in main.audience())
    verdict.claim("and the remark", mark in main.room(room))
    kept = sorted(main.data.glob("kept-aside/*/*"))
    say(f"kept aside on the old main server: {[each.name for each in kept]}")
    late = sorted(backup.data.glob("kept-aside/*/*"))
    if late:
        say(f"kept aside on the backup: {[each.name for each in late]}")
