"""The simulated concert's programme: pieces, rehearsal letters, cues and message templates."""

import csv
import io

COLUMNS = ["piece", "place", "name", "kind", "auto", "earliness_ms", "notes", "target", "payload"]
KINDS = {"osc", "mqtt", "message", "note", "slide"}


class Fault(Exception):
    """A refusal with a sentence for the person who asked."""

    def __init__(self, sentence, code="refused", status=422):
        super().__init__(sentence)
        self.sentence, self.code, self.status = sentence, code, status


def piece(name, folder, printed, sections, seconds_per_measure, repeats=()):
    """A piece whose `printed` measures are played in order; `repeats` are (first, last) played twice."""
    order = []
    measure = 1
    while measure <= printed:
        order.append(measure)
        for first, last in repeats:
            if measure == last and order.count(last) == 1:
                order.extend(range(first, last + 1))
        measure += 1
    return {
        "name": name, "folder": folder, "order": order, "secondsPerMeasure": seconds_per_measure,
        "sections": [
            {"label": label, "place": str(start), "played": order.index(start)} for label, start in sections
        ],
    }


def programme():
    return [
        piece("Bach, The Well-Tempered Clavier I: Prelude in C", "bach-prelude-in-c", 35,
              [("A", 1), ("B", 12), ("C", 20), ("D", 32)], 3.4),
        piece("Petzold, Notebook for Anna Magdalena Bach: Minuet in G", "petzold-minuet-in-g", 32,
              [("A", 1), ("B", 17)], 1.6, repeats=[(1, 16), (17, 32)]),
        piece("Beethoven, Symphony no. 9: Ode to Joy, variations", "beethoven-ode-to-joy", 214,
              [("A", 1), ("B", 25), ("C", 49), ("D", 73), ("E", 98), ("F", 122), ("G", 148), ("H", 176), ("K", 200)],
              1.8),
        piece("Grieg, Peer Gynt: In the Hall of the Mountain King", "grieg-mountain-king", 88,
              [("A", 1), ("B", 18), ("C", 34), ("D", 50), ("E", 66), ("F", 74)], 1.5),
        piece("Dvořák, Slavonic Dance in E minor, op. 72 no. 2", "dvorak-slavonic-dance", 160,
              [("A", 1), ("B", 33), ("C", 65), ("D", 97), ("E", 129)], 1.4),
    ]


CUES = {
    2: '''piece,place,name,kind,auto,earliness_ms,notes,target,payload
3,1,House to half,osc,yes,0,,desk,/eos/cue/1/fire
3,8,"Slide: ""An die Freude""",slide,yes,0,Title only; no text yet,,freude-1
3,25,Warm wash stage left,osc,yes,250,,desk,/eos/cue/12/fire
3,49,Choir stands,note,no,0,"Watch the choir master, not the conductor",,
3,61,Slide: first stanza,slide,yes,0,,,freude-2
3,64,Follow spot to soprano,osc,yes,300,Spot 2 has the long throw,desk,/eos/cue/14/fire
3,73,Blue cyc,osc,yes,0,,desk,/eos/cue/15/fire
3,80,Fog off,mqtt,yes,0,,hall/fog,off
3,98,Message: texts on your phone,message,no,0,Only if the hall is quiet,,PUSH|Texts|The words are on your screen now.|AUTO||
3,122,Slide: second stanza,slide,yes,0,,,freude-3
3,148,Gold wash,osc,yes,200,,desk,/eos/cue/19/fire
3,176,Brass doors open,mqtt,yes,1500,Doors need 1.5 s,hall/doors,open
3,200,Full stage,osc,yes,0,,desk,/eos/cue/22/fire
3,214,Blackout on the last chord,osc,no,0,By hand. Wait for the release,desk,/eos/cue/30/fire
''',
    3: '''piece,place,name,kind,auto,earliness_ms,notes,target,payload
4,1,Cellar light,osc,yes,0,,desk,/eos/cue/40/fire
4,34,Strobe warning,message,no,0,,,PUSH|Care|Bright flashes follow.|BUTTON|Thank you|
4,74,Strobe,osc,yes,0,,desk,/eos/cue/44/fire
''',
}

TEMPLATES = [
    {"title": "Welcome", "body": "Please silence your phone and dim the screen. Enjoy the concert.",
     "style": "BUTTON", "buttonText": "Will do"},
    {"title": "Intermission", "body": "Twenty minutes. The bar is on the first floor.", "style": "AUTO",
     "buttonText": ""},
    {"title": "Link", "body": "Please take a brief survey.", "style": "BUTTON",
     "buttonText": "https://www.survey.example/concert"},
]


def place_of(printed_text, piece_value):
    """Played index of a place: `57`, `57/2`, `C`, `s:C`, `p:60`."""
    text = printed_text.strip().removeprefix("s:")
    order = piece_value["order"]
    if text.lower().startswith("p:") and text[2:].isdigit():
        played = int(text[2:])
        if played < len(order):
            return played
        raise Fault(f"“{text}” is past the end: the last played measure is p:{len(order) - 1}.", "no-such-place")
    for section in piece_value["sections"]:
        if section["label"] == text:
            return section["played"]
    number, _, time = text.partition("/")
    if number.isdigit() and (time == "" or time.isdigit()):
        hits = [played for played, measure in enumerate(order) if measure == int(number)]
        wanted = int(time or 1) - 1
        if hits and wanted < len(hits):
            return hits[wanted]
        raise Fault(f"Bar {text} does not exist: this piece has bars {order[0]} to {order[-1]}.", "no-such-place")
    raise Fault(f"“{text}” is neither a bar number nor a rehearsal letter of this piece.", "no-such-place")


def read_cues(text, piece_value):
    """The cues of a CSV text, in playing order."""
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))
    if not rows or [name.strip() for name in rows[0]] != COLUMNS:
        raise Fault("Row 1: the header must read “" + ",".join(COLUMNS) + "”.", "bad-cues")
    cues = []
    for number, row in enumerate(rows[1:], start=2):
        if not row or row == [""]:
            continue
        if len(row) != len(COLUMNS):
            raise Fault(f"Row {number}: {len(row)} columns, {len(COLUMNS)} wanted.", "bad-cues")
        cue = dict(zip(COLUMNS, row))
        if cue["kind"] not in KINDS:
            raise Fault(f"Row {number}: kind “{cue['kind']}” is none of {', '.join(sorted(KINDS))}.", "bad-cues")
        if cue["auto"] not in ("yes", "no"):
            raise Fault(f"Row {number}: auto is “{cue['auto']}”; write yes or no.", "bad-cues")
        if not cue["earliness_ms"].isdigit():
            raise Fault(f"Row {number}: earliness “{cue['earliness_ms']}” is not a number of milliseconds.", "bad-cues")
        if not cue["name"].strip():
            raise Fault(f"Row {number}: the name is empty; write what the cue does.", "bad-cues")
        try:
            cue["played"] = place_of(cue["place"], piece_value)
        except Fault as fault:
            raise Fault(f"The cue “{cue['name']}”, line {number}: {fault.sentence}", "bad-cues") from None
        cues.append(cue)
    cues.sort(key=lambda cue: cue["played"])
    for number, cue in enumerate(cues, start=1):
        cue["id"] = f"c{number}"
        cue["fired"] = False
    return cues


def write_cues(cues):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for cue in cues:
        writer.writerow([cue[name] for name in COLUMNS])
    return out.getvalue()
