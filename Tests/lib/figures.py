"""Figures: how values are spread, and what a process takes of the machine."""

import os
import time


def percentile(values, share):
    """The nearest rank, `share` from 0 to 1; None if there is nothing."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else None


class Process:
    """Another process of this machine, by /proc; 0 of everything when it has ended."""

    def __init__(self, number):
        self.number = number
        self.began = None  # (Unix seconds, processor seconds)

    @property
    def resident_kb(self):
        """Memory in KiB."""
        try:
            with open(f"/proc/{self.number}/status", encoding="ascii") as lines:
                return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
        except (OSError, StopIteration):
            return 0

    @property
    def processor_seconds(self):
        try:
            with open(f"/proc/{self.number}/stat", encoding="ascii") as line:
                fields = line.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return 0.0

    def begin(self):
        self.began = (time.time(), self.processor_seconds)

    @property
    def processor_share(self):
        """Of one core since `begin`, from 0."""
        return (self.processor_seconds - self.began[1]) / (time.time() - self.began[0])
