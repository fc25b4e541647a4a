#!/usr/bin/env python3
"""Reads a Guitar Pro file of the versions 3 to 5 with PyGuitarPro and prints it as tab JSON (docs/tab-json.md).

    guitarpro_tab.py FILE

Exit status: 0 done, 1 the file cannot be used (one sentence on standard error), 3 PyGuitarPro is missing.
"""

import contextlib
import json
import re
import sys

MAXIMUM_BYTES = 16_000_000
DYNAMICS = ["ppp", "pp", "p", "mp", "mf", "f", "ff", "fff"]
SLIDES = {"intoFromAbove": "inFromAbove", "intoFromBelow": "inFromBelow", "shiftSlideTo": "shift",
          "legatoSlideTo": "legato", "outDownwards": "outDown", "outUpwards": "outUp"}
HARMONICS = {1: "natural", 2: "artificial", 3: "tap", 4: "pinch", 5: "semi"}
FINGERS = {0: "T", 1: "1", 2: "2", 3: "3", 4: "4"}
PLUCKING = {0: "p", 1: "i", 2: "m", 3: "a", 4: "c"}
OTTAVA = {1: 1, 2: 2, 3: -1, 4: -2}
MOST_TRACKS, MOST_BARS = 64, 9_999


def text(value):
    """At most 2,000 characters without control characters."""
    return "".join(c for c in str(value or "") if c >= " " or c == "\n")[:2_000]


def fraction(top, bottom):
    return f"{top}/{bottom}"


def duration(beat, length):
    """Writes the note value of a PyGuitarPro duration into a beat."""
    if length.value != 4:
        beat["value"] = fraction(1, length.value)
    if length.isDotted:
        beat["dots"] = 1
    if (length.tuplet.enters, length.tuplet.times) != (1, 1):
        beat["tuplet"] = [length.tuplet.enters, length.tuplet.times]


def points(bend):
    """Points of a bend or of the tremolo arm: positions of twelve, values in quarter tones."""
    return [{"at": fraction(point.position, 12), "semitones": fraction(point.value, 2)} for point in bend.points]


def direction(name):
    """The name of a jump or its target as tab JSON has it: “Da Segno al Coda” is dalSegnoAlCoda."""
    words = [word[:1].upper() + word[1:] for word in re.findall(r"\w+", str(name))]
    joined = "".join(words).replace("DaSegno", "DalSegno")
    joined = re.sub(r"^Da(Double)?Coda$", r"To\1Coda", joined)
    return joined[:1].lower() + joined[1:]


