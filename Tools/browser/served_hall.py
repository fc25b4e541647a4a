"""The scenarios of the mock hall, made to happen in a real `baton serve` behind a wire that can be cut.

A technician holds the baton, so that the tests say where the music is. What only a mock can do (an old server's words)
raises `OnlyMocked`.
"""

import contextlib
import threading
import time
import urllib.parse

from lib.repository import RECORDINGS, concert
from lib.servers import Server
from lib.waiting import until
from lib.web import snapshot
from wire import Wire

PASSPHRASE = "four plain words here"
MESSAGES = {
    "button": ("Welcome", "Please silence your phones. Enjoy the concert.", "BUTTON", "Will do!"),
    "auto": ("iNotes", "The live stream has begun!", "AUTO", ""),
    "link": ("Link", "Please take a brief survey.", "Button", "https://survey.example/hall"),
}


class OnlyMocked(Exception):
    """A real server does not do this."""


class ServedHall:
    def __init__(self):
        pieces = concert()
        self.server = Server(
            ",".join(pieces), "--loop", "0", "--no-listen-osc", "--no-multicast",
            lives=[min((RECORDINGS / piece).glob("*/audio.ogg")) for piece in pieces],
            accounts=[("anna", "administrator", PASSPHRASE)])
        self.server.start()
        self.cookie = self.server.sign_in("anna", PASSPHRASE)
        self.wire = Wire(self.server.port)
        self.server_address = ("127.0.0.1", self.wire.port)
        self.speed, self.playing = 1.0, None
        self.concert = self.ask("GET", "/api/audience/concert")
        self.edition = self.ask("GET", "/api/edit/concerts")[0]["id"]
        self.command("take")
        self.scenario("reset")

    # -- the server ---------------------------------------------------------------------------------------

    def shutdown(self):
        self.server.stop()
        self.wire.close()

    def server_close(self):
        self.server.remove()

    def ask(self, method, path, body=None):
        answer = self.server.ask(method, path, body, self.cookie, timeout=10)
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.text[:300]}")
        return answer.value if answer.content[:1] in (b"{", b"[") else None

    def command(self, *words):
        return self.ask("POST", "/api/command", {"command": words[0], "arguments": list(words[1:])})

    def live(self):
        """The newest value of the audience's stream."""
        return snapshot(self.server.base, path="/api/audience/events")["live"]

    # -- scenarios ----------------------------------------------------------------------------------------

    def scenario(self, named):
        name, _, query = named.partition("?")
        words = dict(urllib.parse.parse_qsl(query))
        act = getattr(self, "do_" + name, None)
        if act is None:
            raise OnlyMocked(name)
        act(**words)
        return {"live": self.live(), "streams": self.wire.streams, "requests": dict(self.wire.requests)}

    def do_state(self):
        pass

    def do_reset(self):
        self.do_pause()
        self.wire.mend()
        while self.editions() != self.concert["revision"] and self.undone():
            pass
        self.command("blackout", "off")
        self.withdraw()
        self.do_at("4", "12")

    def editions(self):
        return self.ask("GET", "/api/audience/concert")["revision"]

    def undone(self):
        try:
            self.ask("POST", f"/api/edit/concerts/{self.edition}/undo", {})
            return True
        except RuntimeError:
            return False

    def do_at(self, piece="4", played="0"):
        if self.live()["view"] == "ended":
            self.command("intermission", "off")
        if self.live().get("piece") != int(piece) - 1:
            self.command("piece", piece, f"p:{played}")
        else:
            self.command("goto", f"p:{played}")
        self.wait(lambda live: live["piece"] == int(piece) - 1 and live["played"] == int(played))

    def wait(self, condition):
        if not until(lambda: condition(self.live()), 10, every=0.02):
            raise RuntimeError(f"the hall says {self.live()}")

    def do_speed(self, x="1"):
        self.speed = float(x)

    def do_play(self):
        live = self.live()
        measures = self.concert["pieces"][live["piece"]]["measures"]
        stop = threading.Event()

        def run():
            began = time.monotonic()
            for played in range(live["played"] + 1, len(measures)):
                due = began + (measures[played]["time"] - measures[live["played"]]["time"]) / self.speed
                if stop.wait(max(0, due - time.monotonic())):
                    return
                self.command("goto", f"p:{played}")

        self.playing = (threading.Thread(target=run, daemon=True), stop)
        self.playing[0].start()

    def do_pause(self):
        if self.playing:
            self.playing[1].set()
            self.playing[0].join()
            self.playing = None

    def do_view(self, **words):
        if words["is"] not in ("black", "live"):
            raise OnlyMocked(words["is"])
        self.command("blackout", "on" if words["is"] == "black" else "off")

    def do_back(self, by="1"):
        self.command("nudge", "-" + by)

    def do_renew(self):
        self.server.kill()
        self.server.start()

    def do_message(self, kind="button"):
        if kind not in MESSAGES:
            raise OnlyMocked(kind)
        self.withdraw()  # the same words again are no news while they stand
        self.command("message", *MESSAGES[kind])

    def do_withdraw(self):
        self.withdraw()

    def withdraw(self):
        with contextlib.suppress(RuntimeError):  # there was none
            self.command("withdraw")

    def do_edit(self):
        self.write_slide("A late edit has arrived.")

    def write_slide(self, words):
        """Rewrites the slide that is shown."""
        live = self.live()
        tree = self.ask("GET", f"/api/edit/concerts/{self.edition}")
        nodes = tree["nodes"]
        piece = [node for node in nodes if node["kind"] == "piece"][live["piece"]]
        track = next(node for node in nodes if node["kind"] == "track" and node["parent"] == piece["id"])
        slides = [node for node in nodes if node["kind"] == "slide" and node["parent"] == track["id"]]
        passed = [node for node in slides if node["played"] is not None and node["played"] <= live["played"]]
        self.ask("POST", f"/api/edit/concerts/{self.edition}/edits", {
            "base": tree["revision"], "label": "late", "changes": [
                {"set": (passed or slides)[-1 if passed else 0]["id"], "field": "text",
                 "to": words}]})

    def do_none(self):
        self.command("intermission", "on")
        self.wait(lambda live: live["view"] == "ended")

    def do_short(self, to="60"):
        """The content's map of the piece loses the bars behind one; the show plays them all."""
        self.write("piece", "measures", lambda rows: "\n".join(rows.split("\n")[:int(to)]))

    def do_textless(self):
        """The concert does not have the piece that plays."""
        self.write("piece", "name", lambda name: name + " (another edition)")

    def do_cast(self):
        self.write("concert", "cast", lambda _: "Anna Berg, violin, $hall-mountain.svg\nThe Players")

    def write(self, kind, field, change):
        """Edits one field of the concert, or of the piece that plays."""
        live = self.live()
        tree = self.ask("GET", f"/api/edit/concerts/{self.edition}")
        nodes = [node for node in tree["nodes"] if node["kind"] == kind]
        node = nodes[live["piece"] if kind == "piece" else 0]
        self.ask("POST", f"/api/edit/concerts/{self.edition}/edits",
                 {"base": tree["revision"], "label": field, "changes": [
            {"set": node["id"], "field": field, "to": change(node["fields"].get(field, ""))}]})

    def do_drop(self):
        self.wire.drop()

    def do_deaf(self):
        self.wire.deaf()

    def do_stall(self, s="4"):
        self.wire.stall(float(s))

    def do_gone(self):
        self.wire.cut()

    def do_here(self):
        self.wire.mend()
