"""A server to be treated badly, and accounts of those who may sign in."""

import contextlib
import socket

from lib import web
from lib.processes import free_port
from lib.repository import BACH, recording
from lib.servers import Server

PIECE = BACH
RECORDING = recording(PIECE, "swift")
PASSPHRASE = "four plain words here"
CODE = "hall-4711-code"  # of the speakers
ROLES = [("anna", "administrator"), ("theo", "technician"), ("max", "musician"), ("nora", "musician"),
         ("edda", "editor"), ("tina", "technician")]


class Hall:
    """`options` as `baton serve` takes them; `before` are words that its command begins with, such as `nice`."""

    def __init__(self, *options, before=()):
        self.options, self.before = options or ("--no-multicast",), before

    def __enter__(self):
        self.osc = free_port()
        self.present = free_port()
        self.server = Server(PIECE, "--osc", f"127.0.0.1:{self.osc}", "--present", f"127.0.0.1:{self.present}",
                             "--present-code", CODE, *self.options, lives=[RECORDING], before=self.before,
                             accounts=[(name, role, PASSPHRASE) for name, role in ROLES])
        self.port, self.base, self.folder = self.server.port, self.server.base, self.server.data
        self.server.start()
        self.cookie = self.sign_in("anna")
        self.concert = self.server.ask("GET", "/api/edit/concerts", cookie=self.cookie).value[0]["id"]
        return self

    def restart(self):
        self.server.stop()
        self.server.start()

    def pieces(self):
        """Names as apps get them."""
        return self.ask("GET", "/getPieces.php", cookie=False)[1].split(";")

    def __exit__(self, *_):
        self.server.remove()

    @property
    def is_running(self):
        return self.server.is_running

    def sign_in(self, name):
        return self.server.sign_in(name, PASSPHRASE)

    def ask(self, method, path, body=None, headers=None, cookie=True, ours=True, timeout=60):
        """Status and body of one request; the editor's unless told otherwise."""
        answer = self.server.ask(method, path, body, self.cookie if cookie else None, timeout=timeout,
                                 headers={**({} if ours else {"X-Baton": None}), **(headers or {})})
        return answer.status, answer.text

    def raw(self, sent, seconds=5):
        """The answer to bytes on a connection of their own, until the server closes it."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as link:
            with contextlib.suppress(OSError):
                link.sendall(sent)
            got = b""
            try:
                while chunk := link.recv(65536):
                    got += chunk
                    if len(got) > 1_000_000:
                        break
            except TimeoutError:
                return got.decode("latin-1") + "(left open)"
            except OSError:
                pass
            return got.decode("latin-1")

    def overruns(self):
        return web.snapshot(self.base, self.cookie)["meters"]["xruns"]
