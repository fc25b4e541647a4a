#!/usr/bin/env python3
"""Turns pages over a bad network and measures losses and times.

    BATON=path/to/baton python3 Tests/System/load/lossy.py --loss 5 --delay 50 --jitter 50 --stands 30 --events 100

Makes two network namespaces with a lossy link between them (lossylink.py), `baton serve` with sign-in in one and the
stands of stands.py in the other, and removes all of it. Every packet in both directions, also requests, answers and
acknowledgements, is lost with a probability of `--loss` per cent, and otherwise takes delay ± jitter milliseconds.
Status 1 if a turn was lost. If this machine cannot run the test, it says why and the status is 0.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

from lib.processes import end
from lib.repository import BACH, ROOT, program, recording
from lib.waiting import until
from lib.web import add_account
from lossylink import LossyLink, NotPossible

HERE = pathlib.Path(__file__).resolve().parent
PASSPHRASE = "four plain words here"
STANDS_OF_USER = 15


class Hub:
    """A server on one side of the link."""

    def __init__(self, link, users):
        self.link, self.folder = link, tempfile.mkdtemp(prefix="baton-lossy-")
        baton = program("release")
        self.names = [f"user{number}" for number in range(users)]
        for name in self.names:
            add_account(self.folder, name, "administrator", PASSPHRASE, baton)
        self.address = f"{link.addresses[0]}:8123"
        self.process = subprocess.Popen(
            link.inside(0, ["nice", "-n", "-10", baton, "serve", BACH, "--live", str(recording(BACH, "swift")),
                            "--data", self.folder, "--http", self.address, "--no-multicast", "--no-listen-osc"]),
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not until(self.listens, 30, every=0.1):
            self.stop()
            raise SystemExit("lossy: the server does not answer")

    def listens(self):
        found = subprocess.run(self.link.inside(0, ["ss", "-Hltn", "sport", "=", ":8123"]), capture_output=True,
                               text=True, check=False)
        return "8123" in found.stdout

    def stop(self):
        end(self.process, 20)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--loss", type=float, default=5, help="per cent of packets, each way")
    parser.add_argument("--delay", type=float, default=50, help="milliseconds, each way")
    parser.add_argument("--jitter", type=float, default=50, help="milliseconds more or less")
    parser.add_argument("--stands", type=int, default=30)
    parser.add_argument("--interval", type=float, default=1)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        with LossyLink(options.loss / 100, options.delay / 1e3, options.jitter / 1e3, options.seed) as link:
            hub = Hub(link, -(-options.stands // STANDS_OF_USER))
            try:
                done = subprocess.run(link.inside(1, [
                    sys.executable, str(HERE / "stands.py"), "http://" + hub.address, "--stands", str(options.stands),
                    "--interval", str(options.interval), "--events", str(options.events), "--sign-in",
                    ",".join(f"{name}:{PASSPHRASE}" for name in hub.names)]), check=False)
            finally:
                hub.stop()
    except NotPossible as reason:
        print(f"lossy: skipped; {reason}.")
        return 0
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
