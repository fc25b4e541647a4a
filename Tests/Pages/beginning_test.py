#!/usr/bin/python3
"""The first minute, played into a private sound card: doors, tuning, arming, a false start, the first bar and its cues,
retuning, the second movement; on a console, a phone and a stand.

    BATON=path/to/baton Tests/Pages/beginning_test.py [--pictures FOLDER]

Two short pieces are made of the repository's recordings. It takes a minute and a half, and needs pulseaudio (else it is
skipped). The last line is `N passed, N failed`.
"""

import array
import contextlib
import csv
import itertools
import json
import math
import pathlib
import shutil
import sys
import tempfile
import time
import uuid

import sound
from browser import chromium, resize, settle
from checks import Checks, Desk, text, until
from lib import web
from lib.music_pdf import music_pdf
from lib.repository import ROOT, recording
from lib.soundcard import SoundCard, is_possible
from lib.waiting import hold_for, holds_for
from rooms_stand import Stand
from served import Served

PASSPHRASE = "open sesame 1"
ACCOUNTS = (("ines", "technician", PASSPHRASE), ("lena", "editor", PASSPHRASE), ("anna", "musician", PASSPHRASE))
BACH, PETZOLD = "bach-well-tempered-clavier-1-prelude-in-c", "petzold-anna-magdalena-notebook-minuet-in-g"
OBOE = pathlib.Path(ROOT).parent / "shared" / "data" / "situations" / "oboe.flac"
# The folder of each short piece, its name, and the performances of which it is made: reference and live.
PIECES = (("first", "Bach, Prelude: I", BACH, "even", "swift"),
          ("second", "Bach, Prelude: II", PETZOLD, "dance", "gentle"))
BARS = (6, 10)
CUES = """place,name,kind,auto,earliness_ms,notes,target,payload,begin
1,House lights out,note,yes,0,,,,certain
1,Curtain,note,yes,0,,,,person
"""
# What the console's pictures show, by their width.
WIDTHS = {390: (390, 844), 820: (820, 1180), 1440: (1440, 900)}


def new():
    return str(uuid.uuid4())


def onsets(piece, performance):
    with open(ROOT / "Recordings" / piece / performance / "measures.csv", encoding="utf-8") as file:
        return [(row["measure"], float(row["time"])) for row in csv.DictReader(file)]


def make_pieces(folder):
    """The recordings' folder of the two short pieces, and the sound of their performances."""
    lives = []
    for (name, title, source, reference, live), bars in zip(PIECES, BARS, strict=True):
        place = folder / name / reference
        place.mkdir(parents=True)
        rows = onsets(source, reference)
        sound.write(place / "audio.wav", sound.part(recording(source, reference), 0, rows[bars][1]))
        (place / "measures.csv").write_text(
            "\n".join(["measure,time", *(f"{number},{at}" for number, at in rows[:bars])]) + "\n", encoding="utf-8")
        (folder / name / "piece.json").write_text(json.dumps({"name": title}), encoding="utf-8")
        rows = onsets(source, live)
        # From just before the first note to the end of the last bar.
        lives.append(sound.part(recording(source, live), rows[0][1] - 0.05, rows[bars][1]))
    (folder / "first" / "cues.csv").write_text(CUES, encoding="utf-8")
    concert = folder / "evening.json"
    concert.write_text(json.dumps({"title": "Evening", "pieces": [piece[0] for piece in PIECES]}), encoding="utf-8")
    return concert, lives


def tuning(seconds):
    """An oboe's A, and the strings' fifths after it."""
    def tone(hertz, at):
        return sum(math.sin(2 * math.pi * hertz * harmonic * at) / harmonic for harmonic in (1, 2, 3, 4))

    samples = array.array("h")
    for number in range(int(seconds * sound.RATE)):
        at = number / sound.RATE
        notes = [440] if at < seconds / 2 else [440, 293.7, 196, 660]
        samples.append(int(2500 * sum(tone(hertz, at) for hertz in notes) / len(notes)))
    return samples


