"""The attempts, with the required answers."""

import json
import socket
import struct
import time

from lib.waiting import hold_for

from .rooms import rooms
from .strangers import strangers
from .tabs import tabs
from .trial import Trial, sentence, status

SCRIPT = "<script>document.title='taken'</script><img src=x onerror=alert(1)>\" onload=\"x"


def first_line(answer):
    return answer.split("\r\n")[0] or "(closed)"


def all_of(hall):
    yield from requests(hall)
    yield from connections(hall)
    yield from rights(hall)
    yield from paths(hall)
    yield from content(hall)
    yield from show_control(hall)
    yield from tabs(hall)
    yield from rooms(hall)
    yield from strangers(hall)


def requests(hall):
    def raw(text):
        return lambda: first_line(hall.raw(text))

    head = b"GET / HTTP/1.1\r\nHost: hall\r\n"
    refused = lambda said: said == "(closed)" or status(400, 408, 413, 414, 431, 501, 505)(said)  # noqa: E731
    yield Trial("random bytes for a request", raw(bytes(range(256)) * 8), refused)
    yield Trial("a TLS hello on the plain port", raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 200),
                refused)
    yield Trial("a header with a null byte", raw(head + b"X: a\0b\r\n\r\n"), refused)
    yield Trial("two different lengths", raw(
        b"POST /api/login HTTP/1.1\r\nHost: hall\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"), refused)
    yield Trial("a length and chunks (request smuggling)", raw(
        b"POST /api/login HTTP/1.1\r\nHost: hall\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"), lambda said: not status(200)(said))
    for name, hosts in [("no host", b""), ("two hosts", b"Host: hall\r\nHost: other\r\n"),
                        ("a list of hosts", b"Host: hall, other\r\n")]:
        yield Trial(f"a request with {name}", raw(b"GET /healthz HTTP/1.1\r\n" + hosts + b"\r\n"), status(400))
    yield Trial("a negative length", raw(b"POST /api/login HTTP/1.1\r\nHost: hall\r\nContent-Length: -5\r\n\r\n"),
                refused)
    yield Trial("an address of 100 KB", raw(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: hall\r\n\r\n"),
                lambda said: refused(said) or status(404)(said))
    yield Trial("a header of 1 MB", raw(head + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n"), refused)
    yield Trial("10,000 headers", raw(head + b"".join(b"X%d: 1\r\n" % n for n in range(10_000)) + b"\r\n"), refused)
    yield Trial("100 MB for a sign-in", lambda: first_line(hall.raw(
        b"POST /api/login HTTP/1.1\r\nHost: hall\r\nX-Baton: 1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100000000\r\n\r\n" + b"a" * 8_000_000)), refused)
    yield Trial("JSON nested 3,000 deep for a command", lambda: sentence(hall.ask(
        "POST", "/api/command", "[" * 3_000 + "]" * 3_000)), status(400, 413))
    yield Trial("a command that is not UTF-8", lambda: sentence(hall.ask(
        "POST", "/api/command", b'{"command":"\xff\xfe"}')), status(400))
    yield Trial("a command nobody knows", lambda: sentence(hall.ask(
        "POST", "/api/command", '{"command":"explode"}')), status(400, 422))
    yield Trial("a measure that is not there", lambda: sentence(hall.ask(
        "POST", "/api/command", '{"command":"goto","arguments":["99999"]}')), status(400, 409, 422))


def connections(hall):
    def many():
        links = []
        try:
            for _ in range(400):
                links.append(socket.create_connection(("127.0.0.1", hall.port), timeout=5))
            began = time.monotonic()
            code, _ = hall.ask("GET", "/healthz")
            return f"{code} after {(time.monotonic() - began) * 1000:.0f} ms beside 400 silent connections"
        finally:
            for link in links:
                link.close()

    def slow():
        with socket.create_connection(("127.0.0.1", hall.port), timeout=90) as link:
            link.sendall(b"GET / HTTP/1.1\r\n")
            began = time.monotonic()
            try:
                while time.monotonic() - began < 80:
                    link.sendall(b"X: a\r\n")
                    hold_for(2)  # slow, but never silent
                    link.setblocking(False)
                    try:
                        if link.recv(1000) is not None:
                            break
                    except BlockingIOError:
                        pass
                    link.setblocking(True)
            except OSError:
                pass
            return f"closed after {time.monotonic() - began:.0f} s"

    def reset():
        for _ in range(200):
            link = socket.create_connection(("127.0.0.1", hall.port), timeout=5)
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.sendall(b"GET /api/audience/events HTTP/1.1\r\nHost: hall\r\n\r\n")
            link.close()
        return f"{hall.ask('GET', '/healthz')[0]} after 200 streams that were reset"

    def deaf():
        """Listeners that never read."""
        links = []
        try:
            for _ in range(100):
                link = socket.socket()
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                link.connect(("127.0.0.1", hall.port))
                link.sendall(b"GET /api/audience/events HTTP/1.1\r\nHost: hall\r\n\r\n")
                links.append(link)
            hold_for(4)  # what they do not read piles up
            return f"{hall.ask('GET', '/healthz')[0]} beside 100 listeners that read nothing"
        finally:
            for link in links:
                link.close()

    yield Trial("400 connections that say nothing", many, status(200))
    yield Trial("a header line every 2 s (slow loris)", slow, lambda said: int(said.split()[2]) < 60)
    yield Trial("200 streams reset at once", reset, status(200))
    yield Trial("100 listeners that read nothing", deaf, status(200))


def rights(hall):
    def without(path, **more):
        return lambda: sentence(hall.ask("POST", path, "{}", **more))

    def guessing():
        said = ""
        for number in range(30):
            said = sentence(hall.ask(
                "POST", "/api/login", json.dumps({"name": "anna", "password": f"wrong words number {number}"}),
                cookie=False))
            if said.startswith("429"):
                return said + f" (guess {number + 1})"
        return said

    theo = hall.sign_in("theo")
    yield Trial("a command without sign-in", without("/api/command", cookie=False), status(401))
    yield Trial("a command without the header (another site's form)", without("/api/command", ours=False), status(403))
    yield Trial("a command from another origin", without("/api/command", headers={"Origin": "http://evil.example"}),
                status(403))
    yield Trial("an invented cookie", without("/api/command", headers={"Cookie": "baton=" + "a" * 43}), status(401))
    yield Trial("a technician edits content", lambda: sentence(hall.ask(
        "POST", "/api/edit/concerts", '{"title":"x"}', headers={"Cookie": theo})), status(403))
    yield Trial("30 guesses of a passphrase", guessing, status(429))


def paths(hall):
    for path in ["/../../etc/passwd", "/images/..%2f..%2f..%2fetc%2fpasswd", "/images/%2e%2e/%2e%2e/etc/passwd",
                 "/console/../../../../etc/passwd", "/images/AppAssets/..\\..\\etc\\passwd", "/images/%00.png",
                 "/images//etc/passwd"]:
        yield Trial(f"`{path}`", lambda path=path: first_line(hall.raw(
            f"GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n".encode())), status(400, 404))
    yield Trial("a file named `../x.png` uploaded", lambda: sentence(hall.ask(
        "PUT", f"/api/edit/concerts/{hall.concert}/assets/images/..%2Fx.png", b"\x89PNG\r\n\x1a\n")), status(400, 404))


def content(hall):
    def import_of(body):
        return lambda: sentence(hall.ask(
            "POST", f"/api/edit/concerts/{hall.concert}/import", body, headers={"Content-Type": "application/xml"}))

    def upload(name, body):
        return lambda: sentence(hall.ask(
            "PUT", f"/api/edit/concerts/{hall.concert}/assets/images/{name}", body, timeout=120))

    def tree():
        return json.loads(hall.ask("GET", f"/api/edit/concerts/{hall.concert}")[1])

    def many_slides():
        slides = "".join(f"<page><time>1.0</time><measure>1</measure><text>s{n}</text></page>" for n in range(100_000))
        body = (
            "<concert><piece><name>A, B: C</name><measures>1</measures><track><name>NumSeconds</name><page><time>0.5"
                "</time><measure>1</measure><text>0.5</text></page></track><track><name>T</name>" + slides +
                "</track></piece></concert>")
        return sentence(hall.ask("POST", f"/api/edit/concerts/{hall.concert}/import", body,
                                 headers={"Content-Type": "application/xml"}, timeout=120))

    def scripts():
        state = tree()
        text_fields = {"concert": ["title", "programNotes", "credits"], "track": ["name", "subject"],
                       "slide": ["text"], "section": ["label"], "word": ["name", "description", "history"],
                       "message": ["title", "body", "buttonText"]}
        tried = kept = 0
        for kind, fields in text_fields.items():
            node = next((node for node in state["nodes"] if node["kind"] == kind), None)
            for field in fields if node else []:
                base = tree()["revision"]
                code, _ = hall.ask("POST", f"/api/edit/concerts/{hall.concert}/edits", json.dumps(
                    {"base": base, "label": "x", "changes": [{"set": node["id"], "field": field, "to": SCRIPT}]}))
                tried += 1
                kept += code == 200
        code, page = hall.ask("GET", "/")
        xml = hall.ask("GET", "/getData.php?database1=" + "x", cookie=False)[1]
        concert = hall.ask("GET", "/api/audience/concert", cookie=False)[1]
        while hall.ask("POST", f"/api/edit/concerts/{hall.concert}/undo")[0] == 200 and kept:
            kept_now = SCRIPT[:8] in json.dumps(tree())
            if not kept_now:
                break
        safe = "<script>document" not in page and "<script>" not in xml and json.loads(concert)
        return f"{'200' if safe else 'FAILED'} {tried} fields, kept as text, in no page and escaped in XML; then undone"

    bomb = "<?xml version=\"1.0\"?><!DOCTYPE c [<!ENTITY a \"aaaaaaaaaa\">" + "".join(
        f"<!ENTITY {chr(98 + n)} \"{('&' + chr(97 + n) + ';') * 10}\">" for n in range(9)) + "]><concert>&j;</concert>"
    yield Trial("XML: a billion laughs", import_of(bomb), status(400, 422))
    yield Trial("XML: an external entity", import_of(
        '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><concert><piece><name>&x;</name>'
        "</piece></concert>"), lambda said: status(400, 422)(said) and "root:" not in said)
    yield Trial("XML: nested 200,000 deep", import_of("<concert>" + "<a>" * 200_000), status(400, 422))
    yield Trial("XML: cut off in a tag", import_of("<concert><piece><na"), status(400, 422))
    yield Trial("XML: not UTF-8 in a name", import_of(b"<concert><pi\xffece></pi\xffece></concert>"), status(400, 422))
    yield Trial("XML of 20 MB", import_of("<concert>" + " " * 20_000_000 + "</concert>"), status(413))
    yield Trial("100,000 slides in a track", many_slides, status(400, 409, 413, 422))
    yield Trial("a picture of 60 MB", upload("big.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 60_000_000), status(413))
    yield Trial("a picture of 49 MB that is none", upload("large.png", b"\0" * 49_000_000), status(400, 415, 422))
    yield Trial("a script named as a picture", upload("x.png", b"<script>alert(1)</script>"), status(400, 415, 422))
    yield Trial("an SVG with a script", upload(
        "x.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), status(400, 415, 422))
    yield Trial("an SVG with onload", upload(
        "y.svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), status(400, 415, 422))
    for name, inner in SMUGGLED.items():
        body = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink">{inner}</svg>'
        yield Trial(f"an SVG with {name}", upload("z.svg", body.encode()), status(422))
    yield Trial("XML: markup within words", import_of(PIECE % "Hello <b>bold</b> world"), status(422))
    yield Trial("XML: UTF-8 that says ISO-8859-1", import_of(
        ('<?xml version="1.0" encoding="ISO-8859-1"?>' + PIECE % "Élégie").encode()), status(422))
    yield Trial("a concert served unasked", lambda: sentence(hall.ask(
        "POST", f"/api/edit/concerts/{hall.concert}/serve", "{}")), status(409))
    yield Trial("a script in every text field", scripts, status(200))


# Each passed a search for forbidden words.
SMUGGLED = {
    "a tab before onload": "<rect\tonload='alert(1)'/>",
    "a line end before onload": "<rect\nonload='alert(1)'/>",
    "a script by a prefix": "<s:script xmlns:s='http://www.w3.org/2000/svg'>alert(1)</s:script>",
    "`java&#115;cript:`": "<a l:href='java&#115;cript:alert(1)'><rect/></a>",
    "a style from elsewhere": "<style>rect{fill:u\\72l(http://127.0.0.1/x)}</style>",
    "ten times ten times ten … uses": "<path id='a0' d='M0 0L9 9'/>" + "".join(
        f"<g id='a{n}'>" + f"<use l:href='#a{n - 1}'/>" * 10 + "</g>" for n in range(1, 10)),
}
PIECE = (
    "<concert><piece><name>A, B: C</name><measures>1</measures><track><name>NumSeconds</name><page><time>0.5</time>"
    "<measure>1</measure><text>0.5</text></page></track><track><name>T</name><page><time>0.5</time>"
    "<measure>1</measure><text>%s</text></page></track></piece></concert>")


def show_control(hall):
    def cue(target, payload):
        return lambda: sentence(hall.ask("PUT", "/api/cues/0", json.dumps([
            {"place": "1", "name": "Taken", "kind": "osc", "target": target, "payload": payload}]),
            headers={"Content-Type": "application/json"}))

    def osc(packet):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as desk:
            desk.settimeout(1)
            desk.sendto(packet, ("127.0.0.1", hall.osc))
            try:
                return desk.recv(9000).replace(b"\0", b" ").decode("latin-1")
            except TimeoutError:
                return "nothing"

    def alive(said):
        return "/baton" in said or said == "nothing"

    def flood():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as desk:
            for _ in range(20_000):
                desk.sendto(b"/baton/nudge\0\0\0\0,i\0\0\0\0\0\1", ("127.0.0.1", hall.osc))
        code, _ = hall.ask("GET", "/healthz")
        return f"{code} after 20,000 commands at once"

    yield Trial("OSC: random bytes", lambda: osc(bytes(range(1, 255)) * 4), alive)
    yield Trial("OSC: a bundle in a bundle, 200 deep", lambda: osc(_nested(200)), alive)
    yield Trial("OSC: 60 KB", lambda: osc(b"/baton/goto\0,s\0\0" + b"a" * 60_000), alive)
    yield Trial("OSC: a wrong type", lambda: osc(b"/baton/nudge\0\0\0\0,s\0\0x\0\0\0"),
                lambda said: "/baton/error" in said)
    yield Trial("OSC: 20,000 commands at once", flood, status(200))
    yield Trial("a cue to Baton's own port", cue(f"127.0.0.1:{hall.osc}", "/baton/blackout 1"), status(403, 422))
    yield Trial("a cue to another machine", cue("192.0.2.1:9000", "/go"), status(403, 422))


def _nested(depth):
    packet = b"/a\0\0,\0\0\0"
    for _ in range(depth):
        packet = b"#bundle\0" + b"\0" * 7 + b"\1" + len(packet).to_bytes(4, "big") + packet
    return packet
