"""An evening by keys alone: signing in, the cue list, GO, places, the show lock, panic. No mouse event happens."""

import re

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from checks import Desk, until
from lib.repository import recording
from lib.waiting import hold_for, holds_for
from lib.web import snapshot
from served import Served

PIECES = ["bach-well-tempered-clavier-1-prelude-in-c", "petzold-anna-magdalena-notebook-minuet-in-g"]
NAME, PASSPHRASE = "ines", "four plain words here"
SPY = """
    window.mice = [];
    for (const kind of ["mousedown", "pointerdown", "touchstart", "wheel"])
        addEventListener(kind, (event) => window.mice.push(kind), {capture: true});
    addEventListener("click", (event) => { if (event.detail > 0) window.mice.push("click"); }, {capture: true});"""


def play(checks, driver, folder):
    with Served(",".join(PIECES), [recording(PIECES[0], "swift")],
                accounts=[(NAME, "technician", PASSPHRASE)]) as served:
        desk = Desk(driver)
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SPY})

        def shown():
            return snapshot(served.base, desk.cookies())

        sign_in(checks, served, desk)
        checks.that("evening: the console follows", until(lambda: desk.mode == "following", 15), desk.mode)
        edit_cues(checks, desk, shown, folder)
        go(checks, desk, shown)
        places(checks, desk, shown)
        lock(checks, desk)
        panic(checks, desk)
        checks.that("evening: no mouse was touched", desk.script("return window.mice") == [],
                    desk.script("return window.mice"))


def sign_in(checks, served, desk):
    desk.driver.get(served.base + "/console")
    checks.that("sign-in: the console asks who it is", until(lambda: "/login" in desk.driver.current_url))
    until(lambda: desk.script("return document.activeElement?.id") == "name")
    desk.press(*NAME, Keys.TAB, *"not the right words", Keys.ENTER)
    sentence = until(lambda: desk.text("#say"), 8)
    checks.that("sign-in: a wrong passphrase is a sentence", sentence and "/login" in desk.driver.current_url, sentence)
    desk.write(PASSPHRASE)
    desk.press(Keys.ENTER)
    checks.that("sign-in: the right one leads to the console",
                until(lambda: desk.driver.current_url.endswith("/console") and desk.text("#link-state") == "Connected",
                      10),
                desk.driver.current_url + " " + desk.text("#say"))


def edit_cues(checks, desk, shown, folder):
    rows = "return document.querySelectorAll('#panel .cue-table tbody tr').length"
    say = "#panel .say"
    desk.press("c")
    count = len(shown()["cues"]["list"])
    checks.that("cues: the editor shows the list", until(lambda: desk.script(rows) == count), desk.script(rows))
    desk.tab_to("Add a cue")
    desk.press(Keys.ENTER)
    checks.that("cues: a new one begins in its first field",
                desk.script("return document.activeElement.getAttribute('aria-label')") == f"Bar of cue {count + 1}")
    desk.write("4711")
    desk.tab_to(f"Name of cue {count + 1}")
    desk.write('Bells, "far"')
    desk.tab_to("Save")
    desk.press(Keys.ENTER)
    checks.that("cues: a bar that does not exist is refused by name", until(lambda: "4711" in desk.text(say)),
                desk.text(say))
    desk.tab_to(f"Bar of cue {count + 1}")
    desk.write("30")
    desk.tab_to("Save")
    desk.press(Keys.ENTER)
    checks.that("cues: mended, it is saved", until(lambda: desk.text(say) == "Saved."), desk.text(say))
    checks.that("cues: and stands in the list", until(lambda: 'Bells, "far"' in desk.text("#cue-list")),
                desk.text("#cue-list"))

    desk.tab_to("Export CSV")
    desk.press(Keys.ENTER)
    file = until(lambda: next(iter(folder.glob("*-cues.csv")), None))
    text = file.read_text(encoding="utf-8") if file else ""
    checks.that("cues: exported as a file", '"Bells, ""far"""' in text, text or list(folder.iterdir()))

    back = folder / "second.csv"
    back.write_text("name,place,kind\nThunder,20,note\nRain,22,note\n", encoding="utf-8")
    chooser = desk.driver.find_element(By.CSS_SELECTOR, "#panel input[type=file]")
    broken = folder / "broken.csv"
    broken.write_text('place,name,kind\n1,"no end,note\n', encoding="utf-8")
    chooser.send_keys(str(broken))
    checks.that("cues: a broken file is a sentence, and changes nothing",
                until(lambda: re.search(r"[Ll]ine|[Qq]uot", desk.text(say))) and desk.script(rows) == count + 1,
                desk.text(say))
    foreign = folder / "foreign.csv"
    foreign.write_text("name,place,kind\nStra\u00dfe,20,note\n", encoding="latin-1")
    chooser.send_keys(str(foreign))
    checks.that("cues: a file in another encoding is a sentence, and changes nothing",
                until(lambda: "neither UTF-8 nor UTF-16 text" in desk.text(say)) and desk.script(rows) == count + 1,
                desk.text(say))
    chooser.send_keys(str(back))
    checks.that("cues: an imported list is looked over first",
                until(lambda: "2 cues from" in desk.text(say)) and desk.script(rows) == 2,
                desk.text(say))
    desk.tab_to("Undo all changes")
    desk.press(Keys.ENTER)
    checks.that("cues: and can be left", until(lambda: desk.script(rows) == count + 1), desk.script(rows))
    chooser.send_keys(str(file))
    until(lambda: f"{count + 1} cues from" in desk.text(say))
    desk.tab_to("Save")
    desk.press(Keys.ENTER)
    until(lambda: desk.text(say) == "Saved.")
    names = [cue["name"] for cue in shown()["cues"]["list"]]
    checks.that("cues: the exported file brings the same list back",
                len(names) == count + 1 and 'Bells, "far"' in names, names)
    desk.press("c")
    checks.that("cues: C closes the drawer", until(lambda: not desk.shown("#panel")))


