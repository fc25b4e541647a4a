import Tablature

/// Lines of strings that belong together.
struct ASCIIStaffBlock {
    /// The name before the first bar line, and the rest from that line on; the rests begin in the same column.
    var lines: [(label: String, content: [Character])]
    /// The column in the file where the contents begin.
    let column: Int

    /// Lines of the form that ``ASCIITabWriter`` writes.
    init(own block: [[Character]]) {
        let starts = block.map { ASCIITabLine.start(of: $0) ?? 0 }
        let first = starts.max() ?? 0
        column = first
        lines = zip(block, starts).map { line, start in
            (String(line[..<start]).trimmed, first < line.count ? Array(line[first...]) : [])
        }
    }

    init(_ block: [ASCIITabLine]) {
        let first = block.map(\.start).max() ?? 0
        column = first
        lines = block.map { ($0.label, Array($0.content.dropFirst(first - $0.start))) }
    }

    // MARK: Finding

    /// The index after the last line of the form that ``ASCIITabWriter`` writes; `start` itself if there is none. Its
    /// lines end in bar lines.
    static func end(ofOwn lines: [[Character]], from start: Int) -> Int {
        var end = start
        while end < lines.count, end - start < TabLimits.strings + 1, isOwnTabLine(lines[end]) { end += 1 }
        return end
    }

    private static func isOwnTabLine(_ line: [Character]) -> Bool {
        guard let start = ASCIITabLine.start(of: line), line.count - start >= 3 else { return false }
        return line[start] == "|" && line.last == "|"
    }

    /// Divides lines below each other into staves: where the names of the strings begin anew, another one begins.
    static func staves(of lines: [ASCIITabLine]) -> [[ASCIITabLine]] {
        let names = lines.map { $0.label.lowercased() }
        for size in 3...max(3, min(TabLimits.strings, lines.count / 2))
        where lines.count % size == 0 && lines.count > size {
            let isNamed = names.allSatisfy { !$0.isEmpty }
            let isRepeated = names.indices.allSatisfy { names[$0] == names[$0 % size] }
            if isRepeated && isNamed || (names.allSatisfy(\.isEmpty) && size == 6) {
                return stride(from: 0, to: lines.count, by: size).map { Array(lines[$0..<($0 + size)]) }
            }
        }
        return [lines]
    }

    // MARK: Missing strings

    /// Adds lines without content for the strings of a guitar that have none, if the names show that it is a guitar.
    /// - Returns: the names of the strings that were added.
    mutating func completeGuitar() -> [String] {
        let tones = lines.compactMap { Self.pitch(named: $0.label).map { $0 % 12 } }
        guard (3...5).contains(lines.count), tones.count == lines.count,
            ![Tuning.bass, Tuning.fiveStringBass, Tuning.banjo, Tuning.ukulele, Tuning.mandolin]
                .contains(where: { $0.map { $0 % 12 } == tones })
        else { return [] }
        var (completed, missing, next): ([(label: String, content: [Character])], [String], Int) = ([], [], 0)
        for (open, name) in zip(Tuning.guitar, ["e", "B", "G", "D", "A", "E"]) {
            // A single E is the low one if the string above or below it is.
            let isHere = next < tones.count && tones[next] == open % 12
            let isLowE = isHere && name == "e" && (lines.count == 1 || (tones.count > 1 && tones[1] != 11))
            if isHere && !isLowE {
                completed.append(lines[next])
                next += 1
            } else {
                completed.append((name, []))
                missing.append(name)
            }
        }
        guard next == tones.count else { return [] }
        lines = completed
        return missing
    }

    // MARK: Strings

