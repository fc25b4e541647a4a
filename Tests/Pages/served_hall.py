"""The situations of a hall that the audience page can show, made to happen in a real server behind a wire.

A technician holds the baton, so that the tests say where the music is; the follower has it only where its own word is
tried.
"""

import atexit
import contextlib
import functools
import threading
import time
import urllib.parse

import prepared
from lib.waiting import until
from lib.web import Refused, snapshot
from scripted import Scripted
from wire import Wire

PASSPHRASE = "four plain words here"
ACCOUNTS = (("anna", "administrator", PASSPHRASE),)
MESSAGES = {
    "button": ("Welcome", "Please silence your phones. Enjoy the concert.", "BUTTON", "Will do!"),
    "auto": ("iNotes", "The live stream has begun!", "AUTO", ""),
    "link": ("Link", "Please take a brief survey.", "Button", "https://survey.example/hall"),
    "evil": ("Welcome", "<img src=x onerror=alert(1)>", "BUTTON", "javascript:alert(1)"),
}
PATIENCE = 10  # s in which a server does what it was told, on a busy machine too
ENDING = 30  # s after which a concert is over: ten without music


@functools.cache
def shared():
    """One hall for all tests of a run; each begins with `reset`."""
    hall = ServedHall()
    atexit.register(hall.close)
    return hall


class Technician:
    """Somebody at a server who holds the baton."""

    def __init__(self, server):
        self.server = server
        self.cookie = server.sign_in("anna", PASSPHRASE)

    def ask(self, method, path, body=None):
        answer = self.server.ask(method, path, body, self.cookie, timeout=PATIENCE)
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.text[:300]}")
        return answer.value if answer.content[:1] in (b"{", b"[") else None

    def command(self, *words):
        return self.server.command(*words, cookie=self.cookie)

    def live(self):
        """The newest value of the audience's stream."""
        return snapshot(self.server.base, path="/api/audience/events")["live"]

    def wait(self, condition, seconds=PATIENCE):
        if not until(lambda: condition(self.live()), seconds, every=0.02):
            raise RuntimeError(f"the hall says {self.live()}")

    def go(self, piece, played):
        """The music is at a played measure of a piece, both from 0."""
        if self.live()["pieceName"] == self.pieces[piece]:
            self.command("goto", f"p:{played}")
        else:
            # An intermission ends after it, so that phones find nothing else on the way.
            self.command("piece", str(piece + 1), f"p:{played}")
            with contextlib.suppress(Refused):  # there was none
                self.command("intermission", "off")
            # It is under way; otherwise its beginning would be awaited.
            self.command("goto", f"p:{played}")
        self.wait(lambda live: live["view"] != "ended" and live["pieceName"] == self.pieces[piece])

    @functools.cached_property
    def pieces(self):
        """Their names in the show, whatever an editor calls them later."""
        return [piece["name"] for piece in self.ask("GET", "/api/audience/concert")["pieces"]]


