"""A simulated show: a follower that plays, gets lost and is found; a desk that obeys the command table.

Not the real rules in every corner, only enough of them to build and test the pages against.
"""

import datetime
import math
import random
import time

from mock_commands import Commands
from mock_pieces import CUES, TEMPLATES, programme, read_cues
from mock_sections import Sections

CHECKS = [
    ("input", "Audio input level", "pass", "Peaks at −11 dB, noise floor at −61 dB."),
    ("xruns", "Dropouts of the sound device", "pass", "None in 30 s."),
    ("match", "Live match, 30 s", "warn",
     "Matched after 9 s. Fine, but the hall is loud: check the microphone's place."),
    ("references", "References load", "pass", "All 5 pieces, 9 references."),
    ("disk", "Disk", "pass", "79 GB free; a concert needs 0.1 GB."),
    ("clock", "Clock", "pass", "Synchronised, 3 ms off."),
    ("priority", "Real-time priority", "fail",
     "Not granted. Add this user to the group “audio”, sign out and in, and check again."),
    ("multicast", "Multicast seen on the interface", "pass", "Own packets heard on eth0 within 1 ms."),
    ("osc-desk", "Target: light desk (OSC)", "pass", "Answered in 2 ms."),
    ("mqtt-hall", "Target: hall broker (MQTT)", "skipped", "Not set up for this show."),
]


