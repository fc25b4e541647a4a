"""The figures of a night: a table for each kind of trouble, and the worst cases."""

import json
import statistics

# From here on a passage that sounds twice explains why a follower chose the other one.
TWIN = 0.95


def load(cases, results):
    """Rows of what was made and how it was followed; `baton` itself says which cases could not be judged."""
    judged = json.loads(results.read_text(encoding="utf-8"))["cases"]
    rows = []
    for file in sorted(cases.glob("*/case.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        figures = judged.get(case["id"])
        if figures is None or figures.get("missing_output"):
            continue
        held = sum(end - start for start, end in case["holds"])
        rows.append({**figures, "case": case, "music_s": case["live"]["end"] - case["live"]["start"] - held})
    return rows


def written(rows):
    """The whole report as Markdown."""
    return "\n\n".join([kinds_table(rows), bases_table(rows), worst_table(rows)]) + "\n"


def kinds_table(rows):
    kinds = {}
    for row in rows:
        words = _words(row)
        kinds.setdefault(" + ".join(words) if len(words) == 1 else f"{words[0]} with another", []).append(row)
    order = sorted(kinds.items())
    told = [row for row in rows if not _is_doubtful(row)]
    lines = [_kind_line(name, part) for name, part in order]
    lines += [_kind_line("all", rows), _kind_line("all but twins", told)]
    head = ("kind", "cases", "lost", "onsets <= 0.25 s", "right measure", "recovered", "median s", "worst s",
            "false starts")
    return _table(head, lines)


def bases_table(rows):
    bases = {}
    for row in rows:
        bases.setdefault(row["case"]["base"], []).append(row)
    lines = [(name, len(part), _count(part, "lost"), _share(part, "onset_le_0.25", "onsets"),
              _share(part, "measure_hit", "music_s")) for name, part in bases.items()]
    lines.sort(key=lambda line: (-line[2], line[0]))
    return _table(("recording", "cases", "lost", "onsets <= 0.25 s", "right measure"), lines)


def worst_table(rows, count=10):
    lines = []
    for row in sorted(rows, key=_badness, reverse=True)[:count]:
        twin = row["case"].get("twin")
        alike = f"bar {twin['measure']} ({twin['similarity']:.2f})" if twin else "-"
        notes = "; ".join(trouble["note"] for trouble in row["case"]["troubles"]) or "as it was played"
        lines.append((row["case"]["id"], f"{row['longest_lost_s']:.0f}", _percent(row["onset_le_0.25"]),
                      _percent(row["measure_hit"]), _recovery(row), alike, notes))
    head = ("worst case", "lost s", "onsets <= 0.25 s", "right measure", "recovery s", "sounds like",
            "what happened")
    return _table(head, lines)


def _words(row):
    """Kinds of a case; whether a beginning was told makes two kinds of it."""
    kinds = list(row["case"]["kinds"])
    if "start" in kinds:
        told = "known" if row["case"]["first_cue"]["known"] else "unknown"
        kinds[kinds.index("start")] = f"start {told}"
    return kinds


def _is_doubtful(row):
    return row["case"].get("twin", {}).get("similarity", 0) >= TWIN


def _badness(row):
    return row["lost"], row["longest_lost_s"], -row["measure_hit"]


def _kind_line(name, part):
    counted = [row for row in part if _has_recovery(row)]
    times = [row["recovery_s"] for row in counted if row["recovery_s"] is not None]
    never = len(counted) - len(times)
    return (name, len(part), _count(part, "lost"), _share(part, "onset_le_0.25", "onsets"),
            _share(part, "measure_hit", "music_s"), f"{len(times)}/{len(counted)}" if counted else "-",
            f"{statistics.median(times):.1f}" if times else "-",
            "never" if never else f"{max(times):.1f}" if times else "-", _count(part, "false_start"))


def _recovery(row):
    if not _has_recovery(row):
        return "-"
    return "never" if row["recovery_s"] is None else f"{row['recovery_s']:.1f}"


def _has_recovery(row):
    disruption = row["case"]["disruption"]
    return bool(disruption) and disruption.get("scored", True)


def _count(part, key):
    return sum(bool(row[key]) for row in part)


def _share(part, key, weight):
    total = sum(row[weight] for row in part)
    return _percent(sum(row[key] * row[weight] for row in part) / total) if total else "-"


def _percent(share):
    return f"{100 * share:.1f} %"


def _table(head, lines):
    marks = "|".join(["---"] + ["---:"] * (len(head) - 1))
    return "\n".join(["| " + " | ".join(head) + " |", f"|{marks}|"] + [
        "| " + " | ".join(map(str, line)) + " |" for line in lines])
