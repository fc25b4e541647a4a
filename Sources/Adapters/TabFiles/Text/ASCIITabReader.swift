import Basics
import Tablature

/// Reads ASCII tab: the form that ``ASCIITabWriter`` writes, exactly; and the forms that people write, as far as their
/// lines of strings can be found. Text without note values gets them from the places in the bar.
public enum ASCIITabReader {
    public static let mostBytes = 4_000_000
    static let mostLines = 200_000

    /// - Throws: ``ExplainedError`` for text without a tab.
    public static func read(_ bytes: [UInt8], name: String) throws(ExplainedError) -> TabReading {
        guard bytes.count <= mostBytes else {
            throw ExplainedError(
                "\(name) has \(bytes.count / 1_000_000) MB; text of up to 4 MB is read. Split the piece.")
        }
        guard let decoded = DecodedText(bytes), !decoded.text.utf8.contains(0) else {
            throw ExplainedError("\(name) is no text; give it the ending of its format.")
        }
        let lines = plainText(decoded.text).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        )
        .map { line in Array(line.prefix(4_000)).map { $0 == "\t" || $0 == "\u{A0}" ? " " : $0 } }
        guard lines.count <= mostLines else {
            throw ExplainedError(
                "\(name) has \(lines.count) lines; at most \(mostLines) are read. Split the piece.")
        }
        let isOwn = lines.first(where: { !$0.isEmpty }).map { String($0).hasPrefix("Baton tab 1") } ?? false
        var reader = isOwn ? ASCIITabParser(own: lines) : ASCIITabParser(foreign: lines)
        try reader.parse(name)
        if decoded.isGuess { reader.remarks.say("The text is not UTF-8; it was taken for Windows-1252.") }
        return TabReading(tab: reader.tab, remarks: reader.remarks.remarks(on: reader.tab))
    }
}

