"""`survive recordings`: kill -9 while the evening is recorded; two people at the recordings; a disk that gets full."""

import http.client
import json
import random
import subprocess
import time
from pathlib import Path

from lib.waiting import hold_for, until

from . import places
from .reserve import Hall, fill, small_disk
from .solo import Solo
from .verdict import say, skip, spread

MOST_LOST_SECONDS = 1.0
PIECE = places.BACH


def header(path):
    """Sample rate and promised length in seconds of a FLAC file, read without anything of Baton."""
    with open(path, "rb") as file:
        head = file.read(42)
    if head[:4] != b"fLaC":
        raise ValueError(f"{path} is not FLAC")
    packed = int.from_bytes(head[18:26], "big")
    rate = packed >> 44
    return rate, (packed & (1 << 36) - 1) / rate


def opens(path):
    """True if the program can hear a file from its beginning to its end; otherwise the program's own message."""
    run = subprocess.run(
        [places.BATON, "replay", PIECE, "--live", path, "--speed", "max", "--quiet"], cwd=places.ROOT,
        capture_output=True, text=True, timeout=300)
    return run.returncode == 0, run.stderr[-300:]


def parts_on_disk(data):
    return sorted(Path(data).glob("recordings/*/part-*.flac"))


def described(data):
    """The parts as recording.json has them."""
    found = sorted(Path(data).glob("recordings/*/recording.json"))
    return json.loads(found[-1].read_text(encoding="utf-8"))["parts"] if found else []


def run(trials, seed, verdict):
    seed = random.randrange(1 << 30) if seed is None else seed
    say(f"recordings: seed {seed}")
    _kills(trials, random.Random(seed), verdict)
    _full_disk(verdict)


def _kills(trials, chance, verdict):
    solo = Solo("recordings", [PIECE], recordings=[places.quick_recording(PIECE)], words=["--record"])
    data = solo.server.data
    before_repair, after_repair, opened = [], [], []
    solo.first_start()
    for number in range(1, trials + 1):
        is_there = until(lambda count=number: len(parts_on_disk(data)) >= count
                        and parts_on_disk(data)[-1].stat().st_size > 20_000, 30)
        verdict.claim(f"recordings {number}: a part of the sound is on the disk", is_there)
        hold_for(chance.uniform(0.5, 3.5))  # what is tried: a kill at any moment
        solo.server.kill()
        killed = time.time()
        part, file = described(data)[-1], parts_on_disk(data)[-1]
        before_repair.append(killed - part["startedAt"] / 1000 - header(file)[1])
        good, said = opens(file)
        opened.append(good)
        if not good:
            say(said)
        solo.start()
        until(lambda count=number: described(data)[count - 1].get("end") == "interrupted", 20)
        ended = described(data)[number - 1].get("endedAt", 0)
        after_repair.append(killed - ended / 1000)
        length = header(file)[1]
        verdict.claim(
            f"recordings {number}: at most a second is lost",
            -0.1 < after_repair[-1] < MOST_LOST_SECONDS and abs((ended - part["startedAt"]) / 1000 - length) < 0.01,
            f"{after_repair[-1]:.2f} s")
    verdict.claim("recordings: each file opens as the kill left it", all(opened), f"{sum(opened)} of {len(opened)}")
    until(lambda: len(described(data)) == trials + 1, 20)
    status, listed = solo.desk.request("GET", "/api/recordings")
    recording = listed["recordings"][0]
    gaps = [part.get("gapSeconds") for part in recording["parts"]]
    verdict.claim(
        "recordings: the evening is one recording, with a part for each start and the gaps between them",
        status == 200 and len(listed["recordings"]) == 1 and len(gaps) == trials + 1 and gaps[0] is None
        and all(gaps[1:]), f"{gaps}")
    say(f"lost by a kill: {spread([1000 * value for value in after_repair])}; "
        f"as the header says before the repair: {spread([1000 * value for value in before_repair])}")
    verdict.claim("recordings: the server ends in order", solo.end())
    _commands(data, recording["name"], trials + 1, verdict)


def _baton(*words):
    return subprocess.run([places.BATON, "recordings", *map(str, words)], cwd=places.ROOT, capture_output=True,
                          text=True, timeout=120, stdin=subprocess.DEVNULL)


