"""The scenes of rooms_served_test.py, in the order in which they are played."""

import json
import os
import pathlib
import shutil
import time
import uuid

from browser import resize, settle
from checks import until
from lib.repository import ROOT
from lib.waiting import hold_for, holds_for
from rooms_gathering import begin, elements, gather, present, violins

# seconds before its first bar at which a page may come: a lead of 0.7 to 1.3, and the follower's doubt
LEAD = (0.4, 1.9)


def play(evening):
    gather(evening)
    begin(evening)
    for_all(evening)
    rights(evening)
    first_passage(evening)
    again(evening)
    remarks(evening)
    killed(evening)
    reloaded(evening)
    minute_alone(evening)
    afterwards(evening)


# -- Led by the owner -------------------------------------------------------------------------------------------


def for_all(evening):
    that, anna, bert, carl = evening.that, evening.anna, evening.bert, evening.carl
    anna.controls()
    anna.click("#turn-all")
    anna.controls(False)
    for _ in range(4):
        anna.pedal()
        hold_for(0.15)  # a foot between two presses
    # Bars 66 to 81 of the full score are bars of the violins' first page.
    that("the owner turns for all", bert.lies(4, seconds=2), bert.pages)
    that("another part stays where these bars are", carl.pages == [0], carl.pages)
    anna.pedal()
    that("and turns where they are on another page", bert.lies(5, seconds=2) and carl.lies(1, seconds=2),
         (bert.pages, carl.pages))
    for _ in range(5):
        anna.pedal(back=True)
        hold_for(0.15)  # a foot between two presses
    that("and back", bert.lies(0, seconds=2) and carl.lies(0, seconds=2), (bert.pages, carl.pages))
    anna.controls()
    anna.click("#turn-all")
    anna.controls(False)


def rights(evening):
    """The requests that a member's own program tries."""
    that, score, room = evening.that, evening.score, evening.room
    send = f"/api/rooms/{room}/send?stand=00000000-0000-4000-8000-0000000000eb"
    act = lambda **act: {"v": 1, "id": str(uuid.uuid4()), **act}
    status, answers = evening.ask("bert", send, [
        act(turn=[0, 3]), act(pinpoint={"part": 0, "page": 3, "point": [1, 1], "movement": 0, "measure": 60}),
        act(endSession=True), act(rename="Mine")], "POST")
    that("a member may neither turn for others nor point, end, rename", status == 200 and len(answers) == 4
         and all(answer.get("refused", {}).get("code") == "not-allowed" for answer in answers), answers)
    that("and nobody's page has turned", all(stand.pages == [0] for stand in evening.stands))
    for name, path in (("score", f"/api/scores/{score}"), ("page", f"/api/scores/{score}/parts/0/pages/0?size=small"),
                       ("rooms' reports", f"/api/rooms/{room}/sessions")):
        status = evening.ask("dora", path)[0]
        that(f"who was not given the score does not get its {name}", status in (403, 404), status)
    that("and is not let into the room", evening.snapshot("dora") is None)
    mine = evening.ask("dora", "/api/stand/home")[1]
    that("and is shown neither score nor room", mine["scores"] == [] and not any(mine["rooms"].values()), mine)


# -- The music --------------------------------------------------------------------------------------------------


def came(stand, page, after, before):
    """The last time at which a page came to lie on a stand."""
    return next((at for at, pages in reversed(stand.turned) if after < at < before and pages == [page]), None)


def turned_by_music(evening, stand, page, bar, since):
    reached = evening.ear.reached(bar, since)
    turned = came(stand, page, since, (reached or since) + 1)
    ahead = reached - turned if reached and turned else None
    evening.that(f"{stand.name}'s page {page + 1} comes a lead before bar {bar}",
                 ahead is not None and LEAD[0] <= ahead <= LEAD[1], f"{ahead} s before it, pages {stand.pages}")
    if ahead is not None:
        print(f"        {ahead:.2f} s before it", flush=True)


