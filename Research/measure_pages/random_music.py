"""Random music as MusicXML, for pages on which the detection of measures is judged: many kinds of ensembles."""

import random

STEPS = "CDEFGAB"
TYPES = {1: "16th", 2: "eighth", 3: "eighth", 4: "quarter", 6: "quarter", 8: "half", 12: "half", 16: "whole"}
# Cells of a quarter (4), a half (8) or three eighths (6), in sixteenths; negative: a rest.
QUARTERS = [[4], [4], [2, 2], [2, 2], [1, 1, 1, 1], [3, 1], [2, 1, 1], [1, 1, 2], [-4], [-2, 2]]
EIGHTHS = [[6], [4, 2], [2, 2, 2], [2, 2, 2], [-6], [2, -2, 2]]
TIMES = [(4, 4), (3, 4), (2, 4), (6, 8), (2, 2), (4, 4)]
CLEFS = {"treble": ("G", 2, 4), "bass": ("F", 4, 2), "alto": ("C", 3, 3), "tenor": ("C", 4, 3)}
SYLLABLES = ["A", "ve", "Ma", "ri", "a", "gra", "ti", "ple", "na", "Do", "mi", "nus", "te", "cum", "be", "mu", "bus"]

# Kind: parts as (name, clefs of its staves, sung), and groups as (first, last, symbol, common bar lines).
ENSEMBLES = {
    "solo": ([("Violin", ["treble"], False)], []),
    "trombone": ([("Trombone", ["tenor"], False)], []),
    "piano": ([("Piano", ["treble", "bass"], False)], []),
    "song": ([("Voice", ["treble"], True), ("Piano", ["treble", "bass"], False)], []),
    "duo": ([("Flute", ["treble"], False), ("Piano", ["treble", "bass"], False)], []),
    "organ": ([("Organ", ["treble", "bass"], False), ("Pedal", ["bass"], False)], []),
    "quartet": ([("Violin I", ["treble"], False), ("Violin II", ["treble"], False), ("Viola", ["alto"], False),
                 ("Cello", ["bass"], False)], [(0, 3, "bracket", True)]),
    "choir": ([("Soprano", ["treble"], True), ("Alto", ["treble"], True), ("Tenor", ["treble"], True),
               ("Bass", ["bass"], True)], [(0, 3, "bracket", False)]),
    "orchestra": ([("Flute", ["treble"], False), ("Oboe", ["treble"], False), ("Clarinet", ["treble"], False),
                   ("Bassoon", ["bass"], False), ("Horn", ["treble"], False), ("Trumpet", ["treble"], False),
                   ("Trombone", ["bass"], False), ("Timpani", ["bass"], False), ("Violin I", ["treble"], False),
                   ("Violin II", ["treble"], False), ("Viola", ["alto"], False), ("Cello", ["bass"], False)],
                  [(0, 3, "bracket", True), (4, 6, "bracket", True), (8, 11, "bracket", True)]),
    "unconnected": ([("Flute", ["treble"], False), ("Oboe", ["treble"], False), ("Horn", ["treble"], False),
                     ("Timpani", ["bass"], False), ("Violin I", ["treble"], False), ("Violin II", ["treble"], False),
                     ("Viola", ["alto"], False), ("Cello", ["bass"], False)], [(0, 7, "bracket", False)]),
}
KINDS = list(ENSEMBLES)


