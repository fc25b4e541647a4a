"""What the console is told: one object for each section."""

import math
import random
import time

from mock_pieces import Fault, read_cues, write_cues
from mock_report import report_of


class Sections:
    """The show as JSON sections; the rest of it is in `mock_show`."""

    def _section(self, index, played):
        label = ""
        for section in self.pieces[index]["sections"]:
            if section["played"] <= played:
                label = section["label"]
        return label

    @property
    def mode(self):
        if self.holder["kind"] != "follower":
            return "manual"
        return "held" if self.held else self.state

    @property
    def view(self):
        """What the audience sees, in the server's order; why nothing, where it is nothing."""
        if self.panic == "stop" or self.rehearsal or self.intermission:
            return "ended"
        return "black" if self.black else "frozen" if self.frozen or self.panic == "safe" else "live"

    @property
    def why(self):
        if self.view != "ended":
            return None
        return "stop" if self.panic == "stop" else "rehearsal" if self.rehearsal else "intermission"

    def position(self):
        piece, played = self.pieces[self.seen_piece], int(self.seen)
        return {
            "piece": self.seen_piece, "pieceName": piece["name"], "measure": piece["order"][played],
            "played": played, "playedCount": len(piece["order"]), "fraction": round(self.seen - played, 2),
            "section": self._section(self.seen_piece, played), "tempo": self.tempo, "holder": self.holder,
            "epoch": self.epoch, "mode": self.mode, "sinceMs": int((time.time() - self.mode_since) * 1000),
            "audience": {"view": self.view, "why": self.why,
                         "piece": self.seen_piece, "measure": piece["order"][played]},
            "proving": None,
        }

    def follower(self):
        piece, played = self.pieces[self.piece], int(self.beat)
        return {
            "piece": self.piece, "measure": piece["order"][played], "played": played,
            "fraction": round(self.beat - played, 2), "state": self.state, "silent": self.silent,
            "confidence": self.heard_confidence, "tempo": self.tempo, "bpm": round(96 * self.tempo, 1),
            "transposition": 0, "tuningCents": -4, "candidates": self.candidates,
        }

    def meters(self):
        quiet = self.input_lost or self.silent
        wobble = random.uniform(-3, 3)
        return {
            "peakDb": -120.0 if quiet else round(-14 + wobble + 6 * math.sin(time.time() * 1.7), 1),
            "rmsDb": -120.0 if quiet else round(-25 + wobble + 4 * math.sin(time.time() * 1.7), 1),
            "noiseFloorDb": -61, "clipped": 0, "silentSeconds": 12 if self.silent else 0,
            "inputLost": self.input_lost, "xruns": 0, "hopP99Ms": round(0.31 + random.uniform(0, 0.05), 2),
            "hopWorstMs": 3.1, "overruns": 0, "packetsPerSecond": 0.0 if self.view == "ended" else 5.0,
            "packetsSent": self.packets, "packetsFailed": 0, "clients": {"console": 1, "audience": 143, "osc": 2},
            "captureToReportMs": 14, "clock": time.strftime("%H:%M:%S"), "diskFreeGb": 79, "logBytes": 1_234_567,
            "confidence": self.heard_confidence,
        }

    @property
    def heard_confidence(self):
        quiet = self.silent or self.state in ("waiting", "finished")
        return None if quiet else round(self.confidence, 3)

    def cues_section(self):
        index = self.seen_piece
        piece, standing = self.pieces[index], int(self.seen)
        ahead = [cue for cue in self.cues[index] if cue["played"] > standing and not cue["fired"]]
        coming = None
        if ahead:
            measures = ahead[0]["played"] - standing
            seconds = (ahead[0]["played"] - self.seen) * piece["secondsPerMeasure"] / self.tempo / self.speed
            coming = {"id": ahead[0]["id"], "inMeasures": measures, "inSeconds": round(seconds, 1)}
        return {
            "piece": index, "standby": self.standby, "next": coming,
            "list": [
                {"id": cue["id"], "place": cue["place"], "played": cue["played"], "name": cue["name"],
                 "kind": cue["kind"], "auto": cue["auto"] == "yes", "earlinessMs": int(cue["earliness_ms"]),
                 "notes": cue["notes"], "fired": cue["fired"], "failed": cue.get("failed", False),
                 "trouble": cue.get("trouble"),
                 "detail": (cue["target"] + " " + cue["payload"]).strip()}
                for cue in self.cues[index]
            ],
        }

    def programme_section(self):
        def state(index):
            if index == self.seen_piece:
                return "now"
            if index in self.heard:
                return "played"
            return "next" if index == self.seen_piece + 1 else "skipped" if index < self.seen_piece else "later"
        return {"pieces": [
            {"index": index, "name": piece["name"], "folder": piece["folder"], "measures": len(piece["order"]),
             "state": state(index), "sections": piece["sections"],
             "durationSeconds": round(len(piece["order"]) * piece["secondsPerMeasure"], 1)}
            for index, piece in enumerate(self.pieces)
        ]}

    def show(self):
        backup = {"connected": True, "lagMs": 12, "version": "0.4.0", "sameShow": True,
                  "address": "http://127.0.0.1:8081"} if self.backup else None
        return {
            "title": "Evening concert: Bach to Dvořák", "locked": self.locked, "panic": self.panic,
            "rehearsal": self.rehearsal, "paused": self.paused, "held": self.held,
            "intermission": self.intermission,
            "autoAdvance": self.auto_advance, "started": self.started,
            "black": self.black, "frozen": self.frozen,
            "server": {"role": self.role, "term": self.term, "version": "0.4.0", "backup": backup},
        }

    def sections(self):
        """Everything a console shows, by name."""
        return {
            "show": self.show(), "position": self.position(), "follower": self.follower(), "meters": self.meters(),
            "cues": self.cues_section(), "programme": self.programme_section(),
            "message": {"current": self.message, "templates": self.templates},
            "help": {"candidates": self.candidates} if self.candidates else None,
            "faults": [dict(fault) for fault in self.faults.values()], "targets": self.targets, "check": self.check,
        }

    def put_cues(self, index, text):
        self._locked_out("editing cues")
        if index not in self.cues:
            raise Fault(f"There is no piece {index + 1}.", "no-such-piece", 404)
        fired = {(cue["place"], cue["name"]) for cue in self.cues[index] if cue["fired"]}
        self.cues[index] = read_cues(text, self.pieces[index])
        for cue in self.cues[index]:
            cue["fired"] = (cue["place"], cue["name"]) in fired
        if index == self.seen_piece:
            self._standby_here()

    def cues_csv(self, index):
        if index not in self.cues:
            raise Fault(f"There is no piece {index + 1}.", "no-such-piece", 404)
        return write_cues(self.cues[index])

    def report(self):
        return report_of(self)
