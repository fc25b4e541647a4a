#!/usr/bin/env python3
"""Measures edges (nginx with nchan, each with its relay) with many listeners, fed over one broker or two.

    Tests/System/load/relays.py --baton .build/release/baton --count 2000               one edge
    Tests/System/load/relays.py --count 2000 --tls                                     the same over TLS
    Tests/System/load/relays.py --count 600 --edges 3 --every 0.1 --lose edge           one edge of three is killed
    Tests/System/load/relays.py --count 600 --brokers 2 --every 0.1 --lose broker       one broker of two is killed
    Tests/System/load/relays.py --count 1000 --churn 30 --every 0.15 --seconds 4680 --memory FILE    a whole evening

This program acts as the hall's server: it sends changes (--every), and now and then a value of an older epoch, which
no relay may pass on. Uses only 127.0.0.1 and ends everything it started. Exit status 1 if a listener stepped back, held
an old value for more than --within seconds, or was left behind.
"""
import argparse
import json
import shutil
import signal
import sys
import tempfile
import threading
import time

import listeners
from hall import Hall
from lib import edge, mqtt
from lib.waiting import hold_for

SHOW = "2026-01-01T19:30:00Z"
# The parts of the stream that seldom change, as large as those of a concert of five pieces.
REST = {"message": None, "title": None, "people": [{"name": "A Singer", "part": "soprano"}] * 4,
        "content": {"revision": "1.1", "pieces": [],
                    "versions": {"heading": "0" * 16, "pieces": ["0123456789abcdef"] * 5}}}


class Stage:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="relays-")
        self.ended = threading.Event()
        self.brokers = [edge.Broker(self.folder) for _ in range(options.brokers)]
        self.edges = [edge.Edge(self.folder, hall=9) for _ in range(options.edges)]
        self.relays = [edge.Relay(self.folder, self.brokers, one, options.baton) for one in self.edges]
        self.links = []

    def open(self):
        for broker in self.brokers:
            broker.start()
            self.links.append(mqtt.Broker(broker.port, "the-hall", will=("baton/hall/online", "0")))
        threading.Thread(target=self.play, daemon=True).start()
        for each in self.edges + self.relays:
            each.start()

    def tell(self, leaf, payload):
        for link in list(self.links):
            try:
                link.publish(f"baton/hall/{leaf}", payload, is_retained=True)
            except OSError:
                self.links.remove(link)  # its broker was killed

    def section(self, name, value, epoch, sequence):
        self.tell(f"audience/{name}", f"{SHOW} 1.{epoch} {sequence}\n".encode() + json.dumps(value).encode())

    def play(self):
        """A show: measures, and a change of the baton every forty."""
        self.tell("online", b"1")
        for name, value in REST.items():
            self.section(name, value, 4, 0)
        measure, began = 0, time.time()
        while not self.ended.wait(self.options.every):
            measure += 1
            now = int((time.time() - began) * 1000)
            epoch = 4 + measure // 40
            live = {"show": SHOW, "epoch": f"1.{epoch}", "sequence": now, "piece": 0,
                    "pieceName": "Grieg, Peer Gynt: In the Hall", "measure": measure, "played": measure - 1,
                    "view": "live", "tempo": 1, "phase": "during", "isBrokenOff": False, "isIntermission": False}
            self.section("live", live, epoch, now)
            if measure % 7 == 0:
                # A server that has lost the baton and does not know it.
                self.section("live", live | {"epoch": f"1.{epoch - 1}", "measure": 1, "sequence": now + 5},
                             epoch - 1, now + 5)

    def close(self):
        self.ended.set()
        for each in self.relays + self.edges + self.brokers:
            each.stop()
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)


class HallWithStage(Hall):
    def __init__(self, options, stage):
        super().__init__(options)
        self.stage = stage

    def _delays(self, figures):
        # The last change reaches everybody before they are compared.
        self.stage.ended.set()
        super()._delays(figures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baton", default=".build/release/baton")
    parser.add_argument("--edges", type=int, default=1)
    parser.add_argument("--brokers", type=int, default=1)
    parser.add_argument("--tls", action="store_true", help="listeners come over TLS")
    parser.add_argument("--lose", choices=["edge", "broker", "relay"], help="kill the first of them after a third")
    parser.add_argument("--storm", action="store_true", help="all listeners hang up after a third, and come back")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--joins", type=int, default=400, help="joins a second")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=1, metavar="SECONDS", help="between changes")
    parser.add_argument("--within", type=float, default=2)
    parser.add_argument("--churn", type=float, metavar="RATE", help="so many a second leave, and come back")
    parser.add_argument("--memory", metavar="FILE", help="a row each minute: seconds, returns, changes, KB of nginx, "
                        "relay and broker")
    parser.add_argument("--keep", action="store_true", help="keep the logs")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    if sentence := edge.what_is_missing():
        sys.exit(sentence)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(2))
    stage = Stage(options)
    figures = {"verdict": "wrong"}
    try:
        stage.open()
        hold_for(2)  # all edges have what the show is
        urls = [one.secure if options.tls else one.base for one in stage.edges]
        words = ["--count", options.count, "--seconds", options.seconds, "--within", options.within, "--joins",
                 options.joins, "--pid", stage.edges[0].worker, "--note",
                 f"{options.edges} edges, {options.brokers} brokers{', TLS' if options.tls else ''}"]
        victims = {"edge": stage.edges, "broker": stage.brokers, "relay": stage.relays}.get(options.lose)
        if victims:
            words += ["--command", f"bash -c 'kill -9 -- -{victims[0].process.pid}'"]
        if options.storm:
            words += ["--storm", "drop"]
        if options.churn:
            words += ["--churn", options.churn, "--pid", stage.relays[0].process.pid, "--pid",
                      stage.brokers[0].process.pid]
        if options.memory:
            words += ["--memory", options.memory]
        sys.argv = ["listeners.py", *urls, *map(str, words)]
        hall = HallWithStage(listeners.arguments(), stage)
        if options.lose == "edge":
            hall.process = None  # it is the one that is killed
        try:
            figures = hall.run()
        finally:
            hall.close()
        if victims and victims[0].process.poll() is None:
            figures["verdict"] = f"wrong: the {options.lose} was not killed"
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