def dynamic(velocity):
    return DYNAMICS[min(max((velocity - 15) // 16, 0), 7)]


def harmonic(note, strings):
    effect = note.effect.harmonic
    result = {"kind": HARMONICS.get(effect.type, "natural")}
    if effect.type == 3 and getattr(effect, "fret", None) is not None:
        result["fret"] = str(max(effect.fret - note.value, 0))
    elif effect.type == 2 and getattr(effect, "pitch", None) is not None:
        octave = getattr(effect, "octave", None)
        octave = getattr(octave, "value", octave) or 0
        steps = (effect.pitch.value - (strings.get(note.string, 0) + note.value)) % 12 + 12 * max(octave, 1)
        result["fret"] = {12: "12", 19: "7", 24: "5", 28: "4", 31: "16/5", 34: "27/10", 36: "12/5"}.get(steps, "12")
    elif effect.type in (2, 4, 5):
        result["fret"] = "12"
    return result


def techniques(note, strings):
    """The techniques of a note, and values that are kept without being understood."""
    effect, play, kept = note.effect, {}, []
    if note.type.name == "dead":
        play["dead"] = True
    for here, there in (("ghost", "ghostNote"), ("hammer", "hammer"), ("letRing", "letRing"),
                        ("palmMute", "palmMute"), ("staccato", "staccato")):
        if getattr(effect, there):
            play[here] = True
    if effect.heavyAccentuatedNote:
        play["accent"] = "heavy"
    elif effect.accentuatedNote:
        play["accent"] = "accent"
    if effect.vibrato:
        play["vibrato"] = "slight"
    slides = [SLIDES[slide.name] for slide in effect.slides if slide.name in SLIDES]
    if slides:
        play["slides"] = slides[:8]
    if effect.bend and effect.bend.points:
        play["bend"] = points(effect.bend)[:60]
    if effect.harmonic:
        play["harmonic"] = harmonic(note, strings)
    if effect.trill:
        play["trill"] = {"fret": effect.trill.fret, "value": fraction(1, effect.trill.duration.value)}
    for finger, name, names in ((effect.leftHandFinger, "leftFinger", FINGERS),
                                (effect.rightHandFinger, "rightFinger", PLUCKING)):
        value = getattr(finger, "value", finger)
        if value in names:
            play[name] = names[value]
    if abs(note.durationPercent - 1) > 1e-6:
        kept.append({"name": "durationPercent", "value": f"{note.durationPercent:g}"})
    if note.swapAccidentals:
        kept.append({"name": "swapAccidentals", "value": "true"})
    return play, kept


def fretted(track, string, fret):
    """A note's string and fret; on percussion tracks the fret is the key of the drum map."""
    fret = min(max(fret, 0), 127 if track.isPercussionTrack else 36)
    result = {"string": min(max(string, 1), max(len(track.strings), 1)), "fret": fret}
    if track.isPercussionTrack:
        result["pitch"] = fret
    return result


def grace_beats(beat, track):
    """The grace notes before a beat: one beat of them, or none."""
    notes, first = [], None
    for note in beat.notes:
        grace = note.effect.grace
        if not grace:
            continue
        first = first or grace
        new, play = fretted(track, note.string, grace.fret), {}
        if grace.isDead:
            play["dead"] = True
        if grace.transition.name == "hammer":
            play["hammer"] = True
        elif grace.transition.name == "slide":
            play["slides"] = ["shift"]
        elif grace.transition.name == "bend":
            new["kept"] = [{"name": "grace transition", "value": "bend"}]
        if play:
            new["techniques"] = play
        notes.append(new)
    if not notes:
        return []
    value = first.duration if first.duration in (1, 2, 4, 8, 16, 32, 64, 128) else 32
    return [{"value": fraction(1, value), "grace": "on" if first.isOnBeat else "before", "notes": notes,
             "dynamic": dynamic(first.velocity)}]


def beat_techniques(effect, beat):
    play = {}
    if effect.stroke.direction.name in ("up", "down"):
        play["stroke"] = effect.stroke.direction.name
    if effect.pickStroke.name in ("up", "down"):
        play["pick"] = effect.pickStroke.name
    if effect.slapEffect.name != "none":
        play[{"tapping": "tap", "slapping": "slap", "popping": "pop"}[effect.slapEffect.name]] = True
    if effect.hasRasgueado:
        play["rasgueado"] = True
    if effect.fadeIn:
        play["fade"] = "in"
    if effect.vibrato:
        play["vibrato"] = "slight"
    if effect.tremoloBar and effect.tremoloBar.points:
        play["whammy"] = points(effect.tremoloBar)[:60]
    picking = next((note.effect.tremoloPicking for note in beat.notes if note.effect.tremoloPicking), None)
    if picking:
        play["tremoloPicking"] = fraction(1, picking.duration.value)
    if beat.octave.value in OTTAVA:
        play["ottava"] = OTTAVA[beat.octave.value]
    return play


def mix_items(change):
    """Changes of sound and volume inside a bar: kept as text."""
    items = []
    for name in ("instrument", "volume", "balance", "chorus", "reverb", "phaser", "tremolo"):
        item = getattr(change, name, None)
        if item is not None:
            items.append({"name": f"mix {name}", "value": str(getattr(item, "value", item))})
    wah = getattr(change, "wah", None)
    if wah is not None and getattr(wah, "value", -1) >= 0:
        items.append({"name": "mix wah", "value": str(wah.value)})
    return items


def read_beat(beat, track, strings, tempos):
    """One beat with the grace notes before it, as tab JSON; its tempo change goes into `tempos`."""
    new = {}
    duration(new, beat.duration)
    notes, kept = [], []
    for note in beat.notes:
        if note.type.name == "rest":
            continue
        each = fretted(track, note.string, note.value)
        if note.type.name == "tie":
            each["tie"] = True
        play, more = techniques(note, strings)
        if play:
            each["techniques"] = play
        if more:
            each["kept"] = more
        notes.append(each)
    if notes:
        new["notes"] = notes
        new["dynamic"] = dynamic(beat.notes[0].velocity)
    if beat.text:
        new["text"] = text(beat.text)
    effect = beat.effect
    if effect.chord and effect.chord.name:
        new["chord"] = text(effect.chord.name)
        if effect.chord.strings:
            kept.append({"name": "chord diagram", "value": f"first fret {effect.chord.firstFret}, frets "
                         + " ".join(map(str, effect.chord.strings))})
    change = effect.mixTableChange
    if change:
        if change.tempo is not None:
            item = {"tempo": min(max(change.tempo.value, 1), 1000)}
            if change.tempoName:
                item["text"] = text(change.tempoName)
            tempos.append(item)
        kept += mix_items(change)
    play = beat_techniques(effect, beat)
    if play:
        new["techniques"] = play
    if kept:
        new["kept"] = kept
    return grace_beats(beat, track) + [new]


def read_measure(measure, track, strings, tempos):
    """The music of a track in a bar; tempo changes go into `tempos` as (text of quarters, item)."""
    from fractions import Fraction
    voices = []
    for voice in measure.voices:
        beats, onset = [], Fraction(0)
        for beat in voice.beats:
            changes = []
            new = read_beat(beat, track, strings, changes)
            for change in changes:
                tempos[onset] = change | {"at": str(onset)}
            if beat.status.name == "empty":
                continue
            beats += new
            length = Fraction(4, beat.duration.value) * (Fraction(3, 2) if beat.duration.isDotted else 1)
            onset += length * beat.duration.tuplet.times / beat.duration.tuplet.enters
        voices.append({"beats": beats})
    while voices and not voices[-1]["beats"]:
        voices.pop()
    return {"voices": voices}


def read_bar(header, before):
    """The properties that all tracks share in a bar; meter and key only if they change."""
    bar = {}
    time = [header.timeSignature.numerator, header.timeSignature.denominator.value]
    if time != before.get("time", [4, 4]):
        bar["time"] = before["time"] = time
    key = header.keySignature.value[0]
    if key != before.get("key", 0):
        bar["key"] = before["key"] = key
    if header.isRepeatOpen:
        bar["repeatStart"] = True
    if header.repeatClose >= 0:
        bar["repeats"] = min(header.repeatClose, 99)
    if header.repeatAlternative:
        bar["endings"] = [number + 1 for number in range(8) if header.repeatAlternative >> number & 1]
    if header.hasDoubleBar:
        bar["double"] = True
    if header.marker:
        bar["section"] = text(header.marker.title)
    directions = [direction(sign.name) for sign in (header.direction, header.fromDirection) if sign]
    if directions:
        bar["directions"] = directions
    if header.tripletFeel.name != "none":
        bar["kept"] = [{"name": "triplet feel", "value": header.tripletFeel.name}]
    return bar


def read_song(song):
    tab = {"format": "baton-tab", "version": 1, "tempo": min(max(song.tempo, 1), 1000)}
    for here, there in (("title", "title"), ("subtitle", "subtitle"), ("artist", "artist"), ("album", "album"),
                        ("composer", "music"), ("lyricist", "words"), ("copyright", "copyright")):
        if getattr(song, there):
            tab[here] = text(getattr(song, there))
    remarks = [text(line) for line in [song.instructions, *song.notice] if line]
    if remarks:
        tab["notes"] = "\n".join(remarks)[:10_000]
    kept = [{"name": "transcriber", "value": text(song.tab)}] if song.tab else []
    kept += [{"name": f"lyrics of track {song.lyrics.trackChoice}, from bar {line.startingMeasure}",
              "value": text(line.lyrics)} for line in song.lyrics.lines if line.lyrics]
    if kept:
        tab["kept"] = kept
    before = {}
    tab["bars"] = [read_bar(header, before) for header in song.measureHeaders[:MOST_BARS]]
    changes = [{} for _ in tab["bars"]]
    tab["tracks"] = [read_track(track, changes) for track in song.tracks[:MOST_TRACKS]]
    for bar, tempos in zip(tab["bars"], changes, strict=True):
        if tempos:
            bar["tempos"] = [tempos[onset] for onset in sorted(tempos)]
    return tab


def read_track(track, changes):
    strings = {string.number: string.value for string in track.strings}
    new = {"name": text(track.name), "program": min(max(track.channel.instrument, 0), 127),
           "strings": [min(max(string.value, 0), 127) for string in sorted(track.strings, key=lambda s: s.number)]}
    if track.offset:
        new["capo"] = min(max(track.offset, 0), 36)
    if track.fretCount != 24:
        new["frets"] = min(max(track.fretCount, 1), 36)
    if track.isPercussionTrack:
        new["percussion"] = True
    if 0 <= track.channel.channel <= 15:
        new["channel"] = track.channel.channel
    new["bars"] = [read_measure(measure, track, strings, tempos)
                   for measure, tempos in zip(track.measures, changes, strict=False)]
    return new


def damage(error):
    """A sentence about an unreadable file, from words such as “reading track 2, measure 24, got error: unpack requires
    …”."""
    words = " ".join(str(error).split())[:200]
    place = re.match(r"reading (.+?), got \S", words)
    return f"it cannot be read from {place[1].replace('measure', 'bar')} on" if place else words


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 1
    try:
        import guitarpro
    except ImportError:
        print("PyGuitarPro is missing", file=sys.stderr)
        return 3
    try:
        with open(sys.argv[1], "rb") as file:
            if len(file.read(MAXIMUM_BYTES + 1)) > MAXIMUM_BYTES:
                raise guitarpro.GPException(f"it has more than {MAXIMUM_BYTES // 1_000_000} MB")
        # PyGuitarPro prints warnings; standard output is for the result alone.
        with contextlib.redirect_stdout(sys.stderr):
            song = guitarpro.parse(sys.argv[1])
            tab = read_song(song)
    # PyGuitarPro meets damaged files with whatever error the damage causes.
    except Exception as error:  # noqa: BLE001
        known = isinstance(error, (guitarpro.GPException, OSError))
        print(damage(error) if known and str(error) else "it ends too early, or holds what cannot be", file=sys.stderr)
        return 1
    json.dump(tab, sys.stdout, ensure_ascii=True, separators=(",", ":"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
