#!/usr/bin/python3
"""The music stand in a real browser.

    BATON=path/to/baton Tests/Pages/stand_test.py                   against a server of its own, behind a wire
    Tests/Pages/stand_test.py --base URL --users A,B,C [--password] against a running server; A owns rooms
    … [NAME …]                                                        only these tests, as TurningTest.test_…

At a running server the tests that need a situation (music, a server that goes away) skip themselves.
"""

import os
import sys
import unittest

for option, name in (("--base", "BATON_STANDS"), ("--users", "BATON_STAND_USERS"),
                     ("--password", "BATON_STAND_PASSWORD")):
    if option in sys.argv:
        at = sys.argv.index(option)
        os.environ[name] = sys.argv[at + 1]
        del sys.argv[at:at + 2]

from stand_ink_claims import InkTest  # noqa: E402,F401
from stand_modules_claims import ModuleTest  # noqa: E402,F401
from stand_offline_claims import ChangedServerTest, DeviceTest, OfflineTest, OtherUserTest  # noqa: E402,F401
from stand_onward_claims import OnwardTest  # noqa: E402,F401
from stand_pages_claims import PagesTest  # noqa: E402,F401
from stand_room_claims import LeadingTest, ReportTest, RoomTest  # noqa: E402,F401
from stand_turning_claims import TurningTest  # noqa: E402,F401
from stand_written_claims import WrittenTest  # noqa: E402,F401
from stand_zoom_claims import ZoomTest  # noqa: E402,F401

if __name__ == "__main__":
    unittest.main(verbosity=2)
