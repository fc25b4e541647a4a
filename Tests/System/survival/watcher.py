"""The concert's watcher: a process of its own that hears packets and console and knows the promises.

It is told by lines of JSON on standard input what the driver does, `{"at": monotonic, "what": …}`, so that a step
back that a person asked for is none. At the end of the input it prints one JSON object and ends.

What it checks all the time:
- counts of packets rise, over every restart;
- what is shown goes back only behind a person's command, or where the follower says that the music jumped
  (which the show log must confirm, and once for each jump);
- while the follower is lost what is shown stays;
- while something is live, no gap between packets is longer than a beat and an allowance;
- packets and console agree on the measure, and so does a listener's page that was opened before the music;
- a stand that enters its room again and again finds what it wrote there, and the bar that phones are shown;
- the epoch never falls, and a server that was killed is back in time.
"""

import argparse
import contextlib
import glob
import json
import sys
import threading

from lib.waiting import hold_for

from . import places
from .console import Console
from .desk import tcp
from .phone import Ears

BEAT_SECONDS = 0.2
ALLOWANCE_SECONDS = 0.3
LONGEST_RESTART_SECONDS = 2.0
# Commands that may move what is shown, and for how long after them a move is theirs. Giving the baton back, and
# whatever ends a stand-still, lets the position jump to where the music is by then.
MOVES = {
    "nudge", "goto", "tap", "bar-is-now", "choose", "piece", "next-piece", "release", "resume", "resume-all",
    "freeze", "blackout", "panic-over", "intermission", "rehearsal", "auto-advance", "cues"}
MOVE_SECONDS = 1.5
# The latest time after a jump at which the audience follows: a place is only believed after 3 to 8 s.
PROOF_SECONDS = 9.0
# The time for which two ways may report different places, and the pause between two complaints about it.
DISAGREEMENT_SECONDS, SILENCE_AFTER_COMPLAINT_SECONDS = 1.0, 60
# The longest time between a packet of another piece and the follower's report that it has come to that piece: a place
# in doubt waits until it is certain.
PIECE_SECONDS = 15.0
# The longest delay of the console's report after a packet of the same moment, on a busy machine.
LATE_SECONDS = 0.5


class Agreement:
    """True if two ways report the same place, but for a moment."""

    def __init__(self):
        self._differ_since = None

    def differs(self, at, is_same):
        """True if they have differed for too long; then not again for a while."""
        if is_same:
            self._differ_since = None
        elif self._differ_since is None:
            self._differ_since = at
        elif at - self._differ_since > DISAGREEMENT_SECONDS:
            self._differ_since = at + SILENCE_AFTER_COMPLAINT_SECONDS
            return True
        return False


