"""A rehearsal that the tests of the stand make happen: a real server behind a wire, its users, and their rooms."""

import atexit
import contextlib
import functools
import http.client
import itertools
import json
import shutil
import sqlite3
import time
import uuid

import prepared
from browser import PATIENCE
from lib import web
from lib.waiting import wait_for
from lib.web import Refused, read_events
from served_hall import Technician
from wire import Wire

PASSWORD = "open sesame 1"
# As long as a name may be. She is in the room, and has no stand: the tests see the room through her.
LONGEST = "Maximiliane-Friederike Donaudampfschifffahrtsgesellschaft zu Ulm"
ACCOUNTS = (("Ines", "editor", PASSWORD), ("Otto", "musician", PASSWORD), ("Vera", "musician", PASSWORD),
            (LONGEST, "musician", PASSWORD), ("anna", "administrator", "four plain words here"))
GRIEG = 3  # the piece of the main room in the concert, from 0
MOST_STANDS = 16  # of one account
PLAIN = {"leadSeconds": 1, "leadFollowsTempo": True, "pageLeads": [], "halfTurns": False, "facing": "single",
         "latencySeconds": 0, "followsMusic": True}
# A rehearsal: its length in ms, the bars of a passage that is played three times, a late bar, and by how many s.
LASTED, RETAKE, LATE_BAR, LATE = 600_000, (26, 33), 48, 0.5
APART = 0.06  # s at least between two looks at the room: stands may ask fifty times a second


@functools.cache
def shared():
    """One server for all tests of a run; each begins with `reset`."""
    rehearsal = ServedStands()
    atexit.register(rehearsal.close)
    return rehearsal


def new():
    return str(uuid.uuid4())


