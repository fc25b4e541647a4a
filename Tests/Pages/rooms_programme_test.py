#!/usr/bin/python3
"""A rehearsal of two pieces with three parts, by touch: from a setlist and 'Start rehearsal' to the report.

    BATON=path/to/baton Tests/Pages/rooms_programme_test.py [--pictures FOLDER]

The owner makes a room of a setlist and starts the rehearsal; two others enter with other parts. The music goes on to
the second piece attacca, the owner plays an encore that one of them was not given, a stand is reloaded, another is
without a network while the piece changes, the programme is kept offline. The follower is a script; everything on
loopback. The last line is `N passed, N failed`.
"""

import concurrent.futures
import contextlib
import json
import os
import sys
import time
import traceback
import uuid

import prepared
from browser import chromium, settle
from checks import Checks
from lib import waiting
from lib.music_pdf import music_pdf
from lib.waiting import hold_for
from lib.web import snapshot
from rooms_evening import option
from rooms_stand import Stand
from served_hall import PASSPHRASE as TECHNICIAN
from served_hall import Technician
from wire import Wire

PASSWORD = "open sesame 1"
ACCOUNTS = (("Lena", "editor", PASSWORD), ("Olga", "technician", PASSWORD), ("Bert", "musician", PASSWORD),
            ("Carl", "musician", PASSWORD), ("anna", "administrator", TECHNICIAN))
# The pieces of the two scores in the concert, from 0, and one that nobody rehearses.
FIRST, SECOND, OTHER = 3, 4, 1
ODE = "beethoven-symphony-9-ode-to-joy-variations"
# The parts of the second score, in another order and language than those of the first: name and pages.
PARTS = (("Violine 1", 3), ("Pauken", 2), ("Partitur", 4))
SCREENS = {"olga": (1024, 1366), "bert": (1366, 1024), "carl": (390, 844)}
LOOKS = {"olga": "white", "bert": "warm", "carl": "dark"}
PATIENT = 20  # s that a claim may take to come true on a busy machine
SWITCH = 3  # s in which the stands show the next piece even there; docs/rooms.md has what was measured


def until(condition, seconds=PATIENT):
    return waiting.until(condition, seconds)


def new():
    return str(uuid.uuid4())


class TouchStand(Stand):
    """A stand that is used with a finger."""

    def __init__(self, driver, base, name):
        super().__init__(driver, base, name, PASSWORD, SCREENS[name])
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})

    def touch(self, x, y):
        """A tap of a finger on a point of the screen."""
        point = {"x": x, "y": y}
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def click(self, css):
        if not until(lambda: self.shown(css), PATIENT):
            raise LookupError(f"{css} is not shown to {self.name}")
        self.touch(*self.script(
            """const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: "center" });
            const box = element.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2]""", css))

    def controls(self, up=True):
        if bool(self.shown("#top-bar")) != up:
            width, height = self.script("return [innerWidth, innerHeight]")
            self.touch(width / 2, height / 2)
            until(lambda: bool(self.shown("#top-bar")) == up)

    def swipe(self):
        """A finger turns one page forward."""
        width, height = self.script("return [innerWidth, innerHeight]")
        for kind, share in (("touchStart", 0.7), ("touchMove", 0.5), ("touchMove", 0.3), ("touchEnd", None)):
            points = [] if share is None else [{"x": width * share, "y": height / 2}]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def choose(self, part):
        if not until(lambda: self.shown(f"#dialog [data-part='{part}']"), PATIENT):
            raise LookupError(f"{self.name} is not asked for the part")
        self.click(f"#dialog [data-part='{part}']")
        return until(lambda: self.screen == "reader" and self.painted(), PATIENT)

    @property
    def title(self):
        return self.text("#what-title")

    @property
    def part(self):
        return self.text("#part")

    def note(self):
        """From now on keeps when each score came to lie there, painted."""
        self.script("""
            window.opened = [];
            const look = () => {
                const title = document.getElementById("what-title").textContent;
                const leaves = [...document.querySelectorAll(".leaf.shown")];
                // A canvas that nobody has painted is 300 wide; a row on a phone may be narrower.
                const isPainted = leaves.length > 0 && leaves.every((leaf) =>
                    ![undefined, 300].includes(leaf.querySelector(".sheet > canvas")?.width));
                if (isPainted && window.opened.at(-1)?.[1] !== title) window.opened.push([Date.now() / 1000, title]);
                requestAnimationFrame(look);
            };
            look();""")

    def opened(self, title):
        """The time at which this score last came to lie there; None if it never did."""
        return next((at for at, each in reversed(self.script("return window.opened")) if each == title), None)


