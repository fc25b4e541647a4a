"""Places that are given before the caller is known: strangers take all they can, then those of the house come."""

import contextlib
import json
import socket
import struct
import subprocess
import threading
import time

from lib import web
from lib.repository import ROOT, program
from lib.waiting import hold_for, until

from .crowd import Crowd, request
from .hall import CODE, PASSPHRASE
from .trial import Trial

PLAYERS = 80
SIGN_IN_SECONDS = 10
SCREEN = "127.0.30.1"  # the hall's, which was there before the strangers


def places(hall):
    yield Trial("three addresses take the screens' places", lambda: screens(hall), holds, letters=600)
    yield Trial("twelve addresses without a code hold the presenting port", lambda: port(hall), holds, letters=600)
    yield Trial("a stranger behind the same router guesses the speakers' code", lambda: code(hall), holds, letters=600)
    yield Trial(f"an orchestra of {PLAYERS} signs in behind one router",
                lambda: orchestra(hall, "one", lambda _: "127.0.40.1"), holds, letters=600)
    yield Trial(f"an orchestra of {PLAYERS} signs in from {PLAYERS} addresses",
                lambda: orchestra(hall, "many", lambda number: f"127.0.41.{number}"), holds, letters=600)


def holds(said):
    return said.startswith("ok")


def judged(is_right, said):
    return ("ok: " if is_right else "late: ") + said


# Screens


def beat(hall, source, name, mark=None, number=0):
    """The answer to a heartbeat, as a screen sends it."""
    known = f"?known={mark}" if mark else ""
    return web.ask(hall.base, "POST", f"/api/screens/{name}/beat{known}", {
        "id": f"{number:04x}", "width": 1920, "height": 1080, "shows": "INVENTED", "blank": "none", "languages": [],
    }, source=source, timeout=12)


def stream_status(hall, source, path):
    with socket.create_connection(("127.0.0.1", hall.port), 12, (source, 0)) as link:
        link.sendall(request(hall.port, path))
        return int(link.recv(4_096).split(b" ")[1])


def screens(hall):
    mark = beat(hall, SCREEN, "hall").value.get("known")
    known = f"?known={mark}" if mark else ""
    strangers = [f"127.0.31.{number}" for number in range(1, 4)]
    members = [(source, request(hall.port, f"/api/screens/x{number}/stream"))
               for source in strangers for number in range(20)]
    for number in range(60):  # others have marks too, but later ones
        source = f"127.0.32.{number % 6}"
        later = beat(hall, source, "y", None, number).value.get("known")
        members.append((source, request(hall.port, f"/api/screens/y{number}/stream?known={later}")))
    with Crowd(hall.port, members, openings=200) as crowd:
        crowd.settle(10)
        held = crowd.served()
        taken = sum(beat(hall, f"127.0.33.{number // 8}", f"z{number}", None, number).status == 200
                    for number in range(48))
        stream = stream_status(hall, SCREEN, f"/api/screens/hall/stream{known}")
        drawings = stream_status(hall, SCREEN, f"/api/floor/drawings{known}")
        reports = beat(hall, SCREEN, "hall", mark, 999).status
        web.ask(hall.base, "POST", "/api/screens/set-up", {"size": 1.2}, hall.cookie)
        named = stream_status(hall, "127.0.30.2", "/api/screens/set-up/stream")
        shown = [screen["name"] for screen in web.snapshot(hall.base, hall.cookie).get("screens", [])]
    is_right = (stream, drawings, reports, named) == (200, 200, 200, 200)
    return judged(is_right, f"strangers hold {held} streams and {taken} reporting places; the hall's screen: stream "
                  f"{stream}, drawings {drawings}, heartbeat {reports}; a screen that was set up: {named}; the console "
                  f"lists {len(shown)}")


# Speakers


def registered(hall, source, name, seconds=20):
    """True if a speaker's program registers; the connection stays open until the result is dropped."""
    link = socket.create_connection(("127.0.0.1", hall.present), seconds, (source, 0))
    text = f"{name} #{CODE}".encode()
    link.sendall(struct.pack(">BBHI", 0x01, 255, 0, 12 + len(text)) + struct.pack(">I", len(text)) + text)
    with contextlib.suppress(OSError):
        answer = link.recv(64)
        return link, bool(answer) and answer[0] == 0x02
    return link, False


