import Tablature

/// Writes a tab as text: for each voice of each track its strings, with a line of note values above them.
///
/// `docs/practice.md` describes the form. ``ASCIITabReader`` reads it back exactly, except for parts that ASCII cannot
/// represent.
public enum ASCIITabWriter {
    static let lineWidth = 96

    /// - Returns: the text, and the names of parts that ASCII tab cannot represent.
    public static func write(_ tab: Tab) -> (text: String, remarks: [String]) {
        var text = "Baton tab 1\n"
        func head(_ name: String, _ value: String) {
            if !value.isEmpty { text += "\(name): \(oneLine(value))\n" }
        }
        head("Title", tab.title)
        head("Subtitle", tab.subtitle)
        head("Artist", tab.artist)
        head("Composer", tab.composer)
        head("Lyricist", tab.lyricist)
        head("Copyright", tab.copyright)
        head("Tempo", number(tab.tempo ?? 120))
        text += "Bars: \(tab.bars.count)\n"
        for (index, bar) in tab.bars.enumerated() {
            let items = items(of: bar)
            if !items.isEmpty { text += "Bar \(index + 1): \(items.joined(separator: "; "))\n" }
        }
        var losses: Set<String> = []
        for (index, track) in tab.tracks.enumerated() {
            text += "\nTrack \(index + 1): \(oneLine(track.name))\n"
            text += "Sound: program \(track.program)\(track.percussion ? ", percussion" : "")\n"
            for staff in 1...(1 + track.moreStaves.count) {
                text += write(track, staff: staff, &losses)
            }
        }
        var remarks = ["ASCII tab bears no dynamics, lyrics and most techniques: they are left out."]
        if !losses.isEmpty { remarks.append("Left out: \(losses.sorted().joined(separator: ", ")).") }
        return (text, remarks)
    }

    static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    static func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }

    private static func items(of bar: TabBar) -> [String] {
        var items: [String] = []
        if let time = bar.time { items.append("\(time[0])/\(time[1])") }
        if let length = bar.length { items.append("length \(length.text)") }
        if bar.freeTime { items.append("free time") }
        if let key = bar.key { items.append("key \(key)") }
        if bar.repeatStart { items.append("begin repeat") }
        if let repeats = bar.repeats { items.append("end repeat, \(repeats) times more") }
        if !bar.endings.isEmpty {
            items.append("ending \(bar.endings.map(String.init).joined(separator: " "))")
        }
        for change in bar.tempos { items.append("tempo \(number(change.tempo)) at \(change.at.text)") }
        if bar.double { items.append("double bar") }
        for direction in bar.directions { items.append("direction \(oneLine(direction))") }
        if let section = bar.section {
            items.append("section \(oneLine(section).replacing(";", with: ","))")
        }
        return items
    }

    // MARK: Strings

    private static func write(_ track: TabTrack, staff: Int, _ losses: inout Set<String>) -> String {
        let own = track.staff(staff)
        let names = own.strings.map(noteName)
        var text = "Strings: \(names.isEmpty ? "none" : names.joined(separator: " "))"
        text +=
            "\(own.capo > 0 ? "; capo \(own.capo)" : "")\(track.frets != 24 ? "; frets \(track.frets)" : "")\n"
        let count = track.bars.map(\.voices.count).max() ?? 0
        for voice in 0..<count {
            let bars = track.bars.map {
                $0.voices.count > voice && $0.voices[voice].staff == staff ? $0.voices[voice].beats : []
            }
            guard bars.contains(where: { !$0.isEmpty }) else { continue }
            if voice > 0 || staff > 1 { text += "\nStaff \(staff), voice \(voice + 1)\n" }
            text += ASCIIStaff(strings: names, isPercussion: track.percussion).write(bars, &losses)
        }
        return text
    }

    /// A pitch as `F#3`; middle C is C4.
    static func noteName(_ pitch: Int) -> String {
        let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
        return names[pitch % 12] + "\(pitch / 12 - 1)"
    }
}

/// The lines of one voice.
private struct ASCIIStaff {
    let strings: [String]
    let isPercussion: Bool

    func write(_ bars: [[TabBeat]], _ losses: inout Set<String>) -> String {
        let labels = isPercussion || strings.isEmpty ? [] : strings
        let hasPitches = bars.joined().contains {
            $0.notes.contains { line(of: $0, labels.count) == labels.count }
        }
        let lines = labels + (hasPitches || labels.isEmpty ? ["#"] : [])
        let width = lines.map(\.count).max() ?? 1
        var (text, block) = ("", Block(lines: lines, width: width))
        for (number, beats) in bars.enumerated() {
            let bar = self.bar(beats, lines, &losses)
            if block.length + bar.length > ASCIITabWriter.lineWidth, block.length > 0 {
                text += block.text
                block = Block(lines: lines, width: width)
            }
            block.append(bar, number: number + 1)
        }
        return text + block.text
    }

    private struct Bar {
        var rhythm = ""
        var strings: [String]
        var length: Int { rhythm.count }
    }

    private struct Block {
        let lines: [String]
        let width: Int
        var first = 0
        var rhythm = ""
        var strings: [String]
        var length: Int { rhythm.count }

        init(lines: [String], width: Int) {
            (self.lines, self.width) = (lines, width)
            strings = lines.map { _ in "" }
        }

        mutating func append(_ bar: Bar, number: Int) {
            if first == 0 { first = number }
            rhythm += bar.rhythm + " "
            for index in strings.indices { strings[index] += bar.strings[index] + "|" }
        }

        var text: String {
            guard first > 0 else { return "" }
            let pad = String(repeating: " ", count: width + 1)
            var text = "\nFrom bar \(first)\n" + pad + rhythm
            while text.last == " " { text.removeLast() }
            text += "\n"
            for (label, content) in zip(lines, strings) {
                text += label + String(repeating: " ", count: width - label.count) + "|" + content + "\n"
            }
            return text
        }
    }

