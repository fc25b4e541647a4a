"""The attempts on rehearsal rooms and the library of scores, with the required answers."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import time
import urllib.parse
import uuid

from lib.music_pdf import music_pdf
from lib.waiting import hold_for, until
from load.stand import Stand

from .trial import Trial, sentence, status


def new():
    return str(uuid.uuid4())


class Rehearsal:
    """A room of anna's, in which max may play and nora may not: she was not given the score."""

    def __init__(self, hall):
        self.hall = hall
        self.cookies = {"anna": hall.cookie, "max": hall.sign_in("max"), "nora": hall.sign_in("nora")}
        code, body = hall.ask("POST", "/api/library/scores?title=Trial", music_pdf(3, "Trial"),
                              {"Content-Type": "application/pdf"})
        self.score = json.loads(body)["score"]
        users = {user["name"]: user["id"] for user in json.loads(hall.ask("GET", "/api/library/users")[1])}
        self.users = users
        hall.ask("POST", "/api/library/bundles", json.dumps({"user": users["max"], "score": self.score}))
        self.room, self.session, self.layer = new(), new(), new()
        hall.ask("POST", "/api/rooms", json.dumps({
            "id": self.room, "membership": new(), "score": self.score, "name": "Trial", "passkey": "sesame open",
            "published": True}))
        self.stands = {name: new() for name in self.cookies}
        self.send("anna", {"begin": {"session": self.session, "layer": self.layer, "performances": []}})
        self.send("anna", {"enter": {"participation": new(), "part": 0}})

    def ask(self, name, method, path, body=None, **more):
        return self.hall.ask(method, path, body, headers={"Cookie": self.cookies[name]}, **more)

    def post(self, name, body, stand=None):
        return self.ask(name, "POST", f"/api/rooms/{self.room}/send?stand={stand or self.stands[name]}", body)

    def send(self, name, act, id=None):
        """The answer to one event, in words."""
        code, body = self.post(name, json.dumps({"v": 1, "id": id or new(), **act}))
        return self.words(code, body)

    @staticmethod
    def words(code, body):
        try:
            answers = json.loads(body)
        except ValueError:
            return f"{code} {body[:100]}"
        if isinstance(answers, dict):
            return f"{code} {answers.get('error', '')}"
        first = answers[0] if answers else {}
        if "refused" in first:
            return f"{code} refused, {first['refused']['code']}: {first['refused']['sentence']}"
        return f"{code} taken as number {first['seq']}" if "receipt" in first else f"{code} {first}"

    def join(self, name, passkey):
        return sentence(self.ask(name, "POST", f"/api/rooms/{self.room}/join", json.dumps(
            {"event": new(), "membership": new(), "passkey": passkey})))

    def stream(self, name, seconds, stand=None):
        """The messages to a new stand within some seconds."""
        one = Stand("127.0.0.1", self.hall.port, self.room, self.cookies[name])
        one.id = stand or self.stands[name]
        one.open().settimeout(0.2)
        told, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                heard = one.read()
            except TimeoutError:
                continue
            if heard is None:
                break
            told += [message for message, _, _ in heard]
        one.socket.close()
        return told

    def remark(self, name, layer=None, author=None):
        return {"place": {"id": new(), "layer": layer or self.layer, "author": author or self.users[name], "part": 0,
                          "page": 0, "anchor": [5000, 5000], "shape": {"stamp": "breath"},
                          "ink": {"colour": "#1a4fd6", "width": 30}}}


def refused(*words):
    """Refused for one of these reasons."""
    return lambda said: any(f"refused, {word}:" in said or said.startswith(f"{word} ") for word in words)


def rooms(hall):
    rehearsal = Rehearsal(hall)
    yield from passkeys(rehearsal)
    yield from members(rehearsal)
    yield from events(rehearsal)
    yield from library(hall, rehearsal)


def passkeys(rehearsal):
    def guessing():
        for number in range(30):
            said = rehearsal.join("max", f"wrong {number}")
            if said.startswith("429"):
                return said + f" (guess {number + 1})"
        return said

    def without():
        code, body = rehearsal.ask("nora", "POST", f"/api/rooms/{rehearsal.room}/join", json.dumps(
            {"event": new(), "membership": new(), "passkey": "sesame open"}))
        return sentence((code, body))

    def right():
        hold_for(6)  # the pause after too many guesses
        said = ""

        def is_let_try():
            nonlocal said
            said = rehearsal.join("max", "sesame open")
            return not said.startswith("429")
        until(is_let_try, 40, every=1)
        return said

    yield Trial("room: a member's page without joining", lambda: rehearsal.send("max", {"turn": [0, 1]}),
                refused("not-a-member"))
    yield Trial("room: a wrong passkey", lambda: rehearsal.join("max", "wrong"), status(403))
    yield Trial("room: 30 guesses of a passkey", guessing, status(429))
    yield Trial("room: the right passkey, without the score", without, status(403))
    yield Trial("room: the right passkey after a pause", right, status(200))


