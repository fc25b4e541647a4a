#!/usr/bin/python3
"""The audience page at an edge: what a listener far away sees when the broker, the hall's server or the relay goes.

    BATON=path/to/baton Tests/Pages/relay_page_test.py

A broker (mosquitto), a server that tells it, a relay, and nginx as docs/deploy/nginx-edge.conf describes it, all of its
own on loopback. The last line is `N passed, N failed`.
"""

import contextlib
import shutil
import sys
import tempfile
import time

from browser import chromium, resize
from checks import Checks, text, until
from lib import edge, web
from lib.repository import ROOT, recording
from served import Served

PIECES = ("bach-well-tempered-clavier-1-prelude-in-c", "grieg-peer-gynt-hall-of-the-mountain-king")
PLAYED = next(path.parent.name for path in sorted((ROOT / "Recordings" / PIECES[1]).glob("*/audio.ogg")))


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


@contextlib.contextmanager
def at_an_edge():
    """A hall with two pieces, a broker, and an edge: the server, broker, nginx and relay (which is not started)."""
    folder = tempfile.mkdtemp(prefix="baton-edge-page-")
    broker = edge.Broker(folder)
    nginx = relay = server = None
    try:
        broker.start()
        server = Served(",".join(PIECES), [recording(PIECES[0], "swift"), recording(PIECES[1], PLAYED)], "--new",
                        "--loop", "0", "--mqtt", broker.place)
        nginx = edge.Edge(folder, server.port).start()
        relay = edge.Relay(folder, [broker], nginx)
        yield server, broker, nginx, relay
    finally:
        for each in (relay, nginx):
            if each:
                each.stop()
        if server:
            server.remove()
        broker.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if sentence := edge.what_is_missing():
        sys.exit(sentence)
    checks = Checks()
    with at_an_edge() as (server, broker, nginx, relay), chromium() as driver, chromium() as late:
        run(checks, server, broker, relay, nginx, Listener(driver, nginx.base), Listener(late, nginx.base))
    return checks.end()


def took(condition, seconds):
    """Seconds until it is so; None for not within."""
    begun = time.monotonic()
    return round(time.monotonic() - begun, 2) if until(condition, seconds) else None


def run(checks, server, broker, relay, nginx, page, late):
    server.command("take")
    server.command("piece", "2", "p:12")
    relay.start()
    page.open()
    checks.that("a page at the edge is live", until(lambda: page.is_live and page.slide, 15),
                (page.notice, page.slide))
    before = page.slide
    server.command("goto", "p:45")
    checks.that("and follows", until(lambda: page.slide != before, 5), page.slide)
    shown = page.slide

    lost(checks, page, shown, "the broker", broker.kill)
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
    relay.kill()
    checks.that("without the relay nothing is live", until(lambda: page.notice != "", 8) and not page.is_live,
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

    broker.kill()
    relay.kill()
    nginx.kill()
    nginx.start()
    relay.start()
    late.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": nginx.base, "storageTypes": "all"})
    late.open()
    checks.that("a first visit to an edge that knows no position gets the concert and a word",
                until(lambda: "not heard" in late.notice, 8), (late.waits, late.notice))
    broker.start()
    checks.that("and the music as soon as it is there", until(lambda: late.is_live, 25), (late.waits, late.notice))
    shown = page.slide
    server.ask("DELETE", "/api/edit/concerts/1/serve")
    checks.that("a concert that is no longer served is gone at the edge too",
                until(lambda: web.ask(nginx.base, "GET", "/api/audience/concert").status == 404, 15))
    checks.that("and stays readable where it was loaded", page.slide == shown != "", page.slide)
    plan = server.ask("GET", "/api/edit/concerts/1/serve").value
    server.ask("POST", "/api/edit/concerts/1/serve", {"confirm": plan["confirm"]})
    checks.that("a concert that is served again is there again",
                until(lambda: web.ask(nginx.base, "GET", "/api/audience/concert").status == 200, 15))


def lost(checks, page, shown, what, act):
    act()
    red = took(lambda: not page.is_live, 12)
    checks.that(f"without {what} Live goes out", red is not None, page.notice)
    print(f"    without {what}: Live went out after {red} s")
    checks.that(f"without {what} a notice says so", until(lambda: "not heard" in page.notice, 5), page.notice)
    checks.that(f"without {what} the last slide stays", page.slide == shown, page.slide)


if __name__ == "__main__":
    sys.exit(main())
