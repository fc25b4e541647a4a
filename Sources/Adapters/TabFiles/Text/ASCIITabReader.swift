import Tablature

/// Reads ASCII tab: the form that ``ASCIITabWriter`` writes, exactly; and the forms that people write, as far as their
/// lines of strings can be found. Text without note values gets them from the places in the bar.
public enum ASCIITabReader {
    public static let mostBytes = 4_000_000
    static let mostLines = 200_000

    /// - Throws: ``TabFileError`` for text without a tab.
    public static func read(_ bytes: [UInt8], name: String) throws(TabFileError) -> TabReading {
        guard bytes.count <= mostBytes else {
            throw TabFileError(
                "\(name) has \(bytes.count / 1_000_000) MB; text of up to 4 MB is read. Split the piece.")
        }
        guard !bytes.contains(0) else {
            throw TabFileError("\(name) is no text; give it the ending of its format.")
        }
        // Old texts are in Latin letters of one byte.
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            Array(line.prefix(4_000)).map { $0 == "\t" ? " " : $0 }
        }
        guard lines.count <= mostLines else {
            throw TabFileError(
                "\(name) has \(lines.count) lines; at most \(mostLines) are read. Split the piece.")
        }
        let isOwn = lines.first(where: { !$0.isEmpty }).map { String($0).hasPrefix("Baton tab 1") } ?? false
        var reader = isOwn ? ASCIITabParser(own: lines) : ASCIITabParser(foreign: lines)
        try reader.parse(name)
        return TabReading(tab: reader.tab, remarks: reader.remarks.remarks(on: reader.tab))
    }
}

/// A tab that grows while its lines are read.
struct ASCIITabParser {
    let lines: [[Character]]
    let isOwn: Bool
    var tab = Tab()
    var remarks = RemarkCounter()
    private var barCount = 0
    private var track = -1
    private var staff = 1
    private var voice = 0
    private var nextBar = 0
    private var events = 0

    init(own lines: [[Character]]) { (self.lines, isOwn) = (lines, true) }
    init(foreign lines: [[Character]]) { (self.lines, isOwn) = (lines, false) }

    mutating func parse(_ name: String) throws(TabFileError) {
        var at = 0
        var staves = 0
        while at < lines.count {
            let end = ASCIIStaffBlock.end(of: lines, from: at, isOwn: isOwn)
            if end - at >= (isOwn ? 1 : 3) {
                let above = at > 0 ? lines[at - 1] : []
                try readStaff(Array(lines[at..<end]), rhythm: above, name)
                staves += 1
                at = end
                continue
            }
            if isOwn { readHead(String(lines[at])) } else { readForeignHead(String(lines[at]), staves) }
            at += 1
        }
        // Baton writes no lines for bars without notes.
        guard staves > 0 || isOwn else {
            throw TabFileError("\(name) holds no tab: no lines of strings such as “e|--0--3--|” were found.")
        }
        let most = tab.tracks.map(\.bars.count).max() ?? 0
        while tab.bars.count < most { tab.bars.append(TabBar()) }
        if !isOwn {
            remarks.say(
                "The file says no note values, or not for all notes: lengths follow the places in the bars.")
            if tab.tempo == nil { remarks.say("The file says no tempo: 120 is assumed.") }
        }
    }

    // MARK: Staves

    private mutating func readStaff(_ block: [[Character]], rhythm: [Character], _ name: String)
        throws(TabFileError)
    {
        let staffLines = ASCIIStaffBlock(block)
        if track < 0 {
            tab.tracks.append(TabTrack())
            track = 0
        }
        if !isOwn { setForeignStrings(staffLines) }
        let strings = tab.tracks[track].staff(staff)
        let bars = isOwn ? staffLines.ownBars(rhythm) : staffLines.foreignBars(rhythm, meter: currentMeter)
        for beats in bars {
            events += beats.reduce(beats.count) { $0 + $1.notes.count }
            guard events <= TabLimits.events, nextBar < TabLimits.bars else {
                throw TabFileError("\(name) has too many bars or notes; split the piece.")
            }
            while tab.tracks[track].bars.count <= nextBar { tab.tracks[track].bars.append(TabMeasure()) }
            var kept = beats
            for index in kept.indices {
                kept[index].notes.removeAll { note in
                    guard note.pitch == nil else { return false }
                    return strings.pitch(string: note.string ?? 0, fret: note.fret ?? 0).map { $0 > 127 }
                        ?? true
                }
                if tab.tracks[track].percussion {
                    for note in kept[index].notes.indices where kept[index].notes[note].pitch == nil {
                        kept[index].notes[note].pitch = kept[index].notes[note].fret
                    }
                }
            }
            put(kept)
            nextBar += 1
        }
    }