def members(rehearsal):
    def private():
        layer = new()
        rehearsal.send("anna", {"openLayer": layer})
        rehearsal.send("anna", rehearsal.remark("anna", layer))
        told = json.dumps(rehearsal.stream("max", 1.0))
        written = rehearsal.send("max", rehearsal.remark("max", layer))
        printed = rehearsal.ask("max", "GET", f"/api/rooms/{rehearsal.room}/parts/0/pdf?own=1")[0]
        return (f"{'FAILED' if layer in told else 200} the layer is not in what max is told; writing on it: {written}; "
                f"his print: {printed}")

    def expelled():
        said = rehearsal.send("max", {"enter": {"participation": new(), "part": 0}})
        rehearsal.send("anna", {"expel": rehearsal.users["max"]})
        after = rehearsal.send("max", rehearsal.remark("max"))
        told = rehearsal.stream("max", 1.0)
        rehearsal.send("anna", {"readmit": rehearsal.users["max"]})
        seen = any("snapshot" in message for message in told)
        return f"{'FAILED' if seen else after} (entering before: {said[:3]})"

    def two_owners():
        """The room is handed over while the first owner is away; both then turn pages and claim the room."""
        rehearsal.send("anna", {"handOver": rehearsal.users["max"]})
        late = rehearsal.send("anna", {"handOver": rehearsal.users["anna"]})
        erase = sentence(rehearsal.ask("anna", "DELETE", f"/api/rooms/{rehearsal.room}"))
        rehearsal.send("max", {"handOver": rehearsal.users["anna"]})
        rehearsal.send("anna", {"role": {"user": rehearsal.users["max"], "role": "member"}})
        return f"{late}; closing the room: {erase}"

    yield Trial("room: a member turns pages for all", lambda: rehearsal.send("max", {"turn": [0, 1]}),
                refused("not-allowed"))
    yield Trial("room: a member shows all a place", lambda: rehearsal.send(
        "max", {"pinpoint": {"part": 0, "page": 0, "point": [5000, 5000], "movement": 0}}), refused("not-allowed"))
    yield Trial("room: a member makes himself leader", lambda: rehearsal.send(
        "max", {"role": {"user": rehearsal.users["max"], "role": "leader"}}), refused("not-allowed"))
    yield Trial("room: another's private layer, told, written and printed", private,
                lambda said: said.startswith("200") and "refused" in said)
    yield Trial("room: a remark in another's name", lambda: rehearsal.send(
        "max", rehearsal.remark("max", author=rehearsal.users["anna"])),
                refused("not-allowed", "not-yours", "invalid", "not-author", "no-layer", "not-the-author"))
    yield Trial("room: an expelled member", expelled, refused("not-a-member", "expelled"))
    yield Trial("room: two owners after a reconnect", two_owners,
                lambda said: "not-allowed" in said.split(";")[0] and " 403" in said)
    yield Trial("room: the report without the score", lambda: sentence(rehearsal.ask(
        "nora", "GET", f"/api/rooms/{rehearsal.room}/report?session={rehearsal.session}&part=0")), status(403))
    yield Trial("room: a stand that is no UUID", lambda: sentence(rehearsal.post("anna", "{}", "../../etc")),
                status(400))


