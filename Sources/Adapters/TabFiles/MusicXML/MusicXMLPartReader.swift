import Platform
import Tablature

/// Reads the measures of one part, one after the other.
struct MusicXMLPartReader {
    /// One beat with its place in the measure.
    struct PlacedBeat {
        var onset: Fraction
        var beat: TabBeat
    }

    var track = TabTrack()
    var remarks: RemarkCounter
    var events = 0
    /// The end of the music in the last measure, in quarters from its beginning; 0 if it has none.
    private(set) var measureLength = Fraction.zero
    /// The end of the last note or rest in the last measure; 0 if it has none.
    private(set) var measureEnd = Fraction.zero
    /// True for the part whose meters, repeats and tempi count for all.
    let isFirst: Bool

    var state = MusicXMLPartState()
    private var cursor = Fraction.zero
    /// The beats of the measure by staff and voice.
    private var voices: [(staff: Int, voice: String, beats: [PlacedBeat])] = []
    /// The directions that were read and belong to the next beat of their staff.
    private var waiting = MusicXMLWaitingDirections()
    private var lastNote: (voice: Int, beat: Int)?

    init(_ header: XMLNode?, isFirst: Bool, remarks: RemarkCounter) {
        self.isFirst = isFirst
        self.remarks = remarks
        track.name = String((header?.string("part-name") ?? "").prefix(TabLimits.textCharacters))
        track.shortName = String((header?.string("part-abbreviation") ?? "").prefix(200))
        state.readInstruments(of: header, into: &track)
    }

    mutating func read(_ measure: XMLNode, into bar: inout TabBar) {
        (cursor, voices, lastNote, measureLength, measureEnd) = (.zero, [], nil, .zero, .zero)
        var result = TabMeasure()
        for node in measure.children {
            switch node.name {
            case "attributes":
                state.readAttributes(node, at: cursor, isFirst, &bar, &result, &track, &remarks)
            case "note": readNote(node, &bar)
            case "backup": cursor = max(.zero, cursor - state.quarters(node))
            case "forward":
                cursor += state.quarters(node)
                measureLength = max(measureLength, cursor)
            case "direction", "sound":
                waiting.read(node, at: cursor, state, isFirst, &bar, &remarks)
            case "harmony": waiting.chord = MusicXMLWaitingDirections.chordName(node)
            case "barline": if isFirst { state.readBarline(node, &bar, &remarks) }
            case "print", "bookmark", "link", "grouping", "listening": remarks.leaveOut(node.name)
            default: result.kept.append(KeptItem(String(node.name.prefix(60)), node.summary))
            }
        }
        if isFirst { state.closeEnding(&bar) }
        result.voices = makeVoices()
        track.bars.append(result)
    }

    // MARK: Notes

    private mutating func readNote(_ node: XMLNode, _ bar: inout TabBar) {
        let isGrace = node.has("grace")
        let isChord = node.has("chord")
        let length = isGrace ? Fraction.zero : state.quarters(node)
        let staff = min(max(node.int("staff") ?? 1, 1), TabLimits.staves)
        let voice = node.string("voice") ?? "1"
        var note: TabNote?
        if !node.has("rest"), !node.has("cue") { note = state.readPitch(node, staff, &track) }
        events += 1
        if isChord, let (v, b) = lastNote {
            if let note, !isGrace, length != voices[v].beats[b].beat.quarters {
                addOwnLength(node, note, length, besides: (v, b))
            } else if var note {
                MusicXMLNotations.read(node, into: &note, &voices[v].beats[b].beat, &remarks)
                voices[v].beats[b].beat.notes.append(note)
            }
            return
        }
        var beat = TabBeat()
        MusicXMLRhythm.read(node, length: length, isGrace: isGrace, into: &beat)
        if node.has("cue") { beat.kept.append(KeptItem("cue note", node["pitch"]?.summary ?? "")) }
        if node.attributes["print-object"] == "no", note == nil { beat.invisible = true }
        if var each = note {
            MusicXMLNotations.read(node, into: &each, &beat, &remarks)
            beat.notes = [each]
        } else {
            var ignored = TabNote()
            MusicXMLNotations.read(node, into: &ignored, &beat, &remarks)
        }
        waiting.give(to: &beat)
        let index: Int
        if let known = voices.firstIndex(where: { $0.staff == staff && $0.voice == voice }) {
            index = known
        } else if voices.count < TabLimits.voices {
            voices.append((staff, voice, []))
            index = voices.count - 1
        } else {
            remarks.leaveOut("note of a further voice")
            cursor += length
            lastNote = nil
            return
        }
        voices[index].beats.append(PlacedBeat(onset: cursor, beat: beat))
        lastNote = (index, voices[index].beats.count - 1)
        cursor += length
        measureEnd = max(measureEnd, cursor)
        measureLength = max(measureLength, cursor)
    }

    /// A note of a chord that is longer or shorter than the first: a beat of its own, which becomes a voice.
    private mutating func addOwnLength(
        _ node: XMLNode, _ note: TabNote, _ length: Fraction, besides chord: (voice: Int, beat: Int)
    ) {
        let onset = voices[chord.voice].beats[chord.beat].onset
        var (beat, note) = (TabBeat(), note)
        MusicXMLRhythm.read(node, length: length, isGrace: false, into: &beat)
        MusicXMLNotations.read(node, into: &note, &beat, &remarks)
        beat.notes = [note]
        // After the chord, so that the chord keeps its voice.
        voices[chord.voice].beats.append(PlacedBeat(onset: onset, beat: beat))
        measureLength = max(measureLength, onset + length)
    }

    // MARK: Voices

    /// The measure's voices without gaps. A beat that begins before the one before it ends goes into a voice of its
    /// own.
    private mutating func makeVoices() -> [TabVoice] {
        var result: [TabVoice] = []
        for (staff, _, placed) in voices {
            var rest = placed
            while !rest.isEmpty, result.count < TabLimits.voices {
                var (voice, end, later): (TabVoice, Fraction, [PlacedBeat]) = (
                    TabVoice(staff: staff), .zero, []
                )
                for each in rest.enumerated().sorted(by: {
                    ($0.element.onset, $0.offset) < ($1.element.onset, $1.offset)
                }).map(\.element) {
                    guard each.onset >= end else {
                        later.append(each)
                        continue
                    }
                    if each.onset > end {
                        for written in WrittenLength.several(each.onset - end) {
                            var gap = TabBeat(written)
                            gap.invisible = true
                            voice.beats.append(gap)
                            events += 1
                        }
                    }
                    voice.beats.append(each.beat)
                    end = each.onset + each.beat.quarters
                }
                result.append(voice)
                rest = later
            }
            if !rest.isEmpty { remarks.leaveOut("note of a further voice") }
        }
        return result
    }

    /// The track with strings and frets for all notes that can have them.
    mutating func finish() -> TabTrack {
        state.finish(&track, &remarks)
        return track
    }
}
