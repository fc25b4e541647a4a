"""The repository's own concert as the audience page gets it, made from the content files with the standard library."""

import bisect
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unicodedata
import xml.etree.ElementTree as ElementTree

RECORDINGS = pathlib.Path(__file__).resolve().parents[2] / "Recordings"
IMAGE = re.compile(r"\$([^\s,;|$<>\"/\\]+\.(?:png|jpe?g|gif|svg|webp))(,)?", re.IGNORECASE)


def concert():
    """The whole answer of `GET /api/audience/concert`."""
    order = json.loads((RECORDINGS / "concert.json").read_text())
    heading = json.loads((RECORDINGS / "content/concert.json").read_text())
    glossary = [item(element) for element in ElementTree.parse(RECORDINGS / "content/glossary.xml").iter("item")]
    linker = Linkers(glossary)
    return {
        "revision": "1", "title": heading["title"], "date": heading.get("date", "2026-11-21"),
        "programNotes": "/images/AppAssets/" + heading["programNotes"],
        "programNotesText": "/images/AppAssets/ProgramNotes.md?v=1",
        "pictures": {path.stem: f"/images/AppAssets/{path.name}?v=1"
                     for path in sorted((RECORDINGS / "content/AppAssets").glob("*.svg"))},
        "info": {"credits": heading["credits"], "link": heading.get("link"), "cast": []},
        "pieces": [piece(RECORDINGS / folder, linker) for folder in order["pieces"]],
        "glossary": glossary,
    }


def item(element):
    said = {part: " ".join((element.findtext(part) or "").split()) for part in ("description", "history", "image")}
    image = f"/images/{said['image']}" if said["image"] else None
    return {"name": element.get("name"), "category": element.get("category"), **said, "image": image,
            "language": element.get("{http://www.w3.org/XML/1998/namespace}lang")}


def piece(folder, linker):
    element = ElementTree.parse(folder / "content/data.xml").getroot().find("piece")
    known = json.loads((folder / "content/supplement.json").read_text())
    names = json.loads((folder / "piece.json").read_text())
    notes = {note["name"]: note for note in known["tracks"]}
    labels = {
        (entry["section"], entry["measure"]): {label["language"]: label["text"] for label in entry["translations"]}
              for entry in known.get("labels", [])}
    keys = {(key["section"], key["measure"]): key["key"] for key in known["keys"]}
    tracks = {track.findtext("name"): track.findall("page") for track in element.findall("track")}
    measures = [{"printed": int(page.findtext("measure")), "time": float(page.findtext("time"))}
                for page in tracks.pop("NumSeconds")]
    structure = tracks.pop("Structure")
    end = float(structure[-1].findtext("time"))
    recording = min(path.parent for path in folder.glob("*/audio.ogg") if timed_like(path.parent, measures))
    return {
        "name": element.findtext("name"), "composer": names["composer"], "work": names["piece"],
        "movement": names["movement"], "measureCount": len(measures), "measures": measures, "endSeconds": end,
        "structure": {
            "sections": [section(page, measures, keys, labels) for page in structure[:-1]],
            "end": len(measures)},
        "tracks": [{
            "name": name, "language": notes[name].get("language"), "subject": notes[name].get("subject"),
            "level": notes[name].get("level"),
            "slides": [slide(page, measures, linker.of(notes[name].get("language"))) for page in pages],
        } for name, pages in tracks.items()],
        "waveform": waveform(recording / "audio.ogg", 600),
    }


def timed_like(folder, measures):
    first = (folder / "measures.csv").read_text().splitlines()[1:3]
    return [float(line.split(",")[1]) for line in first] == [measure["time"] for measure in measures[:2]]


def played(page, measures):
    printed, time = int(page.findtext("measure")), float(page.findtext("time"))
    same = [index for index, measure in enumerate(measures) if measure["printed"] == printed]
    return min(same, key=lambda index: abs(measures[index]["time"] - time), default=None)


def section(page, measures, keys, labels):
    fields = page.findtext("text").split(",")
    numbers = fields[-3:]
    rgb = len(fields) >= 4 and all(number.isdigit() for number in numbers)
    label = ",".join(fields[:-3] if rgb else fields[:-1])
    return {"label": label, "labels": labels.get((label, int(page.findtext("measure")))),
            "colour": ",".join(numbers) if rgb else fields[-1],
            "key": keys.get((label, int(page.findtext("measure")))), "played": played(page, measures)}


def slide(page, measures, linker):
    parts = []
    for paragraph in page.findtext("text").split("\n\n"):
        marks = list(IMAGE.finditer(paragraph))
        text = paragraph[:marks[0].start() if marks else None].strip()
        if text:
            parts.append({"text": " ".join(text.split())})
        for index, mark in enumerate(marks):
            rest = paragraph[mark.end():marks[index + 1].start() if index + 1 < len(marks) else None].strip()
            parts.append({"image": "/images/" + mark[1], "caption": rest if mark[2] else ""})
            if rest and not mark[2]:
                parts.append({"text": rest.lstrip(". ")})
    links = [{"part": index, **link} for index, part in enumerate(parts) for link in linker.links(part.get("text", ""))]
    return {"played": played(page, measures), "measure": int(page.findtext("measure")),
            "time": float(page.findtext("time")), "parts": parts, "links": links}


class Linkers:
    """A linker for each language: its own words, and those of no language."""

    def __init__(self, glossary):
        self.glossary = glossary

    def of(self, language):
        named = [(index, entry) for index, entry in enumerate(self.glossary) if entry["language"] in (None, language)]
        # A word of the language itself takes the place of the same word of none.
        return Linker([(entry["name"], index) for index,
                       entry in sorted(named, key=lambda pair: pair[1]["language"] is not None)])


class Linker:
    """Whole words of the glossary, the longest first, in UTF-16 units."""

    def __init__(self, named):
        self.items = {fold(name): index for name, index in named}
        longest_first = sorted(self.items, key=len, reverse=True)
        self.pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")

    def links(self, text):
        folded = fold(text)
        if len(folded) != len(text):
            return []
        units = lambda end: len(text[:end].encode("utf-16-le")) // 2
        return [{"start": units(match.start()), "length": units(match.end()) - units(match.start()),
                 "item": self.items[match[0]]} for match in self.pattern.finditer(folded)]


def fold(text):
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text.lower())


def waveform(path, count):
    """Measured loudness where ffmpeg is at hand, an even swell where it is not."""
    kept = pathlib.Path(
        tempfile.gettempdir()) / f"baton-waveform-{path.parent.parent.name}-{path.parent.name}-{count}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    if not shutil.which("ffmpeg"):
        return [60 + 150 * index // count for index in range(count)]
    samples = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", "2000", "-f", "s16le", "-"],
                             stdout=subprocess.PIPE, check=True).stdout
    values = memoryview(samples).cast("h")
    import math
    power = []
    for index in range(count):
        stretch = values[index * len(values) // count:(index + 1) * len(values) // count]
        power.append(sum(value * value for value in stretch) / max(len(stretch), 1))
    loudest = max(power) or 1
    points = [round(255 * max(0, 1 + 10 * math.log10(max(value, 1e-9) / loudest) / 48)) for value in power]
    kept.write_text(json.dumps(points))
    return points


def slide_at(track, position):
    """Which slide is right while a played measure sounds, told apart from the page's own reckoning; None before the
    first.
    """
    starts = sorted((slide["played"], index) for index, slide in enumerate(track["slides"]))
    at = bisect.bisect_right(starts, (position, len(starts)))
    return starts[at - 1][1] if at else None
