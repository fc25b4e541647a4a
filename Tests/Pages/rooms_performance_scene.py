"""The scenes of rooms_bench_test.py, in the order in which they are played."""

import json
import time

import benchmark_piece
import sound
from checks import until
from rooms_gathering import begin, elements, gather, present
from rooms_plays import NEAR, Plays

# Seconds of a quiet hall before the players begin, and in which the conductor says where to go on.
QUIET, PAUSE, ENCORE = 14, 14, 34
# Measures, counted from the first: the server is killed; the part's stand is cut off, and back; the players break off;
# where they go on.
KILLED, CUT, MENDED, BROKEN_OFF, AGAIN = 26, 39, 47, 55, 40


def hall(seconds):
    """Nobody plays; it is never as silent as a wire that was pulled out."""
    return sound.noise(seconds, 0.002)


def play(evening):
    library(evening)
    gather(evening)
    begin(evening)
    remarks(evening)
    music(evening)
    afterwards(evening)


# -- Before ------------------------------------------------------------------------------------------------------


def library(evening):
    """A librarian brings in two parts and marks them."""
    that, served, cookie = evening.that, evening.served, evening.cookie("lena")

    def send(path, content):
        answer = served.ask("POST", path, content, cookie, headers={"Content-Type": "application/pdf"})
        return answer.status, answer.value

    status, made = send("/api/library/scores?title=Benchmark", evening.score_pages.pdf)
    score = made.get("score")
    that("a librarian brings in a PDF", status == 200 and score, made)
    status, made = send(f"/api/library/scores/{score}/parts?name=Violin", evening.part_pages.pdf)
    that("and a part with other pages", status == 200, made)
    place = f"/api/library/scores/{score}"
    status, answer = evening.ask("lena", place, {
        "title": "Benchmark", "movements": [{"name": "", "piece": benchmark_piece.PIECE, "isAttacca": False}]}, "PUT")
    that("it is followed as the case", status == 200, answer)
    for part, pages in enumerate((evening.score_pages, evening.part_pages)):
        status, answer = evening.ask("lena", f"{place}/parts/{part}", {"places": pages.places}, "PUT")
        that(f"first and last measure of each of {pages.count} pages are marked", status == 200, answer)


def remarks(evening):
    that, anna, bert, carl = evening.that, evening.anna, evening.bert, evening.carl
    for writer, reader, down in ((anna, bert, 0.3), (bert, anna, 0.5)):
        before = reader.remarks
        writer.tools("part")
        writer.draw(0.3, down)
        that(f"{writer.name}'s remark comes to {reader.name}", until(lambda: reader.remarks == before + 1, 3),
             reader.remarks)
        writer.done()
    anna.tools("own")
    anna.draw(0.5, 0.7)
    anna.done()
    own = until(lambda: evening.own_remarks("anna"), 4) or []
    that("a private one is kept", len(own) == 1 and anna.remarks == 3, (own, anna.remarks))
    said = json.dumps(evening.snapshot("bert")) + evening.ear.said() + json.dumps(bert.kept("copy"))
    that("and is nowhere but with its author", own and own[0]["id"] not in said and bert.remarks == 2, bert.remarks)
    that("the other part has none of the score's", carl.remarks == 0, carl.remarks)
    lead = 2.0
    evening.leads = {"anna": 1.0, "bert": lead, "carl": 1.0}
    bert.lead(lead)


# -- The music ---------------------------------------------------------------------------------------------------


def music(evening):
    case, first = evening.case, evening.case.first
    performance = evening.folder / "performance.wav"
    broken_off, again = case.at[first + BROKEN_OFF], case.at[first + AGAIN]
    sound.write(performance, hall(QUIET), sound.part(case.live, 0, broken_off), hall(PAUSE),
                sound.part(case.live, again, again + ENCORE), hall(120))
    evening.served.kill()
    evening.served.lives = [str(performance)]
    since = time.time()
    evening.served.command_line += ["--live-since", f"{since:.3f}"]
    evening.plays = Plays(evening, since + QUIET, broken_off, PAUSE, again)
    restart(evening, "before the music")
    evening.all(lambda stand: stand.watch())
    that = evening.that
    that("nobody's page turns while nobody plays", all(stand.pages == [0] for stand in evening.stands),
         [stand.pages for stand in evening.stands])
    to_the_kill(evening)
    killed(evening)
    without_network(evening)
    pinpoint(evening)


def restart(evening, when):
    """The server comes back, and everybody with it."""
    evening.served.start()
    evening.cookies.clear()
    evening.that(f"a kill {when}: all are back by themselves",
                 until(lambda: not any(stand.alone for stand in evening.stands), 12),
                 [stand.alone for stand in evening.stands])
    evening.listen()


def to_the_kill(evening):
    plays = evening.plays
    began = time.time()
    plays.wait(KILLED)
    plays.judge(began, time.time())
    evening.picture(evening.anna, "bench-score")
    evening.picture(evening.carl, "bench-part")


