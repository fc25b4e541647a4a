#!/usr/bin/env python3
"""Receives Baton's multicast packets as a phone does, and judges them.

An independent receiver: it shares no code with the sender and reads the packets with the patterns of their
definition. It prints a JSON summary and ends with status 1 if a packet breaks a rule.

    receive-packets.py --seconds 10 --expect-piece 'Strauss, Don Juan: Don Juan'
    receive-packets.py --seconds 10 --changes changes.csv --within-ms 20

The changes are lines `measure,seconds`: the Unix time at which the sender was told to show each measure, in order.
The file is read after listening, so the sender may write it meanwhile. `ready` on standard error
says that the group is joined.
"""

import argparse
import json
import sys

from lib import packets

MOST_VIOLATIONS = 20


class Judge:
    """The packets in order of arrival, and every error in them."""

    def __init__(self, expected_pieces, most_gap_seconds):
        self.expected_pieces = expected_pieces
        self.most_gap_seconds = most_gap_seconds
        self.measures = []  # (arrival, name, measure, count)
        self.messages = []  # (arrival, text)
        self.violations = []
        self.longest_gap_seconds = 0.0
        self.packets = 0

    def hear(self, data, arrival):
        self.packets += 1
        try:
            packet = packets.read(data)
        except packets.Damaged as fault:
            self.complain(str(fault))
            return
        if isinstance(packet, packets.Message):
            self.messages.append((arrival, data.decode("utf-8")))
        else:
            self.hear_measure(packet.piece, packet.number, packet.count, arrival)

    def hear_measure(self, name, measure, count, arrival):
        if self.expected_pieces and name not in self.expected_pieces:
            self.complain(f"unexpected piece: {name!r}")
        if self.measures:
            before, _, _, count_before = self.measures[-1]
            if count <= count_before:
                self.complain(f"count {count} behind {count_before}")
            gap = arrival - before
            self.longest_gap_seconds = max(self.longest_gap_seconds, gap)
            if self.most_gap_seconds is not None and gap > self.most_gap_seconds:
                self.complain(f"{gap:.3f} s without a measure, before count {count}")
        self.measures.append((arrival, name, measure, count))

    def complain(self, what):
        self.violations.append(what)

    def missing(self):
        """Packets the counts speak of and nobody heard."""
        if not self.measures:
            return 0
        first, last = self.measures[0], self.measures[-1]
        between = sum(1 for arrival, _ in self.messages if first[0] <= arrival <= last[0])
        return last[3] - first[3] + 1 - len(self.measures) - between

    def delays_ms(self, changes, within_ms):
        """From each change to the first packet that shows it."""
        delays = []
        for measure, told in changes:
            heard = next((a for a, _, m, _ in self.measures if m == measure and a >= told), None)
            if heard is None:
                self.complain(f"measure {measure} was told and not heard")
                continue
            delays.append((heard - told) * 1000)
            if within_ms is not None and delays[-1] > within_ms:
                self.complain(f"measure {measure} heard {delays[-1]:.1f} ms after it was told")
        return delays


def read_changes(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.strip().split(",") for line in lines if line.strip()]
    return [(int(measure), float(seconds)) for measure, seconds in rows]


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--group", default=packets.GROUP)
    parser.add_argument("--port", type=int, default=12345)
    parser.add_argument("--interface", default="127.0.0.1", help="IPv4 address of the interface")
    parser.add_argument("--seconds", type=float, default=10, help="how long to listen")
    parser.add_argument("--packets", type=int, help="end sooner, once so many packets were heard")
    parser.add_argument("--expect-piece", action="append", default=[], metavar="NAME")
    parser.add_argument("--max-gap", type=float, metavar="SECONDS", help="longest silence allowed")
    parser.add_argument("--changes", metavar="CSV", help="lines `measure,unix seconds`")
    parser.add_argument("--within-ms", type=float, help="how soon after a change its packet must come")
    return parser.parse_args()


def main():
    asked = options()
    judge = Judge(asked.expect_piece, asked.max_gap)
    with packets.join(asked.port, asked.interface, asked.group) as receiver:
        print("ready", file=sys.stderr, flush=True)
        for arrival, data in packets.heard(receiver, asked.seconds):
            judge.hear(data, arrival)
            if judge.packets == asked.packets:
                break
    delays = judge.delays_ms(read_changes(asked.changes), asked.within_ms) if asked.changes else []
    if not judge.measures:
        judge.complain("no measure packet heard")
    shown = [m for i, (_, _, m, _) in enumerate(judge.measures) if i == 0 or judge.measures[i - 1][2] != m]
    arrivals = [arrival for arrival, *_ in judge.measures]
    span = arrivals[-1] - arrivals[0] if arrivals else 0
    summary = {
        "measurePackets": len(judge.measures),
        "messagePackets": len(judge.messages),
        "pieces": list(dict.fromkeys(name for _, name, _, _ in judge.measures)),
        "measures": shown,
        "messages": list(dict.fromkeys(text for _, text in judge.messages)),
        "firstCount": judge.measures[0][3] if judge.measures else None,
        "lastCount": judge.measures[-1][3] if judge.measures else None,
        "missing": judge.missing(),
        "measurePacketsPerSecond": round((len(arrivals) - 1) / span, 2) if span > 0 else None,
        "longestGapSeconds": round(judge.longest_gap_seconds, 4),
        "firstPacketDelaysMs": [round(delay, 3) for delay in delays],
        "violations": judge.violations[:MOST_VIOLATIONS],
        "violationCount": len(judge.violations),
    }
    print(json.dumps(summary, ensure_ascii=False, indent=2))
    return 1 if judge.violations else 0


if __name__ == "__main__":
    sys.exit(main())