class Evening:
    def __init__(self, checks, server, drivers):
        self.checks, self.server = checks, server
        self.technician = Technician(server)
        self.pictures = option("--pictures")
        self.wire = Wire(server.port)
        self.cookies, self.began = {}, time.monotonic()
        bases = (server.base, server.base, f"http://127.0.0.1:{self.wire.port}")
        self.olga, self.bert, self.carl = self.stands = [
            TouchStand(driver, base, name) for driver, base, name in zip(drivers, bases, SCREENS)]

    def that(self, claim, holds, said=""):
        self.checks.that(f"{time.monotonic() - self.began:5.1f} s  {claim}", holds, said)

    def ask(self, name, path, body=None, method=None, headers=None):
        if name not in self.cookies:
            self.cookies[name] = self.server.sign_in(name, PASSWORD)
        answer = self.server.ask(method or ("GET" if body is None else "POST"), path, body, self.cookies[name],
                                 headers=headers)
        if answer.status != 200:
            raise LookupError(f"{path}: {answer.status} {answer.text[:300]}")
        return answer.value

    def all(self, act, stands=None):
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            return list(pool.map(act, stands or self.stands))

    def each(self, condition, seconds=PATIENT, stands=None):
        return all(self.all(lambda stand: until(lambda: condition(stand), seconds), stands))

    def picture(self, name):
        if self.pictures:
            for stand in self.stands:
                stand.picture(self.pictures, f"{name}-{stand.name}")

    def room(self):
        path = f"/api/rooms/{self.room_id}/stream?stand={new()}&seen=new&programme=1"
        return snapshot(self.server.base, self.cookies["olga"], path, timeout=5)["snapshot"]

    # -- Before ----------------------------------------------------------------------------------------------

    def library(self):
        """A librarian brings in the second score and gives both to all, a third not to Carl."""
        users = {each["name"].lower(): each["id"] for each in self.ask("lena", "/api/library/users")}
        scores = self.ask("lena", "/api/stand/home")["scores"]
        self.score = next(each for each in scores if any("Timpani" in part["name"] for part in each["parts"]))
        self.encore = next(each for each in scores if "Prelude" in each["title"] or "Präludium" in each["title"])
        pdf = {"Content-Type": "application/pdf"}
        name, pages = PARTS[0]
        self.ode = self.ask("lena", "/api/library/scores?title=Ode+to+Joy&part=" + name.replace(" ", "+"),
                            music_pdf(pages), headers=pdf)["score"]
        for name, pages in PARTS[1:]:
            self.ask("lena", f"/api/library/scores/{self.ode}/parts?name={name}", music_pdf(pages), headers=pdf)
        self.ask("lena", f"/api/library/scores/{self.ode}", {
            "title": "Ode to Joy", "movements": [{"name": "", "piece": ODE, "isAttacca": False}]}, "PUT")
        last = len(self.technician.ask("GET", "/api/audience/concert")["pieces"][SECOND]["measures"])
        for part, (_, pages) in enumerate(PARTS):
            ends = [round(last * page / pages) for page in range(pages + 1)]
            self.ask("lena", f"/api/library/scores/{self.ode}/parts/{part}", {"name": PARTS[part][0], "places": [
                {"movement": 0, "page": page, "first": ends[page] + 1, "last": ends[page + 1]}
                for page in range(pages)]}, "PUT")
        for user in ("olga", "bert", "carl"):
            for score in (self.score["id"], self.ode, *([] if user == "carl" else [self.encore["id"]])):
                self.ask("lena", "/api/library/bundles", {"user": users[user], "score": score})
        self.technician.command("take")
        self.technician.go(FIRST, 0)
        self.users = users


