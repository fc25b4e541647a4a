"""One trial, and how its answers are judged."""

import json
import time


class Trial:
    """`act` gives what came back as a text; `holds` says whether that is right."""

    def __init__(self, name, act, holds, letters=160):
        self.name, self.act, self.holds, self.letters = name, act, holds, letters

    def run(self):
        began = time.monotonic()
        try:
            said = self.act()
            holds = self.holds(said)
        except Exception as fault:  # whatever breaks the trial is a failed trial, and the next one runs
            said, holds = f"{type(fault).__name__}: {fault}", False
        said = " ".join(said.split())
        return self.name, holds, said[:self.letters], (time.monotonic() - began) * 1000


def status(*wanted):
    """One of these statuses at the beginning of the answer."""
    return lambda said: any(said.startswith(str(code)) or f" {code} " in said[:14] for code in wanted)


def sentence(pair):
    code, body = pair
    try:
        said = json.loads(body)
        return f"{code} {said['error'] if isinstance(said, dict) and 'error' in said else ''}"
    except ValueError:
        return f"{code} {body[:100]}"