class Evening:
    """One server, the sound card that it hears, and three browsers."""

    def __init__(self, folder, drivers, card, pictures):
        concert, self.lives = make_pieces(folder / "recordings")
        self.folder, self.card, self.pictures = folder, card, pictures
        self.served = Served(str(concert), (), "--new", "--no-record", "--arm", "each-piece", "--recordings",
                             folder / "recordings", "--models", folder / "models", device="room", accounts=ACCOUNTS,
                             environment=card.environment)
        self.cookies = {name: self.served.sign_in(name, PASSPHRASE) for name, _, _ in ACCOUNTS}
        self.console, self.phone, stand = drivers
        self.desk = Desk(self.console)
        self.number = itertools.count(1)
        self.open_pages(stand)

    def ask(self, name, path, body=None, method=None, **more):
        answer = self.served.ask(method or ("GET" if body is None else "POST"), path, body, self.cookies[name], **more)
        if answer.status != 200:
            raise LookupError(f"{path}: {answer.status} {answer.text[:200]}")
        return answer.value

    def open_pages(self, driver):
        resize(self.console, WIDTHS[1440])
        self.console.get(self.served.base + "/login")
        name, value = self.cookies["ines"].split("=", 1)
        self.console.add_cookie({"name": name, "value": value})
        self.console.get(self.served.base + "/console")
        until(lambda: self.desk.text("#link-state") == "Connected", 15)
        resize(self.phone, WIDTHS[390])
        self.phone.get(self.served.base + "/")
        self.stand = Stand(driver, self.served.base, "anna", PASSPHRASE)
        score = self.ask("lena", "/api/library/scores?title=Evening", music_pdf(2, "", 1, 3), "POST",
                         headers={"Content-Type": "application/pdf"})["score"]
        self.ask("lena", f"/api/library/scores/{score}",
                 {"title": "Evening", "movements": [{"name": "", "piece": "first", "isAttacca": False}]}, "PUT")
        self.ask("lena", f"/api/library/scores/{score}/parts/0", {"places": [
            {"movement": 0, "page": page, "first": 1 + 3 * page, "last": 3 + 3 * page} for page in range(2)]}, "PUT")
        user = next(each["id"] for each in self.ask("lena", "/api/library/users") if each["name"] == "anna")
        self.ask("lena", "/api/library/bundles", {"user": user, "score": score})
        room = new()
        self.ask("anna", "/api/rooms", {"id": room, "membership": new(), "score": score, "name": "Pit",
                                        "published": True})
        self.ask("anna", f"/api/rooms/{room}/send?stand={new()}",
                 {"v": 1, "id": new(), "begin": {"session": new(), "layer": new()}})
        self.stand.sign_in()
        self.stand.click("#rooms .entry.room")
        if until(lambda: self.stand.shown("#dialog [data-part='0']"), 5):
            self.stand.click("#dialog [data-part='0']")
        until(self.stand.painted, 15)

    def play(self, name, *parts):
        path = self.folder / f"{name}.wav"
        sound.write(path, *parts)
        return self.card.play(path)

    @property
    def show(self):
        return self.served.snapshot(self.cookies["ines"])

    @property
    def stage(self):
        return self.show["show"]["evening"]

    @property
    def fired(self):
        return [cue["name"] for cue in self.show["cues"]["list"] if cue["fired"]]

    @property
    def live(self):
        """The bar on phones, or None while they show the programme."""
        live = web.snapshot(self.served.base, path="/api/audience/events")["live"]
        return None if live["view"] == "ended" else live["measure"]

    @property
    def is_phone_at_home(self):
        return self.phone.execute_script("return document.querySelector('#home')?.getClientRects().length > 0")

    def nothing_yet(self):
        return self.live is None and not self.fired and self.is_phone_at_home and self.stand.pages == [0]

    def picture(self, name):
        if not self.pictures:
            return
        name = f"{next(self.number)}-{name}"
        for width, size in WIDTHS.items():
            resize(self.console, size)
            settle(self.console)
            self.console.save_screenshot(str(self.pictures / f"{name}-console-{width}.png"))
        resize(self.console, WIDTHS[1440])
        self.phone.save_screenshot(str(self.pictures / f"{name}-phone.png"))
        self.stand.driver.save_screenshot(str(self.pictures / f"{name}-stand.png"))

    def remove(self):
        self.served.remove()