def setlist(evening):
    """Olga makes a setlist, and a room of it."""
    that, olga = evening.that, evening.olga
    olga.click("#new-setlist")
    until(lambda: olga.shown("#setlist-name"))
    olga.write("#setlist-name", "Friday")
    olga.click("#store-setlist")
    olga.click("#add-to-setlist")
    for score in (evening.score["id"], evening.ode):
        olga.click(f"#dialog [data-score='{score}']")
        until(lambda score=score: olga.shown(f"#dialog [data-score='{score}'] .chosen"))
    olga.click("#setlist-done")
    that("a setlist holds two pieces in order", until(lambda: olga.count("#dialog .programme li") == 2))
    that("and the server has it", evening.ask("olga", "/api/setlists")["setlists"][0]["scores"]
         == [evening.score["id"], evening.ode])
    evening.picture("setlist")
    olga.click("#room-from-setlist")
    olga.click("#create-room")
    that("a room is made of it", olga.choose(0))
    evening.room_id = olga.script("""const where = Object.entries(localStorage).find(([key]) =>
        key.includes('where.')); return JSON.parse(where[1]).room""")
    that("its programme is the setlist", [each["score"] for each in evening.room()["programme"]]
         == [evening.score["id"], evening.ode])


def start(evening):
    that, olga = evening.that, evening.olga
    that("nobody else sees the room", evening.ask("bert", "/api/stand/home")["rooms"]["notJoined"] == [])
    until(lambda: olga.shown("#start"))
    evening.picture("start")
    olga.click("#start")
    that("one tap starts the rehearsal", until(lambda: not olga.shown("#start"), PATIENT))
    until(lambda: evening.room().get("participations"))
    room = evening.room()
    user = evening.users["olga"]
    that("the room is published, its session runs", room["room"]["isPublished"] and "ended" not in room["session"])
    that("its leader takes part and leads", [each["user"] for each in room["participations"]] == [user]
         and room.get("turn") == [0, 0] and olga.script("return document.getElementById('turn-all').ariaPressed")
         == "true", room)
    # Attacca from the first piece into the second.
    evening.ask("olga", f"/api/rooms/{evening.room_id}/send?stand={new()}", {
        "v": 1, "id": new(), "attacca": {"entry": room["programme"][0]["id"], "isAttacca": True}})


def enter(evening):
    """Bert plays the first violin, Carl the timpani."""
    names = [part["name"] for part in evening.score["parts"]]
    parts = {"bert": next(n for n, name in enumerate(names) if "Violin" in name), "carl": names.index("Timpani")}

    def come(stand):
        stand.open()
        stand.click("#rooms-open .entry")
        stand.click("#join")
        return stand.choose(parts[stand.name])
    evening.that("two others join and take their parts", all(evening.all(come, [evening.bert, evening.carl])))
    that = evening.that
    that("both take part", until(lambda: len(evening.room()["participations"]) == 3, PATIENT))
    evening.all(lambda stand: stand.script(
        "document.querySelector('html').dataset.paper = arguments[0]", LOOKS[stand.name]))


def attacca(evening):
    """The music comes to the end of the first piece, and goes on."""
    that = evening.that
    evening.olga.swipe()
    that("the leader turns for all", until(lambda: evening.room().get("turn") == [0, 1], PATIENT))
    evening.all(lambda stand: stand.note())
    concert = evening.technician.ask("GET", "/api/audience/concert")
    # The technician taps the last bars, so that the music moves.
    evening.technician.go(FIRST, len(concert["pieces"][FIRST]["measures"]) - 4)
    for _ in range(4):
        evening.technician.command("tap")
        hold_for(0.9)  # a bar
    that("before the piece ends all stands show the next one",
         evening.each(lambda stand: stand.title == "Ode to Joy" and stand.painted()),
         [stand.title for stand in evening.stands])
    that("each on its own part", [stand.part for stand in evening.stands] == ["Partitur", "Violine 1", "Pauken"],
         [stand.part for stand in evening.stands])
    that("at its first page", evening.each(lambda stand: stand.pages[:1] == [0]), [s.pages for s in evening.stands])
    evening.picture("second")
    evening.technician.go(SECOND, 80)
    pages = [pages for _, pages in PARTS]
    last = len(concert["pieces"][SECOND]["measures"])
    wanted = [int(81 / (last / pages[2])), int(81 / (last / pages[0])), int(81 / (last / pages[1]))]
    that("the music turns the new pages", evening.each(
        lambda stand: wanted[evening.stands.index(stand)] in stand.pages), ([s.pages for s in evening.stands], wanted))