def cells(chance, beats, unit, calm):
    """The lengths of a measure's cells, each a list of sixteenths."""
    whole = beats * 16 // unit
    if chance.random() < 0.08 + 0.25 * calm:
        return [[-whole]]
    if unit == 8:
        return [chance.choice(EIGHTHS) for _ in range(whole // 6)]
    made, left = [], whole
    while left:
        if left >= 8 and chance.random() < 0.2 + 0.4 * calm:
            made.append([8])
            left -= 8
        else:
            made.append([4] if chance.random() < calm else chance.choice(QUARTERS))
            left -= 4
    return made


class Line:
    """One staff's voice: a walk through the pitches round the middle of its clef."""

    def __init__(self, chance, clef, staff, sung, busy):
        self.chance, self.staff, self.sung = chance, staff, sung
        self.middle = {"treble": 34, "bass": 22, "alto": 28, "tenor": 26}[clef]
        self.height, self.calm = self.middle, 0.0 if busy else chance.random() * 0.8
        self.range = chance.choice([4, 6, 9])
        self.chords = not sung and chance.random() < 0.3
        self.slur = False

    def measure(self, beats, unit, voice):
        whole, out = beats * 16 // unit, []
        for cell in cells(self.chance, beats, unit, self.calm):
            beamed = [at for at, length in enumerate(cell) if 0 < length < 4]
            for at, length in enumerate(cell):
                if length < 0:
                    # A rest of a whole measure stands in its middle.
                    kind = "" if -length == whole else f"<type>{TYPES[-length]}</type>"
                    rest = "<rest measure='yes'/>" if -length == whole else "<rest/>"
                    dot = "<dot/>" if kind and -length in (3, 6, 12) else ""
                    out.append(f"<note>{rest}<duration>{-length}</duration><voice>{voice}</voice>{kind}{dot}"
                               f"<staff>{self.staff}</staff></note>")
                    continue
                out.append(self.note(length, voice, cell, at, beamed))
        return "".join(out)

    def note(self, length, voice, cell, at, beamed):
        chance = self.chance
        self.height += chance.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3])
        self.height = min(max(self.height, self.middle - self.range), self.middle + self.range)
        beam = ""
        if len(beamed) > 1 and at in beamed:
            word = "begin" if at == beamed[0] else "end" if at == beamed[-1] else "continue"
            beam = f"<beam number='1'>{word}</beam>"
            if length == 1:
                near = [other for other in (at - 1, at + 1) if 0 <= other < len(cell) and cell[other] == 1]
                second = ("forward hook" if at + 1 < len(cell) else "backward hook") if not near else (
                    "begin" if at - 1 not in near else "end" if at + 1 not in near else "continue")
                beam += f"<beam number='2'>{second}</beam>"
        marks = ""
        if chance.random() < 0.05:
            marks = f"<notations><slur type='{'stop' if self.slur else 'start'}' number='1'/></notations>"
            self.slur = not self.slur
        elif chance.random() < 0.08:
            marks = f"<notations><articulations><{chance.choice(['staccato', 'accent', 'tenuto'])}/></articulations>" \
                    "</notations>"
        words = (f"<lyric><syllabic>single</syllabic><text>{chance.choice(SYLLABLES)}</text></lyric>" if self.sung
                 else "")
        made = ""
        heights = [self.height] + ([self.height + step for step in chance.choice([[2], [4], [2, 4], [7]])]
                                   if self.chords and chance.random() < 0.4 else [])
        for number, height in enumerate(heights):
            accidental = "<accidental>sharp</accidental>" if chance.random() < 0.05 else ""
            alter = "<alter>1</alter>" if accidental else ""
            dot = "<dot/>" if length in (3, 6, 12) else ""
            made += (f"<note>{'<chord/>' if number else ''}<pitch><step>{STEPS[height % 7]}</step>{alter}"
                     f"<octave>{height // 7}</octave></pitch><duration>{length}</duration><voice>{voice}</voice>"
                     f"<type>{TYPES[length]}</type>{dot}{accidental}<staff>{self.staff}</staff>"
                     + ("" if number else beam + marks + words) + "</note>")
        return made


def bar_line(location, style=None, repeat=None):
    return (f"<barline location='{location}'>" + (f"<bar-style>{style}</bar-style>" if style else "")
            + (f"<repeat direction='{repeat}'/>" if repeat else "") + "</barline>")


def plan(chance, count):
    """For each measure the bar lines at its left and right, the same in all parts."""
    lines, repeating = [["", ""] for _ in range(count)], False
    for at in range(count):
        draw = chance.random()
        if draw < 0.06 and not repeating and at + 2 < count:
            lines[at][0], repeating = bar_line("left", "heavy-light", "forward"), True
        elif draw < 0.14 and repeating:
            lines[at][1], repeating = bar_line("right", "light-heavy", "backward"), False
        elif draw < 0.17:
            lines[at][1] = bar_line("right", "light-light")
    lines[-1][1] = bar_line("right", "light-heavy", "backward" if repeating else None)
    return lines


