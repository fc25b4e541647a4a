#!/usr/bin/python3
"""The audience page in a real browser.

    BATON=path/to/baton Tests/Pages/hall_test.py  against a server of its own, behind a wire that it cuts
    Tests/Pages/hall_test.py --base URL           against a running server
    … [NAME …]                                      only these tests, as StreamTest.test_never_early

At a running server the tests that need a situation (a message, a server that goes away) skip themselves.
"""

import os
import sys
import unittest

if "--base" in sys.argv:
    at = sys.argv.index("--base")
    os.environ["BATON_HALL"] = sys.argv[at + 1]
    del sys.argv[at:at + 2]

from hall_listener_claims import FollowTest, FrameTest, MoreTest, PosterTest, TroubleTest  # noqa: E402,F401
from hall_looks_claims import LooksTest, SpeedTest  # noqa: E402,F401
from hall_modules_claims import ModuleTest  # noqa: E402,F401
from hall_offline_claims import MessageTest, OfflineTest  # noqa: E402,F401
from hall_pictures_claims import PicturesTest  # noqa: E402,F401
from hall_reading_claims import ReadingTest  # noqa: E402,F401
from hall_stream_claims import StreamTest  # noqa: E402,F401

if __name__ == "__main__":
    unittest.main(verbosity=2)
