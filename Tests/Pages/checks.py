"""Claims one after another, each a line; what a page shows, and waiting for it."""

import threading

from selenium.webdriver.common.keys import Keys

from browser import press
from lib import waiting


class Checks:
    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def that(self, claim, holds, said=""):
        with self.lock:
            self.passed += bool(holds)
            self.failed += not holds
            print(("ok      " if holds else "FAILED  ") + claim + ("" if holds else f"  ({said})"), flush=True)

    def end(self):
        """The last line, and the exit status."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def until(condition, seconds=6):
    """The condition's first true value; its last one when the seconds are over."""
    return waiting.until(condition, seconds)


def text(driver, css):
    return driver.execute_script("return document.querySelector(arguments[0])?.textContent?.trim() ?? ''", css)


def bar(driver):
    """The bar that the console shows, or None."""
    found = text(driver, "#measure")
    return int(found) if found.isdigit() else None


class Desk:
    """A console in a browser, as its technician sees and uses it: by keys."""

    def __init__(self, driver):
        self.driver = driver

    def press(self, *keys, modifier=None):
        press(self.driver, *keys, modifier=modifier)

    def script(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def text(self, css):
        return text(self.driver, css)

    @property
    def bar(self):
        return bar(self.driver)

    @property
    def mode(self):
        return self.script("return document.body.dataset.mode")

    @property
    def panic(self):
        return self.script("return document.body.dataset.panic")

    @property
    def holder(self):
        return self.text("#holder")

    def shown(self, css):
        return self.script("return Boolean(document.querySelector(arguments[0])?.getClientRects().length)", css)

    def notices(self):
        return self.script("return [...document.querySelectorAll('.notice')].map((e) => e.textContent).join(' / ')")

    def cookies(self):
        return "; ".join(f"{each['name']}={each['value']}" for each in self.driver.get_cookies())

    def tab_to(self, words, css="button, a, input, select, textarea", panel="#panel"):
        """Moves the focus by Tab alone to the field or button with these words; False if Tab does not get there."""
        wanted = """
            const e = document.activeElement; const [words, css, panel] = arguments;
            return e.matches(css) && (!panel || Boolean(e.closest(panel))) &&
                (e.getAttribute("aria-label") ?? e.textContent).trim().startsWith(words);"""
        for _ in range(200):
            if self.script(wanted, words, css, panel):
                return True
            self.press(Keys.TAB)
        return False

    def write(self, words):
        """Types in place of what the focused field holds."""
        self.press("a", modifier=Keys.CONTROL)
        self.press(*words)
