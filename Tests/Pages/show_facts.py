"""The facts of the show, read from the server: the piece that plays, its sections, existing bars, its cues."""

import re


class ShowFacts:
    def __init__(self, snapshot):
        self.snapshot = snapshot
        self.pieces = snapshot["programme"]["pieces"]
        self.index = snapshot["position"]["piece"]
        self.piece = self.pieces[self.index]
        self.sections = self.piece["sections"]
        self.cues = snapshot["cues"]["list"]

    @property
    def last_bar(self):
        """A printed bar near the end that surely exists: with repeats a piece has fewer than it plays."""
        repeats = any("/" in section["place"] for section in self.sections)
        return self.piece["measures"] // (2 if repeats else 1) - 1

    def bar(self, share):
        """A printed bar so far into the piece, 0 to 1."""
        return max(2, round(self.last_bar * share))

    def far_section(self):
        """The last section with a label of its own that begins at a plain bar; None if the piece has none."""
        for section in reversed(self.sections[1:]):
            alike = [each for each in self.sections if each["label"].lower() == section["label"].lower()]
            if section["place"].isdigit() and len(alike) == 1:
                return section
        return None

    def lonely_cue(self, bars):
        """A cue at a plain bar with no other so many bars before it; None if there is none."""
        ahead = [cue for cue in self.cues if not cue["fired"]]
        for cue in ahead:
            begin = cue["played"] - bars
            near = [each for each in ahead if begin <= each["played"] <= cue["played"]]
            if re.fullmatch(r"\d+", cue["place"]) and begin > 0 and len(near) == 1:
                return cue
        return None

    def other_piece(self):
        """Another piece that has a section; None if there is none."""
        for piece in reversed(self.pieces):
            if piece["index"] != self.index and len(piece["sections"]) > 1:
                return piece
        return None

    def cue_list(self, count=14):
        """A list of cues by hand, all over the piece, as CSV."""
        rows = ["place,name,kind,auto,earliness_ms,notes,target,payload"]
        step = max(1, self.last_bar // count)
        return "\n".join(rows + [f"{1 + step * n},Cue {n + 1},note,no,0,,," for n in range(count)]) + "\n"
