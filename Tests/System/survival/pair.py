"""`survive pair`: one server takes over from the other, whatever happens to the first.

In each trial two fresh servers in two network namespaces hear the same music; something happens to the main one
at a random moment; a receiver in a third namespace, and consoles that listen to both, judge what the hall sees.
"""

import dataclasses
import random
import re
import signal
import subprocess
import time
from pathlib import Path

from lib.waiting import hold_for

from . import namespaces, phone
from .couple import PORT, Couple
from .server import replay_differences
from .verdict import Verdict, load_line, say, skip, spread


@dataclasses.dataclass(frozen=True)
class Limits:
    """Seconds. `gap` is the longest time without a packet, None for any; the others are how long a state is waited for.

    `STRICT` is what docs/survival.md promises of a release on a machine that is free; `PATIENT` judges what is right
    or wrong on any machine.
    """

    gap: float | None
    takeover: float
    split: float
    healed: float
    back: float
    start: float


STRICT = Limits(gap=1.0, takeover=4, split=3, healed=5, back=5, start=15)
PATIENT = Limits(gap=None, takeover=30, split=30, healed=30, back=30, start=60)
MAIN, BACKUP = namespaces.ADDRESSES["main"], namespaces.ADDRESSES["backup"]
# Figures that are no milliseconds.
COUNTED = {"changes", "follower jumps", "split steps back", "without power"}
# Of each ten trials.
KINDS = ["kill", "cut", "stop", "kill", "flap", "split", "kill", "stop", "busy", "dark"]


