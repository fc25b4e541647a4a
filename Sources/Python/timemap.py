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
from fractions import Fraction
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
NAMES = ["breve", "whole", "half", "quarter", "eighth", "16th", "32nd", "64th", "128th", "256th", "512th", "1024th"]
TYPES = {8 / 2**i * (2 - 0.5**dots): (name, dots) for dots in (2, 1, 0) for i, name in enumerate(NAMES)}
BEFORE_TYPE = {"chord", "pitch", "unpitched", "rest", "cue", "duration", "tie", "instrument", "voice",
               "footnote", "level"}


class Refused(Exception):
    """The score cannot be used; the text says why."""


def read_score(path):
    """The root of a MusicXML score, with parts of measures: whatever its ending, encoding and container."""
    root = checked(score_bytes(path))
    if root.tag == "score-timewise":
        root = partwise(root)
    if root.tag != "score-partwise" or root.find("part") is None:
        raise Refused("it is not a MusicXML score")
    if not any(part.find("measure") is not None for part in root.findall("part")):
        raise Refused("it has no measures")
    fill_short_parts(root)
    return root


def partwise(root):
    """A score whose measures have parts as one whose parts have measures."""
    parts = {}
    for measure in root.findall("measure"):
        root.remove(measure)
        for part in measure.findall("part"):
            whole = parts.setdefault(part.get("id"), ElementTree.Element("part", {"id": part.get("id", "")}))
            ElementTree.SubElement(whole, "measure", measure.attrib).extend(part)
    root.extend(parts.values())
    root.tag = "score-partwise"
    return root


def fill_short_parts(root):
    """Gives parts that end before others the measures that they lack, without content."""
    parts = root.findall("part")
    longest = max((part.findall("measure") for part in parts), key=len)
    for part in parts:
        for measure in longest[len(part.findall("measure")):]:
            ElementTree.SubElement(part, "measure", measure.attrib)


def score_bytes(path):
    """The MusicXML of a plain or compressed score, never more than MAXIMUM_BYTES."""
    with open(path, "rb") as file:
        if file.read(4) != b"PK\x03\x04":
            file.seek(0)
            return bounded(file)
    try:
        with zipfile.ZipFile(path) as archive, archive.open(score_name(archive)) as member:
            return bounded(member)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise Refused(f"it is not a compressed MusicXML file ({error})") from error


def score_name(archive):
    """The score that the container names or, without a container, the first one in the archive."""
    names = [name for name in archive.namelist() if name.lower().endswith((".xml", ".musicxml"))
             and not name.startswith(("META-INF/", "__MACOSX/"))]
    if "META-INF/container.xml" in archive.namelist():
        with archive.open("META-INF/container.xml") as member:
            container = checked(bounded(member))
        for named in [each.get("full-path", "") for each in container.iter() if each.tag.endswith("rootfile")]:
            plain = named.lstrip("./").lower()
            found = next((name for name in archive.namelist() if name.lstrip("./").lower() == plain), None)
            if found and (found in names or not names):
                return found
    if not names:
        raise Refused("it holds no score")
    return names[0]


def bounded(file):
    content = file.read(MAXIMUM_BYTES + 1)
    if len(content) > MAXIMUM_BYTES:
        raise Refused(f"it is larger than {MAXIMUM_BYTES} bytes unpacked")
    return content


def decoded(content):
    """XML as text without its declaration, by its byte order mark or zero bytes, else in UTF-8 or as declared."""
    declaration = re.match(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)", content[:200])
    declared = declaration.group(1).decode("ascii", "replace").lower() if declaration else "utf-8"
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in content[:2]:
        tried = ["utf-16" if content[:1] in b"\xff\xfe" else "utf-16-le" if content[1] == 0 else "utf-16-be"]
    else:
        # Some programs declare UTF-16 and write UTF-8, or ISO 8859-1 and write windows-1252.
        tried = ["utf-8-sig", "windows-1252" if "8859-1" in declared or "latin" in declared else declared]
    for encoding in tried:
        try:
            return re.sub(r"^\s*<\?xml\b.*?\?>", "", content.decode(encoding), count=1, flags=re.S)
        except (UnicodeError, LookupError):
            pass
    raise Refused(f"its text is not {' or '.join(tried).replace('-sig', '').upper()}")


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

    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(decoded(content).encode("utf-8", "replace"), True)
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
    """Give notes without a `type` the one of their duration, and tuplets marks: MusicXML needs neither, Verovio both.

    A rest of a whole measure may be written as a whole rest, whatever the meter: its duration counts.
    """
    divisions = 1
    for measure in part.findall("measure"):
        for element in measure:
            if element.tag == "attributes":
                divisions = max(integer(element, "divisions", divisions), 1)
            if element.tag != "note" or element.find("grace") is not None:
                continue
            rest = element.find("rest")
            if rest is not None and element.findtext("type") in ("whole", "breve"):
                dots = len(element.findall("dot"))
                written = {"whole": 4, "breve": 8}[element.findtext("type")] * (2 - 0.5**dots)
                if written != integer(element, "duration") / divisions and element.find("time-modification") is None:
                    for child in element.findall("type") + element.findall("dot"):
                        element.remove(child)
            if element.find("type") is not None:
                continue
            length = integer(element, "duration") / divisions
            # A voice that only playback needs may have any durations: none becomes longer.
            shorter = max((value for value in TYPES if value <= length), default=min(TYPES))
            if rest is not None and (rest.get("measure") == "yes" or shorter != length):
                continue
            set_type(element, shorter)
        write_tuplets(measure)


