#!/usr/bin/env python3
"""Puts many music stands into one room, turns pages, and measures the time of a turn to each stand.

    baton serve ... --no-sign-in --http 127.0.0.1:8123 &
    python3 Tests/System/load/stands.py http://127.0.0.1:8123 --stands 300 --interval 1 --events 60 --pid PID

It measures two latencies. *Echo*: each stand sends an echo after each turn and halves the time until it returns.
*Turn*: from the leader's sending a turn to its arrival at each stand, by the clock of this machine: the
leader's request, the server's disk and the way to the stand. With --lay every stand shows a part, as a musician's does,
and *page* is the time until the page that the server sends to each stand arrives. Also prints a line of JSON. It shares
no code with the server. Status 1 if a turn was lost.
"""
import argparse
import asyncio
import contextlib
import json
import random
import socket
import sys
import time
import uuid
from urllib.parse import urlsplit

from lib import web
from lib.figures import Process, percentile
from stand import Stand

SETTINGS = {"leadSeconds": 1, "leadFollowsTempo": True, "pageLeads": [], "halfTurns": False, "facing": "single",
            "latencySeconds": 0, "followsMusic": True}


def spread(values):
    """Milliseconds."""
    if not values:
        return {"median": float("nan"), "p99": float("nan"), "max": float("nan"), "count": 0}
    return {"median": round(percentile(values, 0.5) * 1e3, 2), "p99": round(percentile(values, 0.99) * 1e3, 2),
            "max": round(max(values) * 1e3, 2), "count": len(values)}


def resident(pid):
    """KiB of memory; 0 without a process."""
    return Process(pid).resident_kb if pid else 0


def ask(server, method, path, body=None, cookie=""):
    answer = web.ask(server, method, path, body, cookie, timeout=20)
    if answer.status != 200:
        raise web.Refused(f"{method} {path}: {answer.status} {answer.text[:300]}", answer.status)
    return answer.value


def cookies(server, accounts):
    """Of NAME:PASSPHRASE,…; one that says nothing if nobody signs in."""
    return [web.sign_in(server, *each.split(":")) for each in accounts.split(",")] if accounts else [""]


def load_average():
    with open("/proc/loadavg", encoding="ascii") as file:
        return float(file.read().split()[0])


