"""`baton serve` on loopback, with a data folder of its own; started, ended and started again on it."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from . import web
from .processes import end, free_port, kill
from .repository import ROOT, program
from .waiting import until


class NoServer(SystemExit):
    """It did not begin; its own words are the reason."""


class Server:
    """A server that is not started yet.

    `pieces` as `baton serve` takes them, or None for a server without a programme; `lives` are the files it hears one
    after another; `accounts` are rows of (name, role, passphrase). Without `data` it has a scratch folder, which
    `remove` deletes. `before` are words that the command begins with, such as `nice`.
    """

    def __init__(self, pieces, *options, lives=(), accounts=(), data=None, environment=None, before=(), baton=None,
                 limits=None, log=None):
        self.scratch = None if data else tempfile.mkdtemp(prefix="baton-served-")
        self.data = pathlib.Path(data or self.scratch)
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.baton = baton or program()
        for name, role, passphrase in accounts:
            web.add_account(self.data, name, role, passphrase, self.baton)
        self.lives = [str(live) for live in lives]
        programme = [pieces] if pieces else []
        self.command_line = [*before, self.baton, "serve", *programme, "--data", str(self.data), "--http",
                             f"127.0.0.1:{self.port}", *map(str, options)]
        self.environment = {**os.environ, **(environment or {})}
        self.limits = limits
        self.log = log or self.data / f"said-{self.port}.txt"
        self.process = None

    def start(self, seconds=120):
        """Starts it, and waits until it answers, on a busy machine too; raises NoServer if it ends before that."""
        with open(self.log, "ab") as log:
            self.process = self.launch(log)
        until(lambda: self.answers() or not self.is_running, seconds, every=0.05)
        if not self.answers():
            sentence = self.said.strip()
            self.stop()
            raise NoServer(f"the server does not answer: {sentence}")
        return self

    def launch(self, log):
        """The process; what it says goes into an open file."""
        heard = [word for live in self.lives for word in ("--live", live)]
        return subprocess.Popen(self.command_line + heard, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                env=self.environment, preexec_fn=self.limits)

    def answers(self):
        try:
            return self.is_running and web.ask(self.base, "GET", "/healthz", timeout=1).status == 200
        except OSError:
            return False

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def said(self):
        """Everything that it printed, of all its starts."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def stop(self):
        """Ends it as asked; its data stay."""
        if self.process:
            end(self.process)

    def kill(self):
        """As a crash or an empty battery would; `start` starts it again on what lies on the disk."""
        kill(self.process)

    def remove(self):
        """Ends it, and deletes a scratch folder."""
        self.stop()
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.remove()

    def ask(self, method, path, body=None, cookie=None, **more):
        return web.ask(self.base, method, path, body, cookie, **more)

    def sign_in(self, name, passphrase, **more):
        return web.sign_in(self.base, name, passphrase, **more)

    def command(self, *words, cookie=None):
        """Obeyed when this returns; what the server says. Raises web.Refused if it does not obey."""
        answer = self.ask("POST", "/api/command", {"command": words[0], "arguments": list(words[1:])}, cookie)
        if answer.status != 200:
            raise web.Refused(f"{' '.join(words)}: {answer.status} {answer.text[:300]}", answer.status)
        return answer.value

    def snapshot(self, cookie=None):
        return web.snapshot(self.base, cookie)
