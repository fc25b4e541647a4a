"""Scores for the stand's page, from the engraved pages that come with the recordings."""

import gzip
import json
import pathlib
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]


def part_of(folder):
    layout = json.loads((folder / "layout.json").read_text())
    printed = layout["printed"]
    places = []
    for each in layout["measures"]:
        box = each["box"]
        # Boxes of the engraver may reach over the paper's edge by a hair.
        edges = [box["x"], box["y"], min(1, box["x"] + box["width"]), min(1, box["y"] + box["height"])]
        places.append({"movement": 0, "page": each["page"], "first": each["printed"],
                       "last": each["printed"] + each["count"] - 1, "box": [round(edge, 5) for edge in edges]})
    rests = [{"movement": 0, "first": printed[first], "last": printed[last]} for first, last in layout["rests"]]
    name = layout["part"] or ("Full score" if len(layout["parts"]) > 1 else layout["parts"][0])
    return layout, {"name": name, "pages": layout["pages"], "places": places, "rests": rests}


def scores():
    """All scores as the server gives them, and the files of their pages: `{ id: [[path]] }`."""
    found, files = [], {}
    for folder in sorted((ROOT / "Recordings").glob("*/pages")):
        parts = sorted(folder.iterdir(), key=lambda path: (path.name != "score", path.name))
        layouts = [part_of(part) for part in parts]
        layout = layouts[0][0]
        identity = str(uuid.uuid5(uuid.NAMESPACE_URL, folder.parent.name))
        found.append({"id": identity, "title": layout["title"], "composer": layout["composer"], "lyricist": "",
                      "arranger": "",
                      "movements": [{"name": layout["title"], "piece": folder.parent.name, "isAttacca": False}],
                      "parts": [part for _, part in layouts], "revision": "r1"})
        files[identity] = [sorted(part.glob("page-*.svg.gz")) for part in parts]
    return found, files


def picture(path):
    return gzip.decompress(path.read_bytes())
