#!/usr/bin/python3
"""The audience page in a real browser.

    Tools/browser/hall_test.py                      against the mock hall
    Tools/browser/hall_test.py --served             against a `baton serve` of its own ($BATON), behind a wire it cuts
    Tools/browser/hall_test.py --base URL           against a running server
    … [NAME …]                                      only these tests, as StreamTest.test_never_early

Tests that need a scenario (another epoch, a message, a server that goes away) skip themselves where there is none.
"""

import os
import sys
import unittest

if "--served" in sys.argv:
    sys.argv.remove("--served")
    os.environ["BATON_HALL"] = "served"
if "--base" in sys.argv:
    at = sys.argv.index("--base")
    os.environ["BATON_HALL"] = sys.argv[at + 1]
    del sys.argv[at:at + 2]

from test_hall_listener import FollowTest, FrameTest, MoreTest, PosterTest, TroubleTest  # noqa: E402,F401
from test_hall_looks import LooksTest, SpeedTest  # noqa: E402,F401
from test_hall_modules import ModuleTest  # noqa: E402,F401
from test_hall_offline import MessageTest, OfflineTest  # noqa: E402,F401
from test_hall_pictures import PicturesTest  # noqa: E402,F401
from test_hall_reading import ReadingTest  # noqa: E402,F401
from test_hall_stream import StreamTest  # noqa: E402,F401

if __name__ == "__main__":
    unittest.main(verbosity=2)