    /// The line of a note: its string, or the line of pitches after all strings.
    private func line(of note: TabNote, _ strings: Int) -> Int {
        guard let string = note.string, note.fret != nil, (1...max(strings, 1)).contains(string), strings > 0
        else {
            return strings
        }
        return string - 1
    }

    private func bar(_ beats: [TabBeat], _ lines: [String], _ losses: inout Set<String>) -> Bar {
        var bar = Bar(strings: lines.map { _ in "-" })
        bar.rhythm = " "
        let count = lines.last == "#" ? lines.count - 1 : lines.count
        for (index, beat) in beats.enumerated() {
            var tokens = lines.map { _ in "" }
            for note in beat.notes {
                let line = line(of: note, count)
                guard tokens.indices.contains(line) else { continue }
                let next = beats[(index + 1)...].lazy.flatMap(\.notes).first { $0.string == note.string }
                let falls = next.map { $0.fret ?? 0 < note.fret ?? 0 } ?? false
                let token = self.token(note, isPitch: line == count, falls: falls, &losses)
                tokens[line] += tokens[line].isEmpty ? token : "+" + token
            }
            let rhythm = ASCIIRhythm.token(beat)
            let width = max(tokens.map(\.count).max() ?? 0, rhythm.count) + 1
            bar.rhythm += rhythm + String(repeating: " ", count: width - rhythm.count)
            for index in tokens.indices {
                bar.strings[index] +=
                    tokens[index] + String(repeating: "-", count: width - tokens[index].count)
            }
            if !beat.kept.isEmpty { losses.insert("kept things") }
        }
        return bar
    }

    private func token(_ note: TabNote, isPitch: Bool, falls: Bool, _ losses: inout Set<String>) -> String {
        let play = note.play
        var token = "\(isPitch ? note.pitch ?? note.fret ?? 0 : note.fret ?? 0)"
        if play.dead { token = "x" + token }
        if play.harmonic != nil { token = "<" + token + ">" }
        if note.tie { token = "(" + token + ")" }
        if play.hammer { token += falls ? "p" : "h" }
        if play.slides.contains(.shift) || play.slides.contains(.legato) { token += "/" }
        if !play.bend.isEmpty { token += "b" }
        if play.vibrato != nil { token += "~" }
        if !note.kept.isEmpty { losses.insert("kept things") }
        return token
    }
}

/// Note values as letters: `w h q e s t` from a whole note to a 32nd, then `x` (64th), `y` (128th), `z` (256th), and
/// `B` (two whole notes), `L` (four), `M` (eight). A dot is `.`; a tuplet `:3` or `:5/4`; a grace note `g` before it;
/// another length in quarters stands in brackets.
enum ASCIIRhythm {
    static let letters: [(letter: Character, value: Fraction)] = [
        ("M", Fraction(8)), ("L", Fraction(4)), ("B", Fraction(2)), ("w", Fraction(1)), ("h", Fraction(1, 2)),
        ("q", Fraction(1, 4)), ("e", Fraction(1, 8)), ("s", Fraction(1, 16)), ("t", Fraction(1, 32)),
        ("x", Fraction(1, 64)), ("y", Fraction(1, 128)), ("z", Fraction(1, 256)),
    ]

    static func token(_ beat: TabBeat) -> String {
        let value = beat.value ?? Fraction(1, 4)
        let letter = letters.first { $0.value == value }?.letter
        var token = beat.grace.map { $0 == .on ? "G" : "g" } ?? ""
        token += letter.map(String.init) ?? "q"
        token += String(repeating: ".", count: beat.dots)
        if let tuplet = beat.tuplet, tuplet.count == 2 {
            token += tuplet == [3, 2] ? ":3" : ":\(tuplet[0])/\(tuplet[1])"
        }
        if beat.grace == nil, let length = beat.length ?? (letter == nil ? beat.quarters : nil) {
            token += "[\(length.text)]"
        }
        return beat.notes.isEmpty && beat.grace == nil ? "r" + token : token
    }

    /// The beat that a token means, without its notes; nil for other text.
    static func beat(_ token: Substring) -> TabBeat? {
        var (rest, beat) = (token, TabBeat())
        if rest.first == "r", rest.count > 1 { rest.removeFirst() }
        if rest.first == "g" || rest.first == "G" {
            beat.grace = rest.first == "G" ? .on : .before
            rest.removeFirst()
        }
        guard let letter = rest.popFirst(), let known = letters.first(where: { $0.letter == letter }) else {
            return nil
        }
        if known.value != Fraction(1, 4) { beat.value = known.value }
        while rest.first == ".", beat.dots < 4 {
            beat.dots += 1
            rest.removeFirst()
        }
        if rest.first == ":" {
            let ratio = rest.dropFirst().prefix { $0.isNumber || $0 == "/" }
            let numbers = ratio.split(separator: "/").compactMap { Int($0) }
            guard (1...2).contains(numbers.count), numbers.allSatisfy({ (1...4_096).contains($0) }) else {
                return nil
            }
            beat.tuplet = [numbers[0], numbers.count == 2 ? numbers[1] : 2]
            rest = rest.dropFirst(1 + ratio.count)
        }
        if rest.first == "[" {
            guard let close = rest.firstIndex(of: "]"),
                let length = Fraction(rest[rest.index(after: rest.startIndex)..<close]),
                length >= .zero, length <= Fraction(1_024)
            else { return nil }
            beat.length = length
            rest = rest[rest.index(after: close)...]
        }
        return rest.isEmpty ? beat : nil
    }
}