    /// The pitch of a name such as `F#3`, `Eb` or `e`; names without an octave give the tone only, 0…11.
    static func pitch(named name: some StringProtocol) -> Int? {
        guard let letter = name.first,
            let tone = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11][letter.uppercased()]
        else { return nil }
        var rest = name.dropFirst()
        var pitch = tone
        if rest.first == "#" {
            (pitch, rest) = (pitch + 1, rest.dropFirst())
        } else if rest.first == "b" {
            (pitch, rest) = (pitch - 1, rest.dropFirst())
        }
        if rest.isEmpty { return (pitch + 12) % 12 }
        guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
        let result = pitch + 12 * (octave + 1)
        return (0...127).contains(result) ? result : nil
    }

    /// Open strings by the names of the lines; the octave is that of the usual instrument with so many strings.
    var tuning: [Int] {
        let names = lines.map(\.label)
        let usual: [Int] =
            switch lines.count {
            case 4:
                names.map { $0.lowercased() } == ["a", "e", "c", "g"]
                    ? Tuning.ukulele
                    : names.map { $0.lowercased() } == ["e", "a", "d", "g"] ? Tuning.mandolin : Tuning.bass
            case 5:
                names.last.map { $0.hasPrefix("g") || $0.hasPrefix("G") } == true
                    ? Tuning.banjo : Tuning.fiveStringBass
            case 6: Tuning.guitar
            case 7: Tuning.sevenStringGuitar
            case let count:
                (0..<count).map { $0 < 7 ? Tuning.sevenStringGuitar[$0] : max(0, 35 - 5 * ($0 - 6)) }
            }
        return zip(names, usual).map { name, usual in
            guard let named = Self.pitch(named: name) else { return usual }
            if named > 11 || name.contains(where: \.isNumber) { return named }
            // The nearest such tone.
            let up = ((named - usual) % 12 + 12) % 12
            return up <= 6 ? usual + up : usual + up - 12
        }
    }

    // MARK: Notes

    /// A number or mark on a string, with its column.
    struct Token {
        var column: Int
        var text: [Character]
    }

    /// The columns of bar lines: those where most lines have one.
    private var barColumns: [Int] {
        let width = lines.map(\.content.count).max() ?? 0
        return (0..<width).filter { column in
            let count = lines.count { column < $0.content.count && $0.content[column] == "|" }
            return count * 2 > lines.count { !$0.content.isEmpty }
        }
    }

    /// The bars of the own form: tokens of the rhythm line say where beats stand and how long they are.
    func ownBars(_ rhythm: [Character]) -> [[TabBeat]] {
        let bars = barColumns
        let words = Self.words(rhythm, from: column)
        return zip(bars, bars.dropFirst()).map { start, end in
            words.filter { $0.column > start && $0.column < end }.compactMap { word in
                guard var beat = ASCIIRhythm.beat(String(word.text)[...]) else { return nil }
                beat.notes = notes(at: word.column, until: end)
                return beat
            }
        }
    }

    private static func words(_ line: [Character], from column: Int) -> [Token] {
        var result: [Token] = []
        var at = column
        while at < line.count {
            guard line[at] != " " else {
                at += 1
                continue
            }
            let start = at
            while at < line.count, line[at] != " " { at += 1 }
            result.append(Token(column: start - column, text: Array(line[start..<at])))
        }
        return result
    }

    private func notes(at column: Int, until end: Int) -> [TabNote] {
        var notes: [TabNote] = []
        for (index, line) in lines.enumerated()
        where column < line.content.count && line.content[column] != "-" {
            let text = line.content[column..<min(end, line.content.count)].prefix { $0 != "-" && $0 != "|" }
            for part in text.split(separator: "+").prefix(32) {
                if let note = ASCIINote.read(Array(part), string: line.label == "#" ? nil : index + 1) {
                    notes.append(note)
                }
            }
        }
        return notes
    }

    /// The bars of a tab as people write it; `meter` is the length of a bar in quarters.
    func foreignBars(_ rhythm: [Character], meter: Fraction) -> [[TabBeat]] {
        var edges = barColumns
        let width = lines.map(\.content.count).max() ?? 0
        if edges.first.map({ $0 > 1 }) ?? true { edges.insert(-1, at: 0) }
        if edges.last! < width - 2 { edges.append(width) }
        return zip(edges, edges.dropFirst()).compactMap { start, end in
            guard end - start > 2 else { return nil }
            return foreignBar(start + 1, end, rhythm, meter)
        }
    }

    private func foreignBar(_ start: Int, _ end: Int, _ rhythm: [Character], _ meter: Fraction) -> [TabBeat] {
        var found: [Int: [TabNote]] = [:]
        for (index, line) in lines.enumerated() {
            for token in ASCIINote.tokens(line.content, start, min(end, line.content.count)) {
                if let note = ASCIINote.read(token.text, string: index + 1) {
                    found[token.column, default: []].append(note)
                }
            }
        }
        let columns = found.keys.sorted()
        guard let first = columns.first else {
            return WrittenLength.several(meter).map { TabBeat($0) }
        }
        let letters = Self.words(rhythm, from: column).filter { $0.column >= start && $0.column < end }
        let known = columns.map { column in
            letters.first { $0.column == column }.flatMap {
                ASCIIRhythm.beat(String($0.text).lowercased()[...])
            }
        }
        if known.allSatisfy({ $0 != nil }), !known.isEmpty {
            return zip(columns, known).map { column, beat in
                var beat = beat!
                beat.notes = found[column]!
                return beat
            }
        }
        if let even = evenSlots(columns, start, end, meter) {
            return beats(of: zip(even.slots, columns).map { ($0, found[$1]!) }, total: even.total, meter)
        }
        // One or two dashes after the bar line are a margin. Sixteenths of a whole bar, as near as the columns are.
        let margin = min(first - start, 2)
        let slots = max(1, (meter * Fraction(4)).numerator / (meter * Fraction(4)).denominator)
        let width = max(1, end - start - margin)
        var placed: [(slot: Int, notes: [TabNote])] = []
        for column in columns {
            var slot = ((column - start - margin) * slots * 2 + width) / (2 * width)
            if let last = placed.last, slot <= last.slot { slot = last.slot + 1 }
            placed.append((slot, found[column]!))
        }
        return beats(of: placed, total: max(slots, (placed.last?.slot ?? 0) + 1), meter)
    }

    /// The places of notes in a bar whose distances are all multiples of one: equal distances stay equal.
    ///
    /// A fret of two digits moves what follows it in many tabs and in others not, so both are tried. The bar has so many
    /// places that each is a usual note value; writers often leave out a dash at its end.
    private func evenSlots(
        _ columns: [Int], _ start: Int, _ end: Int, _ meter: Fraction
    ) -> (slots: [Int], total: Int)? {
        guard columns.count > 1 else { return nil }
        let wide = Set(
            columns.filter { column in
                lines.contains { line in
                    column + 1 < line.content.count && line.content[column].isNumber
                        && line.content[column + 1].isNumber
                        && !columns.contains(column + 1)
                }
            })
        for shortens in wide.isEmpty ? [false] : [false, true] {
            func place(_ column: Int) -> Int { column - start - (shortens ? wide.count { $0 < column } : 0) }
            let places = columns.map(place)
            let step = zip(places, places.dropFirst()).map { $1 - $0 }.reduce(0, Self.divisor)
            guard step > 0 else { continue }
            let lead = places[0] <= 2 ? 0 : (places[0] - 1 + step / 2) / step
            let slots = places.map { lead + ($0 - places[0]) / step }
            let span = place(end) - places[0]
            let nearest = lead + (2 * span + step) / (2 * step)
            for total in [nearest, nearest + 1, nearest - 1] where total > slots[slots.count - 1] {
                let unit = meter / Fraction(total)
                let isUsual = [1, 2, 3, 4, 6, 8].contains(unit.denominator)
                if isUsual, unit.numerator <= 4, unit.numerator != 3 || unit.denominator > 1,
                    unit <= Fraction(4)
                {
                    return (slots, total)
                }
            }
        }
        return nil
    }

    private static func divisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : divisor(other, one % other)
    }

    private func beats(of placed: [(slot: Int, notes: [TabNote])], total: Int, _ meter: Fraction) -> [TabBeat]
    {
        var beats: [TabBeat] = []
        let unit = meter / Fraction(total)
        if placed[0].slot > 0 {
            beats += WrittenLength.several(Fraction(placed[0].slot) * unit).map { TabBeat($0) }
        }
        for (index, place) in placed.enumerated() {
            let next = index + 1 < placed.count ? placed[index + 1].slot : total
            for (part, written) in WrittenLength.several(Fraction(next - place.slot) * unit).enumerated() {
                beats.append(
                    TabBeat(
                        written,
                        notes: place.notes.map { note in
                            var note = note
                            if part > 0 { (note.tie, note.techniques) = (true, nil) }
                            return note
                        }))
            }
        }
        return beats
    }
}

