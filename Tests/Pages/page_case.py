"""The base of every page's tests: one browser for all tests of a class, and the helpers that they share."""

import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from selenium.common.exceptions import StaleElementReferenceException

from browser import PATIENCE, press, settle, started
from lib import waiting


def pictures_folder():
    """The folder that `--pictures` names, made; None without. unittest does not see these words of the command line."""
    if "--pictures" not in sys.argv:
        return None
    place = sys.argv.index("--pictures")
    folder = sys.argv[place + 1]
    del sys.argv[place:place + 2]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    return folder


class PageCase(unittest.TestCase):
    @classmethod
    def begin(cls, server, base=None, holder=None):
        """Keeps a server, or None for one that runs at `base`, and starts a browser, for all tests of the class.

        `holder` gives another browser than `started`, such as `browser.hearing`.
        """
        cls.server, cls.base = server, base or server.base
        cls.holder = holder or started()
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)

    @classmethod
    def tearDownClass(cls):
        cls.holder.__exit__(None, None, None)
        if cls.server:
            cls.server.remove()

    @classmethod
    def new_folder(cls):
        """A folder that is deleted after the last test of the class."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"baton-{cls.__name__}-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def complaints(self):
        """The browser console's messages about broken scripts and about requests that the page's policy forbids."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "Content Security Policy" in entry["message"] or "Uncaught" in entry["message"]]

    def press(self, *keys, modifier=None):
        press(self.driver, *keys, modifier=modifier)

    def script(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def later(self, body, *arguments):
        """Runs an async function body in the page; gives back what it returns."""
        answer = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then((value) => done({{value}}), (error) => "
            f"done({{error: String(error)}}));", *arguments)
        self.assertNotIn("error", answer, answer.get("error"))
        return answer.get("value")

    def words(self, css="main"):
        """The visible text of the first such element; empty if there is none."""
        return self.script("""
            const found = document.querySelector(arguments[0]);
            const seen = (found?.closest("select") ?? found)
                ?.checkVisibility({ opacityProperty: true, visibilityProperty: true });
            return seen ? found.innerText.trim() : "";""", css)

    def push_button(self, words):
        """Clicks the visible button with these words, as soon as it can be pressed."""
        self.until(lambda: self.script("""
            const button = [...document.querySelectorAll("button")].find((each) => each.getClientRects().length
                && each.textContent.includes(arguments[0]) && !each.hasAttribute("aria-disabled"));
            button?.click();
            return Boolean(button);""", words), f"“{words}” can be pressed")

    def until(self, condition, claim, seconds=4.0):
        """Fails where the condition does not come true in time; the seconds that it took.

        A condition that met an element which the page has replaced meanwhile is not true yet.
        """
        def is_true():
            try:
                return condition()
            except StaleElementReferenceException:
                return False

        begun = time.monotonic()
        if not waiting.until(is_true, seconds * PATIENCE, every=0.02):
            self.fail(f"Not within {seconds} s: {claim}")
        return time.monotonic() - begun

    def stays(self, condition, claim, seconds):
        """Fails where the condition is false at any look within the seconds."""
        self.assertTrue(waiting.holds_for(condition, seconds, every=0.05), f"Not for {seconds} s: {claim}")

    def settle(self):
        settle(self.driver)