class Load:
    def __init__(self, options):
        self.options = options
        part = urlsplit(options.server)
        users = cookies(options.server, options.sign_in)
        score = ask(options.server, "GET", "/api/stand/home", cookie=users[0])["scores"][0]
        self.pages = score["parts"][0]["pages"]
        room = str(uuid.uuid4())
        ask(options.server, "POST", "/api/rooms", {
            "id": room, "membership": str(uuid.uuid4()), "score": score["id"], "name": f"load {room[:8]}",
            "passkey": None, "published": True}, users[0])
        for user in users[1:]:
            ask(options.server, "POST", f"/api/rooms/{room}/join",
                {"event": str(uuid.uuid4()), "membership": str(uuid.uuid4()), "passkey": None}, user)
        self.leader = Stand(part.hostname, part.port, room, users[0])
        self.stands = [Stand(part.hostname, part.port, room, users[number % len(users)])
                       for number in range(options.stands)]
        self.sent = {}  # id of a turn -> when it was sent
        self.arrived, self.read, self.hub, self.echoes, self.pages_told = [], [], [], [], []
        self.wanted = None  # the page of the newest turn, and when it was sent
        self.heard = {}  # id of a turn -> how many stands heard it
        self.order_faults = 0
        self.newest = {}
        self.asked = {}  # id of an echo -> when it was sent
        self.joined = 0
        self.ended = 0

    def hear(self, stand):
        messages = stand.read()
        if messages is None:
            self.ended += 1
            asyncio.get_running_loop().remove_reader(stand.socket)
            return
        for message, arrived, read in messages:
            if "snapshot" in message:
                self.joined += 1
                stand.seen = message["seen"]
            elif message.get("id") in self.sent:
                sent = self.sent[message["id"]]
                self.heard[message["id"]] = self.heard.get(message["id"], 0) + 1
                self.arrived.append(arrived - sent)
                self.read.append(read - sent)
                self.hub.append(arrived - message["at"] / 1e3)
                if message["seq"] <= self.newest.get(stand.id, 0):
                    self.order_faults += 1
                self.newest[stand.id] = message["seq"]
                if not self.options.no_echo:
                    asyncio.get_running_loop().call_later(
                        random.uniform(0.1, 0.9) * min(self.options.interval, 5), self.echo, stand)
            elif "follow" in message and self.wanted and message["follow"]["page"] == self.wanted[0]:
                self.pages_told.append(arrived - self.wanted[1])
            elif "echo" in message:
                self.echoes.append((arrived - self.asked.pop(message["echo"])) / 2)

    def echo(self, stand):
        id = str(uuid.uuid4())
        self.asked[id] = time.time()
        stand.post({"v": 1, "echo": id})

    def clear(self, stand):
        """Answers to echoes: they say nothing more than that they were taken."""
        with contextlib.suppress(BlockingIOError, AttributeError):
            stand.sender.recv(65536, socket.MSG_DONTWAIT)

    async def run(self):
        loop = asyncio.get_running_loop()
        before = resident(self.options.pid)
        for stand in self.stands:
            loop.add_reader(stand.open(), self.hear, stand)
            if not self.options.no_echo:
                stand.ready()
            await asyncio.sleep(0.002)
        self.leader.ready()
        deadline = time.time() + 20
        while self.joined < len(self.stands) and time.time() < deadline:
            await asyncio.sleep(0.05)
        if self.options.lay:
            for stand in self.stands:
                await asyncio.to_thread(
                    ask, self.options.server, "PUT", f"/api/rooms/{stand.room}/stands/{stand.id}",
                    {"part": 0, "page": self.pages - 1, "settings": SETTINGS}, stand.cookie)
        await asyncio.sleep(1)
        joined = resident(self.options.pid)
        for number in range(self.options.events):
            id = str(uuid.uuid4())
            turn = {"v": 1, "id": id, "turn": [0, number % self.pages]}
            self.sent[id] = time.time()
            self.wanted = turn["turn"][1], self.sent[id]
            await asyncio.to_thread(self.leader.send, turn)
            is_last = number == self.options.events - 1
            await asyncio.sleep(min(self.options.interval, 5) if is_last else self.options.interval)
            for stand in self.stands:
                self.clear(stand)
        await asyncio.sleep(2)
        lost = sum(len(self.stands) - self.heard.get(id, 0) for id in self.sent)
        return {
            "load": load_average(), "stands": len(self.stands), "joined": self.joined,
            "interval": self.options.interval,
            "events": self.options.events, "lost": lost, "outOfOrder": self.order_faults, "ended": self.ended,
            "turnArrivedMs": spread(self.arrived), "turnReadMs": spread(self.read),
            "hubMs": spread(self.hub),
            "pageMs": spread(self.pages_told),
            "echoMs": spread(self.echoes), "echoesLost": len(self.asked),
            "memoryKiBPerStand": round((joined - before) / len(self.stands), 1) if self.options.pid else None,
            "residentMiB": round(resident(self.options.pid) / 1024, 1) if self.options.pid else None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("server")
    parser.add_argument("--stands", type=int, default=6)
    parser.add_argument("--interval", type=float, default=1, help="seconds between turns")
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--pid", type=int, default=0, help="of the server, to measure its memory")
    parser.add_argument("--sign-in", default="", help="NAME:PASSPHRASE,NAME:PASSPHRASE,…")
    parser.add_argument("--no-echo", action="store_true")
    parser.add_argument("--lay", action="store_true", help="a part lies on every stand")
    options = parser.parse_args()
    if not 1 <= options.stands <= 2_000 or not 1 <= options.events <= 100_000:
        parser.error("1 to 2000 stands, 1 to 100000 events")
    figures = asyncio.run(Load(options).run())
    for name in ("turnArrivedMs", "turnReadMs", "hubMs", "pageMs", "echoMs"):
        row = figures[name]
        print(f"{name:14} median {row['median']:8.2f}  p99 {row['p99']:8.2f}  max {row['max']:8.2f}  of {row['count']}")
    print(json.dumps(figures))
    sys.exit(1 if figures["lost"] or figures["joined"] < options.stands else 0)


if __name__ == "__main__":
    main()
