"""Attacks on what is bounded, and whether those who run the evening still get through."""

import functools
import json
import socket
import threading
import time
import uuid

from lib import web
from lib.music_pdf import music_pdf
from lib.waiting import hold_for, until

from .crowd import OWN, Crowd, request, timed
from .hall import PASSPHRASE
from .trial import Trial

COMMAND_MS = 100
SIGN_IN_MS = 2_000
TABLET = "127.0.7.7"  # a technician's, who signed in before the attack
STRANGERS = ["127.0.66.1", "127.0.66.2"]


class Evening:
    """The technician's requests while others attack: each on a new connection."""

    def __init__(self, hall):
        self.hall = hall

    @functools.cached_property
    def theo(self):
        """The technician's cookie; signed in at the machine, and known on the tablet."""
        theo = self.hall.sign_in("theo")
        self.ask(TABLET, "GET", "/api/me", cookie=theo)
        return theo

    def sign_in_technician(self):
        assert self.theo

    def ask(self, source, method, path, body=None, cookie=None):
        return web.ask(self.hall.base, method, path, body, cookie, source=source, timeout=12)

    def command(self, source):
        return timed(lambda: self.ask(source, "POST", "/api/command", {"command": "tap"}, self.theo).status)

    def sign_in(self, source, name="tina", passphrase=PASSPHRASE):
        body = {"name": name, "password": passphrase}
        return timed(lambda: self.ask(source, "POST", "/api/login", body).status)

    def stream(self, source, path, cookie=None):
        """The status of a stream that is opened, and left again."""
        def first():
            with socket.create_connection(("127.0.0.1", self.hall.port), 12, (source, 0)) as link:
                link.sendall(request(self.hall.port, path, cookie))
                return int(link.recv(4_096).split(b" ")[1])
        return timed(first)

    def measure(self, seconds=8, sources=(OWN, TABLET), signs_in=True):
        """The worst of what was tried again and again, as a sentence that begins with ok or late."""
        commands = {source: [] for source in sources}
        self.sign_in_technician()  # before anything is timed
        signed, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            for source in sources:
                commands[source].append(self.command(source))
            if signs_in and len(signed) < 4:
                signed.append(self.sign_in(OWN))
            hold_for(0.25)  # between two commands
        said, right = [], True
        for source, tries in commands.items():
            done = [status for status, _ in tries if status in (200, 409)]
            slowest = max(took for _, took in tries)
            right = right and len(done) == len(tries) and slowest <= COMMAND_MS
            where = "at the machine" if source == OWN else "from a tablet"
            said.append(f"{len(done)} of {len(tries)} commands {where}, slowest {slowest:.0f} ms")
        if signs_in:
            done = [status for status, _ in signed if status == 200]
            slowest = max(took for _, took in signed)
            right = right and len(done) == len(signed) and slowest <= SIGN_IN_MS
            said.append(f"{len(done)} of {len(signed)} sign-ins at the machine, slowest {slowest:.0f} ms")
        return ("ok: " if right else "late: ") + "; ".join(said)


def holds(said):
    return said.startswith("ok")


