#!/usr/bin/env python3
"""Many people search a long diary at once; says how soon each answer came.

    BATON=path/to/baton python3 Tools/load/diary.py --data FOLDER [--clients 50] [--pause 1] [--seconds 20]

FOLDER holds an imported diary (`baton diary import FORMAT FILE… --data FOLDER`). The tool starts its own server on it.
Each client has its own address in 127.0.0.0/8 and its own connection, asks for what a person would type into the
search of the page /diary, reads the answer, and waits `--pause` seconds before the next; 0 asks without waiting.
First it measures one client alone. Status 1 if an answer was refused.
"""
import argparse
import http.client
import random
import sys
import threading
import time
from urllib.parse import quote, urlsplit

from lib.servers import Server
from stands import load_average, spread

WORDS = ["Mahler", "Bernstein", "Beethoven", "Carnegie Hall", "Brahms", "Dvorak symphony", "Strauss", "London",
         "Mozart piano", "Toscanini", "Wagner", "Philharmonic Hall", "Boulez", "Ravel", "Tchaikovsky", "1943", "violin",
         "Lincoln", "Stravinsky", "Sibelius", "opera", "Berlioz", "Prelude", "Walter", "Tokyo"]
YEARS = range(1850, 2025)
# What a person does: mostly types into the search, sometimes goes to a year of the timeline.
SEARCHES_OF_FIVE = 4


def questions(seed):
    """Endless addresses, the same for each seed."""
    chance = random.Random(seed)
    while True:
        if chance.randrange(5) < SEARCHES_OF_FIVE:
            yield "/api/diary/search?q=" + quote(chance.choice(WORDS))
        else:
            yield f"/api/diary/timeline?year={chance.choice(YEARS)}"


class Client(threading.Thread):
    """One person at one address."""

    def __init__(self, base, number, pause, end):
        super().__init__(daemon=True)
        self.place, self.number, self.pause, self.end = urlsplit(base), number, pause, end
        self.seconds, self.refused = [], []

    def run(self):
        connection = http.client.HTTPConnection(
            self.place.hostname, self.place.port, timeout=60,
            source_address=(f"127.1.{self.number // 200}.{self.number % 200 + 1}", 0))
        chance = random.Random(-self.number)
        time.sleep(chance.random() * self.pause)
        for path in questions(self.number):
            if time.monotonic() >= self.end:
                break
            begun = time.monotonic()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            self.seconds.append(time.monotonic() - begun)
            if answer.status != 200:
                self.refused.append((answer.status, path))
            time.sleep(self.pause * (0.5 + chance.random()))
        connection.close()


def measure(base, clients, pause, seconds):
    end = time.monotonic() + seconds
    people = [Client(base, number, pause, end) for number in range(clients)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    times = [each for one in people for each in one.seconds]
    refused = [each for one in people for each in one.refused]
    print(f"{clients} clients, pause {pause:g} s: {spread(times)} ms, load {load_average()}",
          flush=True)
    for status, path in refused[:3]:
        print(f"refused with {status}: {path}")
    return not refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data folder with an imported diary")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args()
    server = Server(None, "--no-listen-osc", "--no-record", "--ttl", "0", data=chosen.data).start()
    try:
        good = measure(server.base, 1, 0.0 if chosen.pause == 0 else 0.1, chosen.seconds / 4)
        good = measure(server.base, chosen.clients, chosen.pause, chosen.seconds) and good
    finally:
        server.stop()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