class Trial:
    """One couple, one misfortune. `wrong` collects sentences; empty if all promises were kept."""

    def __init__(self, hall, ears, number, kind, seed, limits=STRICT):
        self.kind = kind
        self.limits = limits
        self.couple = Couple(hall, ears, f"pair-{number}", seed)
        self.random = random.Random(f"{seed} {kind}")
        self.wrong = []
        self.figures = {}
        self.hall = hall

    def run(self):
        try:
            self.couple.start(self.limits.start, in_one_second=self.kind == "twins")
            hold_for(self.random.uniform(0.5, 3.5))
            getattr(self, self.kind)()
            self.judge()
        except (RuntimeError, OSError) as error:
            self.wrong.append(f"the trial broke off: {error}")
        finally:
            for who in namespaces.ADDRESSES:
                self.hall.cable(who, True)
            self.hall.split(False)
            self.couple.end()
        for who, server in self.couple.servers.items():
            self.wrong += [f"{who}'s log: {sentence}" for sentence in replay_differences(server)]
        return self

    # Events.

    def kill(self):
        at = self.couple.servers["main"].kill()
        self.takeover(at, MAIN, BACKUP)
        hold_for(self.random.uniform(0.2, 2))
        self.come_back("main", "backup")
        if self.random.random() < 0.5:
            hold_for(self.random.uniform(0.5, 2))
            at = self.couple.servers["backup"].kill()
            self.takeover(at, BACKUP, MAIN)
            self.come_back("backup", "main")

    def twins(self):
        """Both logs begin with the same line. The backup must not take the line for one that it has copied."""
        at = self.couple.servers["main"].kill()
        self.takeover(at, MAIN, BACKUP)

    def cut(self):
        at = time.monotonic()
        self.hall.cable("main", False)
        self.takeover(at, MAIN, BACKUP)
        hold_for(self.random.uniform(0.5, 4))
        self.heal(lambda: self.hall.cable("main", True))

    def stop(self):
        server = self.couple.servers["main"]
        at = time.monotonic()
        server.send(signal.SIGSTOP)
        pause = self.random.uniform(1, 5)
        self.takeover(at, MAIN, BACKUP)
        hold_for(at + pause - time.monotonic())
        self.heal(lambda: server.send(signal.SIGCONT))

    def flap(self):
        begun = time.monotonic()
        is_in = True
        while time.monotonic() < begun + 10:
            is_in = not is_in
            self.hall.cable("main", is_in)
            hold_for(self.random.uniform(0.3, 2))
        self.heal(lambda: self.hall.cable("main", True))
        shown = phone.believed(self.couple.packets(begun - 0.5))
        changes = sum(one.source != two.source for one, two in zip(shown, shown[1:]))
        self.figures["changes"] = changes
        if changes > 2:
            self.wrong.append(f"the phones changed sender {changes} times while the cable flapped")

    def split(self):
        at = time.monotonic()
        self.hall.split(True)
        # The main one goes on: phones hear both and believe the higher count.
        if not self.couple.ears.first_after(at, BACKUP, timeout=self.limits.split):
            self.wrong.append("the backup did not take over though it heard nothing")
        hold_for(self.random.uniform(0.5, 4))
        self.heal(lambda: self.hall.split(False))
        if self.couple.role("backup") != "main":
            return self.wrong.append("after the split the lower term leads")
        # The other one has just stepped down.
        if self.couple.until(lambda: self.couple.is_followed("main"), self.limits.back):
            if self.random.random() < 0.5:
                # A machine without power closes no connection. The other waits longer while its copy of what
                # people made is not known to be equal.
                self.couple.until(lambda: self.couple.has_current_copy("main"), self.limits.back)
                self.hall.cable("backup", False)
                self.figures["without power"] = 1
            self.takeover(self.couple.servers["backup"].kill(), BACKUP, MAIN)

    def busy(self):
        """Every processor has more to do than it can, the main server's above all; nothing else is wrong."""
        main = self.couple.servers["main"]
        subprocess.run(["taskset", "-a", "-c", "-p", "0", str(main.pid)], capture_output=True)
        spinners = [subprocess.Popen(["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]) for _ in range(6)]
        at = time.monotonic()
        hold_for(self.random.uniform(4, 7))
        for spinner in spinners:
            spinner.kill()
            spinner.wait()
        self.heal(lambda: None)
        shown = phone.believed(self.couple.packets(at))
        gap = max((two.at - one.at for one, two in zip(shown, shown[1:])), default=99)
        self.figures["busy gap"] = gap * 1000
        self.figures["changes"] = sum(one.source != two.source for one, two in zip(shown, shown[1:]))
        if self.is_too_long(gap):
            self.wrong.append(f"{gap * 1000:.0f} ms without a packet on a busy machine")

    def dark(self):
        """The main one dies; later the backup too; then both start. What was shown last is known to the backup."""
        couple = self.couple
        at = couple.servers["main"].kill()
        self.takeover(at, MAIN, BACKUP)
        couple.desks["backup"].command("goto", f"p:{couple.measure + self.random.randrange(5, 12)}")
        hold_for(self.random.uniform(1, 3))
        couple.servers["backup"].kill()
        last = couple.ears.last_before(time.monotonic())
        at = time.monotonic()
        order = ["main", "backup"]
        self.random.shuffle(order)
        for who in order:
            couple.servers[who].start()
            hold_for(self.random.uniform(0, 0.3))
        seconds = 2 * self.limits.takeover
        first = couple.ears.first_after(at, timeout=seconds)
        if not first:
            return self.wrong.append(f"nothing was sent within {seconds:.0f} s of the start of both")
        self.figures["both back"] = (first.at - at) * 1000
        if first.measure < last.measure or first.count <= last.count:
            self.wrong.append(
                f"after both were dead: measure {first.measure}, count {first.count} from {first.source}; before "
                f"{last.measure}, {last.count}")
        self.heal(lambda: None)
        holder = next(couple.consoles[who]["position"]["holder"]["kind"] for who in order if couple.role(who) == "main")
        if holder != "technician":
            self.wrong.append(f"the technician held the baton, now the {holder} does")

    # Required consequences.

    def is_too_long(self, gap):
        return self.limits.gap is not None and gap > self.limits.gap

    def takeover(self, at, old, new):
        first = self.couple.ears.first_after(at, new, timeout=self.limits.takeover)
        if not first:
            return self.wrong.append(f"nobody took over within {self.limits.takeover:.0f} s")
        last = self.couple.ears.last_before(first.at, old)
        gap = first.at - last.at
        self.figures.setdefault("takeover", []).append(gap * 1000)
        self.figures.setdefault("from event", []).append((first.at - at) * 1000)
        if self.is_too_long(gap):
            self.wrong.append(f"the takeover took {gap * 1000:.0f} ms")
        if first.count <= last.count:
            self.wrong.append(f"count {first.count} after {last.count}")
        if first.measure < last.measure:
            self.wrong.append(f"measure {first.measure} after {last.measure} at the takeover")

    def come_back(self, who, leader):
        """The killed one starts again and follows, silently."""
        at = time.monotonic()
        self.couple.servers[who].start()
        if not self.couple.until(lambda: self.couple.is_followed(who), self.limits.back):
            role = self.couple.consoles[who]["backup"]
            self.wrong.append(f"{who} came back and does not follow within {self.limits.back:.0f} s: {role}")
        else:
            self.figures.setdefault("return", []).append((time.monotonic() - at) * 1000)
        self.alone(at, namespaces.ADDRESSES[leader])

    def heal(self, action):
        at = time.monotonic()
        action()
        healed = self.couple.until(self.couple.is_healed, self.limits.healed)
        if healed is None:
            roles = {who: self.couple.role(who) for who in self.couple.servers}
            return self.wrong.append(f"not exactly one main within {self.limits.healed:.0f} s of healing: {roles}")
        self.figures["healed"] = (healed - at) * 1000
        # Roles are told four times a second; the packets tell at once.
        leader = next(who for who in self.couple.servers if self.couple.role(who) == "main")
        self.alone(healed + 0.3, namespaces.ADDRESSES[leader])

    def alone(self, since, source):
        """For a second nobody but `source` sends, and it does."""
        hold_for(since + 1 - time.monotonic())
        sources = {packet.source for packet in self.couple.packets(since)}
        if sources != {source}:
            self.wrong.append(f"packets come from {sorted(sources)}, not from {source} alone")

    def judge(self):
        hold_for(0.5)
        packets = self.couple.packets()
        for before, after in phone.not_rising(packets):
            self.wrong.append(f"{after.source} sent count {after.count} after {before.count}")
        for before, after in phone.steps_back(packets):
            if not self.is_excused(before.measure, after.measure, before.source, after.source):
                self.wrong.append(
                    f"a phone goes back from measure {before.measure} ({before.source}) to {after.measure} "
                    f"({after.source})")
        if self.kind == "stop":
            self.no_word_after_another()
        shown = self.couple.leading_measures()
        for before, after in zip(shown, shown[1:]):
            if after[3] < before[3] and not self.is_excused(
                before[3], after[3], *(namespaces.ADDRESSES[one[1]] for one in (before, after))):
                self.wrong.append(
                    f"a console goes back from measure {before[3]} ({before[1]}) to {after[3]} ({after[1]})")

    def is_excused(self, before, after, old, new):
        """A jump that the sender's own follower heard, by its log; or a limit that docs/survival.md names."""
        if old == new:
            who = next(who for who, address in namespaces.ADDRESSES.items() if address == new)
            is_jump = after in jumped_to(self.couple.servers[who].shows)
            self.figures["follower jumps"] = self.figures.get("follower jumps", 0) + is_jump
            return is_jump
        # The backup cannot know that the main one went on by a measure until it took over.
        if self.kind == "split" and before - after == 1:
            self.figures["split steps back"] = 1
            return True
        return False

    def no_word_after_another(self):
        packets = self.couple.packets()
        first = next((packet.at for packet in packets if packet.source == BACKUP), None)
        late = [packet for packet in packets if packet.source == MAIN and first and packet.at > first]
        if late:
            self.wrong.append(f"the held-up main sent {len(late)} packets although the backup led")


def jumped_to(shows):
    """Printed measures that were shown because the follower said that the music jumped."""
    found, jumped = set(), False
    for show in shows:
        for log in sorted(Path(show).glob("log-*.jsonl")):
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
                if '"e":' in line:
                    jumped = '"jumped":true' in line
                elif jumped and (match := SHOWN.search(line)):
                    found.add(int(match[1]))
    return found


SHOWN = re.compile(r'"show":\{[^}]*"printed":([0-9]+)')


def run(trials, seed=None, only=None, verdict=None, without=(), limits=STRICT):
    why = namespaces.why_not()
    if why:
        skip("pair", why)
        return None
    verdict = verdict or Verdict()
    seed = seed if seed is not None else random.randrange(1 << 30)
    say(f"pair: {trials} trials, seed {seed}, {load_line()}")
    figures = {}
    kinds = only or [kind for kind in KINDS if kind not in without]
    hall = namespaces.Hall()
    ears = None
    try:
        ears = hall.within("hall", lambda: phone.Ears(PORT, namespaces.HALL_ADDRESS))
        for number in range(trials):
            kind = kinds[number % len(kinds)]
            trial = Trial(hall, ears, number, kind, seed + number, limits).run()
            for name, value in trial.figures.items():
                figures.setdefault(name, []).extend(value if isinstance(value, list) else [value])
            told = ", ".join(f"{name} {_words(value)}" for name, value in trial.figures.items())
            verdict.claim(f"pair {number} {kind}", not trial.wrong, "; ".join([told, *trial.wrong[:4]]))
    finally:
        if ears:
            ears.close()
        hall.remove()
    for name, values in figures.items():
        if name in COUNTED:
            say(f"{name}: {sum(values)} in {len(values)} trials, at most {max(values)}")
        else:
            say(f"{name}: {spread(values)}")
    say(load_line())
    return verdict


def _words(value):
    return "/".join(f"{one:.0f}" for one in value) if isinstance(value, list) else f"{value:.0f}"
