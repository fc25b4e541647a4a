#!/usr/bin/env python3
"""Engrave a MusicXML score, or one part of it, into pages with the place of every measure, with Verovio.

    engrave.py SCORE FOLDER [--part NAME] [--transpose INTERVAL] [--pdf]     SCORE: .musicxml, .xml or .mxl
    engrave.py SCORE FOLDER [--part NAME] [--transpose INTERVAL] --written INTERVAL --like PAGES
    engrave.py --print FOLDER                         score.pdf of a folder's page-001.svg or .svg.gz, ...

INTERVAL is by how much all is written higher, such as M2 (a tone) or -m3 (a minor third lower).

FOLDER gets page-001.svg, page-002.svg, ... and layout.json:

    {"title": ..., "composer": ..., "parts": ["Flute", ...], "part": "Flute" or null,
     "pages": [{"width": 2100, "height": 2970}, ...],
     "printed": [1, 2, ...],            number printed over each written measure
     "playedOrder": [0, 1, 0, 1, 2],    the written measure of each played one, repeats unfolded
     "rests": [[4, 11], ...],           runs of written measures in which what is engraved is silent
     "marks": [[16, "A"], ...],         rehearsal marks of the whole score, by their written measures
     "measures": [{"index": 0, "count": 1, "printed": 1, "played": [0, 2], "page": 0, "system": 0,
                   "box": {"x": ..., "y": ..., "width": ..., "height": ...}}, ...]}

With --written, the pages are those of the part as it was engraved before, written higher once more by INTERVAL, with
the same measures on the same systems and pages. PAGES is a folder with the old pages; if they are not exactly what is
engraved today, that is refused. layout.json is that of the old pages, with "maps": for each page, which place of the
new page belongs to which place of the old one (see engrave_written.py).

Written measures count from 0 and are the same for the score and all its parts; boxes are shares of the page.
`count` is above 1 for a rest of several measures drawn as one. With --pdf, score.pdf holds the same pages.
Exit status: 0 done, 1 the score cannot be used (one sentence on standard error), 3 Verovio is missing,
4 there is no such part (the names that exist on standard error, one a line), 5 --pdf needs cairosvg.
"""

import copy
import gzip
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engrave_text import ROOM, outlined  # noqa: E402
from engrave_written import TALLER, maps, staff_lines, with_breaks  # noqa: E402
from timemap import (  # noqa: E402
    Refused,
    composer,
    number_in_written_order,
    printed_numbers,
    read_score,
    text,
    unfold,
    write_types,
)

MAXIMUM_PAGES = 400
SVG = "{http://www.w3.org/2000/svg}"
# A4 at ten units a millimetre. A full score of many staves is set smaller, as printed ones are.
PAGE = {"pageWidth": 2100, "pageHeight": 2970, "pageMarginLeft": 100, "pageMarginRight": 100,
        "pageMarginTop": 100, "pageMarginBottom": 100}


def part_names(root):
    """Part identifiers and their names in score order; a name that occurs twice gets its number."""
    names, seen = [], {}
    for part in root.findall("part-list/score-part"):
        identifier = part.get("id", "")
        name = " ".join((part.findtext("part-name") or "").split()) or identifier
        seen[name] = seen.get(name, 0) + 1
        names.append((identifier, name if seen[name] == 1 else f"{name} {seen[name]}"))
    return names


def keep_part(root, identifier):
    """Reduce a score to one part, with the tempi and rehearsal marks that stand over the whole score."""
    parts = root.findall("part")
    kept = next((part for part in parts if part.get("id") == identifier), None)
    if kept is None:
        raise Refused("its part list names a part it does not have")
    for part in parts:
        if part is not kept:
            carry_marks(part, kept)
            root.remove(part)
    listing = root.find("part-list")
    for entry in list(listing):
        if entry.tag != "score-part" or entry.get("id") != identifier:
            listing.remove(entry)
    part_rests_off(root)
    gather_rests(kept)


