import Tablature

/// What a line of text over a tab says in the words that people use: capo, tuning, tempo, meter, instrument.
struct ASCIITabHead {
    private(set) var capo: Int?
    private(set) var tuning: ASCIITabTuning?
    /// Quarters a minute.
    private(set) var tempo: Double?
    private(set) var meter: [Int]?
    private(set) var instrument: String?

    var isUnderstood: Bool {
        capo != nil || tuning != nil || tempo != nil || meter != nil || instrument != nil
    }

    private static let instruments: Set<Substring> = [
        "gtr", "gtrs", "guitar", "guitars", "gitarre", "guitare", "guitarra", "chitarra", "bass", "basse",
        "bajo", "lead",
        "rhythm", "acoustic", "electric", "ukulele", "banjo", "mandolin",
    ]
    /// Words that may follow the name of an instrument; with others the line is a title or names a passage.
    private static let qualities: Set<Substring> = [
        "clean", "distorted", "dist", "overdriven", "left", "right", "nylon", "steel", "string", "elec",
        "acous", "and", "no",
    ]

    private static func isOfInstrument(_ word: Substring, _ letters: Substring) -> Bool {
        letters.isEmpty || ordinals[word] != nil || instruments.contains(letters)
            || qualities.contains(letters)
    }

    private static let ordinals: [Substring: Int] = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
        "ninth": 9,
        "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11,
        "xii": 12,
    ]

    init(_ text: String) {
        // A long line is a sentence about the piece.
        guard text.count <= 80 else { return }
        let lower = text.lowercased()
        let words = lower.split { !($0.isLetter || $0.isNumber || $0 == "#") }
        if let at = words.firstIndex(of: "capo") {
            capo = Self.capo(Array(words[(at + 1)...]), before: words[..<at].last)
        }
        tuning = ASCIITabTuning(lower: lower, text: text)
        tempo = Self.tempo(lower, words)
        meter = Self.meter(lower, words)
        let letters = words.map { $0.prefix { $0.isLetter } }
        if let first = letters.first, Self.instruments.contains(first), words.count <= 4, capo == nil,
            tuning == nil,
            zip(words, letters).dropFirst().allSatisfy({ Self.isOfInstrument($0, $1) })
        {
            instrument = text.filter { $0 != ":" && $0 != "[" && $0 != "]" }.trimmed
        }
    }

    /// Reads `2`, `2nd fret`, `on the second fret`, `III`; `no capo` and `none` are fret 0.
    private static func capo(_ words: [Substring], before: Substring?) -> Int? {
        if before == "no" || words.first == "none" || words.first == "no" || words.first == "off" { return 0 }
        for word in words.prefix(5) {
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            let isRoman = word != "i" || words.count < 3
            if let fret = Int(digits) ?? (isRoman ? ordinals[word] : nil) {
                return (0...24).contains(fret) ? fret : nil
            }
        }
        return nil
    }

    /// Reads `Tempo: 120`, `120 bpm`, `BPM 96` and `q = 100`.
    private static func tempo(_ lower: String, _ words: [Substring]) -> Double? {
        func number(_ text: some StringProtocol) -> Double? {
            Double(text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }).flatMap {
                (20...400).contains($0) ? $0 : nil
            }
        }
        if let at = words.firstIndex(where: { $0 == "bpm" || $0 == "tempo" }) {
            let near = (at > 0 ? [words[at - 1]] : []) + words[(at + 1)...].prefix(3)
            return near.lazy.compactMap { number($0) }.first
        }
        if let word = words.first(where: { $0.hasSuffix("bpm") }) { return number(word) }
        guard let equals = lower.firstIndex(of: "=") else { return nil }
        let left = lower[..<equals].trimmed
        guard ["q", "♩", "quarter", "quarter note", "1/4"].contains(where: { left.hasSuffix($0) }) else {
            return nil
        }
        return number(lower[lower.index(after: equals)...].trimmed)
    }

    /// Reads `3/4`, `Time: 3/4`, `6/8 time` and `time signature 3/4`.
    private static func meter(_ lower: String, _ words: [Substring]) -> [Int]? {
        let names: Set<Substring> = ["time", "signature", "meter", "metre", "takt", "sig", "timing"]
        guard words.count == 2 || words.contains(where: names.contains), let slash = lower.firstIndex(of: "/")
        else {
            return nil
        }
        let beats = lower[..<slash].reversed().prefix { $0.isASCII && $0.isNumber }
        let unit = lower[lower.index(after: slash)...].prefix { $0.isASCII && $0.isNumber }
        guard let beats = Int(String(beats.reversed())), let unit = Int(unit), (1...32).contains(beats),
            [1, 2, 4, 8, 16, 32].contains(unit),
            words.allSatisfy({ names.contains($0) || Int($0) != nil || $0 == "in" })
        else { return nil }
        return [beats, unit]
    }
}

