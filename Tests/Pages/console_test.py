#!/usr/bin/python3
"""The console in a real browser, by keyboard alone.

    BATON=path/to/baton Tests/Pages/console_test.py                      with a scripted follower
    BATON=path/to/baton Tests/Pages/console_test.py --serve              with a follower that hears a recording
    Tests/Pages/console_test.py --base URL    a server that runs (BATON_NAME, BATON_PASSWORD to sign in)
    … [NAME …]                                  only these tests, as StageTest.test_hold_and_go_on

The tests read from the server what the show is. Those that need the script (lost, faults, cut lines) are left out where
a real follower plays; console_served_test.py has them there. A running server must be following its first piece; its
show and the cue list of that piece are changed by the tests.
"""

import os
import sys
import unittest

if "--base" in sys.argv:
    at = sys.argv.index("--base")
    os.environ["BATON_BASE"] = sys.argv[at + 1]
    del sys.argv[at:at + 2]

served = None
if "--serve" in sys.argv:
    from lib.repository import recording
    from served import Served

    sys.argv.remove("--serve")
    PIECES = ["beethoven-symphony-9-ode-to-joy-variations", "bach-well-tempered-clavier-1-prelude-in-c"]
    served = Served(",".join(PIECES), [recording(PIECES[0], "broad")], "--loop", "0", "--check-seconds", "5")
    os.environ["BATON_BASE"] = served.base

from console_line_claims import LineTest, PairTest  # noqa: E402,F401
from console_looks_claims import LooksTest, ReportTest  # noqa: E402,F401
from console_modules_claims import ModuleTest  # noqa: E402,F401
from console_panels_claims import EscapeTest, PanelTest, RoomForGoAndPanicTest  # noqa: E402,F401
from console_phone_claims import PhoneTest  # noqa: E402,F401
from console_rights_claims import CommandingTest, RightsTest  # noqa: E402,F401
from console_stage_claims import StageTest  # noqa: E402,F401

if __name__ == "__main__":
    try:
        unittest.main(verbosity=2)
    finally:
        if served:
            served.remove()