def carry_marks(source, target):
    for measure, other in zip(target.findall("measure"), source.findall("measure")):
        if any(is_mark(direction) for direction in measure.findall("direction")):
            continue
        marks = [copy.deepcopy(direction) for direction in other.findall("direction") if is_mark(direction)]
        attributes = measure.find("attributes")
        place = 0 if attributes is None else list(measure).index(attributes) + 1
        for mark in reversed(marks):
            for staff in mark.findall("staff"):
                mark.remove(staff)
            measure.insert(place, mark)


def is_mark(direction):
    return any(direction.find(f"direction-type/{tag}") is not None for tag in ("metronome", "rehearsal")) or (
        direction.find("sound") is not None and direction.find("sound").get("tempo") is not None)


def is_silent(measure):
    return all(note.find("rest") is not None for note in measure.findall("note"))


def gather_rests(part):
    """Ask for one rest of several measures where nothing but silence is written."""
    run = []

    def close():
        if len(run) > 1:
            # Beside a clef in the same element, Verovio would draw that clef twice.
            attributes = ElementTree.Element("attributes")
            style = ElementTree.SubElement(attributes, "measure-style")
            ElementTree.SubElement(style, "multiple-rest").text = str(len(run))
            first_note = next(i for i, child in enumerate(run[0]) if child.tag == "note")
            run[0].insert(first_note, attributes)
        run.clear()

    for measure in part.findall("measure"):
        begins = (measure.find("attributes") is not None or measure.find("direction") is not None
                  or any(line.get("location") == "left" for line in measure.findall("barline")))
        ends = any(line.get("location", "right") == "right" for line in measure.findall("barline"))
        if begins or not is_silent(measure):
            close()
        if is_silent(measure) and measure.find("note") is not None and measure.get("implicit") != "yes":
            run.append(measure)
        if ends:
            close()
    close()


def part_rests_off(root):
    """A rest of several measures in one part would swallow what the others play."""
    for attributes in root.iter("attributes"):
        for style in attributes.findall("measure-style"):
            if style.find("multiple-rest") is not None:
                attributes.remove(style)


def rest_runs(root):
    """Runs of written measures in which every part is silent, as [first, last]."""
    runs = []
    columns = zip(*(part.findall("measure") for part in root.findall("part")))
    for index, column in enumerate(columns):
        if all(is_silent(measure) for measure in column):
            if runs and runs[-1][1] == index - 1:
                runs[-1][1] = index
            else:
                runs.append([index, index])
    return runs


def rehearsal_marks(root):
    """Rehearsal marks of all parts as [written measure, label], each once, at most 1,000 of 32 characters."""
    found = []
    for part in root.findall("part"):
        for index, measure in enumerate(part.findall("measure")):
            for mark in measure.findall("direction/direction-type/rehearsal"):
                label = " ".join((mark.text or "").split())[:32].rstrip()
                if label and [index, label] not in found:
                    found.append([index, label])
    return sorted(found, key=lambda mark: mark[0])[:1_000]


def toolkit_with(options, content):
    import verovio

    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    # The same seed gives the same identifiers whenever the score is loaded.
    toolkit.setOptions({"inputFrom": "xml", "xmlIdSeed": 1} | options)
    if not toolkit.loadData(content):
        raise Refused("Verovio cannot read it")
    return toolkit


def played_order(root):
    """The written measures in the order in which they are played."""
    music = copy.deepcopy(root)
    number_in_written_order(music)
    measures, _, _, _ = unfold(music, printed_numbers(root), only_order=True)
    return [measure["written"] for measure in measures]


def page_options(staves):
    """The layout of the pages; a score of many staves is set smaller."""
    return PAGE | {
        "breaks": "auto", "scale": 95 if staves <= 4 else 70 if staves <= 9 else 52, "scaleToPageSize": True,
        "svgViewBox": True, "footer": "none", "svgRemoveXlink": False, "smuflTextFont": "none", "condense": "none",
    }


