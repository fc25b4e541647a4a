#!/usr/bin/python3
"""The console in a real browser, by keyboard alone.

    Tools/browser/desk_test.py                      against the mock desk
    Tools/browser/desk_test.py --base URL           against a running server (BATON_NAME, BATON_PASSWORD to sign in)
    … [NAME …]                                      only these tests, as StageTest.test_hold_and_go_on

Tests that need a scenario (lost, faults, cut lines) skip themselves where the server has none. Against a real server
the show must be one of the demonstration (five pieces, cues in the one that plays) and is changed by the tests.
"""

import os
import sys
import unittest

if "--base" in sys.argv:
    at = sys.argv.index("--base")
    os.environ["BATON_BASE"] = sys.argv[at + 1]
    del sys.argv[at:at + 2]

from test_line import LineTest  # noqa: E402,F401
from test_looks import LooksTest, ReportTest  # noqa: E402,F401
from test_modules import ModuleTest  # noqa: E402,F401
from test_panels import PanelTest  # noqa: E402,F401
from test_stage import StageTest  # noqa: E402,F401

if __name__ == "__main__":
    unittest.main(verbosity=2)