/// A fret on a string of an ASCII tab, with the marks around it.
enum ASCIINote {
    /// The frets between two columns, each with its marks.
    static func tokens(_ line: [Character], _ start: Int, _ end: Int) -> [ASCIIStaffBlock.Token] {
        var tokens: [ASCIIStaffBlock.Token] = []
        var at = max(0, start)
        while at < end {
            let character = line[at]
            if character == "x" || character == "X" {
                tokens.append(.init(column: at, text: ["x", "0"]))
                at += 1
            } else if character.isASCII, character.isNumber {
                var digits: [Character] = []
                while at + digits.count < end, line[at + digits.count].isASCII,
                    line[at + digits.count].isNumber
                {
                    digits.append(line[at + digits.count])
                }
                // The number after a bend is its target, not a note.
                if at > start, line[at - 1] == "b" || line[at - 1] == "r" {
                    at += digits.count
                    continue
                }
                let isOne = digits.count <= 2 && (Int(String(digits)) ?? 99) <= 24
                for (index, part) in (isOne ? [digits] : digits.map { [$0] }).enumerated() {
                    var text = part
                    if isOne {
                        let before = at > start ? line[at - 1] : "-"
                        if before == "(" || before == "<" { text.insert(before, at: 0) }
                        let marks = line[(at + digits.count)..<end].prefix { "hp/\\b~".contains($0) }
                        text += marks
                        if marks.last == "b" { text += line[marks.endIndex..<end].prefix { $0.isNumber } }
                    }
                    tokens.append(.init(column: at + index, text: text))
                }
                at += digits.count
            } else {
                at += 1
            }
        }
        return tokens
    }