def engrave(content, staves, transposition=""):
    """Pages as SVG, each measure's identifier, page, system and box in written order, and the toolkit that has them.

    `transposition` is an interval by which everything is written higher, such as M2 or -m3; "" for none.
    """
    toolkit = toolkit_with(
        page_options(staves) | ({"transpose": transposition} if transposition else {}), content)
    make_room_for_marks(toolkit)
    count = toolkit.getPageCount()
    if not 0 < count <= MAXIMUM_PAGES:
        raise Refused(f"it would fill {count} pages; up to {MAXIMUM_PAGES} are engraved")
    pages = [slim(outlined(toolkit.renderToSVG(page))) for page in range(1, count + 1)]
    return pages, boxed_measures(toolkit), toolkit


def boxed_measures(toolkit):
    toolkit.setOptions({"svgBoundingBoxes": True})
    found = []
    for page in range(1, toolkit.getPageCount() + 1):
        found += measure_boxes(toolkit.renderToSVG(page), page - 1)
    toolkit.setOptions({"svgBoundingBoxes": False})
    return found


def engrave_written(old, staves, interval):
    """The pages of `old`, the result of `engrave`, written higher by an interval; and their maps."""
    old_pages, old_found, toolkit = old
    count = len(old_pages)
    old_lines = [staff_lines(toolkit.renderToSVG(page)) for page in range(1, count + 1)]
    music = with_breaks(toolkit.getMEI(), old_found)
    for taller in (1.0, TALLER):
        new = toolkit_with(page_options(staves) | {
            "inputFrom": "mei", "breaks": "encoded", "transpose": interval,
            "pageHeight": round(PAGE["pageHeight"] * taller)}, music)
        found = boxed_measures(new)
        if all(each["box"]["y"] + each["box"]["height"] < 0.98 for each in found):
            break
    if new.getPageCount() != count:
        raise Refused("written in this key, its measures would not stay on their pages")
    lines = [staff_lines(new.renderToSVG(page)) for page in range(1, count + 1)]
    pages = [slim(outlined(new.renderToSVG(page))) for page in range(1, count + 1)]
    return pages, maps(old_found, found, old_lines, lines, count, 1 / taller)


def read_pages(folder):
    """The pages of a folder as text, in their order."""
    pages = []
    for name in sorted(os.listdir(folder)):
        if re.fullmatch(r"page-\d+\.svg(\.gz)?", name):
            opener = gzip.open if name.endswith(".gz") else open
            with opener(os.path.join(folder, name), "rt", encoding="utf-8") as file:
                pages.append(file.read())
    return pages


def make_room_for_marks(toolkit):
    """Widens rests of several measures to the tempo mark over them, so that marks stand beside each other.

    Verovio gives tempo marks no room across: over such rests they would stack. It does so for chord names; each mark
    gets an unseen one of its breadth, a quarter as high, which `outlined` takes out again.
    """
    count, follows = 0, False

    def widen(measure):
        nonlocal count, follows
        is_rest = "<multiRest" in measure.group()
        # The mark behind a rest has one too: by it the rest is known to be followed.
        is_meant, follows = is_rest or follows, is_rest
        if not is_meant:
            return measure.group()
        rooms = ""
        for attributes, inner in re.findall(r"<tempo\b([^>]*[^/>])>(.*?)</tempo>", measure.group(), re.S):
            words = " ".join(re.sub(r"<[^>]+>", " ", inner).split())
            where = " ".join(re.findall(r'\b(?:tstamp|staff)="[^"]*"', attributes))
            if not words or "tstamp" not in where:
                continue
            rooms += (f'<harm xml:id="{ROOM}{count}" {where} place="above"><rend fontsize="25%">'
                      + f"{words} mm " * 4 + "</rend></harm>")
            count += 1
        return measure.group().replace("</measure>", rooms + "</measure>")

    content = re.sub(r"<measure\b.*?</measure>", widen, toolkit.getMEI(), flags=re.S)
    if count == 0:
        return
    # A part that is laid out again is already transposed.
    toolkit.setOptions({"inputFrom": "mei", "transpose": ""})
    if not toolkit.loadData(content):
        raise Refused("Verovio cannot lay out its tempo marks")


