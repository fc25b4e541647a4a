"""`survive quick`: a minute of all, for continuous integration."""

import io
import unittest

from . import faults, pair, restart, selftest


def run(seed, verdict):
    said = io.StringIO()
    judged = unittest.TextTestRunner(said).run(unittest.defaultTestLoader.loadTestsFromModule(selftest))
    is_well = judged.wasSuccessful()
    verdict.claim("the judges find what is wrong", is_well, "" if is_well else said.getvalue())
    seed = 4 if seed is None else seed
    for number, kind in enumerate(("kill", "cut", "stop")):
        if pair.run(1, seed + number, [kind], verdict) is None:
            break
    restart.run(3, seed, verdict)
    faults.run("disk,broker", verdict)
