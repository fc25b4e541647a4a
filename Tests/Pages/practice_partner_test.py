#!/usr/bin/python3
"""A recording that plays along with a student: how near it stays, how it waits and goes on.

    BATON=path/to/baton Tests/Pages/practice_partner_test.py [--pictures FOLDER] [TEST …]

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import os
import unittest

from browser import resize, settle
from page_case import pictures_folder
from partner_case import PartnerCase, Student

PICTURES = None
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}


class TogetherTest(PartnerCase):
    """At home with headphones: another tempo in the middle, then a stop."""

    @classmethod
    def play(cls):
        return Student().plays("gentle", 0, 4).plays("dance", 4, 6).rests(3).plays("gentle", 6, 9).rests(1)

    def test_what_it_does_is_seen(self):
        self.open("dance")
        self.start()
        self.until(lambda: self.state() == "together", "it plays along", 12)
        self.picture("together")
        self.until(lambda: self.state() == "waiting", "it waits", 15)
        self.assertEqual(self.script("return document.getElementById('partner-state').textContent"), "Waits for you.")
        self.picture("waiting")
        self.script("document.getElementById('partner-begin').click()")
        self.until(lambda: self.state() != "waiting", "it begins when it is told to", 3)
        self.script("document.getElementById('stop').click()")
        self.until(lambda: self.script("return document.getElementById('partner-panel').hidden"), "it is over", 10)
        self.assertEqual(self.complaints(), [])

    def picture(self, name):
        for size, pixels in SIZES.items() if PICTURES else ():
            resize(self.driver, pixels)
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"partner-{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main()
