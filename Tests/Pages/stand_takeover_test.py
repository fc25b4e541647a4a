#!/usr/bin/python3
"""A stand at a server that does not lead any more says so, and leads to the one that does.

    BATON=path/to/baton Tests/Pages/stand_takeover_test.py [TEST …]
"""

import unittest

import paired
import prepared
import served_stands
import stand_case
from served_stands import ServedStands

ADMINISTRATOR = {name: word for name, _, word in served_stands.ACCOUNTS}["anna"]
SIGN = "const sign = document.getElementById('sign-elsewhere'); return sign?.checkVisibility() ? sign.innerText : ''"


class StandTakeoverTest(stand_case.StandCase):
    @classmethod
    def setUpClass(cls):
        leading, following = paired.options(cls)
        cls.pair = ServedStands(*leading)
        cls.addClassCleanup(cls.pair.close)
        cls.pair.reset()
        cls.backup = prepared.server((), "--models", "Models", *following)
        cls.addClassCleanup(cls.backup.remove)
        cls.begin(None, cls.backup.base)

    def setUp(self):
        self.forget()
        stand_case.size(self.driver, stand_case.PHONE)

    def tearDown(self):
        """The browser complains of the refusals that are wanted here."""

    def test_a_stand_at_the_backup_says_where_the_rooms_are(self):
        self.until(lambda: paired.follows(self.backup, lambda: self.backup.sign_in("anna", ADMINISTRATOR)),
                   "the backup follows", 30)
        self.open()
        self.sign_in("otto")
        row = f"[data-room='{self.pair.room_id}']"
        self.until(lambda: self.shown(row), "the room is listed", 8)
        self.click(row)
        self.until(lambda: self.shown("#dialog [data-part='0']"), "the parts are offered")
        self.click("#dialog [data-part='0']")
        self.until(lambda: "Open the stand there" in self.script(SIGN), "it says that another server has the rooms", 10)
        self.assertEqual(self.script("return document.getElementById('elsewhere').href"),
                         self.pair.server.base + "/stand")
        self.click("#elsewhere")
        self.until(lambda: self.driver.current_url.startswith(self.pair.server.base), "the link leads there")


if __name__ == "__main__":
    unittest.main()
