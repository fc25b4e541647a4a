#!/usr/bin/python3
"""A long PDF on a stand in a real browser: how soon its first page lies there, and how soon each turn is done.

    BATON=path/to/baton Tests/Pages/big_score_test.py [--pages FOLDER] [--leaves 200]

Starts `baton serve` on loopback, gives it a PDF, opens the stand on a device that was never here, and turns by pedal. A
turn
is done when the next page lies there painted, seen by the page itself in the frame after. The last line is `N passed, N
failed`.
"""

import sys
import time

from browser import chromium, resize
from checks import Checks, until
from lib.music_pdf import music_pdf
from lib.repository import recording
from lib.waiting import hold_for
from lib.web import ask
from served import Served

PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
USABLE, FIRST, TURNED = 3.0, 1_000, 50.0  # seconds, milliseconds, milliseconds

# Milliseconds from the tap on a score in the list to the frame in which its first page lies there painted; -1 after 8
# s.
OPEN = """const [entry, done] = arguments; const begun = performance.now();
    document.querySelector(entry).click();
    const look = () => {
      const shown = [...document.querySelectorAll('.leaf.shown')];
      const lies = shown.length > 0 && shown.every((leaf) => leaf.querySelector('.sheet > canvas').width > 300);
      if (lies || performance.now() - begun > 8000) done(lies ? performance.now() - begun : -1);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""

# Milliseconds from the pedal to the frame in which the page after (or before) this one lies there painted; -1 after 5
# s.
TURN = """const [key, page, done] = arguments; const begun = performance.now();
    dispatchEvent(new KeyboardEvent('keydown', {key}));
    const look = () => {
      const shown = document.querySelector('.leaf.shown');
      const lies = shown && Number(shown.dataset.page) === page && shown.querySelector('.sheet > canvas').width > 300;
      if (lies || performance.now() - begun > 5000) done(lies ? performance.now() - begun : -1);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""

JUMP = """const [page, done] = arguments; const begun = performance.now();
    document.querySelector(`.thumbnail[data-page='${page}']`).click();
    const look = () => {
      const shown = document.querySelector('.leaf.shown');
      const lies = shown && Number(shown.dataset.page) === page && shown.querySelector('.sheet > canvas').width > 300;
      if (lies || performance.now() - begun > 8000) done(lies ? performance.now() - begun : -1);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""


def option(name, otherwise=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise


def upload(base, pages):
    began = time.time()
    answer = ask(base, "POST", "/api/library/scores?title=Long+score", music_pdf(pages, "Long score"),
                 headers={"Content-Type": "application/pdf"})
    return answer.value["score"], time.time() - began


def turns(driver, key, pages, pause):
    taken = []
    for page in pages:
        taken.append(driver.execute_async_script(TURN, key, page))
        hold_for(pause)  # a reader looks at the page
    return taken


def said(taken):
    ordered = sorted(taken)
    return f"median {ordered[len(ordered) // 2]:.0f} ms, slowest {ordered[-1]:.0f} ms of {len(ordered)}"


def run(checks, served, driver, leaves):
    score, took = upload(served.base, leaves)
    print(f"{leaves} pages taken in after {took:.2f} s")
    resize(driver, (820, 1180))
    driver.set_script_timeout(20)
    begun = time.time()
    driver.get(served.base + "/stand")
    entry = f'[data-score="{score}"] .entry'
    until(lambda: driver.execute_script("return Boolean(document.querySelector(arguments[0]))", entry), 10)
    listed = time.time() - begun
    opened = driver.execute_async_script(OPEN, entry)
    all_in_all = time.time() - begun
    print(f"the page of scores after {listed:.2f} s; the first page of music {opened:.0f} ms after the tap")
    checks.that(f"its first page lies there within {FIRST / 1_000:.0f} s of the tap ({opened:.0f} ms)",
                0 <= opened < FIRST)
    checks.that(f"the score is usable within {USABLE} s of opening the stand ({all_in_all:.2f} s)", all_in_all < USABLE)
    hold_for(1)  # a reader looks at the page

    def turned(name, taken):
        print(f"{name}: {said(taken)}")
        checks.that(f"{name}: every turn within {TURNED:.0f} ms", min(taken) >= 0 and max(taken) <= TURNED)

    turned("a page a second", turns(driver, "PageDown", range(1, 31), 1))
    turned("back again", turns(driver, "PageUp", range(29, 19, -1), 1))
    turned("two pages a second", turns(driver, "PageDown", range(21, 41), 0.5))
    # Not a turn: nothing could be ready.
    jump = driver.execute_async_script(JUMP, leaves - 20)
    print(f"a jump to page {leaves - 19}: {jump:.0f} ms")
    checks.that("a jump to a far page takes less than 3 s", 0 <= jump < 3_000)
    hold_for(1)  # a reader looks at the page
    turned("on from there", turns(driver, "PageDown", range(leaves - 19, leaves - 9), 1))


def main():
    checks = Checks()
    served = Served(PIECE, [recording(PIECE, "swift")], "--loop", "0", pages=option("--pages"))
    try:
        with chromium() as driver:
            run(checks, served, driver, int(option("--leaves", "200")))
    finally:
        served.remove()
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