def set_type(note, value):
    """Gives a note the name and the dots of a value in quarters."""
    for child in note.findall("type") + note.findall("dot"):
        note.remove(child)
    before = [i for i, child in enumerate(note) if child.tag in BEFORE_TYPE]
    name, dots = TYPES[value]
    added = [ElementTree.Element("type")] + [ElementTree.Element("dot") for _ in range(dots)]
    added[0].text = name
    note[max(before) + 1:max(before) + 1] = added


def ratio(note):
    """The time modification of a note, such as 3/2; None if it has none."""
    actual, normal = (note.findtext(f"time-modification/{name}-notes") for name in ("actual", "normal"))
    return (actual, normal) if actual and normal and actual.isdigit() and normal.isdigit() and "0" not in (
        actual, normal) else None


def write_tuplets(measure):
    """Mark tuplets of notes that a score only says to be modified, unseen: Verovio goes by the marks."""
    runs, open_marks = {}, {}
    for note in measure.findall("note"):
        if note.find("grace") is not None or note.find("chord") is not None:
            continue
        key = (note.findtext("staff"), note.findtext("voice"))
        marks = [mark.get("type") for mark in note.findall("notations/tuplet")]
        is_marked = bool(marks) or open_marks.get(key, 0) > 0
        open_marks[key] = max(open_marks.get(key, 0) + marks.count("start") - marks.count("stop"), 0)
        voice = runs.setdefault(key, [])
        modification = None if is_marked else ratio(note)
        if not voice or voice[-1][0] != modification:
            voice.append((modification, []))
        voice[-1][1].append(note)
    for modification, notes in (run for voice in runs.values() for run in voice):
        if modification is None:
            continue
        for note, kind in ((notes[0], "start"), (notes[-1], "stop")):
            notations = note.find("notations")
            if notations is None:
                # Lyrics and playback stand behind them.
                place = next((i for i, child in enumerate(note) if child.tag in ("lyric", "play")), len(note))
                notations = ElementTree.Element("notations")
                note.insert(place, notations)
            ElementTree.SubElement(notations, "tuplet", {
                "type": kind, "number": "1", **({"bracket": "no", "show-number": "none"} if kind == "start" else {})})


def keep_only_notes(measure):
    """Leaves a measure its notes with the values of their durations, one voice after the other: something else makes
    it too long, such as tuplets in tuplets, or voices that take turns."""
    voices, now, onset = {}, Fraction(0), Fraction(0)
    divisions, others, is_after = measure.first_divisions, ([], []), False
    for child in list(measure.element):
        measure.element.remove(child)
        if child.tag == "backup":
            now = max(now - quarters(child, divisions), Fraction(0))
        elif child.tag == "forward":
            now += quarters(child, divisions)
        elif child.tag == "note":
            is_after = True
            for notations in child.findall("notations"):
                for mark in list(notations):
                    if mark.tag != "tied":
                        notations.remove(mark)
            if child.find("chord") is None:
                onset = now
            if is_counted(child):
                now += quarters(child, divisions)
            if child.find("grace") is not None or child.find("cue") is not None or set_written_value(child, divisions):
                key = (child.findtext("staff"), child.findtext("voice"))
                voices.setdefault(key, []).append((onset, child))
        elif child.tag not in ("direction", "harmony", "figured-bass", "sound"):
            others[is_after].append(child)
    measure.element.extend(others[0])
    now = Fraction(0)
    for notes in voices.values():
        for onset, note in notes:
            if onset != now and note.find("chord") is None:
                moved = ElementTree.SubElement(measure.element, "backup" if onset < now else "forward")
                ElementTree.SubElement(moved, "duration").text = str(round(abs(onset - now) * divisions))
                now = onset
            measure.element.append(note)
            if is_counted(note):
                now = onset + quarters(note, divisions)
    measure.now = now
    measure.element.extend(others[1])
    write_tuplets(measure.element)


