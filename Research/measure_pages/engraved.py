"""Engraves scores with Verovio into pictures of pages and the true places of their bars.

    engraved.py JOBS FOLDER

JOBS is JSON, a list of {"name", "seed", "kind", "count", "options", "pages"}, or with "score", a MusicXML file, for
"seed", "kind" and "count".

FOLDER gets NAME-PAGE.png and NAME-PAGE.json: {"kind", "systems": [{"top", "bottom", "bars": [[left, right], ...],
"strokes": [x, ...]}]}, in shares of the page; top and bottom are those of the staves' outer lines, strokes all upright
lines of bar lines and repeat signs. NAME.done says that all its pages are there;
the name is then printed. Runs in Verovio's environment.
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

import cairosvg
import verovio

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import random_music  # noqa: E402

# The height of the pictures in pixels.
HEIGHT = 2800
SVG = "{http://www.w3.org/2000/svg}"
BASE = {"inputFrom": "xml", "breaks": "auto", "scaleToPageSize": True, "svgViewBox": True, "footer": "none",
        "header": "auto", "condense": "none", "svgRemoveXlink": False, "justifyVertically": True}


def lines_of(element, dx, dy):
    """The ends of all staff lines below an element: [x1, y1, x2, y2]."""
    shift = re.match(r"translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)", element.get("transform", ""))
    if shift:
        dx, dy = dx + float(shift.group(1)), dy + float(shift.group(2))
    if (element.get("class") or "").split() == ["staff"]:
        for line in element.findall(f"{SVG}path"):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", line.get("d", ""))]
            if len(numbers) == 4 and numbers[1] == numbers[3]:
                yield [numbers[0] + dx, numbers[1] + dy, numbers[2] + dx, numbers[3] + dy]
        return
    for child in element:
        yield from lines_of(child, dx, dy)


def strokes_of(measure, dx):
    """The columns of all upright strokes of a measure's bar lines."""
    return [float(path.get("d").split()[0][1:]) + dx for child in measure if child.get("class") == "barLine"
            for path in child.findall(f"{SVG}path")]


def end_of(strokes, left, right):
    """The column of the bar line that ends the measure; the key of the next system may come after it."""
    ends = [stroke for stroke in strokes if stroke > (left + right) / 2]
    return min(right, max(ends)) if ends else right


def truth(svg):
    root = ElementTree.fromstring(svg)
    scene = root.find(f".//{SVG}svg[@class='definition-scale']")
    _, _, width, height = (float(number) for number in scene.get("viewBox").split())
    systems = []

    def walk(element, dx, dy):
        shift = re.match(r"translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)", element.get("transform", ""))
        if shift:
            dx, dy = dx + float(shift.group(1)), dy + float(shift.group(2))
        kinds = (element.get("class") or "").split()
        if kinds == ["system"]:
            systems.append({"top": 1, "bottom": 0, "bars": [], "strokes": []})
        if kinds == ["measure"]:
            lines = list(lines_of(element, dx, dy))
            if lines:
                system = systems[-1]
                system["top"] = min(system["top"], min(line[1] for line in lines) / height)
                system["bottom"] = max(system["bottom"], max(line[1] for line in lines) / height)
                left, right = min(line[0] for line in lines), max(line[2] for line in lines)
                strokes = strokes_of(element, dx)
                system["bars"].append([left / width, end_of(strokes, left, right) / width])
                system["strokes"] += sorted({stroke / width for stroke in strokes})
            return
        for child in element:
            walk(child, dx, dy)

    walk(scene, 0.0, 0.0)
    return [system for system in systems if system["bars"]]


def engrave(job, folder, height):
    toolkit = verovio.toolkit()
    options = BASE | {"xmlIdSeed": 1} | job.get("options", {})
    toolkit.setOptions(options)
    score = (pathlib.Path(job["score"]).read_bytes().decode("utf-8") if "score" in job
             else random_music.music(job["seed"], job["kind"], job["count"]))
    if not toolkit.loadData(score):
        return 0
    pages = range(1, min(toolkit.getPageCount(), job.get("pages", 2)) + 1)
    for page in pages:
        svg = toolkit.renderToSVG(page)
        systems = truth(svg)
        if not systems:
            continue
        name = folder / f"{job['name']}-{page}"
        cairosvg.svg2png(bytestring=svg.encode(), write_to=f"{name}.png", output_height=height,
                         output_width=round(height * options["pageWidth"] / options["pageHeight"]),
                         background_color="white")
        pathlib.Path(f"{name}.json").write_text(json.dumps({"kind": job.get("kind", "score"), "systems": systems}))
    return len(pages)


def main():
    verovio.enableLog(verovio.LOG_OFF)
    jobs = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(sys.argv[2])
    for job in jobs:
        engrave(job, folder, HEIGHT)
        (folder / f"{job['name']}.done").touch()
        print(job["name"], flush=True)


if __name__ == "__main__":
    main()
