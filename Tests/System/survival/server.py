"""A server under test: started, stopped, killed, watched from outside."""

import glob
import os
import resource
import signal
import subprocess
import time

from lib.figures import Process

from . import places

STARTED = []


class Server:
    """`baton serve` with a data folder of its own; may be started again and again."""

    def __init__(self, name, arguments, data, namespace=None, environment=None, **limits):
        self.name = name
        self.data = str(data)
        self.arguments = list(arguments)
        self.namespace = namespace
        self.environment = environment or {}
        self.file_limit = limits.get("file_limit")
        self.process = None
        self.started_at = None
        self.log = places.scratch() / f"{name}.log"
        STARTED.append(self)

    def start(self, extra=()):
        command = [places.BATON, "serve", *map(str, self.arguments), "--data", self.data, *map(str, extra)]
        if self.namespace:
            command = ["ip", "netns", "exec", self.namespace] + command
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "BATON_MQTT_PASSWORD": "trial",
                       **self.environment}
        self.started_at = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, cwd=places.ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment,
                preexec_fn=self._limit if self.file_limit else None, restore_signals=False)
        return self

    def _limit(self):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_limit, resource.RLIM_INFINITY))

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self):
        return self.process.pid

    def send(self, number):
        os.kill(self.process.pid, number)

    def kill(self):
        """As a power cut would, for the process. Returns when."""
        at = time.monotonic()
        self.send(signal.SIGKILL)
        self.process.wait()
        return at

    def stop(self, timeout=10):
        """As asked; True if it ended with status 0 in time."""
        if not self.is_running:
            return False
        self.send(signal.SIGCONT)
        self.send(signal.SIGINT)
        try:
            return self.process.wait(timeout) == 0
        except subprocess.TimeoutExpired:
            self.kill()
            return False

    @property
    def memory_kb(self):
        return Process(self.process.pid).resident_kb

    @property
    def descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except OSError:
            return 0

    @property
    def processor_seconds(self):
        return Process(self.process.pid).processor_seconds

    @property
    def shows(self):
        return sorted(glob.glob(self.data + "/shows/*"))

    def said(self):
        return self.log.read_text(encoding="utf-8", errors="replace")


def replay_differences(server, may_lose=False):
    """Lets every show log of a server happen again. Returns what is wrong, in words; empty for nothing."""
    wrong = []
    for show in server.shows:
        run = subprocess.run(
            [places.BATON, "replay", show], cwd=places.ROOT, capture_output=True, text=True, timeout=300)
        summary = (run.stderr.strip().splitlines() or ["nothing was said"])[-1]
        lost = not may_lose and " 0 lost" not in summary
        if run.returncode != 0 or " 0 differ" not in summary or " 0 damaged" not in summary or lost:
            wrong.append(f"{show}: status {run.returncode}, {run.stderr.strip()[:400]}")
    return wrong


def stop_all():
    """Ends only what this run has started."""
    for server in STARTED:
        if server.is_running:
            server.send(signal.SIGCONT)
            server.kill()
    STARTED.clear()
