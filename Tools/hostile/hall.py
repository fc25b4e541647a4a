"""A server to be treated badly, and one editor who may sign in."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
PASSPHRASE = "four plain words here"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Hall:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="baton-hostile-")
        self.port = free_port()
        self.osc = free_port()
        baton = os.environ.get("BATON", str(ROOT / ".build" / "debug" / "baton"))
        for name, role in [("anna", "administrator"), ("theo", "technician"), ("max", "musician"), ("nora", "musician"),
                           ("edda", "editor"), ("tina", "technician")]:
            subprocess.run([baton, "user", "add", name, "--role", role, "--data", self.folder], check=True,
                           input=PASSPHRASE + "\n", text=True, capture_output=True)
        self.log = open(self.folder + "/said", "w+")
        self.start()
        self.cookie = self.sign_in("anna")
        self.concert = json.loads(self.ask("GET", "/api/edit/concerts")[1])[0]["id"]
        return self

    def start(self):
        baton = os.environ.get("BATON", str(ROOT / ".build" / "debug" / "baton"))
        self.piece, self.recording = PIECE, str(ROOT / "Recordings" / PIECE / "swift" / "audio.ogg")
        self.process = subprocess.Popen(
            [baton, "serve", PIECE, "--live", self.recording, "--data",
             self.folder, "--http", f"127.0.0.1:{self.port}", "--osc", f"127.0.0.1:{self.osc}", "--no-multicast"],
            cwd=ROOT, stderr=self.log)
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit("bad-input: the server does not answer")

    def restart(self):
        self.process.terminate()
        self.process.wait(15)
        self.start()

    def pieces(self):
        """Names as apps get them."""
        return self.ask("GET", "/getPieces.php", cookie=False)[1].split(";")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(15)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_running(self):
        return self.process.poll() is None

    def sign_in(self, name):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        link.request("POST", "/api/login", json.dumps({"name": name, "password": PASSPHRASE}),
                     {"Content-Type": "application/json", "X-Baton": "1"})
        answer = link.getresponse()
        answer.read()
        return answer.getheader("Set-Cookie").split(";")[0]

    def ask(self, method, path, body=None, headers=None, cookie=True, ours=True, timeout=60):
        """Status and body of one request; the editor's unless told otherwise."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        fields = {"Content-Type": "application/json"}
        if ours:
            fields["X-Baton"] = "1"
        if cookie:
            fields["Cookie"] = self.cookie
        fields.update(headers or {})
        try:
            link.request(method, path, body, fields)
            answer = link.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            link.close()

    def raw(self, sent, seconds=5):
        """What comes back for bytes on a connection of their own, until the server closes it."""
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
        with urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{self.port}/api/events", headers={"Cookie": self.cookie}), timeout=10) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    return json.loads(line[6:])["meters"]["xruns"]
