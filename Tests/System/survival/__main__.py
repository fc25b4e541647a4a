"""The command line of `Tests/System/survive`."""

import argparse
import signal
import sys

from . import places
from .server import stop_all
from .verdict import Verdict, say


def options():
    parser = argparse.ArgumentParser(prog="survive", description="Tests what Baton promises in trouble.")
    parser.add_argument("--seed", type=int, help="repeats a run; chosen and printed otherwise")
    parts = parser.add_subparsers(dest="part", required=True)
    pair = parts.add_parser("pair", help="main and backup in network namespaces (root)")
    pair.add_argument("--trials", type=int, default=50)
    pair.add_argument("--only", choices=["kill", "cut", "stop", "flap", "split", "busy", "dark", "twins"],
                      action="append", help="this kind; with several, one after another")
    pair.add_argument("--without", action="append", default=[], metavar="KIND")
    pair.add_argument("--untimed", action="store_true",
                      help="judge what is right or wrong, not how quickly: for a debug program or a busy machine")
    gateway = parts.add_parser("gateway", help="a desk's GO through a pair whose servers take over (root)")
    gateway.add_argument("--trials", type=int, default=50, help="the number of takeovers")
    gateway.add_argument("--only", choices=["kill", "cut", "stop"], action="append")
    restart = parts.add_parser("restart", help="kill -9 at random moments, and start again")
    restart.add_argument("--trials", type=int, default=20)
    faults = parts.add_parser("faults", help="sound device, disk, reserve of the disk, clock, network, broker")
    faults.add_argument("--only")
    content = parts.add_parser("content", help="slides, scores, rooms and accounts on the backup, on loopback")
    content.add_argument("--trials", type=int, default=3)
    recordings = parts.add_parser("recordings", help="kill -9 while the evening is recorded; a disk that gets full")
    recordings.add_argument("--trials", type=int, default=8)
    concert = parts.add_parser("concert", help="a long simulated concert with a watcher")
    concert.add_argument("--minutes", type=float, default=120)
    concert.add_argument("--report", help="write the figures there, as JSON")
    measure = parts.add_parser("measure", help="how long commands take, how much is logged")
    measure.add_argument("--commands", type=int, default=300)
    parts.add_parser("quick", help="a minute of all, for continuous integration")
    return parser.parse_args()


def main():
    asked = options()
    # An end from outside is an end like any other: everything is taken down.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    verdict = Verdict()
    keeps = False
    try:
        if asked.part == "pair":
            from . import pair
            limits = pair.PATIENT if asked.untimed else pair.STRICT
            if pair.run(asked.trials, asked.seed, asked.only, verdict, asked.without, limits) is None:
                return 0
        elif asked.part == "gateway":
            from . import gateway
            if gateway.run(asked.trials, asked.seed, asked.only, verdict) is None:
                return 0
        elif asked.part == "restart":
            from . import restart
            restart.run(asked.trials, asked.seed, verdict)
        elif asked.part == "faults":
            from . import faults
            faults.run(asked.only, verdict)
        elif asked.part == "content":
            from . import content
            content.run(asked.trials, asked.seed, verdict)
        elif asked.part == "recordings":
            from . import recordings
            recordings.run(asked.trials, asked.seed, verdict)
        elif asked.part == "concert":
            from . import concert
            concert.run(asked.minutes, asked.seed, asked.report, verdict)
        elif asked.part == "measure":
            from . import measure
            measure.run(asked.commands, asked.seed, verdict)
        else:
            from . import quick
            quick.run(asked.seed, verdict)
        # Two hours are not repeated lightly: the logs say more than the watcher could.
        keeps = asked.part == "concert" and verdict.failed > 0
        if keeps:
            say(f"kept for whoever looks into it: {places.scratch()}")
        return verdict.end()
    finally:
        stop_all()
        if not keeps:
            places.sweep()


if __name__ == "__main__":
    sys.exit(main())