def _commands(data, name, count, verdict):
    listed = _baton("list", "--data", data)
    verdict.claim("recordings: the command lists it", listed.stdout.startswith(f"{name}\t")
                  and f"\t{count} parts\t" in listed.stdout, listed.stdout + listed.stderr)
    target = places.scratch() / "exported"
    target.mkdir(exist_ok=True)
    copied = _baton("export", name, "--data", data, "--to", target)
    files = sorted(target.glob("*.flac"))
    verdict.claim("recordings: the command copies each part and states the gaps",
                  len(files) == count and copied.stderr.count("are missing") == count - 1,
                  copied.stderr)
    verdict.claim("recordings: each copy opens", all(opens(file)[0] for file in files))
    again = _baton("export", name, "--data", data, "--to", target)
    verdict.claim("recordings: nothing is overwritten",
                  again.returncode == 1 and "could not be written" in again.stderr, again.stderr)
    asked = _baton("delete", name, "--data", data)
    verdict.claim("recordings: without a terminal nothing is deleted unasked",
                  asked.returncode == 1 and parts_on_disk(data), asked.stderr)
    _baton("delete", name, "--data", data, "--yes")
    verdict.claim("recordings: with --yes it is deleted", not parts_on_disk(data))


def _slow_download(hall, cookie, path, deletion):
    """Reads the beginning of a file, lets it be deleted, and reads the rest.
    Returns the status, the announced and the received bytes, and what the deletion said."""
    client = http.client.HTTPConnection("127.0.0.1", hall.http, timeout=20)
    client.request("GET", path, headers={"Cookie": cookie})
    answer = client.getresponse()
    first = answer.read(20_000)
    said = deletion()
    rest = answer.read()
    client.close()
    return answer.status, int(answer.getheader("Content-Length")), len(first) + len(rest), said


def _full_disk(verdict):
    with small_disk() as mount:
        if mount is None:
            skip("recordings on a full disk", "no tmpfs can be mounted here; it needs root")
            return
        hall = Hall(mount / "data", "--record")
        hall.server.start()
        try:
            _two_people(hall, verdict)
            _filling(hall, mount, verdict)
        finally:
            hall.server.stop()


LARGE_BYTES = 30 << 20  # more than the system keeps on the way to a slow reader


def _two_people(hall, verdict):
    ada, theo = hall.sign_in("ada"), hall.sign_in("theo")
    data = hall.server.data
    until(lambda: parts_on_disk(data) and parts_on_disk(data)[-1].stat().st_size > 20_000, 40)
    running = parts_on_disk(data)[-1]
    name = running.parent.name
    status, said = ada.request("DELETE", f"/api/recordings/{name}")
    verdict.claim("recordings: the running one is not deleted", status == 409 and "still running" in said["error"],
                  f"{status} {said}")
    # An earlier evening: only its length matters here.
    name = "2026-01-01-200000-earlier"
    earlier = running.parent.parent / name / running.name
    earlier.parent.mkdir()
    earlier.write_bytes(running.read_bytes().ljust(LARGE_BYTES, b"\0"))
    status, said = theo.request("DELETE", f"/api/recordings/{name}")
    verdict.claim("recordings: a technician may not delete", status == 403, f"{status} {said}")
    status, announced, received, deleted = _slow_download(
        hall, theo.cookie, f"/api/recordings/{name}/1", lambda: ada.request("DELETE", f"/api/recordings/{name}"))
    verdict.claim("recordings: who downloads gets all of what another deletes meanwhile",
                  status == 200 and announced == received == LARGE_BYTES and deleted[0] == 200,
                  f"{received} of {announced} bytes, {deleted}")
    status, said = theo.request("GET", f"/api/recordings/{name}/1")
    verdict.claim("recordings: then it is gone", status == 404, f"{status} {said}")
    status, listed = theo.request("GET", "/api/recordings")
    verdict.claim("recordings: and the server goes on", status == 200
                  and name not in [each["name"] for each in listed["recordings"]], f"{status}")


def _filling(hall, mount, verdict):
    theo = hall.sign_in("theo")

    def state():
        return theo.request("GET", "/api/recordings")[1]["now"]

    verdict.claim("recordings: with room it records", until(lambda: state()["state"] == "recording", 20), f"{state()}")
    # Twice a tenth of this small disk is kept for the show and for what people write.
    fill(mount, 55 << 20)
    stopped = until(lambda: state()["state"] == "stopped", 10)
    sentence = state()["sentence"]
    verdict.claim("recordings: it stops when the disk is nearly full, and says why",
                  stopped and "goes on by itself" in sentence, sentence)
    part = described(hall.server.data)[-1]
    verdict.claim("recordings: the part before is complete", part.get("end") == "failed" and part.get("endedAt"),
                  f"{part}")
    good, said = opens(parts_on_disk(hall.server.data)[-1])
    verdict.claim("recordings: and opens", good, said)
    before = hall.log_bytes()
    theo.command("note", "while the disk is full")
    verdict.claim("recordings: the show log goes on", hall.log_bytes() > before)
    (mount / "ballast").unlink()
    verdict.claim("recordings: with room again it goes on", until(lambda: state()["state"] == "recording", 30),
                  f"{state()}")
    verdict.claim("recordings: as a further part", len(described(hall.server.data)) == 2)