def set_written_value(note, divisions):
    """Gives a note the value of its duration. Returns False if it is shorter than any value."""
    actual, normal = ratio(note) or (1, 1)
    length = quarters(note, divisions) * int(actual) / int(normal)
    shorter = max((value for value in TYPES if value <= length), default=None)
    if shorter is not None:
        set_type(note, shorter)
    return shorter is not None


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


def quarters(element, divisions):
    """The duration of a note, backup or forward in quarters."""
    try:
        return Fraction((element.findtext("duration") or "0").strip()) / divisions
    except (ValueError, ZeroDivisionError):
        return Fraction(0)


def meter_length(time, before):
    """The quarters of a measure in a time signature, such as 3/4, 3+2/8 or 2/4 + 3/8; `before` if it has none."""
    try:
        beats = [sum(Fraction(part) for part in each.text.split("+")) for each in time.findall("beats")]
        units = [Fraction(each.text) for each in time.findall("beat-type")]
        length = sum((4 * count / unit for count, unit in zip(beats, units)), Fraction(0))
    except (AttributeError, ValueError, ZeroDivisionError):
        return before
    return length if 0 < length <= 1_000 else before


class WrittenMeasure:
    """A measure of one part: its content in quarters from its beginning."""

    def __init__(self, element, divisions, meter):
        self.element, self.divisions, self.meter = element, divisions, meter
        self.first_divisions = divisions
        self.now = self.end = self.sounding = Fraction(0)
        for child in element:
            if child.tag == "attributes":
                self.divisions = Fraction(max(integer(child, "divisions", int(self.divisions)), 1))
                self.first_divisions = self.first_divisions if self.now else self.divisions
                for time in child.findall("time")[:1]:
                    self.meter = meter_length(time, self.meter)
            elif child.tag == "backup":
                self.now = max(self.now - quarters(child, self.divisions), Fraction(0))
            elif child.tag == "forward" or child.tag == "note" and is_counted(child):
                self.now += quarters(child, self.divisions)
                if child.tag == "note":
                    self.sounding = max(self.sounding, self.now)
            self.end = max(self.end, self.now)


def is_counted(note):
    return note.find("chord") is None and note.find("grace") is None and note.find("cue") is None


def written_measures(root):
    """For each part, its measures; and for each written measure its length and its meter, of the longest part."""
    parts = []
    for part in root.findall("part"):
        divisions, meter, measures = Fraction(1), Fraction(4), []
        for element in part.findall("measure"):
            measure = WrittenMeasure(element, divisions, meter)
            divisions, meter = measure.divisions, measure.meter
            measures.append(measure)
        parts.append(measures)
    columns = list(zip(*parts))
    # A measure without any content is as long as its meter says.
    lengths = [max(each.end for each in column) or column[0].meter for column in columns]
    # The music ends with its last note or rest, also if something fills the last measure up.
    lengths[-1] = max(each.sounding for each in columns[-1]) or lengths[-1]
    return parts, lengths


def rest_values(length):
    """Values of undotted notes, in quarters, that together are as long; None if there are none."""
    values, value = [], Fraction(8)
    while value >= Fraction(1, 64) and length > 0:
        if length >= value and len(values) < 64:
            values.append(value)
            length -= value
        else:
            value /= 2
    return values if length == 0 else None


def add_rests(measure, length):
    """Writes unseen rests of a whole measure in a voice of their own. Returns False if no note values are as long."""
    values = rest_values(length)
    if values is None:
        return False
    element, divisions = measure.element, measure.divisions
    fine = max([divisions] + [1 / value for value in values])
    if measure.now > 0:
        ElementTree.SubElement(ElementTree.SubElement(element, "backup"), "duration").text = str(
            round(measure.now * divisions))
    if fine != divisions:
        attributes = ElementTree.SubElement(element, "attributes")
        ElementTree.SubElement(attributes, "divisions").text = str(fine)
    for value in values:
        note = ElementTree.SubElement(element, "note", {"print-object": "no"})
        ElementTree.SubElement(note, "rest")
        ElementTree.SubElement(note, "duration").text = str(round(value * fine))
        ElementTree.SubElement(note, "voice").text = "99" if measure.sounding else "1"
        ElementTree.SubElement(note, "type").text = TYPES[float(value)][0] if value <= 8 else "long"
    if fine != divisions:
        attributes = ElementTree.SubElement(element, "attributes")
        ElementTree.SubElement(attributes, "divisions").text = str(divisions)
    return True


