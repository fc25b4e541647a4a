#!/usr/bin/env python3
"""A phone in the hall, written only from the formats: receives packets, loads the content, prints the right slide.

    Tests/System/phone.py --server http://127.0.0.1:8080 --interface 127.0.0.1 --seconds 20
    Tests/System/phone.py --server … --compare-stream http://127.0.0.1:8080/api/audience/events

Shares nothing with the server: names, measures and slides come from /getPieces.php, /getData.php and the multicast
packets. With --compare-stream it also reads the audience page's stream and concert, and reports
where packets, XML and stream disagree. Exit status: 0 all agree, 1 something disagrees, 2 nothing was received.
"""

import argparse
import json
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

from lib import packets
from lib.web import events

IMAGE = re.compile(r"\$?([^\s,;|$<>\"/\\]+\.(?:png|jpe?g|gif|svg|webp))", re.IGNORECASE)


def say(line):
    """One write: packets and the stream are heard on threads of their own."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Phone:
    def __init__(self, arguments):
        self.arguments = arguments
        self.server = arguments.server.rstrip("/")
        self.faults = []
        self.states = []    # (time, name, measure) as packets say, each change once
        self.streamed = []  # the same as the stream says
        self.messages, self.streamed_messages = [], []
        self.pieces = {}
        self.count = 0
        self.played = {}
        self.stop = threading.Event()
        self.ready = threading.Event()

    def fault(self, sentence):
        self.faults.append(sentence)
        print("DISAGREES:", sentence, flush=True)

    # Content

    def fetch(self, path, method="GET"):
        request = urllib.request.Request(self.server + path, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.headers, answer.read()

    def status(self, path):
        try:
            self.fetch(path)
            return 200
        except urllib.error.HTTPError as error:
            return error.code

    def load(self):
        headers, body = self.fetch("/getPieces.php")
        if not headers["Content-Type"].startswith("text/plain"):
            self.fault(f"getPieces.php is {headers['Content-Type']}, not text/plain")
        names = [name for name in body.decode().split(";") if name]
        # As apps in use write it: percent-encoded, without the blank behind the comma.
        query = "&".join(f"database{index + 1}={urllib.parse.quote(name.replace(', ', ',', 1))}"
                         for index, name in enumerate(names))
        headers, body = self.fetch("/getData.php?" + query)
        if headers["Content-Type"].split(";")[0] != "application/xml":
            self.fault(f"getData.php is {headers['Content-Type']}, not application/xml")
        head, _ = self.fetch("/getData.php?" + query, "HEAD")
        if head["Content-Length"] != str(len(body)):
            self.fault(f"HEAD promises {head['Content-Length']} bytes, GET brings {len(body)}")
        root = ElementTree.fromstring(body)
        found = [piece.findtext("name").strip() for piece in root.findall("piece")]
        if found != names:
            self.fault(f"the list has {names}, the content {found}")
        for path, wanted in (("/getData.php", 400), ("/getData.php?database1=Nobody%2C%20Nothing", 404),
                             ("/images/../catalogue.sqlite", 400), ("/images/%2e%2e%2fcatalogue.sqlite", 400)):
            if self.status(path) != wanted:
                self.fault(f"{path} answers {self.status(path)}, not {wanted}")
        for piece in root.findall("piece"):
            self.pieces[piece.findtext("name").strip()] = self.read(piece)
        print(f"{len(names)} pieces, {len(body)} bytes of content", flush=True)

    def read(self, element):
        name = element.findtext("name").strip()
        tracks = {track.findtext("name").strip(): [
            (float(page.findtext("time")), int(page.findtext("measure")), (page.findtext("text") or "").strip())
            for page in track.findall("page")] for track in element.findall("track")}
        marks = [(time, measure) for time, measure, _ in tracks.pop("NumSeconds", [])]
        structure = tracks.pop("Structure", [])
        if any(after[0] <= before[0] for before, after in zip(marks, marks[1:])):
            self.fault(f"the measures of {name} do not rise")
        if structure and structure[-1][2] != "END":
            self.fault(f"the structure of {name} has no END")
        for track, pages in tracks.items():
            for _, measure, text in pages:
                if measure not in {printed for _, printed in marks}:
                    self.fault(f"{track} of {name} has a page on measure {measure}, which is never played")
                for image in IMAGE.findall(text if "$" in text else ""):
                    if self.status("/images/" + urllib.parse.quote(image)) != 200:
                        self.fault(f"the image {image} of {name} is missing")
        return {"marks": marks, "tracks": tracks, "structure": structure}

    def place(self, name, printed, near):
        """The played measure a page means: of all that bear its number the one that starts nearest."""
        marks = self.pieces[name]["marks"]
        same = [index for index, mark in enumerate(marks) if mark[1] == printed]
        return min(same, key=lambda index: abs(marks[index][0] - near), default=None)

    def slide(self, name, track, played):
        """The last page that has begun: its number from 1, and its text; 0 before the first."""
        best = (-1, 0, "")
        for number, (time_, measure, text) in enumerate(self.pieces[name]["tracks"][track], 1):
            start = self.place(name, measure, time_)
            if start is not None and best[0] <= start <= played:
                best = (start, number, text)
        return best[1:]

    def follow(self, name, measure):
        """The played measure behind a printed one: on from the last, or the first where the music went back."""
        marks = self.pieces[name]["marks"]
        last = self.played.get(name, 0)
        same = [index for index, mark in enumerate(marks) if mark[1] == measure]
        if not same:
            return None
        self.played = {name: next((index for index in same if index >= last), same[0])}
        return self.played[name]

    # Packets

    def listen(self):
        until = time.monotonic() + self.arguments.seconds
        with packets.join(self.arguments.port, self.arguments.interface, self.arguments.group) as receiver:
            print("listening", flush=True)
            while time.monotonic() < until and not self.stop.is_set():
                for _, data in packets.heard(receiver, 0.2):
                    self.hear(data)
                    if self.arguments.changes and len(self.states) >= self.arguments.changes:
                        # Messages on their way still count, so that packets and stream end at the same place.
                        until = min(until, time.monotonic() + 1)
        self.stop.set()

    def hear(self, data):
        try:
            packet = packets.read(data)
        except packets.Damaged as fault:
            return self.fault(f"a packet breaks a rule: {fault}")
        if isinstance(packet, packets.Message):
            if not self.messages or self.messages[-1] != list(packet):
                self.messages.append(list(packet))
                print("message:", " | ".join(packet), flush=True)
            return None
        name, measure, count = packet
        if count <= self.count:
            return self.fault(f"count {count} behind {self.count}")
        self.count = count
        state = (name, measure)
        if self.states and self.states[-1][1:] == state:
            return None
        self.states.append((time.monotonic(),) + state)
        if name not in self.pieces:
            return self.fault(f"packets name {name}, the list does not")
        played = self.follow(*state)
        if played is None:
            return self.fault(f"packets say measure {measure} of {name}, the content has none")
        track = self.track(name)
        number, words = self.slide(name, track, played) if track else (0, "")
        say(f"{name}; {measure}: slide {number} of {track}: {words[:70]}")
        return None

    def track(self, name):
        tracks = list(self.pieces[name]["tracks"])
        return self.arguments.track if self.arguments.track in tracks else tracks[0] if tracks else None

    # The page's stream

    def stream(self):
        """Listens to the page's stream until it is told to stop."""
        self.newest, self.show = ((0, 0), -1), None
        try:
            address = urllib.parse.urlsplit(self.arguments.compare_stream)
            base = f"{address.scheme}://{address.netloc}"
            for event, value in events(base, address.path, timeout=5):
                if event == "snapshot":
                    self.ready.set()
                    live, message = value.get("live"), value.get("message")
                else:
                    live = value if event == "live" else None
                    message = value if event == "message" else None
                if live:
                    self.hear_live(live)
                if message:
                    said = [message[key] for key in ("title", "body", "style", "buttonText")]
                    if not self.streamed_messages or self.streamed_messages[-1] != said:
                        self.streamed_messages.append(said)
                if self.stop.is_set():
                    return
        except OSError as error:
            if not self.stop.is_set():
                self.fault(f"the stream broke: {error}")
        finally:
            self.ready.set()

    def hear_live(self, live):
        epoch, before = tuple(map(int, live["epoch"].split("."))), self.newest
        if self.show == live.get("show") and (epoch < before[0] or live["sequence"] < before[1]):
            self.fault(f"the stream goes back to {live['epoch']}, {live['sequence']}")
        self.newest, self.show = (epoch, live["sequence"]), live.get("show")
        if live["view"] != "ended" and live["pieceName"] is not None:
            state = (live["pieceName"], live["measure"])
            if not self.streamed or self.streamed[-1][1:3] != state:
                self.streamed.append((time.monotonic(),) + state + (live["played"],))
                say(f"stream: {state[0]}; {state[1]}")

    def compare(self):
        _, body = self.fetch("/api/audience/concert")
        concert = json.loads(body)
        if [piece["name"] for piece in concert["pieces"]] != list(self.pieces):
            self.fault("the page's concert has other pieces than the list")
        for piece in concert["pieces"]:
            self.compare_piece(piece, self.pieces.get(piece["name"], {"marks": [], "tracks": {}}))
        # One may have begun to listen a little earlier: the shorter list must be the end of the longer one.
        heard = [state[1:3] for state in self.states]
        told = [state[1:3] for state in self.streamed]
        shared = min(len(heard), len(told))
        if shared == 0 or heard[-shared:] != told[-shared:] or abs(len(heard) - len(told)) > 1:
            self.fault(f"packets said {heard[-12:]}, the stream {told[-12:]}")
        else:
            apart = [abs(packet[0] - event[0]) for packet, event in zip(self.states[-shared:], self.streamed[-shared:])]
            # The first of each is whatever stood when one began to listen.
            worst = max(apart[1:], default=0)
            print(f"{shared} positions agree, at most {worst * 1000:.0f} ms apart", flush=True)
            if worst > self.arguments.apart:
                self.fault(f"packets and stream were {worst:.2f} s apart")
        marks = {name: [printed for _, printed in piece["marks"]] for name, piece in self.pieces.items()}
        for _, name, measure, played in self.streamed:
            if name not in marks:
                self.fault(f"the stream names {name}, the list does not")
            elif played is None or marks[name][played] != measure:
                self.fault(f"the stream says measure {measure} of {name} is played measure {played}")
        if self.messages != self.streamed_messages[-len(self.messages):] and self.messages:
            self.fault(f"packets said {self.messages}, the stream {self.streamed_messages}")

    def compare_piece(self, piece, other):
        name = piece["name"]
        if [(mark["time"], mark["printed"]) for mark in piece["measures"]] != other["marks"]:
            self.fault(f"the page has other measures of {name} than the XML")
        if [track["name"] for track in piece["tracks"]] != list(other["tracks"]):
            return self.fault(f"the page has other tracks of {name} than the XML")
        for track in piece["tracks"]:
            pages = other["tracks"][track["name"]]
            if len(pages) != len(track["slides"]):
                self.fault(f"{track['name']} of {name} has {len(track['slides'])} slides on the page, {len(pages)} in "
                           f"XML")
            for slide, (time_, measure, text) in zip(track["slides"], pages):
                if (slide["time"], slide["measure"]) != (time_, measure):
                    self.fault(f"a slide of {name} stands at {slide['measure']} on the page, at {measure} in XML")
                if slide["played"] != self.place(name, measure, time_):
                    self.fault(f"a slide of {name} at measure {measure} is on played measure {slide['played']}")
                words = " ".join(part.get("text") or part["image"].rsplit("/", 1)[1] + " " + part["caption"]
                                 for part in slide["parts"])
                if letters(words) != letters(text):
                    self.fault(f"a slide of {name} says “{words}” on the page, “{text}” in XML")

    def run(self):
        self.load()
        listener = None
        if self.arguments.compare_stream:
            listener = threading.Thread(target=self.stream, daemon=True)
            listener.start()
            self.ready.wait(5)
        self.listen()
        if self.arguments.compare_stream:
            listener.join(6)
            self.compare()
        if not self.states:
            print("no packet was heard", flush=True)
            return 2
        return 1 if self.faults else 0


def letters(text):
    """The text, whatever signs separate images from captions."""
    return re.sub(r"[\W_]", "", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default="http://127.0.0.1:8080")
    parser.add_argument("--group", default=packets.GROUP)
    parser.add_argument("--port", type=int, default=12345)
    parser.add_argument("--interface", default="127.0.0.1")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--changes", type=int, default=0, help="stop after so many changes of measure")
    parser.add_argument("--track", default="The Music")
    parser.add_argument("--compare-stream", metavar="URL", help="the audience page's stream, to be compared")
    parser.add_argument("--apart", type=float, default=1.0, help="seconds that packet and stream may be apart")
    sys.exit(Phone(parser.parse_args()).run())


if __name__ == "__main__":
    main()
