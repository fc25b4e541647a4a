#!/usr/bin/python3
"""Cues by a form, and the targets that they go to, in a real browser against a real server.

    BATON=path/to/baton Tests/Pages/targets_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import json
import os
import socket
import tempfile
import threading
import unittest

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from browser import resize, sign_in
from lib import osc
from lib.processes import free_port
from lib.repository import recording
from page_case import PageCase, pictures_folder
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
PASSPHRASE = "open sesame"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1440, 900)}
PICTURES = None


class Desk:
    """A lighting desk: it keeps the addresses that it hears, and answers pings."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.heard = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                packet, peer = self.socket.recvfrom(9_000)
            except OSError:
                return
            self.heard.append(osc.address(packet))
            if self.heard[-1] == "/baton/ping":
                self.socket.sendto(osc.message("/baton/pong", 1), peer)


class MIDIPort:
    """A pipe in the place of a raw MIDI port."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "midi")
        os.mkfifo(self.path)
        self.pipe = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)

    def read(self):
        try:
            return os.read(self.pipe, 100)
        except BlockingIOError:
            return b""


class TargetsTest(PageCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="baton-midi-")
        cls.addClassCleanup(folder.cleanup)
        cls.midi = MIDIPort(folder.name)
        cls.begin(Served(PIECE, [recording(PIECE, "gentle")], "--new", "--listen-osc", "--osc",
                         f"127.0.0.1:{free_port()}", "--loop", "0", "--arm", "by-hand",
                         "--midi-out", f"desk={cls.midi.path}",
                         accounts=[("ines", "technician", PASSPHRASE), ("emma", "editor", PASSPHRASE)]))
        cls.desk = Desk()
        cls.addClassCleanup(cls.desk.socket.close)

    def setUp(self):
        resize(self.driver, SIZES["desk"])
        self.enter("ines")
        for target in self.targets():
            self.fetch("DELETE", f"/api/targets?name={target}")
        self.desk.heard.clear()
        self.open()

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def enter(self, name):
        self.driver.get(self.base + "/shared/mark.svg")
        self.driver.delete_all_cookies()
        sign_in(self.driver, self.base, name, PASSPHRASE)

    def open(self):
        self.driver.get(self.base + "/console")
        self.until(lambda: self.text("#link-state") == "Connected", "the console connects", 15)

    def text(self, css):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def find(self, css):
        return self.driver.find_element("css selector", css)

    def fetch(self, method, path, body=None):
        return self.later("""const [method, path, body] = given;
            const answer = await fetch(path, { method, headers: { "X-Baton": "1", "Content-Type": "application/json" },
              body: body === null ? undefined : JSON.stringify(body) });
            return answer.status""", method, path, body)

    def targets(self):
        """The targets that the console may remove."""
        kept = self.server.data / "osc-targets.json"
        return [each["name"] for each in json.loads(kept.read_text())] if kept.exists() else []

    def pictures(self, name):
        for size, pixels in SIZES.items() if PICTURES else ():
            resize(self.driver, pixels)
            self.settle()
            self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{size}.png"))
        resize(self.driver, SIZES["desk"])

    def add_target(self, name, address):
        self.press("q")
        self.until(lambda: self.script("return Boolean(document.querySelector('.target-form'))"), "the outputs")
        fields = self.driver.find_elements("css selector", ".target-form input:not([type=checkbox])")
        for field, words in zip(fields, (name, address)):
            field.clear()
            field.send_keys(words)
        self.script("document.querySelector('.target-form button').click()")

    def said(self):
        return self.script("return [...document.querySelectorAll('#panel .say')].map((e) => e.textContent).join(' ')")

    def shown(self):
        return self.script("return [...document.querySelectorAll('#panel .target span')].map((e) => e.textContent)")

    def test_a_target_is_added_answers_is_there_after_a_restart_and_is_removed(self):
        self.add_target("lights", f"127.0.0.1:{self.desk.port}")
        self.until(lambda: "“lights”: It answered" in self.said(), "it is pinged at once", 8)
        self.until(lambda: "OSC · lights" in self.shown(), "it is in the list")
        self.pictures("outputs")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            self.open()
            self.press("q")
            self.until(lambda: "OSC · lights" in self.shown(), "a second tab has it too")
        finally:
            self.driver.close()
            self.driver.switch_to.window(first)
        self.server.stop()
        self.server.start()
        self.open()
        self.press("q")
        self.until(lambda: "OSC · lights" in self.shown(), "it is there after a restart", 15)
        self.script("document.querySelector(\"[aria-label='Ping lights']\").click()")
        self.until(lambda: "“lights”: It answered" in self.said(), "and answers")
        self.script("document.querySelector(\"[aria-label='Remove lights']\").click()")
        self.until(lambda: "OSC · lights" not in self.shown(), "it is removed")
        self.assertEqual(self.targets(), [])

    def test_a_target_that_cannot_be_is_refused_with_a_sentence_and_nothing_is_kept(self):
        self.add_target("lights", "the desk")
        self.until(lambda: "is not an address and port" in self.said(), "no address")
        self.add_target_again("lights", f"127.0.0.1:{free_port()}")
        self.until(lambda: "“lights”: " in self.said(), "nobody listens there, and it says so", 8)
        self.add_target_again("lights", f"127.0.0.1:{self.desk.port}")
        self.until(lambda: "is a target already" in self.said(), "a name is used once")
        self.assertEqual(self.targets(), ["lights"])

    def add_target_again(self, name, address):
        self.press(Keys.ESCAPE)
        self.press(Keys.ESCAPE)
        self.until(lambda: not self.script("return document.getElementById('panel').getClientRects().length"), "closed")
        self.add_target(name, address)

    def test_an_editor_neither_adds_nor_removes_nor_tests(self):
        self.assertEqual(self.fetch("POST", "/api/targets", {"name": "x", "address": "127.0.0.1:9"}), 200)
        self.enter("emma")
        self.open()
        self.assertEqual([self.fetch("POST", "/api/targets", {"name": "y", "address": "127.0.0.1:19"}),
                          self.fetch("DELETE", "/api/targets?name=x"),
                          self.fetch("POST", "/api/targets/ping", {"name": "x"}),
                          self.fetch("POST", "/api/cue-test",
                                     {"name": "x", "kind": "osc", "target": "x", "payload": "/go"})], [403] * 4)
        self.press("q")
        self.until(lambda: self.script("return document.querySelector('.target-form input')?.matches(':disabled')"),
                   "the form is closed to an editor")
        self.assertEqual(self.targets(), ["x"])

    # -- cues --------------------------------------------------------------------------------------------------------

    def part(self, key):
        """A field of the last cue."""
        return self.find(f"#panel .cue-table tr:last-child [data-part={key}]")

    def open_cues(self):
        self.press("c")
        self.until(lambda: self.script("return Boolean(document.querySelector('#panel .cue-table'))"), "the cues")
        closed = "return document.querySelector(\"[aria-label='Add from a template']\").disabled"
        self.until(lambda: not self.script(closed), "they are read")
        while self.script("""const trash = document.querySelector("#panel .cue-does button:last-child");
                             trash?.click(); return Boolean(trash)"""):
            pass

    def template(self, title):
        Select(self.find("[aria-label='Add from a template']")).select_by_visible_text(title)

    def save(self):
        self.script("document.querySelector('#panel .primary').click()")

    def stored(self):
        return self.later("""const rows = await (await fetch("/api/cues/0")).json();
            return rows.map(({ kind, target, payload }) => [kind, target, payload])""")

    def test_a_cue_for_light_is_made_by_its_fields_tested_and_saved(self):
        self.assertEqual(self.fetch("POST", "/api/targets",
                                    {"name": "lights", "address": f"127.0.0.1:{self.desk.port}"}), 200)
        self.open_cues()
        self.template("Light: fire a cue")
        self.until(lambda: Select(self.part("target")).options[-1].text == "lights", "its target is offered")
        Select(self.part("target")).select_by_visible_text("lights")
        self.part("words").send_keys("7")
        self.script("document.querySelector('#panel .cue-test').click()")
        self.until(lambda: "/eos/cue/1/12/fire" in self.desk.heard, "the desk hears it", 6)
        self.until(lambda: "Test of “Light”: It answered" in self.said(), "and the page says so")
        self.template("Message with a button")
        self.part("body").clear()
        self.part("body").send_keys("Please no photographs")
        self.pictures("cues-form")
        self.save()
        self.until(lambda: self.said().strip() == "Saved.", "saved")
        self.assertEqual(self.stored(), [["osc", "lights", "/eos/cue/1/12/fire 7"],
                                         ["message", "", "Title|Please no photographs|BUTTON|OK"]])
        self.assertIn("Title: Please no photographs (OK)", self.text("#cue-list"))

    def test_a_midi_cue_has_the_fields_of_its_message_and_goes_to_its_port(self):
        self.open_cues()
        self.template("MIDI show control: go")
        self.assertEqual(Select(self.part("target")).first_selected_option.text, "desk", "the only port")
        self.part("list").send_keys("2")
        self.script("document.querySelector('#panel .cue-test').click()")
        self.until(lambda: self.midi.read() == bytes.fromhex("f07f7f02010131320032f7"), "MSC GO", 6)
        Select(self.part("what")).select_by_visible_text("Controller")
        self.save()
        self.until(lambda: "Write its number, 0 to 127." in self.said(), "a controller needs a number")
        self.part("number").send_keys("200")
        self.save()
        self.until(lambda: "number is 0 to 127" in self.said(), "the server checks it")
        self.part("number").send_keys(Keys.BACKSPACE)
        self.save()
        self.until(lambda: self.said().strip() == "Saved.", "saved")
        self.assertEqual(self.stored(), [["midi", "desk", "controller number=20"]])

    def test_what_a_cue_lacks_is_said_in_the_words_of_its_form(self):
        self.open_cues()
        for title, sentence in (("Light: fire a cue", "Choose its target; “Outputs” adds one."),
                                ("MQTT", "no broker is configured")):
            self.template(title)
            self.save()
            self.until(lambda: sentence in self.said(), f"{title}: {sentence}")  # noqa: B023
            self.script("document.querySelector('#panel .cue-does button:last-child').click()")
        self.template("Message that closes by itself")
        for key in ("title", "body"):
            self.part(key).send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)
        self.save()
        self.until(lambda: "The message is empty." in self.said(), "an empty message")
        self.part("title").send_keys("a|b")
        self.assertEqual(self.part("title").get_attribute("value"), "a/b", "a sign of the wire is not taken")

    def test_another_kind_has_other_fields_and_what_was_written_comes_back_with_it(self):
        self.open_cues()
        self.template("Message with a button")
        kind = "#panel [data-column=kind] select"
        Select(self.find(kind)).select_by_value("note")
        self.assertEqual(self.script("return document.querySelectorAll('#panel [data-part]').length"), 0)
        Select(self.find(kind)).select_by_value("message")
        self.assertEqual(self.part("button").get_attribute("value"), "OK")

    def test_in_a_locked_show_and_in_a_panic_nothing_is_tested(self):
        self.assertEqual(self.fetch("POST", "/api/targets",
                                    {"name": "lights", "address": f"127.0.0.1:{self.desk.port}"}), 200)
        cue = {"name": "x", "kind": "osc", "target": "lights", "payload": "/go"}
        for on, off in ((["lock", "on"], ["lock", "off"]), (["panic"], ["panic-over"])):
            self.fetch("POST", "/api/command", {"command": on[0], "arguments": on[1:]})
            self.assertEqual(self.fetch("POST", "/api/cue-test", cue), 409, on)
            self.fetch("POST", "/api/command", {"command": off[0], "arguments": off[1:]})
        self.assertEqual(self.fetch("POST", "/api/cue-test", cue), 200)
        self.until(lambda: "/go" in self.desk.heard, "it is sent again")

    # -- keys --------------------------------------------------------------------------------------------------------

    def test_space_is_go_at_a_list_and_at_a_tick_box_which_enter_presses(self):
        self.open_cues()
        self.template("Note")
        self.script("""document.querySelector("#panel [data-column=auto] input").focus();
            window.sent = []; const real = window.fetch;
            window.fetch = (path, how) => { if (String(path) === "/api/command") window.sent.push(how.body);
              return real(path, how); };""")
        self.press(Keys.SPACE)
        self.until(lambda: len(self.script("return window.sent.filter((body) => body.includes('\"go\"'))")) == 1, "GO")
        ticked = "return document.querySelector('#panel [data-column=auto] input').checked"
        self.assertFalse(self.script(ticked), "GO ticks nothing")
        self.press(Keys.ENTER)
        self.assertTrue(self.script(ticked), "Enter does")
        self.script("document.querySelector('#panel [data-column=kind] select').focus()")
        self.press(Keys.SPACE)
        self.until(lambda: len(self.script("return window.sent.filter((body) => body.includes('\"go\"'))")) == 2,
                   "GO at a list too")

    def test_an_esc_after_a_panel_was_closed_in_another_way_is_no_panic(self):
        for close in (lambda: self.press("q"), lambda: self.find("#panel-close").click()):
            self.press("q")
            self.until(lambda: self.script("return document.getElementById('panel').getClientRects().length > 0"),
                       "it is open")
            close()
            self.press(Keys.ESCAPE)
            self.until(lambda: "has just closed" in self.text("#notices"), "it says that it did nothing")
            self.stays(lambda: self.script("return document.body.dataset.panic") == "none", "no panic", 0.3)


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main(verbosity=2)