def leading(evening):
    """The leader opens pieces by hand, one of which Carl was not given."""
    that, olga, bert, carl = evening.that, evening.olga, evening.bert, evening.carl
    first = evening.score["title"]
    olga.controls()
    olga.click("#programme")
    entry = evening.room()["programme"][0]["id"]
    until(lambda: first in olga.text("#dialog .programme"))
    evening.picture("programme")
    olga.click(f"#dialog [data-entry='{entry}']")
    that("a tap on the first piece opens it on all", evening.each(lambda stand: stand.title == first))
    olga.controls()
    olga.click("#next-piece")
    that("and the next one by its own button", evening.each(lambda stand: stand.title == "Ode to Joy"
                                                           and stand.painted()))
    # The time from the leader's act to the painted page on the others, without other load.
    for title, index in ((first, 0), ("Ode to Joy", 1)):
        sent = time.time()
        evening.ask("olga", f"/api/rooms/{evening.room_id}/send?stand={new()}", {
            "v": 1, "id": new(), "openScore": {"entry": evening.room()["programme"][index]["id"]}})
        evening.each(lambda stand, title=title: stand.title == title and stand.painted())
        took = [round(stand.opened(title) - sent, 3) for stand in evening.stands]
        that(f"painted within {SWITCH} s on each", all(0 < each < SWITCH for each in took), took)
        print(f"        {title}: {took}")
    olga.controls()
    olga.click("#encore")
    olga.click(f"#dialog [data-score='{evening.encore['id']}']")
    title = evening.encore["title"]
    that("two taps play an encore", evening.each(lambda stand: stand.title == title, stands=[olga, bert]))
    that("who was not given it is told so, by its name", until(lambda: carl.shown("#withheld")
         and "not been given" in carl.text("#withheld-why") and carl.text("#withheld-title") == title, PATIENT),
         carl.text("#withheld"))
    that("and stays in the room", carl.screen == "reader" and not carl.alone)
    evening.picture("encore")


def away(evening):
    """A stand is reloaded, and another is without a network while the piece changes."""
    that, olga, bert, carl = evening.that, evening.olga, evening.bert, evening.carl
    # The music is in a piece of none of these scores, so that pages stay where hands turn them.
    evening.technician.go(OTHER, 0)
    evening.wire.cut()
    that("a stand without a network says so", until(lambda: carl.alone, PATIENT))
    olga.controls()
    olga.click("#programme")
    ode = evening.room()["programme"][1 if evening.room()["programme"][1]["score"] == evening.ode else 2]["id"]
    olga.click(f"#dialog [data-entry='{ode}']")
    that("the others go on", evening.each(lambda stand: stand.title == "Ode to Joy", stands=[olga, bert]))
    evening.wire.mend()
    that("a stand that was away opens it when it is back", until(
        lambda: carl.title == "Ode to Joy" and carl.part == "Pauken" and not carl.shown("#withheld"), PATIENT),
        carl.title)
    bert.swipe()
    until(lambda: 1 in bert.pages or 2 in bert.pages)
    lies = bert.pages
    bert.driver.get("about:blank")
    bert.open()
    that("a reloaded stand is back in room, score, part and page", until(
        lambda: bert.title == "Ode to Joy" and bert.part == "Violine 1" and bert.pages == lies and bert.painted(),
        PATIENT),
        (bert.title, bert.part, bert.pages, lies))


