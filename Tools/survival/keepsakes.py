"""What `survive content` makes besides texts: a prepared piece, an entry of the diary, a speaker's PDF, a take.

All of it must be on the backup when the main server dies; a take of a removed account must be on neither.
"""

import hashlib
import json
import os
import shutil
import subprocess
import time
import urllib.request

from lib.repository import ROOT
from lib.waiting import until

from . import places

PIECE = "kept-by-the-backup"
# Files are compared every two seconds, and copied in the background.
SECONDS = 60


def copy_model(folder, piece, name=None):
    target = folder / (name or piece)
    if not target.exists():
        shutil.copytree(ROOT / "Models" / piece, target)


class Keepsakes:
    def __init__(self, main, backup, verdict):
        self.main, self.backup, self.verdict = main, backup, verdict
        self.made_at = time.monotonic()

    def make(self):
        """Makes everything on the main server, and waits until the backup has it."""
        self.entry()
        self.slides()
        self.piece()
        self.takes()
        begun = time.monotonic()
        self.verdict.claim("the backup gets all files", until(self.is_copied, SECONDS), self.state())
        print(f"files, diary: on the backup after {time.monotonic() - begun:.1f} s", flush=True)
        self.removal()

    def entry(self):
        self.main.value("/api/diary/bands", {"id": "survivors", "name": "The Survivors"})
        self.main.value("/api/diary/tourdate", {
            "id": "survival-1", "band": "survivors", "location": "Basement", "startDate": "2026-05-04"})

    def slides(self):
        """A speaker joins, and sends a PDF that is never shown."""
        from .content import pdf
        self.pdf = pdf()
        token = self.main.value("/api/present/join/account", {"name": "Anna"})["token"]
        stream = urllib.request.urlopen(  # the speaker is registered while the page listens
            f"http://127.0.0.1:{self.main.http}/api/present/stream?token={token}", timeout=20)
        stream.readline()
        upload = self.main.value(f"/api/present/uploads?token={token}", {"bytes": len(self.pdf)})["upload"]
        answer = self.main.upload(f"/api/present/uploads/{upload}?token={token}&offset=0", self.pdf, "PUT")
        self.document, self.stream = upload, stream
        self.verdict.claim("the slides are ready", answer.get("pages") == 1, json.dumps(answer))

    def piece(self):
        copy_model(self.main.models, places.BACH, PIECE)

    def takes(self):
        """Two accounts with a take each, written as the server writes them."""
        self.owners = {}
        for name in ("dora", "emil"):
            subprocess.run(
                [places.BATON, "user", "add", name, "--role", "musician", "--data", self.main.data],
                input="seventeen grey horses walk\n", text=True, check=True, capture_output=True)
            users = subprocess.run(
                ["sqlite3", self.main.data / "catalogue.sqlite", f"SELECT id FROM account WHERE name = '{name}'"],
                capture_output=True, text=True, check=True).stdout.strip()
            owner = hashlib.sha256(users.encode()).hexdigest()[:32]
            folder = self.main.data / "takes" / owner / "2026-05-04-193000-abc"
            folder.mkdir(parents=True)
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=3", "-c:a", "flac", folder / "take.flac"],
                check=True)
            take = {"piece": places.BACH, "pieceName": "Bach", "startedAt": 1777924800000, "seconds": 3,
                    "lostSeconds": 0, "processing": {}}
            (folder / "part.json").write_text(json.dumps(take))
            os.rename(folder / "part.json", folder / "take.json")
            self.owners[name] = owner

    def has_take(self, one, name):
        folder = one.data / "takes" / self.owners[name] / "2026-05-04-193000-abc"
        return (folder / "take.json").exists() and (folder / "take.flac").exists()

    def is_copied(self):
        return (self.backup.models / PIECE / "model.json").exists() and \
            (self.backup.data / "presenting" / f"{self.document}.json").exists() and \
            all(self.has_take(self.backup, name) for name in self.owners) and self.has_entry(self.backup)

    def has_entry(self, one):
        return "Basement" in json.dumps(one.ask("/api/diary/tourdate/find?band=survivors")[1])

    def state(self):
        return json.dumps({
            "piece": (self.backup.models / PIECE).exists(),
            "slides": sorted(each.name for each in (self.backup.data / "presenting").glob("*")),
            "takes": [str(each) for each in (self.backup.data / "takes").glob("*/*")],
            "diary": self.has_entry(self.backup), "log": self.backup.server.said()[-600:]})

    def removal(self):
        """An account is removed; its take must be gone from both servers, the other's must stay."""
        subprocess.run(
            [places.BATON, "user", "remove", "dora", "--data", self.main.data], check=True, capture_output=True,
            input="yes\n", text=True)
        gone = until(lambda: not any(self.has_take(one, "dora") for one in (self.main, self.backup)), 30)
        self.verdict.claim("the takes of a removed account are on neither server", gone)
        self.verdict.claim("those of others stay", all(self.has_take(one, "emil") for one in (self.main, self.backup)))

    def check_on_backup(self):
        """The main server is dead, the backup reigns."""
        one = self.backup
        self.verdict.claim("the entry of the diary is there", self.has_entry(one))
        pieces = one.value("/api/practice/pieces")["pieces"]
        self.verdict.claim("the prepared piece is there", PIECE in [each["folder"] for each in pieces], json.dumps(pieces))
        page = one.fetched(f"/api/floor/pages/{self.document}/1")
        self.verdict.claim("the speaker's slides are there, and staff see a page that is not shown",
                           page[0] == 200 and len(page[1]) > 100, str(page[0]))
        kept = (one.data / "presenting" / f"{self.document}.pdf").read_bytes()
        self.verdict.claim("byte for byte", kept == self.pdf)
        self.stream.close()
