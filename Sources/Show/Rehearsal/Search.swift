/// A text divided into pieces, some of which match a search; joined, they are the text.
public struct Highlighted: Hashable, Sendable, Codable {
    public struct Piece: Hashable, Sendable, Codable {
        public var text: String
        public var isMatch: Bool
    }

    public let pieces: [Piece]

    public var hasMatch: Bool { pieces.contains(where: \.isMatch) }
}

/// A search text: words that must each be found somewhere, ignoring letter case and accents.
public struct Keyword: Hashable, Sendable {
    private let words: [[Character]]

    /// Words after the tenth are ignored.
    public init(_ text: String) {
        words = text.prefix(RoomLimits.longestName).split(whereSeparator: \.isWhitespace).prefix(10).map {
            Folding.folded($0).map(\.character)
        }.filter { !$0.isEmpty }
    }

    /// True if there is nothing to search: then everything matches and nothing is highlighted.
    public var isEmpty: Bool { words.isEmpty }

    /// The matches in the fields of one item, such as a score's title, composer, lyricist and arranger.
    /// - Returns: nil if a word is in none of the fields.
    /// - Complexity: O(text × words).
    public func find(in fields: [String]) -> [Highlighted]? {
        var found = Array(repeating: false, count: words.count)
        let result = fields.map { field in
            let folded = Folding.folded(field[...])
            var isMatch = Array(repeating: false, count: field.count)
            for (index, word) in words.enumerated() {
                var start = 0
                while start + word.count <= folded.count {
                    let window = folded[start..<(start + word.count)]
                    guard window.lazy.map(\.character).elementsEqual(word) else {
                        start += 1
                        continue
                    }
                    found[index] = true
                    for letter in window { isMatch[letter.origin] = true }
                    start += word.count
                }
            }
            return Self.pieces(of: field, isMatch)
        }
        return found.allSatisfy(\.self) ? result : nil
    }

    private static func pieces(of text: String, _ isMatch: [Bool]) -> Highlighted {
        var pieces: [Highlighted.Piece] = []
        for (character, isMatch) in zip(text, isMatch) {
            if let last = pieces.last, last.isMatch == isMatch {
                pieces[pieces.count - 1].text.append(character)
            } else {
                pieces.append(Highlighted.Piece(text: String(character), isMatch: isMatch))
            }
        }
        return Highlighted(pieces: pieces)
    }
}

/// Letters without capitals and accents, each with its index in the text.
enum Folding {
    struct Letter {
        var character: Character
        /// Index of the letter's character in the text.
        var origin: Int
    }

    static func folded(_ text: Substring) -> [Letter] {
        var letters: [Letter] = []
        for (origin, character) in text.enumerated() {
            for small in character.lowercased() {
                for plain in bases[small] ?? stripped(small) {
                    letters.append(Letter(character: plain, origin: origin))
                }
            }
        }
        return letters
    }

    /// Removes combining marks that follow a letter separately.
    private static func stripped(_ character: Character) -> [Character] {
        guard character.unicodeScalars.count > 1 else { return [character] }
        let kept = character.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
        return kept.map { bases[Character($0)] ?? [Character($0)] }.flatMap(\.self)
    }

    /// Composed letters and their base letters. The table is made by composing: Swift treats both spellings of a
    /// character as equal, so a letter followed by a mark is found too.
    private static let bases: [Character: [Character]] = {
        var bases: [Character: [Character]] = [
            "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "đ": ["d"], "ð": ["d"],
            "þ": ["t", "h"],
            "ł": ["l"], "ı": ["i"], "ħ": ["h"], "ŧ": ["t"], "ĳ": ["i", "j"], "ς": ["σ"], "’": ["'"],
            "‘": ["'"],
            "–": ["-"], "—": ["-"], "‐": ["-"], "‑": ["-"],
        ]
        let marks: [Unicode.Scalar] = [
            "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}", "\u{309}",
            "\u{30A}", "\u{30B}", "\u{30C}", "\u{30F}", "\u{311}", "\u{313}", "\u{314}", "\u{31B}", "\u{323}",
            "\u{324}", "\u{325}", "\u{326}", "\u{327}", "\u{328}", "\u{32D}", "\u{32E}", "\u{331}", "\u{342}",
        ]
        func add(_ letters: String, _ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) {
            for base in letters {
                for mark in first {
                    var one = String(base).unicodeScalars
                    one.append(mark)
                    bases[Character(String(one))] = [base]
                    for other in second where other != mark {
                        var two = one
                        two.append(other)
                        bases[Character(String(two))] = [base]
                    }
                }
            }
        }
        add("abcdefghijklmnopqrstuvwxyz", marks, [])
        add("aeiouy", marks, marks)
        add("αεηιουωρабвгдежзийклмнопрстуфхцчшщъыьэюя", marks, [])
        add("αεηιουω", marks, marks)
        return bases
    }()
}
