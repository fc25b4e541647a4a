"""MusicXML scores as far as cases need them: written bars, the ways through their repeats, other versions of them."""

import dataclasses
import itertools
import pathlib
import re
import xml.etree.ElementTree as ElementTree
import zipfile

from .sound import SoundFailure

TICKS = 24  # ticks in a quarter note
PIANO = 1  # General MIDI's first program, counted from 1 as MusicXML does
STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


@dataclasses.dataclass
class Bar:
    """A bar as it is written."""

    # Its number in the score, such as "8", or "X1" for a second ending.
    number: str
    ticks: int = 0
    # Ticks in the bar and MIDI pitches.
    notes: set = dataclasses.field(default_factory=set)
    opens: bool = False
    closes: bool = False
    ending: str = ""


def read(path):
    """The root element of a plain or compressed score."""
    try:
        if pathlib.Path(path).suffix != ".mxl":
            return ElementTree.parse(path).getroot()
        with zipfile.ZipFile(path) as archive:
            container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
            inside = next(e.get("full-path") for e in container.iter() if e.tag.endswith("rootfile"))
            return ElementTree.fromstring(archive.read(inside))
    except (OSError, KeyError, StopIteration, zipfile.BadZipFile, ElementTree.ParseError) as fault:
        raise SoundFailure(f"{path} cannot be used: it is no MusicXML score ({fault}).") from None


def write(root, path):
    ElementTree.ElementTree(root).write(path, encoding="UTF-8", xml_declaration=True)


def bars(root):
    """The written bars of the first part."""
    found, divisions, ending = [], 1, ""
    for measure in root.find("part").findall("measure"):
        bar = Bar(measure.get("number", ""))
        divisions = int(measure.findtext("attributes/divisions", divisions))
        now = onset = 0
        for element in measure:
            length = int(element.findtext("duration", "0")) * TICKS / divisions
            if element.tag == "backup":
                now -= length
            elif element.tag == "forward":
                now += length
            elif element.tag == "note" and element.find("grace") is None:
                if element.find("chord") is None:
                    onset, now = now, now + length
                if (pitch := element.find("pitch")) is not None and element.find("tie[@type='stop']") is None:
                    bar.notes.add((round(onset), _midi(pitch)))
            bar.ticks = max(bar.ticks, round(now))
        lines = measure.findall("barline")
        starts = [mark.get("number") for line in lines for mark in line.findall("ending[@type='start']")]
        ending = starts[0] if starts else ending
        bar.ending = ending
        bar.opens = any(line.find("repeat[@direction='forward']") is not None for line in lines)
        bar.closes = any(line.find("repeat[@direction='backward']") is not None for line in lines)
        if any(mark.get("type") != "start" for line in lines for mark in line.findall("ending")):
            ending = ""
        found.append(bar)
    return found


def _midi(pitch):
    altered = int(float(pitch.findtext("alter", "0")))
    return 12 * (int(pitch.findtext("octave")) + 1) + STEPS[pitch.findtext("step")] + altered


def route(written, taken):
    """Indices of bars in the order of performance; `taken` says of each repeat whether it is played."""
    order, start, place, count = [], 0, 0, 0
    is_again = is_leaving = False
    while place < len(written):
        bar = written[place]
        if is_leaving and bar.ending != "2":
            count, is_again, is_leaving, start = count + 1, False, False, place
        if bar.opens and not is_again:
            start = place
        # If a repeat is not taken, only its last ending is played.
        is_last_time = is_again or not (count < len(taken) and taken[count])
        if bar.ending in ("", "2" if is_last_time else "1"):
            order.append(place)
            if bar.closes and not is_last_time:
                place, is_again = start, True
                continue
            is_leaving = bar.ending == "2" or bar.closes
        place += 1
    return order


def repeats(written):
    return sum(bar.closes for bar in written)


def played(written, notes):
    """The route that fits notes (tick, pitch) in order of performance best, and the share of the notes that agree."""
    best = (0.0, [])
    for taken in itertools.product((True, False), repeat=repeats(written)):
        order = route(written, taken)
        begin, expected = 0, set()
        for place in order:
            expected |= {(begin + tick, pitch) for tick, pitch in written[place].notes}
            begin += written[place].ticks
        share = len(expected & notes) / max(1, len(expected | notes))
        best = max(best, (share, order))
    return best[1], best[0]


def without_repeats(root):
    """Each written bar once, in written order: no repeat, no ending, no jump. Changes `root`."""
    for line in root.iter("barline"):
        for mark in (*line.findall("repeat"), *line.findall("ending")):
            line.remove(mark)
    return root


def on_program(root, program):
    """All parts on one General MIDI program. Changes `root`."""
    for instrument in root.iter("midi-program"):
        instrument.text = str(program)
    return root


def part_names(root):
    """The parts' names, as `baton render --balance` takes them."""
    return [re.sub(r"\s+", " ", part.findtext("part-name", "")).strip() for part in root.iter("score-part")]