def port(hall):
    with contextlib.ExitStack() as stack:
        for number in range(12):
            for _ in range(40):
                with contextlib.suppress(OSError):
                    stack.enter_context(socket.create_connection(
                        ("127.0.0.1", hall.present), 5, (f"127.0.34.{number}", 0)))
        began = time.monotonic()
        done = 0
        for number in range(40):
            with contextlib.suppress(OSError):
                link, is_in = registered(hall, f"127.0.35.{number}", f"Speaker {number}")
                stack.enter_context(link)
                done += is_in
        seconds = time.monotonic() - began
    return judged(done == 40, f"{done} of 40 speakers are in after {seconds:.1f} s beside 480 connections")


def join(hall, source, code, name="Ada"):
    return web.ask(hall.base, "POST", "/api/present/join", {"name": name, "code": code}, source=source,
                   timeout=30).status


def code(hall):
    """Forty wrong codes at once and more all the time, with the right one among them."""
    answers, is_over = [], threading.Event()

    def guess(number):
        while not is_over.is_set():
            answers.append(join(hall, "127.0.36.1", f"wrong-code-{number}-{len(answers)}"))

    guessers = [threading.Thread(target=guess, args=(number,), daemon=True) for number in range(40)]
    began = time.monotonic()
    for guesser in guessers:
        guesser.start()
    until(lambda: answers, 10)
    statuses = []
    while not statuses or (statuses[-1] == 429 and len(statuses) < 20):
        statuses.append(join(hall, "127.0.36.1", CODE))
    waited = time.monotonic() - began
    elsewhere = join(hall, "127.0.36.2", CODE)
    is_over.set()
    for guesser in guessers:
        guesser.join(30)
    seconds = time.monotonic() - began
    looked = answers.count(403)
    is_right = statuses[-1] == 200 and elsewhere == 200 and looked <= 16 + 2 * seconds + 2
    return judged(is_right, f"the right code after {waited:.1f} s: {statuses}, elsewhere {elsewhere}; {looked} wrong "
                  f"codes were looked at in {seconds:.1f} s")


# An orchestra


def add_accounts(hall, names):
    """Some at a time: each passphrase is hashed."""
    commands = [[program(), "user", "add", name, "--role", "musician", "--data", str(hall.folder)] for name in names]
    while commands:
        running = [subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, text=True) for command in commands[:4]]
        for process in running:
            process.communicate(PASSPHRASE + "\n", timeout=60)
        commands = commands[4:]


def orchestra(hall, name, address):
    """All press “Sign in” within the same second; each page waits as it is told."""
    players = [f"{name}{number}" for number in range(PLAYERS)]
    add_accounts(hall, players)
    results, began = [], time.monotonic()

    def play(number, name):
        hold_for(number % 10 / 10)  # nobody presses at the same moment
        pressed, told = time.monotonic(), 0
        while time.monotonic() - pressed < 60:
            answer = web.ask(hall.base, "POST", "/api/login", {"name": name, "password": PASSPHRASE},
                             source=address(number), timeout=30)
            if answer.status != 503:
                break
            value = json.loads(answer.text)
            told += "you are number" in value["error"]
            hold_for(value.get("again", 2_000) / 1_000)  # as the page does
        results.append((answer.status, time.monotonic() - pressed, told))

    threads = [threading.Thread(target=play, args=pair, daemon=True) for pair in enumerate(players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    done = [took for status, took, _ in results if status == 200]
    longest = max((took for _, took, _ in results), default=0)
    waited = sum(bool(told) for _, _, told in results)
    is_right = len(done) == len(players) and longest <= SIGN_IN_SECONDS
    return judged(is_right, f"{len(done)} of {len(players)} are in, the last after {longest:.1f} s; {waited} were told "
                  f"their number; all in {time.monotonic() - began:.1f} s")
