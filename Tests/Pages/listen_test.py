#!/usr/bin/python3
"""The page of a listener who is not in the hall: the phone's own microphone finds the slide, and nothing is sent.

    BATON=path/to/baton Tests/Pages/listen_test.py

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import unittest

import browser
import sound
from lib import repository, web
from page_case import PageCase
from served import Served
from wire import Wire

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
SECONDS = 24


class ListenTest(PageCase):
    @classmethod
    def setUpClass(cls):
        wave = cls.new_folder() / "broadcast.wav"
        sound.write(wave, sound.part(repository.recording(PIECE, "gentle"), 0, SECONDS))
        repository.build_engine()
        server = Served("Recordings/concert.json", [], "--new", "--listen-at-home")
        cls.begin(server, holder=browser.hearing(wave, once=True))
        cls.wire = Wire(cls.server.port)
        cls.addClassCleanup(cls.wire.close)
        cls.base = f"http://127.0.0.1:{cls.wire.port}"

    def text(self, name):
        return self.script("return document.getElementById(arguments[0])?.textContent ?? ''", name)

    def slide(self):
        first = self.text("place").split(" ")[0]
        return int(first) if first.isdigit() else 0

    def test_the_phone_hears_the_broadcast_and_shows_its_slides_without_a_word_from_the_hall(self):
        models = web.ask(self.base, "GET", "/api/audience/models").value["models"]
        name = next(each["name"] for each in models if each["folder"] == PIECE)
        self.driver.get(f"{self.base}/listen")
        self.until(lambda: self.script("return document.querySelectorAll('#at-home-piece option').length") == 5,
                   "the concert's pieces are offered", 20)
        self.wire.asked.clear()
        sent = self.wire.sent
        self.script("""document.getElementById("at-home-piece").value = arguments[0];
            document.getElementById("at-home-listen").click();""", name)
        self.until(lambda: self.slide() >= 2, "a later slide is shown", 40)
        self.assertEqual(self.text("at-home-say"), "I hear it with you.")
        self.assertEqual(self.script("return document.getElementById('live').dataset.live"), "true")
        self.assertEqual([each for each in self.wire.asked if each.method != "GET"], [])
        self.assertEqual(self.wire.streams, 0, "no stream is open")
        # The sound of these seconds would be half a megabyte at least.
        self.assertLess(self.wire.sent - sent, 100_000)
        self.script("document.getElementById('at-home-listen').click()")
        self.until(lambda: "listen with me" in self.text("at-home-listen"), "it listens no more", 5)
        self.assertEqual(self.complaints(), [])

    def test_only_the_page_that_listens_may_and_practice_stays_for_people_who_are_signed_in(self):
        for path, may in (("/listen", True), ("/", False)):
            self.assertEqual("microphone=(self)" in web.ask(self.base, "GET", path).headers["Permissions-Policy"], may)
        self.assertEqual(web.ask(self.base, "GET", "/api/audience/models/no-such-piece").status, 404)


if __name__ == "__main__":
    unittest.main()