def first_passage(evening):
    that, anna, bert, carl, ear = evening.that, evening.anna, evening.bert, evening.carl, evening.ear
    since = time.time()
    that("the players begin and are followed", until(lambda: ear.trust == "playing" and (ear.bar or 0) >= 3, 60),
         (ear.trust, ear.bar))
    # Looked at early: the pedal's page lies there by hand.
    bert.pedal()
    that("a player's pedal turns", bert.lies(1, seconds=1), bert.pages)
    until(lambda: (ear.bar or 0) >= 9, 30)
    that("and the page stays, whatever the music says", bert.pages == [1] and anna.pages == [0],
         (bert.pages, anna.pages))
    evening.picture(anna, "stand-portrait")
    for _ in range(2):
        anna.pedal()
        hold_for(0.15)  # a foot between two presses
    anna.lies(2, seconds=1)
    hold_for(2.5)  # the music goes on without her
    anna.controls()
    anna.click("#fall-in")
    that("“Back to the music” goes where it is", anna.lies(0, seconds=1), anna.pages)
    until(lambda: (ear.bar or 0) >= 21, 40)
    turned_by_music(evening, anna, 1, 20, since)
    that("the violins have these bars on one page, and it stays", carl.pages == [0], carl.pages)
    that("the pedal's page lies there still", bert.pages == [1], bert.pages)


