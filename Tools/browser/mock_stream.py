"""The running desk: its show, its listeners, and the scenarios that trouble them."""

import json
import threading
import time

from mock_pieces import Fault
from mock_show import Show

# As a technician may write.
ALL_CUE_KINDS = ["note", "slide", "message", "osc", "mqtt"]


class Desk:
    """The show, its listeners and the switches of the scenarios."""

    def __init__(self, sign_in):
        self.lock = threading.Condition()
        self.show = Show()
        self.sign_in = sign_in
        self.sessions = {}
        self.listeners = {}
        self.serial = 0
        self.stalled_until = self.down_until = self.crowded_until = 0.0
        self.generation = 0
        self.cue_kinds = ALL_CUE_KINDS
        self.spoken_term = None     # a term the stream claims instead of the true one

    def run(self):
        last, sent, beat, meter, point = time.time(), {}, 0.0, 0.0, 0.0
        while True:
            time.sleep(0.04)
            with self.lock:
                now = time.time()
                show = self.show
                show.advance(now - last)
                last = now
                sections = show.sections()
                meters = sections.pop("meters")
                if now - point >= 0.5:
                    point = now
                    show.history = show.history[-239:] + [[show.now_ms, round(show.confidence, 3), show.state]]
                    show.packets += 2 if show.panic != "stop" else 0
                for name, value in sections.items():
                    plain = without_flicker(name, value)
                    if sent.get(name) != plain:
                        sent[name] = plain
                        self.publish(name, value)
                if now - meter >= 0.1:
                    meter = now
                    self.publish("meters", meters)
                if now - beat >= 1.0:
                    beat = now
                    self.publish("beat", {"at": show.now_ms})
                for notice in show.notices:
                    self.publish("notice", notice)
                show.notices.clear()

    def claim(self, name, value):
        """What the stream says when it claims another term."""
        if self.spoken_term is None:
            return value
        value = json.loads(json.dumps(value))
        if name == "show":
            value["server"]["term"] = self.spoken_term
        if name == "position":
            value["epoch"] = f"{self.spoken_term}.{self.show.change}"
            value["measure"] = 1
        return value

    def publish(self, name, value):
        if time.time() < self.stalled_until:
            return
        self.serial += 1
        value = self.claim(name, value)
        if name == "position":
            value = dict(value, sentAt=time.time() * 1000)
        text = f"id: {self.serial}\nevent: {name}\ndata: {json.dumps(value)}\n\n".encode()
        for queue in self.listeners.values():
            queue.append(text)
        self.lock.notify_all()

    def snapshot(self):
        sections = {name: self.claim(name, value) for name, value in self.show.sections().items()}
        sections["history"] = {"confidence": [
            [at - self.show.now_ms, confidence, state] for at, confidence, state in self.show.history]}
        return f"retry: 500\nid: {self.serial}\nevent: snapshot\ndata: {json.dumps(sections)}\n\n".encode()

    def scenario(self, name, query):
        show = self.show
        if name == "lost":
            show.lose()
        elif name == "coast":
            show.coast()
        elif name == "found":
            show.find()
        elif name == "fault":
            show.fault("mqtt",
                       "The MQTT broker 10.0.0.5:1883 does not answer; cues to it are kept back. Check its cable.")
        elif name == "fault-over":
            show.fault_over()
        elif name == "input-lost":
            show.input_lost = True
            show.fault("input", "The sound device “USB Audio” is gone. Plug it in again; listening goes on by itself.")
        elif name == "input-back":
            show.input_lost = False
            show.fault_over()
        elif name == "editor":
            self.cue_kinds = ["note", "slide", "message"]
        elif name == "stall":
            self.stalled_until = time.time() + float(query.get("s", "4"))
        elif name == "crowded":
            self.crowded_until = time.time() + float(query.get("s", "4"))
            self.generation += 1
        elif name == "down":
            self.down_until = time.time() + float(query.get("s", "3"))
            self.generation += 1
        elif name == "drop":
            self.generation += 1
        elif name == "sign-out":
            self.sessions.clear()
            self.generation += 1
        elif name == "old-term":
            self.spoken_term = max(0, show.term - 1)
            self.generation += 1
        elif name == "true-term":
            self.spoken_term = None
            self.generation += 1
        elif name == "new-term":
            show.term += 1
            show.change = 0
            self.generation += 1
        elif name == "speed":
            show.speed = float(query.get("x", "1"))
        elif name == "at":
            show._begin(int(query.get("piece", "3")) - 1, int(query.get("played", "0")))
            if query.get("standby"):
                show.standby = query["standby"]
        elif name == "backup-role":
            show.role, show.backup = "backup", True
        elif name == "backup-gone":
            show.backup = False
            show.fault("backup",
                       "The backup server is gone since 20:14. If the main server fails now, nobody takes over.")
        elif name == "reset":
            self.cue_kinds = ALL_CUE_KINDS
            self.show = Show()
            self.spoken_term, self.stalled_until, self.down_until, self.crowded_until = None, 0.0, 0.0, 0.0
            self.generation += 1
        elif name != "commands":
            raise Fault(f"There is no scenario “{name}”.", "no-such-scenario", 404)
        return self.show.log


def without_flicker(name, value):
    """A section as compared for change: without what moves by itself all the time."""
    if name == "position":
        return dict(value, sinceMs=0, tempo=round(value["tempo"], 2), fraction=round(value["fraction"], 1))
    if name == "follower":
        return dict(value, confidence=round(value["confidence"], 2), tempo=round(value["tempo"], 2),
                    fraction=round(value["fraction"], 1), bpm=0)
    return value
