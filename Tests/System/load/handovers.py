#!/usr/bin/env python3
"""Hands the screen from speaker to speaker over a bad network, and measures when the next speaker's slide is there.

    BATON=path/to/baton Tests/System/load/handovers.py --loss 5 --delay 5 --jitter 3 --hand-overs 300

Makes two network namespaces with a lossy link between them (lossylink.py): `baton serve` and a screen in one, as in
the house, and in the other the speakers' laptops: two `baton present` that hand the floor to and fro, one that sends a
PDF again and again, and a second screen. Every packet in both directions is lost with a probability of `--loss` per
cent. Measured is the time from the command of the speaker until a screen has the next speaker's picture whole. Status
1 if one hand-over of a hundred takes more than a second on the house's screen. If this machine cannot run the test, it
says why and the status is 0.
"""
import argparse
import contextlib
import http.client
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from lib import web
from lib.figures import percentile
from lib.processes import end
from lib.repository import ROOT, program
from lib.waiting import until, wait_for
from lossylink import LossyLink, NotPossible, enter

PASSPHRASE, CODE, HTTP, PORT = "four plain words here", "k7-summer", 8123, 8090
LIMIT = 1.0


def pdf(pages, padding=0):
    """A PDF whose pages have a line each, with bytes that nobody draws."""
    text = b"BT /F 24 Tf 40 150 Td (A slide with a line of text) Tj ET"
    kids = b" ".join(b"%d 0 R" % (5 + page) for page in range(pages))
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids),
              b"<</Length %d>>stream\n%s\nendstream" % (len(text), text),
              b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    bodies += [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d 300]/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>"
               % (400 + page) for page in range(pages)]
    out, places = bytearray(b"%PDF-1.4\n%" + b"x" * padding + b"\n"), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, start)
    return bytes(out)


def watch_as_a_screen(address):
    """Prints the time at which each slide's picture is there, as a screen shows it; the clock is the machine's own."""
    link = http.client.HTTPConnection(address, HTTP, timeout=60)
    stream = urllib.request.urlopen(f"http://{address}:{HTTP}/api/screens/hall/stream", timeout=60)
    shown = None
    for name, value in web.read_events(stream):
        screen = value.get("screen", value) if name == "snapshot" else value if name == "screen" else None
        image = (screen or {}).get("slide", None) and screen["slide"]["image"]
        if not image or image == shown:
            continue
        shown, size = image, 0
        with contextlib.suppress(OSError, http.client.HTTPException):
            link.request("GET", image)
            size = len(link.getresponse().read())
        print(json.dumps({"image": image, "at": time.monotonic(), "bytes": size}), flush=True)


