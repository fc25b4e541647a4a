"""A real server for checks in a browser: `baton serve` on pieces of the repository's own concert, on loopback.

The program is $BATON, or the debug build of this repository; $BATON_PAGES a folder of pages instead of its own.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def program():
    return os.environ.get("BATON", str(ROOT / ".build" / "debug" / "baton"))


def recording(piece, performance):
    return ROOT / "Recordings" / piece / performance / "audio.ogg"


class NoServer(SystemExit):
    """It did not begin; its own words are the reason."""


class Served:
    """A server of its own, with its data in a scratch folder.

    `pieces` as `baton serve` takes them; `lives` are the files it hears one after another, `device` instead of them
    a sound device; `accounts` rows of (name, role, passphrase): without any nobody signs in.
    """

    def __init__(self, pieces, lives=(), *options, device=None, accounts=(), pages=None, environment=None):
        self.folder = tempfile.mkdtemp(prefix="baton-served-")
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        for name, role, passphrase in accounts:
            subprocess.run([program(), "user", "add", name, "--role", role, "--data", self.folder], cwd=ROOT,
                           input=passphrase + "\n", text=True, check=True, capture_output=True)
        command = [program(), "serve", pieces, "--data", self.folder, "--http", f"127.0.0.1:{self.port}",
                   "--no-listen-osc", "--ttl", "0", "--port", str(free_port())]
        for live in lives:
            command += ["--live", str(live)]
        command += ["--device", device] if device else []
        command += [] if accounts else ["--no-sign-in"]
        pages = pages or os.environ.get("BATON_PAGES")
        command += ["--pages", pages] if pages else []
        self.said = open(os.path.join(self.folder, "said.txt"), "w+", encoding="utf-8")
        self.environment = {**os.environ, **(environment or {})}
        self.command_line = command + list(options)
        self.begin()

    def begin(self):
        """Starts it, and waits until it answers."""
        self.process = subprocess.Popen(self.command_line, cwd=ROOT, stdout=self.said, stderr=self.said,
                                        env=self.environment)
        for _ in range(300):
            try:
                urllib.request.urlopen(self.base + "/healthz", timeout=1)
                return
            except OSError:
                time.sleep(0.1)
            if self.process.poll() is not None:
                break
        self.said.seek(0)
        sentence = self.said.read().strip()
        self.stop()
        raise NoServer(f"the server does not answer: {sentence}")

    def kill(self):
        """As a crash or an empty battery would; `begin` starts it again on what lies on the disk."""
        self.process.kill()
        self.process.wait()

    def hear(self, *lives):
        """What it hears when it begins the next time."""
        at = [index for index, word in enumerate(self.command_line) if word == "--live"]
        self.command_line = [word for index, word in enumerate(self.command_line)
                             if index not in at and index - 1 not in at]
        for live in lives:
            self.command_line += ["--live", str(live)]

    def signed_in(self, name, passphrase):
        """A cookie."""
        request = urllib.request.Request(
            self.base + "/api/login", json.dumps({"name": name, "password": passphrase}).encode(),
            {"Content-Type": "application/json", "X-Baton": "1"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.headers["Set-Cookie"].split(";")[0]

    def ask(self, path, cookie=None, body=None, method=None):
        """Status, content and header fields of an answer, also of a refusal."""
        return self.ask_raw(path, cookie, None if body is None else json.dumps(body).encode(), "application/json",
                            method)

    def ask_raw(self, path, cookie, content, kind, method=None):
        """The same of content of any kind."""
        fields = {"Content-Type": kind, "X-Baton": "1", **({"Cookie": cookie} if cookie else {})}
        request = urllib.request.Request(self.base + path, content, fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read(), refusal.headers

    def command(self, *words, cookie=None):
        body = json.dumps({"command": words[0], "arguments": list(words[1:])}).encode()
        request = urllib.request.Request(
            self.base + "/api/command", body,
            {"Content-Type": "application/json", "X-Baton": "1", **({"Cookie": cookie} if cookie else {})})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def snapshot(self):
        return snapshot(self.base)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.said.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def snapshot(base, cookie=None):
    """Everything that the console is told when it joins."""
    request = urllib.request.Request(base + "/api/events", headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(request, timeout=5) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
    raise OSError("the stream ended before its snapshot")
