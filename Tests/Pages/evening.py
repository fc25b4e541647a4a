"""An evening of five pieces for the console's tests: measures, rehearsal letters and cues, in the files of a recording.

The times are even; nothing of it was recorded.
"""

import csv
import io
import pathlib
import xml.sax.saxutils
from typing import NamedTuple

TITLE = "Evening concert: Bach to Dvořák"


class Piece(NamedTuple):
    folder: str
    name: str
    printed: int
    seconds_per_measure: float
    # Rehearsal letters and the measure at which each begins.
    sections: tuple
    # First and last measure of what is played twice.
    repeats: tuple = ()

    @property
    def order(self):
        """Printed numbers in the order in which they are played."""
        order, measure = [], 1
        while measure <= self.printed:
            order.append(measure)
            for first, last in self.repeats:
                if measure == last and order.count(last) == 1:
                    order.extend(range(first, last + 1))
            measure += 1
        return order


PIECES = (
    Piece("bach-prelude-in-c", "Bach, The Well-Tempered Clavier I: Prelude in C", 35, 3.4,
          (("A", 1), ("B", 12), ("C", 20), ("D", 32))),
    Piece("petzold-minuet-in-g", "Petzold, Notebook for Anna Magdalena Bach: Minuet in G", 32, 1.6,
          (("A", 1), ("B", 17)), ((1, 16), (17, 32))),
    Piece("beethoven-ode-to-joy", "Beethoven, Symphony no. 9: Ode to Joy, variations", 214, 1.8,
          (("A", 1), ("B", 25), ("C", 49), ("D", 73), ("E", 98), ("F", 122), ("G", 148), ("H", 176), ("K", 200))),
    Piece("grieg-mountain-king", "Grieg, Peer Gynt: In the Hall of the Mountain King", 88, 1.5,
          (("A", 1), ("B", 18), ("C", 34), ("D", 50), ("E", 66), ("F", 74))),
    Piece("dvorak-slavonic-dance", "Dvořák, Slavonic Dance in E minor, op. 72 no. 2", 160, 1.4,
          (("A", 1), ("B", 33), ("C", 65), ("D", 97), ("E", 129))),
)

CUES = {
    "beethoven-ode-to-joy": '''place,name,kind,auto,earliness_ms,notes,target,payload
1,House to half,osc,yes,0,,desk,/eos/cue/1/fire
8,"Slide: ""An die Freude""",slide,yes,0,Title only; no text yet,,freude-1
25,Warm wash stage left,osc,yes,250,,desk,/eos/cue/12/fire
49,Choir stands,note,no,0,"Watch the choir master, not the conductor",,
61,Slide: first stanza,slide,yes,0,,,freude-2
64,Follow spot to soprano,osc,yes,300,Spot 2 has the long throw,desk,/eos/cue/14/fire
73,Blue cyc,osc,yes,0,,desk,/eos/cue/15/fire
80,Fog off,mqtt,yes,0,,hall/fog,off
98,Message: texts on your phone,message,no,0,Only if the hall is quiet,,Texts|The words are on your screen now.|AUTO|
122,Slide: second stanza,slide,yes,0,,,freude-3
148,Gold wash,osc,yes,200,,desk,/eos/cue/19/fire
176,Brass doors open,mqtt,yes,1500,Doors need 1.5 s,hall/doors,open
200,Full stage,osc,yes,0,,desk,/eos/cue/22/fire
214,Blackout on the last chord,osc,no,0,By hand. Wait for the release,desk,/eos/cue/30/fire
''',
    "grieg-mountain-king": '''place,name,kind,auto,earliness_ms,notes,target,payload
1,Cellar light,osc,yes,0,,desk,/eos/cue/40/fire
34,Strobe warning,message,no,0,,,Care|Bright flashes follow.|BUTTON|Thank you
74,Strobe,osc,yes,0,,desk,/eos/cue/44/fire
''',
}


def cue_names(folder):
    return [row["name"] for row in csv.DictReader(io.StringIO(CUES[folder]))]


def page(seconds, measure, text):
    return (f"<page><time>{seconds:.4f}</time><measure>{measure}</measure>"
            f"<text>{xml.sax.saxutils.escape(text)}</text></page>")


def content(piece):
    """The measures and sections of a piece, as `data.xml`."""
    onsets = [played * piece.seconds_per_measure for played in range(len(piece.order))]
    measures = [page(onset, printed, f"{onset:.4f}") for printed, onset in zip(piece.order, onsets, strict=True)]
    sections = [page(onsets[piece.order.index(first)], first, f"{label},120,140,180")
                for label, first in piece.sections]
    end = page(len(onsets) * piece.seconds_per_measure, piece.order[-1], "END")
    return (f"<?xml version=\"1.0\"?>\n<concert><piece><name>{xml.sax.saxutils.escape(piece.name)}</name>"
            f"<measures>{len(piece.order)}</measures><track><name>NumSeconds</name>{''.join(measures)}</track>"
            f"<track><name>Structure</name>{''.join(sections)}{end}</track></piece></concert>\n")


def write(folder):
    """Makes the recordings' folder of the evening; the path of its concert file."""
    folder = pathlib.Path(folder)
    for piece in PIECES:
        (folder / piece.folder / "content").mkdir(parents=True)
        (folder / piece.folder / "content" / "data.xml").write_text(content(piece), encoding="utf-8")
        if piece.folder in CUES:
            (folder / piece.folder / "cues.csv").write_text(CUES[piece.folder], encoding="utf-8")
    names = ", ".join(f'"{piece.folder}"' for piece in PIECES)
    concert = folder / "evening.json"
    concert.write_text(f'{{"title": "{TITLE}", "pieces": [{names}]}}\n', encoding="utf-8")
    return concert


def times(piece, speed):
    """The beginnings of the measures if the piece is played so many times as fast, as the file by which a report is
    judged."""
    rows = [f"{printed},{played * piece.seconds_per_measure / speed:.4f}" for played, printed in enumerate(piece.order)]
    return "\n".join(["measure,time", *rows]) + "\n"
