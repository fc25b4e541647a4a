import Platform
import Tablature

/// The attributes of a part that stay in force from measure to measure: divisions, transposition, strings, endings.
struct MusicXMLPartState {
    private var divisions = Fraction(1)
    /// Semitones to add to written pitches, for all staves or for one.
    private var transposition: [Int: Int] = [:]
    private var unpitchedKeys: [String: Int] = [:]
    private var openEnding: [Int] = []
    private var endsAfterThisBar = false
    private var staffCount = 1
    /// The strings that the file gives, by staff.
    private var tunings: [Int: [Int: Int]] = [:]
    private var capos: [Int: Int] = [:]
    private var hasProgram = false
    private var didChangeTuning = false
    private(set) var isTablature: Set<Int> = []

    // MARK: The part's header

    mutating func readInstruments(of header: XMLNode?, into track: inout TabTrack) {
        track.program = 0
        for instrument in header?.children ?? [] where instrument.name == "midi-instrument" {
            if let program = instrument.int("midi-program"), (1...128).contains(program), !hasProgram {
                track.program = program - 1
                hasProgram = true
            }
            if let channel = instrument.int("midi-channel"), (1...16).contains(channel) {
                track.channel = track.channel ?? channel - 1
            }
            if let key = instrument.int("midi-unpitched"), (1...128).contains(key),
                let id = instrument.attributes["id"]
            {
                unpitchedKeys[id] = key - 1
            }
        }
    }

    // MARK: Time

    /// The duration of a note, backup or forward.
    func quarters(_ node: XMLNode) -> Fraction {
        guard let duration = node.string("duration").flatMap({ Fraction($0) }), duration > .zero else {
            return .zero
        }
        let quarters = duration / divisions
        return quarters <= Fraction(1_024) ? quarters : Fraction(1_024)
    }

    // MARK: Attributes

    mutating func readAttributes(
        _ node: XMLNode, at cursor: Fraction, _ isFirst: Bool, _ bar: inout TabBar,
        _ measure: inout TabMeasure,
        _ track: inout TabTrack, _ remarks: inout RemarkCounter
    ) {
        if let text = node.string("divisions"), let value = Fraction(text), value > .zero {
            divisions = value
        }
        for child in node.children {
            switch child.name {
            case "time":
                if isFirst, bar.time == nil { readTime(child, &bar) }
            case "key":
                if let fifths = child.int("fifths") {
                    if isFirst, bar.key == nil { bar.key = min(max(fifths, -7), 7) }
                } else {
                    measure.kept.append(KeptItem("key", child.summary))
                }
            case "staves": staffCount = min(max(wholeNumber(child.text) ?? 1, 1), TabLimits.staves)
            case "clef":
                let sign = child.string("sign") ?? ""
                let staff = child.intAttribute("number") ?? 1
                if sign == "TAB" { isTablature.insert(staff) }
                if sign == "percussion" { track.percussion = true }
                if staff == 1, measure.clef == nil {
                    let names = ["G": "treble", "F": "bass", "C": "alto", "TAB": "tab"]
                    measure.clef = names[sign] ?? String(sign.prefix(40))
                }
            case "transpose":
                let semitones =
                    min(max(child.int("chromatic") ?? 0, -60), 60) + 12
                    * min(max(child.int("octave-change") ?? 0, -5), 5)
                if let staff = child.intAttribute("number") {
                    transposition[staff] = semitones
                } else {
                    transposition = [0: semitones]
                }
            case "staff-details": readStaffDetails(child)
            case "measure-style": measure.kept.append(KeptItem("measure-style", child.summary))
            case "divisions", "footnote", "level": break
            default: remarks.leaveOut("attributes \(child.name)")
            }
        }
    }

