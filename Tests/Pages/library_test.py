#!/usr/bin/python3
"""The librarian's page in a real browser against a real server: from a PDF to a musician's stand.

    BATON=path/to/baton Tests/Pages/library_test.py [--pages FOLDER] [--pictures FOLDER]

The last line is `N passed, N failed`.
"""

import json
import os
import pathlib
import socket
import sys
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.wait import WebDriverWait

from browser import ENGINE, resize, settle, sign_in, started
from checks import Checks, text, until
from lib.music_pdf import BARS, LINES, music_pdf
from lib.repository import ROOT, recording
from lib.waiting import holds_for
from served import Served

PIECE = "bach-well-tempered-clavier-1-prelude-in-c"
LIVE = recording(PIECE, "swift")
PASSPHRASE = "seven quiet violas at noon"
PER_PAGE = LINES * BARS
ODD_NAME = "Trio <b>№ 7</b> “Été”"


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


class LibraryServer(Served):
    """A server with a librarian and two musicians."""

    def __init__(self):
        super().__init__(PIECE, [LIVE], pages=option("--pages"), accounts=[
            (name, role, PASSPHRASE) for name, role in (("lena", "editor"), ("anna", "musician"), ("ben", "musician"))])

    def signed_in(self, name):
        """A cookie."""
        return self.sign_in(name, PASSPHRASE)

    def get(self, path, cookie):
        return self.ask("GET", path, cookie=cookie)


