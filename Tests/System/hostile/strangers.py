"""The cost to the evening that people without an account, and programs of those who have one, may cause."""

import http.client
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import threading
import time
import urllib.parse

from lib import web
from lib.figures import Process
from lib.processes import end, free_port
from lib.repository import ROOT, program
from lib.waiting import hold_for, wait_for

from .hall import PASSPHRASE, PIECE, RECORDING, Hall
from .trial import Trial

HEAD_BYTES = 16_000


def strangers(hall):
    yield Trial("strangers: 341 requests of 16 KB for one piece beside a technician's command",
                lambda: pieces(hall, hall.pieces()[0], 341), is_quick)
    yield Trial("strangers: 30 requests of 16 KB for a large piece beside a technician's command",
                lambda: pieces(hall, large_piece(hall), 30), is_quick)
    yield Trial("strangers: 60 addresses guess after a restart, the technician signs in 20 times",
                restart, lambda said: said.startswith("20 of 20"))
    yield Trial("25 calls of baton ctl beside an open console", lambda: calls(hall),
                lambda said: said.startswith("25 of 25 obeyed, the console goes on"))
    yield Trial("OSC on every address, without a list of senders and without a passphrase",
                lambda: refused(hall, "--osc", f"0.0.0.0:{free_port()}"), lambda said: "--osc-allow" in said)
    yield Trial("commands from an MQTT broker without sign-in and TLS",
                lambda: refused(hall, "--mqtt", "127.0.0.1:1883", "--mqtt-commands"),
                lambda said: "--mqtt-user" in said)


def query(name):
    """One name as often as 16 KB hold it, at most as often as is taken."""
    one = "=" + urllib.parse.quote(name)
    parts, length = [], 0
    while length + len(one) + 13 < HEAD_BYTES and len(parts) < 200:
        parts.append(f"database{len(parts)}{one}")
        length += len(parts[-1]) + 1
    return "/getData.php?" + "&".join(parts)


def resident(hall):
    """MB of memory that the server holds now."""
    return Process(hall.server.process.pid).resident_kb // 1024


class Technician:
    """Gives a command after the other, each on a connection of its own, and measures the answers in ms."""

    def __init__(self, hall):
        self.hall, self.cookie = hall, hall.sign_in("theo")
        self.waits, self.failures, self.is_over = [], 0, False
        self.most = 0
        self.thread = threading.Thread(target=self.work, daemon=True)

    def command(self):
        began = time.monotonic()
        code, _ = self.hall.ask("POST", "/api/command", json.dumps({"command": "note", "arguments": ["trial"]}),
                                headers={"Cookie": self.cookie}, timeout=120)
        self.failures += code != 200
        return (time.monotonic() - began) * 1000

    def work(self):
        while not self.is_over:
            try:
                self.waits.append(self.command())
            except OSError:
                self.failures += 1
            self.most = max(self.most, resident(self.hall))
            hold_for(0.02)  # between two commands


def fetch(port, path, counts):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=120) as link:
            link.sendall(f"GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n".encode())
            first = link.recv(65536)
            got = len(first)
            while chunk := link.recv(1 << 20):
                got += len(chunk)
            counts.append((first[9:12].decode(), got))
    except OSError:
        counts.append(("---", 0))


