"""What the tests of every page share: one browser for all tests of a class, and the words they speak."""

import time
import unittest

from browser import PATIENCE, settle
from lib import waiting


class PageCase(unittest.TestCase):
    driver = None

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

    def until(self, condition, claim, seconds=4.0):
        """Fails where the condition does not come true in time; the seconds that it took."""
        begun = time.monotonic()
        if not waiting.until(condition, seconds * PATIENCE, every=0.02):
            self.fail(f"Not within {seconds} s: {claim}")
        return time.monotonic() - begun

    def stays(self, condition, claim, seconds):
        """Fails where the condition is false at any look within the seconds."""
        self.assertTrue(waiting.holds_for(condition, seconds, every=0.05), f"Not for {seconds} s: {claim}")

    def settle(self):
        settle(self.driver)
