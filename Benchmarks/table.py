"""Prints what `baton benchmark --json` measured, and its inner loops beside those in C.

    table.py SWIFT.json C.txt

C.txt holds lines of: instruction set, loop, layout, nanoseconds.
"""

import json
import sys


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print()


# A loop in C whose counterpart `baton benchmark` times as part of another: a step of the window is nearly all of the
# filter in a hop without a search.
PART_OF = {"window-step": "filter-plain"}


def beside(loops, c):
    """Rows of each loop in C with its Swift counterpart; one that Swift does not time alone says so."""
    found = {loop["name"]: loop["spread"]["p50Nanoseconds"] for loop in loops}
    rows = [["LOOP", "C LAYOUT", "C FOR", "SWIFT us", "C us", "SWIFT / C"]]
    for machine, loop, layout, nanoseconds in sorted(c, key=lambda line: (line[1], line[2])):
        whole = PART_OF.get(loop)
        own = found.get(loop, found.get(whole))
        name = loop if loop in found or whole not in found else f"{loop} (Swift: {whole})"
        rows.append(
            [name, layout, machine, microseconds(own) if own else "-", microseconds(int(nanoseconds))]
            + [f"{own / int(nanoseconds):.2f}" if own else "-"]
        )
    return rows


def microseconds(nanoseconds):
    return f"{nanoseconds / 1e3:.1f}"


def main():
    with open(sys.argv[1]) as file:
        swift = json.load(file)
    with open(sys.argv[2]) as file:
        c = [line.split() for line in file]

    table(beside(swift["loops"], c))

    rows = [["LOOP", "P50 us", "P99.9 us", "WORK"]]
    for loop in swift["loops"]:
        spread = loop["spread"]
        rows.append(
            [loop["name"], microseconds(spread["p50Nanoseconds"]), microseconds(spread["p999Nanoseconds"])]
            + [loop["work"]]
        )
    table(rows)

    rows = [["HOPS", "CORE", "P50 us", "P99 us", "P99.9 us", "LONGEST us", "RESIDENT MB", "MODEL MB"]]
    for engine in swift["engines"]:
        for name, meaning in (("opening", "key open"), ("steady", "key found"), ("paced", "in real time")):
            spread = engine[name]
            rows.append(
                [f"{engine['referenceMinutes']:.0f} min, {meaning}"]
                + [f"{100 * engine[name + 'CoreShare']:.2f} %"]
                + [microseconds(spread[f"{part}Nanoseconds"]) for part in ("p50", "p99", "p999", "longest")]
                + [f"{engine['residentBytes'] / 1e6:.1f}", f"{engine['modelBytes'] / 1e6:.1f}"]
            )
    table(rows)

    rows = [["BUDGET", "LIMIT", "MEASURED", ""]]
    for line in swift["budget"]:
        rows.append([line["name"], line["limit"], line["measured"], "kept" if line["isKept"] else "BROKEN"])
    table(rows)


if __name__ == "__main__":
    main()
