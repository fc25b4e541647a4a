#!/usr/bin/env python3
"""Measures how many files of a broadcast's timeline one nginx serves (docs/deploy/nginx-edge.conf).

    Tests/System/load/files.py --seconds 10 [--connections 50] [--workers 2]

Needs wrk and h2load of Debian (wrk, nghttp2-client). Prints requests a second, bytes and processor time of nginx for
each: over HTTP/1.1, over TLS, and over HTTP/2 with TLS, on connections that stay open; and over TLS with a connection
for each request. The processor time holds also on a busy machine; the rate only on a calm one.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lib import edge
from lib.figures import Process

LIVE = {"show": "2026-01-01T19:30:00Z", "epoch": "1.4", "sequence": 1000, "piece": 0,
        "pieceName": "Grieg, Peer Gynt: In the Hall", "measure": "7", "played": 6, "view": "live", "tempo": 1,
        "phase": "during", "isBrokenOff": False, "isIntermission": False}
REST = {"message": None, "title": None, "people": [{"name": "A Singer", "part": "soprano"}] * 4,
        "content": {"revision": "1.1", "pieces": [],
                    "versions": {"heading": "0" * 16, "pieces": ["0123456789abcdef"] * 5}},
        "source": {"isHeard": True}}


def write(folder):
    """A file of ten seconds with five changes."""
    folder.mkdir(parents=True)
    lines = [[1_764_000_000_000, name, value] for name, value in REST.items()]
    lines += [[1_764_000_000_000 + 2_000 * number, "live", LIVE] for number in range(6)]
    (folder / "176400000.json").write_text("[" + ",\n".join(map(json.dumps, lines)) + "]\n")


def workers(nginx):
    with open(f"/proc/{nginx.process.pid}/task/{nginx.process.pid}/children", encoding="ascii") as children:
        return [Process(int(child)) for child in children.read().split()]


def measure(nginx, name, command, pattern, seconds):
    before = [each.processor_seconds for each in workers(nginx)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    spent = sum(each.processor_seconds for each in workers(nginx)) - sum(before)
    count = int(re.search(pattern, said)[1])
    print(f"{name:<44} {count / seconds:>9,.0f} a second  {spent / max(count, 1) * 1e6:>6.1f} µs of a core each  "
          f"{100 * spent / seconds:>4.0f} % of a core", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    missing = [name for name in ("wrk", "h2load") if not shutil.which(name)]
    if sentence := edge.what_is_missing() or missing and f"{', '.join(missing)} not installed":
        sys.exit(sentence)
    folder = tempfile.mkdtemp(prefix="files-")
    nginx = edge.Edge(folder, hall=9)
    settings = nginx.folder / "nginx.conf"
    # All come from one address here.
    settings.write_text(re.sub(r"limit_(conn|req) [^;]*;", "", settings.read_text()).replace(
        "worker_processes 1;", f"worker_processes {options.workers};"))
    write(nginx.folder / "hall/timeline")
    try:
        nginx.start()
        size = len((nginx.folder / "hall/timeline/176400000.json").read_bytes())
        print(f"{size} bytes; load {os.getloadavg()[0]:.1f}")
        path = "/timeline/176400000.json"
        wrk = ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}"]
        answered = r"(\d+) requests in"
        measure(nginx, "HTTP/1.1", [*wrk, nginx.base + path], answered, options.seconds)
        measure(nginx, "HTTP/1.1, TLS", [*wrk, nginx.secure + path], answered, options.seconds)
        measure(nginx, "HTTP/2, TLS", ["h2load", f"-c{options.connections}", f"-D{options.seconds}", "-m1",
                                      nginx.secure + path], r"requests: \d+ total, \d+ started, (\d+) done",
                options.seconds)
        measure(nginx, "HTTP/1.1, TLS, a connection for each",
                [*wrk, "-H", "Connection: close", nginx.secure + path], answered, options.seconds)
    finally:
        nginx.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
