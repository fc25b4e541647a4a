"""`survive restart`: kill -9 at any moment, and the next start is where the last one was."""

import os
import random
import threading
import time

from lib.waiting import hold_for, until

from . import places
from .desk import Refused
from .phone import not_rising
from .server import replay_differences
from .solo import Solo
from .verdict import load_line, say, spread

LIMIT_SECONDS = 2.0
# If other work keeps every processor busy several times over, a start must wait its turn; each figure says so.
BUSY_LIMIT_SECONDS = 4.0
PIECE = "beethoven-symphony-9-ode-to-joy-variations"
KINDS = ["acknowledged", "plain", "storm"]
ANY = object()  # in place of what an acknowledged command may have changed by the way
# So long after the first packet the follower follows again.
FOLLOWING_SECONDS = 20


class Memory:
    """An acknowledged change that must still exist after the restart: its name, and its form in a snapshot."""

    def __init__(self):
        self.message = None
        self.standby = None
        self.view = "live"
        self.locked = False
        self.holder = "follower"

    def differences(self, snapshot):
        shown = {
            "message": ((snapshot["message"] or {}).get("current") or {}).get("title"),
            "standby": snapshot["cues"]["standby"],
            "view": snapshot["position"]["audience"]["view"],
            "locked": snapshot["show"]["locked"],
            "holder": snapshot["position"]["holder"]["kind"],
        }
        return [
            f"{name} is {shown[name]!r}, acknowledged was {wanted!r}" for name, wanted in vars(self).items()
            if wanted is not ANY and shown[name] != wanted]


