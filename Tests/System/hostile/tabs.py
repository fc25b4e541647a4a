"""Files that are no tabs, or hostile ones: what the command and the page say to them, in which time and memory."""

import json
import os
import pathlib
import struct
import subprocess
import tempfile
import zipfile
from io import BytesIO
from urllib.parse import quote

from lib.repository import program

from .trial import Trial, sentence, status

MOST_PROCESSOR_SECONDS, MOST_MEGABYTES = 30, 1_500
MOST_BYTES_OF_PAGE = 16 << 20
TAB = {"format": "baton-tab", "version": 1, "bars": [{}],
       "tracks": [{"strings": [64], "bars": [{"voices": [{"beats": [{"notes": [{"string": 1, "fret": 3}]}]}]}]}]}


def packed(*files):
    """A ZIP of (path, bytes)."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for path, content in files:
            zip_file.writestr(path, content)
    return buffer.getvalue()


def bomb(megabytes):
    """A ZIP of one file of zeros, made without holding it."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zip_file, \
            zip_file.open("Content/score.gpif", "w", force_zip64=True) as file:
        for _ in range(megabytes):
            file.write(b"\0" * (1 << 20))
    return buffer.getvalue()


def understated():
    """A ZIP whose list says 100 bytes for a file of 64 MB."""
    whole = bytearray(packed(("Content/score.gpif", b"\0" * (64 << 20))))
    for mark, at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        place = whole.index(mark) + at
        whole[place:place + 4] = struct.pack("<I", 100)
    return bytes(whole)


def overlapping():
    """Two entries of the list that share the bytes of one file."""
    whole = packed(("a.xml", b"a" * 1000), ("b.xml", b"b" * 1000))
    at = whole.index(b"PK\1\2", whole.index(b"PK\1\2") + 4)
    return whole[:at + 42] + struct.pack("<I", 0) + whole[at + 46:]


def midi(*tracks, declared=None, quarter=96):
    body = b"".join(b"MTrk" + struct.pack(">I", len(track)) + track for track in tracks)
    return b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks) if declared is None else declared, quarter) + body


def far_notes(count):
    """Notes that are as far from each other as a MIDI file can say."""
    return (b"\xff\xff\xff\x7f\x90\x40\x40\xff\xff\xff\x7f\x80\x40\x00") * count + b"\0\xff\x2f\0"


def score(measures):
    return ("<score-partwise><part-list><score-part id='P'><part-name>G</part-name></score-part></part-list>"
            f"<part id='P'>{measures}</part></score-partwise>").encode()


def gpif(bars, beats):
    """Bars that all name one voice, which names one beat again and again."""
    return (f"<GPIF><Tracks><Track id='0'/></Tracks><MasterBars>{'<MasterBar><Bars>0</Bars></MasterBar>' * bars}"
            "</MasterBars><Bars><Bar id='0'><Voices>0</Voices></Bar></Bars><Voices><Voice id='0'><Beats>"
            f"{'0 ' * beats}</Beats></Voice></Voices><Beats><Beat id='0'><Rhythm ref='0'/></Beat></Beats><Rhythms>"
            "<Rhythm id='0'><NoteValue>Quarter</NoteValue></Rhythm></Rhythms></GPIF>").encode()