class Page:
    """The librarian's page, and the words of these checks."""

    def __init__(self, driver, served, checks, pictures):
        self.driver, self.served, self.checks, self.pictures = driver, served, checks, pictures

    def picture(self, name):
        if self.pictures:
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(self.pictures, f"{name}.png"))

    def script(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def one(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def button(self, words):
        return self.driver.find_element(By.XPATH, f"//button[contains(., '{words}')] | //a[contains(., '{words}')]")

    def press(self, *keys):
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def chord(self, *keys):
        chain = ActionChains(self.driver, duration=0)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()

    def frames(self):
        return self.script("return [...document.querySelectorAll('.frame')].map((e) => e.firstChild.textContent)")

    def state(self):
        return text(self.driver, ".bar .state")


def main():
    checks = Checks()
    served = LibraryServer()
    try:
        with started() as driver:
            page = Page(driver, served, checks, option("--pictures"))
            resize(driver, (1440, 900))
            run(page)
    finally:
        served.remove()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def run(page):
    musicians_stay_out(page)
    sign_in(page.driver, page.served.base, "lena", PASSPHRASE)
    page.driver.get(page.served.base + "/library")
    searching(page)
    removing(page)
    uploading(page)
    refusing(page)
    covers(page)
    marking(page)
    giving(page)
    looks(page)
    killed(page.served, page.checks)


def musicians_stay_out(page):
    driver, checks = page.driver, page.checks
    driver.get(page.served.base + "/library")
    checks.that("who is nobody is asked to sign in", until(lambda: "/login" in driver.current_url))
    sign_in(driver, page.served.base, "anna", PASSPHRASE)
    driver.get(page.served.base + "/library")
    checks.that("a musician may not open the library", "may not open" in driver.page_source)
    driver.get(page.served.base + "/console")
    checks.that("nor the console", "may not open" in driver.page_source)


def searching(page):
    that = page.checks.that
    that("the shipped scores are listed", until(lambda: len(page.all("#scores li")) == 5), len(page.all("#scores li")))
    page.press("/")
    that("/ goes to the search", page.script("return document.activeElement.id") == "search")
    page.press("grieg")
    that("the search leaves what matches", until(lambda: len(page.all("#scores li")) == 1))
    that("and marks the match", text(page.driver, "#scores mark").lower() == "grieg", text(page.driver, "#scores mark"))
    page.press("zzz")
    that("nothing found says so", until(lambda: "No score matches" in text(page.driver, "#count")))
    page.one("#search").clear()
    page.script("document.getElementById('search').dispatchEvent(new Event('input'))")


def removing(page):
    """A score goes to the bin and comes out of it."""
    that, driver = page.checks.that, page.driver
    until(lambda: len(page.all("#scores li")) == 5)
    that("an empty bin is not shown", not page.one("#bin").is_displayed())
    page.one("#scores li a").click()
    until(lambda: page.all(".removal .danger"))
    page.one(".removal .danger").click()
    asked = WebDriverWait(driver, 10).until(alert_is_present())
    that("it is said what goes with a score, and for how long", "Nothing is written in it." in asked.text
         and "30 days" in asked.text, asked.text)
    asked.accept()
    that("it leaves the list", until(lambda: len(page.all("#scores li")) == 4, 10))
    named = lambda: text(driver, "#bin-name")  # noqa: E731
    that("and lies in the bin", until(lambda: named() == "Bin: 1 score", 10), named())
    page.one("#bin-name").click()
    page.picture("bin")
    page.one("#binned button").click()
    that("it can be restored", until(lambda: len(page.all("#scores li")) == 5, 10))
    that("and the bin is empty", until(lambda: not page.one("#bin").is_displayed(), 10))
    driver.get(page.served.base + "/library")


def uploading(page):
    that = page.checks.that
    folder = page.served.data
    path = os.path.join(folder, ODD_NAME.replace("<b>", "‹b›").replace("</b>", "‹-b›") + ".pdf")
    pathlib.Path(path).write_bytes(music_pdf(2))
    page.one("#file").send_keys(path)
    that("an uploaded PDF is opened", until(lambda: page.script("return location.hash").startswith("#/score/"), 20))
    that("its title is its file's name", until(lambda: "Trio ‹b›№ 7" in page.script(
        "return document.querySelector('[name=title]')?.value ?? ''")), page.driver.title)
    that("and it is in the list", until(lambda: len(page.all("#scores li")) == 6))
    page.script("""
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], "Dropped duo.pdf", {type: "application/pdf"}));
        const drop = (name) =>
            dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true}));
        drop("dragover"); window.veiled = !document.getElementById("drop").hidden; drop("drop");
        """, music_pdf(1).decode())
    that("a dragged file shows where to drop it", page.script("return window.veiled"))
    that("a dropped PDF is taken", until(lambda: len(page.all("#scores li")) == 7, 20))

    if ENGINE != "chromium":
        print(f"skipped  the progress of an upload and its end: {ENGINE} cannot be made slow")
        return
    # Slow enough to be cancelled.
    big = os.path.join(folder, "large.pdf")
    pathlib.Path(big).write_bytes(music_pdf(1) + b"%" + b"x" * 8_000_000)
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": 5, "downloadThroughput": 10_000_000, "uploadThroughput": 1_000_000})
    page.one("#file").send_keys(big)
    share = lambda: float(page.script("return document.querySelector('#uploads progress')?.value ?? 0"))
    that("progress is shown", until(lambda: share() > 0.02, 10), share())
    page.picture("library-upload")
    page.one("#uploads button").click()
    that("an upload can be cancelled", until(lambda: not page.all("#uploads li")))
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    that("and nothing of it is kept", holds_for(lambda: len(page.all("#scores li")) == 7, 0.5))


def refusing(page):
    that = page.checks.that
    folder = page.served.data

    def refused(name, content, words):
        path = os.path.join(folder, name)
        if isinstance(content, int):
            with open(path, "wb") as file:
                file.truncate(content)
        else:
            pathlib.Path(path).write_bytes(content)
        page.one("#file").send_keys(path)
        said = lambda: text(page.driver, "#uploads li[data-trouble] .state")
        that(f"{name} is refused with a sentence", until(lambda: words in said(), 40), said())
        if name == "broken.pdf":
            page.picture("library-refused")
        until(lambda: page.all("#uploads li[data-trouble] button"))
        page.one("#uploads li[data-trouble] button").click()
        os.remove(path)

    refused("notes.txt", b"hello", "neither a PDF nor MusicXML")
    refused("empty.pdf", b"", "is empty")
    refused("picture.pdf", b"\x89PNG\r\n\x1a\n" + b"x" * 500, "neither a PDF nor MusicXML")
    refused("broken.pdf", b"%PDF-1.7\n" + b"garbage " * 400, "is damaged")
    refused("huge.pdf", 500_000_000, "500 MB")
    refused("pages.pdf", music_pdf(5_000), "5000 pages")
    refused("score.musicxml", b"<score-partwise><part-list/></score-partwise>", "cannot be engraved")
    cookie = page.served.signed_in("lena")
    with socket.create_connection(("127.0.0.1", page.served.port), timeout=10) as line:
        line.sendall(
            (f"POST /api/library/scores?title=x HTTP/1.1\r\nHost: 127.0.0.1:{page.served.port}\r\nCookie: {cookie}\r\n"
                      "X-Baton: 1\r\nContent-Length: 500000000\r\n\r\n").encode())
        began = time.monotonic()
        answer = line.recv(4_096)
    that("the server refuses 500 MB before they are sent",
         b" 413 " in answer.split(b"\r\n")[0] and time.monotonic() - began < 5, answer[:80])
    that("nothing of these was kept", len(page.all("#scores li")) == 7)


def covers(page):
    that = page.checks.that
    page.driver.find_element(By.XPATH, "//ul[@id='scores']//a[contains(., 'Trio')]").click()
    until(lambda: "Trio" in page.script("return document.querySelector('[name=title]')?.value ?? ''"))
    field = page.one("[name=title]")
    field.clear()
    field.send_keys("Trio <script>alert(1)</script>")
    page.one("[name=composer]").send_keys("Anna Lind")
    page.script("const s = document.querySelector('.movements select'); s.value = arguments[0]", PIECE)
    marks = page.one("[data-marks]")
    marks.send_keys("A 3, B")
    page.button("Save").click()
    that("a rehearsal mark without a measure is refused with its words",
         until(lambda: "“B” is no rehearsal mark" in page.script("return document.body.textContent")))
    marks.send_keys(" 5")
    page.picture("library-score")
    page.button("Save").click()
    listed = lambda: page.script("return [...document.querySelectorAll('#scores .title')].map((e) => e.textContent)")
    that("a title is text, whatever it says", until(lambda: "Trio <script>alert(1)</script>" in listed()), listed())
    page.driver.refresh()
    that("and is kept",
         until(lambda: page.script("return document.querySelector('[name=composer]')?.value") == "Anna Lind"))
    that("with its rehearsal marks", page.script("return document.querySelector('[data-marks]').value") == "A 3, B 5")
    that("with the piece that is followed",
         page.script("return document.querySelector('.movements select').value") == PIECE)


def merging(page):
    that, driver = page.checks.that, page.driver
    group = lambda: len(page.all(".frame[aria-pressed=true]"))
    page.all(".frame")[0].click()
    ActionChains(driver).key_down(Keys.SHIFT).click(page.all(".frame")[2]).key_up(Keys.SHIFT).perform()
    that("Shift and a click choose several", until(lambda: group() == 3), group())
    page.press("m")
    that("M merges them, and the numbers follow",
         until(lambda: page.frames() == [str(n + 1) for n in range(PER_PAGE - 2)]), page.frames())
    page.chord(Keys.CONTROL, "z")
    that("which is undone", until(lambda: len(page.frames()) == PER_PAGE), page.frames())
    page.press(Keys.ESCAPE, "]", "}")
    that("} chooses one more", until(lambda: group() == 2), group())
    page.press("a")
    that("A chooses the page", until(lambda: group() == PER_PAGE), group())
    page.press(Keys.ESCAPE)
    page.one("#several").click()
    for index in (3, 5):
        finger = PointerInput("touch", "finger")
        tap = ActionBuilder(driver, mouse=finger)
        tap.pointer_action.move_to(page.all(".frame")[index]).pointer_down().pointer_up()
        tap.perform()
    that("fingers choose several", until(lambda: group() == 2), group())
    page.one("#several").click()
    page.press(Keys.ESCAPE)


def marking(page):
    that, driver = page.checks.that, page.driver
    page.button("Mark measures").click()
    until(lambda: page.all(".paper img"))
    that("the page's picture is there", until(lambda: page.script(
        "const i = document.querySelector('.paper img'); return i.complete && i.naturalWidth > 500"), 20))
    page.button("Find measures").click()
    that("every measure is found", until(lambda: len(page.frames()) == PER_PAGE, 20), page.frames())
    that("and numbered in reading order", page.frames() == [str(n + 1) for n in range(PER_PAGE)], page.frames())
    page.picture("marking-found")
    page.press(Keys.PAGE_DOWN)
    until(lambda: page.frames() == [])
    page.press("p")
    that("numbers go on over the page", until(lambda: page.frames()[:1] == [str(PER_PAGE + 1)], 20), page.frames())
    page.press(Keys.PAGE_UP)
    until(lambda: page.frames()[:1] == ["1"])
    box = lambda n: page.script("const s = document.querySelectorAll('.frame')[arguments[0]].style; return [s.left, "
                                "s.top, s.width, s.height].map(parseFloat)", n)

    before = box(2)
    frame = page.all(".frame")[2]
    ActionChains(driver).move_to_element(frame).click_and_hold().move_by_offset(0, 12).release().perform()
    that("a frame is dragged", until(lambda: box(2)[1] > before[1] + 0.3), (before, box(2)))
    edge = page.all(".frame")[2].find_element(By.CSS_SELECTOR, "[data-edge=b]")
    tall = box(2)[3]
    ActionChains(driver).move_to_element(edge).click_and_hold().move_by_offset(0, 20).release().perform()
    that("its edge is pulled", until(lambda: box(2)[3] > tall + 0.5), (tall, box(2)))
    page.chord(Keys.CONTROL, "z")
    page.chord(Keys.CONTROL, "z")
    that("undo brings it back", until(lambda: box(2) == before), (before, box(2)))

    page.all(".frame")[4].click()
    page.press(Keys.DELETE)
    that("deleting lets the numbers follow on",
         until(lambda: page.frames() == [str(n + 1) for n in range(PER_PAGE - 1)]), page.frames())
    page.chord(Keys.CONTROL, "z")
    that("and is undone", until(lambda: len(page.frames()) == PER_PAGE))
    page.chord(Keys.CONTROL, Keys.SHIFT, "z")
    that("and redone", until(lambda: len(page.frames()) == PER_PAGE - 1))
    page.chord(Keys.CONTROL, "z")
    page.all(".frame")[0].click()
    page.press("s")
    that("a frame is split", until(lambda: len(page.frames()) == PER_PAGE + 1), page.frames())
    page.chord(Keys.CONTROL, "z")

    merging(page)

    # By keyboard alone: to the third measure, a step to the right, back.
    page.press(Keys.ESCAPE, "]", "]", "]")
    chosen = lambda: text(driver, ".frame[aria-pressed=true] span")
    that("] goes from measure to measure", until(lambda: chosen() == "3"), chosen())
    left = box(2)[0]
    page.press(Keys.ARROW_RIGHT)
    that("arrows move it", until(lambda: abs(box(2)[0] - left - 0.4) < 0.01), (left, box(2)))
    page.press(Keys.ARROW_LEFT)
    page.press("n")
    that("N goes to its number", page.script("return document.activeElement.id") == "first-number")
    page.press("10", Keys.ENTER)
    that("a number goes on to the end", until(lambda: page.frames()[2:5] == ["10", "11", "12"]), page.frames())
    said = lambda: text(driver, ".checks")
    that("the gap is told at once", until(lambda: "measures 3 to 9 are missing" in said()), said())
    that("and may be saved all the same", not page.one(".bar button.primary").get_attribute("aria-disabled"))
    page.script("document.getElementById('first-number').select()")
    page.press("1", Keys.ENTER)
    that("numbers that fall are told", until(lambda: "numbers must rise" in said()), said())
    that("and keep the measures from being saved", page.one(".bar button.primary").get_attribute("aria-disabled"))
    page.picture("marking-faults")
    page.script("document.activeElement.blur()")
    page.chord(Keys.CONTROL, "z")
    page.chord(Keys.CONTROL, "z")
    until(lambda: page.frames() == [str(n + 1) for n in range(PER_PAGE)])

    # A frame is drawn where there is none.
    page.all(".frame")[PER_PAGE - 1].click()
    page.press(Keys.DELETE)
    until(lambda: len(page.frames()) == PER_PAGE - 1)
    paper = page.one(".paper")
    page.script("document.querySelector('.scroll').scrollTop = 1e6")
    area = page.script("const a = arguments[0].getBoundingClientRect(); return [a.left, a.top, a.width, a.height]",
                       paper)
    x, y = area[0] + area[2] * 0.74, area[1] + area[3] * 0.63
    chain = ActionChains(driver)
    chain.w3c_actions.pointer_action.move_to_location(int(x), int(y)).pointer_down().move_to_location(
        int(area[0] + area[2] * 0.9), int(area[1] + area[3] * 0.74)).pointer_up()
    chain.perform()
    that("a measure is drawn where none was", until(lambda: page.frames()[-1:] == [str(PER_PAGE)]), page.frames())
    page.chord(Keys.CONTROL, "s")
    that("Ctrl S saves", until(lambda: page.state() == "Saved"), page.state() + said())

    page.press(Keys.PAGE_DOWN)
    until(lambda: page.frames()[:1] == [str(PER_PAGE + 1)])
    page.one(".ends summary").click()
    for name, number in (("page-first", PER_PAGE + 1), ("page-last", 2 * PER_PAGE)):
        page.one(f"#{name}").clear()
        page.one(f"#{name}").send_keys(str(number))
    page.button("Set").click()
    grave = lambda: page.script("return document.querySelectorAll('.checks [data-grave=true]').length")
    that("first and last of a page are enough", until(lambda: page.frames() == [] and grave() == 0), page.frames())
    that("numbers that are not the piece's are told", "are marked" in said() and "mark the rest too" in said(), said())
    page.chord(Keys.CONTROL, "s")
    that("and are kept", until(lambda: page.state() == "Saved"), page.state())
    driver.refresh()
    until(lambda: page.all(".paper img"))
    identifier = page.script("return location.hash.split('/')[2]")
    status, body, _ = page.served.get(f"/api/scores/{identifier}", page.served.signed_in("lena"))
    places = json.loads(body)["parts"][0]["places"]
    that("the stands get what was marked", status == 200 and len(places) == PER_PAGE + 1
         and places[-1]["first"] == PER_PAGE + 1 and places[-1]["last"] == 2 * PER_PAGE, (status, len(places)))


def giving(page):
    that = page.checks.that
    identifier = page.script("return location.hash.split('/')[2]")
    page.script("location.hash = `#/score/${arguments[0]}`", identifier)
    until(lambda: page.all(".bundles input"))
    anna = page.served.signed_in("anna")
    score = f"/api/scores/{identifier}"
    that("a musician without the score does not find it", page.served.get(score, anna)[0] == 404)
    box = page.driver.find_element(By.XPATH, "//section[@class='bundles']//label[contains(., 'anna')]//input")
    box.click()
    that("a tick gives it", until(lambda: page.served.get(score, anna)[0] == 200))
    status, body, fields = page.served.get(f"{score}/parts/0/pages/0?size=small&r=1", anna)
    that("with its pages", status == 200 and body[:4] == b"\x89PNG" and "private" in fields["Cache-Control"], status)
    page.picture("library-given")
    until(lambda: box.get_property("disabled") is False)
    box.click()
    that("and takes it back", until(lambda: page.served.get(score, anna)[0] == 404))
    status, body, fields = page.served.get(f"/api/library/scores/{identifier}/parts/0/pdf",
                                           page.served.signed_in("lena"))
    that("a part is printed as PDF",
         status == 200 and body[:5] == b"%PDF-" and fields["Content-Type"] == "application/pdf", status)


def killed(served, checks):
    """A server that is killed while it engraves goes on when it starts."""
    cookie = served.signed_in("lena")
    music = (ROOT / "Recordings" / PIECE / "score.musicxml").read_bytes()
    identifier = served.ask("POST", "/api/library/scores?title=Killed", music, cookie,
                            headers={"Content-Type": "application/octet-stream"}).value["score"]
    served.kill()
    served.start()
    path, cookie = f"/api/library/scores/{identifier}/progress", served.signed_in("lena")
    status, body, _ = served.get(path, cookie)
    checks.that("MusicXML that was answered is known after kill -9", status == 200, status)
    progress = lambda: json.loads(served.get(path, cookie)[1])
    ended = until(lambda: progress().get("state") in ("ready", "failed") and progress(), 120) or {}
    # Without an engraver the sentence says so, and the file waits for the next start.
    checks.that("and is engraved then", ended.get("state") == "ready" or "Verovio" in ended.get("sentence", ""), ended)


def looks(page):
    """No page scrolls sideways; buttons are large enough for a finger."""
    driver = page.driver
    home = page.script("return location.hash")
    marks = home + "/part/0/page/0"
    for name, size in (("phone", (390, 844)), ("tablet", (820, 1180)), ("desktop", (1440, 900))):
        resize(driver, size)
        for view, place in (("list", "#/"), ("score", home), ("marking", marks)):
            driver.get(page.served.base + "/library" + place)
            driver.refresh()
            until(lambda: page.script("return document.querySelector('#scores li, .paper img') !== null"))
            settle(driver)
            wide = page.script("return document.documentElement.scrollWidth - innerWidth")
            page.checks.that(f"{view} fits a {name}", wide <= 0, wide)
            small = page.script("""
                return [...document.querySelectorAll("button:not(.frame), a, select, input:not([type=checkbox])")]
                  .filter((e) => e.getClientRects().length && !e.closest(".paper, .bundles"))
                  .filter((e) => e.getBoundingClientRect().height < 43.5).map((e) => e.outerHTML.slice(0, 60))""")
            page.checks.that(f"{view} on a {name} is made for fingers", not small, small[:3])
            page.picture(f"{view}-{name}")
    errors = [entry for entry in driver.get_log("browser")
              if entry["level"] == "SEVERE" and "status of 4" not in entry["message"]]
    page.checks.that("no script has failed", not errors, errors[:2])


if __name__ == "__main__":
    sys.exit(main())
