"""A made-up evening for the report page."""

import datetime
import math
import random


def report_of(show):
    """What `GET /api/report/current` answers."""
    pieces, clock, rng = [], 60_000, random.Random(4)
    for number, piece in enumerate(show.pieces[:4]):
        measures, confidence, states = [], [], [[clock, "following"]]
        start = clock
        for played, printed in enumerate(piece["order"]):
            reference = piece["secondsPerMeasure"] * (1 + 0.03 * math.sin(played / 5))
            live = reference * (1 + 0.07 * math.sin(played / 11 + number) + rng.uniform(-0.02, 0.02))
            measures.append({"measure": printed, "played": played, "at": round(clock),
                             "referenceSeconds": round(reference, 3), "liveSeconds": round(live, 3)})
            clock += live * 1000
        at = start
        lost_from = start + (clock - start) * 0.42
        while at < clock:
            lost = number == 2 and lost_from <= at < lost_from + 14_000
            value = 0.2 if lost else min(0.99, 0.93 + 0.05 * math.sin(at / 9000) + rng.uniform(-0.02, 0.02))
            confidence.append([round(at), round(value, 3)])
            at += 1000
        if number == 2:
            states += [[round(lost_from - 5000), "coasting"], [round(lost_from), "lost"],
                       [round(lost_from + 14_000), "following"]]
        states.append([round(clock), "finished"])
        pieces.append({"name": piece["name"], "measures": measures, "confidence": confidence, "states": states})
        clock += 25_000
    # The rest of the programme was not played.
    pieces += [{"name": piece["name"], "measures": [], "confidence": [], "states": []} for piece in show.pieces[4:]]
    began = datetime.datetime.now().astimezone().replace(hour=19, minute=30, second=0, microsecond=0)
    lost = pieces[2]["states"][2][0]
    return {
        "title": show.show()["title"], "started": began.isoformat(),
        "ended": (began + datetime.timedelta(milliseconds=clock)).isoformat(), "pieces": pieces,
        "interventions": [
            {"at": 52_000, "who": "Ines", "what": "piece 1"},
            {"at": lost + 3_000, "who": "Ines", "what": "take"},
            {"at": lost + 13_800, "who": "Ines", "what": "choose 1"},
            {"at": lost + 60_000, "who": "light desk", "what": "go"},
        ],
        "faults": [
            {"id": "input", "sentence": "The sound device went away and came back after 1.4 s.",
             "at": lost - 6_000, "until": lost - 4_600},
        ],
        "notes": [{"at": lost + 90_000, "text": "Violas late at C."}],
        "packets": [[at, round(5 + rng.uniform(-0.1, 0.1), 2)] for at in range(0, int(clock), 10_000)],
        "clients": [[at, int(140 + 8 * math.sin(at / 200_000))] for at in range(0, int(clock), 10_000)],
        "accuracy": {"median ms": 48, "95th percentile ms": 210, "worst ms": 1_950, "within one measure": "99.2 %"},
    }
