#!/usr/bin/python3
"""Speakers' slides on the screen, in a real browser against a real server.

    BATON=path/to/baton Tests/Pages/slides_test.py [--pictures FOLDER] [TEST …]

The last line is unittest's.
"""

import socket
import struct
import sys
import unittest

from browser import resize
from lib import web
from lib.processes import free_port
from lib.repository import BACH, recording
from page_case import PageCase, pictures_folder
from served import Served

PICTURES = None
# The place of the slide's picture on the screen, without the black around it: x, y, width, height.
PLACE = """
    const picture = document.querySelector(".slide");
    if (!picture || !picture.naturalWidth) return null;
    const box = picture.getBoundingClientRect();
    const scale = Math.min(box.width / picture.naturalWidth, box.height / picture.naturalHeight);
    const [width, height] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
    return [box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height].map(Math.round)"""


def pdf(sizes, padding=0):
    """A PDF with a page of each size; each has a dark field, so that it is seen. `padding` bytes are seen by nobody."""
    bodies = ["<</Type/Catalog/Pages 2 0 R>>",
              f"<</Type/Pages/Count {len(sizes)}/Kids[{' '.join(f'{3 + 2 * at} 0 R' for at in range(len(sizes)))}]>>"]
    for at, (width, height) in enumerate(sizes):
        drawing = f"0.2 0.3 0.5 rg {width * 0.1} {height * 0.1} {width * 0.8} {height * (0.2 + 0.2 * at)} re f"
        bodies += [f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents {4 + 2 * at} 0 R>>",
                   f"<</Length {len(drawing)}>>stream\n{drawing}\nendstream"]
    out, places = bytearray(b"%PDF-1.4\n" + (b"%" + b"x" * padding + b"\n" if padding else b"")), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out) + f"trailer<</Size {len(bodies) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()


class Speaker:
    """A speaker's program, as far as the tests need one."""

    def __init__(self, port, name):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.number = 255
        text = name.encode()
        self.number = self.say(0x01, struct.pack(">I", len(text)) + text)[1]

    def say(self, command, content=b""):
        self.socket.sendall(struct.pack(">BBHI", command, self.number, 0, 8 + len(content)) + content)
        return self.answer()

    def answer(self):
        header = self.socket.recv(8, socket.MSG_WAITALL)
        command, number, _, size = struct.unpack(">BBHI", header)
        return command, number, self.socket.recv(size - 8, socket.MSG_WAITALL) if size > 8 else b""

    def send_slides(self, data):
        return self.say(0x30, struct.pack(">I", len(data)) + data)[0]

    def signal(self, kind, first=0):
        """The answer; what the server says of the floor before it is left out."""
        command = self.say(0x0C, struct.pack(">BBH", kind, first, 0))[0]
        while command not in (0x0D, 0x0E):
            command = self.answer()[0]
        return command


class SlidesTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.begin(Served(BACH, [recording(BACH, "even")], "--new", "--present", f"127.0.0.1:{cls.port}"))

    def setUp(self):
        resize(self.driver, (1920, 1080))

    def tearDown(self):
        self.assertEqual(self.complaints(), [])

    def order(self, action, **more):
        answer = web.ask(self.base, "POST", "/api/floor", {"action": action, **more})
        self.assertEqual(answer.status, 200, answer.text)

    def screen(self, query=""):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/screen/hall{query}")

    def is_at(self, *place):
        self.until(lambda: self.script(PLACE) == list(place), f"the slide is at {place}", 8)

    def picture(self, name):
        if PICTURES:
            self.driver.save_screenshot(f"{PICTURES}/{name}.png")

    def test_the_slide_of_whoever_has_the_floor_is_on_the_screen_at_its_own_shape(self):
        anna, bert = (Speaker(self.port, name) for name in ("Anna", "Bert"))
        for speaker in (anna, bert):
            self.addCleanup(speaker.socket.close)
        self.assertEqual(anna.send_slides(pdf([(1024, 768), (1600, 900)])), 0x31)
        self.assertEqual(bert.send_slides(pdf([(1600, 900)])), 0x31)
        self.screen()
        self.until(lambda: self.script("return document.title").startswith("hall"), "the screen is there")
        self.assertIsNone(self.script(PLACE))
        self.order("grant", presenter=anna.number)
        self.assertEqual(anna.answer()[0], 0x08)
        self.is_at(240, 0, 1440, 1080)
        self.picture("slide-4-3")
        self.assertEqual(anna.signal(0x01), 0x0D)
        self.is_at(0, 0, 1920, 1080)
        # On other projectors.
        resize(self.driver, (1280, 1024))
        self.is_at(0, 152, 1280, 720)
        self.assertEqual(anna.signal(0x02), 0x0D)
        self.is_at(0, 32, 1280, 960)
        # The next speaker's slide follows; a screen that comes late and one for titles only are right at once.
        self.assertEqual(anna.signal(0xFD, bert.number), 0x0D)
        self.is_at(0, 152, 1280, 720)
        self.screen()
        self.is_at(0, 152, 1280, 720)
        self.screen("?show=titles")
        self.until(lambda: self.script("return document.title").startswith("hall"), "the screen is there")
        self.settle()
        self.assertIsNone(self.script(PLACE))
        # The moderator stops everything.
        self.screen()
        self.is_at(0, 152, 1280, 720)
        self.order("stop")
        self.until(lambda: self.script("return document.querySelector('.slide') === null"), "no slide is shown")

    def test_the_moderator_sees_on_the_console_who_asks_and_decides(self):
        carl, dora = (Speaker(self.port, name) for name in ("Carl", "Dora"))
        for speaker in (carl, dora):
            self.addCleanup(speaker.socket.close)
            self.assertEqual(speaker.send_slides(pdf([(1600, 900)])), 0x31)
        resize(self.driver, (1280, 800))
        self.driver.get(f"{self.base}/console")
        self.until(lambda: self.script("return document.getElementById('link-state').textContent") == "Connected",
                   "the console connects")
        self.assertEqual(carl.say(0x06)[0], 0x07)
        button = "document.querySelector(\"button[data-panel='speakers']\")"
        self.until(lambda: self.script(f"return !{button}.hidden && {button}.textContent.startsWith('Speakers: 1')"),
                   "somebody asks")
        self.script(f"{button}.click()")
        panel = "return document.getElementById('panel-body').innerText"
        self.until(lambda: "REQUESTS" in self.script(panel).upper() and "Carl" in self.script(panel), "it is Carl")
        self.picture("speakers-asking")
        self.press("Give the floor: Carl")
        self.until(lambda: "Carl has the floor" in self.script(panel), "Carl speaks")
        self.press("For a minute: Dora")
        self.until(lambda: "Dora has the floor, lent by Carl. On the screen: slide 1" in self.script(panel), "Dora")
        for name, size in (("desk", (1280, 800)), ("tablet", (820, 1180)), ("phone", (390, 844))):
            resize(self.driver, size)
            self.settle()
            self.picture(f"speakers-{name}")
        self.script("[...document.querySelectorAll('#panel-body button')].find((one) => "
                    "one.textContent === 'Stop everything').click()")
        self.until(lambda: "Nobody has the floor" in self.script(panel) and "titles go on" in self.script(panel),
                   "all is stopped")
        # A new show begins at the same address; this console was never closed.
        self.server.kill()
        self.server.start()
        self.until(lambda: self.script(f"return {button}.hidden"), "it has no speakers", 15)
        self.assertNotIn("Carl", self.script(panel))

    def press(self, name):
        self.script("document.querySelector(`#panel-body button[aria-label='${arguments[0]}']`).click()", name)


if __name__ == "__main__":
    PICTURES = pictures_folder()
    unittest.main(argv=sys.argv, verbosity=2)
