"""A line on the error stream that says how far a long job is, and how long it still takes."""

import sys
import time


class Progress:
    """Says at most every `pause` seconds how many of `total` are done."""

    def __init__(self, what, total, pause=5):
        self.what, self.total, self.pause = what, total, pause
        self.done = 0
        self.began = self.said = time.monotonic()

    def step(self):
        self.done += 1
        now = time.monotonic()
        if now - self.said >= self.pause or self.done == self.total:
            self.said = now
            left = (now - self.began) / self.done * (self.total - self.done)
            print(f"{self.what}: {self.done} of {self.total}, {now - self.began:.0f} s, some {left:.0f} s left",
                  file=sys.stderr, flush=True)