    private mutating func put(_ beats: [TabBeat]) {
        guard !beats.isEmpty || !isOwn else { return }
        let bar = nextBar
        while tab.tracks[track].bars[bar].voices.count <= voice {
            tab.tracks[track].bars[bar].voices.append(TabVoice())
        }
        tab.tracks[track].bars[bar].voices[voice] = TabVoice(beats, staff: staff)
    }

    private var currentMeter: Fraction {
        tab.bars.isEmpty ? Fraction(4) : tab.barLengths[min(nextBar, tab.bars.count - 1)]
    }

    private mutating func setForeignStrings(_ block: ASCIIStaffBlock) {
        if tab.tracks[track].strings.isEmpty {
            tab.tracks[track].strings = block.tuning
        } else if tab.tracks[track].strings.count != block.lines.count {
            // Another number of strings is another instrument.
            if let known = tab.tracks.firstIndex(where: { $0.strings.count == block.lines.count }) {
                track = known
            } else if tab.tracks.count < TabLimits.tracks {
                tab.tracks.append(TabTrack())
                track = tab.tracks.count - 1
                tab.tracks[track].strings = block.tuning
            }
            nextBar = tab.tracks[track].bars.count
        }
        if tab.tracks[track].strings.count == 4, tab.tracks[track].strings == Tuning.bass {
            tab.tracks[track].program = 33
        }
    }

    // MARK: Heads

    private mutating func readForeignHead(_ line: String, _ staves: Int) {
        let text = line.trimmed
        guard !text.isEmpty else { return }
        let (key, value) = Self.pair(text)
        switch key.lowercased() {
        case "title", "song": tab.title = String(value.prefix(200))
        case "artist", "band", "by": tab.artist = String(value.prefix(200))
        case "composer", "music": tab.composer = String(value.prefix(200))
        case "tempo", "bpm":
            if let tempo = Double(value.prefix { $0.isNumber || $0 == "." }), (1...1_000).contains(tempo) {
                tab.tempo = tempo
            }
        case "capo":
            if let capo = Int(value.drop { !$0.isNumber }.prefix { $0.isNumber }), (1...24).contains(capo) {
                if track < 0 { (track, tab.tracks) = (0, [TabTrack()]) }
                tab.tracks[track].capo = capo
            }
        default:
            if staves == 0, tab.title.isEmpty, value.isEmpty {
                tab.title = String(text.prefix(200))
            } else {
                tab.kept.append(KeptItem("line of text", String(text.prefix(400))))
            }
        }
        if tab.kept.count > 2_000 { tab.kept.removeLast() }
    }

    private static func pair(_ line: String) -> (key: String, value: String) {
        guard let colon = line.firstIndex(of: ":") else { return (line, "") }
        return (line[..<colon].trimmed, line[line.index(after: colon)...].trimmed)
    }