def killed(evening):
    that = evening.that
    before = [stand.pages for stand in evening.stands]
    evening.served.kill()
    died = time.time()
    that("a kill amid the music: every stand says that it is alone", until(
        lambda: all(stand.alone for stand in evening.stands), 10), [stand.alone for stand in evening.stands])
    restart(evening, "amid the music")
    that("with their pages, or the music's", all(
        stand.pages == old or evening.plays.is_right(stand) for stand, old in zip(evening.stands, before)),
        ([stand.pages for stand in evening.stands], before))
    that("in the same session, with everybody", len(present(evening)) == 3, present(evening))
    shown = evening.snapshot("anna")
    that("with every remark", (len(elements(shown["remarks"])), len(evening.own_remarks("anna"))) == (2, 1))
    # The music went on while nobody listened: until the follower is sure of it again no page turns.
    ear, plays = evening.ear, evening.plays
    that("and the follower with the music", until(
        lambda: ear.trust == "playing" and abs((ear.bar or -9) - plays.bar()) <= 1, 15),
         (ear.trust, ear.bar, plays.bar()))
    print(f"        {time.time() - died:.1f} s after the kill", flush=True)
    that("and every stand at the music's page", until(lambda: all(
        plays.is_right(stand) for stand in evening.stands), 3), [stand.pages for stand in evening.stands])


def without_network(evening):
    that, anna, carl, plays = evening.that, evening.anna, evening.carl, evening.plays
    began = time.time()
    plays.wait(CUT)
    evening.wire.cut()
    cut = time.time()
    plays.judge(began, cut)
    that("a stand without a network says so", until(lambda: carl.alone, 8), carl.alone)
    anna.tools("public")
    anna.draw(0.3, 0.4)
    anna.done()
    carl.tools("public")
    carl.draw(0.3, 0.6)
    carl.done()
    that("what is drawn there is marked as not delivered", until(lambda: carl.count(".remark.undelivered") == 1, 3))
    page = carl.pages
    plays.wait(MENDED)
    that("its page stays", carl.pages == page, (carl.pages, page))
    evening.wire.mend()
    mended = time.time()
    that("back again, it lies at the music's page by itself", until(lambda: plays.is_right(carl), 8), carl.pages)
    print(f"        after {time.time() - mended:.1f} s", flush=True)
    that("and has delivered its remark",
         until(lambda: carl.count(".remark.undelivered") == 0 and not carl.kept("unsent:room"), 6))
    public = {each["id"] for each in elements(evening.snapshot("anna")["remarks"])}
    that("and has what the others made meanwhile", len(public) == 4 and until(
        lambda: public <= carl.kept_remarks(), 4), len(public & carl.kept_remarks()))
    plays.wait(BROKEN_OFF - 1)
    plays.judge(cut, time.time(), leaving_out=carl)


def pinpoint(evening):
    """The players break off; the conductor shows where to go on."""
    that, anna, ear, plays, case = evening.that, evening.anna, evening.ear, evening.plays, evening.case
    bar = case.first + AGAIN
    plays.sleep_until(plays.broken_off + 1)
    anna.controls()
    anna.click("#from-bar")
    until(lambda: anna.shown("#from-number"))
    anna.write("#from-number", str(bar))
    anna.click("#show-bar")
    that("the conductor's bar is shown to all, whichever page and part they have", all(
        until(lambda stand=stand: stand.text("#sign-pinpoint") == f"From bar {bar}", 3) for stand in evening.stands),
        [stand.text("#sign-pinpoint") for stand in evening.stands])
    wanted = [plays.pages(stand).page(bar) for stand in evening.stands]
    that("each on the own page", all(stand.lies(each, seconds=2) for stand, each in zip(evening.stands, wanted)),
         ([stand.pages for stand in evening.stands], wanted))
    that("the follower waits there", until(lambda: ear.bar == bar and ear.trust == "waiting", 6), (ear.trust, ear.bar))
    evening.picture(evening.bert, "bench-pinpoint")
    began = time.time()
    plays.begin_again()
    plays.sleep_until(plays.again + ENCORE - 3)
    plays.judge(began, time.time())
    that("the follower is with them", abs((ear.bar or -9) - plays.bar()) <= 1, (ear.trust, ear.bar, plays.bar()))


# -- Afterwards --------------------------------------------------------------------------------------------------


def afterwards(evening):
    that, anna, turns = evening.that, evening.anna, sorted(evening.turns)
    near = sum(abs(late) <= NEAR for late in turns)
    that(f"{near} of {len(turns)} turns within {NEAR} s of the wished moment", len(turns) >= 12 and near == len(turns),
         turns)
    if turns:
        print(f"turns: {len(turns)}, median {turns[len(turns) // 2]:+.2f} s, from {turns[0]:+.2f} to {turns[-1]:+.2f} "
              f"s", flush=True)
    anna.controls()
    anna.click("#session")
    anna.click("#end-session")
    that("the session ends for all", until(lambda: all(
        stand.shown("#sign-waiting") for stand in (evening.bert, evening.carl)), 5))
    for stand in evening.stands:
        wrong = [entry["message"] for entry in stand.driver.get_log("browser")
                 if "Uncaught" in entry["message"] or "Content Security Policy" in entry["message"]]
        that(f"no script has failed on {stand.name}'s stand", not wrong, wrong[:2])
