"""A real server whose follower is a script: Tests/Support/ScriptedServer, steered by lines of its standard input.

The program lies beside $BATON, or in the debug build of this repository; $BATON_PAGES is a folder of pages instead of
its own.
"""

import json
import os
import pathlib
import sqlite3
import subprocess

from lib.processes import end, free_port
from lib.repository import ROOT, program
from lib.servers import NoServer, Server


class Scripted(Server):
    """A server that runs when it is made; `remove` ends it and deletes its data.

    `recordings` is the folder of the pieces' content; without accounts nobody signs in, unless the data folder has
    some (`signs_in`). Nothing plays until a line or a command says so.
    """

    def __init__(self, pieces="Recordings/concert.json", *options, recordings="Recordings", accounts=(), data=None,
                 signs_in=False, pages=None):
        super().__init__(pieces, accounts=accounts, data=data)
        pages = pages or os.environ.get("BATON_PAGES")
        scripted = str(pathlib.Path(program()).with_name("ScriptedServer"))
        if not os.access(scripted, os.X_OK):
            raise NoServer(f"there is no {scripted}; make it with swift build --product ScriptedServer, in the same "
                           "configuration as the program")
        self.command_line = [scripted, str(pieces), "--recordings", str(recordings), "--data", str(self.data), "--http",
                             f"127.0.0.1:{self.port}", "--port", str(free_port()),
                             *([] if accounts or signs_in else ["--no-sign-in"]),
                             *(["--pages", pages] if pages else []), *map(str, options)]
        self.start()

    def __enter__(self):
        return self

    def launch(self, log):
        return subprocess.Popen(self.command_line, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                env=self.environment, text=True)

    def line(self, words):
        """Changes what the script plays; obeyed when this returns. ScriptLines.swift has the words."""
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "ok":
            raise ValueError(f"{words}: {answer or 'the server has ended: ' + self.said}")

    def scenario(self, name):
        """One of the situations in Scenario.swift."""
        self.line(f"scenario {name}")

    def begin_anew(self):
        """Ends it and begins a new show, with the same accounts and content, at the same address."""
        self.stop()
        if "--new" not in self.command_line:
            self.command_line.append("--new")
        self.start()

    def stop(self):
        if self.process:
            end(self.process)
            self.process.stdin.close()
            self.process.stdout.close()

    def kill(self):
        super().kill()
        self.process.stdin.close()
        self.process.stdout.close()

    @property
    def show_log(self):
        """The content of the newest show's log."""
        show = max((self.data / "shows").iterdir())
        return b"".join(log.read_bytes() for log in sorted(show.glob("log-*.jsonl")))

    def commands(self, after=0):
        """The words of each command that the show log has after so many bytes, in their order, refused ones too."""
        lines = self.show_log[after:].splitlines()
        events = [json.loads(line).get("e", {}) for line in lines if line.endswith(b"}")]
        return [event["command"] for event in events if "command" in event]

    def fill_disk(self):
        """From now on no sign-in can be written, as on a full disk."""
        with sqlite3.connect(self.data / "catalogue.sqlite", timeout=10) as database:
            for table in ("signIn", "signInNetwork", "serverSecret"):
                database.execute(f"CREATE TRIGGER full_{table} BEFORE INSERT ON {table} "
                                 "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
        database.close()

    def free_disk(self):
        """Sign-ins can be written again."""
        with sqlite3.connect(self.data / "catalogue.sqlite", timeout=10) as database:
            for table in ("signIn", "signInNetwork", "serverSecret"):
                database.execute(f"DROP TRIGGER IF EXISTS full_{table}")
        database.close()