class Watcher:
    """Hears and judges; without ports it is told what it hears, by a test."""

    def __init__(self, port, http, data):
        self.data = data
        self.violations = []
        self.backward = []
        self.gaps = []
        self.restarts = []  # from the start to the first packet
        self.consoles_back = []  # from the start to the console's snapshot
        self.told = []  # (at, what, more)
        self.packets = 0
        self.shown = None  # the newest packet
        self.place = {}
        self.down_since = None
        self.is_console_down = False
        self.excused_until = 0.0
        self.lost_since = None
        self.lost_shows = None
        self.suspected = []  # (at, sentence): moves that the console may explain yet
        self.pieces_heard = []  # (at, piece) of each time the follower came to another piece
        self.epoch = (0, 0)
        self.modes = {}
        self.mode = None
        self.mode_since = 0.0
        self.console_agreement, self.page_agreement = Agreement(), Agreement()
        self.page_looks = 0
        self.page_live = None  # what the listener's page was told last
        self.lock = threading.RLock()
        self.maps = {places.piece_name(folder): places.printed_measures(folder) for folder in places.concert()}
        self.index = {places.piece_name(folder): number for number, folder in enumerate(places.concert())}
        self.beats = []  # (monotonic, show milliseconds), thinned out
        self.started_at = None
        self.ended_views = []  # (at, view) of each time the console said that nothing is live
        self.ears = Ears(port, on_packet=self.hear) if port else None
        self.console = Console(tcp("127.0.0.1", http), on_event=self.see) if http else None
        self.page = Console(
            tcp("127.0.0.1", http), on_event=self.see_page, path="/api/audience/events") if http else None

    # Reports of the driver.

    def tell(self, event):
        with self.lock:
            at, what = event["at"], event["what"]
            self.told.append((at, what, event.get("words", [])))
            if what == "killed":
                self.down_since, self.started_at, self.is_console_down = at, None, True
            elif what == "started":
                self.started_at = at
            elif what == "excuse":
                # A pause, or a machine that is made busy: late packets are the driver's doing.
                self.excused_until = at + event["seconds"]

    # The watcher's own observations.

    def hear(self, packet):
        with self.lock:
            self.packets += 1
            before, self.shown = self.shown, packet
            before_gap = before
            if self.down_since is not None and self.started_at is not None and packet.at > self.started_at:
                took = packet.at - self.started_at
                self.restarts.append(took)
                if took > LONGEST_RESTART_SECONDS and packet.at > self.excused_until:
                    self.complain("restart", f"the first packet came {took:.2f} s after the start", packet.at)
                self.down_since, before_gap = None, None
            if before and packet.count <= before.count:
                self.complain("count", f"count {packet.count} after {before.count}", packet.at)
            if before_gap and self.down_since is None:
                self.note_gap(before_gap, packet)
            self.note_place(before, packet)
            self.compare_page(packet.at)
            if self.ears and len(self.ears.packets) > 100:
                del self.ears.packets[:]

    def note_gap(self, before, packet):
        gap = packet.at - before.at
        if self.was_ended(before.at, packet.at) or packet.at <= self.excused_until:
            return
        self.gaps.append(gap)
        if gap > BEAT_SECONDS + ALLOWANCE_SECONDS:
            self.complain("gap", f"{gap * 1000:.0f} ms without a packet while live", packet.at)

    def was_ended(self, since, until):
        """Nothing was live for a part of that time."""
        return any(view == "ended" and since - 1 <= at <= until for at, view in self.ended_views)

    def note_place(self, before, packet):
        """Notes the place in the piece as played; a printed number may stand for several places."""
        measures = self.maps.get(packet.piece, [])
        played = [index for index, printed in enumerate(measures) if printed == packet.measure]
        if not played:
            return self.complain("unknown", f"“{packet.piece}” has no measure {packet.measure}", packet.at)
        here = self.place.get("played", 0)
        if not before or before.piece != packet.piece:
            if before and self.index[packet.piece] < self.index[before.piece]:
                self.went_back(before, packet)
            self.place["played"] = min(played)
            return None
        if packet.measure == before.measure:
            return None
        if self.mode == "lost" and packet.at - self.mode_since > 0.3 and not self.commanded(packet.at):
            self.suspected.append((packet.at, f"measure {before.measure} became {packet.measure} although lost"))
        ahead = [index for index in played if index > here]
        behind = [index for index in played if index <= here]
        # The nearer is meant: a few measures back look like a step back, not like a leap of a whole repeat.
        if ahead and (not behind or ahead[0] - here <= max(here - behind[-1], 4)):
            self.place["played"] = ahead[0]
        else:
            self.place["played"] = behind[-1]
            self.went_back(before, packet)

    def judge_lost(self, now):
        """Complains of moves while lost, if the follower is still lost after the console has had time to say that it is
        not."""
        for at, sentence in [suspicion for suspicion in self.suspected if now - suspicion[0] > LATE_SECONDS]:
            self.complain("lost", sentence, at)
        self.suspected = [suspicion for suspicion in self.suspected if now - suspicion[0] <= LATE_SECONDS]

    def went_back(self, before, packet):
        self.backward.append({
            "at": packet.at, "from": before.measure, "to": packet.measure, "piece": packet.piece,
            "index": self.index.get(packet.piece), "isAnotherPiece": before.piece != packet.piece,
            "byPerson": self.commanded(packet.at), "showTime": self.show_time(packet.at)})

    def commanded(self, at):
        return any(
            what == "command" and words and words[0] in MOVES and -0.1 <= at - when <= MOVE_SECONDS
            for when, what, words in self.told[-40:])

    def show_time(self, at):
        known = [beat for beat in self.beats if beat[0] <= at + 1]
        return known[-1][1] + (at - known[-1][0]) * 1000 if known else None

    def see(self, at, section, value):
        with self.lock:
            if section == "beat":
                self.beats.append((at, value["at"]))
            elif section == "snapshot":
                self.see_restart(at, value)
                self.see_follower(at, value.get("follower"))
                self.see_position(at, value.get("position"))
            elif section == "follower":
                self.see_follower(at, value)
            elif section == "position":
                self.see_position(at, value)

    def see_restart(self, at, snapshot):
        if not self.is_console_down or self.started_at is None or at < self.started_at:
            return
        self.is_console_down = False
        took = at - self.started_at
        self.consoles_back.append(took)
        if took > LONGEST_RESTART_SECONDS and at > self.excused_until:
            self.complain("restart", f"the console was there {took:.2f} s after the start", at)
        if snapshot["position"]["audience"]["view"] == "ended":
            # No packet is to come.
            self.down_since = None

    def see_follower(self, at, value):
        piece = (value or {}).get("piece")
        if piece is not None and (not self.pieces_heard or self.pieces_heard[-1][1] != piece):
            self.pieces_heard.append((at, piece))

    def see_position(self, at, value):
        if not value:
            return
        epoch = tuple(int(part) for part in value["epoch"].split("."))
        if epoch < self.epoch:
            self.complain("epoch", f"epoch {epoch} after {self.epoch}", at)
        self.epoch = max(self.epoch, epoch)
        self.judge_lost(at)
        if value["mode"] != self.mode:
            # Packet and console leave the server together and arrive by two roads.
            self.suspected.clear()
            self.modes[value["mode"]] = self.modes.get(value["mode"], 0) + 1
            self.mode, self.mode_since = value["mode"], at
        view = value["audience"]["view"]
        if view == "ended":
            self.ended_views = [*self.ended_views[-50:], (at, view)]
        self.compare(at, view, value["audience"])

    def compare(self, at, view, audience):
        """Console and packets may differ for a moment, not for long."""
        same = self.is_same(at, view, audience)
        if self.console_agreement.differs(at, same):
            self.complain("agreement", f"packets say {self.shown.measure}, the console {audience.get('measure')}", at)

    def see_page(self, at, section, value):
        """A listener's page, opened before the music: it shows what phones are sent."""
        if section not in ("snapshot", "live", "beat"):
            return
        with self.lock:
            live = (self.page["live"] if self.page else None) or value.get("live", value)
            if not live or "view" not in live:
                return
            self.page_looks += 1
            self.page_live = live
            self.compare_page(at)

    def compare_page(self, at):
        """At each word of either: between two words of the page a packet may have made them agree."""
        if self.page_live is None:
            return
        same = self.is_same(at, self.page_live["view"], self.page_live)
        if self.page_agreement.differs(at, same):
            self.complain(
                "page", f"packets say {self.shown.measure}, a listener's page {self.page_live.get('measure')}", at)

    def is_same(self, at, view, said):
        """True if the reported audience measure is that of the newest packet, or if nothing can be compared."""
        packet = self.shown
        if view == "ended" or not packet or at - packet.at > 0.6:
            return True
        if self.down_since is not None or at < self.excused_until:
            return True
        return packet.measure == said.get("measure") and self.index.get(packet.piece) == said.get("piece")

    def complain(self, kind, sentence, at):
        self.violations.append({"kind": kind, "sentence": sentence, "at": at, "showTime": self.show_time(at)})

    # At the end.

    def judge_backward(self):
        """Steps back that nobody asked for must be jumps of the follower, each once."""
        self.judge_lost(float("inf"))
        jumps, shows = jumps_in_logs(self.data), shows_in_logs(self.data)
        used, used_pieces = set(), set()
        for step in self.backward:
            if step["byPerson"]:
                continue
            heard = [number for number, (at, piece) in enumerate(self.pieces_heard)
                     if piece == step["index"] and abs(at - step["at"]) < PIECE_SECONDS and number not in used_pieces]
            if step["isAnotherPiece"] and heard:
                used_pieces.add(heard[0])
                step["byJump"] = True
                continue
            near = [number for number, time_ms in enumerate(jumps)
                    if step["showTime"] is not None and -3000 <= step["showTime"] - time_ms <= PROOF_SECONDS * 1000]
            free = [number for number in near if number not in used]
            if free:
                used.add(free[0])
                step["byJump"] = True
                continue
            if self.is_explained(step, shows):
                continue
            why = "for a second time" if near else "though nobody asked and the music did not jump"
            self.complain(
                "back", f"“{step['piece']}” went from {step['from']} to {step['to']} {why}; {self.before(step['at'])}",
                step["at"])

    def is_explained(self, step, shows):
        """The log knows the played measure, where a packet has only the printed one: no step back at all, or one that
        follows directly from a person's command."""
        if step["showTime"] is None:
            return False
        close = [number for number, show in enumerate(shows)
                 if show["printed"] == step["to"] and abs(show["t"] - step["showTime"]) < 1000]
        for number in close:
            show, last = shows[number], shows[number - 1] if number else None
            if show["byPerson"]:
                step["byPerson"] = True
                return True
            if last and last["piece"] == show["piece"] and last["played"] < show["played"]:
                step["isNone"] = True
                return True
        return False

    def before(self, at):
        """The driver's last action before a moment."""
        last = [(when, [what, *map(str, words)]) for when, what, words in self.told if when <= at]
        return f"{at - last[-1][0]:.1f} s before: {' '.join(last[-1][1])}" if last else "nothing was done before"

    def report(self):
        self.ears.close()
        for stream in (self.console, self.page):
            stream.stop_listening()
        with self.lock:
            self.judge_backward()
            return {
                "packets": self.packets, "pageLooks": self.page_looks, "violations": self.violations[:50],
                "violationCount": len(self.violations),
                "backward": len(self.backward), "backwardByPerson": sum(s["byPerson"] for s in self.backward),
                "backwardByJump": sum(s.get("byJump", False) for s in self.backward),
                "gapMs": percentiles([gap * 1000 for gap in self.gaps]),
                "restartMs": percentiles([took * 1000 for took in self.restarts]), "restarts": len(self.consoles_back),
                "consoleBackMs": percentiles([took * 1000 for took in self.consoles_back]),
                "modes": self.modes, "strange": self.ears.strange[:5]}


