#!/usr/bin/python3
"""A stand at a server that does not lead any more says so, and leads to the one that does.

    BATON=path/to/baton Tools/browser/stand_takeover_test.py [TEST …]
"""

import contextlib
import pathlib
import secrets
import shutil
import tempfile
import unittest

import prepared
import served_stands
import stand_case
from lib import web
from lib.processes import free_port
from served_stands import ServedStands

ADMINISTRATOR = {name: word for name, _, word in served_stands.ACCOUNTS}["anna"]
SIGN = "const sign = document.getElementById('sign-elsewhere'); return sign?.checkVisibility() ? sign.innerText : ''"


class StandTakeoverTest(stand_case.StandCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-stands-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        key, port = folder / "key", free_port()
        key.write_bytes(secrets.token_bytes(32))
        key.chmod(0o600)
        cls.pair = ServedStands("--link", port, "--link-key", key)
        cls.addClassCleanup(cls.pair.close)
        cls.pair.reset()
        cls.backup = prepared.server((), "--models", "Models", "--backup-of", port, "--link-key", key)
        cls.addClassCleanup(cls.backup.remove)
        cls.begin(None, cls.backup.base)

    def setUp(self):
        self.forget()
        stand_case.size(self.driver, stand_case.PHONE)

    def tearDown(self):
        """The browser complains of the refusals that are wanted here."""

    def test_a_stand_at_the_backup_says_where_the_rooms_are(self):
        def follows():
            with contextlib.suppress(OSError, KeyError, TypeError):
                section = web.snapshot(self.backup.base, self.backup.sign_in("anna", ADMINISTRATOR))["backup"]
                return section["connected"] and section["otherHeard"] and section["content"]["isCurrent"]
            return False
        self.until(follows, "the backup follows", 30)
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
