#!/usr/bin/env python3
"""Many people search a long diary at once; says how soon each answer came.

    BATON=path/to/baton python3 Tests/System/load/diary.py --data FOLDER [--clients 50] [--pause 1] [--seconds 20]
                                                    [--varied]

FOLDER holds an imported diary (`baton diary import FORMAT FILE… --data FOLDER`). The tool starts its own server on it.
Each client has its own address in 127.0.0.0/8 and its own connection, asks for what a person would type into the
search of the page /diary, reads the answer, and waits `--pause` seconds before the next; 0 asks without waiting.
They ask 200 different questions, most of them often; with --varied, names of the diary at random, hardly one of them
twice, so that no answer is known to the server. First it measures one client alone. It also gives the processor time of
the server for each answer, which other programs on the machine hardly change. Status 1 if an answer was refused.
"""
import argparse
import contextlib
import http.client
import random
import re
import sqlite3
import sys
import threading
import time
from urllib.parse import quote, urlsplit

from lib.figures import Process
from lib.servers import Server
from stands import load_average, spread

WORDS = ["Mahler", "Bernstein", "Beethoven", "Carnegie Hall", "Brahms", "Dvorak symphony", "Strauss", "London",
         "Mozart piano", "Toscanini", "Wagner", "Philharmonic Hall", "Boulez", "Ravel", "Tchaikovsky", "1943", "violin",
         "Lincoln", "Stravinsky", "Sibelius", "opera", "Berlioz", "Prelude", "Walter", "Tokyo"]
YEARS = range(1850, 2025)
# The actions of a person: mostly types into the search, sometimes goes to a year of the timeline.
SEARCHES_OF_FIVE = 4


def names(data):
    """The names of people, works and halls of a diary as they are typed: one or two words of each."""
    with contextlib.closing(sqlite3.connect(f"file:{data}/diary.sqlite?mode=ro", uri=True)) as diary:
        found = [row[0] for row in diary.execute("SELECT text FROM name WHERE kind <> 4")]
    return [" ".join(words[:2]) for words in (re.findall(r"[^\W\d_]{3,}", name) for name in found) if words]


def questions(seed, words):
    """Endless addresses, the same for each seed."""
    chance = random.Random(seed)
    while True:
        if chance.randrange(5) < SEARCHES_OF_FIVE:
            yield "/api/diary/search?q=" + quote(chance.choice(words))
        else:
            yield f"/api/diary/timeline?year={chance.choice(YEARS)}"


class Client(threading.Thread):
    """One person at one address."""

    def __init__(self, base, number, pause, end, words):
        super().__init__(daemon=True)
        self.place, self.number, self.pause, self.end = urlsplit(base), number, pause, end
        self.words, self.seconds, self.refused = words, [], []

    def run(self):
        connection = http.client.HTTPConnection(
            self.place.hostname, self.place.port, timeout=60,
            source_address=(f"127.1.{self.number // 200}.{self.number % 200 + 1}", 0))
        chance = random.Random(-self.number)
        time.sleep(chance.random() * self.pause)
        for path in questions(self.number, self.words):
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


def measure(server, clients, pause, seconds, words):
    end = time.monotonic() + seconds
    people = [Client(server.base, number, pause, end, words) for number in range(clients)]
    process = Process(server.process.pid)
    before = process.processor_seconds
    for one in people:
        one.start()
    for one in people:
        one.join()
    times = [each for one in people for each in one.seconds]
    refused = [each for one in people for each in one.refused]
    each = (process.processor_seconds - before) * 1e3 / max(len(times), 1)
    print(f"{clients} clients, pause {pause:g} s: {spread(times)} ms, {each:.2f} ms of the server's processor each, "
          f"{process.resident_kb >> 10} MB, load {load_average()}", flush=True)
    for status, path in refused[:3]:
        print(f"refused with {status}: {path}")
    return not refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data folder with an imported diary")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--varied", action="store_true")
    chosen = parser.parse_args()
    words = names(chosen.data) if chosen.varied else WORDS
    server = Server(None, "--no-listen-osc", "--no-record", "--ttl", "0", data=chosen.data).start()
    try:
        good = measure(server, 1, 0.0 if chosen.pause == 0 else 0.1, chosen.seconds / 4, words)
        good = measure(server, chosen.clients, chosen.pause, chosen.seconds, words) and good
    finally:
        server.stop()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