def jumps_in_logs(data):
    """Show times at which the follower said that the music jumped."""
    found = []
    for path in sorted(glob.glob(f"{data}/shows/*/log-*.jsonl")):
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if '"jumped":true' not in line:
                    continue
                with contextlib.suppress(ValueError):
                    found.append(json.loads(line)["t"])
    return found


def shows_in_logs(data):
    """The positions shown to the audience, in order: show time, piece, played and printed measure, and true if a
    person's command caused it."""
    found, is_command = [], False
    for path in sorted(glob.glob(f"{data}/shows/*/log-*.jsonl")):
        with open(path, encoding="utf-8", errors="replace") as lines:
            for text in lines:
                with contextlib.suppress(ValueError):
                    line = json.loads(text)
                    if "e" in line:
                        is_command = "command" in line["e"]
                    for effect in line.get("x", []):
                        if "show" in effect:
                            shown = effect["show"]
                            found.append({"t": line["t"], "byPerson": is_command,
                                          **{key: shown[key] for key in ("piece", "played", "printed")}})
    return found


def percentiles(values):
    ordered = sorted(values)
    if not ordered:
        return {}
    return {
        "count": len(ordered), "median": round(ordered[len(ordered) // 2], 1),
        "p99": round(ordered[int(len(ordered) * 0.99)], 1), "max": round(ordered[-1], 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--http", type=int, required=True)
    parser.add_argument("--data", required=True)
    asked = parser.parse_args()
    watcher = Watcher(asked.port, asked.http, asked.data)
    for line in sys.stdin:
        watcher.tell(json.loads(line))
    hold_for(0.5)  # what is on its way still counts
    print(json.dumps(watcher.report(), ensure_ascii=False))


if __name__ == "__main__":
    main()
