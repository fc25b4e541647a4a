#!/usr/bin/python3
"""A programme of twelve scores kept on a stand in one tap, and played from it without a network.

    BATON=path/to/baton Tests/Pages/stand_setlist_test.py [--pictures FOLDER]

A librarian brings in twelve PDFs of eight pages and gives them to a musician, whose setlist they are. The dialog of the
setlist says how large it is; one tap keeps it; then the network is gone, the page is loaded anew, every piece opens and
is turned to its last page, and the setlist is played through by pedal. Everything on loopback. The last line is
`N passed, N failed`.
"""

import contextlib
import sys
import time
import uuid

import prepared
from browser import chromium
from checks import Checks, until
from lib.music_pdf import music_pdf
from rooms_evening import option
from rooms_stand import Stand
from wire import Wire

PASSWORD = "open sesame 1"
ACCOUNTS = (("Lena", "editor", PASSWORD), ("Olga", "musician", PASSWORD))
PIECES, PAGES = 12, 8
PATIENT = 60  # s in which a busy machine draws and keeps all pages
KEPT = """const base = await new Promise((done) =>
        (indexedDB.open('baton-stand').onsuccess = (event) => done(event.target.result)));
    const all = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
    const shelf = base.transaction('pictures').objectStore('pictures');
    const [keys, blobs] = [await all(shelf.getAllKeys()), await all(shelf.getAll())];
    let [count, bytes] = [0, 0];
    keys.forEach((key, at) => {
        if (key.includes('/thumbnail') || !given[0].some((score) => key.startsWith(score))) return;
        count += 1;
        bytes += blobs[at].size;
    });
    return [count, bytes];"""


def library(server):
    """Twelve scores of one part each, Olga's; gives their ids in order."""
    lena = server.sign_in("lena", PASSWORD)
    olga = server.sign_in("olga", PASSWORD)
    users = {each["name"]: each["id"] for each in server.ask("GET", "/api/library/users", cookie=lena).value}
    scores = []
    for number in range(PIECES):
        title = f"Piece-{number + 1:02}"
        made = server.ask("POST", f"/api/library/scores?title={title}", music_pdf(PAGES, title), lena,
                          headers={"Content-Type": "application/pdf"})
        scores.append(made.value["score"])
        server.ask("POST", "/api/library/bundles", {"user": users["Olga"], "score": scores[-1]}, lena)
    server.ask("PUT", f"/api/setlists/{uuid.uuid4()}", {"name": "Friday", "scores": scores, "revision": 0}, olga)
    return scores


def size_in(words):
    """The bytes of `… (about 3.4 MB)`."""
    number, unit = words.rstrip(")").split()[-2:]
    return float(number.strip("(")) * {"kB": 1e3, "MB": 1e6}[unit]


def open_setlist(olga):
    until(lambda: olga.shown("[data-setlist]"), 10)
    # The lists are made anew as the server answers, or does not: what was found may be another by then.
    olga.script("document.querySelector('[data-setlist]').click()")
    return until(lambda: olga.count("#dialog .programme li") == PIECES, 10)


def keep(checks, olga, scores):
    checks.that("the setlist shows its twelve pieces", open_setlist(olga))
    until(lambda: olga.shown("#keep-offline"), 10)
    words = olga.text("#keep-offline")
    checks.that("its size is said before", "MB" in words or "kB" in words, words)
    olga.picture(option("--pictures"), "setlist")
    begun = time.monotonic()
    olga.click("#keep-offline")
    until(lambda: olga.shown("#dialog progress") or olga.shown("#forget-offline"), 5)
    olga.picture(option("--pictures"), "keeping")
    checks.that("one tap keeps it", until(lambda: olga.shown("#forget-offline"), PATIENT), olga.text("#dialog"))
    took = time.monotonic() - begun
    count, size = olga.later(KEPT, scores)
    print(f"        {words}: {count} pages, {size / 1e6:.2f} MB kept after {took:.1f} s")
    checks.that("every page is on the device when it says so", count == PIECES * PAGES, count)
    checks.that("and they are as large as was said", 0.7 < size_in(words) / size < 1.4, (words, size))
    olga.picture(option("--pictures"), "kept")


