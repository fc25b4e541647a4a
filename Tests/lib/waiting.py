"""Waiting: for a condition within a limit, for a server to answer, or, where time itself is tried, for seconds."""

import os
import time

# The factor by which limits are longer on a machine that does other work beside the tests.
PATIENCE = float(os.environ.get("BATON_PATIENCE", "1"))


class NotInTime(Exception):
    """The condition did not become true within its seconds."""


def until(condition, seconds, every=0.03):
    """The first true value of a condition; its last value, which is false, when the seconds are over."""
    end = time.monotonic() + seconds * PATIENCE
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(every)
    return value


def wait_for(condition, seconds, claim, every=0.03):
    """The first true value of a condition; raises NotInTime with the claim when the seconds are over."""
    if value := until(condition, seconds, every):
        return value
    raise NotInTime(f"not within {seconds:g} s: {claim}")


def when(action, seconds, every=0.02):
    """Tries until an action raises no OSError; its result. Raises the last error when the seconds are over."""
    end = time.monotonic() + seconds * PATIENCE
    while True:
        try:
            return action()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(every)


def holds_for(condition, seconds, every=0.1):
    """True if a condition is true at every look for so many seconds; false at the first look at which it is not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not condition():
            return False
        time.sleep(every)
    return True


def hold_for(seconds):
    """Lets time pass where time is what is tried: a finger that is held, a silence, a pause of the music."""
    time.sleep(max(0, seconds))