    private func readTime(_ node: XMLNode, _ bar: inout TabBar) {
        if node.has("senza-misura") {
            bar.freeTime = true
            return
        }
        let beats = node.children.filter { $0.name == "beats" }
        let types = node.children.filter { $0.name == "beat-type" }
        var sum = Fraction.zero
        var finest = 1
        var count = 0
        for (beats, type) in zip(beats, types).prefix(16) {
            let type = wholeNumber(type.text) ?? 4
            guard (1...128).contains(type) else { continue }
            let group = beats.text.split(separator: "+").compactMap { Int($0.filter { $0 != " " }) }.reduce(0)
            {
                $0 + min(max($1, 0), 128)
            }
            sum += Fraction(group, type)
            finest = max(finest, type)
            count += 1
        }
        let numerator = sum * Fraction(finest)
        guard count > 0, numerator.denominator == 1, (1...128).contains(numerator.numerator) else { return }
        bar.time = [numerator.numerator, finest]
        if let symbol = node.attributes["symbol"], count > 1 || symbol != "normal" {
            bar.kept.append(KeptItem("time symbol", String(symbol.prefix(40))))
        }
    }

    private mutating func readStaffDetails(_ node: XMLNode) {
        let staff = node.intAttribute("number") ?? 1
        for tuning in node.children where tuning.name == "staff-tuning" {
            guard let line = tuning.intAttribute("line"),
                (1...TabLimits.strings).contains(line),
                let step = tuning.string("tuning-step"), let octave = tuning.int("tuning-octave"),
                let pitch = Self.pitch(step, tuning.double("tuning-alter") ?? 0, octave)
            else { continue }
            if let before = tunings[staff]?[line], before != pitch { didChangeTuning = true }
            tunings[staff, default: [:]][line] = pitch
        }
        if let capo = node.int("capo"), (0...TabLimits.frets).contains(capo) { capos[staff] = capo }
    }