class Evening:
    """One show that is killed again and again."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.solo = Solo("restart", [PIECE], recordings=[places.quick_recording(PIECE)])
        self.memory = Memory()
        self.number = 0
        self.to_console, self.to_packet, self.to_following = [], [], []

    def begin(self):
        self.solo.first_start()
        self.solo.until_following()
        self.learn()

    def learn(self):
        """Takes the state as it stands, where cues moved by themselves."""
        self.memory.standby = self.solo.console["cues"]["standby"]

    def order(self):
        """One random command, acknowledged; what it leads to is remembered."""
        solo, memory = self.solo, self.memory
        self.number += 1
        choice = self.random.choice(["message", "standby", "view", "lock", "holder", "withdraw", "goto"])
        if choice == "message":
            solo.command("message", f"Title {self.number}", "A body", "AUTO", "")
            memory.message = f"Title {self.number}"
        elif choice == "withdraw":
            solo.command("withdraw")
            memory.message = None
        elif choice == "standby":
            cues = [cue["id"] for cue in solo.console["cues"]["list"]]
            if cues:
                memory.standby = self.random.choice(cues)
                solo.command("standby", memory.standby)
        elif choice == "view":
            memory.view = "live" if memory.view == "frozen" else "frozen"
            solo.command("freeze", "on" if memory.view == "frozen" else "off")
        elif choice == "lock":
            memory.locked = not memory.locked
            solo.command("lock", "on" if memory.locked else "off")
        elif choice == "holder":
            memory.holder = "technician" if memory.holder == "follower" else "follower"
            solo.command("take" if memory.holder == "technician" else "release")
            if memory.holder == "follower":
                # It may be anywhere else.
                self.expected_played, self.has_moved = None, True
        else:
            here = solo.console["position"]["played"] or 0
            target = max(here + self.random.choice([-2, -1, 1, 2]), 0)
            solo.command("goto", f"p:{target}")
            memory.holder = "technician"
            memory.standby = ANY  # the next one after that place
            self.expected_played, self.has_moved = target, True

    def trial(self, kind):
        """Returns what is wrong, as sentences."""
        self.expected_played, self.has_moved = None, False
        wrong = []
        sent, acknowledged = 0, 0
        hold_for(self.random.uniform(0.3, 3))
        self.learn()
        if kind == "acknowledged":
            for _ in range(self.random.randrange(1, 4)):
                self.order()
            hold_for(self.random.choice([0, 0, 0.001, 0.01]))
            killed = self.solo.server.kill()
        elif kind == "storm":
            sent, acknowledged, killed = self.storm()
        else:
            killed = self.solo.server.kill()
        last = self.solo.ears.last_before(killed + 1)
        started = self.solo.start()
        when, snapshot = self.solo.wait_for_console(started, 10)
        first = self.solo.ears.first_after(started, timeout=6)
        self.judge_times(started, when, first, wrong)
        if kind == "storm":
            title = ((snapshot["message"] or {}).get("current") or {}).get("title", "")
            number = int(title.split()[-1]) if title.startswith("Storm") else 0
            if not acknowledged <= number <= sent:
                wrong.append(f"message {number} is there, {acknowledged} was acknowledged and {sent} sent last")
            self.memory.message = title or None
        wrong += self.memory.differences(snapshot)
        self.judge_place(snapshot, last, first, wrong)
        self.judge_following(started, first, wrong)
        return wrong

    def storm(self):
        """Commands one after another from another thread; killed in the middle of one."""
        counts = [0, 0]

        def pour():
            try:
                while True:
                    counts[0] += 1
                    self.solo.command("message", f"Storm {counts[0]}", "A body", "AUTO", "")
                    counts[1] = counts[0]
            except (OSError, Refused):
                pass
        self.learn()
        thread = threading.Thread(target=pour)
        thread.start()
        hold_for(self.random.uniform(0.02, 0.4))
        killed = self.solo.server.kill()
        thread.join()
        self.solo.desk.close()
        return counts[0], counts[1], killed

    def judge_times(self, started, when, first, wrong):
        limit = LIMIT_SECONDS if os.getloadavg()[0] <= 2 * os.cpu_count() else BUSY_LIMIT_SECONDS
        self.to_console.append((when - started) * 1000)
        if when - started > limit:
            wrong.append(f"the console was there after {when - started:.2f} s")
        if not first:
            return wrong.append("no packet came within 6 s")
        self.to_packet.append((first.at - started) * 1000)
        if first.at - started > limit:
            wrong.append(f"the first packet came after {first.at - started:.2f} s")

    def judge_following(self, started, first, wrong):
        """The models are made ready when the show is served again; then the music moves the position."""
        if self.memory.holder != "follower" or self.memory.view != "live" or not first:
            return None
        moved = until(
            lambda: next((packet for packet in self.solo.ears.packets
                          if packet.at > first.at and packet.measure != first.measure), None),
            FOLLOWING_SECONDS)
        if not moved:
            return wrong.append(f"the music moved nothing within {FOLLOWING_SECONDS} s")
        return self.to_following.append((moved.at - started) * 1000)

    def judge_place(self, snapshot, last, first, wrong):
        position = snapshot["position"]
        if self.expected_played is not None and position["played"] != self.expected_played:
            wrong.append(f"played {position['played']}, acknowledged was {self.expected_played}")
        if not first or not last:
            return
        if first.piece != last.piece:
            wrong.append(f"“{first.piece}” after “{last.piece}”")
        # The follower may have gone on by a measure between the two, whichever came first.
        if abs(first.measure - position["audience"]["measure"]) > 1:
            wrong.append(f"packet {first.measure}, console {position['audience']['measure']}")
        # A measure may be written and not sent yet; goto may be written and not sent yet.
        if not self.has_moved and not 0 <= first.measure - last.measure <= 1:
            wrong.append(f"measure {first.measure} after {last.measure}")

    def settle(self):
        """Back to a follower that follows, for the next trial; a new show where the music is nearly over."""
        solo = self.solo
        solo.desk.close()
        played = time.time() - solo.began
        if played > places.seconds(solo.recordings[0]) - 20:
            solo.server.stop()
            solo.ears.packets.clear()
            self.memory = Memory()
            solo.first_start(["--new"])
            solo.until_following()
            return self.learn()
        if self.random.random() < 0.5:
            for words in (["lock", "off"], ["freeze", "off"], ["release"]):
                solo.command(*words)
            onset = self.random.random()
            self.memory.locked, self.memory.view, self.memory.holder = False, "live", "follower"
            hold_for(onset)
        self.learn()


def run(trials, seed, verdict):
    seed = seed if seed is not None else random.randrange(1 << 30)
    say(f"restart: {trials} trials, seed {seed}, {load_line()}")
    evening = Evening(seed)
    try:
        evening.begin()
        for number in range(trials):
            kind = KINDS[number % len(KINDS)]
            wrong = evening.trial(kind)
            told = f"console {evening.to_console[-1]:.0f} ms, packet {(evening.to_packet or [-1])[-1]:.0f} ms"
            verdict.claim(f"restart {number} {kind}", not wrong, "; ".join([told, *wrong[:5]]))
            evening.settle()
        rising = not_rising(evening.solo.ears.packets)
        verdict.claim("restart: counts rise through all starts", not rising, str(rising[:2]) if rising else "")
    finally:
        evening.solo.end()
    wrong = replay_differences(evening.solo.server)
    verdict.claim("restart: the show log replays without a difference", not wrong, "; ".join(wrong[:3]))
    say(f"start to console: {spread(evening.to_console)}")
    say(f"start to first packet: {spread(evening.to_packet)}")
    say(f"start to the next measure: {spread(evening.to_following)}")
    say(load_line())