class Show(Commands, Sections):
    """All state of the simulated server; the caller holds the lock."""

    def __init__(self):
        self.pieces = programme()
        self.cues = {index: [] for index in range(len(self.pieces))}
        for index, text in CUES.items():
            self.cues[index] = read_cues(text, self.pieces[index])
        self.began = time.time()
        self.started = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        self.term, self.change = 1, 4
        self.piece, self.beat = 2, 52.0      # `beat`: played index with its fraction
        self.seen_piece, self.seen = 2, 52.0
        self.heard = {0, 1}
        self.holder = {"kind": "follower", "name": ""}
        self.state, self.mode_since = "following", time.time()
        self.held = self.locked = self.rehearsal = self.paused = self.intermission = False
        self.auto_advance = True
        self.panic, self.panic_at, self.go_at = "none", 0.0, 0.0
        self.black = self.frozen = False
        self.tempo, self.confidence, self.speed = 1.03, 0.96, 1.0
        self.candidates = []
        self.standby = "c5"
        self.message, self.templates = None, list(TEMPLATES)
        self.faults, self.targets = {}, [
            {"kind": "osc", "name": "light desk 10.0.0.20:8000", "ok": True, "detail": "answered 2 ms ago"},
            {"kind": "multicast", "name": "239.255.0.1:5004 on eth0", "ok": True, "detail": "5 packets a second"},
        ]
        self.check = {"running": False, "progress": 0, "items": []}
        self.check_began = None
        self.input_lost = self.silent = False
        self.packets, self.backup, self.role = 8_214, True, "main"
        self.history = self._past()
        self.state_name = None
        self.notices = []
        self.log = []
        for cue in self.cues[2]:
            cue["fired"] = cue["played"] < self.seen and cue["auto"] == "yes"

    def _past(self):
        points, now = [], 0
        for step in range(240):
            confidence = 0.9 + 0.07 * math.sin(step / 17) + random.Random(step).uniform(-0.02, 0.02)
            state = "following"
            if 96 <= step < 108:
                confidence, state = 0.45 + (step - 96) * 0.01, "coasting"
            if 108 <= step < 120:
                confidence, state = 0.18, "lost"
            points.append([now - (240 - step) * 500, round(min(0.99, confidence), 3), state])
        return points


    @property
    def now_ms(self):
        return int((time.time() - self.began) * 1000)

    def advance(self, seconds):
        """Moves the music and everything that hangs on it."""
        piece = self.pieces[self.piece]
        per_measure = piece["secondsPerMeasure"]
        self.tempo = round(1.0 + 0.06 * math.sin(self.beat / 9) + 0.02 * math.sin(self.beat / 2.3), 3)
        if not (self.paused or self.intermission or self.silent):
            self.beat += seconds * self.speed * self.tempo / per_measure
        last = len(piece["order"]) - 0.01
        if self.beat >= last:
            self.beat = last
            self._set_state("finished")
            if self.auto_advance and self.piece + 1 < len(self.pieces) and not self.locked:
                self._begin(self.piece + 1, 0)
        wanted = {"following": 0.95, "coasting": 0.5, "lost": 0.17, "waiting": 0.4, "finished": 0.9}[self.state]
        self.confidence += (wanted - self.confidence) * min(1, seconds * 2) + random.uniform(-0.006, 0.006)
        self.confidence = max(0.02, min(0.995, self.confidence))
        if self.holder["kind"] == "follower" and not self.held and self.state in ("following", "coasting"):
            self._show(self.beat)
        if self.check_began is not None:
            self._check()

    def _show(self, place):
        """Moves the authoritative position and fires what lies on the way by play."""
        before, self.seen = self.seen, place
        if self.panic != "none" or self.paused or self.rehearsal:
            return
        for cue in self.cues[self.seen_piece]:
            if cue["auto"] == "yes" and not cue["fired"] and int(before) < cue["played"] <= int(place):
                self._fire(cue)

    def _fire(self, cue):
        cue["fired"] = True
        if self.standby == cue["id"]:
            self._standby_after(cue)

    def _standby_after(self, cue):
        later = [other for other in self.cues[self.seen_piece] if other["played"] > cue["played"]]
        self.standby = later[0]["id"] if later else None

    def _set_state(self, state):
        if state != self.state:
            self.state, self.mode_since = state, time.time()

    def _begin(self, index, played):
        self.heard.add(self.seen_piece)
        self.piece = self.seen_piece = index
        self.beat = self.seen = float(played)
        for cue in self.cues[index]:
            cue["fired"] = False
        first = [cue for cue in self.cues[index] if cue["played"] >= played]
        self.standby = first[0]["id"] if first else None
        self._set_state("following")
        self.candidates = []

    def _check(self):
        elapsed = (time.time() - self.check_began) / 3.0
        done = int(elapsed * len(CHECKS))
        self.check = {
            "running": done < len(CHECKS), "progress": round(min(1, elapsed), 2),
            "items": [
                {"id": key, "title": title,
                 "state": state if number < done else "running",
                 "sentence": sentence if number < done else "Waiting …"}
                for number, (key, title, state, sentence) in enumerate(CHECKS)
            ],
        }
        if done >= len(CHECKS):
            self.check["items"].append({"id": "state", "title": "The show", **(
                {"state": "fail", "sentence": "The audience's screens are black; end the blackout."} if self.black
                else {"state": "pass", "sentence": "Nothing is held, frozen, black, locked or stopped."})})
            self.check["endedAt"] = int(time.time() * 1000)
            self.check_began = None


    def lose(self):
        order = self.pieces[self.piece]["order"]
        self._set_state("lost")
        self.candidates = []
        for printed, probability in ((98, 0.62), (49, 0.24), (148, 0.08)):
            if printed in order:
                played = order.index(printed)
                self.candidates.append({
                    "place": f"p:{played}", "measure": printed, "section": self._section(self.piece, played),
                    "probability": probability,
                })

    def coast(self):
        self._set_state("coasting")

    def find(self):
        self._set_state("following")
        self.candidates = []

    def fault(self, key, sentence):
        now = time.strftime("%H:%M:%S")
        old = self.faults.get(key, {"count": 0, "since": now})
        self.faults[key] = {"id": key, "sentence": sentence, "since": now, "count": old["count"] + 1, "over": False}

    def fault_over(self):
        for fault in self.faults.values():
            fault["over"] = True
