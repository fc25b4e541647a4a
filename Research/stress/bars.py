"""Judges a follower's trace by bars: the right copy of a bar, the right printed bar, and how long jumps take."""

import csv
import dataclasses
import json
import math

STEP = 0.05  # seconds between samples
# A place counts as found once it has been right for so many seconds.
FOUND = 2.0
# Near a bar line both bars count as right in the tolerant figure, seconds.
TOLERANCE = 0.25


@dataclasses.dataclass
class Jump:
    """A bar line after which the performance does not go on with the reference's next bar."""

    time: float
    before: str
    after: str
    # Seconds until the printed bar, and the very copy of it, is right for FOUND seconds; None: not before the next
    # jump.
    printed: float | None = None
    played: float | None = None


@dataclasses.dataclass
class Judgement:
    id: str
    group: str
    seconds: float
    # Shares of the time of the music.
    played: float
    printed: float
    printed_tolerant: float
    printed_within_one: float
    jumps: list
    # Stretches of at least two seconds in another printed bar: start, end, true bars, bars shown.
    wrong: list


def judge(folder, traces):
    """Judges the case in `folder`; None without a trace."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    trace = traces / f"{case['id']}.trace.csv"
    if not trace.is_file():
        return None
    live = _rows(folder / case["live"]["measures"])
    known = [number for number, _ in _rows(folder / case["references"][0]["measures"])]
    printed = {int(number): bar for number, bar in case.get("printed", {}).items()}
    printed = {number: printed.get(number, str(number)) for number in known}
    order = {bar: place for place, bar in enumerate(dict.fromkeys(printed.values()))}
    times = [time for _, time in live] + [case["live"]["end"]]
    shown = _shown(trace, last=max(known))
    samples = _samples(live, times, case.get("holds") or [], shown)
    count = max(1, len(samples))
    names = [(time, number, printed.get(number), printed.get(bar)) for time, number, bar in samples]
    right = sum(number == bar for _, number, bar in samples)
    same = sum(true == name for _, _, true, name in names)
    near = sum(true == name or name in _neighbours(time, live, times, printed) for time, _, true, name in names)
    one = sum(name is not None and abs(order[true] - order[name]) <= 1 for _, _, true, name in names)
    group = "+".join(case.get("kinds", [])) or case.get("group", "")
    return Judgement(
        case["id"], group, len(samples) * STEP, right / count, same / count, near / count, one / count,
        _jumps(live, times, printed, samples), _wrong(names))


def _rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [(int(float(row["measure"])), float(row["time"])) for row in csv.DictReader(file)]


def _shown(path, last):
    """Seconds, and the number of the bar shown: None while the follower waits, is lost or says nothing.

    At the end of the last bar a trace says `last + 1`: all of that bar has passed.
    """
    with open(path, newline="", encoding="utf-8") as file:
        return [(float(row["time"]), min(int(math.floor(float(row["measure"]))), last)
                 if row["measure"] and row["state"] not in ("waiting", "lost") else None)
                for row in csv.DictReader(file)]


def _samples(live, times, holds, shown):
    """Seconds, true number and shown number at each sample of the music."""
    samples, report, row = [], -1, 0
    for step in range(int((times[-1] - times[0]) / STEP)):
        time = times[0] + step * STEP
        while report + 1 < len(shown) and shown[report + 1][0] <= time:
            report += 1
        while row + 1 < len(live) and times[row + 1] <= time:
            row += 1
        if not any(start <= time < end for start, end in holds):
            samples.append((time, live[row][0], shown[report][1] if report >= 0 else None))
    return samples


def _neighbours(time, live, times, printed):
    return {printed.get(number) for index, (number, _) in enumerate(live)
            if times[index] - TOLERANCE <= time < times[index + 1] + TOLERANCE}


def _jumps(live, times, printed, samples):
    found = []
    for index in range(1, len(live)):
        (before, _), (after, time) = live[index - 1], live[index]
        if after != before + 1:
            found.append(Jump(time, printed.get(before, "?"), printed.get(after, "?")))
    for jump, later in zip(found, [*found[1:], None]):
        until = later.time if later else times[-1]
        part = [sample for sample in samples if jump.time <= sample[0] < until]
        jump.printed = _until_found(part, jump.time, lambda a, b: printed.get(a) == printed.get(b))
        jump.played = _until_found(part, jump.time, lambda a, b: a == b)
    return found


def _until_found(samples, start, is_right):
    """A bar line heard a little late does not end a stretch of right bars, and the music's end ends no stretch."""
    since = wrong_since = None
    for time, number, bar in samples:
        if is_right(number, bar):
            since, wrong_since = time if since is None else since, None
            if time - since >= FOUND:
                return since - start
        else:
            wrong_since = time if wrong_since is None else wrong_since
            if time - wrong_since > TOLERANCE:
                since = None
    return None if since is None else since - start


def _wrong(names):
    found, start = [], None
    for index, (_, _, true, name) in enumerate([*names, (math.inf, 0, "", "")]):
        is_wrong = true != name
        if is_wrong and start is None:
            start = index
        elif not is_wrong and start is not None:
            first, last = names[start], names[index - 1]
            if last[0] - first[0] >= FOUND:
                found.append((first[0], last[0], f"{first[2]}–{last[2]}", f"{first[3] or 'lost'}–{last[3] or 'lost'}"))
            start = None
    return found


def table(judgements):
    """A Markdown table of all groups, pooled by time."""
    groups = {}
    for one in judgements:
        groups.setdefault(one.group, []).append(one)
    head = ("group", "cases", "right copy", "right printed bar", "with 0.25 s", "±1", "jumps", "found",
            "median s", "worst s")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for group, part in [*groups.items(), ("all", judgements)]:
        total = sum(one.seconds for one in part)
        shares = [sum(getattr(one, name) * one.seconds for one in part) / total
                  for name in ("played", "printed", "printed_tolerant", "printed_within_one")]
        jumps = [jump for one in part for jump in one.jumps]
        waits = sorted(jump.printed for jump in jumps if jump.printed is not None)
        middle = f"{waits[len(waits) // 2]:.1f} | {waits[-1]:.1f}" if waits else "- | -"
        figures = " | ".join(f"{share:.3f}" for share in shares)
        lines.append(f"| {group} | {len(part)} | {figures} | {len(jumps)} | {len(waits)} | {middle} |")
    return "\n".join(lines)


def sentences(one):
    """The figures of a case, its jumps, and the places where another bar was shown."""
    lines = [f"{one.id}: right copy {one.played:.3f}, printed bar {one.printed:.3f} "
             f"({one.printed_tolerant:.3f} with 0.25 s, {one.printed_within_one:.3f} within one bar)"]
    for jump in one.jumps:
        told = "never found" if jump.printed is None else f"printed bar after {jump.printed:.1f} s"
        copy = "never the copy" if jump.played is None else f"the copy after {jump.played:.1f} s"
        lines.append(f"  {jump.time:.1f} s: bar {jump.before} to {jump.after}: {told}, {copy}")
    lines += [f"  {start:.1f} to {end:.1f} s: true {true}, shown {shown}" for start, end, true, shown in one.wrong]
    return "\n".join(lines)
