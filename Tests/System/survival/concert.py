"""`survive concert`: a long evening of several pieces with random commands, kills and faults, and a watcher.

A listener's page and a musician's stand are open before the music is; the stand leaves its room and enters it again
all evening. The pieces come in their order, then one of them again as an encore, then the concert begins anew.
The first half has commands and faults but no kill, so that memory can be watched in one process; the second half
has kills too. What the watcher (a process of its own) finds wrong fails the run.
"""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from lib.processes import free_port
from lib.waiting import hold_for

from . import places
from .faults import start_mosquitto
from .operator import Operator
from .server import replay_differences
from .solo import Solo
from .stand import Musician
from .verdict import load_line, say, spread

ENCORE = 1  # the piece of the concert that is played once more at its end
LONGEST_SEARCH_SECONDS = 30.0


class Concert:
    def __init__(self, minutes, seed):
        self.seconds = minutes * 60
        self.random = random.Random(seed)
        self.mqtt = free_port() if shutil.which("mosquitto") else None
        self.broker = start_mosquitto(self.mqtt) if self.mqtt else None
        folders = places.concert()
        played = [*folders, folders[ENCORE]]
        self.solo = Solo(
            "concert", folders, recordings=[places.quick_recording(folder) for folder in played], mqtt=self.mqtt,
            words=["--advance", "any"])
        # The beginnings of the pieces within a turn, and whether each is out of the programme's order.
        self.beginnings, at = [], 0.0
        for number, audio in enumerate(self.solo.recordings):
            self.beginnings.append((at, number if number < len(folders) else ENCORE, number in (0, len(folders))))
            at += places.seconds(audio) + places.PAUSE_SECONDS
        self.present = (0, 0)  # turn, and place in it
        self.sought = None  # (since, piece): music that nobody announced, until it is followed
        self.found_after, self.missed = [], []
        self.memory = []  # (seconds, kilobytes, descriptors) of the process that runs
        self.kills = 0
        self.faults = {}
        self.told_lock = threading.Lock()
        self.watcher = subprocess.Popen(
            [sys.executable, "-m", "survival.watcher", "--port", str(self.solo.port), "--http", str(self.solo.http),
             "--data", self.solo.server.data],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.operator = Operator(self.solo, self.random, self.tell)
        self.musician = Musician(self.solo.http, self.random)

    def tell(self, what, **more):
        with self.told_lock:
            self.watcher.stdin.write(json.dumps({"at": time.monotonic(), "what": what, **more}) + "\n")
            self.watcher.stdin.flush()

    def run(self):
        self.tell("excuse", seconds=5)
        self.solo.first_start()
        self.musician.make_room()
        self.musician.visit()
        self.solo.until_following(60)
        self.began = time.monotonic()
        next_kill = self.seconds / 2
        next_fault = self.random.uniform(20, 60)
        next_look, next_visit = 0, 0
        while (gone := time.monotonic() - self.began) < self.seconds:
            if gone >= next_look:
                next_look = gone + 10
                self.memory.append((gone, self.solo.server.memory_kb, self.solo.server.descriptors, self.kills))
            self.listen_for_a_beginning()
            if self.sought:
                # The technician waits and sees, and so do the misfortunes.
                hold_for(0.2)  # between two looks
                continue
            if gone >= next_visit:
                self.musician.visit()
                next_visit = gone + self.random.uniform(1, 40)
            if gone >= next_kill:
                self.kill()
                next_kill = gone + self.random.uniform(20, 120)
            elif gone >= next_fault:
                self.trouble()
                next_fault = gone + self.random.uniform(30, 90)
            else:
                self.operator.work()
            if not self.solo.server.is_running:
                raise RuntimeError(f"the server ended by itself: {self.solo.server.said()[-800:]}")
            hold_for(self.random.expovariate(1 / 2.5))
        self.operator.calm()

    def listen_for_a_beginning(self):
        """An encore, and the concert's beginning again: nobody tells the server, and it must find them."""
        turn, within = divmod(time.time() - self.solo.began, self.solo.turn)
        number = max(n for n, (begins, _, _) in enumerate(self.beginnings) if begins <= within)
        now = time.monotonic()
        if (turn, number) > self.present:
            self.present = (turn, number)
            begins, piece, is_out_of_order = self.beginnings[number]
            if is_out_of_order and within - begins < 5:
                self.operator.calm()
                self.operator.order(["lock", "off"], "http")
                self.sought = (now, piece)
        if self.sought:
            since, piece = self.sought
            position = self.solo.console["position"] or {}
            if position.get("piece") == piece and position.get("mode") == "following":
                self.found_after.append(now - since)
                self.sought = None
            elif now - since > LONGEST_SEARCH_SECONDS:
                self.missed.append(f"piece {piece}: {position.get('mode')} in piece {position.get('piece')}")
                self.sought = None

    def kill(self):
        """In half of the cases in the middle of commands."""
        self.kills += 1
        pouring = None
        if self.random.random() < 0.5:
            def pour():
                for _ in range(5):
                    self.operator.order(["note", "in the middle"], "http")
            pouring = threading.Thread(target=pour)
            pouring.start()
            hold_for(self.random.uniform(0, 0.03))
        self.tell("killed")
        self.solo.server.kill()
        if pouring:
            pouring.join()
        self.solo.desk.close()
        started = self.solo.start()
        self.tell("started")
        self.solo.wait_for_console(started, 15)

    def trouble(self):
        kind = self.random.choice(["broker", "stop", "busy", "rubbish", "slow"])
        self.faults[kind] = self.faults.get(kind, 0) + 1
        getattr(self, "trouble_" + kind)()

    def trouble_broker(self):
        if not self.broker:
            return
        self.broker.kill()
        self.broker.wait()
        hold_for(self.random.uniform(0.5, 4))
        self.broker = start_mosquitto(self.mqtt)

    def trouble_stop(self):
        pause = self.random.uniform(0.2, 2)
        self.tell("excuse", seconds=pause + 1)
        self.solo.server.send(signal.SIGSTOP)
        hold_for(pause)
        self.solo.server.send(signal.SIGCONT)

    def trouble_busy(self):
        seconds = self.random.uniform(2, 6)
        self.tell("excuse", seconds=seconds + 1)
        spinners = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * os.cpu_count())]
        hold_for(seconds)
        for spinner in spinners:
            spinner.kill()
            spinner.wait()

    def trouble_rubbish(self):
        """Bytes that mean nothing, to every door."""
        desk = self.solo.osc_desk()
        for _ in range(100):
            desk.send_raw(self.random.randbytes(self.random.randrange(1, 3000)))
        desk.close()
        for port in (self.solo.http, self.solo.osc):
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1) as door:
                    door.sendall(self.random.randbytes(20_000))
            except OSError:
                pass

    def trouble_slow(self):
        """Consoles that listen and take nothing."""
        doors = []
        for _ in range(5):
            door = socket.create_connection(("127.0.0.1", self.solo.http), timeout=1)
            door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            door.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            doors.append(door)
        hold_for(3)  # what they do not take piles up
        for door in doors:
            door.close()

    def end(self):
        """The watcher's findings."""
        said = {}
        try:
            self.log_bytes = sum(
                os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(self.solo.server.data)
                for name in names if name.startswith("log-"))
            self.watcher.stdin.close()
            text = self.watcher.stdout.read()
            self.watcher.wait(60)
            said = json.loads(text) if text.strip() else {}
        finally:
            self.musician.close()
            self.ended_well = self.solo.end()
            if self.watcher.poll() is None:
                self.watcher.kill()
            if self.broker:
                self.broker.kill()
                self.broker.wait()
        return said

    def growth(self):
        """Kilobytes an hour of the longest-lived process, its first two minutes left out; None if too short."""
        lives = {}
        for gone, kilobytes, descriptors, life in self.memory:
            lives.setdefault(life, []).append((gone, kilobytes, descriptors))
        if not lives:
            return None
        life = max(lives.values(), key=lambda looks: looks[-1][0] - looks[0][0])
        looks = [look for look in life if look[0] >= life[0][0] + 120]
        if len(looks) < 6:
            return None
        times, sizes = [look[0] / 3600 for look in looks], [look[1] for look in looks]
        middle, level = sum(times) / len(times), sum(sizes) / len(sizes)
        slope = sum((t - middle) * (s - level) for t, s in zip(times, sizes)) / sum((t - middle) ** 2 for t in times)
        return slope, looks


