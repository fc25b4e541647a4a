"""`survive gateway`: a desk's GO passes the pair once, whatever happens to the server that leads.

A desk sends every GO to both servers, as show control with two addresses does, and nobody repeats one. The GO fires a
cue that only it names; the cue's own message goes to a receiver that is no part of Baton. Judged is: what was
acknowledged has arrived, and nothing has arrived twice.
"""

import contextlib
import csv
import io
import random
import select
import signal
import socket
import threading
import time

from lib import osc
from lib.waiting import hold_for

from . import namespaces
from .couple import Couple
from .verdict import say, skip, spread

DESK_PORT, RECEIVER_PORT = 9120, 9130
KINDS = ["kill", "stop", "cut"]
TAKEOVERS_OF_A_COUPLE = 5
PAUSE = 0.7  # seconds between two GOs; Baton refuses one within half a second of a cue
OPTIONS = ["--osc", f"0.0.0.0:{DESK_PORT}", "--osc-allow", "10.77.0.0/24",
           "--osc-cue-target", f"foreign={namespaces.HALL_ADDRESS}:{RECEIVER_PORT}"]


class Desk(threading.Thread):
    """Sends numbered GOs until it is told to end; keeps the servers' answers and the messages that the receiver got."""

    def __init__(self, hall, cues):
        super().__init__(daemon=True)
        self.hall, self.cues = hall, cues
        self.sent = {}  # by number: when
        self.answers = {}  # by number: the answers' addresses, by server
        self.received = []  # (when, number, the server that sent it)
        self.is_ended = False
        self.receiver = self.socket(RECEIVER_PORT)
        self.open = {}  # sockets of GOs, each with its number: an answer comes to the port that asked
        self.lock = threading.Lock()

    def socket(self, port=0):
        def make():
            made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            made.bind((namespaces.HALL_ADDRESS, port))
            return made
        return self.hall.within("hall", make)

    def go(self):
        """One GO, to both servers."""
        with self.lock:
            number = len(self.sent)
            if number >= self.cues:
                return
            one = self.socket()
            self.open[one] = number
            self.sent[number] = time.monotonic()
        for address in namespaces.ADDRESSES.values():
            with contextlib.suppress(OSError):  # a cable that is out
                one.sendto(osc.message("/baton/go", f"go-{number}"), (address, DESK_PORT))

    def run(self):
        due = time.monotonic()
        while not self.is_ended:
            if time.monotonic() >= due:
                due += PAUSE
                self.go()
            self.hear(0.02)

    def hear(self, seconds):
        for ready in select.select([self.receiver, *self.open], [], [], seconds)[0]:
            try:
                packet, (address, _) = ready.recvfrom(65535)
            except OSError:
                continue
            if ready is self.receiver:
                if osc.address(packet) == "/foreign/go":
                    self.received.append((time.monotonic(), int.from_bytes(packet[-4:], "big"), address))
            else:
                self.answers.setdefault(self.open[ready], {})[address] = osc.address(packet)

    def end(self):
        self.is_ended = True
        self.join()
        self.hear(0.5)
        for one in [self.receiver, *self.open]:
            one.close()


def add_cues(couple, count):
    """Puts cues into the running show that only their own GO fires."""
    desk = couple.desks["main"]
    _, text = desk.request("GET", "/api/cues/0.csv")
    rows = list(csv.reader(io.StringIO(text)))
    heads = rows[0]
    first = rows[1]
    for number in range(count):
        values = {"name": f"go-{number}", "kind": "osc", "auto": "no", "target": "foreign",
                  "payload": f"/foreign/go {number}", "place": "1"}
        rows.append([values.get(head, first[place] if head == "piece" else "0" if head.startswith("earl") else "")
                     for place, head in enumerate(heads)])
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    status, answer = desk.request("PUT", "/api/cues/0", out.getvalue().encode())
    if status != 200:
        raise RuntimeError(f"the cues were refused: {answer}")