class ServedHall:
    def __init__(self):
        self.server = prepared.server(ACCOUNTS)
        self.technician = Technician(self.server)
        self.wire = Wire(self.server.port)
        self.base = f"http://127.0.0.1:{self.wire.port}"
        self.older = None
        self.speed, self.playing = 1.0, None
        self.concert = self.ask("GET", "/api/audience/concert")
        self.technician.pieces  # noqa: B018 (as they are called before any edit)
        self.edition = self.ask("GET", "/api/edit/concerts")[0]["id"]
        self.command("take")
        self.scenario("reset")

    def close(self):
        self.do_pause()
        self.wire.close()
        self.server.remove()
        if self.older:
            self.older.remove()

    def ask(self, method, path, body=None):
        return self.technician.ask(method, path, body)

    def command(self, *words):
        return self.technician.command(*words)

    def live(self):
        return self.technician.live()

    # -- scenarios ----------------------------------------------------------------------------------------

    def scenario(self, named):
        """Makes a situation happen: a name, and after a question mark what it needs, as in `at?piece=4&played=12`."""
        name, _, query = named.partition("?")
        getattr(self, "do_" + name)(**dict(urllib.parse.parse_qsl(query)))
        return {"live": self.live(), "streams": self.wire.streams, "requests": dict(self.wire.requests)}

    def do_state(self):
        """Only says how it stands."""

    def do_reset(self):
        self.do_pause()
        if self.wire.inner != self.server.port:
            self.do_true()
        self.wire.mend()
        with contextlib.suppress(Refused):  # there was none
            self.command("panic-over")
        while self.undone():
            pass
        self.switch("live")
        self.do_withdraw()
        self.do_at("4", "12")

    def undone(self):
        try:
            self.ask("POST", f"/api/edit/concerts/{self.edition}/undo", {})
            return True
        except RuntimeError:
            return False

    def do_at(self, piece="4", played="0"):
        """The music is at a played measure (from 0) of a piece (from 1)."""
        self.technician.go(int(piece) - 1, int(played))
        self.technician.wait(lambda live: live["played"] == int(played))

    def do_beyond(self, piece="4", played="0"):
        """The same, for a measure that the content's map of the piece does not have."""
        self.technician.go(int(piece) - 1, int(played))

    def do_speed(self, x="1"):
        self.speed = float(x)

    def do_play(self):
        """The music goes on, bar by bar, by the measure times of the reference."""
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

    def do_before(self):
        """A new show, of which nothing was played yet."""
        self.server.stop()
        self.server.command_line.append("--new")
        try:
            self.server.start()
        finally:
            self.server.command_line.remove("--new")
        self.command("take")

    def do_over(self):
        """The follower hears the end of the last piece, and then no music for as long as the first applause."""
        last = len(self.concert["pieces"]) - 1
        final = len(self.concert["pieces"][last]["measures"]) - 1
        self.do_at(str(last + 1), str(final))
        self.release()
        self.server.line("over")
        self.technician.wait(lambda live: live["phase"] == "over", ENDING)
        self.command("take")

    def do_none(self):
        """Nothing plays: an intermission."""
        self.do_view(**{"is": "ended"})

    def do_stop(self):
        """A hard stop, by two presses of panic."""
        self.command("panic")
        self.command("panic")
        self.technician.wait(lambda live: live["view"] == "ended")

    def do_view(self, **words):
        """The technician's setting for phones: live, frozen, black or ended."""
        self.switch(words["is"])
        self.technician.wait(lambda live: live["view"] == words["is"])

    def switch(self, view):
        for command, shown in (("blackout", "black"), ("freeze", "frozen"), ("intermission", "ended")):
            with contextlib.suppress(Refused):  # it is so already
                self.command(command, "on" if view == shown else "off")

    def do_take(self):
        """The baton goes to the follower and back to the technician, who leave the music where it is."""
        self.release()
        self.command("take")

    def release(self):
        """The follower gets the baton when it has reported the measure at which the music is."""
        live = self.live()
        self.server.line(f"report piece={live['piece'] + 1} played={live['played']}")
        # With an older report the music would go back, and a jump after the release would wait for its proof.
        if not until(lambda: self.follower_is_at(live), PATIENCE):
            raise RuntimeError(f"the follower does not report {live}")
        self.command("release")

    def follower_is_at(self, live):
        follower = self.server.snapshot(self.technician.cookie)["follower"]
        return all(follower[part] == live[part] for part in ("piece", "played"))

    def do_back(self, by="1"):
        self.command("nudge", "-" + by)

    def do_renew(self):
        """The server dies and begins its next term."""
        self.server.kill()
        self.server.start()

    # -- an older server ----------------------------------------------------------------------------------

    def do_fork(self):
        """From here on there is an older server of the same show, at the first measure, that believes in itself."""
        self.server.kill()
        self.older = Scripted(data=prepared.copied(self.server.data), signs_in=True)
        technician = Technician(self.older)
        technician.go(3, 0)
        # Each start begins a term: the second is newer than the older server's.
        self.server.start()
        self.do_renew()

    def do_old(self):
        """Phones find the older server."""
        self.wire.lead_to(self.older.port)

    def do_true(self):
        self.wire.lead_to(self.server.port)

    def do_late(self):
        """The first position that the streams of now have carried comes again."""
        self.wire.say(self.wire.carried(b"event: live\n")[0])

    # -- messages -----------------------------------------------------------------------------------------

    def do_message(self, kind="button"):
        self.do_withdraw()  # the same words again are no news while they stand
        self.command("message", *MESSAGES[kind])

    def do_withdraw(self):
        with contextlib.suppress(Refused):  # there was none
            self.command("withdraw")

    # -- editors ------------------------------------------------------------------------------------------

    def write_slide(self, words):
        """Rewrites the slide that is shown."""
        live = self.live()
        for slides in self.tracks(live["piece"])[:1]:
            passed = [node for node in slides if node["played"] is not None and node["played"] <= live["played"]]
            self.edit({"set": (passed or slides)[-1 if passed else 0]["id"], "field": "text", "to": words})

    def do_edit(self):
        """The text of the slide that is shown changes."""
        self.write_slide("A late edit has arrived.")

    def do_headless(self):
        """The tracks of the piece that plays lose their first slides."""
        self.edit(*({"remove": slides[0]["id"]} for slides in self.tracks(self.live()["piece"])))

    def do_slideless(self):
        """The concert has no text of the piece that plays."""
        piece = [node for node in self.nodes() if node["kind"] == "piece"][self.live()["piece"]]
        self.edit(*({"remove": node["id"]} for node in self.nodes()
                    if node["kind"] == "track" and node["parent"] == piece["id"]))

    def do_short(self, to="60"):
        """The content's map of the piece loses the bars behind one; the show plays them all."""
        self.write("piece", "measures", lambda rows: "\n".join(rows.split("\n")[:int(to)]))

    def do_textless(self):
        """The concert does not have the piece that plays."""
        self.write("piece", "name", lambda name: name + " (another edition)")

    def do_cast(self):
        self.write("concert", "cast", lambda _: "Anna Berg, violin, $hall-mountain.svg\nThe Players")

    def nodes(self):
        return self.ask("GET", f"/api/edit/concerts/{self.edition}")["nodes"]

    def tracks(self, piece):
        """The slides of each track of a piece, as nodes."""
        nodes = self.nodes()
        node = [node for node in nodes if node["kind"] == "piece"][piece]
        return [[slide for slide in nodes if slide["kind"] == "slide" and slide["parent"] == track["id"]]
                for track in nodes if track["kind"] == "track" and track["parent"] == node["id"]]

    def write(self, kind, field, change):
        """Edits one field of the concert, or of the piece that plays."""
        nodes = [node for node in self.nodes() if node["kind"] == kind]
        node = nodes[self.live()["piece"] if kind == "piece" else 0]
        self.edit({"set": node["id"], "field": field, "to": change(node["fields"].get(field, ""))})

    def edit(self, *changes):
        path = f"/api/edit/concerts/{self.edition}"
        self.ask("POST", path + "/edits", {"base": self.ask("GET", path)["revision"], "label": "late",
                                           "changes": list(changes)})

    # -- the way between the hall and its phones ----------------------------------------------------------

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
