#!/usr/bin/python3
"""A web page of somebody else, opened on the machine of the show, commands nothing.

    BATON=path/to/baton Tests/Pages/stranger_page_test.py [TEST …]

The page comes from another origin. It sends OSC packets to the port for show control by every way that a browser has.
The last line is unittest's.
"""

import http.server
import sys
import threading
import unittest
import urllib.error
import urllib.request

from lib import osc
from lib.processes import free_port
from page_case import PageCase
from scripted import Scripted

COMMANDS = [("/baton/blackout", 1), ("/baton/panic",), ("/baton/note", "a stranger was here")]
WAYS = {
    "fetch": "fetch(address, { method: 'POST', mode: 'no-cors', body })",
    "beacon": "navigator.sendBeacon(address, new Blob([body], { type: 'text/plain' }))",
    "request": """const request = new XMLHttpRequest();
        request.open('POST', address);
        request.send(body)""",
    "form": """const form = document.createElement('form');
        Object.assign(form, { method: 'POST', action: address, enctype: 'multipart/form-data', target: 'frame' });
        const file = Object.assign(document.createElement('input'), { type: 'file', name: 'file' });
        const files = new DataTransfer();
        files.items.add(new File([body], 'frames'));
        file.files = files.files;
        form.append(file);
        document.body.append(form);
        form.submit()""",
    "socket": "new WebSocket(address.replace('http', 'ws')).onopen = (event) => event.target.send(body)",
    "picture": "new Image().src = address + '/?' + String.fromCharCode(...body)",
}


def slip(packet):
    return b"\xc0" + packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


def prefixed(packet):
    return len(packet).to_bytes(4, "big") + packet


class Stranger(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>A stranger</title><iframe name='frame'></iframe>")

    def log_message(self, *_):
        pass


class StrangerPageTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.osc_port = free_port()
        cls.begin(Scripted("beethoven-symphony-9-ode-to-joy-variations", "--osc", cls.osc_port, "--desk", free_port()))
        cls.stranger = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
        threading.Thread(target=cls.stranger.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.stranger.shutdown()
        cls.stranger.server_close()
        super().tearDownClass()

    def refusals(self):
        """How often a fault about refused OSC has begun."""
        return self.server.show_log.count(b'"fault":{"id":"osc-refused"')

    def test_no_way_of_a_page_commands_the_show(self):
        for name, frame in [*((name, slip) for name in WAYS), ("fetch", prefixed)]:
            with self.subTest(f"{name}, {frame.__name__}"):
                self.server.begin_anew()
                body = b"".join(frame(osc.message(*command)) for command in COMMANDS)
                self.driver.get(f"http://127.0.0.1:{self.stranger.server_port}/")
                self.script(f"const address = arguments[0], body = new Uint8Array(arguments[1]); {WAYS[name]};",
                            f"http://127.0.0.1:{self.osc_port}", list(body))
                self.until(lambda: self.refusals() == 1 or self.server.commands(), "the request is a fault")
                self.assertEqual(self.server.commands(), [])

    def test_a_page_under_another_name_reaches_no_console(self):
        # The name points to this machine, as an attacker's may: the browser takes both for one origin.
        for path in ("/console", "/api/events"):
            request = urllib.request.Request(self.base + path, headers={"Host": "evil.example"})
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=10)
            self.assertEqual(refused.exception.code, 403)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