def go(checks, desk, shown):
    desk.press("m")
    until(lambda: desk.mode == "manual")
    for _ in range(12):
        if "Welcome" in desk.text("#standby-name"):
            break
        before = desk.text("#standby-name")
        desk.press(Keys.ARROW_UP)
        until(lambda: desk.text("#standby-name") != before, 1)
    checks.that("GO: arrows put a cue on standby", "Welcome" in desk.text("#standby-name"), desk.text("#standby-name"))
    fired = sum(cue["fired"] for cue in shown()["cues"]["list"])
    desk.press(Keys.SPACE, Keys.SPACE)
    checks.that("GO: a second one at once is shown as a mis-fire", until(lambda: desk.shown("#misfire"), 2))
    state = shown()
    checks.that("GO: one cue was fired, its message is out",
                sum(cue["fired"] for cue in state["cues"]["list"]) == fired + 1
                and (state["message"]["current"] or {}).get("title") == "Welcome", state["message"])
    hold_for(0.6)  # longer than a second GO counts as a mis-fire
    standby = desk.text("#standby-name")
    desk.press(Keys.SPACE)
    checks.that("GO: after half a second the next one fires", until(lambda: desk.text("#standby-name") != standby),
                standby)


def places(checks, desk, shown):
    desk.press("2", "8", Keys.ENTER)
    checks.that("places: digits and Enter", until(lambda: desk.bar == 28), desk.bar)
    section = shown()["programme"]["pieces"][0]["sections"][2]
    desk.press("g", *section["label"].lower(), Keys.ENTER)
    checks.that("places: a section by its name, in any case",
                until(lambda: desk.text("#section") == section["label"] and desk.bar == int(section["place"])),
                desk.text("#section"))
    heard = shown()["follower"]["measure"]
    desk.press(*str(heard + 2), Keys.ENTER)
    until(lambda: desk.bar == heard + 2)
    desk.press("n")
    checks.that("places: N, the bar is now, and the follower has the baton",
                until(lambda: desk.mode == "following" and "Follower" in desk.holder, 2), f"{desk.mode} {desk.holder}")
    hold_for(6)  # the music goes on for some bars
    checks.that("places: it goes on from there with the music",
                desk.mode == "following" and heard + 2 <= desk.bar <= heard + 6,
                f"{heard} to {desk.bar}, {desk.mode}")


def lock(checks, desk):
    desk.press("l")
    checks.that("lock: on", until(lambda: desk.text("#lock").startswith("Locked")))
    desk.press("c")
    checks.that("lock: the cue editor says so", until(lambda: "locked" in desk.text("#panel .say")),
                desk.text("#panel .say"))
    desk.press("p")
    piece = desk.text("#piece-name")
    desk.tab_to("Start the next piece")
    desk.press(Keys.ENTER)
    checks.that("lock: no other piece begins by accident",
                until(lambda: "lock" in desk.notices().lower()) and desk.text("#piece-name") == piece, desk.notices())
    desk.press("p", "m")
    checks.that("lock: taking the baton stays", until(lambda: desk.mode == "manual"), desk.mode)
    desk.press("m", "l")
    checks.that("lock: off", until(lambda: desk.text("#lock").startswith("Unlocked") and desk.mode == "following"))


def panic(checks, desk):
    desk.press("g", Keys.ESCAPE)
    checks.that("panic: Esc in a field only leaves it", holds_for(lambda: desk.panic == "none", 0.3), desk.panic)
    desk.press(Keys.ESCAPE)
    # The second after it is what is tried.
    checks.that("panic: nor does another one at once", holds_for(lambda: desk.panic == "none", 0.9), desk.panic)
    desk.press(Keys.ESCAPE, Keys.ESCAPE)
    checks.that("panic: Esc once is the safe state",
                until(lambda: desk.panic == "safe" and desk.shown("#panic-banner")), desk.panic)
    checks.that("panic: twice at once is no more", holds_for(lambda: desk.panic == "safe", 0.9), desk.panic)
    desk.press(Keys.ESCAPE)
    checks.that("panic: after a second it is the hard stop", until(lambda: desk.panic == "stop"), desk.panic)
    desk.press(Keys.ESCAPE, modifier=Keys.SHIFT)
    checks.that("panic: Shift and Esc end it", until(lambda: desk.panic == "none" and not desk.shown("#panic-banner")),
                desk.panic)
