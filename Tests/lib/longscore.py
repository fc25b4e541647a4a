"""Hours of music as one score, and a recording of it: the concert's keyboard pieces in several keys."""

import copy
import json
import math
import xml.etree.ElementTree as ElementTree

PIECES = ["bach-well-tempered-clavier-1-prelude-in-c", "petzold-anna-magdalena-notebook-minuet-in-g",
          "beethoven-woo-59-fur-elise"]
KEYS = [0, 2, -3, 4, -1, 1, -4, 3, -2, 5, -5]
NATURAL = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
STEPS = [("C", 0), ("C", 1), ("D", 0), ("E", -1), ("E", 0), ("F", 0), ("F", 1), ("G", 0), ("A", -1), ("A", 0),
         ("B", -1), ("B", 0)]


def transpose(measure, semitones):
    for pitch in measure.iter("pitch"):
        step, octave = pitch.find("step"), pitch.find("octave")
        alter = pitch.find("alter")
        note = NATURAL[step.text] + int(octave.text) * 12 + (int(float(alter.text)) if alter is not None else 0)
        note += semitones
        if alter is not None:
            pitch.remove(alter)
        name, sharp = STEPS[note % 12]
        step.text, octave.text = name, str(note // 12)
        if sharp:
            added = ElementTree.Element("alter")
            added.text = str(sharp)
            pitch.insert(1, added)


def without_repeats(measures):
    """The measures of a part without first endings and repeat signs."""
    kept, in_first_ending = [], False
    for measure in measures:
        endings = [(ending.get("number"), ending.get("type")) for ending in measure.iter("ending")]
        in_first_ending = in_first_ending or ("1", "start") in endings
        if not in_first_ending:
            plain = copy.deepcopy(measure)
            for barline in plain.findall("barline"):
                plain.remove(barline)
            kept.append(plain)
        if any(number == "1" and kind in ("stop", "discontinue") for number, kind in endings):
            in_first_ending = False
    return kept


def write_score(path, score_of, rounds):
    """A score of one part; returns the number of its measures."""
    root = None
    for round_number in range(rounds):
        for piece in PIECES:
            tree = ElementTree.parse(score_of(piece)).getroot()
            measures = without_repeats(tree.find("part").findall("measure"))
            for measure in measures:
                # The second hour lies an octave lower, so that no passage returns literally.
                transpose(measure, KEYS[round_number % len(KEYS)] - 12 * (round_number // len(KEYS)))
            if root is None:
                root, part = tree, tree.find("part")
                for measure in list(part):
                    part.remove(measure)
            part.extend(measures)
    for number, measure in enumerate(part, start=1):
        measure.set("number", str(number))
        measure.attrib.pop("implicit", None)
    ElementTree.ElementTree(root).write(path, encoding="UTF-8", xml_declaration=True)
    return len(part)


def make(bench, score_of, soundfont, run, hours=1):
    """The score, its recording, and the bars of the recording with their end."""
    score = bench.folder / "long.musicxml"
    count = write_score(score, score_of, rounds=11 * hours)
    return score, *perform(bench, score, count, soundfont, run)


def make_two(bench, score_of, soundfonts, run, hours):
    """Two recordings of one score, by other instruments and at other tempi; each with its bars and their end."""
    score = bench.folder / "long.musicxml"
    count = write_score(score, score_of, rounds=11 * hours)
    return [perform(bench, score, count, soundfont, run, seed) for seed, soundfont in enumerate(soundfonts, start=3)]


def perform(bench, score, count, soundfont, run, seed=3):
    """A recording of a score of `count` measures, its bars and their end; another one for each seed."""
    out = bench.folder / f"long-{seed}"
    curve = bench.folder / f"long-tempo-{seed}.csv"
    # A tempo that breathes: slower and faster by up to a sixth.
    slow, fast = 5 + 2 * (seed - 3), 1.7 + 0.6 * (seed - 3)
    lines = [f"{bar},{0.95 + 0.1 * math.sin(bar / slow) + 0.06 * math.sin(bar / fast):.3f}"
             for bar in range(1, count, 2)]
    curve.write_text("measure,ratio\n" + "\n".join(lines) + "\n")
    done = run([bench.program, "render", score, "--out", out, "--tempo-curve", curve, "--soundfont", soundfont,
                "--room", "hall", "--jitter", "12", "--seed", seed])
    if done.returncode != 0:
        raise OSError(done.stderr.strip())
    with open(out / "measures.csv", encoding="utf-8") as file:
        rows = [line.split(",") for line in file.read().split()[1:]]
    truth = [(int(number), float(seconds)) for number, seconds in rows]
    return out / "audio.ogg", truth, json.loads((out / "render.json").read_text())["endSeconds"]