def play(that, evening):
    desk, first, second = evening.desk, *evening.lives
    state = lambda: desk.text("#state")  # noqa: E731 (said often)

    # The doors open, and the orchestra tunes.
    that("the evening is not yet begun", state() == "Not yet" and desk.shown("#begin"), state())
    oboe = [sound.part(OBOE, 0, 5)] if OBOE.exists() and is_plain(OBOE) else []
    evening.play("tuning", sound.noise(1, 0.005), *oboe, tuning(5))
    that("the console says that something is heard", until(lambda: "tuning?" in desk.text("#begin-sound"), 8),
         desk.text("#begin-sound"))
    that("tuning shows nothing and fires nothing", holds_for(evening.nothing_yet, 4), evening.live)
    evening.picture("tuning")
    evening.card.silence()

    # Armed, and a false start.
    hold_for(0.5)
    desk.press("r")
    that("R arms", until(lambda: state() == "Armed", 4), state() + desk.notices())
    that("nothing is shown yet", holds_for(evening.nothing_yet, 2), evening.live)
    evening.picture("armed")
    evening.play("false-start", first[:int(2.6 * sound.RATE)], sound.silence(4))
    that("the first bar is shown", until(lambda: evening.live == 1, 6), evening.live)
    that("after the silence of a false start nothing is live",
         until(lambda: evening.live is None and "No music" in text(evening.phone, "body"), 10), evening.live)
    that("and to an armed first bar, with no cue fired", evening.stage == "armed" and not evening.fired,
         f"{evening.stage} {evening.fired}")
    evening.card.silence()

    # The first bar, by the key a second after the first note.
    begun = evening.play("first", first, sound.silence(1))
    until(lambda: time.monotonic() - begun >= 1.5, 3)
    desk.press("w")
    that("W shows bar 1 at once", until(lambda: evening.live == 1, 1.5), evening.live)
    that("and fires both cues of bar 1", until(lambda: evening.fired == ["House lights out", "Curtain"], 1.5),
         evening.fired)
    that("the evening is under way", evening.stage == "under-way" and not desk.shown("#begin"), evening.stage)
    evening.picture("first-bar")
    that("the follower goes on with the music", until(lambda: (evening.live or 0) >= 3, 9), evening.live)
    that("phones follow", until(lambda: not evening.is_phone_at_home, 3))
    that("the stand turns to its second page with bar 4", until(lambda: evening.stand.pages == [1], 12),
         evening.stand.pages)
    evening.picture("under-way")

    # Retuning before the second movement.
    that("after the piece it is not yet again", until(lambda: evening.stage == "not-yet", 12), evening.stage)
    last = evening.live
    evening.play("retuning", tuning(5))
    that("retuning moves nothing", holds_for(lambda: (evening.live, evening.stage) == (last, "not-yet"), 4),
         f"{evening.live} {evening.stage}")
    evening.picture("retuning")
    evening.card.silence()
    desk.press("r")
    that("armed again, nothing is live", until(lambda: evening.stage == "armed" and evening.live is None, 4),
         f"{evening.stage} {evening.live}")
    that("with the second movement next", "II" in desk.text("#begin-text"), desk.text("#begin-text"))
    evening.picture("armed-again")
    evening.play("second", second, sound.silence(1))
    that("its first bars are shown as they sound", until(lambda: evening.live in (1, 2, 3), 8), evening.live)
    that("and it is under way without a key", until(lambda: evening.stage == "under-way", 8), evening.stage)
    evening.picture("second-movement")


def is_plain(path):
    with contextlib.suppress(OSError):
        return bool(sound.part(path, 0, 0.1))
    return False


def main():
    if not is_possible():
        print("skipped: pulseaudio is not installed\n0 passed, 0 failed")
        return 0
    pictures = pathlib.Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    checks, folder, card = Checks(), pathlib.Path(tempfile.mkdtemp(prefix="baton-beginning-")), SoundCard()
    try:
        with chromium() as console, chromium() as phone, chromium() as stand:
            evening = Evening(folder, (console, phone, stand), card, pictures)
            try:
                play(checks.that, evening)
            finally:
                evening.remove()
    finally:
        card.remove()
        shutil.rmtree(folder, ignore_errors=True)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