def again(evening):
    """The conductor stops, goes to a bar, and shows it to all."""
    that, anna, bert, carl, ear = evening.that, evening.anna, evening.bert, evening.carl, evening.ear
    until(lambda: (ear.bar or 0) >= 23, 10)
    hold_for(1.5)  # the music goes on a little
    for _ in range(2):
        anna.pedal()
        hold_for(0.1)  # a foot between two presses
    anna.lies(3, seconds=1)
    box = next(place["box"] for place in evening.parts[0]["places"] if place["first"] == 64)
    since = time.time()
    anna.press((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, hold=0.8)
    seen = [until(lambda stand=stand: stand.text("#sign-pinpoint") == "From bar 64" and stand.marked_bar(), 2)
            for stand in evening.stands]
    that("a long press on a bar shows it to all", all(seen),
         (seen, [stand.text("#sign-pinpoint") for stand in evening.stands]))
    that("on whichever page they were", bert.pages == [3] and carl.pages == [0], (bert.pages, carl.pages))
    for stand, part, spot in zip(evening.stands, (0, 0, violins(evening)), seen):
        left, top, right, bottom = next(place["box"] for place in evening.parts[part]["places"] if place["first"] == 64)
        that(f"{stand.name} sees the bar in the own part",
             spot and left <= spot[0] <= right and top <= spot[1] <= bottom,
             (spot, (left, top, right, bottom)))
    evening.picture(carl, "stand-pinpoint")
    that("the follower goes to the bar that was shown, and waits there", until(
        lambda: ear.bar == 64 and ear.trust == "waiting", 6), (ear.trust, ear.bar))
    that("so that no page turns while nobody plays",
         holds_for(lambda: all(stand.pages == [page] for stand, page in zip(evening.stands, (3, 3, 0))), 3),
         [stand.pages for stand in evening.stands])
    until(lambda: (ear.bar or 0) >= 84, 50)
    off = ear.reached(78, since) - ear.reached(20) - evening.seconds(78, since=20)
    that("the follower is with the players again", abs(off) < 1, f"{off:.2f} s")
    for stand, page, bar in ((anna, 4, 66), (bert, 4, 66), (carl, 1, 74), (anna, 5, 82), (bert, 5, 82)):
        turned_by_music(evening, stand, page, bar, since)
    that("whose page lay there by hand has fallen in again by itself", bert.pages == [5], bert.pages)
    that("nobody is shown any more what has been taken up",
         not any(stand.shown("#sign-pinpoint") for stand in evening.stands))


# -- Remarks ----------------------------------------------------------------------------------------------------


def lay_all(evening, page):
    """Everybody with the full score at a page, the violins at their second."""
    for stand in (evening.anna, evening.bert):
        for _ in range(6):
            if stand.pages[0] == page:
                break
            stand.pedal(back=stand.pages[0] > page)
            hold_for(0.15)  # a foot between two presses


def remarks(evening):
    that, anna, bert = evening.that, evening.anna, evening.bert
    lay_all(evening, 5)
    for writer, reader, down in ((anna, bert, 0.3), (bert, anna, 0.5)):
        before = reader.remarks
        place = writer.script("const f = document.querySelector('.leaf.shown').getBoundingClientRect(); return "
                              "[f.left, f.top, f.width]")
        writer.tools("public")
        that(f"{writer.name}'s page keeps its place under the tools", place == writer.script(
            "const f = document.querySelector('.leaf.shown').getBoundingClientRect(); return [f.left, f.top, f.width]"))
        writer.draw(0.3, down)
        begun = time.monotonic()
        there = until(lambda: reader.remarks == before + 1, 3)
        passed = time.monotonic() - begun
        that(f"{writer.name}'s remark is on {reader.name}'s stand within a second", there and passed < 1,
             f"{passed:.2f} s, {reader.remarks}")
        print(f"        after {passed:.2f} s", flush=True)
        if writer is anna:
            evening.picture(anna, "stand-remarks")
        writer.done()
    before = bert.remarks, anna.remarks
    known = {each["id"] for each in elements(evening.snapshot("anna")["remarks"])}
    anna.tools("own")
    anna.draw(0.5, 0.7)
    that("a private remark is on its author's stand", until(lambda: anna.remarks == before[1] + 1, 2), anna.remarks)
    own = until(lambda: evening.own_remarks("anna"), 4) or []
    that("and is kept in the score", len(own) == 1, own)
    anna.done()
    hold_for(1)  # whatever is told to others is there
    others = json.dumps(evening.snapshot("bert")) + evening.ear.said() + json.dumps(bert.kept("copy"))
    that("nobody else sees it", bert.remarks == before[0], bert.remarks)
    that("nor is it in another's stream, snapshot or device", own and own[0]["id"] not in others)
    that("public ones are", len(known) == 2 and all(each in others for each in known), known)


# -- What goes wrong --------------------------------------------------------------------------------------------


def killed(evening):
    that, served = evening.that, evening.served
    before = [stand.pages for stand in evening.stands]
    served.kill()
    that("the server is killed: every stand says that it is alone", until(
        lambda: all(stand.alone for stand in evening.stands), 10), [stand.alone for stand in evening.stands])
    that("and keeps its page", [stand.pages for stand in evening.stands] == before)
    evening.bert.pedal(back=True)
    that("and turns by hand", evening.bert.lies(4, seconds=1), evening.bert.pages)
    before[1] = [4]
    served.lives = [str(evening.later)]
    served.start()
    evening.cookies.clear()
    that("all are back by themselves", until(lambda: not any(stand.alone for stand in evening.stands), 12))
    evening.listen()
    hold_for(2.5)  # whatever could turn a page has come
    that("with their pages", [stand.pages for stand in evening.stands] == before,
         ([stand.pages for stand in evening.stands], before))
    that("in the same session, with everybody", len(present(evening)) == 3, present(evening))
    shown = evening.snapshot("anna")
    that("with every remark", (len(elements(shown["remarks"])), len(evening.own_remarks("anna"))) == (2, 1))
    evening.bert.pedal()
    evening.bert.lies(5, seconds=1)


def reloaded(evening):
    that, bert = evening.that, evening.bert
    before = bert.pages
    begun = time.monotonic()
    bert.open()
    that("a stand that is opened anew is where it was, with nothing to press", until(
        lambda: bert.screen == "reader" and bert.pages == before and bert.painted(), 8),
         (bert.screen, bert.pages, before))
    print(f"        after {time.monotonic() - begun:.2f} s", flush=True)
    that("with its remarks", until(lambda: bert.remarks == 2, 4), bert.remarks)
    bert.watch()


def minute_alone(evening):
    """A stand without a network; meanwhile the follower is lost."""
    that, anna, bert, carl = evening.that, evening.anna, evening.bert, evening.carl
    evening.wire.cut()
    cut = time.monotonic()
    that("a stand without a network says so", until(lambda: carl.alone, 10), carl.alone)
    carl.tools("public")
    for down in (0.25, 0.4, 0.55):
        carl.draw(0.3, down)
        hold_for(0.2)  # a hand between two lines
    that("what is drawn without a network is there, and marked",
         until(lambda: carl.count(".leaf.shown .remark.undelivered") == 3, 3),
         carl.count(".leaf.shown .remark.undelivered"))
    carl.done()
    that("and how much waits is said", carl.text("#sign-outbox").startswith("3 remarks"), carl.text("#sign-outbox"))
    for writer, down in ((anna, 0.15), (bert, 0.85)):
        writer.tools("public")
        writer.draw(0.6, down)
        writer.done()
    lost(evening)
    papers(evening)
    hold_for(60 - (time.monotonic() - cut))  # a minute without a network
    evening.wire.mend()
    that("after a minute the stand is back by itself", until(lambda: not carl.alone, 10), carl.alone)
    that("and has delivered what was made",
         until(lambda: carl.count(".remark.undelivered") == 0 and not carl.kept("unsent:room"), 6),
         carl.count(".remark.undelivered"))
    public = {each["id"] for each in elements(evening.snapshot("anna")["remarks"])}
    that("everybody has every remark", len(public) == 7 and until(
        lambda: all(public <= stand.kept_remarks() for stand in evening.stands), 6),
        (len(public), [len(public & stand.kept_remarks()) for stand in evening.stands]))


def lost(evening):
    that, anna, bert, ear = evening.that, evening.anna, evening.bert, evening.ear
    since = time.time()
    that("another piece loses the follower, and the stands show it quietly", until(
        lambda: ear.trust == "lost" and anna.shown("#sign-lost") and bert.shown("#sign-lost"), 60),
         (ear.trust, ear.bar))
    evening.picture(anna, "stand-lost")
    hold_for(5)  # the other piece goes on
    words = ear.words()
    moved = [at for stand in (anna, bert) for at, _ in stand.turned if at > since and is_lost(words, at)]
    that("and nobody's page turns while it is", not moved, moved)


def is_lost(words, at):
    """The follower was lost just before and just after."""
    before = [word["trust"] for heard, word in words if heard <= at - 0.1]
    after = [word["trust"] for heard, word in words if heard >= at + 0.1]
    return before[-1:] == ["lost"] and after[:1] == ["lost"]


# -- Afterwards -------------------------------------------------------------------------------------------------


def engraver():
    venv = pathlib.Path(os.environ.get("BATON_VENV") or ROOT / ".venv")
    return list(venv.glob("lib/python*/site-packages/cairosvg"))


def papers(evening):
    that = evening.that
    if shutil.which("pdftoppm") is None or not engraver():
        print("skipped     PDF of a part: run Tools/verovio-venv, and install poppler-utils", flush=True)
        return
    status, content, fields = evening.served.ask(
        "GET", f"/api/rooms/{evening.room}/parts/0/pdf?own=1", cookie=evening.cookie("anna"))
    that("the score with its remarks is a PDF", status == 200 and content[:5] == b"%PDF-"
         and fields["Content-Type"] == "application/pdf", (status, content[:80]))
    status, plain, _ = evening.served.ask(
        "GET", f"/api/rooms/{evening.room}/parts/0/pdf?own=1", cookie=evening.cookie("bert"))
    that("in another's the private ones are not", status == 200 and len(plain) != len(content),
         (status, len(plain), len(content)))
    that("who is no member gets none",
         evening.ask("dora", f"/api/rooms/{evening.room}/parts/0/pdf?own=1")[0] in (403, 404))


def afterwards(evening):
    that, anna = evening.that, evening.anna
    if evening.pictures:
        looks(evening)
    anna.controls()
    anna.click("#session")
    anna.click("#end-session")
    that("the session ends for all",
         until(lambda: all(stand.shown("#sign-waiting") for stand in (evening.bert, evening.carl)), 5))
    anna.driver.get(f"{evening.served.base}/rehearsal?room={evening.room}")
    that("the session's report says what was played", until(lambda: anna.count("svg, table tbody tr") > 2, 8),
         anna.text("main"))
    said = anna.text("main")
    that("with who was there", all(name in said for name in ("anna", "bert", "carl")), said[:300])
    evening.picture(anna, "rehearsal-report")
    for stand in evening.stands:
        wrong = [entry["message"] for entry in stand.driver.get_log("browser")
                 if "Uncaught" in entry["message"] or "Content Security Policy" in entry["message"]]
        that(f"no script has failed on {stand.name}'s stand", not wrong, wrong[:2])


def looks(evening):
    """The same music on other screens."""
    bert = evening.bert
    for name, size, paper in (("stand-landscape", (1180, 820), "white"), ("stand-dark", (820, 1180), "dark"),
                              ("stand-phone", (390, 844), "white")):
        resize(bert.driver, size)
        bert.script("document.documentElement.dataset.paper = arguments[0]", paper)
        settle(bert.driver)
        evening.picture(bert, name)
    bert.script("document.documentElement.dataset.paper = 'white'")
    resize(bert.driver, (820, 1180))
    bert.controls()
    evening.picture(bert, "stand-controls")
    bert.controls(False)
