#!/usr/bin/python3
"""A tablet as the show's microphone in a rehearsal: offered on its page, chosen on the console, lost, and given back.

    BATON=path/to/baton Tests/Pages/show_microphone_test.py [--pictures FOLDER] [TEST …]

Chromium only, because only its microphone can be a file. The last line is unittest's.
"""

import os
import pathlib
import shutil
import tempfile
import unittest

import browser
import sound
from browser import resize, settle
from lib import repository, web
from page_case import PageCase, pictures_folder
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
SECONDS = 30
PICTURES = None
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}
PASSPHRASE = "a tablet hears"
ACCOUNTS = (("tess", "technician", PASSPHRASE), ("tom", "technician", PASSPHRASE), ("mia", "musician", PASSPHRASE))


class ShowMicrophoneTest(PageCase):
    """The server hears a silent file of its own; the browser's microphone plays a performance."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-microphone-"))
        silent, wave = cls.folder / "hall.wav", cls.folder / "tablet.wav"
        sound.write(silent, sound.silence(120))
        sound.write(wave, sound.part(repository.recording(PIECE, "gentle"), 0, SECONDS))
        cls.server = Served(PIECE, [silent], "--new", accounts=ACCOUNTS)
        cls.base = cls.server.base
        cls.cookies = {name: cls.server.sign_in(name, PASSPHRASE) for name, _, _ in ACCOUNTS}
        cls.holder = browser.chromium(arguments=[
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-audio-capture={wave}"])
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)
        resize(cls.driver, SIZES["desk"])

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        self.server.command("rehearsal", "off", cookie=self.cookies["tess"])

    def tearDown(self):
        self.ask("DELETE", "/api/microphone")
        self.script("document.getElementById('stop')?.click()")
        self.until(lambda: self.state() == "off", "the tablet has ended its offer")
        self.until(lambda: not any(each["name"].startswith("Tablet") for each in self.microphones()["offers"]),
                   "the server knows", 4)

    def ask(self, method, path, body=None, who="tess"):
        return web.ask(self.base, method, path, body, self.cookies[who])

    def microphones(self):
        return self.ask("GET", "/api/microphones").value

    def show(self):
        return self.server.snapshot(self.cookies["tess"])

    def offer(self, who="tess"):
        """The page on this tablet, with the microphone offered by an account."""
        self.driver.get(self.base + "/login")
        self.driver.delete_all_cookies()
        name, value = self.cookies[who].split("=", 1)
        self.driver.add_cookie({"name": name, "value": value})
        self.driver.get(self.base + "/microphone")
        self.script("sessionStorage.clear()")
        self.script("document.getElementById('name').value = arguments[0]", f"Tablet of {who}")
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.state() == "offered", "it is offered", 10)
        self.until(lambda: any(each["peakDb"] > -60 for each in self.microphones()["offers"]), "its level is seen", 10)
        return self.microphones()["offers"][-1]["id"]

    def state(self):
        return self.script("return document.getElementById('state-box').dataset.state")

    def picture(self, name):
        for size, pixels in SIZES.items() if PICTURES else ():
            resize(self.driver, pixels)
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"microphone-{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])

    def test_the_show_follows_the_chosen_tablet_through_a_lost_network_and_back_to_its_own_input(self):
        tablet = self.offer()
        self.picture("offered")
        refused = self.ask("PUT", "/api/microphone", {"id": tablet})
        self.assertEqual((refused.status, refused.value["code"]), (409, "not-rehearsal"), refused.text)
        self.server.command("rehearsal", "on", cookie=self.cookies["tess"])
        chosen = self.ask("PUT", "/api/microphone", {"id": tablet})
        self.assertEqual(chosen.status, 200, chosen.text + str(self.microphones()))
        self.until(lambda: self.state() == "chosen", "the tablet says that it is heard", 5)
        self.until(lambda: self.show()["follower"]["state"] == "following", "the follower follows", 20)
        self.until(lambda: self.show()["meters"]["peakDb"] > -40, "the console's level is the tablet's", 5)
        self.assertFalse(self.show()["meters"]["inputLost"])
        heard = next(each for each in self.microphones()["offers"] if each["id"] == tablet)
        self.assertEqual(heard["lostSeconds"], 0)
        self.assertTrue(0 < heard["delayMs"] < 2_000, heard)
        self.picture("heard")
        # Without its network: the follower hears silence and the operator is told; back again, it goes on.
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.network(False)
        self.until(lambda: self.show()["meters"]["inputLost"], "the console knows that nothing arrives", 6)
        self.until(lambda: any("tablet" in fault["sentence"] for fault in self.show()["faults"]), "a fault says so", 4)
        self.until(lambda: self.state() == "away", "the tablet says so", 8)
        self.network(True)
        self.until(lambda: not self.show()["meters"]["inputLost"], "it is heard again", 8)
        self.assertEqual(self.microphones()["chosen"], tablet)
        self.until(lambda: self.state() == "chosen", "the tablet says that it is heard again", 5)
        # One act, and the server hears its own input.
        self.assertEqual(self.ask("DELETE", "/api/microphone").status, 200)
        self.until(lambda: self.show()["meters"]["peakDb"] < -90, "the hall is silent", 5)
        self.until(lambda: self.state() == "offered", "the tablet says that it is not heard", 5)
        self.assertEqual(self.complaints(), [])

    def network(self, is_there):
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": not is_there, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def test_one_tablet_at_a_time_and_only_whoever_may_chooses(self):
        tablet = self.offer("mia")
        self.server.command("rehearsal", "on", cookie=self.cookies["tess"])
        refused = self.ask("PUT", "/api/microphone", {"id": tablet}, who="mia")
        self.assertEqual((refused.status, refused.value["code"]), (403, "not-allowed"), refused.text)
        self.assertEqual(self.ask("PUT", "/api/microphone", {"id": tablet}).status, 200)
        # A second tablet is refused with a sentence.
        other = self.ask("POST", "/api/microphones", {"name": "Second", "rate": 48_000}, who="tom").value["id"]
        refused = self.ask("PUT", "/api/microphone", {"id": other})
        self.assertEqual((refused.status, refused.value["code"]), (409, "taken"), refused.text)
        self.assertIn("Tablet of mia", refused.value["error"])
        # The end of the rehearsal is the end of the tablet.
        self.server.command("rehearsal", "off", cookie=self.cookies["tess"])
        self.until(lambda: self.microphones()["chosen"] is None, "the server's own input is heard", 4)

    def test_an_operator_chooses_on_the_console(self):
        tablet = self.offer()
        self.driver.switch_to.new_window("tab")
        try:
            self.driver.get(self.base + "/console")
            self.script("document.querySelector('button[data-panel=programme]').click()")
            row = f"document.querySelector('[data-tablet=\"{tablet}\"]')"
            self.until(lambda: self.script(f"return {row} !== null"), "the tablet is on the console", 6)
            self.assertTrue(self.script(f"return {row}.querySelector('button').disabled"), "there is no rehearsal")
            self.server.command("rehearsal", "on", cookie=self.cookies["tess"])
            self.until(lambda: self.script(f"return !{row}.querySelector('button').disabled"), "it can be chosen", 4)
            self.script(f"{row}.querySelector('button').click()")
            self.until(lambda: "Tablet of tess" in self.script("return document.querySelector('#microphones p')"
                                                               ".textContent"), "the console says who is heard", 4)
            self.script("document.getElementById('microphones').scrollIntoView()")
            self.picture("console")
            self.script("document.querySelector('#microphones > button').click()")
            self.until(lambda: self.microphones()["chosen"] is None, "one act leads back", 4)
        finally:
            self.driver.close()
            self.driver.switch_to.window(self.driver.window_handles[0])


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main()