def music(seed, kind, count):
    """A score of `count` measures as MusicXML."""
    chance = random.Random(seed)
    parts, groups = ENSEMBLES[kind]
    beats, unit = chance.choice(TIMES)
    fifths = chance.randint(-5, 5)
    lines, listing, bodies = plan(chance, count), "", ""
    busy = chance.random() < 0.25
    pickup = chance.random() < 0.3 and unit == 4
    changes = {at: chance.randint(-5, 5) for at in range(4, count) if chance.random() < 0.02}
    for at, (name, _, _) in enumerate(parts):
        listing += "".join(
            f"<part-group type='start' number='{number + 1}'><group-symbol>{symbol}</group-symbol>"
            f"<group-barline>{'yes' if common else 'no'}</group-barline></part-group>"
            for number, (first, _, symbol, common) in enumerate(groups) if first == at)
        listing += f"<score-part id='P{at + 1}'><part-name>{name}</part-name></score-part>"
        listing += "".join(f"<part-group type='stop' number='{number + 1}'/>"
                           for number, (_, last, _, _) in enumerate(groups) if last == at)
    for at, (_, clefs, sung) in enumerate(parts):
        voices = [Line(chance, clef, staff + 1, sung, busy) for staff, clef in enumerate(clefs)]
        second = Line(chance, clefs[0], 1, False, False) if len(parts) == 1 and chance.random() < 0.2 else None
        resting = 0
        body = f"<part id='P{at + 1}'>"
        for number in range(count):
            length = 1 if pickup and number == 0 else beats
            marks = ""
            if number == 0:
                marks = (f"<attributes><divisions>4</divisions><key><fifths>{fifths}</fifths></key><time><beats>{beats}"
                         f"</beats><beat-type>{unit}</beat-type></time><staves>{len(clefs)}</staves>"
                         + "".join(f"<clef number='{staff + 1}'><sign>{CLEFS[clef][0]}</sign>"
                                   f"<line>{CLEFS[clef][1]}</line></clef>" for staff, clef in enumerate(clefs))
                         + "</attributes>")
            elif number in changes:
                marks = f"<attributes><key><fifths>{changes[number]}</fifths></key></attributes>"
            inside = ""
            if len(parts) == 1 and len(clefs) == 1 and resting == 0 and number > 2 and chance.random() < 0.06:
                resting = min(chance.randint(2, 12), count - number)
                marks += (f"<attributes><measure-style><multiple-rest>{resting}</multiple-rest></measure-style>"
                          "</attributes>")
            if chance.random() < 0.06:
                loud = chance.choice(["p", "f", "mf"])
                inside += (f"<direction placement='below'><direction-type><dynamics><{loud}/></dynamics>"
                           "</direction-type></direction>")
            whole = length * 16 // unit
            left, right = lines[number]
            if resting:
                resting -= 1
                inside += (f"<note><rest measure='yes'/><duration>{whole}</duration><voice>1</voice>"
                           "<staff>1</staff></note>")
                left, right = "", bar_line("right", "light-heavy") if number == count - 1 else ""
            else:
                for staff, voice in enumerate(voices):
                    if staff:
                        inside += f"<backup><duration>{whole}</duration></backup>"
                    inside += voice.measure(length, unit, staff * 2 + 1)
                    if second and staff == 0:
                        inside += f"<backup><duration>{whole}</duration></backup>" + second.measure(length, unit, 2)
            implicit = " implicit='yes'" if pickup and number == 0 else ""
            body += (f"<measure number='{number + (0 if pickup else 1)}'{implicit}>{left}{marks}{inside}{right}"
                     "</measure>")
        bodies += body + "</part>"
    return ("<?xml version='1.0' encoding='UTF-8'?><score-partwise version='4.0'><part-list>" + listing
            + "</part-list>" + bodies + "</score-partwise>")
