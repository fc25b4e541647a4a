#!/usr/bin/python3
"""The page that prepares pieces, in a real browser against a real server.

    BATON=path/to/baton Tests/Pages/prepare_test.py [NAME …]     only these tests, as KeyboardTest.test_…

With $BATON_PICTURES, a folder, it leaves screenshots there. SpeedTest prints how smoothly 90 minutes with 3,000 bars
scroll.
"""

import unittest

from prepare_editing_claims import HandTest, KeyboardTest, TogetherTest  # noqa: F401
from prepare_fields_claims import DeletedTest, FieldTest  # noqa: F401
from prepare_looks_claims import LooksTest, SpeedTest  # noqa: F401
from prepare_marks_claims import MarksTest  # noqa: F401
from prepare_models_claims import ModelTest  # noqa: F401
from prepare_sound_claims import SoundFileTest  # noqa: F401
from prepare_ways_claims import WayTest  # noqa: F401

if __name__ == "__main__":
    unittest.main(verbosity=2)
