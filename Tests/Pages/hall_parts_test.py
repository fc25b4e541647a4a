#!/usr/bin/python3
"""A listener's page loads only the parts of the concert that changed, from a server of its own.

    BATON=path/to/baton Tests/Pages/hall_parts_test.py

Says how many bytes one edited slide costs a phone, on the wire, with everything that the page asks for after it. The
last line is `N passed, N failed`.
"""

import sys

from browser import started
from checks import Checks, text, until
from lib.waiting import holds_for
from served_hall import ServedHall

# Pictures are kept after texts, and what belongs to the whole concert after all other pictures.
KEPT = """const [shared, done] = arguments;
caches.open("baton-kept").then((cache) => cache.keys()).then((keys) => done(
  Boolean(navigator.serviceWorker.controller) && keys.filter((key) => key.url.endsWith("data.json")).length === 5
  && keys.filter((key) => key.url.endsWith("kept=concert")).length === shared));"""
REFUSE = """const ask = window.fetch;
window.fetch = (path, options) => String(path).startsWith("/api/audience/pieces/")
  ? Promise.reject(new TypeError("refused by the test")) : ask(path, options);"""


def of_content(counts):
    """The counts of the concert, its parts and its files; the page renews itself when it likes."""
    return {path: count for path, count in counts.items()
            if path.startswith(("/api/audience/", "/images/")) and path != "/api/audience/events"}


class Phone:
    """A page that has the whole concert and all its pictures on the phone."""

    def __init__(self, driver, hall):
        self.driver, self.wire = driver, hall.wire
        concert = hall.concert
        shared = [concert.get("programNotes"), concert.get("programNotesText"), *concert["pictures"].values(),
                  *(performer.get("image") for performer in concert["info"]["cast"])]
        driver.get(hall.base + "/")
        until(lambda: driver.execute_async_script(KEPT, len([one for one in shared if one])), 90)
        self.rest()
        self.note()

    def note(self):
        self.requests, self.bytes = self.wire.requests.copy(), self.wire.bytes.copy()

    def asked(self):
        """Requests for content since `note`."""
        return of_content(self.wire.requests - self.requests)

    def loaded(self):
        """Bytes of content since `note`, with the answers' heads."""
        return sum(of_content(self.wire.bytes - self.bytes).values())

    def rest(self):
        """No content was asked for in four seconds: pictures are kept with pauses of less than one."""
        def is_quiet():
            before = of_content(self.wire.requests)
            return holds_for(lambda: of_content(self.wire.requests) == before, 4)
        until(is_quiet, 90)

    def shows(self, words):
        return until(lambda: words in text(self.driver, "#slide"), 10)


def main():
    checks = Checks()
    hall = ServedHall()
    try:
        hall.scenario("at?piece=4&played=30")
        with started() as driver:
            run(checks, hall, Phone(driver, hall))
    finally:
        hall.close()
    return checks.end()


def run(checks, hall, phone):
    hall.scenario("edit")
    checks.that("an edited slide is shown", phone.shows("late edit"), text(phone.driver, "#slide"))
    phone.rest()
    asked = phone.asked()
    print(f"one edited slide of {len(hall.concert['pieces'])} pieces: {phone.loaded()} bytes, {asked}")
    images = {part["image"] for track in hall.concert["pieces"][3]["tracks"] for slide in track["slides"]
              for part in slide["parts"] if "image" in part}
    words = {hall.concert["glossary"][link["item"]].get("image") for track in hall.concert["pieces"][3]["tracks"]
             for slide in track["slides"] for link in slide["links"]}
    checks.that("its piece was loaded, once", asked.get("/api/audience/pieces/3") == 1, asked)
    checks.that("and nothing else but its own pictures", set(asked) - {"/api/audience/pieces/3"} <= images | words,
                asked)
    kept = phone.driver.execute_async_script(
        "const done = arguments[0]; caches.match('/kept/concert.json').then((kept) => kept.json()).then(done);")
    checks.that("the phone keeps the new revision",
                kept["revision"] == hall.ask("GET", "/api/audience/concert")["revision"], kept["revision"])

    phone.note()
    hall.write("word", "history", lambda _: "It came from somewhere else.")
    until(lambda: "/api/audience/heading" in phone.asked(), 10)
    phone.rest()
    asked = phone.asked()
    checks.that("another word of the glossary loads the heading and no piece",
                asked.get("/api/audience/heading") == 1 and not any("concert" in path or "pieces" in path
                                                                    for path in asked), asked)

    phone.driver.execute_script(REFUSE)
    phone.note()
    hall.write_slide("Words of a whole concert.")
    checks.that("a part that cannot be had is no loss", phone.shows("whole concert"), text(phone.driver, "#slide"))
    checks.that("since the whole concert is loaded then", phone.asked().get("/api/audience/concert") == 1,
                phone.asked())


if __name__ == "__main__":
    sys.exit(main())