    /// A note of a token such as `12`, `(3)`, `x0`, `<7>` or `5h`; without a string the number is a pitch.
    static func read(_ text: [Character], string: Int?) -> TabNote? {
        guard let first = text.firstIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
        let digits = text[first...].prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 3, let number = Int(String(digits)), number <= (string == nil ? 127 : 127)
        else { return nil }
        let (before, after) = (text[..<first], text[(first + digits.count)...])
        var note = string.map { TabNote(string: $0, fret: number) } ?? TabNote(pitch: number)
        note.tie = before.contains("(")
        if before.contains("x") { note.play.dead = true }
        if before.contains("<") { note.play.harmonic = Harmonic(.natural) }
        if after.contains("h") || after.contains("p") { note.play.hammer = true }
        if after.contains("/") || after.contains("\\") { note.play.slides = [.shift] }
        if let bend = after.firstIndex(of: "b") {
            // The fret to which a string is bent stands after the mark; without it a tone is usual.
            let target = Int(String(after[(bend + 1)...].prefix { $0.isASCII && $0.isNumber }))
            let semitones = target.map { $0 - number }.flatMap { (1...5).contains($0) ? $0 : nil } ?? 2
            note.play.bend = [
                BendPoint(at: .zero, semitones: .zero),
                BendPoint(at: Fraction(1, 2), semitones: Fraction(semitones)),
            ]
        }
        if after.contains("~") { note.play.vibrato = .slight }
        return note
    }
}
