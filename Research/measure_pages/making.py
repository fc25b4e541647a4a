"""Pages with known bar lines: engraved with Verovio, then damaged as cameras, scanners and copiers do."""

import json
import os
import pathlib
import random
import subprocess
import zlib

import cv2
import damage
import judging
import numpy
import random_music
from progress import Progress

HERE = pathlib.Path(__file__).resolve().parent
# The height of the pictures that the server lets the detector see.
HEIGHT = 2400


def look(seed, parts):
    """Verovio's options for a page: paper, font, size, thickness of lines."""
    chance = random.Random(seed * 7 + 1)
    is_large = parts > 4
    width, height = (2970, 2100) if chance.random() < 0.15 else (2100, 2970)
    sides = {f"pageMargin{side}": chance.randint(60, 160) for side in ("Left", "Right", "Top", "Bottom")}
    return sides | {
        "font": chance.choice(["Leipzig", "Bravura", "Gootville", "Petaluma", "Leland"]),
        "pageWidth": width, "pageHeight": height,
        "scale": chance.randint(45, 65) if is_large else chance.randint(65, 105),
        "barLineWidth": chance.choice([0.28, 0.32, 0.4]), "staffLineWidth": chance.choice([0.18, 0.22, 0.28]),
        "stemWidth": chance.choice([0.18, 0.22, 0.28]), "spacingLinear": chance.choice([0.2, 0.25, 0.3]),
        "spacingNonLinear": chance.choice([0.5, 0.6, 0.65]), "spacingStaff": chance.choice([6, 8, 12]),
        "spacingSystem": chance.choice([4, 6, 12]), "justifyVertically": chance.random() < 0.7}


def random_jobs(first, pages):
    """Pages engraved by Verovio: one of random music for each seed, the kinds of ensembles in turn."""
    for seed in range(first, first + pages):
        kind = random_music.KINDS[seed % len(random_music.KINDS)]
        parts = len(random_music.ENSEMBLES[kind][0])
        count = {"solo": 90, "trombone": 90, "piano": 40}.get(kind, 30 if parts < 6 else 16)
        yield {"name": f"{kind}-{seed}", "seed": seed, "kind": kind, "count": count, "options": look(seed, parts),
               "pages": 1}


def score_jobs(scores, first, pages):
    """The first pages of real scores (MusicXML), each in a look of its own."""
    for number, score in enumerate(scores):
        name = score.parent.name if score.stem == "score" else score.stem
        yield {"name": f"score-{name}", "score": str(score.resolve()), "kind": "score",
               "options": look(first + number, 1), "pages": pages}


def engrave(jobs, folder):
    venv = pathlib.Path(os.environ.get("BATON_VENV", HERE.parent.parent / ".venv"))
    if not jobs:
        return
    listing = folder / "jobs.json"
    listing.write_text(json.dumps(jobs))
    command = [venv / "bin/python", "-B", HERE / "engraved.py", listing, folder]
    progress = Progress("scores engraved", len(jobs))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in process.stdout:
            progress.step()
    if process.returncode:
        raise SystemExit("detect-measures: the pages cannot be engraved; run Tools/verovio-venv")


def make(folder, jobs, kinds):
    """Writes NAME_KIND.pgm and NAME_KIND.json for each page and damage; pages that are there already are kept.

    The printed pages stay in the folder `printed`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    printed = folder / "printed"
    printed.mkdir(exist_ok=True)
    jobs = list(jobs)
    engrave([job for job in jobs if not (printed / f"{job['name']}.done").exists()], printed)
    wanted = [(picture, kind) for job in jobs for picture in sorted(printed.glob(f"{job['name']}-*.png"))
              for kind in kinds]
    progress = Progress("pages made", len(wanted))
    for picture, kind in wanted:
        place = folder / f"{picture.stem}_{kind}.json"
        if not place.exists():
            page(picture, kind, place)
        progress.step()


def printed_share(sheet, systems):
    """The share of the systems' outermost staff lines that can still be seen in the picture, 0 to 1."""
    picture = cv2.blur(sheet.picture, (3, 3)).astype(int)
    height, width = picture.shape
    seen = []
    for system in systems:
        left, right = system["bars"][0][0], system["bars"][-1][1]
        for row in (system["top"], system["bottom"]):
            points = sheet.place([[left + (right - left) * at / 400, row] for at in range(401)]) * (width, height)
            for start in range(0, 400, 8):
                some = points[start:start + 9]
                way = some[-1] - some[0]
                normal = numpy.array([-way[1], way[0]]) / max(numpy.linalg.norm(way), 1e-9)
                profile = []
                for step in range(-8, 9):
                    places = numpy.rint(some + normal * step).astype(int)
                    profile.append(picture[numpy.clip(places[:, 1], 0, height - 1),
                                           numpy.clip(places[:, 0], 0, width - 1)].mean())
                # The line's middle is as far away from its paper as ink is, not as grain is.
                seen.append(numpy.median(profile) - min(profile[3:14]) > 14)
    return round(float(numpy.mean(seen)), 3)


def page(picture, kind, place):
    truth = judging.read(picture.with_suffix(".json"))
    seed = zlib.crc32((picture.stem + kind).encode())
    sheet = damage.damage(cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE), kind, seed)
    height, width = sheet.picture.shape
    way = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    size = (round(width * HEIGHT / height), HEIGHT)
    cv2.imwrite(str(place.with_suffix(".pgm")), cv2.resize(sheet.picture, size, interpolation=way))
    bars = [[index, sheet.place([[left, system["top"]], [left, system["bottom"]], [right, system["top"]],
                                 [right, system["bottom"]]]).tolist()]
            for index, system in enumerate(truth["systems"]) for left, right in system["bars"]]
    strokes = [sheet.place([[x, system["top"]], [x, system["bottom"]]]).tolist()
               for system in truth["systems"] for x in system["strokes"]]
    # The truth is written last: a page that was interrupted has none and is made again.
    whole = place.with_suffix(".part")
    whole.write_text(json.dumps({"music": truth["kind"], "damage": kind, "bars": bars, "strokes": strokes,
                                 "printed": printed_share(sheet, truth["systems"])}))
    whole.rename(place)