/// A tuning as people name it.
enum ASCIITabTuning: Equatable {
    /// The tones of the open strings, 0…11, the lowest string first.
    case tones([Int])
    /// Semitones by which all strings are higher.
    case shift(Int)
    /// The lowest string is so many semitones higher, after a shift of all strings.
    case drop(lowest: Int, others: Int)
    case standard

    /// - Parameters:
    ///   - lower: the text in small letters.
    init?(lower: String, text: String) {
        let isTuning = lower.contains("tuning") || lower.contains("tuned") || lower.contains("tune ")
        let isShort = lower.count <= 40
        if let tones = Self.tones(text), isTuning || tones.isAlone {
            self = .tones(tones.tones)
        } else if let range = lower.firstRange(of: "drop "),
            isTuning || (isShort && range.lowerBound == lower.startIndex),
            let lowest = Self.tone(text[range.upperBound...].prefix { $0.isLetter || $0 == "#" })
        {
            // From E down to the named tone; below D all strings are lower.
            let down = (4 - lowest + 12) % 12
            self = .drop(lowest: -down, others: -(down - 2))
        } else if isTuning || isShort, let range = lower.firstRange(of: "step") {
            let before = lower[..<range.lowerBound]
            guard
                lower[range.upperBound...].contains("down") || before.contains("down")
                    || before.contains("lower")
            else {
                return nil
            }
            let isHalf = before.contains("half") || before.contains("1/2") || before.contains("½")
            let count =
                ["two": 2, "2": 2, "three": 3, "3": 3].first { before.hasSuffix($0.key + " ") }?.value ?? 1
            let isOneAndAHalf = before.contains("1 1/2") || before.contains("one and a half")
            self = .shift(isOneAndAHalf ? -3 : isHalf ? -1 : -2 * count)
        } else if isTuning, lower.contains("standard") {
            self = .standard
        } else {
            return nil
        }
    }

    private static func tone(_ name: some StringProtocol) -> Int? {
        let name = name.prefix(2)
        return ASCIIStaffBlock.pitch(named: name).map { $0 % 12 }
            ?? ASCIIStaffBlock.pitch(named: name.prefix(1)).map { $0 % 12 }
    }

    /// The longest row of four to eight names of tones, such as `D A D G B E` or `DADGBE`. It is alone if the line has
    /// nothing else.
    private static func tones(_ text: String) -> (tones: [Int], isAlone: Bool)? {
        let words = text.split { " -,()[]:/|".contains($0) }
        var best: [Int] = []
        var row: [Int] = []
        for word in words {
            let tones = tones(inWord: word)
            row = tones.map { row + $0 } ?? []
            if row.count > best.count { best = row }
        }
        guard (4...8).contains(best.count) else { return nil }
        // A row of chords has other intervals than strings have, or wider gaps.
        let isAlone =
            words.allSatisfy { tones(inWord: $0) != nil } && !text.contains("  ")
            && zip(best, best.dropFirst()).allSatisfy { (2...7).contains(($1 - $0 + 12) % 12) }
        return (best, isAlone)
    }

    private static func tones(inWord word: Substring) -> [Int]? {
        var tones: [Int] = []
        var rest = word
        while let letter = rest.first {
            guard "ABCDEFGe".contains(letter) else { return nil }
            let length =
                rest.dropFirst().first.map { $0 == "#" || $0 == "b" || $0 == "♭" || $0 == "♯" } == true
                ? 2 : 1
            let name = rest.prefix(length).replacing("♭", with: "b").replacing("♯", with: "#")
            guard let tone = ASCIIStaffBlock.pitch(named: name) else { return nil }
            tones.append(tone % 12)
            rest = rest.dropFirst(length)
        }
        return tones.count == 1 || (4...8).contains(tones.count) ? tones : nil
    }

    /// Open strings, the highest first, for an instrument whose lines are named as `named`; nil if they do not fit.
    func strings(like named: [Int]) -> [Int]? {
        switch self {
        case .standard: return nil
        case .tones(let tones):
            guard tones.count == named.count else { return nil }
            return zip(named, tones.reversed()).map { usual, tone in
                let up = ((tone - usual) % 12 + 12) % 12
                return up <= 6 ? usual + up : usual + up - 12
            }
        case .shift(let semitones):
            // The names of the lines may be lowered already.
            return [Tuning.guitar, Tuning.bass].contains(named) ? named.map { $0 + semitones } : nil
        case .drop(let lowest, let others):
            guard [Tuning.guitar, Tuning.bass].contains(named), let last = named.last else { return nil }
            return named.dropLast().map { $0 + others } + [last + lowest]
        }
    }
}
