#!/usr/bin/env python3
"""Simulates many phones: joins the audience's live stream N times and measures the delay of each change.

    Tests/System/load/listeners.py http://127.0.0.1:8080 --count 2000 --seconds 60
    Tests/System/load/listeners.py URL --count 2000 --storm drop                 all disconnect and reconnect at once
    Tests/System/load/listeners.py URL --count 2000 --restart-command 'COMMAND'  the server is restarted under them
    Tests/System/load/listeners.py URL URL URL --count 900                       spread over several servers or relays
    Tests/System/load/listeners.py URL --churn 20 --seconds 7200 --pid N --memory FILE    20 a second leave and return

Judged independently of the server: no listener may ever step back (epoch, sequence), and at the end all must hold
the same newest value. Delays count from the first sign of a change: the first listener that receives
it, or the packet of the multicast group (--packets ADDRESS:PORT of the interface 127.0.0.1), whichever is earlier.
The kernel stamps each arrival, so that this program's own slowness is reported separately.

Ends by itself; exit status 1 if a listener stepped back, was left behind or was too late (--within).
"""
import argparse
import json
import sys

from hall import Hall


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urls", nargs="+", metavar="URL")
    parser.add_argument("--path", default="/api/audience/events")
    parser.add_argument("--count", type=int, default=200, help="listeners, at most 20000")
    parser.add_argument("--seconds", type=float, default=30, help="listening after all have joined, at most 8 hours")
    parser.add_argument("--joins", type=float, default=400, help="joins a second")
    parser.add_argument("--eager", action="store_true", help="come back without the pause that the page makes")
    parser.add_argument("--packets", metavar="PORT", type=int, help="hear the packets on 127.0.0.1 at this port too")
    parser.add_argument("--group", default="239.255.255.251")
    parser.add_argument("--pid", type=int, action="append",
                        help="the server's process: memory and processor time; of further ones --memory tells too")
    parser.add_argument("--churn", type=float, default=0, metavar="RATE",
                        help="so many listeners a second hang up, and come back; delays are not judged then")
    parser.add_argument("--memory", metavar="FILE", help="with --churn, a row each minute: seconds, returns, changes, "
                        "KB of each --pid")
    parser.add_argument("--storm", choices=["drop", "vanish"], help="after a third of the time: all hang up, or wait "
                        "until the server goes away and comes back")
    parser.add_argument("--restart-command", help="run in a shell after a third of the time; implies --storm vanish")
    parser.add_argument("--command", help="run in a shell after a third of the time; listening goes on")
    parser.add_argument("--console", action="store_true", help="read the follower's meters from /api/events too")
    parser.add_argument("--within", type=float,
                        help="seconds in which all must be right again after a storm; without one, the longest "
                        "time that anybody may hold an old value")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    parser.add_argument("--note", default="", help="kept with the figures")
    options = parser.parse_args()
    options.count = max(1, min(options.count, 20_000))
    options.seconds = min(options.seconds, 8 * 3600)
    if options.restart_command:
        options.storm = "vanish"
    return options


def table(figures):
    rows = []
    for key, value in figures.items():
        if isinstance(value, dict):
            value = "  ".join(f"{name} {number}" for name, number in value.items())
        rows.append((key, value))
    width = max(len(key) for key, _ in rows)
    return "\n".join(f"{key:<{width}}  {value}" for key, value in rows)


def main():
    options = arguments()
    hall = Hall(options)
    try:
        figures = hall.run()
    finally:
        hall.close()
    print(json.dumps(figures))
    print(table(figures), file=sys.stderr)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=1)
    sys.exit(0 if figures["verdict"] == "right" else 1)


if __name__ == "__main__":
    main()
