"""One browser, one desk, and the words the tests speak."""

import json
import os
import time
import unittest
import urllib.request

from selenium.webdriver.common.action_chains import ActionChains

import mock_desk
from browser import chromium, resize, sign_in

# The address of a running server; None for the mock desk.
BASE = os.environ.get("BATON_BASE")
if BASE:
    BASE = BASE.rstrip("/")


class BrowserCase(unittest.TestCase):
    """One browser and one server for all tests of a class; every test begins with a fresh page."""

    @classmethod
    def setUpClass(cls):
        cls.server = None if BASE else mock_desk.serve(0)
        cls.base = BASE or f"http://127.0.0.1:{cls.server.server_address[1]}"
        cls.holder = chromium()
        cls.driver = cls.holder.__enter__()
        resize(cls.driver, "laptop")
        sign_in(cls.driver, cls.base, os.environ.get("BATON_NAME", "ines"),
                os.environ.get("BATON_PASSWORD", "open sesame"))

    @classmethod
    def tearDownClass(cls):
        cls.holder.__exit__(None, None, None)
        if cls.server:
            cls.server.shutdown()
            cls.server.server_close()

    # -- doing ----------------------------------------------------------------------------------------------

    def scenario(self, name):
        if BASE:
            self.skipTest("needs the mock desk's scenarios")
        return json.loads(urllib.request.urlopen(f"{self.base}/mock/{name}").read())

    def open(self, path="/console", clean=True):
        if clean:
            self.driver.get(self.base + "/login")
            self.driver.execute_script("localStorage.clear(); sessionStorage.clear()")
        self.driver.get(self.base + path)
        if path.startswith("/console"):
            self.until(lambda: self.text("link-state") == "Connected", "the console connects")
            self.until(lambda: self.text("measure") != "–", "a bar is shown")

    def press(self, *keys, modifier=None):
        chain = ActionChains(self.driver, duration=0)
        if modifier:
            chain.key_down(modifier)
        for key in keys:
            chain.send_keys(key)
        if modifier:
            chain.key_up(modifier)
        chain.perform()

    def script(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def later(self, body, *arguments):
        """Runs an async function body in the page; gives back what it returns."""
        answer = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then((value) => done({{value}}), (error) => done({{error: String(error)}}));",
            *arguments)
        self.assertNotIn("error", answer, answer.get("error"))
        return answer.get("value")

    def command(self, name, *words):
        return self.later(
            "const r = await fetch('/api/command', {method: 'POST', headers: {'X-Baton': '1', 'Content-Type': "
            "'application/json'}, body: JSON.stringify({command: given[0], arguments: given[1]})}); return r.status;",
            name, list(words))

    # -- looking --------------------------------------------------------------------------------------------

    def text(self, identifier):
        return self.script("return document.getElementById(arguments[0])?.textContent ?? ''", identifier).strip()

    def shown(self, identifier):
        return self.script(
            "const e = document.getElementById(arguments[0]); return Boolean(e && e.getClientRects().length)", identifier)

    def body(self, name):
        return self.script("return document.body.dataset[arguments[0]] ?? null", name)

    def bar(self):
        return int(self.text("measure"))

    def notices(self):
        return self.script("return [...document.querySelectorAll('.notice')].map((e) => e.textContent).join('\\n')")

    def until(self, condition, claim, seconds=4.0):
        end = time.time() + seconds
        while time.time() < end:
            if condition():
                return
            time.sleep(0.03)
        self.fail(f"Not within {seconds} s: {claim}")

    def pressed(self, action):
        return self.script("return document.querySelector(`[data-action='${arguments[0]}']`).getAttribute('aria-pressed')", action)


class DeskCase(BrowserCase):
    """A test that begins with a fresh show and a fresh console."""

    def setUp(self):
        if self.server:
            self.scenario("reset")
        self.open()
