"""The stage of the console's tests: a server with a scripted follower, and the wire to it."""

import atexit
import contextlib
import http.client
import pathlib
import secrets
import shutil
import socket
import sqlite3
import tempfile

import evening
from lib.processes import free_port
from lib.waiting import wait_for
from lib.web import Refused, add_account, ask
from scripted import Scripted
from wire import Wire

PASSPHRASE = "open sesame"
ACCOUNTS = (("Ines", "technician", PASSPHRASE),)
# The state of a new show, and the commands that restore it.
AT_FIRST = (("panic", "none", "panic-over"), ("locked", False, "lock off"), ("black", False, "blackout off"),
            ("frozen", False, "freeze off"), ("paused", False, "resume-all"), ("rehearsal", False, "rehearsal off"),
            ("intermission", False, "intermission off"), ("held", False, "resume"),
            ("autoAdvance", True, "auto-advance on"))


class ConsoleStage:
    """A server in the middle of the evening; browsers reach it at `base`, over a wire that can be cut.

    `accounts` are none for a server without sign-in. `link` are further options, of one of two servers.
    """

    common = None

    def __init__(self, *link, accounts=ACCOUNTS):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-console-"))
        # The lighting desk that cues are sent to hears them and says nothing.
        self.desk = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.desk.bind(("127.0.0.1", 0))
        concert = evening.write(self.folder / "recordings")
        self.server = Scripted(
            concert, "--osc", free_port(), "--desk", self.desk.getsockname()[1], *link,
            recordings=self.folder / "recordings", accounts=accounts)
        self.cookie = self.server.sign_in("ines", PASSPHRASE) if accounts else None
        self.wire = Wire(self.server.port)
        self.base = f"http://127.0.0.1:{self.wire.port}"
        self.noted = 0
        self.has_editor = False

    @classmethod
    def shared(cls):
        """The stage that all classes of a suite play on, one after another; it ends with the suite."""
        if cls.common is None:
            cls.common = cls()
            atexit.register(cls.common.remove)
        return Kept(cls.common)

    def snapshot(self):
        return self.server.snapshot(self.cookie)

    def command(self, words):
        self.server.command(*words.split(), cookie=self.cookie)

    def play(self):
        """The third piece is followed from bar 53 on, and nothing is in the way of anything."""
        self.wire.inner = self.server.port
        self.wire.mend()
        self.server.scenario("following")
        self.server.scenario("fault-over")
        now = self.snapshot()
        for fact, wanted, words in AT_FIRST:
            if now["show"][fact] != wanted:
                self.command(words)
        if now["message"]["current"]:
            self.command("withdraw")
        if now["position"]["holder"]["kind"] != "follower":
            self.command("release")
        self.command("piece 3 p:52")
        names = [cue["name"] for cue in self.snapshot()["cues"]["list"]]
        if names != evening.cue_names("beethoven-ode-to-joy"):
            self.put_cues()
            self.command("piece 3 p:52")
        self.noted = len(self.server.show_log)

    def put_cues(self):
        answer = ask(self.server.base, "PUT", "/api/cues/2", evening.CUES["beethoven-ode-to-joy"], self.cookie,
                     headers={"Content-Type": "text/csv"})
        assert answer.status == 200, answer.text

    def begin_anew(self):
        """A show in which nobody has done anything yet."""
        self.server.begin_anew()
        self.play()

    def lead_to(self, server):
        """From now on the wire ends at another server, as after an address has moved."""
        self.wire.inner = server.port
        self.wire.drop()

    @contextlib.contextmanager
    def twin(self):
        """A second server of the show as it stands, with the same accounts and sign-ins; neither knows the other."""
        data = self.folder / "twin"
        shutil.copytree(self.server.data / "shows", data / "shows")
        here, there = (sqlite3.connect(folder / "catalogue.sqlite") for folder in (self.server.data, data))
        with contextlib.closing(here), contextlib.closing(there):
            here.backup(there)
        server = Scripted(self.folder / "recordings" / "evening.json", recordings=self.folder / "recordings",
                          data=data, signs_in=True)
        try:
            yield server
        finally:
            server.remove()
            shutil.rmtree(data)

    @contextlib.contextmanager
    def open_screens(self, count):
        """So many consoles are open with the technician's account."""
        with contextlib.ExitStack() as stack:
            def opens():
                link = stack.enter_context(contextlib.closing(
                    http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)))
                link.request("GET", "/api/events", headers={"Cookie": self.cookie})
                return link.getresponse().status == 200
            for number in range(count):
                # The page's own place becomes free when the server notices that the page has gone.
                wait_for(opens, 10, f"screen {number + 1} of {count} opens")
            yield

    def add_editor(self):
        """From now on Emma may sign in, as an editor."""
        if not self.has_editor:
            add_account(self.server.data, "Emma", "editor", PASSPHRASE)
            self.has_editor = True

    def sign_out(self, token):
        """A sign-in ends, as by the page on another tab."""
        answer = self.server.ask("POST", "/api/logout", {}, f"baton_session={token}")
        assert answer.status == 200, answer.text

    @property
    def commands(self):
        """The words of each command since the test began."""
        return self.server.commands(self.noted)

    def remove(self):
        self.wire.close()
        self.server.remove()
        self.desk.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Kept:
    """A stage that outlasts the class that uses it."""

    def __init__(self, stage):
        self.stage = stage

    def __getattr__(self, name):
        return getattr(self.stage, name)

    def remove(self):
        """Later, by whoever made it."""


