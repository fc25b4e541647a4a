"""The command table, as far as the pages need it."""

import math
import time

from mock_pieces import Fault, place_of


class Commands:
    """What people may order; the rest of the show is in `mock_show`."""

    @property
    def epoch(self):
        return f"{self.term}.{self.change}"

    def _takeover(self, kind, name):
        self.change += 1
        self.holder = {"kind": kind, "name": name}
        self.mode_since = time.time()

    def _take(self, name):
        if self.holder["kind"] != "technician" or self.holder["name"] != name:
            self._takeover("technician", name)

    def _go_to(self, place, name):
        played = place_of(place, self.pieces[self.seen_piece])
        self._take(name)
        self.seen = float(played)
        self._standby_here()

    def _standby_here(self):
        later = [cue for cue in self.cues[self.seen_piece] if cue["played"] >= int(self.seen)]
        self.standby = later[0]["id"] if later else None

    def _locked_out(self, what):
        if self.locked:
            raise Fault(f"The show is locked: {what} is refused. Unlock it first (L).", "locked", 409)

    def command(self, name, arguments, epoch, person):
        """Obeys one command or raises a Fault."""
        self.log.append([name, *arguments])
        if epoch is not None and self._older(epoch):
            raise Fault("The baton changed hands since you saw it. Look again, then repeat.", "old-epoch", 409)
        method = getattr(self, "_do_" + name.replace("-", "_"), None)
        if method is None:
            raise Fault(f"There is no command “{name}”.", "no-such-command")
        method(arguments, person)

    def _older(self, epoch):
        try:
            return tuple(int(part) for part in epoch.split(".")) < (self.term, self.change)
        except ValueError:
            raise Fault(f"“{epoch}” is not an epoch.", "bad-epoch") from None

    def _do_take(self, _, person):
        self._take(person)

    def _do_release(self, _, person):
        self._takeover("follower", "")
        self.held = False
        if self.state == "following":
            self.seen = self.beat

    def _do_hold(self, _, person):
        self.held, self.mode_since = True, time.time()

    def _do_resume(self, _, person):
        self.held, self.mode_since = False, time.time()

    def _do_tap(self, _, person):
        self._take(person)
        self._show(min(math.floor(self.seen) + 1.0, len(self.pieces[self.seen_piece]["order"]) - 1))

    def _do_nudge(self, arguments, person):
        self._take(person)
        limit = len(self.pieces[self.seen_piece]["order"]) - 1
        self.seen = float(max(0, min(limit, math.floor(self.seen) + int(arguments[0]))))

    def _do_goto(self, arguments, person):
        self._go_to(arguments[0], person)

    def _do_bar_is_now(self, arguments, person):
        if arguments:
            self.seen = float(place_of(arguments[0], self.pieces[self.seen_piece]))
        self.beat = self.seen
        self.piece = self.seen_piece
        self._set_state("following")
        self.candidates = []
        self._takeover("follower", "")
        self.held = False

    def _do_choose(self, arguments, person):
        number = int(arguments[0])
        if not 1 <= number <= len(self.candidates):
            raise Fault("There is nothing to choose: the follower is not lost.", "nothing-to-choose", 409)
        self._do_bar_is_now([self.candidates[number - 1]["place"]], person)

    def _do_go(self, _, person):
        if time.time() - self.go_at < 0.5:
            self.notices.append({"kind": "misfire", "sentence": "Second GO within half a second: not fired."})
            raise Fault("Second GO within half a second: not fired.", "misfire", 409)
        if self.panic != "none":
            raise Fault("Panic is on: GO is refused. End the panic first.", "panic", 409)
        cue = next((cue for cue in self.cues[self.seen_piece] if cue["id"] == self.standby), None)
        if cue is None:
            raise Fault("No cue stands by.", "no-standby", 409)
        self.go_at = time.time()
        cue["fired"] = True
        self._standby_after(cue)

    def _do_standby(self, arguments, person):
        cues = self.cues[self.seen_piece]
        ids = [cue["id"] for cue in cues]
        where = arguments[0]
        if where == "none":
            self.standby = None
        elif where in ("next", "previous"):
            step = 1 if where == "next" else -1
            at = ids.index(self.standby) + step if self.standby in ids else (0 if step > 0 else len(ids) - 1)
            if ids:
                self.standby = ids[max(0, min(len(ids) - 1, at))]
        elif where in ids:
            self.standby = where
        else:
            raise Fault(f"There is no cue “{where}” in this piece.", "no-such-cue")

    def _do_rearm(self, _, person):
        for cue in self.cues[self.seen_piece]:
            if cue["auto"] == "yes" and cue["played"] > self.seen:
                cue["fired"] = False

    def _do_panic(self, _, person):
        second = self.panic == "safe" and time.time() - self.panic_at < 3
        self.panic, self.panic_at = ("stop" if second else "safe"), time.time()

    def _do_panic_over(self, _, person):
        self.panic = "none"

    def _switch(self, arguments):
        if arguments[:1] not in (["on"], ["off"]):
            raise Fault("Write on or off.", "bad-argument")
        return arguments[0] == "on"

    def _do_lock(self, arguments, person):
        self.locked = self._switch(arguments)

    def _do_blackout(self, arguments, person):
        self.black = self._switch(arguments)

    def _do_freeze(self, arguments, person):
        self.frozen = self._switch(arguments)

    def _do_pause_all(self, _, person):
        self.paused = True

    def _do_resume_all(self, _, person):
        self.paused = False

    def _do_piece(self, arguments, person):
        self._locked_out("changing the piece")
        index = int(arguments[0]) - 1
        if not 0 <= index < len(self.pieces):
            raise Fault(f"There is no piece {index + 1}.", "no-such-piece")
        named = arguments[1] if len(arguments) > 1 and arguments[1] != "unknown" else None
        self._begin(index, place_of(named, self.pieces[index]) if named else 0)

    def _do_next_piece(self, _, person):
        self._do_piece([str(self.seen_piece + 2)], person)

    def _do_intermission(self, arguments, person):
        self._locked_out("intermission")
        self.intermission = self._switch(arguments)

    def _do_auto_advance(self, arguments, person):
        self.auto_advance = self._switch(arguments)

    def _do_rehearsal(self, arguments, person):
        self._locked_out("rehearsal mode")
        self.rehearsal = self._switch(arguments)

    def _do_message(self, arguments, person):
        title, body, style, button = (arguments + ["", "", "", ""])[:4]
        if any("|" in text or "\n" in text for text in (title, body, button)):
            raise Fault("A message may hold no “|” and no line break.", "bad-message")
        if style.upper() == "BUTTON" and not button:
            raise Fault("A message with a button needs the button's text.", "bad-message")
        self.message = {"title": title, "body": body, "style": style, "buttonText": button}

    def _do_withdraw(self, _, person):
        self.message = None

    def _do_note(self, arguments, person):
        pass
