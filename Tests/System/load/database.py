#!/usr/bin/env python3
"""Measures where the program's databases end: rows, writers, and how long people wait.

    BATON=path/to/baton python3 Tests/System/load/database.py [--rows 10000,100000,1000000] [--seconds 5]

A server makes its databases, with their tables, indexes and triggers; this tool fills them and measures as the program
uses them: one writer at a time, each change on the disk before it is acknowledged (WAL, synchronous = FULL), readers
beside it. Remarks are spread over 100 scores; a reader asks for the hundred newest of a score. Concerts of the diary
are spread over 150 years; a reader asks for forty of a year. Prints a line for each number of rows and writers.
"""
import argparse
import contextlib
import os
import pathlib
import queue
import random
import shutil
import sqlite3
import tempfile
import threading
import time

from lib.figures import percentile
from lib.servers import Server

CONTENT = '{"anchor":[1234,5678],"page":3,"shape":{"stamp":"breath"},"ink":{"colour":"#1a4fd6","width":30}}' * 2
REMARK = ("INSERT INTO scoreRemark (score, layer, id, author, content, words, revision, isErased) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, 0)")
CONCERT = ("INSERT INTO concert (id, programme, position, date, time, ensemble, place, visibility, document) "
           "VALUES (?, ?, 0, ?, 1930, 1, 'Hall', 2, ?)")
NEWEST = "SELECT content FROM scoreRemark WHERE score = ? AND revision > ? ORDER BY revision LIMIT 100"
YEAR = "SELECT document FROM concert WHERE date BETWEEN ? AND ? ORDER BY date, time LIMIT 40"


class Remarks:
    table, column, name = "scoreRemark", "words", "remarks"

    def __init__(self, base):
        self.base = base

    def write(self, link, number):
        link.execute(REMARK, self.row(number))

    def row(self, number):
        return (f"score-{number % 100}", f"layer-{number % 700}", f"remark-{number:09}", f"player-{number % 90}",
                CONTENT, "breathe" if number % 9 == 0 else None, number)

    def fill(self, link, numbers):
        link.executemany(REMARK, map(self.row, numbers))

    def read(self, link, chance, rows):
        return link.execute(NEWEST, (f"score-{chance.randrange(100)}", rows - 10_000)).fetchall()


class Concerts:
    table, column, name = "concert", "ensemble", "concerts"

    def __init__(self, base):
        self.base = base

    def write(self, link, number):
        self.fill(link, [number])

    def fill(self, link, numbers):
        for number in numbers:
            link.execute("INSERT INTO programme (number, id, visibility, document) VALUES (?, ?, 2, ?)",
                         (number + 10**6, f"programme-{number}", CONTENT))
            link.execute(CONCERT, (f"concert-{number}", number + 10**6, date(number), CONTENT))

    def read(self, link, chance, rows):
        year = 1875 + chance.randrange(150)
        return link.execute(YEAR, (year * 10_000, year * 10_000 + 1231)).fetchall()


def date(number):
    return (1875 + number % 150) * 10_000 + (1 + number % 12) * 100 + 1 + number % 28


def opened(path):
    link = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
    link.execute("PRAGMA synchronous = FULL")
    return link


def measure(kind, rows, writers, seconds):
    """People who each write again and again, one after another as the program's queue has them, and one who reads."""
    waits, reads, todo, end = [], [], queue.Queue(), time.monotonic() + seconds
    numbers = iter(range(rows + random.randrange(10**7), 10**9))

    def keep():
        """The program's queue: first come, first served."""
        with contextlib.closing(opened(kind.base)) as link:
            while done := todo.get():
                link.execute("BEGIN IMMEDIATE")
                kind.write(link, next(numbers))
                link.execute("COMMIT")
                done.set()

    def write():
        while (begun := time.monotonic()) < end:
            done = threading.Event()
            todo.put(done)
            done.wait()
            waits.append(time.monotonic() - begun)

    def read():
        chance, reader = random.Random(1), opened(kind.base)
        while (begun := time.monotonic()) < end:
            kind.read(reader, chance, rows)
            reads.append(time.monotonic() - begun)
            time.sleep(0.02)

    keeper = threading.Thread(target=keep)
    keeper.start()
    threads = [threading.Thread(target=write) for _ in range(writers)] + [threading.Thread(target=read)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    todo.put(None)
    keeper.join()
    ms = [percentile(times, share) * 1e3 for times in (waits, reads) for share in (0.5, 0.99)]
    print(f"{rows:>9,} {kind.name:<9} {os.path.getsize(kind.base) / 1e6:>6.0f} MB  {writers:>3} writers: "
          f"{len(waits) / seconds:>6,.0f} a second, {ms[0]:.1f} / {ms[1]:.1f} ms; "
          f"reading {ms[2]:.1f} / {ms[3]:.1f} ms (p50 / p99); load {os.getloadavg()[0]:.1f}", flush=True)


def with_table(folder, table, column):
    for path in sorted(pathlib.Path(folder).rglob("*.sqlite")):
        with contextlib.closing(sqlite3.connect(path)) as link:
            if column in {row[1] for row in link.execute(f"PRAGMA table_info({table})")}:
                return path
    raise SystemExit(f"no database has the table {table} with {column}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="10000,100000,1000000")
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    data = tempfile.mkdtemp(prefix="baton-database-", dir=os.environ.get("TMPDIR"))
    try:
        Server(None, "--no-listen-osc", "--no-record", "--ttl", "0", data=data).start().stop()
        for kind in (each(with_table(data, each.table, each.column)) for each in (Concerts, Remarks)):
            done = 0
            for rows in map(int, options.rows.split(",")):
                with contextlib.closing(opened(kind.base)) as link:
                    link.execute("BEGIN")
                    kind.fill(link, range(done, rows))
                    link.execute("COMMIT")
                done = rows
                for writers in (1, 16):
                    measure(kind, rows, writers, options.seconds)
    finally:
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
