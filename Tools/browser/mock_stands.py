#!/usr/bin/env python3
"""A stand-in for the rehearsal side of `baton serve`: rooms, scores, streams, a scripted follower, several users.

    Tools/browser/mock_stands.py [--port 8093]

Loopback only. Users ines (editor, owns a room), otto, vera; the password of all is “open sesame”. Scenarios by GET:
/mock/reset /mock/begin (ines begins a session) /mock/live?measure=12&trust=playing&jumped=1 (one word)
/mock/play?from=1&seconds=0.5 (the music runs, so long a measure) /mock/pause /mock/lost /mock/follow?page=3&ahead=4
/mock/turn?part=0&page=2 /mock/pin?measure=30 /mock/unpin /mock/remark /mock/expel?user=otto
/mock/drop (streams closed) /mock/gone /mock/here (everything is refused) /mock/unknown /mock/known (no room is known,
as after a change of servers)
/mock/full /mock/free (an account has as many stands as it may) /mock/forget (sign-ins) /mock/twice (the last
event comes again) /mock/gap (an event is left out of the streams) /mock/steers (a place shown to all moves the
follower)
/mock/slow?path=remarks.css&seconds=2 (files whose path ends so come late) /mock/state
"""

import collections
import hashlib
import http.server
import json
import threading
import time
import urllib.parse
import uuid

import mock_report_rehearsal
import mock_scores
import mock_web
from lib.pages import TYPES, page_file
from mock_room import Refused, Room, new_id

POLICY = ("default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
          "frame-ancestors 'none'")
USERS = {name: {"id": str(uuid.uuid5(uuid.NAMESPACE_DNS, name)), "name": name.capitalize(), "role": role}
         for name, role in (("ines", "editor"), ("otto", "musician"), ("vera", "musician"))}


