#!/usr/bin/env python3
"""A stand-in for the audience side of `baton serve`: page, concert, live stream, images; over a simulated evening.

    Tools/browser/mock_hall.py [--port 8091]

Loopback only. Scenarios are switched by GET:
/mock/at?piece=4&played=12 (from 1 and 0) /mock/play /mock/pause /mock/speed?x=20 /mock/none (nothing live)
/mock/view?is=black|live|frozen|ended /mock/take (a person takes over: change rises) /mock/back?by=5 (a person's step
back) /mock/renew (the server's next reign: term rises) /mock/old (streams claim an older reign at measure 1)
/mock/true /mock/short?to=60 (the piece's map loses the bars behind) /mock/textless (the concert does not have the piece
that plays) /mock/cast (performers with portraits) /mock/late (one event of a lower sequence)
/mock/message?kind=button|auto|link|evil /mock/withdraw
/mock/edit (a slide's text changes) /mock/drop (streams closed) /mock/stall?s=4 (streams silent) /mock/deaf (the streams
of now stay open and hear nothing more, as on a phone whose Wi-Fi slept) /mock/gone /mock/here
(the server refuses everything until told otherwise) /mock/reset /mock/state
"""

import collections
import hashlib
import http.server
import json
import pathlib
import threading
import time
import urllib.parse
import zlib

import mock_hall_concert
import mock_web
from lib.pages import TYPES, page_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = {path.name: path for path in (ROOT / "Recordings").glob("*/content/*.svg")}
IMAGES |= {f"AppAssets/{path.name}": path for path in (ROOT / "Recordings/content/AppAssets").glob("*.svg")}
POLICY = ("default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
          "frame-ancestors 'none'")
