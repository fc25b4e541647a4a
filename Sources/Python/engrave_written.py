"""Engraves a part anew in another key, with the same measures on the same systems and pages.

The new pages differ a little from the old ones: other accidentals need other room. `maps` says, for each page, which
place of the new page belongs to which place of the old one, so that remarks, measures and turns of the old page stay
where they are and the new page is drawn to fit them.
"""

import re
import xml.etree.ElementTree as ElementTree

from timemap import Refused

SVG = "{http://www.w3.org/2000/svg}"
TALLER = 1.5  # the height of pages whose systems, with more room for high and low notes, would not fit


def with_breaks(mei, found):
    """The same music, with breaks where the systems and pages of `found` begin."""
    breaks, last = {}, None
    for measure in found:
        if last and (measure["page"], measure["system"]) != (last["page"], last["system"]):
            breaks[measure["id"]] = "<pb/>" if measure["page"] != last["page"] else "<sb/>"
        last = measure

    def broken(measure):
        identifier = re.search(r'xml:id="([^"]*)"', measure.group())
        return breaks.get(identifier.group(1) if identifier else "", "") + measure.group()

    return re.sub(r"<measure\b[^>]*>", broken, mei)


def staff_lines(svg):
    """For each system, the top and bottom line of each staff of its first measure, as shares of the page's height."""
    root = ElementTree.fromstring(svg)
    scene = root.find(f".//{SVG}svg[@class='definition-scale']")
    height = float(scene.get("viewBox").split()[3])
    systems = []

    def walk(element, down):
        shift = re.match(r"translate\(\s*-?[\d.]+[ ,]+(-?[\d.]+)\s*\)", element.get("transform", ""))
        down += float(shift.group(1)) if shift else 0
        kinds = (element.get("class") or "").split()
        if kinds == ["system"]:
            systems.append([])
        if kinds == ["measure"]:
            if systems and not systems[-1]:
                systems[-1] = sorted(filter(None, (lines(staff, down) for staff in element.findall(f"{SVG}g")
                                                   if (staff.get("class") or "").split() == ["staff"])))
            return
        for child in element:
            walk(child, down)

    def lines(staff, down):
        ys = []
        for line in staff.findall(f"{SVG}path"):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", line.get("d", ""))]
            if len(numbers) == 4 and numbers[1] == numbers[3]:
                ys.append((numbers[1] + down) / height)
        return (min(ys), max(ys)) if ys else None

    walk(scene, 0.0)
    return systems


def knots(pairs, end):
    """Pairs that rise on both sides, from the page's beginning to its `end`."""
    rising = [[0.0, 0.0]]
    for old, new in sorted(pairs):
        if old > rising[-1][0] + 1e-4 and new > rising[-1][1] + 1e-4 and old < 1 - 1e-4 and new < end - 1e-4:
            rising.append([round(old, 5), round(new, 5)])
    return [*rising, [1.0, round(end, 5)]]


def maps(old, new, old_lines, new_lines, page_count, end):
    """For each page `{"y": [[old, new], …], "systems": [{"bottom": …, "x": [[old, new], …]}, …]}` in shares.

    `old` and `new` are the measures of both engravings, `old_lines` and `new_lines` their staves by page and system.
    A system reaches down to `bottom` of the old page. `end` is the share of the new page that is as high as the old.
    """
    if [(each["id"], each["page"], each["system"]) for each in old] != [
            (each["id"], each["page"], each["system"]) for each in new]:
        raise Refused("written in this key, its measures would not stay on their pages")
    found = []
    for page in range(page_count):
        before, after = old_lines[page], new_lines[page]
        if [len(system) for system in before] != [len(system) for system in after]:
            raise Refused("written in this key, it would have other staves")
        heights = [pair for one, other in zip(before, after) for staff, moved in zip(one, other)
                   for pair in zip(staff, moved)]
        numbers = sorted({each["system"] for each in old if each["page"] == page})
        systems = []
        for index, number in enumerate(numbers):
            bars = [(one["box"], other["box"]) for one, other in zip(old, new)
                    if (one["page"], one["system"]) == (page, number)]
            edges = [(one["x"], other["x"]) for one, other in bars]
            edges += [(bars[-1][0]["x"] + bars[-1][0]["width"], bars[-1][1]["x"] + bars[-1][1]["width"])]
            below = before[index + 1][0][0] if index + 1 < len(before) and before[index + 1] else None
            bottom = (before[index][-1][1] + below) / 2 if below is not None and before[index] else 1.0
            systems.append({"bottom": round(bottom, 5), "x": knots(edges, 1.0)})
        found.append({"y": knots(heights, end), "systems": systems})
    return found