def files():
    """(what it is, the file's name, its bytes, whether it may be read)."""
    laughs = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(
        f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9)) + "]><score-partwise>&j;"
    outside = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><score-partwise>&a;</score-partwise>"
    inner = packed(("Content/score.gpif", b"\0" * (32 << 20)))
    yield "50 MB of text", "big.txt", b"e|--0--|\n" * 5_600_000, False
    yield "50 MB of tab JSON", "big.json", b"[" + b"1," * 25_000_000 + b"1]", False
    yield "50 MB of MusicXML", "big.musicxml", score("<measure/>" * 5_000_000), False
    yield "50 MB of MIDI", "big.mid", midi(b"\0\x90\x40\x40" * 12_500_000), False
    yield "an empty file", "empty.gp", b"", False
    yield "random bytes for each kind: .gp", "random.gp", os.urandom(100_000), False
    yield "random bytes for each kind: .gp5", "random.gp5", os.urandom(100_000), False
    yield "random bytes for each kind: .mid", "random.mid", os.urandom(100_000), False
    yield "ZIP: a bomb of 1 GB", "bomb.gp", bomb(1_024), False
    yield "ZIP: a bomb that says 100 bytes", "understated.gp", understated(), False
    yield "ZIP: 60,000 files", "many.gp", packed(*((f"{n}", b"") for n in range(60_000))), False
    yield "ZIP: a path that leads out", "path.gp", \
        packed(("../../../etc/cron.d/x", b"x"), ("Content/score.gpif", b"")), False
    yield "ZIP: a path from the root", "root.mxl", packed(("/etc/passwd", b"x"), ("a.xml", b"<x/>")), False
    yield "ZIP: a table of contents that names /etc/passwd", "named.mxl", packed((
        "META-INF/container.xml",
        b"<container><rootfiles><rootfile full-path='/etc/passwd'/></rootfiles></container>")), False
    yield "ZIP: a ZIP in a ZIP", "nested.gp", packed(("Content/score.gpif", inner)), False
    yield "ZIP: files that overlap", "overlap.mxl", overlapping(), False
    yield "ZIP: cut off", "cut.gp", packed(("Content/score.gpif", os.urandom(5_000)))[:-30], False
    yield "Guitar Pro 6: says 4 GB", "says.gpx", b"BCFZ\xff\xff\xff\xff" + os.urandom(1_000), False
    yield "Guitar Pro 6: repeats itself to 60 MB", "repeats.gpx", b"BCFZ" + struct.pack("<I", 60 << 20) + \
        b"\x23" + b"\xff" * 4_000_000, False
    yield "Guitar Pro 5: only its name", "name.gp5", b"\x18FICHIER GUITAR PRO v5.10" + b"\0" * 500, False
    yield "Guitar Pro 5: counts of 2 thousand millions", "counts.gp5", b"\x18FICHIER GUITAR PRO v5.10" + \
        b"\xff\xff\xff\x7f" * 50_000, False
    yield "XML: a billion laughs", "laughs.musicxml", laughs.encode(), False
    yield "XML: an external entity", "outside.musicxml", outside.encode(), False
    yield "XML: nested 200,000 deep", "deep.musicxml", b"<score-partwise>" + b"<a>" * 200_000, False
    yield "XML: 2 million elements", "wide.musicxml", score("<a/>" * 2_000_000), False
    yield "XML: 500,000 attributes", "attributes.musicxml", \
        b"<score-partwise " + b" ".join(b"a%d=''" % n for n in range(500_000)) + b"/>", False
    yield "XML: a word of 8 MB", "word.musicxml", score("<measure>" + "a" * 8_000_000 + "</measure>"), True
    yield "XML: cut off", "cut.musicxml", score("<measure/>")[:-40], False
    yield "MusicXML: 200,000 measures", "bars.musicxml", score("<measure/>" * 200_000), False
    yield "MusicXML: a note of 10^300 divisions", "long.musicxml", score(
        "<measure><attributes><divisions>1e300</divisions></attributes><note><rest/>"
        f"<duration>{'9' * 300}</duration></note></measure>"), True
    yield "GPIF: 9,999 bars that name 100,000 beats", "names.gp", packed(
        ("Content/score.gpif", gpif(9_999, 100_000))), False
    yield "MIDI: a track of 4 GB", "length.mid", midi(b"\0\xff\x2f\0").replace(
        b"MTrk\0\0\0\4", b"MTrk\xff\xff\xff\xff"), False
    yield "MIDI: 65,535 tracks", "tracks.mid", midi(declared=65_535), False
    yield "MIDI: 1,000 tracks that never end", "endless.mid", midi(*[b"\0\x90\x40\x40" * 500] * 1_000), None
    yield "MIDI: 100,000 notes, each a year after the other", "far.mid", midi(far_notes(100_000), quarter=1), False
    yield "MIDI: 2 million notes that never end", "held.mid", \
        midi(b"\0\x90\x40\x40" + b"\0\x40\x40" * 2_000_000), False
    yield "ASCII: one line of 4 MB", "line.txt", b"e|" + b"-" * 3_900_000 + b"|\n", False
    yield "ASCII: 190,000 lines of strings", "lines.txt", b"e|-0-|\n" * 190_000, None
    yield "property list: a number of 400 digits", "number.plist", b"<plist><dict><key>tempo</key><integer>" + \
        b"9" * 400 + b"</integer></dict></plist>", False
    yield "property list: nested 5,000 deep", "deep.plist", b"<plist><dict><key>a</key>" + b"<array>" * 5_000, False
    yield "tab JSON: nested 1,000,000 deep", "deep.json", b"[" * 1_000_000, False
    yield "tab JSON: a tempo of 10^400", "tempo.json", json.dumps(TAB).replace(
        '"version": 1', '"version": 1, "tempo": 1e400').encode(), False
    yield "tab JSON: 600,000 notes", "notes.json", json.dumps({**TAB, "tracks": [{"strings": [64], "bars": [{
        "voices": [{"beats": [{"notes": [{"string": 1, "fret": 1}]}] * 600_000}]}]}]}).encode(), False


