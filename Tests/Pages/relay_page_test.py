#!/usr/bin/python3
"""The audience page at a relay: what a listener far away sees when the broker, the hall's server or the relay goes.

    BATON=path/to/baton Tests/Pages/relay_page_test.py

A broker (mosquitto), a server that tells it, and a relay, all of its own on loopback. The last line is
`N passed, N failed`.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from browser import chromium, resize
from checks import Checks, text, until
from lib.processes import free_port
from lib.repository import ROOT, program, recording
from served import Served

PIECES = ("bach-well-tempered-clavier-1-prelude-in-c", "grieg-peer-gynt-hall-of-the-mountain-king")
PLAYED = next(path.parent.name for path in sorted((ROOT / "Recordings" / PIECES[1]).glob("*/audio.ogg")))
PAGES = os.environ.get("BATON_PAGES")


class Broker:
    def __init__(self, folder):
        self.port, self.process = free_port(), None
        self.settings = pathlib.Path(folder) / "mosquitto.conf"
        self.settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")

    def start(self):
        self.process = subprocess.Popen([shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", str(self.settings)],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Relay:
    def __init__(self, folder, broker):
        self.folder, self.broker, self.port = folder, broker, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [program(), "relay", "--mqtt", f"127.0.0.1:{self.broker.port}", "--http", f"127.0.0.1:{self.port}",
             "--data", f"{self.folder}/relay", *(["--pages", PAGES] if PAGES else [])], cwd=ROOT,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self.answers, 15)

    def status(self, path):
        try:
            with urllib.request.urlopen(self.base + path, timeout=2) as answer:
                return answer.status
        except urllib.error.HTTPError as refusal:
            return refusal.code

    def answers(self):
        try:
            return urllib.request.urlopen(self.base + "/", timeout=1).status == 200
        except OSError:
            return False

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Listener:
    """The page of somebody at home."""

    def __init__(self, driver, base):
        self.driver, self.base = driver, base
        resize(driver, "phone")

    def open(self):
        self.driver.get(self.base + "/")

    @property
    def is_live(self):
        return self.driver.execute_script("return document.getElementById('live').dataset.live") == "true"

    @property
    def notice(self):
        return self.driver.execute_script(
            "const n = document.getElementById('notice'); return n.hidden ? '' : n.textContent") or ""

    @property
    def slide(self):
        return text(self.driver, "#slide")

    @property
    def waits(self):
        return text(self.driver, "#waiting-words")


def main():
    checks = Checks()
    folder = tempfile.mkdtemp(prefix="baton-relay-page-")
    broker = Broker(folder)
    relay = Relay(folder, broker)
    server = None
    try:
        broker.start()
        server = Served(",".join(PIECES), [recording(PIECES[0], "swift"), recording(PIECES[1], PLAYED)], "--new",
                        "--loop", "0", "--mqtt", f"127.0.0.1:{broker.port}")
        with chromium() as driver, chromium() as late:
            run(checks, server, broker, relay, Listener(driver, relay.base), Listener(late, relay.base))
    finally:
        relay.stop()
        if server:
            server.remove()
        broker.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return checks.end()


def took(condition, seconds):
    """Seconds until it is so; None for not within."""
    begun = time.monotonic()
    return round(time.monotonic() - begun, 2) if until(condition, seconds) else None


def run(checks, server, broker, relay, page, late):
    server.command("take")
    server.command("piece", "2", "p:12")
    relay.start()
    page.open()
    checks.that("a page at the relay is live", until(lambda: page.is_live and page.slide, 15),
                (page.notice, page.slide))
    before = page.slide
    server.command("goto", "p:45")
    checks.that("and follows", until(lambda: page.slide != before, 5), page.slide)
    shown = page.slide

    lost(checks, page, shown, "the broker", broker.stop)
    late.open()
    checks.that("a page that opens meanwhile shows the last slide, not as live",
                until(lambda: late.slide == shown and "not heard" in late.notice, 8) and not late.is_live,
                (late.slide, late.notice))
    broker.start()
    checks.that("with the broker both are live again", until(lambda: page.is_live and late.is_live, 20),
                (page.notice, late.notice))
    checks.that("and no notice is left", until(lambda: page.notice == "" and late.notice == "", 3),
                (page.notice, late.notice))
    checks.that("at the same slide", page.slide == shown and late.slide == shown, (page.slide, late.slide))

    lost(checks, page, shown, "the hall’s server", server.kill)
    late.driver.get("about:blank")
    relay.stop()
    checks.that("without the relay the page says that it is cut off", until(lambda: "No connection" in page.notice, 8),
                page.notice)
    relay.start()
    checks.that("a relay that begins without the hall shows nothing as live",
                until(lambda: "not heard" in page.notice, 10) and not page.is_live, page.notice)
    checks.that("and the slide stays", page.slide == shown, page.slide)
    server.start()
    server.command("take")
    server.command("piece", "2", "p:50")
    back = took(lambda: page.is_live, 15)
    checks.that("with the hall the page is live again", back is not None, page.notice)
    after = page.slide
    checks.that("at the hall's new place", after != "" and until(lambda: page.notice == "", 3), (after, page.notice))

    broker.stop()
    relay.stop()
    shutil.rmtree(f"{relay.folder}/relay", ignore_errors=True)
    relay.start()
    late.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": relay.base, "storageTypes": "all"})
    late.open()
    checks.that("a first visit to a relay that knows nothing gets a word, not a black page",
                until(lambda: "not heard" in late.waits, 8), late.waits)
    broker.start()
    checks.that("and the concert as soon as it is there", until(lambda: late.is_live, 25), (late.waits, late.notice))
    shown = page.slide
    server.ask("DELETE", "/api/edit/concerts/1/serve")
    checks.that("a concert that is no longer served is gone at the relay too",
                until(lambda: relay.status("/api/audience/concert") == 404, 15))
    checks.that("and stays readable where it was loaded", page.slide == shown != "", page.slide)
    plan = server.ask("GET", "/api/edit/concerts/1/serve").value
    server.ask("POST", "/api/edit/concerts/1/serve", {"confirm": plan["confirm"]})
    checks.that("a concert that is served again is there again",
                until(lambda: relay.status("/api/audience/concert") == 200, 15))


def lost(checks, page, shown, what, act):
    act()
    red = took(lambda: not page.is_live, 12)
    checks.that(f"without {what} Live goes out", red is not None, page.notice)
    print(f"    without {what}: Live went out after {red} s")
    checks.that(f"without {what} a notice says so", until(lambda: "not heard" in page.notice, 5), page.notice)
    checks.that(f"without {what} the last slide stays", page.slide == shown, page.slide)


if __name__ == "__main__":
    sys.exit(main())
