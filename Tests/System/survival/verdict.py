"""Claims that hold or do not, and figures with their spread."""

import os
import sys
import threading

from lib.figures import percentile


class Verdict:
    """Counts claims; prints one line each."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.failures = []
        self._lock = threading.Lock()

    def claim(self, name, holds, detail=""):
        with self._lock:
            self.passed += bool(holds)
            self.failed += not holds
            if not holds:
                self.failures.append(f"{name}: {detail}")
        word = "ok     " if holds else "FAILED "
        say(f"{word} {name}" + (f"  ({detail})" if detail else ""))
        return bool(holds)

    def end(self):
        """The closing line that continuous integration reads.
        Returns the exit status."""
        say(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def say(text):
    print(text, flush=True)


def skip(what, why):
    say(f"skipped {what}: {why}")


def spread(values, unit="ms"):
    """Median, 95th, 99th percentile and maximum in words."""
    if not values:
        return "no figures"
    figures = [percentile(values, share) for share in (0.5, 0.95, 0.99)] + [max(values)]
    return "median {:.0f}, p95 {:.0f}, p99 {:.0f}, max {:.0f} {} of {}".format(*figures, unit, len(values)) \
        if max(values) >= 20 else \
        "median {:.2f}, p95 {:.2f}, p99 {:.2f}, max {:.2f} {} of {}".format(*figures, unit, len(values))


def load_line():
    """The other load of the machine, to be read with every figure."""
    return "load average {:.1f} {:.1f} {:.1f} on {} cores".format(*os.getloadavg(), os.cpu_count())


def complain(text):
    print(text, file=sys.stderr, flush=True)