def judged(may_be_read):
    """0: read; 1: refused with a sentence. None: either."""
    def holds(said):
        refused = said.startswith(("1 ", "413 ", "422 ")) and len(said) > 20
        return refused or (may_be_read is not False and said.startswith(("0 ", "200 ")))
    return holds


def by_command(name, content):
    """Status, sentence and megabytes of `baton tab notes`, which leaves nothing behind."""
    with tempfile.TemporaryDirectory() as folder:
        file, scratch = pathlib.Path(folder, name), pathlib.Path(folder, "tmp")
        file.write_bytes(content)
        scratch.mkdir()
        with open(pathlib.Path(folder, "said"), "w+b") as said:
            # `time` forks a small process: a child of this one would begin with the memory of this one.
            status_of = subprocess.run(
                ["/usr/bin/time", "--quiet", "--format", "%M %U %S", "--output", f"{folder}/cost", program(), "tab",
                 "notes", str(file), "--json", "--quiet"], stdout=subprocess.DEVNULL, stderr=said, check=False,
                env={**os.environ, "TMPDIR": str(scratch)}).returncode
            kilobytes, *seconds = map(float, pathlib.Path(folder, "cost").read_text().split())
            megabytes = kilobytes / 1024
            said.seek(0)
            words = said.read().decode(errors="replace").strip().removeprefix("baton tab notes: ")
        left = [each.name for each in scratch.iterdir()]
        words = words.replace(folder + "/", "")[:400]
        assert sum(seconds) < MOST_PROCESSOR_SECONDS, f"it took {sum(seconds):.0f} s of the processor"
        assert megabytes < MOST_MEGABYTES, f"it took {megabytes:.0f} MB"
        assert not left, f"it left {left[0]} behind"
        return f"{status_of} {words} ({megabytes:.0f} MB)"


def tabs(hall):
    """Each file by the command and by the page; last, what was kept before is still there."""
    where = "/api/practice/tabs/trial-tab-1"

    def by_page(name, content):
        path = f"/api/practice/convert?name={quote(name)}&to=json"
        if len(content) > MOST_BYTES_OF_PAGE:
            # The server answers before everything is sent, and closes; so the answer is read from the bare connection.
            head = (f"POST {path} HTTP/1.1\r\nHost: hall\r\nX-Baton: 1\r\nCookie: {hall.cookie}\r\n"
                    f"Content-Length: {len(content)}\r\n\r\n")
            return hall.raw(head.encode() + content[:MOST_BYTES_OF_PAGE // 2], seconds=20).partition(" ")[2][:60]
        return sentence(hall.ask("POST", path, content, {"Content-Type": "application/octet-stream"}, timeout=120))

    yield Trial("tab: one that is kept", lambda: sentence(hall.ask(
        "PUT", where + "?title=Kept&base=0", json.dumps(TAB))), status(200))
    for what, name, content, may_be_read in files():
        yield Trial(f"tab by command: {what}", lambda name=name, content=content: by_command(name, content),
                    judged(may_be_read))
        yield Trial(f"tab by page: {what}", lambda name=name, content=content: by_page(name, content),
                    judged(may_be_read))
    yield Trial("tab: the one that was kept", lambda: " ".join(map(str, hall.ask(
        "GET", where))), lambda said: said.startswith("200") and '"fret": 3' in said)
