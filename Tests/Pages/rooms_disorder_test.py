#!/usr/bin/python3
"""Four stands in the wrong order: the second piece first, the leader leaves first, a network is lost between, a player
has two stands, and everybody's page is opened again after the session.

    BATON=path/to/baton Tests/Pages/rooms_disorder_test.py

The library and the stands are those of rooms_programme_test.py. The last line is `N passed, N failed`.
"""

import contextlib
import sys

import prepared
from browser import chromium
from checks import Checks
from rooms_programme_test import ACCOUNTS, PASSWORD, PATIENT, Evening, TouchStand, setlist, until


class Disorder(Evening):
    def __init__(self, checks, server, drivers):
        super().__init__(checks, server, drivers[:3])
        self.second = TouchStand(drivers[3], server.base, "bert")

    def open_piece(self, index):
        self.olga.controls()
        self.olga.click("#programme")
        self.olga.click(f"#dialog [data-entry='{self.room()['programme'][index]['id']}']")

    def taking_part(self):
        return [each["user"] for each in self.room().get("participations", []) if "left" not in each]


def second_piece_first(evening):
    that, olga = evening.that, evening.olga
    evening.library()
    that("three people sign in", all(evening.all(lambda stand: stand.sign_in())))
    setlist(evening)
    until(lambda: olga.shown("#start"))
    evening.open_piece(1)
    that("the leader opens the second piece before anything begins",
         until(lambda: olga.title == "Ode to Joy" and olga.painted()), olga.title)
    olga.controls(False)
    olga.click("#start")
    that("one tap starts the rehearsal in it", until(lambda: len(evening.taking_part()) == 1), evening.room())


def come(evening):
    that, bert, carl, second = evening.that, evening.bert, evening.carl, evening.second
    for stand, part in ((bert, 0), (carl, 1)):
        stand.open()
        stand.click("#rooms-open .entry")
        stand.click("#join")
        that(f"{stand.name} comes into the second piece", stand.choose(part))
    that("all take part", until(lambda: len(evening.taking_part()) == 3), evening.taking_part())
    second.open()
    until(lambda: second.screen == "sign-in")
    second.write("#login", "bert")
    second.write("#password", PASSWORD)
    second.click("#enter")
    # The server knows where he plays.
    that("a second stand of a player goes straight to his place",
         until(lambda: second.screen == "reader" and second.painted()), second.screen)
    that("and the first one goes on", bert.painted() and not bert.alone and not bert.shown("#sign-surplus"))


def leader_leaves(evening):
    that, olga, bert, carl = evening.that, evening.olga, evening.bert, evening.carl
    olga.controls()
    olga.click("#leave")
    that("the leader leaves first", until(lambda: len(evening.taking_part()) == 2), evening.taking_part())
    that("the session goes on", "ended" not in evening.room()["session"] and bert.screen == carl.screen == "reader")
    bert.swipe()
    that("the others turn by themselves", until(lambda: bert.pages[:1] != [0]), bert.pages)
    evening.wire.cut()
    that("a stand loses its network", until(lambda: carl.alone, PATIENT))
    olga.click("#rooms-owned .entry")
    that("the leader comes back, into the running session",
         until(lambda: olga.screen == "reader" and olga.painted() and len(evening.taking_part()) == 3)
         and not olga.shown("#start"), evening.taking_part())
    evening.open_piece(0)
    first = evening.score["title"]
    those = [olga, bert, evening.second]
    that("the first piece after the second", evening.each(lambda stand: stand.title == first, stands=those),
         [stand.title for stand in those])
    evening.wire.mend()
    that("the stand without a network follows when it is back", until(lambda: carl.title == first), carl.title)


def again(evening):
    that, olga = evening.that, evening.olga
    olga.controls()
    olga.click("#session")
    olga.click("#end-session")
    that("the session ends", until(lambda: "ended" in evening.room()["session"]))
    for stand in (evening.bert, evening.carl, evening.second):
        where = (stand.title, stand.part, stand.pages)
        stand.driver.get("about:blank")
        stand.open()
        that(f"{stand.name}'s page comes back where it was", until(
            lambda stand=stand, where=where: stand.screen == "reader" and stand.painted()
            and (stand.title, stand.part, stand.pages) == where), where)
    olga.controls(False)
    olga.click("#start")
    that("a second rehearsal begins, and takes everybody in",
         until(lambda: "ended" not in evening.room()["session"] and len(evening.taking_part()) == 3),
         evening.taking_part())


def main():
    checks = Checks()
    with contextlib.ExitStack() as stack:
        server = prepared.server(ACCOUNTS)
        stack.callback(server.remove)
        evening = Disorder(checks, server, [stack.enter_context(chromium()) for _ in range(4)])
        stack.callback(evening.wire.close)
        try:
            for scene in (second_piece_first, come, leader_leaves, again):
                scene(evening)
        except Exception as trouble:
            checks.that("the evening comes to its end", False, repr(trouble)[:300])
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
