"""A restless technician: random commands by HTTP, OSC and MQTT, as a long evening brings them."""

import contextlib
import csv
import io

from . import places
from .desk import Refused


class Operator:
    """Chooses commands by a seeded chance; whatever is switched on is switched off again after a while.

    `tell` is called before each command, so that the watcher knows of it first.
    """

    # Weight, and how the words are made. What changes the place comes seldom, as it does in a hall.
    TABLE = [
        (6, lambda self: ("note", f"note {self.random.randrange(1000)}")),
        (6, lambda self: ("nudge", self.random.choice([-1, 1, 1, 2]))),
        (5, lambda self: ("tap",)),
        (4, lambda self: ("take",)),
        (4, lambda self: ("hold",)),
        (4, lambda self: ("freeze", "on")),
        (3, lambda self: ("blackout", "on")),
        (3, lambda self: ("pause-all",)),
        (4, lambda self: ("lock", "on")),
        (5, lambda self: ("message", f"Title {self.random.randrange(100)}", "A body, with “quotes”", "AUTO", "")),
        (3, lambda self: ("withdraw",)),
        (4, lambda self: ("standby", self.random.choice(["next", "previous", "none"]))),
        (4, lambda self: ("go",)),
        (2, lambda self: ("goto", f"p:{self.random.randrange(20)}")),
        (2, lambda self: ("bar-is-now",)),
        (1, lambda self: ("panic",)),
        (1, lambda self: ("rehearsal", "on")),
        (1, lambda self: ("intermission", "on")),
        (1, lambda self: ("auto-advance", "off")),
        (2, lambda self: ("choose", 1)),
        (1, lambda self: ("nonsense", "that", "nobody", "knows")),
        (1, lambda self: ("goto", "p:99999")),
    ]
    UNDO = {
        "take": ["release"], "tap": ["release"], "goto": ["release"], "hold": ["resume"], "freeze": ["freeze", "off"],
        "blackout": ["blackout", "off"], "pause-all": ["resume-all"], "lock": ["lock", "off"],
        "panic": ["panic-over"], "rehearsal": ["rehearsal", "off"], "intermission": ["intermission", "off"],
        "auto-advance": ["auto-advance", "on"]}

    def __init__(self, solo, random, tell):
        self.solo, self.random, self.tell = solo, random, tell
        self.undo = []
        self.counts = {"http": 0, "osc": 0, "mqtt": 0, "cues": 0, "refused": 0, "unanswered": 0}

    def work(self):
        """One command, or the end of what one began."""
        if self.undo and self.random.random() < 0.6:
            return self.end_one()
        if self.random.random() < 0.03:
            return self.edit_cues()
        words = self.random.choices(
            [make for _, make in self.TABLE], [weight for weight, _ in self.TABLE])[0](self)
        if words[0] in self.UNDO:
            self.undo.append(self.UNDO[words[0]])
        if words[0] == "hold" and self.random.random() < 0.5:
            self.undo[-1] = ["bar-is-now"]
        return self.order(words)

    def calm(self):
        """Undoes everything, before music that is to be followed; whoever nudged gives the baton back too."""
        for _ in range(50):
            if not self.undo:
                break
            self.end_one()
        self.order(["release"], "http")

    def end_one(self):
        """Ends what was begun first; again later where that was refused, as under a show lock, or not answered."""
        words = self.undo.pop(0)
        if not self.order(words, "http"):
            self.undo.append(words)

    def order(self, words, way=None):
        """True if it was answered and not refused."""
        way = way or self.random.choices(["http", "osc", "mqtt"], [6, 3, 1])[0]
        self.tell("command", words=[str(word) for word in words], way=way)
        try:
            self.counts[way] += 1
            if way == "http":
                self.solo.command(*words)
            elif way == "osc":
                desk = self.solo.osc_desk()
                try:
                    desk.command(*words)
                finally:
                    desk.close()
            else:
                text = " ".join(f'"{word}"' if " " in str(word) else str(word) for word in words)
                with contextlib.closing(self.solo.broker()) as broker:
                    broker.publish("baton/hall/command", text.encode())
            return True
        except Refused:
            self.counts["refused"] += 1
        except OSError:
            self.counts["unanswered"] += 1
        return False

    def edit_cues(self):
        """The cue list of some piece, sent back with one cue more or less."""
        piece = self.random.randrange(len(self.solo.folders))
        try:
            status, text = self.solo.desk.request("GET", f"/api/cues/{piece}.csv")
            if status != 200:
                return
            rows = list(csv.reader(io.StringIO(text)))
            extra = [row for row in rows if "restless" in row]
            if extra:
                rows.remove(extra[0])
            else:
                name = places.piece_name(self.solo.folders[piece])
                number = str(1 + self.random.randrange(8))
                first = name if len(rows) < 2 else rows[1][0]
                rows.append([first, number, "restless", "note", "true", "0", "", "", ""])
            out = io.StringIO()
            csv.writer(out, lineterminator="\r\n").writerows(rows)
            self.tell("command", words=["cues", str(piece)], way="http")
            status, _ = self.solo.desk.request("PUT", f"/api/cues/{piece}", out.getvalue().encode())
            self.counts["cues" if status == 200 else "refused"] += 1
        except OSError:
            self.counts["unanswered"] += 1
