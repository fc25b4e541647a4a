"""One browser, one desk, and the words the tests speak."""

import os
import time

from browser import resize, sign_in
from console_stage import PASSPHRASE, ConsoleStage
from lib.web import snapshot
from page_case import PageCase
from show_facts import ShowFacts

# The address of a running server; None for one with a scripted follower.
BASE = os.environ.get("BATON_BASE")
if BASE:
    BASE = BASE.rstrip("/")


class BrowserCase(PageCase):
    """One browser and one server for all tests of a class; every test begins with a fresh page."""

    @classmethod
    def setUpClass(cls):
        cls.begin(None if BASE else cls.stage(), BASE)
        resize(cls.driver, "laptop")
        cls.sign_in(os.environ.get("BATON_NAME", "ines"))

    @classmethod
    def stage(cls):
        """The server of this class."""
        return ConsoleStage.shared()

    @classmethod
    def sign_in(cls, name):
        sign_in(cls.driver, cls.base, name, os.environ.get("BATON_PASSWORD", PASSPHRASE))

    # -- doing ----------------------------------------------------------------------------------------------

    def need_script(self):
        """Leaves the test out where a real follower plays, which nobody can order to be lost."""
        if BASE:
            self.skipTest("needs a scripted follower")

    def scenario(self, name):
        self.need_script()
        self.server.server.scenario(name)

    def script_line(self, words):
        self.need_script()
        self.server.server.line(words)

    def commands(self):
        """The words of each command since the test began, as the show log has them."""
        self.need_script()
        return self.server.commands

    def open(self, path="/console", clean=True):
        if clean:
            # Not /login, which leads on to the console by itself, and on a busy machine away from what is opened next.
            self.driver.get(self.base + "/shared/mark.svg")
            self.driver.execute_script("localStorage.clear(); sessionStorage.clear()")
        self.driver.get(self.base + path)
        if path.startswith("/console"):
            self.until(lambda: self.text("link-state") == "Connected", "the console connects")
            self.until(lambda: self.text("measure") != "–", "a bar is shown")

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
            "const e = document.getElementById(arguments[0]); return Boolean(e && e.getClientRects().length)",
            identifier)

    def body(self, name):
        return self.script("return document.body.dataset[arguments[0]] ?? null", name)

    def bar(self):
        return int(self.text("measure"))

    def open_faults(self):
        """The number of faults shown that are not over."""
        return self.script("return document.querySelectorAll('.fault:not(.over)').length")

    def notices(self):
        return self.script("return [...document.querySelectorAll('.notice')].map((e) => e.textContent).join('\\n')")

    def pressed(self, action):
        return self.script(
            "return document.querySelector(`[data-action='${arguments[0]}']`).getAttribute('aria-pressed')", action)


class DeskCase(BrowserCase):
    """A test that begins with a fresh show and a fresh console; `facts` says what the show is.

    The server is brought back by its own commands: nothing locked, dark or held, a cue list of ours, and the follower
    at the music that plays. One with a scripted follower begins a new show where a test says so (`anew`).
    """

    # The tests whose claim needs a show in which nobody has done anything.
    anew = ()

    # The time and place at which the music was last followed, and the length of its bars: the music goes on while a
    # test is elsewhere.
    music = None

    def setUp(self):
        if not self.server:
            self.bring_back()
        elif self._testMethodName in self.anew:
            self.server.begin_anew()
        else:
            self.server.play()
        self.open()
        self.facts = ShowFacts(self.snapshot())
        if not self.server:
            self.note_music()

    def tearDown(self):
        if not self.server:
            self.note_music()

    def snapshot(self):
        cookies = "; ".join(f"{each['name']}={each['value']}" for each in self.driver.get_cookies())
        return snapshot(self.base, cookies)

    def note_music(self):
        position = self.snapshot()["position"]
        if position["mode"] == "following" and position["piece"] == 0:
            piece = self.facts.pieces[0]
            DeskCase.music = time.time(), position["played"], piece["durationSeconds"] / piece["measures"]

    def bring_back(self):
        # A page without a script of its own, which would lead away from it.
        self.driver.get(self.base + "/no-such-page")
        for words in ("panic-over", "lock off", "blackout off", "freeze off", "resume-all", "rehearsal off",
                      "intermission off", "withdraw", "release", "resume"):
            self.command(*words.split())
        now = self.snapshot()
        if now["position"]["piece"] != 0:
            place = "unknown"
            if DeskCase.music:
                at, played, seconds = DeskCase.music
                there = played + int((time.time() - at) / seconds)
                place = f"p:{min(there, now['programme']['pieces'][0]['measures'] - 1)}"
            self.command("piece", "1", place)
            now = self.snapshot()
        status = self.later(
            "const r = await fetch('/api/cues/0', {method: 'PUT', headers: {'X-Baton': '1', 'Content-Type': "
            "'text/csv'}, "
            "body: given[0]}); return r.status;", ShowFacts(now).cue_list())
        self.assertEqual(status, 200, "a cue list of our own")
        self.until(lambda: self.snapshot()["position"]["mode"] == "following", "the follower is at the music", 40)
        self.command("standby", self.snapshot()["cues"]["list"][2]["id"])

    def need(self, fact, why):
        """A fact of the show; without it the test is left out, and says why."""
        if fact is None:
            self.skipTest(why)
        return fact

    def type(self, words):
        self.press(*str(words))