def events(rehearsal):
    def replayed():
        id = new()
        first = rehearsal.send("anna", {"turn": [0, 1]}, id)
        again = rehearsal.send("anna", {"turn": [0, 1]}, id)
        other = rehearsal.send("anna", {"turn": [0, 2]}, id)
        forged = rehearsal.send("max", {"turn": [0, 2]}, id)
        return f"{first} | again: {again} | with another page: {other} | by another: {forged}"

    def is_replay(said):
        first, again, other, forged = [part.split("taken as number ")[-1] for part in said.split(" | ")]
        return first == again == other and "refused" in forged

    def flood():
        began, taken, slowed = time.monotonic(), 0, 0
        link = http.client.HTTPConnection("127.0.0.1", rehearsal.hall.port, timeout=30)
        for _ in range(2_000):
            link.request("POST", f"/api/rooms/{rehearsal.room}/send?stand={rehearsal.stands['anna']}",
                         json.dumps({"v": 1, "id": new(), "turn": [0, 1]}),
                         {"Cookie": rehearsal.cookies["anna"], "X-Baton": "1", "Content-Type": "application/json"})
            answer = link.getresponse()
            answer.read()
            taken, slowed = taken + (answer.status == 200), slowed + (answer.status == 429)
        return f"429 to {slowed}, {taken} taken, within {time.monotonic() - began:.1f} s"

    def many():
        body = json.dumps([{"v": 1, "id": new(), "turn": [0, 1]}] * 201)
        hold_for(9)  # the allowance fills up again
        return sentence(rehearsal.post("anna", body))

    def after():
        hold_for(9)  # the allowance fills up again
        began = time.monotonic()
        said = rehearsal.send("anna", {"turn": [0, 2]})
        return f"{said} after {(time.monotonic() - began) * 1000:.0f} ms"

    def raw(body):
        return lambda: Rehearsal.words(*rehearsal.post("anna", body))

    yield Trial("room: an event replayed, changed, and by another", replayed, is_replay)
    yield Trial("room: an event with a number, a time and an author of its own", lambda: rehearsal.send(
        "max", {"seq": 9_999_999, "after": 0, "at": 1, "by": rehearsal.users["anna"], "turn": [0, 1]}),
        refused("not-allowed", "invalid"))
    yield Trial("room: an event with two acts",
                raw(json.dumps({"v": 1, "id": new(), "turn": [0, 1], "publish": False})),
                refused("invalid"))
    yield Trial("room: an act nobody knows", raw(json.dumps({"v": 1, "id": new(), "explode": True})),
                refused("invalid"))
    yield Trial("room: page -9223372036854775808",
                raw(f'{{"v":1,"id":"{new()}","turn":[0,-9223372036854775808]}}'),
                refused("no-page", "invalid"))
    yield Trial("room: a page number of 400 digits", raw(f'{{"v":1,"id":"{new()}","turn":[0,{10 ** 400 - 1}]}}'),
                refused("no-page", "invalid", "400"))
    yield Trial("room: JSON nested 100,000 deep", raw('{"v":1,"id":' + "[" * 100_000 + "]" * 100_000 + "}"),
                refused("400", "invalid"))
    yield Trial("room: a stroke of 100,000 points", lambda: rehearsal.send("anna", {"place": {
        **rehearsal.remark("anna")["place"], "shape": {"line": [[1, 1]] * 100_000}}}), refused("invalid", "413", "400"))
    yield Trial("room: a message of 20 MB", raw("[" + " " * 20_000_000 + "]"), refused("413"))
    yield Trial("room: 2,000 page turns at once", flood, status(429))
    yield Trial("room: 201 messages in one delivery", many, status(400))
    yield Trial("room: a page turn after the flood", after, lambda said: said.startswith("200 taken"))


