"""One music stand in a browser of its own, as its player sees and uses it."""

import contextlib
import json
import os
import threading
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import press, resize, settle
from checks import text, until
from lib.waiting import hold_for
from lib.web import events

WATCH = """
    window.turned = [];
    new MutationObserver(() => {
        const pages = document.getElementById("stage").dataset.pages;
        if (turned.at(-1)?.[1] !== pages) turned.push([Date.now() / 1000, pages]);
    }).observe(document.getElementById("stage"), { attributes: true, attributeFilter: ["data-pages"] });"""


class Stand:
    def __init__(self, driver, base, name, passphrase, size=(820, 1180)):
        self.driver, self.base, self.name, self.passphrase = driver, base, name, passphrase
        resize(driver, size)
        driver.set_script_timeout(20)

    # -- doing ----------------------------------------------------------------------------------------------

    def open(self):
        self.driver.get(self.base + "/stand")

    def sign_in(self):
        self.open()
        until(lambda: self.screen == "sign-in")
        self.script("document.getElementById('login').value = arguments[0];"
                    "document.getElementById('password').value = arguments[1]", self.name, self.passphrase)
        self.click("#enter")
        return until(lambda: self.screen == "home" and self.count("#scores li") > 0, 20)

    def script(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def later(self, body, *arguments):
        """Runs an async function body in the page and returns its result."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then(done, (error) => done(String(error)));", *arguments)

    def click(self, css):
        if not until(lambda: self.shown(css)):
            raise LookupError(f"{css} is not shown to {self.name}")
        self.driver.find_element("css selector", css).click()

    def write(self, css, words):
        self.script("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                    "field.dispatchEvent(new Event('input'))", css, words)

    def pedal(self, back=False):
        press(self.driver, Keys.PAGE_UP if back else Keys.PAGE_DOWN)

    def at(self, x, y):
        """A point of the screen, of shares of the page that lies there."""
        left, top, width, height = self.script(
            "const f = document.querySelector('.leaf.shown .whole').getBoundingClientRect(); return [f.left, f.top, "
            "f.width, f.height]")
        return int(left + x * width), int(top + y * height)

    def press(self, x, y, hold=0.0):
        """A finger on the page; long where it is held."""
        chain = ActionChains(self.driver, duration=0)
        pointer = chain.w3c_actions.pointer_action
        pointer.move_to_location(*self.at(x, y)).pointer_down()
        if hold:
            pointer.pause(hold)
        pointer.pointer_up()
        chain.perform()

    def controls(self, up=True):
        if bool(self.shown("#top-bar")) != up:
            self.press(0.5, 0.5)
            until(lambda: bool(self.shown("#top-bar")) == up)

    def tools(self, layer, tool="line"):
        """Takes a tool of remarks in hand."""
        self.controls()
        self.click("#pencil")
        until(lambda: self.script("return document.querySelector(arguments[0])?.dataset.why === undefined",
                                  f"[data-layer='{layer}']"))
        self.click(f"[data-layer='{layer}']")
        if self.script("return document.querySelector(arguments[0]).getAttribute('aria-pressed')",
                       f"[data-tool='{tool}']") != "true":
            self.click(f"[data-tool='{tool}']")

    def done(self):
        self.click("#remarks-done")
        self.controls(False)

    def draw(self, x, y):
        """A free line on the page that lies there."""
        chain = ActionChains(self.driver, duration=0)
        pointer = chain.w3c_actions.pointer_action
        pointer.move_to_location(*self.at(x, y)).pointer_down()
        for step in range(1, 7):
            pointer.move_to_location(*self.at(x + 0.02 * step, y + 0.006 * (step % 2)))
        pointer.pointer_up()
        chain.perform()

    def lead(self, seconds):
        """Has pages turned so long before their end."""
        self.controls()
        self.click("#settings")
        until(lambda: self.shown("#dialog input[type=range]"))
        self.script("""
            const setting = [...document.querySelectorAll("#dialog label")].find((each) =>
                each.textContent.startsWith("Turn before"));
            const slider = setting.querySelector("input");
            slider.value = arguments[0];
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            slider.dispatchEvent(new Event("change", { bubbles: true }));""", seconds)
        hold_for(0.5)  # a hand leaves the slider
        ActionChains(self.driver, duration=0).send_keys(Keys.ESCAPE).perform()
        until(lambda: not self.shown("#dialog input[type=range]"))
        self.controls(False)

    def watch(self):
        self.script(WATCH)

    # -- looking --------------------------------------------------------------------------------------------

    @property
    def screen(self):
        return self.script("return document.body.dataset.screen")

    @property
    def pages(self):
        """The pages that lie on the stand, from 0."""
        return [int(page)
                for page in (self.script("return document.getElementById('stage').dataset.pages") or "").split()]

    @property
    def turned(self):
        """The times at which pages came to lie there, with the pages, since `watch`."""
        return [(at, [int(page) for page in pages.split()]) for at, pages in self.script("return window.turned ?? []")]

    def lies(self, *pages, seconds=4):
        return until(lambda: self.pages == list(pages), seconds)

    def painted(self):
        return self.script("""const shown = [...document.querySelectorAll('.leaf.shown')];
            return shown.length > 0 && shown.map((leaf) => leaf.querySelector('canvas')?.width)
                .every((width) => width && width !== 300)""")

    def shown(self, css):
        return self.script("return Boolean(document.querySelector(arguments[0])?.getClientRects().length)", css)

    def text(self, css):
        return text(self.driver, css)

    def count(self, css):
        return self.script("return document.querySelectorAll(arguments[0]).length", css)

    @property
    def remarks(self):
        """The number of remarks on the visible pages."""
        return self.count(".leaf.shown .remark:not(.ghost)")

    @property
    def alone(self):
        return self.text("#sign-offline") if self.shown("#sign-offline") else ""

    def kept(self, name):
        """This device's kept data of the room: `copy`, or `unsent:room`, the first act that waits."""
        return self.later("""
            const base = await new Promise((done) =>
                (indexedDB.open('baton-stand').onsuccess = (event) => done(event.target.result)));
            const things = () => base.transaction('things').objectStore('things');
            const got = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
            const key = (await got(things().getAllKeys())).find((each) => each.startsWith(given[0] + ':'));
            return key ? await got(things().get(key)) : null""", name)

    def kept_remarks(self):
        """The ids of the score's remarks that this device keeps."""
        return {remark["id"] for remark, _ in (self.kept("remarks") or {}).get("remarks", [])}

    def marked_bar(self):
        """The middle of the mark of a place shown to all, in shares of its page; None if there is none."""
        return self.script("""
            const mark = document.querySelector('.leaf.shown .marks .pinpoint');
            if (!mark) return null;
            const [m, p] = [mark.getBoundingClientRect(), mark.closest('.whole').getBoundingClientRect()];
            return [(m.left + m.width / 2 - p.left) / p.width, (m.top + m.height / 2 - p.top) / p.height]""")

    def picture(self, folder, name):
        if folder:
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(folder, f"{name}.png"))


class Ear(threading.Thread):
    """A program that listens to a room as one of its members, and keeps everything with its time."""

    def __init__(self, base, room, cookie):
        super().__init__(daemon=True)
        self.base, self.cookie = base, cookie
        self.path = f"/api/rooms/{room}/stream?stand=00000000-0000-4000-8000-0000000000ea&seen=new"
        self.heard = []
        self.start()

    def run(self):
        with contextlib.suppress(OSError, ValueError):  # it ends with the server
            for _, message in events(self.base, self.path, self.cookie):
                self.heard.append((time.time(), message))

    def words(self):
        return [(at, message["live"]) for at, message in self.heard if "live" in message]

    @property
    def trust(self):
        words = self.words()
        return words[-1][1]["trust"] if words else None

    @property
    def bar(self):
        words = self.words()
        return words[-1][1].get("measure") if words else None

    def reached(self, bar, after=0.0):
        """The first time at which the follower reported a bar or a later one."""
        for at, word in self.words():
            if at > after and word["trust"] == "playing" and (word.get("measure") or 0) >= bar:
                return at
        return None

    def said(self):
        return json.dumps([message for _, message in self.heard])
