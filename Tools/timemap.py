#!/usr/bin/env python3
"""Unfold a MusicXML score into MIDI and measure onsets, with Verovio.

    timemap.py SCORE            .musicxml, .xml or .mxl; prints one JSON object

    {"title": ..., "composer": ..., "midi": BASE64, "endQuarters": 512.0,
     "measures": [{"printed": 1, "written": 0, "quarters": 0.0}, ...]}

Measures stand in performance order, repeats and endings unfolded, counted in quarter notes from the start.
`written` is a measure's place on paper, counted from 0: both passes of a repeated measure have the same.
Dynamics, hairpins and accents become note velocities, which Verovio does not do by itself.
Exit status: 0 done, 1 the score cannot be used (one sentence on standard error), 3 Verovio is missing.
"""

import base64
import io
import json
import re
import resource
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from xml.parsers import expat

MAXIMUM_BYTES = 9_000_000
MAXIMUM_ELEMENTS = 2_000_000
MAXIMUM_DEPTH = 100
MEMORY_LIMIT_BYTES = 4_000_000_000

# Percent of MusicXML's forte (velocity 90).
LEVELS = {
    "pppp": 25, "ppp": 32, "pp": 44, "p": 58, "mp": 72, "mf": 84, "f": 100, "ff": 116, "fff": 128,
    "ffff": 135, "fp": 62, "sfp": 66, "sf": 112, "sfz": 114, "sffz": 122, "fz": 112, "rf": 108, "rfz": 108,
}
DEFAULT_LEVEL = 80
ACCENTS = {"accent": 1.15, "strong-accent": 1.25}
HAIRPIN_STEP = 16

# Quarters to a printed value and its dots, and the elements that stand before `type` in a note.
NAMES = ["breve", "whole", "half", "quarter", "eighth", "16th", "32nd", "64th"]
TYPES = {8 / 2**i * (2 - 0.5**dots): (name, dots) for dots in (2, 1, 0) for i, name in enumerate(NAMES)}
BEFORE_TYPE = {"chord", "pitch", "unpitched", "rest", "cue", "duration", "tie", "instrument", "voice",
               "footnote", "level"}


class Refused(Exception):
    """The score cannot be used; the text says why."""


def score_bytes(path):
    """The MusicXML text of a plain or compressed score, never more than MAXIMUM_BYTES."""
    if not path.lower().endswith(".mxl"):
        with open(path, "rb") as file:
            return bounded(file)
    try:
        with zipfile.ZipFile(path) as archive:
            with archive.open("META-INF/container.xml") as member:
                container = checked(bounded(member))
            rootfile = next((e for e in container.iter() if e.tag.endswith("rootfile")), None)
            if rootfile is None:
                raise Refused("its container names no score")
            with archive.open(rootfile.get("full-path", "")) as member:
                return bounded(member)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise Refused(f"it is not a compressed MusicXML file ({error})") from error


def bounded(file):
    content = file.read(MAXIMUM_BYTES + 1)
    if len(content) > MAXIMUM_BYTES:
        raise Refused(f"it is larger than {MAXIMUM_BYTES} bytes unpacked")
    return content


def checked(content):
    """Parse XML that declares no entities and is neither too deep nor too large."""
    builder = ElementTree.TreeBuilder()
    depth = elements = 0

    def start(tag, attributes):
        nonlocal depth, elements
        depth += 1
        elements += 1
        if depth > MAXIMUM_DEPTH or elements > MAXIMUM_ELEMENTS:
            raise Refused("it is nested too deeply or has too many elements")
        builder.start(tag, attributes)

    def end(tag):
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def entity(*_):
        raise Refused("it declares XML entities")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise Refused(f"it is not well-formed XML ({error})") from error
    return builder.close()


def text(root, path):
    found = root.find(path)
    return found.text.strip() if found is not None and found.text and found.text.strip() else None


def composer(root):
    for creator in root.findall("identification/creator"):
        if creator.get("type", "composer") == "composer" and creator.text:
            return creator.text.strip()
    return None


def printed_numbers(root):
    """Printed measure numbers in written order; "12a" counts as 12, one without digits as the one before."""
    numbers, last = [], 0
    for measure in root.find("part").findall("measure"):
        digits = re.match(r"\d{1,6}", measure.get("number", ""))
        last = int(digits.group()) if digits else last
        numbers.append(last)
    return numbers


def integer(element, name, default=0):
    try:
        return int(float(element.findtext(name, "") or default))
    except (ValueError, OverflowError):
        return default


def write_velocities(part):
    """Give every note of a part a `dynamics` attribute from the marks before it."""
    notes, levels, hairpins = [], [], []
    divisions, measure_start, open_hairpin = 1, 0.0, None
    for measure in part.findall("measure"):
        now = longest = 0.0
        onset = 0.0
        for element in measure:
            if element.tag == "attributes":
                divisions = max(integer(element, "divisions", divisions), 1)
            elif element.tag == "backup":
                now -= integer(element, "duration") / divisions
            elif element.tag == "forward":
                now += integer(element, "duration") / divisions
            elif element.tag == "direction":
                at = measure_start + now + integer(element, "offset") / divisions
                level = direction_level(element)
                if level is not None:
                    levels.append((at, level))
                for wedge in element.iter("wedge"):
                    if wedge.get("type") in ("crescendo", "diminuendo"):
                        open_hairpin = (at, wedge.get("type"))
                    elif wedge.get("type") == "stop" and open_hairpin:
                        hairpins.append((open_hairpin[0], at, open_hairpin[1]))
                        open_hairpin = None
            elif element.tag == "note":
                if element.find("chord") is None:
                    onset = now
                    now += integer(element, "duration") / divisions
                if element.find("rest") is None:
                    notes.append((measure_start + onset, element))
            longest = max(longest, now)
        measure_start += longest
    levels.sort(key=lambda entry: entry[0])
    hairpins.sort()
    for at, note in notes:
        if note.get("dynamics") is None:
            percent = level_at(at, levels, hairpins)
            for mark, factor in ACCENTS.items():
                if note.find(f"notations/articulations/{mark}") is not None:
                    percent *= factor
            note.set("dynamics", f"{min(max(percent, 12), 140):.1f}")


