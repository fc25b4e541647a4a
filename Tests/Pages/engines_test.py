#!/usr/bin/python3
"""Every page in every engine there is: Chromium, Firefox, and WebKit, which is what iPads and iPhones have.

    Tests/Pages/engines_test.py [chromium] [firefox] [webkit] [hall] [console] [stand] [prepared] [--pictures FOLDER]

An engine that is not installed is left out, and a sentence says what to install. /library and /edit need a server
($BATON, or the debug build) and are left out without one. The suites of single pages run in another engine as
`BATON_BROWSER=webkit Tests/Pages/stand_test.py`; what needs Chromium's DevTools is skipped there and says so.
The last line is `N passed, N failed`.
"""

import os
import pathlib
import sys

from lib.waiting import hold_for

NAMES = ("chromium", "firefox", "webkit")
PARTS = ("hall", "console", "stand", "prepared")
chosen = [each for each in sys.argv[1:] if each in NAMES]
if chosen[:1]:
    os.environ["BATON_BROWSER"] = chosen[0]

from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

import engines  # noqa: E402
import served_hall  # noqa: E402
import served_stands  # noqa: E402
from browser import resize, settle, sign_in, started  # noqa: E402
from checks import Checks, text, until  # noqa: E402
from console_stage import ConsoleStage  # noqa: E402
from lib.repository import program, recording  # noqa: E402
from served import Served  # noqa: E402

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
# A module that did not load, or threw, refuses to be imported again.
BROKEN = """
const done = arguments[0];
const modules = [...document.querySelectorAll("script[type=module]")].map((script) => script.src);
const seen = performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => name.endsWith(".js") && !name.endsWith("sw.js") && !name.endsWith("early.js"));
Promise.allSettled([...new Set([...modules, ...seen])].map((name) => import(name)
    .catch((error) => { throw `${name}: ${error}`; })))
  .then((all) => done([all.length, all.filter(({ status }) => status === "rejected")
      .map(({ reason }) => String(reason))]));
"""
SLOW = 15  # s a claim has to come true, on a machine that does other things


