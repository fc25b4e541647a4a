"""Brings three people into a rehearsal: given the score, into one room, on their stands, in a session.

The owner's room is on the score whose title holds `evening.title`; the third plays from a part with “Violin” in its
name.
"""

from checks import until

PASSKEY = "mountain hall"


def gather(evening):
    that, anna = evening.that, evening.anna
    scores = evening.ask("lena", "/api/library/scores")[1]
    scores = scores["scores"] if isinstance(scores, dict) else scores
    evening.score = next(score["id"] for score in scores if evening.title in score["title"])
    users = evening.ask("lena", "/api/library/users")[1]
    users = users["users"] if isinstance(users, dict) else users
    identifiers = {user["name"]: user["id"] for user in users}
    given = [evening.ask("lena", "/api/library/bundles", {"user": identifiers[name], "score": evening.score}, "POST")[0]
             for name in ("anna", "bert", "carl")]
    that("the librarian gives three musicians the score", all(status < 300 for status in given), given)
    evening.parts = evening.ask("anna", f"/api/scores/{evening.score}")[1]["parts"]
    evening.ask("tina", "/api/command", {"command": "rehearsal", "arguments": ["on"]}, "POST")
    that("three people sign in on their stands", all(evening.all(lambda stand: stand.sign_in())))
    anna.click("#new-room")
    anna.write("#room-name", "Tuesday")
    anna.write("#room-passkey", PASSKEY)
    anna.click("#create-room")
    that("the owner's new room opens with the score on the stand", choose(anna, 0), anna.text("#notice"))
    evening.room = anna.script("""const where = Object.entries(localStorage).find(([key]) => key.includes('where.'));
        return JSON.parse(where[1]).room""")
    that("nobody else sees it before it is published", evening.bert.count("#rooms-open .entry") == 0
         and evening.ask("bert", "/api/stand/home")[1]["rooms"]["notJoined"] == [])
    anna.controls()
    anna.click("#publish")
    until(lambda: not anna.shown("#publish"))
    anna.controls(False)
    evening.all(lambda stand: stand is not anna and join(evening, stand))


def choose(stand, part):
    """Lays a part on the stand."""
    if not until(lambda: stand.shown(f"#dialog [data-part='{part}']"), 8):
        return False
    stand.click(f"#dialog [data-part='{part}']")
    return until(lambda: stand.screen == "reader" and stand.painted(), 15)


def join(evening, stand):
    that = evening.that
    stand.open()
    that(f"{stand.name} finds the room", until(lambda: stand.count("#rooms-open .entry") == 1, 12))
    stand.click("#rooms-open .entry")
    stand.write("#passkey", "mountain hell")
    stand.click("#join")
    that(f"{stand.name} is told that a passkey is wrong", until(lambda: "passkey" in stand.text("#notice"), 10),
         stand.text("#notice"))
    stand.write("#passkey", PASSKEY)
    for _ in range(4):
        stand.click("#join")
        if until(lambda: stand.screen == "reader", 4):
            break
    part = next(index for index,
                each in enumerate(evening.parts) if "Violin" in each["name"]) if stand is evening.carl else 0
    that(f"{stand.name} comes in with the right one, part {part}", choose(stand, part), stand.text("#notice"))


def begin(evening):
    that, anna = evening.that, evening.anna
    waiting = [until(lambda stand=stand: stand.shown("#sign-waiting"), 4) for stand in (evening.bert, evening.carl)]
    that("members wait for the session", all(waiting), waiting)
    evening.listen()
    anna.controls()
    anna.click("#session")
    anna.click("#begin-session")
    that("a session begins and takes every stand in", until(lambda: len(present(evening)) == 3, 6), present(evening))
    that("with its part", sorted(part for _, part in present(evening)) == [0, 0, violins(evening)], present(evening))
    that("and nobody waits any more",
         until(lambda: not any(stand.shown("#sign-waiting") for stand in evening.stands), 4))
    anna.controls(False)
    evening.all(lambda stand: stand.watch())


def violins(evening):
    return next(index for index, each in enumerate(evening.parts) if "Violin" in each["name"])


def elements(value):
    return value.get("elements", []) if isinstance(value, dict) else value or []


def present(evening):
    snapshot = evening.snapshot("anna") or {}
    return [(each["user"], each["part"]) for each in elements(snapshot.get("participations")) if not each.get("left")]
