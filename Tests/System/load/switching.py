#!/usr/bin/env python3
"""Puts many stands into one room of two scores, opens one after the other, and measures how soon each stand knows.

    baton serve ... --no-sign-in --http 127.0.0.1:8123 &
    python3 Tests/System/load/switching.py http://127.0.0.1:8123 --stands 100 --events 40

*Opened* is the time from the leader's sending to the event's arrival at each stand: the request, the disk and the way.
*Said* is the time until the stand's answer to it is taken: which part and page it shows now, as a stand's page sends
it. *All* is the slowest stand of each switch. Also prints a line of JSON. It shares no code with the server. Status 1
if a switch was lost.
"""
import argparse
import asyncio
import json
import sys
import time
import uuid
from urllib.parse import urlsplit

from stand import Stand
from stands import SETTINGS, ask, load_average, spread


class Switching:
    def __init__(self, options):
        self.options = options
        part = urlsplit(options.server)
        scores = ask(options.server, "GET", "/api/stand/home")["scores"][:2]
        if len(scores) < 2:
            raise SystemExit("The library has fewer than two scores; serve more pieces.")
        self.room = str(uuid.uuid4())
        ask(options.server, "POST", "/api/rooms", {
            "id": self.room, "membership": str(uuid.uuid4()), "score": scores[0]["id"], "further": [scores[1]["id"]],
            "name": f"load {self.room[:8]}", "passkey": None, "published": True})
        self.entries = ask(options.server, "GET", f"/api/rooms/{self.room}/programme")["entries"]
        self.leader = Stand(part.hostname, part.port, self.room)
        self.stands = [Stand(part.hostname, part.port, self.room, more="&programme=1") for _ in range(options.stands)]
        self.sent = {}  # id of an event -> when it was sent
        self.arrived = {}  # id of an event -> seconds until each stand had it
        self.said = []
        self.joined = 0

    def hear(self, stand):
        messages = stand.read()
        if messages is None:
            asyncio.get_running_loop().remove_reader(stand.socket)
            return
        for message, arrived, _ in messages:
            if "snapshot" in message:
                self.joined += 1
            elif message.get("id") in self.sent:
                self.arrived[message["id"]].append(arrived - self.sent[message["id"]])
                asyncio.get_running_loop().create_task(self.say(stand, message))

    async def say(self, stand, message):
        await asyncio.to_thread(
            ask, self.options.server, "PUT", f"/api/rooms/{self.room}/stands/{stand.id}",
            {"score": message["openScore"]["score"], "part": 0, "page": 0, "settings": SETTINGS})
        self.said.append(time.time() - self.sent[message["id"]])

    async def run(self):
        loop = asyncio.get_running_loop()
        for stand in self.stands:
            loop.add_reader(stand.open(), self.hear, stand)
            await asyncio.sleep(0.002)
        self.leader.ready()
        deadline = time.time() + 20
        while self.joined < len(self.stands) and time.time() < deadline:
            await asyncio.sleep(0.05)
        for number in range(self.options.events):
            id = str(uuid.uuid4())
            self.arrived[id] = []
            self.sent[id] = time.time()
            await asyncio.to_thread(self.leader.send, {
                "v": 1, "id": id, "openScore": {"entry": self.entries[(number + 1) % 2]["id"]}})
            await asyncio.sleep(self.options.interval)
        lost = sum(len(self.stands) - len(each) for each in self.arrived.values())
        return {"load": load_average(), "stands": len(self.stands), "joined": self.joined,
                "events": self.options.events, "lost": lost,
                "openedMs": spread([each for all in self.arrived.values() for each in all]),
                "allMs": spread([max(all) for all in self.arrived.values() if all]), "saidMs": spread(self.said)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("server")
    parser.add_argument("--stands", type=int, default=100)
    parser.add_argument("--interval", type=float, default=1.5, help="seconds between switches")
    parser.add_argument("--events", type=int, default=20)
    options = parser.parse_args()
    if not 1 <= options.stands <= 2_000 or not 1 <= options.events <= 10_000:
        parser.error("1 to 2000 stands, 1 to 10000 events")
    figures = asyncio.run(Switching(options).run())
    for name in ("openedMs", "allMs", "saidMs"):
        row = figures[name]
        print(f"{name:10} median {row['median']:8.2f}  p99 {row['p99']:8.2f}  max {row['max']:8.2f}  of {row['count']}")
    print(json.dumps(figures))
    sys.exit(1 if figures["lost"] or figures["joined"] < options.stands else 0)


if __name__ == "__main__":
    main()
