#!/usr/bin/python3
"""Remarks drawn in headless Chromium by real fingers, pens and mice.

    BATON=path/to/baton Tests/Pages/remarks_test.py               all tests, with the times they measured
    … --pictures FOLDER                                             … and screenshots to look at
"""

import os
import pathlib
import sys
import unittest

if "--pictures" in sys.argv:
    at = sys.argv.index("--pictures")
    os.environ["REMARK_PICTURES"] = sys.argv[at + 1]
    pathlib.Path(sys.argv[at + 1]).mkdir(parents=True, exist_ok=True)
    del sys.argv[at:at + 2]

from remarks_case import MEASURED  # noqa: E402
from remarks_changing_claims import ChangingTest, LayerTest  # noqa: E402,F401
from remarks_drawing_claims import DrawingTest, PalmTest, StampTest, TextTest  # noqa: E402,F401
from remarks_looks_claims import AccessTest, SizeTest  # noqa: E402,F401

if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=1)
    for what, times in MEASURED.items():
        print(what, {name: round(value, 2) for name, value in times.items()})
    sys.exit(not program.result.wasSuccessful())