MESSAGES = {
    "button": ("Welcome", "Please silence your phones. Enjoy the concert.", "BUTTON", "Will do!"),
    "auto": ("iNotes", "The live stream has begun!", "AUTO", ""),
    "link": ("Link", "Please take a brief survey.", "Button", "https://survey.example/hall"),
    "evil": ("Link", "<img src=x onerror=alert(1)>", "BUTTON", "javascript:alert(1)"),
}
PDF = (b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj "
       b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")


class Hall:
    """The evening: what is live, who listens, and the switches."""

    def __init__(self):
        self.lock = threading.Condition()
        self.listeners, self.serial, self.streams = {}, 0, 0
        self.term, self.generation, self.revision = 1, 0, 1
        self.original = mock_hall_concert.concert()
        with self.lock:
            self.reset()

    def reset(self):
        self.concert = json.loads(json.dumps(self.original))
        self.term, self.change, self.sequence = self.term + 1, 0, 0
        self.revision += 1
        self.concert["revision"] = str(self.revision)
        self.piece, self.played, self.seconds, self.view = 3, 12, 0.0, "live"
        self.live, self.running, self.speed, self.message = True, False, 1.0, None
        self.phase = "during"
        self.claimed, self.stranger, self.gone, self.stalled_until = None, None, False, 0.0
        self.requests = collections.Counter()
        self.generation += 1
        self.lock.notify_all()

    def place(self):
        if not self.live:
            return {"epoch": f"{self.term}.{self.change}", "sequence": self.sequence, "piece": None, "pieceName": None,
                    "measure": None, "played": None, "view": "ended", "phase": self.phase, "tempo": 1.0}
        piece = self.concert["pieces"][self.piece]
        measures = self.original["pieces"][self.piece]["measures"]
        # As a server that knows no more than the content: a bar that its map lacks is no played measure.
        played = self.played if self.played < len(piece["measures"]) else None
        position = {"epoch": f"{self.term}.{self.change}", "sequence": self.sequence, "piece": self.piece,
                    "pieceName": piece["name"], "measure": measures[self.played]["printed"],
                    "played": played, "view": self.view, "phase": "during", "tempo": 1.0}
        if self.stranger is not None:
            position.update(piece=None, pieceName=self.stranger)
        if self.claimed is not None:
            position.update(epoch=self.claimed, played=0, measure=piece["measures"][0]["printed"])
        return position

    def publish(self, name, value):
        if time.time() < self.stalled_until:
            return
        self.serial += 1
        text = f"id: {self.serial}\nevent: {name}\ndata: {json.dumps(value)}\n\n".encode()
        for queue in self.listeners.values():
            queue.append(text)
        self.lock.notify_all()

    def snapshot(self):
        value = {"live": self.place(), "message": self.message, "content": {"revision": self.concert["revision"]}}
        return f"retry: 1000\nid: {self.serial}\nevent: snapshot\ndata: {json.dumps(value)}\n\n".encode()

    def tell(self):
        self.sequence += 1
        self.publish("live", self.place())

    def run(self):
        last = beat = time.time()
        while True:
            time.sleep(0.02)
            with self.lock:
                now = time.time()
                if self.running and self.live:
                    self.advance((now - last) * self.speed)
                last = now
                if now - beat >= 1:
                    beat = now
                    self.publish("beat", {"at": int(now * 1000)})

    def advance(self, seconds):
        measures = self.concert["pieces"][self.piece]["measures"]
        self.seconds += seconds
        # Each measure is told, however fast the evening runs.
        while self.played + 1 < len(measures) and measures[self.played + 1]["time"] <= self.seconds:
            self.played += 1
            self.tell()

    def scenario(self, name, words):
        number = lambda key, otherwise: float(words.get(key, otherwise))
        if name == "reset":
            self.reset()
        elif name == "at":
            self.piece, self.played = int(number("piece", self.piece + 1)) - 1, int(number("played", 0))
            self.seconds = self.original["pieces"][self.piece]["measures"][self.played]["time"]
            self.live, self.view, self.stranger = True, "live", None
            self.tell()
        elif name == "stranger":
            self.stranger = words["name"]
            self.tell()
        elif name in ("play", "pause"):
            self.running = name == "play"
            self.seconds = self.original["pieces"][self.piece]["measures"][self.played]["time"]
        elif name == "speed":
            self.speed = number("x", 1)
        elif name in ("none", "before", "over"):
            self.live, self.phase = False, "during" if name == "none" else name
            self.tell()
        elif name == "view":
            self.view = words["is"]
            self.tell()
        elif name in ("take", "back"):
            self.change += 1
            self.played = max(0, self.played - int(number("by", 0)))
            self.tell()
        elif name == "renew":
            self.term, self.change, self.sequence = self.term + 1, 0, 0
            self.generation += 1
        elif name in ("old", "true"):
            self.claimed = f"{self.term - 1}.99" if name == "old" else None
            self.generation += 1
        elif name == "late":
            self.publish("live", dict(self.place(), sequence=self.sequence - 1, played=0, measure=1))
        elif name == "message":
            title, body, style, button = MESSAGES[words.get("kind", "button")]
            self.message = {"id": f"{self.term}-{self.serial}", "title": title, "body": body, "style": style,
                            "buttonText": button}
            self.publish("message", self.message)
        elif name == "withdraw":
            self.message = None
            self.publish("message", None)
        elif name == "edit":
            self.revision += 1
            self.concert["revision"] = str(self.revision)
            for track in self.concert["pieces"][self.piece]["tracks"]:
                at = mock_hall_concert.slide_at(track, self.played)
                if at is not None:
                    track["slides"][at].update(parts=[{"text": "A late edit has arrived."}], links=[])
            self.publish("content", {"revision": self.concert["revision"]})
        elif name in ("short", "textless", "cast"):
            self.revision += 1
            self.concert["revision"] = str(self.revision)
            piece = self.concert["pieces"][self.piece]
            if name == "short":
                piece["measures"] = piece["measures"][:int(number("to", 60))]
            elif name == "textless":
                self.stranger = piece["name"]
                piece["name"] += " (another edition)"
            else:
                self.concert["info"]["cast"] = [
                    {"name": "Anna Berg", "role": "violin", "image": "/images/hall-mountain.svg"},
                    {"name": "The Players"}]
            self.publish("content", {"revision": self.concert["revision"], "pieces": []})
            self.tell()
        elif name == "drop":
            self.generation += 1
        elif name == "deaf":
            self.listeners.clear()
        elif name == "stall":
            self.stalled_until = time.time() + number("s", 4)
        elif name in ("gone", "here"):
            self.gone = name == "gone"
            self.generation += 1
        elif name != "state":
            raise KeyError(name)
        self.lock.notify_all()
        return {"live": self.place(), "listeners": len(self.listeners), "streams": self.streams,
                "requests": dict(self.requests), "serial": self.serial}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hall = None

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, kind="application/json", caching="no-cache"):
        tag = f'W/"{hashlib.sha1(body).hexdigest()[:12]}"'
        held = self.headers.get("If-None-Match") == tag and status == 200
        packs = kind.split(";")[0] not in ("image/png", "application/pdf") and len(body) > 512
        if packs and "gzip" in self.headers.get("Accept-Encoding", ""):
            # As the server does: one block with the fixed codes, so that the bytes counted here are not flattered.
            packer = zlib.compressobj(6, zlib.DEFLATED, 31, 8, zlib.Z_FIXED)
            body = packer.compress(body) + packer.flush()
        else:
            packs = False
        self.send_response(304 if held else status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "same-origin")
        self.send_header("Cache-Control", caching)
        self.send_header("ETag", tag)
        self.send_header("Vary", "Accept-Encoding")
        if packs and not held:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", "0" if held else str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and not held:
            self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        path, hall = urllib.parse.unquote(path), self.hall
        if path.startswith("/mock/"):
            with hall.lock:
                try:
                    told = hall.scenario(path[6:], dict(urllib.parse.parse_qsl(query)))
                except KeyError:
                    return self.answer(404, b"{}")
            return self.answer(200, json.dumps(told).encode(), caching="no-store")
        if hall.gone:
            self.close_connection = True
            return self.connection.close()
        with hall.lock:
            hall.requests[path] += 1
        if path == "/api/audience/concert":
            with hall.lock:
                body = json.dumps(hall.concert, separators=(",", ":"), ensure_ascii=False).encode()
            return self.answer(200, body)
        if path == "/api/audience/events":
            return self.stream()
        if path == "/api/qr.svg":  # any drawing: served_test.py reads the real one
            return self.answer(200, page_file("/shared/mark.svg").read_bytes(), "image/svg+xml")
        if path == "/images/AppAssets/ProgramNotes.pdf":
            return self.answer(200, PDF, "application/pdf")
        if path == "/images/AppAssets/ProgramNotes.md":
            return self.answer(200, (ROOT / "Recordings/content/ProgramNotes.md").read_bytes(),
                               "text/plain; charset=utf-8")
        if path.startswith("/images/"):
            file = IMAGES.get(path[8:])
            return self.answer(200, file.read_bytes(), "image/svg+xml") if file else self.answer(404, b"{}")
        file = page_file(path)
        if file is None:
            return self.answer(404, b"{}")
        self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    do_HEAD = do_GET

    def stream(self):
        hall, queue = self.hall, collections.deque(maxlen=4000)
        self.send_response(200)
        for name, value in (("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                            ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        with hall.lock:
            generation = hall.generation
            hall.listeners[id(queue)] = queue
            hall.streams += 1
            first = b"" if time.time() < hall.stalled_until else hall.snapshot()
        try:
            self.wfile.write(first)
            while True:
                with hall.lock:
                    while not queue and hall.generation == generation:
                        hall.lock.wait(1)
                    if hall.generation != generation:
                        return
                    parts = b"".join(queue)
                    queue.clear()
                self.wfile.write(parts)
        except OSError:
            pass  # the listener hung up
        finally:
            with hall.lock:
                hall.listeners.pop(id(queue), None)


def serve(port):
    """Starts the hall on loopback; returns the server, already running in threads of its own."""
    return mock_web.serve(port, Handler, hall=Hall())


if __name__ == "__main__":
    mock_web.stay(serve(mock_web.parser(__doc__, 8091).parse_args().port), "/")