class Gateway:
    """One couple and several takeovers."""

    def __init__(self, hall, ears, number, kinds, seed):
        self.random = random.Random(seed)
        self.hall, self.kinds = hall, kinds
        self.couple = Couple(hall, ears, f"gateway-{number}", seed, OPTIONS)
        self.desk = None
        self.wrong, self.takeovers, self.gaps = [], 0, []
        self.events = []  # (when, what happened)

    def run(self):
        try:
            self.couple.start(60)
            add_cues(self.couple, 150)
            self.need_followed("backup")
            self.desk = Desk(self.hall, 150)
            self.desk.start()
            for kind in self.kinds:
                self.take_over(kind)
        except (RuntimeError, OSError) as error:
            self.wrong.append(f"the trial broke off: {error}")
        finally:
            for who in namespaces.ADDRESSES:
                self.hall.cable(who, True)
            if self.desk:
                hold_for(1)
                self.desk.end()
            self.couple.end()
        if self.desk:
            self.judge()
        return self

    def need_followed(self, who):
        self.couple.need(lambda: self.couple.is_followed(who), 60, f"{who} does not follow")

    def take_over(self, kind):
        """Something happens to the leading server within 30 ms before or after a GO."""
        couple = self.couple
        leader, other = ("main", "backup") if couple.role("main") == "main" else ("backup", "main")
        self.need_followed(other)
        hold_for(self.random.uniform(0.6, 2))
        is_before = self.random.random() < 0.5
        if is_before:
            self.desk.go()
            hold_for(self.random.uniform(0, 0.03))
        at = time.monotonic()
        self.events.append((at, f"{kind} {leader}"))
        back = getattr(self, kind)(leader)
        if not is_before:
            hold_for(self.random.uniform(0, 0.03))
            self.desk.go()
        couple.need(lambda: couple.role(other) == "main", 30, f"{other} does not take over after {kind}")
        self.gaps.append(time.monotonic() - at)
        self.takeovers += 1
        hold_for(self.random.uniform(0.5, 2.5))
        self.events.append((time.monotonic(), f"{kind} over"))
        back()
        self.need_followed(leader)

    def kill(self, who):
        server = self.couple.servers[who]
        server.kill()
        return server.start

    def stop(self, who):
        server = self.couple.servers[who]
        server.send(signal.SIGSTOP)
        return lambda: server.send(signal.SIGCONT)

    def cut(self, who):
        self.hall.cable(who, False)
        return lambda: self.hall.cable(who, True)

    def judge(self):
        desk = self.desk
        arrived = [number for _, number, _ in desk.received]
        self.done = {number for number, answers in desk.answers.items() if "/baton/reply" in answers.values()}
        self.twice = sorted({number for number in arrived if arrived.count(number) > 1})
        self.lost = sorted(self.done - set(arrived))
        self.silent = sorted(set(arrived) - self.done)  # carried out, and the answer did not come
        if self.twice:
            self.wrong += [self.story(number) for number in self.twice]
        if self.lost:
            self.wrong.append(f"acknowledged and not arrived: {self.lost}")


    def story(self, number):
        """When a GO that arrived twice was sent and arrived, and what happened around it."""
        sent = self.desk.sent[number]
        arrivals = [f"from {sender} after {1000 * (at - sent):.0f} ms" for at, other, sender in self.desk.received
                    if other == number]
        near = [f"{what} {1000 * (at - sent):.0f} ms" for at, what in self.events if abs(at - sent) < 6]
        return f"GO {number} arrived twice: {', '.join(arrivals)}; {'; '.join(near)}"


def run(trials, seed, only, verdict):
    """`trials` is the number of takeovers."""
    why = namespaces.why_not()
    if why:
        skip("gateway", why)
        return None
    seed = seed if seed is not None else random.randrange(1 << 30)
    say(f"gateway: {trials} takeovers, seed {seed}")
    kinds = only or KINDS
    counts = dict.fromkeys(("sent", "acknowledged", "arrived", "twice", "lost", "silent"), 0)
    hall, gaps, done = namespaces.Hall(), [], 0
    try:
        while done < trials:
            some = [kinds[(done + place) % len(kinds)] for place in range(min(TAKEOVERS_OF_A_COUPLE, trials - done))]
            trial = Gateway(hall, None, done, some, seed + done).run()
            done += len(some)
            gaps += [1000 * gap for gap in trial.gaps]
            if trial.desk:
                for name, found in (("sent", trial.desk.sent), ("acknowledged", trial.done),
                                    ("arrived", {number for _, number, _ in trial.desk.received}),
                                    ("twice", trial.twice), ("lost", trial.lost), ("silent", trial.silent)):
                    counts[name] += len(found)
            verdict.claim(f"gateway {done - len(some)} {' '.join(some)}",
                          not trial.wrong and trial.takeovers == len(some), "; ".join(trial.wrong[:4]))
    finally:
        hall.remove()
    say(f"GOs: {counts}")
    if gaps:
        say(f"until the other server led: {spread(gaps)}")
    return verdict
