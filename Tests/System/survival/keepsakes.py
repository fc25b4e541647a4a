"""Content of `survive content` besides texts: a prepared piece, an entry of the diary, a speaker's PDF, a take.

All of it must be on the backup when the main server dies; a take of a removed account must be on neither.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import struct
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


def flac(name):
    """The header of three seconds of 16-bit sound at 11,025 Hz, and bytes that no other take has."""
    sound = (11025 << 44) | (15 << 36) | 33075
    stream = struct.pack(">HH", 4096, 4096) + bytes(6) + sound.to_bytes(8, "big") + bytes(16)
    return b"fLaC" + bytes([0x80, 0, 0, 34]) + stream + hashlib.sha512(name.encode()).digest() * 4_000


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
        self.band = self.main.value("/api/diary/bands", {"name": "The Survivors"})["id"]
        self.main.value("/api/diary/tourdate", {
            "bandId": self.band, "venue": "Basement", "startDate": "2026-05-04"})

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
            with sqlite3.connect(self.main.data / "catalogue.sqlite") as catalogue:
                account = catalogue.execute("SELECT id FROM account WHERE name = ?", (name,)).fetchone()[0]
            owner = hashlib.sha256(account.encode()).hexdigest()[:32]
            folder = self.main.data / "takes" / owner / "2026-05-04-193000-abc"
            folder.mkdir(parents=True)
            (folder / "take.flac").write_bytes(flac(name))
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
        return "Basement" in json.dumps(one.ask(f"/api/diary/tourdate/find?band={self.band}")[1])

    def state(self):
        return json.dumps({
            "piece": (self.backup.models / PIECE).exists(),
            "slides": sorted(each.name for each in (self.backup.data / "presenting").glob("*")),
            "takes": [str(each) for each in (self.backup.data / "takes").glob("*/*")],
            "diary": self.has_entry(self.backup), "log": self.backup.server.said()[-600:]})

    def removal(self):
        """An account is removed; its take must be gone from both servers, the other's must stay."""
        done = subprocess.run(
            [places.BATON, "user", "remove", "dora", "--data", self.main.data], capture_output=True, text=True,
            check=False)
        self.verdict.claim("an account is removed while the server runs", done.returncode == 0, done.stderr)
        gone = until(lambda: not any(self.has_take(one, "dora") for one in (self.main, self.backup)), 30)
        self.verdict.claim("the takes of a removed account are on neither server", gone)
        self.verdict.claim("those of others stay", all(self.has_take(one, "emil") for one in (self.main, self.backup)))

    def check_on_backup(self):
        """The main server is dead, the backup leads."""
        one = self.backup
        self.verdict.claim("the entry of the diary is there", self.has_entry(one))
        pieces = one.value("/api/practice/pieces")["pieces"]
        self.verdict.claim("the prepared piece is there", PIECE in [each["folder"] for each in pieces],
                           json.dumps(pieces))
        page = one.fetched(f"/api/floor/pages/{self.document}/1")
        self.verdict.claim("the speaker's slides are there, and staff see a page that is not shown",
                           page[0] == 200 and len(page[1]) > 100, str(page[0]))
        kept = (one.data / "presenting" / f"{self.document}.pdf").read_bytes()
        self.verdict.claim("byte for byte", kept == self.pdf)
        self.stream.close()