class PlayedEvening(ConsoleStage):
    """Four of the five pieces were played, twenty times as fast; in the third the follower was lost, and a device was
    away.
    """

    SPEED = 20

    def __init__(self):
        self.truth = pathlib.Path(tempfile.mkdtemp(prefix="baton-truth-")) / "measures.csv"
        self.truth.write_text(evening.times(evening.PIECES[0], self.SPEED), encoding="utf-8")
        super().__init__("--truth", self.truth)
        for number in range(1, 5):
            self.command(f"piece {number}")
            self.server.line(f"play {self.SPEED}")
            self.wait_for_bar(number, 5)
            if number == 3:
                self.server.scenario("input-lost")
                self.server.line("lose 49 0.62 25 0.24")
                wait_for(lambda: self.snapshot()["help"] and self.snapshot()["faults"], 10, "lost, and a fault")
                self.command("choose 1")
                self.server.scenario("input-back")
                self.wait_for_bar(number, 52)
        self.server.line("pause")

    def wait_for_bar(self, piece, played):
        def is_there():
            position = self.snapshot()["position"]
            return position["piece"] == piece - 1 and position["played"] >= played
        wait_for(is_there, 20, f"bar {played} of piece {piece}")

    def remove(self):
        super().remove()
        shutil.rmtree(self.truth.parent, ignore_errors=True)


class ConsolePair:
    """A main server and its backup, without sign-in; the wire leads to the main one."""

    def __init__(self):
        port, self.folder = free_port(), pathlib.Path(tempfile.mkdtemp(prefix="baton-pair-"))
        key = self.folder / "key"
        # White space at the end of a key file is not part of the key.
        key.write_text(secrets.token_hex(32), encoding="ascii")
        key.chmod(0o600)
        # Nothing here is about taking over, and a busy machine must not be taken for a dead one.
        both = ("--link-key", key, "--takeover-seconds", 60)
        self.stage = ConsoleStage("--link", port, *both, accounts=())
        self.main, self.wire, self.base = self.stage.server, self.stage.wire, self.stage.base
        self.backup = Scripted(
            self.stage.folder / "recordings" / "evening.json", "--backup-of", port, *both,
            recordings=self.stage.folder / "recordings")
        wait_for(self.leads, 20, "the main server leads")
        self.stage.play()

    def leads(self):
        """Just begun, neither server leads until both have heard of each other."""
        try:
            self.stage.command("resume-all")
        except Refused as refusal:
            return "not-reigning" not in str(refusal)
        return True

    def remove(self):
        self.backup.remove()
        self.stage.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