    private mutating func readHead(_ line: String) {
        let (key, value) = Self.pair(line)
        let words = key.split(separator: " ")
        switch words.first ?? "" {
        case "Title": tab.title = value
        case "Subtitle": tab.subtitle = value
        case "Artist": tab.artist = value
        case "Composer": tab.composer = value
        case "Lyricist": tab.lyricist = value
        case "Copyright": tab.copyright = value
        case "Tempo": tab.tempo = Double(value).flatMap { (1...1_000).contains($0) ? $0 : nil }
        case "Bars":
            let count = min(max(Int(value) ?? 0, 0), TabLimits.bars)
            tab.bars = Array(repeating: TabBar(), count: count)
        case "Bar" where words.count == 2:
            if let number = Int(words[1]), number >= 1, number <= tab.bars.count {
                for item in value.split(separator: ";") { tab.bars[number - 1].read(item.trimmed) }
            }
        case "Track" where words.count == 2 && tab.tracks.count < TabLimits.tracks:
            var new = TabTrack()
            new.name = value
            tab.tracks.append(new)
            (track, staff, voice, nextBar) = (tab.tracks.count - 1, 0, 0, 0)
        case "Sound" where track >= 0:
            let number = value.split(separator: " ").dropFirst().first.flatMap {
                wholeNumber($0.filter(\.isNumber))
            }
            tab.tracks[track].program = min(max(number ?? 25, 0), 127)
            tab.tracks[track].percussion = value.hasSuffix("percussion")
        case "Strings" where track >= 0: readStrings(value)
        case "Staff" where words.count == 4:
            if let voice = Int(words[3]), (1...TabLimits.voices).contains(voice) {
                (self.voice, nextBar) = (voice - 1, 0)
            }
        case "From" where words.count == 3:
            if let bar = Int(words[2]), (1...TabLimits.bars).contains(bar) { nextBar = bar - 1 }
        default: break
        }
    }

    private mutating func readStrings(_ value: String) {
        var staff = TabStaff()
        for (index, part) in value.split(separator: ";").enumerated() {
            let words = part.split(separator: " ")
            if index == 0 {
                staff.strings = words.prefix(TabLimits.strings).compactMap {
                    ASCIIStaffBlock.pitch(named: $0)
                }
            } else if words.first == "capo", let capo = words.last.flatMap({ wholeNumber($0) }) {
                staff.capo = min(max(capo, 0), TabLimits.frets)
            } else if words.first == "frets", let frets = words.last.flatMap({ wholeNumber($0) }) {
                tab.tracks[track].frets = min(max(frets, 1), TabLimits.frets)
            }
        }
        self.staff += 1
        (voice, nextBar) = (0, 0)
        if self.staff == 1 {
            (tab.tracks[track].strings, tab.tracks[track].capo) = (staff.strings, staff.capo)
        } else if self.staff <= TabLimits.staves {
            tab.tracks[track].moreStaves.append(staff)
        } else {
            self.staff = TabLimits.staves
        }
    }
}

extension TabBar {
    /// Reads one item of a line such as `Bar 3: 3/4; begin repeat`.
    fileprivate mutating func read(_ item: String) {
        let words = item.split(separator: " ")
        func number(_ index: Int) -> Int? {
            index < words.count ? wholeNumber(words[index].filter { $0.isNumber || $0 == "-" }) : nil
        }
        switch words.first ?? "" {
        case "length":
            length = words.last.flatMap { Fraction($0) }.flatMap {
                $0 > .zero && $0 <= Fraction(512) ? $0 : nil
            }
        case "free": freeTime = true
        case "key": key = number(1).map { min(max($0, -7), 7) }
        case "begin": repeatStart = true
        case "end": repeats = number(2).map { min(max($0, 0), TabLimits.repeats) }
        case "ending":
            endings = words.dropFirst().prefix(99).compactMap { wholeNumber($0) }.filter {
                (1...100).contains($0)
            }
        case "tempo":
            if words.count == 4, let tempo = Double(words[1]), let at = Fraction(words[3]),
                (1...1_000).contains(tempo),
                at >= .zero, at <= Fraction(512), tempos.count < 64
            {
                tempos.append(TempoChange(at: at, tempo: tempo))
            }
        case "double": double = true
        case "direction":
            if directions.count < 32 { directions.append(words.dropFirst().joined(separator: " ")) }
        case "section": section = words.dropFirst().joined(separator: " ")
        case let first:
            let parts = first.split(separator: "/").compactMap { wholeNumber($0) }
            if words.count == 1, parts.count == 2, parts.allSatisfy({ (1...128).contains($0) }) {
                time = parts
            }
        }
    }
}

extension StringProtocol {
    /// The text without blanks at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
