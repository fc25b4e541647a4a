#!/usr/bin/env python3
"""Tests one broker with several relays and many listeners; one relay is killed while music is played.

    Tests/System/load/relays.py --baton .build/release/baton --count 300

This program acts as the hall's server: it sends changes (--every), and now and then a value of an older epoch, which
no relay may pass on. A real server can take its place: --server 'baton serve … --mqtt 127.0.0.1:{mqtt}'.
Uses only 127.0.0.1 and ends everything it started. Exit status 1 if a listener stepped back, held an old
value for more than --within seconds, or was left behind.
"""
import argparse
import hashlib
import json
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import listeners
from hall import Hall
from lib.mqtt import Broker
from lib.processes import end, free_port
from lib.waiting import hold_for, when

LIST = b"Grieg, Peer Gynt: In the Hall"


class Stage:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="relays-")
        self.children = []
        self.ended = threading.Event()
        self.mqtt = free_port()

    def start(self, name, *command):
        with open(f"{self.folder}/{name}.log", "w") as log:
            child = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log)
        self.children.append(child)
        return child

    def open(self):
        with open(f"{self.folder}/mosquitto.conf", "w") as file:
            file.write(f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.start("mosquitto", shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", file.name)
        when(lambda: socket.create_connection(("127.0.0.1", self.mqtt), 1).close(), 20)
        if self.options.server:
            command = self.options.server.replace("{mqtt}", str(self.mqtt)).replace("{folder}", self.folder)
            self.start("server", *shlex.split(command))
        else:
            self.broker = Broker(self.mqtt, "the-hall", will=("baton/hall/online", "0"))
            threading.Thread(target=self.play, daemon=True).start()
        self.urls, self.relays = [], []
        for number in range(self.options.relays):
            port = free_port()
            self.urls.append(f"http://127.0.0.1:{port}")
            self.relays.append(self.start(
                f"relay{number}", self.options.baton, "relay", "--mqtt", f"127.0.0.1:{self.mqtt}", "--http",
                f"127.0.0.1:{port}", "--data", f"{self.folder}/relay{number}"))
        for url in self.urls:
            when(lambda: urllib.request.urlopen(url + "/", timeout=1).close(), 20)

    def play(self):
        """A show: measures, and two changes of the baton."""
        tell = lambda leaf, value: self.broker.publish(
            f"baton/hall/{leaf}", json.dumps(value).encode(), is_retained=True)
        self.broker.publish("baton/hall/online", b"1", is_retained=True)
        tell("audience/message", None)
        files = [self.file("pieces.xml", "application/xml", b"<concert></concert>"),
                 self.file("/getPieces.php", "text/plain; charset=utf-8", LIST),
                 self.file("/api/audience/concert", "application/json",
                           json.dumps({"filling": "x" * 200_000}).encode())]
        tell("audience/files", {"revision": "1.1", "changed": [], "files": files})
        measure, began = 0, time.time()
        while not self.ended.wait(self.options.every):
            measure += 1
            now = int((time.time() - began) * 1000)
            epoch = 4 + measure // 40
            live = {"show": "2026-01-01T19:30:00Z", "epoch": f"1.{epoch}", "sequence": now, "piece": 0,
                    "pieceName": "Grieg, Peer Gynt: In the Hall", "measure": measure, "played": measure - 1,
                    "view": "live", "tempo": 1}
            tell("audience/live", live)
            if measure % 7 == 0:
                # A server that has lost the baton and does not know it; then the truth again, as after a reconnection.
                tell("audience/live", live | {"epoch": f"1.{epoch - 1}", "measure": 1, "sequence": now + 5})
                tell("audience/live", live)

    def file(self, path, kind, content):
        """A file in parts, as docs/scale.md says."""
        digest, size = hashlib.sha256(content).hexdigest(), 49_152
        slot = "".join(letter for letter in path if letter.isalnum())
        parts = max(1, -(-len(content) // size))
        for number in range(parts):
            part = content[number * size:(number + 1) * size]
            self.broker.publish(f"baton/hall/audience/file/{slot}/{number}",
                                f"{digest} {number} {parts}\n".encode() + part, is_retained=True)
        return {"path": path, "type": kind, "digest": digest, "byteCount": len(content), "partCount": parts,
                "slot": slot}

    def close(self):
        self.ended.set()
        for child in reversed(self.children):
            end(child, 5)
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)


def health(url):
    try:
        with urllib.request.urlopen(url + "/healthz", timeout=2) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as error:
        return {"status": error.code}
    with urllib.request.urlopen(url + "/getPieces.php", timeout=2) as answer:
        return found | {"list": answer.read().decode()[:200]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baton", default=".build/release/baton")
    parser.add_argument("--server", help="a command that serves instead; {mqtt} and {folder} are filled in")
    parser.add_argument("--relays", type=int, default=3)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=0.1, metavar="SECONDS", help="between changes")
    parser.add_argument("--within", type=float, default=2)
    parser.add_argument("--keep", action="store_true", help="keep the logs")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(2))
    stage = Stage(options)
    figures = {"verdict": "wrong"}
    try:
        stage.open()
        hold_for(2)  # all relays have what the show is
        victim = stage.relays[0]
        sys.argv = ["listeners.py", *stage.urls, "--count", str(options.count), "--seconds", str(options.seconds),
                    "--within", str(options.within), "--command", f"kill -9 {victim.pid}",
                    "--note", f"{options.relays} relays, one killed"]
        hall = Hall(listeners.arguments())
        try:
            figures = hall.run()
        finally:
            hall.close()
        figures["health"] = [
            health(url) if child.poll() is None else "killed" for url, child in zip(stage.urls, stage.relays)]
        if not options.server and any(one != "killed" and one.get("list") != LIST.decode()
                                      for one in figures["health"]):
            figures["verdict"] = "wrong"
    finally:
        stage.close()
    print(json.dumps(figures))
    print(listeners.table(figures), file=sys.stderr)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=1)
    sys.exit(0 if figures["verdict"] == "right" else 1)


if __name__ == "__main__":
    main()
