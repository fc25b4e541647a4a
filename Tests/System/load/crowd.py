#!/usr/bin/env python3
"""Fills a room with remarks, and checks that all stands saw the same in the same order and nothing was lost.

    BATON=path/to/baton python3 Tests/System/load/crowd.py --members 100 --rate 5 --seconds 60
    BATON=path/to/baton python3 Tests/System/load/crowd.py --members 100 --rate 5 --each --seconds 60
    BATON=path/to/baton python3 Tests/System/load/crowd.py --members 2 --fill 10000 --turns 60

Starts its own server with an account for each member; one of them owns the room. All members together make `--rate`
remarks a second, or with --each every member does. `--fill` first makes so many remarks by the first two authors, and
turns pages before and after. Status 1 if stands differ or an accepted remark is missing.
"""
import argparse
import hashlib
import json
import random
import re
import selectors
import sys
import time
import uuid

from lib.repository import BACH, program, recording
from lib.servers import Server
from lib.web import Refused
from stand import Stand
from stands import ask, load_average, spread

PASSPHRASE = "four plain words here"
SEQUENCE = re.compile(rb'"seq":(\d+)')
REMARK = re.compile(rb'"place":\{')


class Watched:
    """A stand of which only the order of events is kept: bytes, so that a hundred fit into one process."""

    def __init__(self, stand):
        self.stand, self.rest, self.hash = stand, b"", hashlib.sha256()
        self.first_bytes, self.numbers, self.remarks, self.began = None, [], 0, False

    def read(self):
        data = self.stand.socket.recv(1 << 20)
        if not data:
            return False
        now = time.time()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if not line.startswith(b"data: "):
                continue
            if not self.began:
                if b'"snapshot"' in line[:200] or b'"seen":' in line[-60:]:
                    self.began, self.first_bytes = True, len(line)
                continue
            found = SEQUENCE.search(line)
            if not found:
                continue
            self.hash.update(line)
            self.numbers.append((int(found[1]), now))
            self.remarks += bool(REMARK.search(line))
        return True


