"""The report of a rehearsal that never was."""

import math

SESSIONS = [{"id": "11111111-1111-4111-8111-111111111111", "began": 1_790_000_000_000, "ended": 1_790_005_400_000},
            {"id": "22222222-2222-4222-8222-222222222222", "began": 1_790_600_000_000}]


def sessions():
    return SESSIONS


def report(score, users):
    bars = []
    for bar in range(1, 89):
        tempo = 0.92 + 0.12 * math.sin(bar / 9) + 0.25 * bar / 88
        deviation = 0.06 * math.sin(bar * 1.7) + (0.35 if bar == 48 else 0)
        each = {"movement": 0, "played": bar - 1, "printed": bar, "times": 3 if 26 <= bar <= 33 else 1,
                "tempo": round(tempo, 3)}
        if bar > 1:
            each.update(deviationSeconds=round(deviation, 3), worstSeconds=round(deviation * 1.6, 3))
        bars.append(each)
    people = list(users.values())
    return {"report": {
        "attendance": [{"user": each["id"], "part": index % len(score["parts"]), "seconds": 5200 - 900 * index,
                        "remarks": 4 * index}
                       for index, each in enumerate(people)],
        "pages": [{"page": page, "seconds": seconds} for page, seconds in enumerate((320, 610.5, 240, 205, 96, 130))],
        "passages": [{"movement": 0, "label": label, "measure": measure, "seconds": seconds}
                     for label, measure, seconds in (("A", 18, 300), ("B", 34, 640), ("C", 50, 210))],
        "retakes": [{"at": 1_790_000_600_000, "movement": 0, "from": 33, "to": 26, "isPinpointed": True},
                    {"at": 1_790_000_900_000, "movement": 0, "from": 33, "to": 26, "isPinpointed": True},
                    {"at": 1_790_002_000_000, "movement": 0, "from": 60, "to": 50, "isPinpointed": False}],
        "bars": bars, "playedSeconds": 1600.4, "lostSeconds": 22.5, "tempo": 1.04, "turns": 7},
        "names": {each["id"]: each["name"] for each in people},
        "score": {"title": score["title"], "composer": score["composer"],
                  "parts": [part["name"] for part in score["parts"]]}}