    static func pitch(_ step: String, _ alter: Double, _ octave: Int) -> Int? {
        guard let tone = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11][step],
            (-2...12).contains(octave),
            abs(alter) < 12
        else { return nil }
        let pitch = (octave + 1) * 12 + tone + Int((alter + 0.5).rounded(.down))
        return (0...127).contains(pitch) ? pitch : nil
    }

    // MARK: Notes

    /// A note's sounding pitch, and its string and fret as the file gives them; checked in ``finish(_:_:)``.
    mutating func readPitch(_ node: XMLNode, _ staff: Int, _ track: inout TabTrack) -> TabNote? {
        var note = TabNote()
        staffCount = max(staffCount, staff)
        if let pitch = node["pitch"] {
            guard
                let written = Self.pitch(
                    pitch.string("step") ?? "", pitch.double("alter") ?? 0, pitch.int("octave") ?? 4)
            else { return nil }
            note.pitch = min(max(written + (transposition[staff] ?? transposition[0] ?? 0), 0), 127)
            let alter = pitch.double("alter") ?? 0
            if alter != alter.rounded() { note.kept.append(KeptItem("microtone", "\(alter)")) }
        } else if let unpitched = node["unpitched"] {
            track.percussion = true
            let key = node["instrument"]?.attributes["id"].flatMap { unpitchedKeys[$0] }
            note.pitch =
                key ?? Self.pitch(
                    unpitched.string("display-step") ?? "B", 0, unpitched.int("display-octave") ?? 4)
                ?? 38
        } else {
            note.pitch = nil
        }
        let technical = node.children.lazy.filter { $0.name == "notations" }.flatMap(\.children)
            .filter { $0.name == "technical" }
        for each in technical {
            if let string = each.int("string"), (1...TabLimits.strings).contains(string) {
                note.string = string
            }
            if let fret = each.int("fret"), (0...TabLimits.frets).contains(fret) { note.fret = fret }
        }
        if note.string == nil || note.fret == nil { (note.string, note.fret) = (nil, nil) }
        return note.pitch == nil && note.string == nil ? nil : note
    }

    // MARK: Barlines

    mutating func readBarline(_ node: XMLNode, _ bar: inout TabBar, _ remarks: inout RemarkCounter) {
        for child in node.children {
            switch child.name {
            case "repeat":
                if child.attributes["direction"] == "forward" {
                    bar.repeatStart = true
                } else {
                    let plays = child.intAttribute("times") ?? 2
                    bar.repeats = min(max(plays - 1, 0), TabLimits.repeats)
                }
            case "ending":
                let numbers = (child.attributes["number"] ?? "").split { $0 == "," || $0 == " " }
                    .compactMap { wholeNumber($0) }.filter { (1...100).contains($0) }
                if child.attributes["type"] == "start" {
                    openEnding = Array(numbers.prefix(99))
                    endsAfterThisBar = false
                } else {
                    if openEnding.isEmpty { openEnding = Array(numbers.prefix(99)) }
                    endsAfterThisBar = true
                }
            case "bar-style":
                if child.text == "light-light" || child.text == "light-heavy" {
                    bar.double = child.text == "light-light"
                } else if child.text != "regular" {
                    remarks.leaveOut("bar-style \(child.text.prefix(40))")
                }
            case "segno": bar.directions.append("segno")
            case "coda": bar.directions.append("coda")
            default: bar.kept.append(KeptItem("barline \(child.name.prefix(40))", child.summary))
            }
        }
    }

    mutating func closeEnding(_ bar: inout TabBar) {
        bar.endings = openEnding
        if endsAfterThisBar { (openEnding, endsAfterThisBar) = ([], false) }
    }

    // MARK: Strings

    /// Leaves out a staff of notes that a staff of tablature repeats, as notation programs write them below each other.
    private mutating func leaveOutLinkedStaves(_ track: inout TabTrack, _ remarks: inout RemarkCounter) {
        for tablature in isTablature.sorted(by: >) {
            let played = Self.onsets(of: tablature, in: track)
            guard
                let other = (1...staffCount).first(where: { staff in
                    guard !isTablature.contains(staff), !played.isEmpty else { return false }
                    let written = Self.onsets(of: staff, in: track)
                    return written.intersection(played).count * 20 >= written.union(played).count * 19
                })
            else { continue }
            func moved(_ staff: Int) -> Int { staff > other ? staff - 1 : staff }
            for bar in track.bars.indices {
                track.bars[bar].voices.removeAll { $0.staff == other }
                for voice in track.bars[bar].voices.indices {
                    track.bars[bar].voices[voice].staff = moved(track.bars[bar].voices[voice].staff)
                }
            }
            tunings[other] = nil
            capos[other] = nil
            tunings = Dictionary(uniqueKeysWithValues: tunings.map { (moved($0.key), $0.value) })
            capos = Dictionary(uniqueKeysWithValues: capos.map { (moved($0.key), $0.value) })
            isTablature = Set(isTablature.map(moved))
            staffCount -= 1
            remarks.say(
                "The tablature of “\(track.name)” repeats the notes of its other staff; they are read once.")
        }
    }

    private struct Onset: Hashable {
        var bar: Int
        var at: Fraction
        /// The pitch without its octave, which differs between staves of some programs.
        var tone: Int
    }

    private static func onsets(of staff: Int, in track: TabTrack) -> Set<Onset> {
        var found: Set<Onset> = []
        for (bar, measure) in track.bars.enumerated() {
            for voice in measure.voices where voice.staff == staff {
                var at = Fraction.zero
                for beat in voice.beats {
                    for note in beat.notes where !note.tie {
                        if let pitch = note.pitch { found.insert(Onset(bar: bar, at: at, tone: pitch % 12)) }
                    }
                    at += beat.quarters
                }
            }
        }
        return found
    }

    mutating func finish(_ track: inout TabTrack, _ remarks: inout RemarkCounter) {
        if didChangeTuning { remarks.say("“\(track.name)” changes its tuning; the last one is kept.") }
        leaveOutLinkedStaves(&track, &remarks)
        track.moreStaves = Array(repeating: TabStaff(), count: staffCount - 1)
        var strings = StringAssignment(track: track, hasProgram: hasProgram)
        for staff in 1...staffCount {
            let lines = tunings[staff] ?? [:]
            // Line 1 is the lowest.
            let given = lines.isEmpty ? nil : lines.keys.sorted(by: >).map { lines[$0]! }
            let complete = given.flatMap { lines.keys.max() == $0.count ? $0 : nil }
            strings.settle(staff: staff, given: complete, capo: capos[staff] ?? 0)
        }
        track = strings.track
        for remark in strings.remarks { remarks.say(remark) }
    }
}