class Lines:
    """A child process that is told lines and says lines of JSON."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.said, self.all = queue.Queue(), []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            value = json.loads(line)
            self.all.append(value)
            self.said.put(value)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, is_so, seconds):
        """The next line of which something is so; None when the seconds are over."""
        end_at = time.monotonic() + seconds
        with contextlib.suppress(queue.Empty):
            while True:
                value = self.said.get(timeout=max(0.01, end_at - time.monotonic()))
                if is_so(value):
                    return value
        return None

    def has_said(self, event):
        return any(value.get("event") == event for value in self.all)

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        end(self.process, 10)


class House:
    """The server in its namespace, the speakers and screens."""

    def __init__(self, link, upload_megabytes, congestion):
        self.link, self.folder, self.children = link, tempfile.mkdtemp(prefix="baton-handovers-"), []
        self.address, baton = link.addresses[0], program()
        self.send_by(congestion)
        web.add_account(self.folder, "mia", "administrator", PASSPHRASE, baton)
        os.makedirs(f"{self.folder}/models")
        self.server = subprocess.Popen(
            link.inside(0, [baton, "serve", "--data", self.folder, "--models", f"{self.folder}/models", "--http",
                            f"{self.address}:{HTTP}", "--no-multicast", "--no-listen-osc", "--present",
                            f"{self.address}:{PORT}", "--present-code", CODE]),
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # From here on, this process is in the house too.
        enter(link.names[0])
        self.base = f"http://{self.address}:{HTTP}"
        wait_for(self.answers, 60, "the server answers", every=0.2)
        self.cookie = web.sign_in(self.base, "mia", PASSPHRASE)
        self.large = f"{self.folder}/large.pdf"
        for name, data in (("small", pdf(5)), ("large", pdf(3, upload_megabytes * 1_000_000))):
            with open(f"{self.folder}/{name}.pdf", "wb") as file:
                file.write(data)
        self.speakers = [self.speaker(name, "--slides", f"{self.folder}/small.pdf") for name in ("Anna", "Bert")]
        self.uploader = self.speaker("Carl")
        # In the house, and over the bad network.
        self.screens = [self.child(link.inside(side, [sys.executable, os.path.abspath(__file__), "--screen",
                                                      self.address])) for side in (0, 1)]

    def send_by(self, method):
        """Sets TCP's congestion control on both sides, whatever this machine's own is. Every kernel has Reno; on a
        short way with few bytes under way CUBIC, which most laptops have, behaves the same."""
        for name in self.link.names:
            subprocess.run(["ip", "netns", "exec", name, "sysctl", "-qw",
                            f"net.ipv4.tcp_congestion_control={method}"], check=True, capture_output=True)

    def answers(self):
        with contextlib.suppress(OSError):
            return web.ask(self.base, "GET", "/login", timeout=2).status == 200
        return False

    def child(self, command):
        self.children.append(Lines(command))
        return self.children[-1]

    def speaker(self, name, *options):
        return self.child(self.link.inside(1, [
            program(), "present", f"{self.address}:{PORT}", "--name", name, "--code", CODE, "--json", *options]))

    def floor(self):
        return web.ask(self.base, "GET", "/api/floor", cookie=self.cookie).value

    def stop(self):
        for child in self.children:
            child.stop()
        end(self.server, 20)
        shutil.rmtree(self.folder, ignore_errors=True)


def measure(house, count):
    """Seconds of each hand-over on each screen: in the house, over the bad network."""
    for speaker in house.speakers:
        wait_for(lambda speaker=speaker: speaker.has_said("slides"), 60, "the slides have arrived")
    numbers = [next(v["number"] for v in speaker.all if v["event"] == "registered") for speaker in house.speakers]
    web.ask(house.base, "POST", "/api/floor", {"action": "grant", "presenter": numbers[0]}, house.cookie)
    images = {}
    for turn in (0, 1):
        wait_for(lambda turn=turn: house.floor()["holder"] == numbers[turn], 20, "the floor is there")
        # The first page of each, and the second as the one that is shown from now on.
        images[turn] = wait_for(lambda: house.floor()["screen"]["image"], 20, "a slide is on the screen")
        house.speakers[turn].tell(f"hand {numbers[1 - turn]}")
    wait_for(lambda: house.floor()["holder"] == numbers[0], 20, "the floor is back")
    for screen in house.screens:
        if not until(lambda screen=screen: any(v["image"] == images[0] for v in screen.all[2:]), 20):
            raise RuntimeError("a screen shows nothing")
    taken = [[], []]
    for number in range(count):
        turn = number % 2
        for screen in house.screens:
            while not screen.said.empty():
                screen.said.get()
        began = time.monotonic()
        house.speakers[turn].tell(f"hand {numbers[1 - turn]}")
        for each, screen in zip(taken, house.screens):
            value = screen.hear(lambda v, turn=turn: v["image"] == images[1 - turn], 60)
            each.append(value["at"] - began if value else float("inf"))
        # A speaker looks at the hall before the next hand-over, and knows to have the floor.
        wait_for(lambda turn=turn: house.floor()["holder"] == numbers[1 - turn], 20, "the floor is there")
        time.sleep(0.3)
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--loss", type=float, default=5, help="per cent of packets, each way")
    parser.add_argument("--delay", type=float, default=5, help="milliseconds, each way")
    parser.add_argument("--jitter", type=float, default=3, help="milliseconds more or less")
    parser.add_argument("--hand-overs", type=int, default=300)
    parser.add_argument("--upload", type=int, default=20, help="megabytes of the PDF that is sent again and again")
    parser.add_argument("--congestion", default="reno", help="TCP's way with losses, such as reno or bbr")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--screen", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.screen:
        return watch_as_a_screen(options.screen)
    try:
        with LossyLink(options.loss / 100, options.delay / 1e3, options.jitter / 1e3, options.seed) as link:
            house = House(link, options.upload, options.congestion)
            try:
                is_over = threading.Event()

                def upload():
                    while not is_over.is_set():
                        done = sum(v["event"] == "slides" for v in house.uploader.all)
                        house.uploader.tell(f"slides {house.large}")
                        until(lambda done=done: is_over.is_set() or sum(
                            v["event"] == "slides" for v in house.uploader.all) > done, 300, every=0.1)

                sending = threading.Thread(target=upload)
                wait_for(lambda: house.uploader.has_said("registered"), 20, "the third speaker is there")
                sending.start()
                began = time.monotonic()
                try:
                    taken = measure(house, options.hand_overs)
                finally:
                    is_over.set()
                    sending.join()
                seconds = time.monotonic() - began
                sends = [v["bytes"] for v in house.uploader.all if v["event"] == "sent"]
                sent = sum(later - before for before, later in itertools.pairwise(sends) if later > before)
                bytes_of_picture = max(v["bytes"] for v in house.screens[0].all)
            finally:
                house.stop()
    except NotPossible as reason:
        print(f"handovers: skipped; {reason}.")
        return 0
    print(f"{options.hand_overs} hand-overs, {options.loss:g} % loss each way, {options.delay:g} ± "
          f"{options.jitter:g} ms, TCP {options.congestion}; pictures of {bytes_of_picture / 1e3:.0f} kB; "
          f"{sent / 1e6:.0f} MB uploaded beside them, {sent / 1e6 / seconds:.2f} MB/s")
    for place, values in zip(("screen in the house", "screen over the bad network"), taken):
        print(f"{place}: median {percentile(values, 0.5) * 1e3:.0f} ms, p95 {percentile(values, 0.95) * 1e3:.0f} ms, "
              f"p99 {percentile(values, 0.99) * 1e3:.0f} ms, longest {max(values) * 1e3:.0f} ms")
    return 0 if percentile(taken[0], 0.99) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