extension ASCIITabReader {
    /// The text without the tags of web pages, and with plain dashes and bar lines.
    private static func plainText(_ text: String) -> String {
        var text = text
        for tag in ["[tab]", "[/tab]", "[ch]", "[/ch]", "<pre>", "</pre>"] where text.contains(tag) {
            text = text.replacing(tag, with: "")
        }
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return String(
            text.map { character in
                switch character {
                case "‐", "‑", "‒", "–", "—", "―", "─", "━", "−": "-"
                case "│", "┃", "¦", "｜": "|"
                default: character
                }
            })
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
    /// The name of the instrument over the next staves; empty if there is none.
    private var instrument = ""
    /// The tracks of a tab as people write it, by instrument, place among the staves, and number of strings.
    private var foreignTracks: [String: Int] = [:]
    private var foreignCapo: Int?
    private var foreignTuning: ASCIITabTuning?
    /// The first bar of the staves that sound together, and their tracks.
    private var rowStart = 0
    private var rowTracks: Set<Int> = []
    /// The number of such rows with one track alone, up to the present one.
    private var rowsOfOneTrack = 0

    init(own lines: [[Character]]) { (self.lines, isOwn) = (lines, true) }
    init(foreign lines: [[Character]]) { (self.lines, isOwn) = (lines, false) }

    mutating func parse(_ name: String) throws(ExplainedError) {
        var at = 0
        var staves = 0
        while at < lines.count {
            let above = at > 0 ? lines[at - 1] : []
            if isOwn {
                let end = ASCIIStaffBlock.end(ofOwn: lines, from: at)
                if end > at {
                    try readStaff(ASCIIStaffBlock(own: Array(lines[at..<end])), rhythm: above, name)
                    staves += 1
                    at = end
                } else {
                    readHead(String(lines[at]))
                    at += 1
                }
                continue
            }
            let below = foreignLines(from: at)
            guard below.count >= 3, below.count(where: \.isSure) >= 2 else {
                readForeignHead(String(lines[at]), staves)
                at += 1
                continue
            }
            sayWords(of: below, from: at)
            for (number, staff) in ASCIIStaffBlock.staves(of: below).enumerated() {
                var block = ASCIIStaffBlock(staff)
                let missing = block.completeGuitar()
                if !missing.isEmpty {
                    let named = staff.map(\.label).joined(separator: " ")
                    remarks.say(
                        "Lines \(at + 1) to \(at + staff.count) have the strings \(named): taken for a guitar that does "
                            + "not play \(missing.joined(separator: " and ")).")
                }
                beginForeignStaff(block, number)
                try readStaff(block, rhythm: number == 0 ? above : [], name)
            }
            staves += 1
            at += below.count
        }
        // Baton writes no lines for bars without notes.
        guard staves > 0 || isOwn else {
            throw ExplainedError(
                "\(name) holds no tab: no lines of strings such as “e|--0--3--|” were found.")
        }
        let most = tab.tracks.map(\.bars.count).max() ?? 0
        while tab.bars.count < most { tab.bars.append(TabBar()) }
        if !isOwn {
            sayWhatWasRead()
            remarks.say(
                "The file says no note values, or not for all notes: lengths follow the places in the bars.")
            if tab.tempo == nil { remarks.say("The file says no tempo: 120 is assumed.") }
        }
    }

    // MARK: Staves

    /// The lines of strings that follow each other from here on.
    private func foreignLines(from start: Int) -> [ASCIITabLine] {
        var found: [ASCIITabLine] = []
        while start + found.count < lines.count, found.count < 64,
            let line = ASCIITabLine(lines[start + found.count])
        {
            found.append(line)
        }
        return found
    }

    private mutating func sayWords(of block: [ASCIITabLine], from start: Int) {
        for (index, line) in block.enumerated() {
            if !line.beside.isEmpty {
                tab.kept.append(KeptItem("text beside a line of strings", String(line.beside.prefix(400))))
            }
            if !line.words.isEmpty {
                let words = line.words.prefix(8).map { "“\($0.prefix(40))”" }.joined(separator: ", ")
                remarks.say(
                    "Line \(start + index + 1) has words between its frets, which are left out: \(words).")
            }
        }
    }

    private mutating func sayWhatWasRead() {
        for track in tab.tracks.reversed() {
            let names = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"]
            let strings = track.strings.reversed().map { names[$0 % 12] }.joined(separator: " ")
            let capo = track.capo > 0 ? ", capo \(track.capo)" : ""
            let notes = track.bars.lazy.flatMap(\.voices).flatMap(\.beats).reduce(0) {
                $0 + $1.notes.count(where: { !$0.tie })
            }
            let name = track.name.isEmpty ? "Read as" : "“\(track.name)” is read as"
            func counted(_ count: Int, _ word: String) -> String {
                "\(count) \(word)\(count == 1 ? "" : "s")"
            }
            remarks.sayFirst(
                "\(name) \(track.strings.count) strings (\(strings), the lowest first)\(capo), "
                    + "with \(counted(track.bars.count, "bar")) and \(counted(notes, "note")).")
        }
    }

    private mutating func readStaff(_ staffLines: ASCIIStaffBlock, rhythm: [Character], _ name: String)
        throws(ExplainedError)
    {
        if track < 0 {
            tab.tracks.append(TabTrack())
            track = 0
        }
        let strings = tab.tracks[track].staff(staff)
        let bars = isOwn ? staffLines.ownBars(rhythm) : staffLines.foreignBars(rhythm, meter: currentMeter)
        for beats in bars {
            events += beats.reduce(beats.count) { $0 + $1.notes.count }
            guard events <= TabLimits.events, nextBar < TabLimits.bars else {
                throw ExplainedError("\(name) has too many bars or notes; split the piece.")
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

    /// Chooses the track of a staff and the bar where it begins.
    ///
    /// Staves under the names of different instruments, staves with different strings, and staves directly below each
    /// other sound together; a staff of an instrument that has one already begins after all others.
    private mutating func beginForeignStaff(_ block: ASCIIStaffBlock, _ number: Int) {
        let key = "\(instrument)|\(number)|\(block.lines.count)"
        let known = foreignTracks[key]
        if let known {
            track = known
        } else if track >= 0, tab.tracks[track].strings.isEmpty {
            foreignTracks[key] = track
        } else if tab.tracks.count < TabLimits.tracks {
            tab.tracks.append(TabTrack())
            track = tab.tracks.count - 1
            foreignTracks[key] = track
        }
        if tab.tracks[track].strings.isEmpty { setForeignStrings(block, number) }
        let own = tab.tracks[track].bars.count
        if rowTracks.contains(track) {
            let isAlone = rowTracks.count == 1
            rowsOfOneTrack = isAlone ? rowsOfOneTrack + 1 : 0
            (rowStart, rowTracks) = (isAlone ? own : tab.tracks.map(\.bars.count).max() ?? 0, [])
        } else if known == nil, rowsOfOneTrack > 0,
            rowTracks.allSatisfy({ tab.tracks[$0].strings.count != block.lines.count })
        {
            // An instrument whose staves come after several of another one begins with the piece.
            (rowStart, rowTracks, rowsOfOneTrack) = (0, [], 0)
        }
        rowTracks.insert(track)
        nextBar = max(rowStart, own)
        while tab.tracks[track].bars.count < nextBar { tab.tracks[track].bars.append(TabMeasure()) }
    }

    private mutating func setForeignStrings(_ block: ASCIIStaffBlock, _ number: Int) {
        tab.tracks[track].name = instrument.isEmpty && number > 0 ? "Part \(number + 1)" : instrument
        let named = block.tuning
        var strings = named
        if let head = foreignTuning?.strings(like: named) { strings = head }
        tab.tracks[track].strings = strings
        if let capo = foreignCapo { tab.tracks[track].capo = capo }
        if strings.count == 4, named == Tuning.bass { tab.tracks[track].program = 33 }
    }

    // MARK: Heads

    private mutating func readForeignHead(_ line: String, _ staves: Int) {
        let text = line.trimmed
        guard !text.isEmpty else { return }
        let (key, value) = Self.pair(text)
        let head = ASCIITabHead(text)
        if let capo = head.capo {
            foreignCapo = capo
            if track >= 0 { tab.tracks[track].capo = capo }
        }
        if let tuning = head.tuning { foreignTuning = tuning }
        if let tempo = head.tempo, staves == 0 || tab.tempo == nil { tab.tempo = tempo }
        if let meter = head.meter {
            let bar = tab.tracks.map(\.bars.count).max() ?? 0
            while tab.bars.count <= bar, bar < TabLimits.bars { tab.bars.append(TabBar()) }
            if bar < tab.bars.count { tab.bars[bar].time = meter }
        }
        if let name = head.instrument { instrument = String(name.prefix(80)) }
        guard !head.isUnderstood else { return }
        switch value.isEmpty ? "" : key.lowercased() {
        case "title", "song": tab.title = String(value.prefix(200))
        case "artist", "band", "by": tab.artist = String(value.prefix(200))
        case "composer", "music": tab.composer = String(value.prefix(200))
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
