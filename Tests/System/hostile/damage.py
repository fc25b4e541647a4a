"""Data folders, files and limits that are broken: what the start says, and that every byte is kept."""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import time

from lib.processes import free_port
from lib.repository import ROOT, program
from lib.servers import NoServer, Server
from lib.waiting import hold_for, until, wait_for
from lib.web import add_account

from .hall import PASSPHRASE, PIECE, RECORDING
from .trial import Trial

YEAR = 365 * 86_400


class Start(Server):
    """One `baton serve` on a data folder, until it serves or ends."""

    def __init__(self, data, *options, source=("--live", RECORDING), signed_in=False, limits=None, environment=None):
        super().__init__(PIECE, *source, "--no-listen-osc", "--no-multicast",
                         *([] if signed_in else ["--no-sign-in"]), *options, data=data, limits=limits,
                         environment=environment)
        self.log = data.parent / f"said-{self.port}"  # not among the data, which are compared
        try:
            self.start(seconds=60)
            self.serves = True
        except NoServer:
            self.serves = False

    @property
    def ending(self):
        """The output of a start that was refused, with its status; a signal has a negative status."""
        return f"status {self.process.poll()}: {self.said}"

    def faults(self):
        """Open ones; the show takes them up a moment after the start."""
        return until(lambda: [fault["sentence"] for fault in self.snapshot()["faults"] if not fault["over"]], 5,
                     every=0.2)

    def __enter__(self):
        return self


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def kept(before, after):
    """All bytes are still there, in place or as a copy."""
    lost = [name for name, content in before.items() if name != "lock" and content not in after.values()]
    return f"lost: {', '.join(lost)}" if lost else "every byte is kept"