def crowd(port, path, count, results):
    """All requests at once; a process of its own, so that its threads do not take the technician's time."""
    counts = []
    threads = [threading.Thread(target=fetch, args=(port, path, counts)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(counts)


def pieces(hall, name, count):
    technician, results = Technician(hall), multiprocessing.Queue()
    calm = [technician.command() for _ in range(20)]
    before = resident(hall)
    process = multiprocessing.Process(target=crowd, args=(hall.port, query(name), count, results))
    began = time.monotonic()
    technician.thread.start()
    process.start()
    counts = results.get()
    process.join()
    seconds = time.monotonic() - began
    technician.is_over = True
    technician.thread.join()
    answered = sum(code == "200" for code, _ in counts)
    return (f"slowest command {max(technician.waits):.0f} ms (calm: {max(calm):.0f}), median "
            f"{statistics.median(technician.waits):.0f} ms, {technician.failures} failed; {answered} of {count} "
            f"answered in "
            f"{seconds:.1f} s, {sum(size for _, size in counts) >> 10} KB; memory +{max(0, technician.most - before)} "
            f"MB")


def is_quick(said):
    slowest, calm = float(said.split()[2]), float(said.split("calm: ")[1].split(")")[0])
    grown = int(said.rsplit("+", 1)[1].split()[0])
    # A machine that is busy with other things is slow when all is calm, too.
    return slowest <= max(100, 3 * calm) and " 0 failed" in said and grown <= 64


def large_piece(hall):
    """The name of a piece of 20,000 slides, some 5 MB, which is added to what listeners find."""
    words = "An oboe sings above the strings, and the horns answer it from far away; then all are silent. " * 2
    slides = "".join(f"<page><time>{n / 10}</time><measure>1</measure><text>{n} {words}</text></page>"
                     for n in range(19_000))
    name = "Trial, A large piece: Whole"
    body = (f"<concert><piece><name>{name}</name><measures>1</measures><track><name>NumSeconds</name><page><time>0.5"
            f"</time><measure>1</measure><text>0.5</text></page></track><track><name>T</name>{slides}</track></piece>"
            "</concert>")
    code, said = hall.ask("POST", f"/api/edit/concerts/{hall.concert}/import", body,
                          headers={"Content-Type": "application/xml"}, timeout=300)
    if code != 200:
        raise OSError(f"the large piece is not taken: {code} {said[:200]}")
    wait_for(lambda: name in hall.pieces(), 60, "listeners find the large piece")
    return name


def sign_in(hall, password, address, name="theo"):
    """The status of a sign-in from an address; 0 if nobody answers."""
    try:
        return web.ask(hall.base, "POST", "/api/login", {"name": name, "password": password}, source=address,
                       timeout=30).status
    except OSError:
        return 0


def restart():
    # A hall of its own: the listeners of the other must not be thrown out.
    with Hall() as hall:
        return guessed_after_restart(hall)


def guessed_after_restart(hall):
    sign_in(hall, PASSPHRASE, "127.0.0.1")
    hall.restart()
    is_over = threading.Event()

    def guess(address):
        number = 0
        while not is_over.is_set():
            number += 1
            sign_in(hall, f"wrong words number {number}", address)
            is_over.wait(0.5)

    threads = [threading.Thread(target=guess, args=(f"127.0.7.{number}",)) for number in range(1, 61)]
    for thread in threads:
        thread.start()
    hold_for(3)  # the guesses pile up
    results = []
    for _ in range(20):
        # A server whose hashing is busy says so; whoever knows the passphrase tries once more.
        status = 503
        for _ in range(5):
            status = sign_in(hall, PASSPHRASE, "127.0.0.1")
            if status != 503:
                break
            hold_for(1)  # as a person does before the next try
        results.append(status)
        hold_for(0.2)  # between two sign-ins
    stranger = sign_in(hall, PASSPHRASE, "127.0.8.1")
    is_over.set()
    for thread in threads:
        thread.join()
    others = sorted({code for code in results if code != 200})
    return (f"{results.count(200)} of 20 signed in{f', others {others}' if others else ''}; from an address never "
            f"seen: "
            f"{stranger}")


def calls(hall):
    console = http.client.HTTPConnection("127.0.0.1", hall.port, timeout=30)
    cookie = hall.sign_in("theo")
    console.request("GET", "/api/events", headers={"Cookie": cookie})
    stream = console.getresponse()
    stream.readline()
    environment = {**os.environ, "BATON_PASSPHRASE": PASSPHRASE, "BATON_USER": "theo",
                   "BATON_SERVER": f"http://127.0.0.1:{hall.port}"}
    obeyed = sum(subprocess.run([program(), "ctl", "note", f"call {number}"], env=environment, capture_output=True,
                                timeout=60).returncode == 0 for number in range(25))
    # The stream asks every 15 s whether its reader is still signed in.
    end, beats = time.monotonic() + 20, 0
    try:
        while time.monotonic() < end and (line := stream.readline()):
            beats += line.startswith(b"event: beat")
        goes_on = time.monotonic() >= end
    except OSError:
        goes_on = False
    console.close()
    code, _ = hall.ask("GET", "/api/me", headers={"Cookie": cookie})
    return (f"{obeyed} of 25 obeyed, the console {'goes on' if goes_on and code == 200 else 'was thrown out'} "
            f"({beats} beats, /api/me {code})")


def refused(hall, *words):
    """The output of a start with these arguments; it must end by itself."""
    process = subprocess.Popen(
        [program(), "serve", PIECE, "--live", RECORDING, "--data", hall.folder / "other", "--http",
         f"127.0.0.1:{free_port()}", "--no-multicast", *words], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    try:
        said, _ = process.communicate(timeout=20)
        return f"status {process.returncode}: {said[-300:]}"
    except subprocess.TimeoutExpired:
        end(process)
        return "it started"