def play(checks, olga):
    """Every piece is opened without a network, and turned to its end."""
    olga.open()
    checks.that("the stand opens without a network", until(lambda: olga.screen == "home", 20), olga.screen)
    missing, slowest = [], 0.0
    for number in range(PIECES):
        open_setlist(olga)
        begun = time.monotonic()
        olga.click(f"#dialog .programme li:nth-child({number + 1}) .entry")
        opened = until(lambda: olga.screen == "reader" and olga.painted(), 10)
        slowest = max(slowest, time.monotonic() - begun)
        title = olga.text("#what-title")
        olga.script("document.getElementById('stage').focus()")
        olga.script("dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }))")
        if not (opened and title == f"Piece-{number + 1:02}" and olga.lies(PAGES - 1) and until(olga.painted, 5)):
            missing.append((number + 1, title, olga.pages))
        olga.controls()
        olga.click("#leave")
        until(lambda: olga.screen == "home", 5)
    checks.that("all twelve open and turn to their last page", missing == [], missing)
    print(f"        the slowest lay there after {slowest:.2f} s")


def through(checks, olga):
    """Played through by pedal: two presses at the end of a piece go on, one takes it back; a reload stays in it."""
    open_setlist(olga)
    olga.click("#dialog .programme li:nth-child(1) .entry")
    until(lambda: olga.screen == "reader" and olga.painted(), 10)

    def lies(number, page):
        title = f"Piece-{number:02}"
        return until(lambda: olga.text("#what-title") == title and olga.lies(page) and olga.painted(), 10)

    def to_end():
        for page in range(1, PAGES):
            olga.pedal()
            olga.lies(page)

    olga.script("dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }))")
    olga.lies(0)
    to_end()
    olga.pedal()
    checks.that("a press past the end says what comes", until(lambda: "Next: Piece-02" in olga.text("#sign-next"), 5),
                olga.text("#sign-next"))
    checks.that("and the page stays", olga.lies(PAGES - 1), olga.pages)
    olga.picture(option("--pictures"), "next-piece")
    olga.pedal()
    checks.that("the second goes on", lies(2, 0), (olga.text("#what-title"), olga.pages))
    olga.pedal(back=True)
    checks.that("one back takes it back", lies(1, PAGES - 1), (olga.text("#what-title"), olga.pages))
    olga.pedal()
    lies(2, 0)
    olga.open()
    checks.that("a page that was loaded anew is still in the setlist", lies(2, 0), olga.text("#what-title"))
    to_end()
    olga.pedal()
    olga.pedal()
    checks.that("and goes on from there", lies(3, 0), (olga.text("#what-title"), olga.pages))
    olga.controls()
    olga.click("#next-piece")
    checks.that("a button opens the next piece, too", lies(4, 0), (olga.text("#what-title"), olga.pages))
    olga.controls()
    olga.click("#programme")
    olga.click("#dialog [data-entry='0']")
    checks.that("and the programme any other", lies(1, 0), (olga.text("#what-title"), olga.pages))
    olga.controls()
    olga.click("#leave")
    until(lambda: olga.screen == "home", 5)


def main():
    checks = Checks()
    with contextlib.ExitStack() as stack:
        server = prepared.server(ACCOUNTS)
        stack.callback(server.remove)
        wire = Wire(server.port)
        stack.callback(wire.close)
        scores = library(server)
        driver = stack.enter_context(chromium())
        olga = Stand(driver, f"http://127.0.0.1:{wire.port}", "olga", PASSWORD, (1024, 1366))
        olga.sign_in()
        keep(checks, olga, scores)
        # The page keeps its own files too, as soon as its worker runs.
        until(lambda: olga.later("return Boolean((await navigator.serviceWorker.ready).active)"), 10)
        until(lambda: olga.later("return (await (await caches.open('baton-stand-page')).keys()).length > 50"), 20)
        wire.cut()
        play(checks, olga)
        through(checks, olga)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