def reserves(hall):
    evening = Evening(hall)

    def calm():
        return evening.measure(4)

    def silent():
        with Crowd(hall.port, [(stranger, b"") for stranger in STRANGERS for _ in range(6_000)]) as crowd:
            crowd.settle()
            return evening.measure() + f"; a listener: {evening.stream('127.0.9.9', '/api/audience/events')[0]}"

    def many():
        """Eight addresses, which together may hold everything that is not kept."""
        members = [(f"127.0.67.{number}", b"") for number in range(8) for _ in range(1_800)]
        with Crowd(hall.port, members) as crowd:
            crowd.settle()
            return evening.measure()

    def audience():
        members = [(STRANGERS[0], request(hall.port, "/api/audience/events"))] * 5_000
        with Crowd(hall.port, members) as crowd:
            crowd.settle()
            said = evening.measure(4)
            others = [evening.stream(f"127.0.8.{number}", "/api/audience/events")[0] for number in range(1, 21)]
            said += f"; {crowd.served()} streams served to one; {others.count(200)} of 20 others served"
            return said if others.count(200) == 20 else "late: " + said

    def console():
        editor = hall.sign_in("edda")
        with Crowd(hall.port, [("127.0.5.5", request(hall.port, "/api/events", editor))] * 64, openings=200) as crowd:
            until(lambda: crowd.served() + len(crowd.again) >= 64, 2)
            opened = [evening.stream(source, "/api/events", evening.theo)[0] for source in (OWN, TABLET)]
            said = evening.measure(
                3, signs_in=False) + f"; {crowd.served()} streams of one editor; a technician's: {opened}"
            return said if opened == [200, 200] else "late: " + said

    def guessing():
        evening.sign_in(TABLET)
        ends = time.monotonic() + 14

        def guess(number):
            count = 0
            while time.monotonic() < ends:
                count += 1
                name = "tina" if count % 2 else f"nobody {number} {count}"
                evening.sign_in(f"127.1.{number}.1", name, f"wrong words {count}")
                hold_for(0.1)  # ten guesses a second from each address
        guessers = [threading.Thread(target=guess, args=(number,), daemon=True) for number in range(60)]
        for guesser in guessers:
            guesser.start()
        hold_for(1)  # the guesses pile up
        said = evening.measure(6)
        known = [evening.sign_in(TABLET) for _ in range(4)]
        fresh = [evening.sign_in(f"127.2.0.{number}", "max") for number in range(1, 10)]
        for guesser in guessers:
            guesser.join(20)

        def count(tries):
            done = sum(status == 200 for status, _ in tries)
            return f"{done} of {len(tries)}, slowest {max(took for _, took in tries):.0f} ms"
        said += f"; from a known tablet {count(known)}; at new places {count(fresh)}"
        return said if all(status == 200 for status, _ in known) else "late: " + said

    def stands():
        max, nora = hall.sign_in("max"), hall.sign_in("nora")
        score = _score(hall)
        rooms = [str(uuid.uuid4()) for _ in range(130)]
        for room in rooms:
            body = json.dumps({"id": room, "membership": str(uuid.uuid4()), "score": score, "name": "Trial",
                               "published": True})
            evening.ask(OWN, "POST", "/api/rooms", body, max)
        members = [(STRANGERS[0], request(hall.port, f"/api/rooms/{room}/stream?stand={uuid.uuid4()}&seen=new", max))
                   for room in rooms for _ in range(16)]
        other = str(uuid.uuid4())
        evening.ask(OWN, "POST", "/api/rooms", json.dumps({
            "id": other, "membership": str(uuid.uuid4()), "score": score, "name": "Other", "published": True}), nora)
        with Crowd(hall.port, members, openings=150) as crowd:
            had, ends = -1, time.monotonic() + 45
            while crowd.served() > had and time.monotonic() < ends:
                had = crowd.served()
                hold_for(4)  # a request that is not served within this time is never served
            status, took = evening.stream(
                "127.0.5.6", f"/api/rooms/{other}/stream?stand={uuid.uuid4()}&seen=new", nora)
            said = evening.measure(4) + (f"; {crowd.served()} streams of one musician; another musician's stand: "
                                         f"{status} after {took:.0f} ms")
            return said if status == 200 else "late: " + said

    yield Trial("nobody attacks", calm, holds, letters=600)
    yield Trial("12,000 silent connections of two addresses", silent, holds, letters=600)
    yield Trial("14,400 silent connections of eight addresses", many, holds, letters=600)
    yield Trial("5,000 audience streams of one address", audience, holds, letters=600)
    yield Trial("64 console streams of one editor", console, holds, letters=600)
    yield Trial("60 addresses guess passphrases", guessing, holds, letters=600)
    yield Trial("one musician with 130 rooms and 16 streams in each", stands, holds, letters=600)


def _score(hall):
    """A score that both musicians may use."""
    code, body = hall.ask("POST", "/api/library/scores?title=Crowd", music_pdf(1, "Crowd"),
                          {"Content-Type": "application/pdf"})
    score = json.loads(body)["score"]
    users = {user["name"]: user["id"] for user in json.loads(hall.ask("GET", "/api/library/users")[1])}
    for name in ("max", "nora"):
        hall.ask("POST", "/api/library/bundles", json.dumps({"user": users[name], "score": score}))
    return score
