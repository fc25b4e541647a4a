"""Draws the text of engraved pages as outlines: the same on every tablet and on paper, with any installed fonts.

Verovio lays text out by the widths of Liberation Serif (those of Times) and brings that font and its music font along.
A browser without them would use wider letters, which run off the page, and boxes for the notes of metronome marks.
Text with a letter that neither font has stays text and is drawn with the device's own fonts.
"""

import base64
import functools
import io
import os
import re
import xml.etree.ElementTree as ElementTree

SVG = "http://www.w3.org/2000/svg"
# Plain-text notations that become signs of the music font.
SIGNS = {"♩": "\uECA5", "♪": "\uECA7", "♭": "\uE260", "♮": "\uE261", "♯": "\uE262"}
BOLD, ITALIC = {"ending", "fing", "reh", "tempo"}, {"dir", "dynam", "mNum"}
MOVABLE = {"tempo", "dir", "reh"}
# The beginning of the identifier of an unseen element that only makes room; see make_room_for_marks.
ROOM = "room-for-mark-"
EDGE = 0.02  # of the page's width that stays free at the right of a mark


@functools.cache
def faces():
    """Fonts by (is bold, is italic), and the music font as "music"."""
    import verovio
    from fontTools.ttLib import TTFont

    folder = os.path.join(os.path.dirname(verovio.__file__), "data")
    found = {}
    for sheet, is_music in (("Liberation.css", False), ("Leipzig.css", True)):
        with open(os.path.join(folder, sheet), encoding="utf-8") as file:
            for rule in re.findall(r"@font-face\s*{(.*?)}", file.read(), re.S):
                font = TTFont(io.BytesIO(base64.b64decode(re.search(r"base64,([^)'\"]+)", rule).group(1))))
                name = "music" if is_music else ("weight: bold" in rule or "weight:bold" in rule, "italic" in rule)
                found.setdefault(name, font)
    return found


def font_of(sign, style):
    """The font that has a sign, and the sign as it is called there; None if none has it."""
    for name, wanted in ((style, sign), ("music", SIGNS.get(sign, sign)), ((False, False), sign)):
        font = faces().get(name)
        if font is not None and ord(wanted) in font.getBestCmap():
            return font, font.getBestCmap()[ord(wanted)]
    return None


def chunks_of(text, bold, italic):
    """Chunks of a text element: [x, y, anchor, [(words, pixels, style), ...]]."""
    chunks = [[0.0, 0.0, "start", []]]

    def walk(element, size, bold, italic, anchor):
        size = float((element.get("font-size") or size).removesuffix("px"))
        anchor = element.get("text-anchor") or anchor
        bold = {"bold": True, "normal": False}.get(element.get("font-weight"), bold)
        italic = {"italic": True, "normal": False}.get(element.get("font-style"), italic)
        if element.get("x") is not None or element.get("y") is not None:
            x, y = chunks[-1][:2]
            chunks.append([float(element.get("x", x)), float(element.get("y", y)), anchor, []])
        said(element.text, size, bold, italic)
        for child in element:
            walk(child, str(size), bold, italic, anchor)
            said(child.tail, size, bold, italic)

    def said(words, size, bold, italic):
        # Line breaks of the file between elements are no blanks of the music.
        if words and not ("\n" in words and words.isspace()):
            chunks[-1][3].append((words, size, (bold, italic)))

    walk(text, "0", bold, italic, "start")
    return chunks


def outlines(text, bold, italic):
    """The outlines of a text element as [(path, left, right)]; None if a letter has no outline here."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    if any(element.get(name) for element in text.iter() for name in ("dx", "dy", "rotate", "textLength")):
        return None
    drawn = []
    for x, y, anchor, words in chunks_of(text, bold, italic):
        glyphs, width = [], 0.0
        for word, size, style in words:
            # Verovio joins a mark's words and its note.
            if glyphs and "\uE000" <= word[0] <= "\uF8FF" and glyphs[-1][0] is not faces()["music"]:
                width += 0.2 * size
            for sign in word.replace("\n", " ").replace("\u00A0", " "):
                found = font_of(sign, style)
                if found is None:
                    return None
                font, name = found
                scale = size / font["head"].unitsPerEm
                glyphs.append((font, name, scale, width))
                width += font["hmtx"][name][0] * scale
        left = x - width * {"middle": 0.5, "end": 1}.get(anchor, 0)
        path = ""
        for font, name, scale, at in glyphs:
            pen = SVGPathPen(font.getGlyphSet(), ntos=lambda value: str(round(value)))
            font.getGlyphSet()[name].draw(TransformPen(pen, (scale, 0, 0, -scale, left + at, y)))
            path += pen.getCommands()
        if path:
            drawn.append((path, left, left + width))
    return drawn


def outlined(svg):
    """The page with its text as outlines. Marks that would run off at the right begin further left."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(svg)
    scene = root.find(f".//{{{SVG}}}svg[@class='definition-scale']")
    across = float(scene.get("viewBox").split()[2])

    def walk(element, dx, bold, italic, is_movable):
        shift = re.match(r"translate\(\s*(-?[\d.]+)", element.get("transform", ""))
        dx += float(shift.group(1)) if shift else 0
        kinds = set((element.get("class") or "").split())
        bold, italic = (bold or bool(kinds & BOLD)) and "label" not in kinds, italic or bool(kinds & ITALIC)
        is_movable = is_movable or bool(kinds & MOVABLE)
        for child in [each for each in element if (each.get("id") or "").startswith(ROOM)]:
            element.remove(child)
        for index, child in enumerate(list(element)):
            if child.tag != f"{{{SVG}}}text":
                walk(child, dx, bold, italic, is_movable)
                continue
            drawn = outlines(child, bold, italic)
            if drawn is None:
                continue
            group = ElementTree.Element(f"{{{SVG}}}g", {"stroke-width": "0"})
            over = max((right for _, _, right in drawn), default=0) + dx - across * (1 - EDGE)
            if is_movable and over > 0:
                room = min(left for _, left, _ in drawn) + dx - across * EDGE
                group.set("transform", f"translate({-round(min(over, max(room, 0)))} 0)")
            for path, _, _ in drawn:
                ElementTree.SubElement(group, f"{{{SVG}}}path", {"d": path})
            group.tail = child.tail
            element.remove(child)
            element.insert(index, group)

    walk(scene, 0.0, False, False, False)
    return ElementTree.tostring(root, encoding="unicode")