def offline(evening):
    that, bert = evening.that, evening.bert
    bert.controls()
    bert.click("#programme")
    until(lambda: bert.shown("#keep-offline"))
    size = bert.text("#keep-offline")
    that("what keeping the programme takes is said before", "kB" in size or "MB" in size, size)
    begun = time.monotonic()
    bert.click("#keep-offline")
    that("one tap keeps it", until(lambda: bert.shown("#forget-offline"), PATIENT), bert.text("#dialog"))
    print(f"        {size}: {time.monotonic() - begun:.1f} s")
    evening.picture("kept")
    bert.click("#forget-offline")
    that("and it can be removed", until(lambda: bert.shown("#keep-offline")))
    bert.script("document.getElementById('dialog').close()")
    bert.controls(False)


def tonight(evening):
    that, olga, technician = evening.that, evening.olga, evening.technician

    def scores():
        return [entry["score"] for entry in evening.room()["programme"]]

    def order(pieces):
        now = technician.ask("GET", "/api/programme")
        technician.ask("PUT", "/api/programme", {"title": now["title"], "intermissions": [],
                                                 "pieces": pieces([each["folder"] for each in now["pieces"]]),
                                                 "revision": now["revision"]})

    olga.controls()
    olga.click("#programme")
    olga.click("#take-evening")
    that("a leader lets the room play tonight's programme", until(lambda: evening.room().get("evening")))
    that("which the console arranges", until(lambda: not olga.shown("#edit-programme")))
    evening.picture("tonight")
    listed = scores()
    order(lambda folders: [folders[1], folders[0], *folders[2:]])
    that("the room follows when the console changes the order", until(
        lambda: scores() != listed and sorted(scores()) == sorted(listed)), (listed, scores()))
    that("and so do the phones", until(lambda: [piece["name"] for piece in technician.ask(
        "GET", "/api/audience/concert")["pieces"]][0] == technician.ask("GET", "/api/programme")["pieces"][0]["name"]))
    order(lambda folders: [folders[1], folders[0], *folders[2:]])
    until(lambda: scores() == listed)
    olga.click("#take-evening")
    that("and keeps a list of its own again", until(lambda: not evening.room().get("evening")))
    olga.script("document.getElementById('dialog').close()")
    olga.controls(False)


def report(evening):
    that, olga = evening.that, evening.olga
    olga.controls()
    olga.click("#session")
    olga.click("#end-session")
    until(lambda: "ended" in evening.room()["session"])
    olga.driver.get(f"{olga.base}/rehearsal?room={evening.room_id}")
    that("the report lists the pieces of the evening", until(lambda: olga.count("#pieces tbody tr") == 3, PATIENT),
         olga.text("#report"))
    settle(olga.driver)
    evening.picture("report")
    olga.click(f"#pieces [data-score='{evening.ode}']")
    that("and shows each of them", until(lambda: olga.text("#piece") == "Ode to Joy"))
    that("with who played what", "Violin" in olga.text("#report") and "Timpani" in olga.text("#report"),
         olga.text("#report"))


def main():
    checks = Checks()
    with contextlib.ExitStack() as stack:
        if option("--pictures"):
            os.makedirs(option("--pictures"), exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            started = pool.submit(prepared.server, ACCOUNTS)
            drivers = list(pool.map(lambda _: stack.enter_context(chromium()), range(3)))
            server = started.result()
        stack.callback(server.remove)
        evening = Evening(checks, server, drivers)
        stack.callback(evening.wire.close)
        try:
            evening.library()
            evening.that("three people sign in on their stands", all(evening.all(lambda stand: stand.sign_in())))
            for scene in (setlist, start, enter, attacca, leading, away, offline, tonight, report):
                scene(evening)
            complaints = [entry["message"] for stand in evening.stands for entry in stand.driver.get_log("browser")
                          if "Content Security Policy" in entry["message"] or "Uncaught" in entry["message"]]
            evening.that("no page complains", complaints == [], complaints)
        except (Exception, SystemExit) as trouble:  # what was found before it must be told all the same
            traceback.print_exc()
            evening.picture("trouble")
            for stand in evening.stands:
                print(json.dumps(stand.driver.get_log("browser"))[:2000])
            checks.that("the evening comes to its end", False, repr(trouble))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
