#!/usr/bin/python3
"""The audience page of a broadcast: it reads an edge’s files of ten seconds, and shows the hall as late as told.

    BATON=path/to/baton Tests/Pages/broadcast_page_test.py

A server, a broker, a relay that writes the files, and nginx as docs/deploy/nginx-edge.conf describes it; listeners of
the broadcast come under the name localhost. The last line is `N passed, N failed`. Takes two minutes.
"""

import sys
import time
import urllib.request

from browser import chromium
from checks import Checks, text, until
from lib import edge
from lib.waiting import hold_for
from relay_page_test import Listener, at_an_edge

PRECISE = 0.5  # s
# Notes each slide with the time at which it was shown.
WATCH = """
const slide = document.getElementById("slide");
const words = () => slide.textContent.trim();
window.watched = [];
let last = words();
window.watching?.disconnect();
window.watching = new MutationObserver(() => {
  if (words() !== last) window.watched.push([Date.now(), last = words()]);
});
window.watching.observe(slide, { childList: true, subtree: true, characterData: true });
"""


class Evening:
    def __init__(self, checks, server, page):
        self.checks, self.server, self.page = checks, server, page
        self.bar = 45
        self.slides = {}  # of bars

    def play(self):
        """Another bar; gives it and when it was in the hall."""
        self.bar = 12 if self.bar == 45 else 45
        self.server.command("goto", f"p:{self.bar}")
        return self.bar, time.time()

    def learn(self):
        """The slides of both bars, in the present."""
        with chromium() as driver:
            present = Listener(driver, f"http://127.0.0.1:{self.page.port}")
            present.open()
            for _ in range(2):
                bar, _ = self.play()
                hold_for(1)
                self.slides[bar] = present.slide
        self.checks.that("under another name the same edge gives the present", len(set(self.slides.values())) == 2
                         and all(self.slides.values()), self.slides)

    def is_late(self, seconds):
        """Three changes are shown as many seconds after the hall, and nothing else."""
        hold_for(seconds + 1)  # what was before has been shown
        self.page.driver.execute_script(WATCH)
        played = []
        for _ in range(3):
            played.append(self.play())
            hold_for(1.7)
        hold_for(seconds)
        shown = self.page.driver.execute_script("return window.watched")
        late = [at / 1000 - then for (at, _), (_, then) in zip(shown, played)]
        print(f"    {', '.join(f'{each:.2f}' for each in late)} s after the hall")
        self.checks.that(f"each change is shown {seconds} s after the hall, within {PRECISE} s",
                         [words for _, words in shown] == [self.slides[bar] for bar, _ in played]
                         and all(abs(each - seconds) <= PRECISE for each in late), (late, shown))


def main():
    if sentence := edge.what_is_missing():
        sys.exit(sentence)
    checks = Checks()
    with at_an_edge() as (server, _, nginx, relay), chromium() as driver:
        relay.start()
        page = Listener(driver, f"http://localhost:{nginx.plain}")
        page.port = nginx.plain
        run(checks, Evening(checks, server, page), relay, nginx)
    return checks.end()


def run(checks, evening, relay, nginx):
    server, page = evening.server, evening.page
    server.command("take")
    server.command("piece", "2", "p:12")
    evening.learn()
    page.open()
    checks.that("a page of the broadcast is live once its place is in a file", until(lambda: page.is_live, 30),
                (page.notice, page.slide))
    checks.that("and says how late it is", text(page.driver, "#live") == f"Broadcast −{edge.Edge.BEHIND} s",
                text(page.driver, "#live"))
    said = page.driver.execute_script("return document.getElementById('live').ariaLabel")
    checks.that("also to who does not see it", f"{edge.Edge.BEHIND} s behind the hall" in said, said)
    evening.is_late(edge.Edge.BEHIND)
    headers(checks, nginx)

    page.driver.get(f"{page.base}/?behind=20")
    until(lambda: page.is_live, 30)
    checks.that("a broadcaster’s link says how late it is",
                text(page.driver, "#live") == "Broadcast −20 s" and page.driver.current_url == f"{page.base}/",
                (text(page.driver, "#live"), page.driver.current_url))
    evening.is_late(20)
    nginx.kill()
    hold_for(2)
    nginx.start()
    checks.that("an nginx that is away for two seconds is not noticed", not until(lambda: not page.is_live, 14),
                page.notice)

    shown = page.slide
    relay.kill()
    killed = time.monotonic()
    out = until(lambda: not page.is_live, 26)
    took = time.monotonic() - killed
    print(f"    without the relay: Live went out after {took:.1f} s")
    checks.that("without the relay Live goes out where the files end", out and 9 < took < 20.5, (took, page.notice))
    checks.that("and the slide stays", page.slide == shown, page.slide)
    checks.that("and a notice says so", until(lambda: page.notice != "", 5))
    relay.start()
    checks.that("with the relay the page is live again", until(lambda: page.is_live, 45), page.notice)
    evening.is_late(20)

    server.kill()
    killed = time.monotonic()
    out = until(lambda: not page.is_live, 26)
    took = time.monotonic() - killed
    checks.that("the hall is lost for the page when it was lost for the broadcast", out and abs(took - 20) < 1, took)
    checks.that("with the page’s words", until(lambda: "not heard" in page.notice, 3), page.notice)


def headers(checks, nginx):
    """What delivery networks are told."""
    def control(name):
        try:
            with urllib.request.urlopen(f"{nginx.base}/timeline/{name}") as answer:
                return answer.status, answer.headers["Cache-Control"], answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers["Cache-Control"], b""

    index = control("index.json")
    number = index[2].split(b"[")[1].split(b"]")[0].split(b",")[0].decode()
    checks.that("the index is kept for a second", index[:2] == (200, "public, max-age=1"), index)
    checks.that("a file for a day", control(f"{number}.json")[:2] == (200, "public, max-age=86400, immutable"), number)
    checks.that("and that one is missing not at all", control("1.json")[:2] == (404, "no-store"))


if __name__ == "__main__":
    sys.exit(main())
