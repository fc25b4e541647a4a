import Tablature

/// Writes the measures of one track.
struct MusicXMLPartWriter {
    let tab: Tab
    let index: Int
    var losses: Set<String> = []
    private let track: TabTrack
    private let divisions: Int
    private let lengths: [Fraction]
    private var text = ""
    /// Notes that a later note continues.
    private var tieStarts: Set<[Int]> = []
    /// Notes after which the next one on the string is lower: what leads there is a pull-off.
    private var falls: Set<[Int]> = []

    init(tab: Tab, index: Int) {
        (self.tab, self.index) = (tab, index)
        track = tab.tracks[index]
        lengths = tab.barLengths
        var common = 1
        func include(_ fraction: Fraction) {
            let next = common / Self.commonDivisor(common, fraction.denominator)
            let (product, overflow) = next.multipliedReportingOverflow(by: fraction.denominator)
            if !overflow, product <= 1_000_000 { common = product }
        }
        for beat in track.bars.lazy.flatMap(\.voices).flatMap(\.beats) { include(beat.quarters) }
        lengths.forEach(include)
        tab.bars.lazy.flatMap(\.tempos).forEach { include($0.at) }
        divisions = common
        findTies()
    }

    /// The greatest common divisor of two positive numbers.
    private static func commonDivisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return max(a, 1)
    }

    private mutating func findTies() {
        var last: [[Int]: [Int]] = [:]
        var lastFret: [[Int]: Int] = [:]
        for (bar, measure) in track.bars.enumerated() {
            for (voice, content) in measure.voices.enumerated() {
                for (beat, each) in content.beats.enumerated() where each.grace == nil {
                    for (number, note) in each.notes.enumerated() {
                        let key = [content.staff, voice, note.string ?? 1_000 + (note.pitch ?? 0)]
                        if note.tie, let before = last[key] { tieStarts.insert(before) }
                        if let fret = note.fret, let before = lastFret[key], fret < before,
                            let place = last[key]
                        {
                            falls.insert(place)
                        }
                        last[key] = [bar, voice, beat, number]
                        lastFret[key] = note.fret
                    }
                }
            }
        }
    }

    mutating func write() -> String {
        for bar in tab.bars.indices {
            let isPickup = bar == 0 && tab.bars[0].length != nil
            text += "<measure number=\"\(bar + 1)\"\(isPickup ? " implicit=\"yes\"" : "")>\n"
            writeLeftBarline(bar)
            writeAttributes(bar)
            writeDirections(bar)
            writeVoices(bar)
            writeRightBarline(bar)
            text += "</measure>\n"
        }
        return text
    }

    private func duration(_ quarters: Fraction) -> Int {
        max(0, Int((quarters * Fraction(divisions)).value.rounded()))
    }

    // MARK: Bars

    private mutating func writeAttributes(_ bar: Int) {
        let shared = tab.bars[bar]
        guard bar == 0 || shared.key != nil || shared.time != nil || shared.freeTime else { return }
        text += "<attributes>"
        if bar == 0 { text += "<divisions>\(divisions)</divisions>" }
        if let key = shared.key ?? (bar == 0 ? 0 : nil) { text += "<key><fifths>\(key)</fifths></key>" }
        if shared.freeTime {
            text += "<time><senza-misura/></time>"
        } else if let time = shared.time ?? (bar == 0 ? [4, 4] : nil), time.count == 2 {
            text += "<time><beats>\(time[0])</beats><beat-type>\(time[1])</beat-type></time>"
        }
        if bar == 0 { writeStaves() }
        text += "</attributes>\n"
    }

    private mutating func writeStaves() {
        let staves = 1 + track.moreStaves.count
        if staves > 1 { text += "<staves>\(staves)</staves>" }
        for staff in 1...staves {
            let number = staves > 1 ? " number=\"\(staff)\"" : ""
            let strings = track.staff(staff).strings
            let sign = track.percussion ? "percussion" : strings.isEmpty ? "G" : "TAB"
            text += "<clef\(number)><sign>\(sign)</sign>"
            text +=
                sign == "G" ? "<line>2</line></clef>" : sign == "TAB" ? "<line>5</line></clef>" : "</clef>"
        }
        for staff in 1...staves where !track.percussion {
            let own = track.staff(staff)
            guard !own.strings.isEmpty else { continue }
            text += "<staff-details\(staves > 1 ? " number=\"\(staff)\"" : "")>"
            text += "<staff-lines>\(own.strings.count)</staff-lines>"
            for (line, pitch) in own.strings.reversed().enumerated() {
                let (step, alter, octave) = Self.spell(pitch)
                text += "<staff-tuning line=\"\(line + 1)\"><tuning-step>\(step)</tuning-step>"
                if alter != 0 { text += "<tuning-alter>\(alter)</tuning-alter>" }
                text += "<tuning-octave>\(octave)</tuning-octave></staff-tuning>"
            }
            if own.capo > 0 { text += "<capo>\(own.capo)</capo>" }
            text += "</staff-details>"
        }
    }

    private mutating func writeDirections(_ bar: Int) {
        guard index == 0 else { return }
        let shared = tab.bars[bar]
        if let section = shared.section {
            text +=
                "<direction><direction-type><rehearsal>\(XMLText.escaped(section))</rehearsal></direction-type></direction>\n"
        }
        let jumps = [
            "daCapo": "dacapo=\"yes\"", "dalSegno": "dalsegno=\"1\"", "toCoda": "tocoda=\"1\"",
            "segno": "segno=\"1\"", "coda": "coda=\"1\"", "fine": "fine=\"yes\"",
        ]
        for direction in shared.directions {
            let mark =
                ["segno", "coda"].contains(direction)
                ? "<\(direction)/>" : "<words>\(XMLText.escaped(direction))</words>"
            text += "<direction><direction-type>\(mark)</direction-type>"
            if let jump = jumps[direction] {
                text += "<sound \(jump)/>"
            } else {
                losses.insert("direction \(direction)")
            }
            text += "</direction>\n"
        }
        var tempos = shared.tempos
        if bar == 0, !tempos.contains(where: { $0.at == .zero }) {
            tempos.insert(TempoChange(at: .zero, tempo: tab.tempo ?? 120), at: 0)
        }
        for change in tempos {
            let at = duration(change.at)
            if at > 0 { text += "<forward><duration>\(at)</duration></forward>" }
            let minute = change.tempo == change.tempo.rounded() ? "\(Int(change.tempo))" : "\(change.tempo)"
            text +=
                "<direction><direction-type><metronome><beat-unit>quarter</beat-unit><per-minute>\(minute)"
            text += "</per-minute></metronome></direction-type><sound tempo=\"\(minute)\"/></direction>"
            if at > 0 { text += "<backup><duration>\(at)</duration></backup>" }
            text += "\n"
        }
    }

    private mutating func writeLeftBarline(_ bar: Int) {
        let shared = tab.bars[bar]
        let begins = !shared.endings.isEmpty && (bar == 0 || tab.bars[bar - 1].endings != shared.endings)
        guard shared.repeatStart || begins else { return }
        text += "<barline location=\"left\">"
        if begins {
            text +=
                "<ending number=\"\(shared.endings.map(String.init).joined(separator: ", "))\" type=\"start\"/>"
        }
        if shared.repeatStart { text += "<repeat direction=\"forward\"/>" }
        text += "</barline>\n"
    }

    private mutating func writeRightBarline(_ bar: Int) {
        let shared = tab.bars[bar]
        let isLast = bar + 1 == tab.bars.count
        let ends = !shared.endings.isEmpty && (isLast || tab.bars[bar + 1].endings != shared.endings)
        guard shared.repeats != nil || ends || shared.double else { return }
        text += "<barline location=\"right\">"
        if shared.double, shared.repeats == nil { text += "<bar-style>light-light</bar-style>" }
        if ends {
            text +=
                "<ending number=\"\(shared.endings.map(String.init).joined(separator: ", "))\" type=\"stop\"/>"
        }
        if let repeats = shared.repeats {
            text += "<repeat direction=\"backward\" times=\"\(repeats + 1)\"/>"
        }
        text += "</barline>\n"
    }

    // MARK: Voices

    private mutating func writeVoices(_ bar: Int) {
        var position = 0
        let end = duration(lengths[bar])
        let voices = bar < track.bars.count ? track.bars[bar].voices : []
        for (number, voice) in voices.enumerated() where !voice.beats.isEmpty {
            if position > 0 { text += "<backup><duration>\(position)</duration></backup>\n" }
            position = 0
            for (beat, each) in voice.beats.enumerated() {
                write(each, place: [bar, number, beat], staff: voice.staff)
                position += duration(each.quarters)
            }
        }
        if position < end { text += "<forward><duration>\(end - position)</duration></forward>\n" }
    }

    private mutating func write(_ beat: TabBeat, place: [Int], staff: Int) {
        if let words = beat.text, !words.isEmpty {
            text +=
                "<direction><direction-type><words>\(XMLText.escaped(words))</words></direction-type></direction>\n"
        }
        if let chord = beat.chord { writeChord(chord) }
        if beat.notes.isEmpty {
            let hidden = beat.invisible ? " print-object=\"no\"" : ""
            guard beat.grace == nil else { return }
            text += "<note\(hidden)><rest/><duration>\(duration(beat.quarters))</duration>"
            writeTiming(beat, place[1], staff)
            if beat.play.fermata { text += "<notations><fermata/></notations>" }
            text += "</note>\n"
            return
        }
        for (number, note) in beat.notes.enumerated() {
            text += "<note>"
            if let grace = beat.grace {
                text += grace == .on ? "<grace steal-time-following=\"20\"/>" : "<grace/>"
            }
            if number > 0 { text += "<chord/>" }
            writePitch(note, staff)
            if beat.grace == nil { text += "<duration>\(duration(beat.quarters))</duration>" }
            if note.tie { text += "<tie type=\"stop\"/>" }
            let starts = tieStarts.contains(place + [number])
            if starts { text += "<tie type=\"start\"/>" }
            if track.percussion, let key = note.pitch ?? note.fret {
                text += "<instrument id=\"\(MusicXMLWriter.instrument(index + 1, key))\"/>"
            }
            writeTiming(beat, place[1], staff, note)
            text += MusicXMLNotationWriter.notations(
                note, beat, isFirst: number == 0, startsTie: starts, falls: falls.contains(place + [number]),
                &losses)
            if number == 0 {
                for (line, syllable) in beat.lyrics.enumerated() where !syllable.isEmpty {
                    text += "<lyric number=\"\(line + 1)\"><text>\(XMLText.escaped(syllable))</text></lyric>"
                }
            }
            text += "</note>\n"
        }
    }

    private mutating func writeChord(_ chord: String) {
        guard let step = chord.first, ("A"..."G").contains(step) else {
            losses.insert("chord name")
            return
        }
        var rest = chord.dropFirst()
        let alter = rest.first == "#" ? 1 : rest.first == "b" ? -1 : 0
        if alter != 0 { rest = rest.dropFirst() }
        text += "<harmony><root><root-step>\(step)</root-step>"
        if alter != 0 { text += "<root-alter>\(alter)</root-alter>" }
        text += "</root><kind text=\"\(XMLText.escaped(String(rest)))\">other</kind></harmony>\n"
    }

    private mutating func writePitch(_ note: TabNote, _ staff: Int) {
        if track.percussion {
            text += "<unpitched><display-step>C</display-step><display-octave>5</display-octave></unpitched>"
            return
        }
        let own = track.staff(staff)
        let fretted = note.string.flatMap { string in
            note.fret.flatMap { own.pitch(string: string, fret: $0) }
        }
        let (step, alter, octave) = Self.spell(fretted ?? note.pitch ?? 60)
        text += "<pitch><step>\(step)</step>"
        if alter != 0 { text += "<alter>\(alter)</alter>" }
        text += "<octave>\(octave)</octave></pitch>"
    }

    static func spell(_ pitch: Int) -> (step: String, alter: Int, octave: Int) {
        let names = ["C", "C", "D", "D", "E", "F", "F", "G", "G", "A", "A", "B"]
        let alters = [0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0]
        let tone = ((pitch % 12) + 12) % 12
        return (names[tone], alters[tone], (pitch - tone) / 12 - 1)
    }

    private mutating func writeTiming(_ beat: TabBeat, _ voice: Int, _ staff: Int, _ note: TabNote? = nil) {
        text += "<voice>\(voice + 1)</voice>"
        let value = beat.value ?? Fraction(1, 4)
        if let type = MusicXMLRhythm.types.first(where: { $0.value == value }) {
            text += "<type>\(type.name)</type>"
            text += String(repeating: "<dot/>", count: max(0, beat.dots))
            if let tuplet = beat.tuplet, tuplet.count == 2 {
                text += "<time-modification><actual-notes>\(tuplet[0])</actual-notes>"
                text += "<normal-notes>\(tuplet[1])</normal-notes></time-modification>"
            }
        }
        if let play = note?.techniques, play.dead || play.ghost {
            text +=
                "<notehead\(play.ghost ? " parentheses=\"yes\"" : "")>\(play.dead ? "x" : "normal")</notehead>"
        }
        if !track.moreStaves.isEmpty { text += "<staff>\(staff)</staff>" }
    }
}
