#!/usr/bin/python3
"""The page /practice in a real browser against a real server.

    BATON=path/to/baton Tests/Pages/practice_test.py [TEST …]

The 24 cases of the table 5.3 of “Tune Teacher”, each with its words; then what is measured in rendered sound, what
happens without the server, and bad input. BATON_PICTURES names a folder for screenshots. The last line is unittest's.
"""

import unittest

from practice_keeping_claims import BadInputTest, KeepingTest  # noqa: F401
from practice_looks_claims import LooksTest  # noqa: F401
from practice_measured_claims import MeasuredTest  # noqa: F401
from practice_notes_claims import NotesCaseTest  # noqa: F401
from practice_playing_claims import PlayingCaseTest  # noqa: F401
from practice_tabs_claims import TabsCaseTest  # noqa: F401

if __name__ == "__main__":
    unittest.main()