def run(minutes, seed, report, verdict):
    seed = seed if seed is not None else random.randrange(1 << 30)
    say(f"concert: {minutes:g} minutes, seed {seed}, {load_line()}")
    concert = Concert(minutes, seed)
    broken = None
    try:
        concert.run()
    except (RuntimeError, OSError) as error:
        broken = str(error)
    said = concert.end()
    verdict.claim("concert: the server ran to the end", broken is None, broken or "")
    verdict.claim("concert: the watcher reported", bool(said))
    verdict.claim("concert: the server ends as asked", concert.ended_well)
    kinds = {}
    for violation in said.get("violations", []):
        kinds.setdefault(violation["kind"], []).append(violation["sentence"])
    names = {
        "count": "counts of packets rise", "back": "nothing goes back unasked", "lost": "lost, what is shown stays",
        "gap": "no gap while live", "restart": "restarts in time", "agreement": "packets and console agree",
        "epoch": "the epoch never falls", "unknown": "every measure exists",
        "page": "a listener's page opened before the music says what packets say"}
    for kind, name in names.items():
        wrong = kinds.get(kind, [])
        verdict.claim(f"concert: {name}", not wrong, f"{len(wrong)} times; " + "; ".join(wrong[:3]) if wrong else "")
    if concert.found_after or concert.missed:
        verdict.claim("concert: an encore, and the concert again, are found", not concert.missed,
                      "; ".join(concert.missed[:3]) or spread([1000 * took for took in concert.found_after]))
    musician = concert.musician
    verdict.claim("concert: a room entered again holds what was written", musician.visits > 1 and not musician.wrong,
                  f"{musician.visits} visits; " + "; ".join(musician.wrong[:3]))
    wrong = replay_differences(concert.solo.server)
    verdict.claim("concert: the show log replays without a difference", not wrong, "; ".join(wrong[:2]))
    hours = minutes / 60
    grown = concert.growth()
    if grown:
        slope, looks = grown
        (first, small, few), (last, large, many) = looks[0], looks[-1]
        say(f"memory: {small / 1024:.0f} MB to {large / 1024:.0f} MB over {(last - first) / 60:.0f} minutes of one "
            f"process ({slope / 1024:+.1f} MB an hour), descriptors {few} to {many}")
        if looks[-1][0] - looks[0][0] >= 600:
            verdict.claim("concert: memory is flat", slope < 20 * 1024, f"{slope / 1024:+.1f} MB an hour")
            verdict.claim("concert: no descriptor is left open", looks[-1][2] <= looks[0][2] + 5, "")
    say(f"log: {concert.log_bytes / 1e6 / hours:.2f} MB an hour")
    say(f"operator: {concert.operator.counts}, kills {concert.kills}, faults {concert.faults}")
    figures = {key: value for key, value in said.items() if key != "violations"}
    say("watcher: " + json.dumps(figures, ensure_ascii=False))
    for violation in said.get("violations", [])[:10]:
        say(f"  {violation}")
    if report:
        with open(report, "w", encoding="utf-8") as file:
            json.dump({"seed": seed, "minutes": minutes, "memory": concert.memory, "watcher": said}, file)
    say(load_line())