def write_out(root, parts, lengths):
    """Writes what Verovio would leave out: empty measures, and rests of measures that are not as long as the meter."""
    for part in root.findall("part"):
        for attributes in part.iter("attributes"):
            # Multiple rests and repeat signs stand instead of what is written in the measures.
            for style in attributes.findall("measure-style"):
                attributes.remove(style)
    for measures in parts:
        for place, measure in enumerate(measures):
            keep_offsets_inside(measure, lengths[place])
            notes = [note for note in measure.element.findall("note") if is_counted(note)]
            rests = [note for note in notes if note.find("rest") is not None]
            is_silent = len(rests) == len(notes)
            if is_silent and (not notes or lengths[place] != measure.meter):
                for child in list(measure.element):
                    if child.tag in ("note", "backup", "forward"):
                        measure.element.remove(child)
                measure.now = measure.sounding = Fraction(0)
                add_rests(measure, lengths[place])


def keep_offsets_inside(measure, length):
    """Moves marks that an offset would put outside of their measure to its nearer end."""
    now = Fraction(0)
    for child in measure.element:
        if child.tag == "backup":
            now -= quarters(child, measure.divisions)
        elif child.tag == "forward" or child.tag == "note" and is_counted(child):
            now += quarters(child, measure.divisions)
        offset = child.find("offset")
        if offset is not None and child.tag in ("direction", "harmony", "figured-bass"):
            try:
                at = now + Fraction((offset.text or "0").strip()) / measure.divisions
            except ValueError:
                at = now
            at = min(max(at, Fraction(0)), length)
            offset.text = str(int((at - now) * measure.divisions))
            if at >= length and now < length:
                offset.text = "0"


def unfold(root, printed, only_order=False):
    """The played measures with their onsets, a MIDI file, and the end; every measure as long as it is written.

    With `only_order`, a measure whose length Verovio plays wrong does not refuse the score.
    """
    parts, lengths = written_measures(root)
    write_out(root, parts, lengths)
    changed = set()
    while True:
        measures, toolkit, end = performed(root, len(printed))
        onsets = [each["quarters"] for each in measures] + [max(end, measures[-1]["quarters"])]
        wrong = {}
        for measure, onset, following in zip(measures, onsets, onsets[1:]):
            length = lengths[measure["written"]]
            if measure is measures[-1]:
                following = max(following, onset + float(length))
            if abs(following - onset - length) > 0.01:
                wrong.setdefault(measure["written"], following - onset)
        missing = set(range(len(printed))) - {each["written"] for each in measures}
        retry = [place for place in [*wrong, *missing] if place not in changed]
        if not retry:
            break
        for place in retry:
            if wrong.get(place, 0) > lengths[place]:
                for measures_of_part in parts:
                    keep_only_notes(measures_of_part[place])
            else:
                add_rests(parts[0][place], lengths[place])
        changed.update(retry)
    for place, length in sorted(wrong.items() if not only_order else ()):
        raise Refused(
            f"measure {printed[place]} (the {place + 1}. on paper) is written {float(lengths[place]):g} quarters long, "
            f"and would be played {length:g} long; correct its notes and rests in the notation program")
    for measure in measures:
        measure["printed"] = printed[measure["written"]]
    end = measures[-1]["quarters"] + float(lengths[measures[-1]["written"]])
    return measures, toolkit.renderToMIDI(), end, missing


def performed(root, count):
    """What Verovio plays: measures by their place on paper with their onsets in quarters, Verovio, and the end."""
    import verovio

    rewritten = io.BytesIO()
    ElementTree.ElementTree(root).write(rewritten, encoding="UTF-8", xml_declaration=True)
    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    # Expanded for every output, so that repeated measures keep their attributes.
    toolkit.setOptions({"expandAlways": True, "inputFrom": "xml", "breaks": "none", "xmlIdSeed": 1})
    if not toolkit.loadData(rewritten.getvalue().decode("utf-8")):
        raise Refused("Verovio cannot read it")
    timemap = toolkit.renderToTimemap({"includeMeasures": True})
    measures = []
    for entry in timemap:
        if "measureOn" in entry:
            number = toolkit.getElementAttr(entry["measureOn"]).get("n", "")
            if not number.isdigit() or int(number) >= count:
                raise Refused("Verovio lost the order of its measures")
            measures.append({"written": int(number), "quarters": float(entry["qstamp"])})
    if not measures:
        raise Refused("it has no measures")
    return measures, toolkit, float(timemap[-1]["qstamp"])


def main(arguments):
    if {"-h", "--help"} & set(arguments[1:]):
        print(__doc__)
        return 0
    if len(arguments) != 2:
        print("usage: timemap.py SCORE", file=sys.stderr)
        return 1
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    try:
        root = read_score(arguments[1])
        for part in root.findall("part"):
            write_types(part)
            write_velocities(part)
        printed = printed_numbers(root)
        number_in_written_order(root)
        measures, midi, end, _ = unfold(root, printed)
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