def slim(svg):
    """The same picture in a quarter of the bytes: without identifiers nothing refers to, and line breaks."""
    referred = set(re.findall(r"#([\w-]+)", svg))
    svg = re.sub(r' (?:data-)?id="([^"]*)"', lambda id: id.group() if id.group(1) in referred else "", svg)
    svg = re.sub(r"<desc>.*?</desc>", "", svg)
    svg = re.sub(r">\s*\n\s*<", "><", svg)
    emptied = None
    while emptied != svg:
        emptied, svg = svg, re.sub(r'<g(?: class="[^"]*")?\s*(?:/>|></g>)', "", svg)
    return svg


def measure_boxes(svg, page):
    root = ElementTree.fromstring(svg)
    scene = root.find(f".//{SVG}svg[@class='definition-scale']")
    _, _, width, height = (float(number) for number in scene.get("viewBox").split())
    found, system = [], -1

    def walk(element, dx, dy):
        nonlocal system
        shift = re.match(r"translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)", element.get("transform", ""))
        if shift:
            dx, dy = dx + float(shift.group(1)), dy + float(shift.group(2))
        kinds = (element.get("class") or "").split()
        if kinds == ["system"]:
            system += 1
        if kinds == ["measure"]:
            box = staff_box(element, dx, dy)
            if box:
                left, top, right, bottom = box
                found.append({
                    "id": element.get("id"), "page": page, "system": system,
                    "box": {"x": round(left / width, 5), "y": round(top / height, 5),
                            "width": round((right - left) / width, 5),
                            "height": round((bottom - top) / height, 5)}})
            return
        for child in element:
            walk(child, dx, dy)

    walk(scene, 0.0, 0.0)
    return found


def staff_box(measure, dx, dy):
    """From the first staff line's start to its end, and over everything that belongs to the staves."""
    xs, ys = [], []
    for staff in measure.findall(f"{SVG}g"):
        kinds = (staff.get("class") or "").split()
        if kinds != ["staff"]:
            continue
        for line in staff.findall(f"{SVG}path"):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", line.get("d", ""))]
            if len(numbers) == 4:
                xs += [numbers[0] + dx, numbers[2] + dx]
                ys += [numbers[1] + dy, numbers[3] + dy]
        for group in staff.findall(f"{SVG}g"):
            if (group.get("class") or "").split() == ["staff", "bounding-box"]:
                for rect in group.findall(f"{SVG}rect"):
                    y, height = float(rect.get("y")), float(rect.get("height"))
                    ys += [y + dy, y + height + dy]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def layout_of(root, found, played):
    """Measures with their place in the written and in the played order."""
    printed = printed_numbers(root)
    rests = {}
    for index, measure in enumerate(root.find("part").findall("measure")):
        for rest in measure.findall("attributes/measure-style/multiple-rest"):
            if (rest.text or "").strip().isdigit():
                rests[index] = int(rest.text)
    measures, index = [], 0
    for place in found:
        count = min(max(rests.get(index, 1), 1), max(len(printed) - index, 1))
        measures.append((place, index, count))
        index += count
    if index != len(printed):
        raise Refused(f"{index} measures were engraved of {len(printed)} written")
    return printed, played, [{
        "index": index, "count": count, "printed": printed[index],
        "played": [moment for moment, written in enumerate(played) if written == index],
        "page": place["page"], "system": place["system"], "box": place["box"],
    } for place, index, count in measures]


def write_pdf(folder, pages):
    """All pages in one PDF, vector graphics throughout."""
    import cairosvg

    sheets = []
    for number, page in enumerate(pages, 1):
        sheet = os.path.join(folder, f"sheet-{number:03}.pdf")
        # From units of a tenth of a millimetre, taken for pixels at 96 dpi, to A4.
        cairosvg.svg2pdf(bytestring=page.encode(), write_to=sheet, scale=96 / 254)
        sheets.append(sheet)
    whole = os.path.join(folder, "score.pdf")
    if len(sheets) == 1:
        os.replace(sheets[0], whole)
        return
    subprocess.run(["pdfunite", *sheets, whole], check=True, capture_output=True)
    for sheet in sheets:
        os.remove(sheet)