class Tour:
    """One engine's way through all pages."""

    def __init__(self, name, driver, checks, pictures):
        self.name, self.driver, self.checks, self.pictures = name, driver, checks, pictures
        driver.set_script_timeout(30)

    def that(self, claim, holds, said=""):
        self.checks.that(f"{self.name}: {claim}", holds, said)

    def becomes(self, claim, get, seconds=SLOW):
        self.that(claim, until(get, seconds), "not in time")

    def script(self, body, *words):
        return self.driver.execute_script(body, *words)

    def text(self, css):
        return text(self.driver, css)

    def shown(self, css):
        return self.script("return Boolean(document.querySelector(arguments[0])?.getClientRects().length)", css)

    def key(self, *keys):
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def click(self, css):
        until(lambda: self.shown(css), SLOW)
        self.driver.find_element("css selector", css).click()

    def shoot(self, name):
        if self.pictures:
            self.driver.save_screenshot(str(self.pictures / f"{self.name}-{name}.png"))

    def page(self, name, url, is_there):
        """Loads a page and looks at it in every size."""
        self.driver.get(url)
        self.becomes(f"{name} is there", is_there)
        self.looks(name)
        # Firefox runs what it is told in a world of its own, where modules would begin once more; it says what failed.
        if self.name == "firefox":
            return
        count, broken = self.driver.execute_async_script(BROKEN)
        self.that(f"{name}: its {count} modules run", count > 0 and not broken, broken)

    def looks(self, name):
        for kind, size in SIZES.items():
            resize(self.driver, size)
            settle(self.driver)
            self.that(f"{name} is no wider than a {kind}", self.script(WIDE) <= 0, self.script(WIDE))
            self.shoot(f"{name}-{kind}")

    def quiet(self, name):
        said = [entry["message"] for entry in self.driver.get_log("browser")
                if "Uncaught" in entry["message"] or "Content Security Policy" in entry["message"]]
        self.that(f"{name}: no script has failed", not said, said)

    # -- the pages ------------------------------------------------------------------------------------------

    def hall(self):
        hall = served_hall.ServedHall()
        base, ask = hall.base, hall.scenario
        try:
            screen = lambda: self.script("return document.getElementById('app')?.dataset.screen")  # noqa: E731
            self.page("programme", f"{base}/#/programme", lambda: screen() == "home")
            self.driver.get("about:blank")
            ask("at?piece=4&played=17")
            self.page("slides", base + "/", lambda: screen() == "slides" and self.text("#slide"))
            before = self.text("#slide")
            ask("at?piece=4&played=60")
            self.becomes("the music turns to another slide", lambda: self.text("#slide") not in ("", before))
            self.becomes("and the page says that it is live",
                         lambda: self.script("return document.getElementById('live').dataset.live") == "true")
            self.driver.find_element("css selector", "#deck [data-opens='look']").click()
            self.becomes("the sheet of text and light opens", lambda: self.shown("#look, dialog[open], [role=dialog]"))
            size = "return parseFloat(getComputedStyle(document.querySelector('#slide .lead, #slide p')).fontSize)"
            small = self.script(size)
            self.script("const range = [...document.querySelectorAll('input[type=range]')].find((each) => "
                        "each.getClientRects().length);"
                        "range.value = range.max; for (const name of ['input', 'change']) range.dispatchEvent(new "
                        "Event(name, { bubbles: true }))")
            self.becomes("text grows", lambda: self.script(size) > small)
            self.shoot("slides-large")
            self.key(Keys.ESCAPE)
            self.script("localStorage.clear()")
            ask("gone")
            ask("drop")
            hold_for(1)  # the hall is away
            ask("here")
            before = self.text("#slide")
            ask("at?piece=4&played=30")
            self.becomes("after the server was away the slides go on", lambda: self.text("#slide") not in ("", before),
                         30)
            self.quiet("audience")
        finally:
            hall.close()

    def console(self):
        stage = ConsoleStage()
        base = stage.base
        try:
            stage.play()
            resize(self.driver, SIZES["desktop"])
            self.that("one signs in", sign_in(self.driver, base) == 200)
            self.page("console", base + "/console", lambda: self.text("#measure").isdigit())
            bar = int(self.text("#measure"))
            self.becomes("bars are counted", lambda: int(self.text("#measure") or 0) != bar)
            resize(self.driver, SIZES["desktop"])
            self.key("c")
            self.becomes("a key opens the cues",
                         lambda: self.shown("[data-panel]:not([hidden]), .panel:not([hidden]), dialog[open]"))
            self.shoot("cues")
            self.key(Keys.ESCAPE)
            stage.wire.cut()
            self.becomes("it says that it is not connected", lambda: self.text("#link-state") != "Connected")
            stage.wire.mend()
            self.becomes("and connects again by itself", lambda: self.text("#link-state") == "Connected", 30)
            self.page("report", base + "/report",
                      lambda: self.script(
                          "return document.getElementById('report')?.getAttribute('aria-busy')") == "false")
            self.quiet("console and report")
        finally:
            stage.remove()

    def stand(self):
        rehearsal = served_stands.ServedStands()
        base = rehearsal.base
        pages = lambda: self.script("return document.getElementById('stage').dataset.pages")  # noqa: E731
        try:
            rehearsal.reset()
            rehearsal.rehearse()
            rehearsal.begin()
            self.page("sign-in", base + "/stand", lambda: self.shown("#login"))
            self.script("document.getElementById('login').value = 'otto'; "
                        "document.getElementById('password').value = arguments[0]", served_stands.PASSWORD)
            self.click("#enter")
            self.becomes("the lists are there", lambda: self.shown("#rooms-joined .entry") and self.shown("#scores li"))
            settle(self.driver)
            self.looks("lists")
            self.click("#rooms-joined .entry")
            self.becomes("parts are offered", lambda: self.shown("#dialog [data-part='2']"))
            self.shoot("parts")
            self.click("#dialog [data-part='2']")
            self.becomes("the music is painted", lambda: self.script(
                "return document.querySelector('.leaf.shown .sheet > canvas')?.width > 300"))
            resize(self.driver, SIZES["tablet"])
            self.becomes("one page lies there", lambda: pages() == "0")
            self.key(Keys.PAGE_DOWN)
            self.becomes("a pedal turns", lambda: pages() == "1")
            chain = ActionChains(self.driver, duration=0)
            chain.w3c_actions.pointer_action.move_to_location(60, 500).click()
            chain.perform()
            self.becomes("a tap turns back", lambda: pages() == "0")
            rehearsal.music(30)
            rehearsal.music(80)
            self.becomes("the music turns", lambda: pages() == "1")
            self.key("+")
            self.becomes("a key zooms", lambda: self.text("#whole").startswith("1.5"))
            self.key("0")
            self.becomes("and shows the whole again", lambda: not self.shown("#whole"))
            self.key("m")
            self.click("#settings")
            self.becomes("settings open", lambda: self.shown("#dialog [data-value='dark']"))
            self.click("#dialog [data-value='dark']")
            self.key(Keys.ESCAPE)
            self.becomes("the paper is black",
                         lambda: self.script(
                             "return getComputedStyle(document.querySelector('.leaf')).backgroundColor") == "rgb(0, 0, "
                                                                                                            "0)")
            self.click("#pencil")
            self.click("#tools [data-tool='line']")
            chain = ActionChains(self.driver, duration=40)
            chain.w3c_actions.pointer_action.move_to_location(300, 700).pointer_down().move_to_location(
                380, 820).move_to_location(500, 720).pointer_up()
            chain.perform()
            self.becomes("a remark is drawn",
                         lambda: self.script("return document.querySelectorAll('.leaf.shown .remark').length") > 0)
            self.shoot("stand-remark")
            self.script("document.getElementById('remarks-done').click()")
            self.key("m")
            rehearsal.wire.cut()
            self.becomes("without the server a sign says so", lambda: self.shown("#sign-offline"), 20)
            self.key(Keys.PAGE_UP)
            self.becomes("and pages turn on", lambda: pages() == "0")
            rehearsal.wire.mend()
            self.becomes("the stand is back by itself", lambda: not self.shown("#sign-offline"), 30)
            self.looks("stand")
            self.quiet("stand")
            self.page("rehearsal", f"{base}/rehearsal?room={rehearsal.room_id}", lambda: self.text("main"))
            self.quiet("rehearsal")
        finally:
            rehearsal.close()

    def prepared(self):
        """The pages for preparing, of a real server."""
        if not pathlib.Path(program()).is_file():
            print(f"{self.name}: /library and /edit are left out: there is no {program()}; name one by BATON.",
                  flush=True)
            return
        with Served(PIECE, [recording(PIECE, "swift")]) as served:
            self.page("library", served.base + "/library", lambda: self.shown("main"))
            self.page("edit", served.base + "/edit", lambda: self.text("main") or self.text("h1"))
            self.quiet("library and edit")


def main():
    pictures = None
    if "--pictures" in sys.argv:
        pictures = pathlib.Path(sys.argv[sys.argv.index("--pictures") + 1])
        pictures.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    for name in chosen or NAMES:
        if engines.missing(name):
            print(f"{name} is left out: {engines.missing(name)}", flush=True)
            continue
        for part in [each for each in sys.argv[1:] if each in PARTS] or PARTS:
            # Each with a browser of its own: what one keeps is nothing to another.
            with started(name) as driver:
                print(f"{name} {driver.capabilities.get('browserVersion')}: {part}", flush=True)
                tour = Tour(name, driver, checks, pictures)
                try:
                    getattr(tour, part)()
                except Exception as error:  # one page that cannot be driven leaves the others
                    tour.that(f"{part} can be gone through", False, f"{type(error).__name__}: {str(error)[:300]}")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