class Damage:
    def __init__(self, scratch):
        self.scratch = pathlib.Path(scratch)
        self.count = 0

    def folder(self):
        self.count += 1
        path = self.scratch / str(self.count) / "data"
        path.mkdir(parents=True)
        return path

    def used(self):
        """A data folder with an account and an evening in it, as a killed server leaves it."""
        data = self.folder()
        add_account(data, "anna", "administrator", PASSPHRASE)
        with Start(data) as server:
            for measure in range(1, 13):
                server.command("goto", str(measure))
            server.command("release")
            server.kill()
        return data

    # -- databases ------------------------------------------------------------------------------------------

    def refused(self, name, spoil):
        """A start on a spoilt database: what it said, and whether anything of what was there is gone."""
        data = self.used()
        spoil(data)
        before = {path: content for path, content in contents(data).items() if path.startswith(name)}
        with Start(data) as server:
            said = server.ending if not server.serves else f"it serves: {server.said}"
        return f"{said.strip()} [{kept(before, contents(data))}]"

    def database(self, name, spoil):
        return lambda: self.refused(name, lambda data: spoil(data / name))

    @staticmethod
    def empty(path):
        path.write_bytes(b"")

    @staticmethod
    def empty_with_log(path):
        """The newest data is only in the log of writes; SQLite would delete it next to an empty file."""
        pathlib.Path(f"{path}-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(5_000))
        path.write_bytes(b"")

    @staticmethod
    def only_log(path):
        pathlib.Path(f"{path}-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(5_000))
        path.unlink()

    @staticmethod
    def noise(path):
        pathlib.Path(f"{path}-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(5_000))
        path.write_bytes(os.urandom(8_192))

    @staticmethod
    def newer(path):
        with contextlib.closing(sqlite3.connect(path)) as file:
            file.execute("INSERT INTO grdb_migrations (identifier) VALUES ('venues-3')")
            file.commit()

    @staticmethod
    def directory(path):
        path.unlink()
        path.mkdir()

    # -- show log -------------------------------------------------------------------------------------------

    def log(self, spoil):
        """A server that goes on after its log was spoilt: what it says, on the console too."""
        data = self.used()
        file = next(data.glob("shows/*/log-0001.jsonl"))
        spoil(file)
        before = contents(file.parent)
        with Start(data) as server:
            if not server.serves:
                return server.ending
            faults = " ".join(server.faults())
            said = server.said
        before.pop("newest", None)
        return (f"starts; the console says: {faults or 'nothing'} [{kept(before, contents(file.parent))}] said: "
                f"{said.strip()[:200]}")

    @staticmethod
    def half(path):
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:len(lines) // 2]))

    @staticmethod
    def torn(path):
        path.write_bytes(path.read_bytes()[:-40])

    # -- cues -----------------------------------------------------------------------------------------------

    def broken_cues(self):
        data = self.folder()
        (data / "cues").mkdir()
        (data / "cues" / f"{PIECE}.csv").write_text("place,name,kind\n99999,Nowhere,note\n")
        before = contents(data)
        with Start(data) as server:
            if not server.serves:
                return server.ending
            return f"starts; the console says: {' '.join(server.faults())} [{kept(before, contents(data))}]"

    # -- limits ---------------------------------------------------------------------------------------------

    def limited(self, which, value):
        with Start(self.folder(), limits=lambda: resource.setrlimit(which, (value, value))) as server:
            return server.ending if not server.serves else "it serves"

    # -- clock ----------------------------------------------------------------------------------------------

    def clock(self):
        """Ten years ahead, back to 1976, and right again: while the server runs, and over a restart each time."""
        data = self.folder()
        add_account(data, "anna", "administrator", PASSPHRASE)
        library, offset = data.parent / "clock.so", data.parent / "clock"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, ROOT / "Tests/System/survival/stepped_clock.c",
                        "-ldl"], check=True)
        surroundings = {"LD_PRELOAD": str(library), "SURVIVAL_CLOCK": str(offset)}
        offset.write_text("0")
        statuses, cookie = [], None
        for years in (0, 10, -50, 10, 0):
            offset.write_text(str(years * YEAR))
            with Start(data, signed_in=True, environment=surroundings) as server:
                if cookie is None:
                    cookie = server.sign_in("anna", PASSPHRASE)
                for running in (years, years + 20, years):
                    offset.write_text(str(running * YEAR))
                    statuses.append(server.ask("GET", "/api/me", cookie=cookie)[0])
        return f"{statuses.count(200)} of {len(statuses)} requests signed in"

    # -- sound ----------------------------------------------------------------------------------------------

    def wave(self, value, seconds=12, at=None):
        """Floats of one channel: a constant, or a quiet tone with one such sample at `at` seconds."""
        rate = 44_100
        path = self.folder().parent / "sound.wav"
        samples = [value] * (rate * seconds) if at is None else [0.1 * ((n // 50) % 2 - 0.5)
                                                                 for n in range(rate * seconds)]
        if at is not None:
            samples[int(at * rate)] = value
        data = struct.pack(f"<{len(samples)}f", *samples)
        path.write_bytes(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 3, 1,
                                                                                                 rate, 4 * rate, 4, 32)
                         + b"data" + struct.pack("<I", len(data)) + data)
        return path

    def heard(self, command, path):
        measures = path.with_suffix(".csv")
        measures.write_text("measure,time\n1,0.5\n2,2.5\n3,4.5\n4,6.5\n")
        words = {
            "prepare": ["prepare", "scratch-piece", "--recording", path, "--measures", measures, "--name",
                        "Nobody, Noise: One",
                        "--models", path.parent / "models", "--check-only"],
            "replay": ["replay", PIECE, "--live", path, "--speed", "max", "--no-multicast"],
            "follow in real time": ["replay", PIECE, "--live", path, "--no-multicast", "--quiet"],
        }[command]
        done = subprocess.run([program(), *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=120)
        return (f"status {done.returncode}: "
                f"{done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.stdout[-200:]}")

    def huge(self):
        """A recording of 80 minutes, sparse on the disk: the first word at once, and an interruption obeyed."""
        path = self.folder().parent / "huge.wav"
        rate, seconds = 192_000, 4_800
        size = rate * 4 * seconds
        with open(path, "wb") as file:
            file.write(b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, rate,
                                                                                          4 * rate, 4, 16)
                       + b"data" + struct.pack("<I", size))
            file.truncate(44 + size)
        measures = path.with_suffix(".csv")
        measures.write_text("measure,time\n1,0.5\n2,2.5\n")
        began = time.monotonic()
        process = subprocess.Popen([program(), "prepare", "scratch-piece", "--recording", path, "--measures", measures,
                                    "--name",
                                    "Nobody, Noise: One", "--models", path.parent / "models"], cwd=ROOT,
                                   stderr=subprocess.PIPE)
        first = process.stderr.readline().decode().strip()
        word = time.monotonic() - began
        hold_for(1)  # it is interrupted in the middle of its work
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        process.wait(30)
        ended = time.monotonic() - asked
        path.unlink()
        judged = "at once" if word < 2 and ended < 2 else "TOO LATE"
        return (f"“{first.split(' /')[0]} …” after {word:.1f} s, status {process.returncode} {ended:.1f} s after the "
                f"interruption: "
                f"{judged}")

    # -- main and backup ------------------------------------------------------------------------------------

    def pair(self):
        """Cue lists that became equal while both run, each by another way; where each finds the other's console."""
        key, link = self.folder().parent / "link.key", free_port()
        key.write_bytes(os.urandom(48))
        key.chmod(0o600)
        sheet = "place,name,kind\n3,Bells,note\n3,Lamp,note\n"
        edits = [[{"place": "3", "name": "Bells", "kind": "note"}, {"place": "3", "name": "Lamp", "kind": "note"}],
                 [{"place": "4", "name": "Lamp", "kind": "note"}]]
        main_data, backup_data = self.folder(), self.folder()
        (backup_data / "cues").mkdir()
        (backup_data / "cues" / f"{PIECE}.csv").write_text(sheet)
        with Start(main_data, "--link", f"127.0.0.1:{link}", "--link-key", str(key)) as main:
            # The first second it listens whether another server leads, and obeys nobody.
            wait_for(lambda: main.ask("PUT", "/api/cues/0", edits[0]).status < 300, 10, "the main server takes cues")
            with Start(backup_data, "--backup-of", f"127.0.0.1:{link}", "--link-key", str(key)) as backup:
                found = [self.warnings(main, backup)]
                main.ask("PUT", "/api/cues/0", edits[1])
                found.append(self.warnings(main, backup))
                is_copy = until(lambda: self.is_copy(backup_data, main_data), 5, every=0.2)
                doors = [server.snapshot()["show"]["server"]["backup"]["address"] for server in (main, backup)]
                right = [f"http://127.0.0.1:{server.port}" for server in (backup, main)]
        with Start(self.folder(), "--backup-of", f"127.0.0.1:{link}", "--link-key", str(key), signed_in=True) as alone:
            asks = "asks for an account" if "user add" in alone.said else "asks for no account"
        return (f"{found[0] or 'equal'}; edited: {found[1] or 'equal'}; "
                f"{'each names the other' if doors == right else doors}; "
                f"{'one log, the same lines' if is_copy else 'the logs differ'}; {asks}")

    @classmethod
    def is_copy(cls, backup_data, main_data):
        copies, (original, *_) = cls.logs(backup_data), cls.logs(main_data)
        return len(copies) == 1 and len(copies[0]) > 2 and copies[0] == original[:len(copies[0])]

    @staticmethod
    def logs(data):
        """The lines of each show in a data folder, without the headings of files."""
        return [[line for file in sorted(show.glob("log-*.jsonl")) for line in file.read_text().splitlines()[1:]]
                for show in sorted((data / "shows").iterdir()) if show.is_dir()]

    @staticmethod
    def warnings(main, backup):
        """The differences that remain after a while in which both servers were heard."""
        left = []

        def are_equal():
            pairs = [server.snapshot().get("backup") or {} for server in (main, backup)]
            left[:] = [warning for pair in pairs for warning in pair.get("warnings", ["unheard"])]
            return all(pair.get("otherHeard") for pair in pairs) and not left and pairs[0].get("connected")
        return [] if until(are_equal, 15, every=0.3) else left

    # -- a device -------------------------------------------------------------------------------------------

    def null_device(self):
        """ALSA's null device delivers silence without end, faster than time: it is there, and says so."""
        with Start(self.folder(), source=("--device", "null")) as server:
            if not server.serves:
                return server.ending
            hold_for(3)  # overruns and faults would come within this time
            health = server.ask("GET", "/healthz").value
            meters = server.snapshot()["meters"]
            return (f"listening {health['listening']}, overruns {meters.get('xruns')}, faults "
                    f"{len(server.snapshot()['faults'])}")


def refusal(*words):
    """Ended with a status, not by a signal; the sentence names these, and nothing is lost."""
    return lambda said: said.startswith("status 1:") and "lost:" not in said and all(word in said for word in words)


def goes_on(*words):
    return lambda said: said.startswith("starts") and "lost:" not in said and all(word in said for word in words)


def all_of(scratch):
    damage = Damage(scratch)
    trials = []
    for name in ("catalogue.sqlite", "rooms.sqlite"):
        for what, spoil, word in (
                ("0 bytes", Damage.empty, "0 bytes"),
                ("0 bytes beside its log of writes", Damage.empty_with_log, "-wal"),
                ("gone, its log of writes is there", Damage.only_log, "is missing"),
                ("noise", Damage.noise, "not a database"),
                ("of a newer version", Damage.newer, "newer version"), ("a folder", Damage.directory, "a folder")):
            trials.append(Trial(f"{name}: {what}", damage.database(name, spoil), refusal(name, word)))
    trials += [
        Trial("show log cut in half", lambda: damage.log(Damage.half),
              goes_on("the console says: The log", "cut short", "are missing")),
        Trial("show log cut within its last line", lambda: damage.log(Damage.torn),
              goes_on("the console says: The log", "missing")),
        Trial("show log of 0 bytes", lambda: damage.log(Damage.empty),
              goes_on("the console says: /", "holds no state")),
        Trial("a folder in the show log's place", lambda: damage.log(Damage.directory),
              goes_on("the console says: /", "holds no state")),
        Trial("a broken cue list", damage.broken_cues, goes_on("begins without cues", "99999")),
        Trial("20 file descriptors", lambda: damage.limited(resource.RLIMIT_NOFILE, 20), refusal("only 20 files")),
        Trial("600 MB of memory", lambda: damage.limited(resource.RLIMIT_AS, 600 << 20), refusal("600 MB")),
        Trial("the clock ten years ahead, to 1976 and back, over five starts", damage.clock,
              lambda said: said.startswith("15 of 15")),
        Trial("main and backup with the same cues, by file, by hand and by copy", damage.pair,
              lambda said: said == ("equal; edited: equal; each names the other; one log, the same lines; "
                                    "asks for no account")),
        Trial("null for a device", damage.null_device, lambda said: said == "listening True, overruns 0, faults 0"),
        Trial("prepare of 3.7 GB, interrupted", damage.huge, lambda said: "at once" in said and "status 130" in said),
    ]
    for command in ("prepare", "replay", "follow in real time"):
        for what, value, at, place in (("not a number at 2 s", float("nan"), 2.0, "at 2.0 s"),
                                       ("3e38 all through", 3e38, None, "at 0.0 s")):
            trials.append(Trial(f"{command}: {what}", lambda command=command, value=value,
                                at=at: damage.heard(command, damage.wave(value, at=at)),
                                lambda said, place=place: said.startswith("status 1") and place in said))
    return trials


def clear(scratch):
    shutil.rmtree(scratch, ignore_errors=True)