def print_folder(folder):
    """Make score.pdf of pages that were engraved before."""
    pages = read_pages(folder)
    try:
        write_pdf(folder, pages)
    except ImportError:
        return no_cairosvg()
    return 0


def no_cairosvg():
    print("for a PDF, cairosvg is missing; run: "
          f"{sys.executable} -m pip install cairosvg==2.9.1", file=sys.stderr)
    return 5


def main(arguments):
    if {"-h", "--help"} & set(arguments[1:]):
        print(__doc__)
        return 0
    if len(arguments) == 3 and arguments[1] == "--print":
        return print_folder(arguments[2])
    wants_pdf = "--pdf" in arguments
    arguments = [argument for argument in arguments[1:] if argument != "--pdf"]
    options = {"--part": None, "--transpose": "", "--written": "", "--like": None}
    for name in options:
        if name in arguments[:-1]:
            place = arguments.index(name)
            options[name] = arguments[place + 1]
            del arguments[place:place + 2]
    wanted, transposition, written, like = options.values()
    if (len(arguments) != 2 or bool(written) != bool(like)
            or not all(re.fullmatch(r"|-?[PMmAd][1-8]", interval) for interval in (transposition, written))):
        print("usage: engrave.py SCORE FOLDER [--part NAME] [--transpose INTERVAL] [--pdf] "
              "[--written INTERVAL --like PAGES]", file=sys.stderr)
        return 1
    score, folder = arguments
    try:
        root = read_score(score)
        if root.find("part-list") is None:
            raise Refused("it has no list of parts")
        names, marks = part_names(root), rehearsal_marks(root)
        printed_of_score = printed_numbers(root)
        if wanted is not None:
            identifier = next((identifier for identifier, name in names if name == wanted), None)
            if identifier is None:
                print("\n".join(name for _, name in names), file=sys.stderr)
                return 4
            keep_part(root, identifier)
        for part in root.findall("part"):
            write_types(part)
        if wanted is None:
            part_rests_off(root)
        if len(printed_numbers(root)) != len(printed_of_score):
            raise Refused(f"“{wanted}” has another number of measures than the score")
        staves = sum(max([int(staves.text) for staves in part.iter("staves") if (staves.text or "").isdigit()],
                         default=1) for part in root.findall("part"))
        rewritten = io.BytesIO()
        ElementTree.ElementTree(root).write(rewritten, encoding="UTF-8", xml_declaration=True)
        content = rewritten.getvalue().decode("utf-8")
        pages, found, toolkit = engrave(content, staves, transposition)
        printed, played, measures = layout_of(root, found, played_order(root))
        moved = {}
        if written:
            if read_pages(like) != pages:
                raise Refused("the engraver has changed since this part was added; add the part once more")
            pages, moved["maps"] = engrave_written((pages, found, toolkit), staves, written)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except ImportError:
        print("Verovio is missing; run Tools/verovio-venv", file=sys.stderr)
        return 3
    os.makedirs(folder, exist_ok=True)
    for number, page in enumerate(pages, 1):
        with open(os.path.join(folder, f"page-{number:03}.svg"), "w", encoding="utf-8") as file:
            file.write(page)
    with open(os.path.join(folder, "layout.json"), "w", encoding="utf-8") as file:
        json.dump({
            "title": text(root, "work/work-title") or text(root, "movement-title"), "composer": composer(root),
            "parts": [name for _, name in names], "part": wanted,
            "pages": [{"width": PAGE["pageWidth"], "height": PAGE["pageHeight"]} for _ in pages],
            "printed": printed, "playedOrder": played, "rests": rest_runs(root), "marks": marks,
            "measures": measures,
        } | moved, file, ensure_ascii=False, separators=(",", ":"))
    if wants_pdf:
        try:
            write_pdf(folder, pages)
        except ImportError:
            return no_cairosvg()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