def library(hall, rehearsal):
    def upload(body, title="Broken"):
        return lambda: sentence(hall.ask(
            "POST", "/api/library/scores?title=" + urllib.parse.quote(title), body, {"Content-Type": "application/pdf"},
            timeout=120))

    def encrypted():
        """By qpdf or by hand: a PDF that asks for a password."""
        whole = music_pdf(1)
        trailer = whole.index(b"/Root 1 0 R")
        locked = (whole[:trailer] + b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"41" * 32 + b"> /U <" +
                  b"42" * 32 + b"> >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] " +
                  whole[trailer:])
        return sentence(hall.ask("POST", "/api/library/scores?title=Locked", locked,
                                 {"Content-Type": "application/pdf"}))

    def endless():
        """500 MB that are announced and sent, until the server has heard enough."""
        with socket.create_connection(("127.0.0.1", hall.port), timeout=60) as link:
            link.sendall(f"POST /api/library/scores?title=Big HTTP/1.1\r\nHost: 127.0.0.1:{hall.port}\r\nX-Baton: 1\r\n"
                         f"Cookie: {hall.cookie}\r\nContent-Type: application/pdf\r\nContent-Length: 500000000\r\n\r\n"
                         .encode() + b"%PDF-1.4\n")
            sent = 0
            try:
                while sent < 500_000_000:
                    link.sendall(b"\0" * 1_000_000)
                    sent += 1_000_000
                    link.setblocking(False)
                    try:
                        if link.recv(1, socket.MSG_PEEK):
                            break
                    except BlockingIOError:
                        pass
                    finally:
                        link.setblocking(True)
                        link.settimeout(60)
            except OSError:
                pass
            try:
                answer = link.recv(4096).decode("latin-1")
            except OSError:
                answer = ""
        return f"{answer.split(chr(13))[0] or '(closed)'} after {sent // 1_000_000} MB"

    def unannounced():
        """The same in chunks, so that nobody knows how long it becomes."""
        with socket.create_connection(("127.0.0.1", hall.port), timeout=60) as link:
            link.sendall(f"POST /api/library/scores?title=Big HTTP/1.1\r\nHost: 127.0.0.1:{hall.port}\r\nX-Baton: 1\r\n"
                         f"Cookie: {hall.cookie}\r\nContent-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n\r\n"
                         .encode())
            sent, answer = 0, ""
            try:
                for _ in range(500):
                    link.sendall(b"f4240\r\n" + b"\0" * 1_000_000 + b"\r\n")
                    sent += 1
            except OSError:
                pass
            with contextlib.suppress(OSError):
                answer = link.recv(4096).decode("latin-1")
        left = sum(file.stat().st_size for file in pathlib.Path(hall.folder, "scores").rglob("*") if file.is_file())
        return f"{answer.split(chr(13))[0] or '(closed)'} after {sent} MB; {left // 1_000_000} MB are kept"

    def monster():
        """A page that would take for ever to draw: refused or drawn within bounds, and the others are not held up."""
        drawing = " ".join(f"{n % 595} {n % 842} {n * 7 % 595} {n * 11 % 842} re f" for n in range(300_000))
        pdf = music_pdf(2).replace(b"0.8 w", drawing.encode() + b" 0.8 w", 1)
        code, body = hall.ask("POST", "/api/library/scores?title=Monster", pdf, {"Content-Type": "application/pdf"})
        if code != 200:
            return sentence((code, body))
        score = json.loads(body)["score"]
        began = time.monotonic()
        page = hall.ask("GET", f"/api/scores/{score}/parts/0/pages/0?size=large", timeout=90)[0]
        took = time.monotonic() - began
        return f"{page} for the page after {took:.1f} s; {hall.ask('GET', '/healthz')[0]}"

    whole = music_pdf(3)
    yield Trial("score: not given, its words",
                lambda: sentence(rehearsal.ask("nora", "GET", f"/api/scores/{rehearsal.score}")), status(404))
    yield Trial("score: not given, a page", lambda: sentence(rehearsal.ask(
        "nora", "GET", f"/api/scores/{rehearsal.score}/parts/0/pages/0?size=large")), status(404))
    yield Trial("score: given, uploading another", lambda: sentence(rehearsal.ask(
        "max", "POST", "/api/library/scores?title=Mine", whole)), status(403))
    yield Trial("score: a musician gives himself a score", lambda: sentence(rehearsal.ask(
        "max", "POST", "/api/library/bundles", json.dumps({"user": rehearsal.users["max"], "score": rehearsal.score}))),
                status(403))
    yield Trial("score: page 99999 and size ../..", lambda: sentence(hall.ask(
        "GET", f"/api/scores/{rehearsal.score}/parts/0/pages/99999?size=../..")), status(400, 404))
    yield Trial("PDF: random bytes", upload(os.urandom(100_000)), status(400, 415, 422))
    yield Trial("PDF: only its first line", upload(b"%PDF-1.7\n"), status(400, 422))
    yield Trial("PDF: cut in half", upload(whole[: len(whole) // 2]), status(200, 400, 422))
    yield Trial("PDF: without pages",
                upload(whole.replace(b"/Count 3", b"/Count 0").replace(b"4 0 R 6 0 R 8 0 R", b"")), status(400, 422))
    yield Trial("PDF: pages that hold themselves", upload(whole.replace(b"/Kids [4 0 R", b"/Kids [2 0 R")),
                status(200, 400, 422))
    yield Trial("PDF: a page of 20 km", upload(whole.replace(b"595 842", b"59500000 84200000")), status(400, 422))
    yield Trial("PDF: encrypted", encrypted, status(400, 422))
    yield Trial("PDF: a page of 300,000 rectangles", monster,
                lambda said: said.endswith("200") or said.startswith("422"))
    yield Trial("PDF: 500 MB announced", endless, status(413))
    yield Trial("PDF: 500 MB, not announced", unannounced,
                lambda said: (" 413" in said or "closed" in said)
                and int(re.search(r"(\d+) MB are kept", said)[1]) < 50)
