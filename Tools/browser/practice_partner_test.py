#!/usr/bin/python3
"""A recording that plays along with a student: how near it stays, how it waits and goes on.

    BATON=path/to/baton Tools/browser/practice_partner_test.py [--pictures FOLDER] [TEST …]

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import json
import os
import pathlib
import sys
import unittest

from partner_case import PartnerCase, Student
from practice_partner_claims import ReckoningTest

__all__ = ["ReckoningTest", "TogetherTest"]

PICTURES = None
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}


class TogetherTest(PartnerCase):
    @classmethod
    def play(cls):
        return (Student().plays("gentle", 0, 6).plays("dance", 6, 10).rests(4).plays("gentle", 10, 14)
                .plays("gentle", 3, 7).rests(1))

    def test_it_keeps_with_the_student_waits_and_jumps(self):
        self.open("dance")
        self.start()
        self.until(lambda: self.heard_seconds() > self.student.seconds, "the student has played",
                   self.student.seconds + 15)
        rows = self.log("dance")
        sounds = self.script("return window.partnerSound")
        if dump := os.environ.get("PARTNER_LOG"):
            pathlib.Path(dump).write_text(json.dumps({"rows": rows, "sounds": sounds}), encoding="utf-8")
        self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    if "--pictures" in sys.argv:
        place = sys.argv.index("--pictures")
        PICTURES = sys.argv[place + 1]
        del sys.argv[place:place + 2]
        pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
    unittest.main()