class ServedStands:
    def __init__(self, *options):
        # With the models of the repository's concert, for players who are followed by their own stand.
        self.server = prepared.server(ACCOUNTS, "--models", "Models", *options)
        # The main server of a pair looks for another one first.
        wait_for(lambda: web.ask(self.server.base, "GET", "/healthz").value["role"] in ("alone", "main"), 20,
                 "the server leads")
        self.technician = Technician(self.server)
        self.wire = Wire(self.server.port)
        self.base = f"http://127.0.0.1:{self.wire.port}"
        self.cookies, self.people, self.others = {}, {}, []
        self.looked, self.eye = 0.0, new()
        self.users = {each["name"].lower(): each["id"] for each in self.ask("ines", "/api/library/users")}
        scores = self.ask("ines", "/api/stand/home")["scores"]
        main = next(each for each in scores if any(part["name"] == "Timpani" for part in each["parts"]))
        other = next(each for each in scores if each is not main)
        self.score, self.other = (self.ask("ines", f"/api/scores/{each['id']}") for each in (main, other))
        for name, score in itertools.product(("otto", "vera", LONGEST), (main, other)):
            self.ask("ines", "/api/library/bundles", {"user": self.id(name), "score": score["id"]})
        self.command("take")

    def close(self):
        self.free()
        self.wire.close()
        self.server.remove()

    # -- what programs ask --------------------------------------------------------------------------------

    def id(self, name):
        return self.users[name.lower()]

    def cookie(self, name):
        if name not in self.cookies:
            self.cookies[name] = self.server.sign_in(name, PASSWORD)
        return self.cookies[name]

    def ask(self, name, path, body=None, method=None):
        method = method or ("GET" if body is None else "POST")
        answer = self.server.ask(method, path, body, self.cookie(name))
        if answer.status == 401:
            # An account keeps its twenty newest sign-ins, and every test's browser makes one.
            del self.cookies[name]
            answer = self.server.ask(method, path, body, self.cookie(name))
        if answer.status != 200:
            raise Refused(f"{path}: {answer.status} {answer.text[:300]}", answer.status)
        return answer.value

    def command(self, *words):
        return self.technician.command(*words)

    def send(self, name, room=None, stand=None, **message):
        """One message of somebody's stand; an event unless it has no id."""
        return self.ask(name, f"/api/rooms/{room or self.room_id}/send?stand={stand or new()}", {"v": 1, **message})

    def act(self, name, **act):
        """An event of the main room."""
        [answer] = self.send(name, id=new(), **act)
        if "refused" in answer:
            raise Refused(str(answer["refused"]), 200)

    # -- the rooms ----------------------------------------------------------------------------------------

    def reset(self):
        """New rooms, plain settings, a wire that is whole, and music of another piece than theirs."""
        self.free()
        self.wire.mend()
        self.command("rehearsal", "off")
        self.technician.go(0, 0)
        for name in ("ines", "vera"):
            for room in self.ask(name, "/api/stand/home")["rooms"]["owned"]:
                self.ask(name, f"/api/rooms/{room['id']}", method="DELETE")
        self.room_id = self.make_room("ines", self.score, "Tuesday rehearsal", published=True)
        self.chamber_id = self.make_room("vera", self.other, "Chamber evening", published=True)
        self.make_room("ines", self.other, "In preparation", published=False)
        for name in ("otto", "vera", LONGEST):
            self.act(name, join=new())
        for name in ("ines", "otto"):
            if self.settings(name) != PLAIN:
                self.ask(name, f"/api/rooms/{self.room_id}/stands/{new()}",
                         {"part": 0, "page": 0, "settings": PLAIN}, "PUT")
        self.wire.asked.clear()

    def make_room(self, owner, score, name, published):
        return self.ask(owner, "/api/rooms", {"id": new(), "membership": new(), "score": score["id"], "name": name,
                                              "passkey": None, "published": published})["id"]

    def room(self):
        """The main room as a member sees it."""
        time.sleep(max(0, self.looked + APART - time.monotonic()))
        self.looked = time.monotonic()
        with self.stream(LONGEST, self.eye) as messages:
            return next(value["snapshot"] for value in messages if "snapshot" in value)

    @contextlib.contextmanager
    def stream(self, name, stand, seen="new"):
        """The messages that a user's stand gets, one after another."""
        link = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        try:
            link.request("GET", f"/api/rooms/{self.room_id}/stream?stand={stand}&seen={seen}&programme=1",
                         headers={"Cookie": self.cookie(name)})
            yield (value for _, value in read_events(link.getresponse()) if value)
        finally:
            link.close()

    def newest(self, name):
        """The newest `seen` value of a user's stand that has received everything."""
        with self.stream(name, new()) as messages:
            return next(value["seen"] for value in messages if "seen" in value)

    def taken(self, name, since):
        """The ids of the events that the room has taken since then, of those that somebody may see."""
        stand, echo, ids = new(), new(), set()
        with self.stream(name, stand, since) as messages:
            self.send(name, stand=stand, echo=echo)
            for value in itertools.takewhile(lambda value: value.get("echo") != echo, messages):
                ids.add(value.get("id"))
        return ids

    def settings(self, name):
        """The settings with which a user's stands turn the main score's pages."""
        return self.ask(name, f"/api/rooms/{self.room_id}/stands/{new()}")["settings"]

    def page(self, name):
        """The page that somebody plays from, as the server knows it; None before."""
        return (self.ask(name, "/api/stand/home")["whereabouts"] or {}).get("page")

    def present(self):
        """The users who have a stand in the main room now."""
        return [each for each in self.ask("ines", f"/api/rooms/{self.room_id}/present")["users"]
                if each != self.id(LONGEST)]

    # -- what happens -------------------------------------------------------------------------------------

    def begin(self):
        """The owner begins a session, unless one runs."""
        session = self.room().get("session")
        if not session or "ended" in session:
            self.act("ines", begin={"session": new(), "layer": new()})

    def music(self, measure):
        """The music is at a measure of the main room's piece; its page turns by itself where it is due."""
        self.technician.go(GRIEG, measure - 1)

    def lose(self):
        """The follower gets the baton and has lost the place."""
        wait_for(self.is_lost, PATIENCE, "the follower says that it is lost", every=0.2)
        self.command("release")

    def is_lost(self):
        """Again and again: a technician's order that is still on its way makes the follower sure of its place."""
        self.server.scenario("lost")
        return self.server.snapshot(self.technician.cookie)["follower"]["state"] == "lost"

    def find(self):
        """A technician has the baton again."""
        self.command("take")

    def steer(self):
        """Places shown to all move the follower from now on."""
        self.technician.go(GRIEG, 0)
        self.command("rehearsal", "on")

    def pin(self, measure):
        place = next(each for each in self.score["parts"][0]["places"] if each["first"] <= measure <= each["last"])
        left, top, right, bottom = place["box"]
        self.act("ines", pinpoint={"part": 0, "page": place["page"], "movement": 0, "measure": measure,
                                   "point": [int((left + right) * 5000), int((top + bottom) * 5000)]})

    def lock_chamber(self, passkey):
        self.ask("vera", f"/api/rooms/{self.chamber_id}/passkey", {"passkey": passkey}, "PUT")

    def lose_turn(self):
        """The stands of now do not get the next turn for all, nor the page that follows from it."""
        self.wire.lose(b'"turn":', b'"follow":')

    def repeat(self):
        """The last event that stands have got comes again."""
        self.wire.say(self.wire.carried(b'"seq":')[-1])

    def fill(self, name):
        """Somebody's other stands take all places; the one behind the wire comes again, as after a cut."""
        self.wire.cut()
        for _ in range(MOST_STANDS):
            link = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
            link.request("GET", f"/api/rooms/{self.room_id}/stream?stand={new()}&seen=new",
                         headers={"Cookie": self.cookie(name)})
            link.getresponse()
            self.others.append(link)
        self.wire.mend()

    def free(self):
        for link in self.others:
            link.close()
        self.others.clear()

    @contextlib.contextmanager
    def stopped(self):
        """While the server is down; it goes on with what then lies in its data folder."""
        self.server.stop()
        try:
            yield self.server.data
        finally:
            self.server.start()

    def rehearse(self):
        """Leaves a session of ten minutes in the main room, in which the follower has heard what `heard` says.

        What happened is the server's own; only its times of day are put back, and the follower's positions written,
        because nobody can wait for them.
        """
        heard = list(self.heard())
        self.begin()
        self.act("otto", enter={"participation": new(), "part": 2})
        self.act("ines", turn=[0, 1])
        self.pin(RETAKE[0])
        self.act("ines", endSession=True)
        with self.stopped() as data, contextlib.closing(sqlite3.connect(data / "rooms.sqlite")) as rooms, rooms:
            number = rooms.execute("SELECT number FROM room WHERE id = ?", [self.room_id]).fetchone()[0]
            session, began = rooms.execute("SELECT id, began FROM session WHERE room = ?", [number]).fetchone()
            rooms.execute("UPDATE session SET began = ? WHERE room = ?", [began - LASTED, number])
            for sequence, json_text in rooms.execute("SELECT sequence, json FROM event WHERE room = ?",
                                                     [number]).fetchall():
                event = json.loads(json_text)
                if "endSession" not in event:
                    event["at"] -= LASTED
                    rooms.execute("UPDATE event SET json = ? WHERE room = ? AND sequence = ?",
                                  [json.dumps(event).encode(), number, sequence])
            rooms.executemany("INSERT INTO word (room, session, at, json) VALUES (?, ?, ?, ?)", [
                (number, session, began - LASTED + 1000 + round(1000 * seconds), json.dumps(word).encode())
                for seconds, word in heard])

    def heard(self):
        """The reference's bars at its own times, one of them late, and a passage three times: (seconds, position)."""
        concert = self.technician.ask("GET", "/api/audience/concert")
        times = [measure["time"] for measure in concert["pieces"][GRIEG]["measures"]]
        first, last = RETAKE
        seconds = 0.0
        for begin, end in ((1, last), (first, last), (first, len(times))):
            for measure in range(begin, end + 1):
                yield seconds, {"movement": 0, "position": {"played": measure - 1, "fraction": 0}, "measure": measure,
                                "tempo": 1, "trust": "playing", "jumped": measure == begin and seconds > 0}
                last_one = measure == len(times)
                seconds += 2 if last_one else times[measure] - times[measure - 1]
                seconds += LATE if measure == LATE_BAR else 0
        yield seconds, {"movement": 0, "tempo": 0, "trust": "finished", "jumped": False}

    def hide_rooms(self):
        """The server knows no room, as after a change of servers."""
        with self.stopped() as data:
            self.hidden = prepared.new_folder()
            for file in data.glob("rooms.sqlite*"):
                shutil.move(file, self.hidden)

    def show_rooms(self):
        with self.stopped() as data:
            for file in data.glob("rooms.sqlite*"):
                file.unlink()
            for file in self.hidden.iterdir():
                shutil.move(file, data)

    # -- who asked ----------------------------------------------------------------------------------------

    def asked_as(self, name):
        """The requests over the wire with a user's sign-in, as (method, path)."""
        return [(each.method, each.path) for each in list(self.wire.asked) if self.holder(each.cookie) == self.id(name)]

    def holder(self, cookie):
        """The id of the user whose sign-in it is; None if it is nobody's."""
        if cookie not in self.people:
            answer = self.server.ask("GET", "/api/stand/home", cookie=cookie)
            if answer.status != 200:
                return None
            self.people[cookie] = answer.value["user"]["id"]
        return self.people[cookie]
