"""Figures: how times are spread, and what a process takes."""
import os
import time


def spread(seconds):
    """Milliseconds: median, 95th and 99th percentile, largest."""
    if not seconds:
        return {"count": 0}
    ordered = sorted(seconds)

    def at(share):
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 1)

    return {"count": len(ordered), "p50 ms": at(0.5), "p95 ms": at(0.95), "p99 ms": at(0.99),
            "max ms": round(ordered[-1] * 1000, 1)}


class Process:
    """Another process of this machine, by /proc."""

    def __init__(self, number):
        self.number = number

    def memory(self):
        """Bytes resident."""
        with open(f"/proc/{self.number}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
        return 0

    def _seconds(self):
        with open(f"/proc/{self.number}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def begin(self):
        self.began = (time.time(), self._seconds())

    def used(self):
        span = time.time() - self.began[0]
        return {"percent of a core": round(100 * (self._seconds() - self.began[1]) / span, 1)}