class Crowd:
    def __init__(self, server, members):
        self.server, self.chance = server, random.Random(1)
        self.cookies = [server.sign_in(f"user{number}", PASSPHRASE) for number in range(members)]
        homes = [ask(server.base, "GET", "/api/stand/home", cookie=cookie) for cookie in self.cookies]
        self.users = [home["user"]["id"] for home in homes]
        score = homes[0]["scores"][0]
        self.pages = score["parts"][0]["pages"]
        self.room = str(uuid.uuid4())
        ask(server.base, "POST", "/api/rooms", {"id": self.room, "membership": str(uuid.uuid4()), "score": score["id"],
                                                "name": "crowd", "passkey": None, "published": True}, self.cookies[0])
        for cookie in self.cookies[1:]:
            ask(server.base, "POST", f"/api/rooms/{self.room}/join",
                {"event": str(uuid.uuid4()), "membership": str(uuid.uuid4()), "passkey": None}, cookie)
        self.layer = str(uuid.uuid4())
        self.stands = [Stand("127.0.0.1", server.port, self.room, cookie) for cookie in self.cookies]
        self.stands[0].send({"v": 1, "id": str(uuid.uuid4()), "begin": {
            "session": str(uuid.uuid4()), "layer": self.layer, "performances": []}})
        self.selector = selectors.DefaultSelector()
        self.watched = []
        self.waiting = [[] for _ in self.stands]  # when each request was sent that is not answered yet
        self.answers = [b""] * members
        self.taken, self.refused, self.delays = 0, {}, []

    def enter(self):
        """All come in: each with a participation and a stream."""
        for stand in self.stands:
            stand.send({"v": 1, "id": str(uuid.uuid4()), "enter": {"participation": str(uuid.uuid4()), "part": 0}})
        self.listen(self.stands)
        self.pump(2)

    def listen(self, stands):
        for stand in stands:
            one = Watched(stand)
            self.watched.append(one)
            self.selector.register(stand.open(), selectors.EVENT_READ, one)
            self.pump(0.002)

    def pump(self, seconds):
        end = time.time() + seconds
        while True:
            for key, _ in self.selector.select(max(0, end - time.time())):
                if isinstance(key.data, Watched):
                    if not key.data.read():
                        raise SystemExit("crowd: a stream has ended")
                else:
                    self.hear_answer(key.data)
            if time.time() >= end:
                return

    def remark(self, author):
        return {"v": 1, "id": str(uuid.uuid4()), "place": {
            "id": str(uuid.uuid4()), "layer": self.layer, "author": self.users[author], "part": 0,
            "page": self.chance.randrange(self.pages), "anchor": [self.chance.randrange(10_000) for _ in "xy"],
            "shape": {"stamp": "breath"}, "ink": {"colour": "#1a4fd6", "width": 30}}}

    def post(self, author):
        stand = self.stands[author]
        stand.post(self.remark(author))
        self.waiting[author].append(time.time())
        self.listen_to_answers(author)

    def listen_to_answers(self, author):
        """On the connection by which the newest was sent; one that was idle has been closed."""
        sender = self.stands[author].sender
        known = self.selector.get_map()
        for old in [key.fileobj for key in known.values() if key.data == author and key.fileobj is not sender]:
            self.selector.unregister(old)
        if sender.fileno() not in known:
            self.selector.register(sender, selectors.EVENT_READ, author)

    def hear_answer(self, author):
        self.answers[author] += self.stands[author].sender.recv(1 << 18)
        while True:
            head, found, body = self.answers[author].partition(b"\r\n\r\n")
            if not found:
                return
            length = int(re.search(rb"content-length: *(\d+)", head.lower())[1])
            if len(body) < length:
                return
            self.answers[author] = body[length:]
            self.delays.append(time.time() - self.waiting[author].pop(0))
            if b'"receipt"' in body[:length]:
                self.taken += 1
            else:
                word = (re.search(rb'"code":"([^"]+)"', body[:length]) or [b"", b"?"])[1].decode()
                self.refused[word] = self.refused.get(word, 0) + 1

    # MARK: What is done

    def scribble(self, rate, each, seconds):
        """Remarks, spread over the seconds."""
        total = rate * (len(self.stands) if each else 1)
        began, made = time.time(), 0
        while (now := time.time() - began) < seconds:
            while made < total * now:
                self.post(made % len(self.stands))
                made += 1
            self.pump(0.005)
        deadline = time.time() + 20
        while any(self.waiting) and time.time() < deadline:
            self.pump(0.1)
        self.pump(2)
        return made

    def fill(self, count):
        """So many remarks by the first two authors, two hundred in a delivery."""
        for number in range(0, count, 200):
            author = number // 200 % 2
            while True:
                try:
                    answers = ask(self.server.base, "POST",
                                  f"/api/rooms/{self.room}/send?stand={self.stands[author].id}",
                                  [self.remark(author) for _ in range(min(200, count - number))], self.cookies[author])
                    break
                except Refused as refusal:
                    if refusal.status != 429:
                        raise
                    self.pump(1)
            for answer in answers:
                self.taken += "receipt" in answer
            self.pump(0.01)

    def turn(self, count):
        """Milliseconds from the owner's sending a page turn to each stand's reading it, and to its answer."""
        arrived, answered = [], []
        for number in range(count):
            before = [len(one.numbers) for one in self.watched]
            sent = time.time()
            self.stands[0].post({"v": 1, "id": str(uuid.uuid4()), "turn": [0, number % self.pages]})
            self.waiting[0].append(sent)
            self.listen_to_answers(0)
            self.pump(0.5)
            answered.append(self.delays[-1])
            arrived += [at - sent for one, old in zip(self.watched, before) for _, at in one.numbers[old:]]
        return {"turnReadMs": spread(arrived), "answerMs": spread(answered)}

    def verdict(self):
        hashes = {one.hash.hexdigest() for one in self.watched}
        falls = sum(b <= a for one in self.watched for (a, _), (b, _) in zip(one.numbers, one.numbers[1:]))
        seen = [one.remarks for one in self.watched]
        return {"streams": len(self.watched), "orders": len(hashes), "outOfOrder": falls, "taken": self.taken,
                "refused": self.refused, "seenLeast": min(seen), "seenMost": max(seen)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--members", type=int, default=100)
    parser.add_argument("--rate", type=float, default=5, help="remarks a second")
    parser.add_argument("--each", action="store_true", help="by each member, not by all together")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--fill", type=int, default=0, help="remarks to lay down first; none a second then")
    parser.add_argument("--turns", type=int, default=40, help="before and after filling")
    options = parser.parse_args()
    server = Server(
        BACH, "--no-multicast", "--no-listen-osc", lives=[recording(BACH, "swift")], before=["nice", "-n", "-10"],
        baton=program("release"),
        accounts=[(f"user{number}", "administrator", PASSPHRASE) for number in range(options.members)])
    figures = {"load": load_average(), "members": options.members}
    try:
        server.start()
        crowd = Crowd(server, options.members)
        crowd.enter()
        if options.fill:
            figures["before"] = crowd.turn(options.turns)
            crowd.fill(options.fill)
            crowd.pump(3)
            figures["after"] = crowd.turn(options.turns)
            crowd.taken -= 2 * options.turns
            begun = time.time()
            late = Watched(Stand("127.0.0.1", server.port, crowd.room, crowd.cookies[0]))
            late.stand.open()
            while not late.began:
                late.read()
            figures["join"] = {"ms": round((time.time() - begun) * 1e3), "kilobytes": round(late.first_bytes / 1e3)}
        else:
            figures["made"] = crowd.scribble(options.rate, options.each, options.seconds)
            figures["answerMs"] = spread(crowd.delays)
        figures |= crowd.verdict()
        figures["loadAfter"] = load_average()
    finally:
        server.remove()
    print(json.dumps(figures))
    lost = figures["seenLeast"] != figures["taken"] or figures["seenMost"] != figures["taken"]
    return 1 if figures["orders"] != 1 or figures["outOfOrder"] or lost or figures["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