class Hub:
    def __init__(self):
        self.lock = threading.Condition()
        self.scores, self.files = mock_scores.scores()
        self.generation = 0
        self.sessions = {}
        with self.lock:
            self.reset()

    def reset(self):
        self.sessions = {}
        self.gone, self.full, self.skip, self.requests = False, False, 0, collections.Counter()
        self.steers, self.slow = False, {}         # seconds that files wait, by the end of their path
        self.asked, self.unknown = [], {}           # (user, method, path); rooms nobody knows for now
        self.stands, self.settings = {}, {}        # streams; what PUT told
        self.music = None                          # (measure, seconds a measure)
        self.trust = "playing"
        ines = USERS["ines"]
        self.main = next(each for each in self.scores if any(part["name"] == "Timpani" for part in each["parts"]))
        other = next(each for each in self.scores if each is not self.main)
        self.room = Room(self.main["id"], "Tuesday rehearsal", ines["id"], ines["name"], passkey="grieg")
        self.rooms = {room.id: room for room in (
            self.room, Room(other["id"], "Chamber evening", USERS["vera"]["id"], "Vera", published=True),
            Room(other["id"], "In preparation", ines["id"], ines["name"], published=False))}
        for name in ("otto", "vera"):
            self.room.take({"id": new_id(), "join": new_id()}, USERS[name]["id"], USERS[name]["name"])
        self.generation += 1
        self.lock.notify_all()

    def score(self, identity):
        return next((each for each in self.scores if each["id"] == identity), None)

    # -- telling --------------------------------------------------------------------------------------------

    def send(self, stand, message):
        self.stands[stand]["queue"].append(f"data: {json.dumps(message)}\n\n".encode())
        self.lock.notify_all()

    def publish(self, room, event):
        if self.skip > 0:
            self.skip -= 1
            return
        for identity, stand in self.stands.items():
            if stand["room"] == room.id and (not event.get("own") or event["by"] == stand["user"]):
                message = {key: value for key, value in event.items() if key != "by" or "turn" not in event}
                self.send(identity, message)

    def act(self, room, user, act, identity=None):
        event = room.take({"id": identity or new_id(), **act}, user["id"], user["name"])
        if event:
            self.publish(room, event)
            if "turn" in event or "pinpoint" in event:
                for stand in self.stands.values():
                    stand["hand"] = True
        return event

    # -- the follower ---------------------------------------------------------------------------------------

    def word(self, measure, trust="playing", jumped=False, tempo=1.0):
        value = {"movement": 0, "tempo": tempo, "trust": trust, "jumped": jumped}
        if measure is not None:
            value.update(position={"played": measure - 1, "fraction": 0.0}, measure=measure)
        for identity, stand in list(self.stands.items()):
            if stand["room"] == self.room.id:
                self.send(identity, {"v": 1, "live": value})
                if trust == "playing" and measure is not None:
                    self.turn(identity, measure)

    def turn(self, identity, measure):
        """Turns one stand where its part has the measure on another page than before."""
        stand, told = self.stands[identity], self.settings.get(identity)
        if not told or not told["settings"]["followsMusic"]:
            return
        places = self.main["parts"][told["part"]]["places"]
        page = next((each["page"] for each in places if each["first"] <= measure <= each["last"]), None)
        facing = told["settings"]["facing"]
        sheet = page if page is None or facing == "single" else page - page % 2 if facing == "pages" else page - (
            page + 1) % 2
        if sheet is None or sheet == stand.get("wished"):
            return
        stand["wished"] = sheet
        self.send(identity, {"v": 1, "follow": {"page": sheet}})

    def run(self):
        last = beat = time.time()
        while True:
            time.sleep(0.02)
            with self.lock:
                now = time.time()
                if self.music:
                    before = int(self.music[0])
                    self.music[0] += (now - last) / self.music[1]
                    if int(self.music[0]) != before:
                        self.word(int(self.music[0]))
                last = now
                if now - beat > 1:
                    beat = now
                    for stand in self.stands.values():
                        stand["queue"].append(b"event: beat\ndata: {}\n\n")
                    self.lock.notify_all()

    # -- what the routes give -------------------------------------------------------------------------------

    def home(self, user):
        def entry(room):
            return {"id": room.id, "score": room.content["room"]["score"], "needsPasskey": room.passkey is not None,
                    "isPublished": room.content["room"]["isPublished"], "isRunning": room.running,
                    "name": {"pieces": [{"text": room.content["room"]["name"], "isMatch": False}]}}

        rooms = {"owned": [], "joined": [], "notJoined": []}
        whereabouts = None
        for room in self.rooms.values():
            role = room.role(user["id"])
            if role == "owner":
                rooms["owned"].append(entry(room))
            elif role and room.content["room"]["isPublished"]:
                rooms["joined"].append(entry(room))
            elif not room.member(user["id"]) and room.content["room"]["isPublished"]:
                rooms["notJoined"].append(entry(room))
            present = room.running and room.participation(user["id"])
            if present:
                whereabouts = {"room": room.id, "session": present["session"], "part": present["part"],
                               "page": room.whereabouts.get(user["id"], (0, None))[0], "since": present["entered"]}
                at = room.whereabouts.get(user["id"], (0, None))[1]
                if at is not None:
                    whereabouts["at"] = at
        brief = [{**{key: each[key] for key in ("id", "title", "composer", "lyricist", "arranger", "revision")},
                  "parts": [{"name": part["name"], "pages": len(part["pages"])} for part in each["parts"]]}
                 for each in self.scores]
        return {"user": user, "scores": brief, "rooms": rooms, "whereabouts": whereabouts, "live": None,
                "now": int(time.time() * 1000)}

    def receive(self, room, user, stand, message):
        """One message of a stand; gives the answer for it alone."""
        if "own" in message:
            room.whereabouts[user["id"]] = (max(message["own"], 0), int(time.time() * 1000))
            told = self.settings.get(stand, {})
            for identity, other in self.stands.items():
                pairs = self.settings.get(identity, {}).get("pair") and told.get("pair")
                if identity != stand and pairs and other["user"] == user["id"] and other["room"] == room.id:
                    self.send(identity, {"v": 1, "follow": {"page": message["own"]}})
            return None
        if "echo" in message:
            self.send(stand, {"v": 1, "echo": message["echo"]})
            return None
        if "fallIn" in message:
            return None  # the page has gone to the music's page already
        event = {key: value for key, value in message.items() if key != "v"}
        try:
            done = room.take(event, user["id"], user["name"])
            if done:
                self.publish(room, done)
            return {"v": 1, "receipt": event["id"], "seq": room.taken[event["id"]]}
        except Refused as refused:
            return {"v": 1, "id": event["id"], "refused": refused.value}

    def scenario(self, name, words):
        ines, room = USERS["ines"], self.room
        if name == "reset":
            self.reset()
        elif name == "begin":
            if not room.running:
                self.act(room, ines, {"begin": {"session": new_id(), "layer": new_id()}})
        elif name == "end":
            self.act(room, ines, {"endSession": True})
        elif name == "live":
            measure = int(words["measure"]) if words.get("measure") else None
            self.word(measure, words.get("trust", "playing"), bool(words.get("jumped")))
        elif name == "play":
            self.music = [float(words.get("from", 1)), float(words.get("seconds", 0.5))]
        elif name == "pause":
            self.music = None
        elif name == "lost":
            self.music = None
            self.word(None, "lost")
        elif name == "follow":
            for identity in self.stands:
                view = {"page": int(words["page"])}
                if words.get("ahead"):
                    view["ahead"] = int(words["ahead"])
                self.send(identity, {"v": 1, "follow": view})
        elif name == "turn":
            self.act(room, ines, {"turn": [int(words.get("part", 0)), int(words["page"])]})
        elif name == "pin":
            measure = int(words["measure"])
            place = next(each for each in self.main["parts"][0]["places"] if each["first"] <= measure <= each["last"])
            left, top, right, bottom = place["box"]
            self.act(room, ines, {"pinpoint": {"part": 0, "page": place["page"], "movement": 0, "measure": measure,
                     "point": [int((left + right) * 5000), int((top + bottom) * 5000)]}})
        elif name == "unpin":
            self.act(room, ines, {"endPinpoint": True})
        elif name == "expel":
            user = USERS[words["user"]]["id"]
            self.act(room, ines, {"expel": user})
            for identity, stand in self.stands.items():
                if stand["user"] == user:
                    self.send(identity,
                              {"v": 1, "refused": {"code": "expelled", "sentence": "You were put out of this room."}})
        elif name == "drop":
            self.generation += 1
        elif name == "unknown":
            self.unknown, self.rooms = self.rooms, {}
            self.generation += 1
        elif name == "known":
            self.rooms, self.unknown = self.unknown, {}
        elif name in ("full", "free"):
            self.full = name == "full"
            if self.full:
                self.generation += 1  # as after a cut: the stands come again
        elif name in ("gone", "here"):
            self.gone = name == "gone"
            self.generation += 1
        elif name == "forget":
            self.sessions = {}
            self.generation += 1
        elif name == "steers":
            self.steers = True
        elif name == "slow":
            self.slow[words["path"]] = float(words["seconds"])
        elif name == "twice":
            self.publish(room, room.events[-1])
        elif name == "gap":
            self.skip += 1
        elif name != "state":
            raise KeyError(name)
        self.lock.notify_all()
        return {"room": room.content, "room-id": room.id,
                "whereabouts": {user: page for user, (page, _) in room.whereabouts.items()}, "settings": self.settings,
                "stands": {key: {"user": each["user"], "room": each["room"]} for key, each in self.stands.items()},
                "asked": list(self.asked),
                "requests": dict(self.requests), "sequence": room.sequence}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub = None

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, kind="application/json", **more):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Security-Policy": POLICY,
                            "X-Content-Type-Options": "nosniff",
                            "Cache-Control": more.pop("caching", "no-store"), "Content-Length": str(len(body)),
                            "ETag": f'"{hashlib.sha1(body).hexdigest()[:12]}"', **more}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, sentence, code):
        self.answer(status, {"error": sentence, "code": code})

    @property
    def user(self):
        token = next(
            (each[6:] for each in (self.headers.get("Cookie") or "").split("; ") if each.startswith("baton=t")), None)
        return self.hub.sessions.get(token)

    def begin(self):
        self.path_only, _, query = self.path.partition("?")
        self.words = dict(urllib.parse.parse_qsl(query))
        self.steps = urllib.parse.unquote(self.path_only).strip("/").split("/")
        length = int(self.headers.get("Content-Length") or 0)
        self.body = json.loads(self.rfile.read(length) or b"null") if length else None
        hub = self.hub
        if hub.gone and self.steps[0] != "mock":
            self.close_connection = True
            self.connection.close()
            return False
        with hub.lock:
            hub.requests[self.path_only] += 1
        if self.command != "GET" and self.headers.get("X-Baton") != "1":
            self.refuse(403, "A change needs the header X-Baton: 1.", "header")
            return False
        if self.steps[0] == "api" and self.steps[1] not in ("login", "logout"):
            if not self.user:
                self.refuse(401, "Please sign in.", "sign-in")
                return False
            with hub.lock:
                hub.asked.append((self.user["name"].lower(), self.command, self.path))
            if self.words.get("user", self.user["id"]) != self.user["id"]:
                self.refuse(401, "Somebody else is signed in.", "other-user")
                return False
        return True

    def do_GET(self):
        if not self.begin():
            return None
        steps, hub, user = self.steps, self.hub, self.user
        if steps[0] == "mock":
            with hub.lock:
                try:
                    return self.answer(200, hub.scenario(steps[1], self.words))
                except KeyError:
                    return self.answer(404, {})
        if steps[0] != "api":
            return self.page()
        if steps[1:] == ["stand", "home"]:
            with hub.lock:
                return self.answer(200, hub.home(user))
        if steps[1] == "me":
            return self.answer(200, {"name": user["name"], "role": user["role"], "signIn": True})
        if steps[1] == "scores":
            return self.score()
        if steps[1] == "rooms" and steps[2] in hub.rooms:
            return self.room_get(hub.rooms[steps[2]], steps[3:])
        return self.refuse(404, "There is nothing here.", "nothing")

    def page(self):
        path = self.path_only
        time.sleep(next((seconds for end, seconds in self.hub.slow.items() if path.endswith(end)), 0))
        file = page_file(path)
        if file is None:
            return self.answer(404, b"{}")
        return self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"),
                           caching="no-cache")

    def score(self):
        steps, hub = self.steps, self.hub
        score = hub.score(steps[2])
        if not score:
            return self.refuse(404, "There is no such score.", "no-score")
        if len(steps) == 3:
            return self.answer(200, score)
        path = hub.files[score["id"]][int(steps[4])][int(steps[6])]
        return self.answer(200, mock_scores.picture(path), "image/svg+xml",
                           caching="private, max-age=31536000, immutable")

    def room_get(self, room, steps):
        hub = self.hub
        if steps == ["stream"]:
            return self.stream(room)
        if steps[0] == "stands":
            with hub.lock:
                told = hub.settings.get(steps[1], {})
            return self.answer(200, {**({"settings": told["settings"]} if told else {}), "steers": hub.steers})
        if steps == ["present"]:
            with hub.lock:
                return self.answer(
                    200, {"users": sorted({each["user"] for each in hub.stands.values() if each["room"] == room.id})})
        if steps == ["sessions"]:
            return self.answer(200, mock_report_rehearsal.sessions())
        if steps == ["report"]:
            return self.answer(200, mock_report_rehearsal.report(hub.main, USERS))
        return self.refuse(404, "There is nothing here.", "nothing")

    def stream(self, room):
        hub, user, stand = self.hub, self.user, self.words["stand"]
        member = room.member(user["id"])
        if not member or member["status"] != "joined":
            return self.refuse(403, "You are not a member of this room.", "not-a-member")
        if hub.full:
            return self.refuse(409, "16 stands are open with your account, the most there may be; close one of them, "
                               "then open this one again.", "too-many")
        self.send_response(200)
        for name, value in (("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                            ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        queue = collections.deque()
        with hub.lock:
            generation = hub.generation
            mine = hub.stands[stand] = {"user": user["id"], "room": room.id, "queue": queue}
            queue.append(b"retry: 500\n\n")
            for message in room.since(self.words["seen"], user["id"]):
                hub.send(stand, message)
        try:
            while True:
                with hub.lock:
                    while not queue and hub.generation == generation and hub.stands.get(stand) is mine:
                        hub.lock.wait(1)
                    if hub.generation != generation or hub.stands.get(stand) is not mine:
                        return None
                    parts = b"".join(queue)
                    queue.clear()
                self.wfile.write(parts)
        except OSError:
            pass  # the stand hung up
        finally:
            with hub.lock:
                if hub.stands.get(stand) is mine:
                    del hub.stands[stand]

    def do_POST(self):
        if not self.begin():
            return None
        steps, hub, user, body = self.steps, self.hub, self.user, self.body
        if steps == ["api", "login"]:
            known = USERS.get((body.get("name") or "").lower())
            if not known or body.get("password") != "open sesame":
                return self.refuse(401, "Name or passphrase are wrong.", "wrong")
            token = f"t{new_id()}"
            hub.sessions[token] = known
            return self.answer(200, {"name": known["name"], "role": known["role"]},
                               **{"Set-Cookie": f"baton={token}; Path=/; HttpOnly; SameSite=Strict"})
        if steps == ["api", "logout"]:
            return self.answer(200, {}, **{"Set-Cookie": "baton=; Path=/; Max-Age=0"})
        if steps == ["api", "rooms"]:
            with hub.lock:
                room = Room(body["score"], body["name"], user["id"], user["name"], body["passkey"], body["published"],
                            body["id"], body["membership"])
                hub.rooms[room.id] = room
            return self.answer(200, {"id": room.id})
        room = hub.rooms.get(steps[2]) if len(steps) > 3 and steps[1] == "rooms" else None
        if not room:
            return self.refuse(404, "There is nothing here.", "nothing")
        if steps[3] == "join":
            if room.passkey is not None and body["passkey"] != room.passkey:
                return self.refuse(403, "This is not the room's passkey.", "wrong-passkey")
            with hub.lock:
                hub.act(room, user, {"join": body["membership"]}, body["event"])
            return self.answer(200, {})
        if steps[3] == "send":
            messages = body if isinstance(body, list) else [body]
            with hub.lock:
                answers = [hub.receive(room, user, self.words["stand"], message) for message in messages]
            return self.answer(200, [each for each in answers if each])
        return self.refuse(404, "There is nothing here.", "nothing")

    def do_PUT(self):
        if not self.begin():
            return None
        steps, hub = self.steps, self.hub
        if steps[3] == "stands":
            with hub.lock:
                hub.settings[steps[4]] = self.body
            return self.answer(200, {"settings": self.body["settings"]})
        if steps[3] == "passkey":
            hub.rooms[steps[2]].passkey = self.body["passkey"]
            return self.answer(200, {})
        return self.refuse(404, "There is nothing here.", "nothing")

    def do_DELETE(self):
        if not self.begin():
            return None
        self.hub.rooms.pop(self.steps[2], None)
        return self.answer(200, {})


def serve(port):
    """Starts the hub on loopback; returns the server, already running in threads of its own."""
    return mock_web.serve(port, Handler, hub=Hub())


if __name__ == "__main__":
    mock_web.stay(serve(mock_web.parser(__doc__, 8093).parse_args().port), "/stand")