def write_types(part):
    """Give notes without a `type` the one their duration has: MusicXML allows that, Verovio does not."""
    divisions = 1
    for measure in part.findall("measure"):
        for element in measure:
            if element.tag == "attributes":
                divisions = max(integer(element, "divisions", divisions), 1)
            if element.tag != "note" or element.find("type") is not None or element.find("grace") is not None:
                continue
            rest = element.find("rest")
            value = TYPES.get(integer(element, "duration") / divisions)
            if value is None or rest is not None and rest.get("measure") == "yes":
                continue
            before = [i for i, child in enumerate(element) if child.tag in BEFORE_TYPE]
            name, dots = value
            added = [ElementTree.Element("type")] + [ElementTree.Element("dot") for _ in range(dots)]
            added[0].text = name
            element[max(before) + 1:max(before) + 1] = added


def direction_level(direction):
    sound = direction.find("sound")
    try:
        if sound is not None and sound.get("dynamics"):
            return min(max(float(sound.get("dynamics")), 1.0), 140.0)
    except ValueError:
        pass
    mark = direction.find("direction-type/dynamics")
    if mark is not None and len(mark):
        return LEVELS.get(mark[0].tag)
    return None


def level_at(at, levels, hairpins):
    level, since = DEFAULT_LEVEL, -1.0
    for moment, value in levels:
        if moment > at + 1e-6:
            break
        level, since = value, moment
    # A hairpin leads to the mark at its end; where none stands there, one step louder or softer.
    for start, stop, kind in hairpins:
        if start > at + 1e-6 or since > start + 1e-6:
            continue
        step = HAIRPIN_STEP if kind == "crescendo" else -HAIRPIN_STEP
        target = next((value for moment, value in levels if stop - 1e-6 <= moment <= stop + 1.01), level + step)
        if stop > start:
            level += (target - level) * min(max((at - start) / (stop - start), 0.0), 1.0)
    return level


def number_in_written_order(root):
    """Give every measure its place on paper as its number: printed numbers may be missing or occur twice."""
    for part in root.findall("part"):
        for place, measure in enumerate(part.findall("measure")):
            measure.set("number", str(place))


def unfold(root, printed, content):
    import verovio

    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    # Expanded for every output, so that repeated measures keep their attributes.
    toolkit.setOptions({"expandAlways": True, "inputFrom": "xml", "breaks": "none", "xmlIdSeed": 1})
    if not toolkit.loadData(content):
        raise Refused("Verovio cannot read it")
    timemap = toolkit.renderToTimemap({"includeMeasures": True})
    midi = toolkit.renderToMIDI()
    measures = []
    for entry in timemap:
        if "measureOn" in entry:
            number = toolkit.getElementAttr(entry["measureOn"]).get("n", "")
            if not number.isdigit() or int(number) >= len(printed):
                raise Refused("Verovio lost the order of its measures")
            measures.append({
                "printed": printed[int(number)], "written": int(number), "quarters": float(entry["qstamp"]),
            })
    if not measures:
        raise Refused("it has no measures")
    return measures, midi, max(
        float(timemap[-1]["qstamp"]), last_measure_end(root, measures[-1]))


def last_measure_end(root, last):
    """The end of the last measure by its written length: it may close with rests, which the timemap leaves out."""
    lengths = {}
    for part in root.findall("part"):
        divisions = 1
        for place, measure in enumerate(part.findall("measure")):
            now = longest = 0.0
            for element in measure:
                if element.tag == "attributes":
                    divisions = max(integer(element, "divisions", divisions), 1)
                elif element.tag == "backup":
                    now -= integer(element, "duration") / divisions
                elif element.tag == "forward" or element.tag == "note" and element.find("chord") is None:
                    now += integer(element, "duration") / divisions
                longest = max(longest, now)
            lengths[place] = max(lengths.get(place, 0.0), longest)
    return last["quarters"] + lengths.get(last["written"], 0.0)


def main(arguments):
    if {"-h", "--help"} & set(arguments[1:]):
        print(__doc__)
        return 0
    if len(arguments) != 2:
        print("usage: timemap.py SCORE", file=sys.stderr)
        return 1
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    try:
        root = checked(score_bytes(arguments[1]))
        if root.tag != "score-partwise" or root.find("part") is None:
            raise Refused("it is not a partwise MusicXML score")
        for part in root.findall("part"):
            write_types(part)
            write_velocities(part)
        printed = printed_numbers(root)
        number_in_written_order(root)
        rewritten = io.BytesIO()
        ElementTree.ElementTree(root).write(rewritten, encoding="UTF-8", xml_declaration=True)
        measures, midi, end = unfold(root, printed, rewritten.getvalue().decode("utf-8"))
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except ImportError:
        print("Verovio is missing; run Tools/verovio-venv", file=sys.stderr)
        return 3
    json.dump({
        "title": text(root, "work/work-title") or text(root, "movement-title"), "composer": composer(root),
        "midi": midi if isinstance(midi, str) else base64.b64encode(midi).decode(),
        "measures": measures, "endQuarters": end,
    }, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
