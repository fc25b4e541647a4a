#!/usr/bin/env python3
"""A stand-in for `baton serve`: the console's pages, commands and live stream over a simulated concert.

    Tools/browser/mock_desk.py [--port 8090]

Loopback only. Sign in as “ines” with the passphrase “open sesame”, or start with --no-sign-in. Scenarios are
switched by GET: /mock/lost /mock/coast /mock/found /mock/fault /mock/fault-over /mock/input-lost /mock/input-back
/mock/stall?s=4 (stream silent) /mock/down?s=3 (everything refused) /mock/crowded?s=4 (no stream for
this account) /mock/editor (writes some kinds of cue only) /mock/drop (streams closed) /mock/sign-out
/mock/old-term /mock/new-term /mock/speed?x=4 /mock/at?piece=3&played=10 /mock/backup-gone /mock/backup-role /mock/reset
/mock/commands (what was received, as JSON).
"""

import collections
import http.server
import json
import secrets
import time
import urllib.parse

import mock_web
from lib.pages import TYPES, page_file
from mock_pieces import Fault
from mock_stream import Desk

POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    desk = None

    def log_message(self, *arguments):
        pass

    # -- answers ------------------------------------------------------------------------------------------

    def answer(self, status, body, kind="application/json", **headers):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            try:
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the page went away while we answered

    def refuse(self, fault):
        self.answer(fault.status, {"error": fault.sentence, "code": fault.code})

    @property
    def person(self):
        if not self.desk.sign_in:
            return "local"
        for part in self.headers.get("Cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == "baton_session" and value in self.desk.sessions:
                return self.desk.sessions[value]
        return None

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    # -- routes -------------------------------------------------------------------------------------------

    def do_GET(self):
        path, _, query = self.path.partition("?")
        desk = self.desk
        if path.startswith("/mock/"):
            words = dict(urllib.parse.parse_qsl(query))
            try:
                with desk.lock:
                    return self.answer(200, desk.scenario(path[6:], words))
            except Fault as fault:
                return self.refuse(fault)
        if time.time() < desk.down_until:
            return self.close_connection_now()
        if path == "/api/qr.svg":  # any drawing: served_test.py reads the real one
            return self.page("/shared/mark.svg")
        if path.startswith("/api/"):
            return self.api_get(path)
        if path == "/favicon.ico":
            return self.answer(204, b"", "image/x-icon")
        if path == "/":
            return self.answer(302, b"", "text/plain", Location="/console")
        if path in ("/console", "/report") and self.person is None:
            return self.answer(302, b"", "text/plain", Location="/login?next=" + path)
        return self.page(path)

    do_HEAD = do_GET

    def close_connection_now(self):
        self.close_connection = True
        self.connection.close()

    def page(self, path):
        file = page_file(path)
        if file is None:
            return self.answer(404, b"Not found", "text/plain")
        self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    def api_get(self, path):
        desk, person = self.desk, self.person
        if person is None:
            return self.answer(401, {"error": "Sign in first.", "code": "sign-in"})
        if path == "/api/me":
            return self.answer(200, {"name": person, "role": "technician", "signIn": self.desk.sign_in})
        if path == "/api/cue-kinds":
            return self.answer(200, desk.cue_kinds)
        if path == "/api/events" and time.time() < desk.crowded_until:
            return self.answer(409, {"error": "16 screens are open with your account, the most there may be; close one "
                                     "of them, then open this one again.", "code": "too-many"})
        if path == "/api/events":
            return self.stream()
        try:
            with desk.lock:
                if path == "/api/report/current":
                    return self.answer(200, desk.show.report())
                if path.startswith("/api/cues/") and path.endswith(".csv"):
                    text = desk.show.cues_csv(int(path[10:-4]))
                    return self.answer(200, text.encode(), "text/csv; charset=utf-8")
        except (Fault, ValueError) as fault:
            return self.refuse(fault if isinstance(fault, Fault) else Fault("No such piece.", "no-such-piece", 404))
        self.answer(404, {"error": "No such address.", "code": "not-found"})

    def stream(self):
        desk, queue = self.desk, collections.deque(maxlen=400)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        with desk.lock:
            generation = desk.generation
            desk.listeners[id(queue)] = queue
            first = desk.snapshot()
        try:
            self.wfile.write(first)
            while True:
                with desk.lock:
                    while not queue and desk.generation == generation:
                        desk.lock.wait(1)
                    if desk.generation != generation:
                        return
                    parts = b"".join(queue)
                    queue.clear()
                self.wfile.write(parts)
        except OSError:
            pass
        finally:
            with desk.lock:
                desk.listeners.pop(id(queue), None)

    def do_POST(self):
        body, desk = self.body(), self.desk
        if time.time() < desk.down_until:
            return self.close_connection_now()
        if self.headers.get("X-Baton") != "1":
            return self.answer(403, {"error": "The header X-Baton is missing.", "code": "cross-site"})
        if self.path == "/api/login":
            return self.login(json.loads(body))
        if self.path == "/api/logout":
            desk.sessions.clear()
            return self.answer(200, {"ok": True}, Set_Cookie="baton_session=; Max-Age=0; Path=/")
        person = self.person
        if person is None:
            return self.answer(401, {"error": "Sign in first.", "code": "sign-in"})
        try:
            with desk.lock:
                if self.path == "/api/account/password":
                    if json.loads(body)["old"] != "open sesame":
                        raise Fault("The old passphrase is wrong.", "wrong-password", 403)
                    return self.answer(200, {"ok": True})
                if self.path == "/api/check":
                    desk.show.check_began = time.time()
                    return self.answer(200, {"ok": True})
                if self.path == "/api/command":
                    asked = json.loads(body)
                    desk.show.command(asked["command"], asked.get("arguments", []), asked.get("epoch"), person)
                    return self.answer(200, {"ok": True, "epoch": desk.show.epoch})
        except Fault as fault:
            return self.refuse(fault)
        except (ValueError, IndexError, KeyError, TypeError):
            return self.refuse(Fault("The command could not be read.", "bad-command"))
        self.answer(404, {"error": "No such address.", "code": "not-found"})

    def login(self, asked):
        if asked.get("name") == "ines" and asked.get("password") in ("open sesame", "open sesame on a full disk"):
            token = secrets.token_urlsafe(16)
            self.desk.sessions[token] = "Ines"
            note = {"note": "This sign-in could not be saved on the server's disk, so it ends when the server "
                            "stops. Free some space on its disk."} if "disk" in asked["password"] else {}
            return self.answer(200, {"name": "Ines", "role": "technician", "signIn": True, **note},
                               Set_Cookie=f"baton_session={token}; HttpOnly; SameSite=Strict; Path=/")
        time.sleep(0.2)
        self.answer(401, {"error": "Name or passphrase is wrong.", "code": "wrong-password"})

    def do_PUT(self):
        body = self.body()
        if self.headers.get("X-Baton") != "1":
            return self.answer(403, {"error": "The header X-Baton is missing.", "code": "cross-site"})
        if self.person is None:
            return self.answer(401, {"error": "Sign in first.", "code": "sign-in"})
        try:
            with self.desk.lock:
                self.desk.show.put_cues(int(self.path.removeprefix("/api/cues/")), body.decode())
            self.answer(200, {"ok": True})
        except Fault as fault:
            self.refuse(fault)
        except ValueError:
            self.refuse(Fault("The cue list could not be read.", "bad-cues"))


def serve(port, sign_in=True):
    """Starts the desk on loopback; returns the server, already running in threads of its own."""
    return mock_web.serve(port, Handler, desk=Desk(sign_in))


def main():
    parser = mock_web.parser(__doc__, 8090)
    parser.add_argument("--no-sign-in", action="store_true")
    arguments = parser.parse_args()
    mock_web.stay(serve(arguments.port, not arguments.no_sign_in), "/console")


if __name__ == "__main__":
    main()
