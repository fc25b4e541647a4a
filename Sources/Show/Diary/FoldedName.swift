/// A name or title as it is compared: small letters without accents, words separated by single spaces.
public enum FoldedName {
    /// The words of a text. Letters and digits are words of their own, so that `OP.67`, `op 67` and `Op67` are equal.
    /// - Parameter keepsApostrophes: false if `people's` is one word, `peoples`, and not two.
    public static func words(_ text: String, splittingAtApostrophes: Bool = true) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var wordIsNumber = false
        func endWord() {
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if (0x300...0x36F).contains(scalar.value) { continue }
            if !splittingAtApostrophes, apostrophes.contains(scalar.value) { continue }
            for folded in fold(scalar) {
                let isNumber = (0x30...0x39).contains(folded.value)
                guard isNumber || folded.properties.isAlphabetic else {
                    endWord()
                    continue
                }
                if !word.isEmpty, isNumber != wordIsNumber { endWord() }
                wordIsNumber = isNumber
                word.append(folded)
            }
        }
        endWord()
        return words
    }

    /// The text for comparison: its words with single spaces.
    public static func fold(_ text: String) -> String { words(text).joined(separator: " ") }

    private static let apostrophes: Set<UInt32> = [0x27, 0x2018, 0x2019, 0x2BC, 0x60, 0xB4]

    private static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar.value {
        case 0x41...0x5A: return [Unicode.Scalar(UInt8(scalar.value + 32))]
        case ..<0x80: return [scalar]
        case 0xC6, 0xE6: return Array("ae".unicodeScalars)
        case 0x152, 0x153: return Array("oe".unicodeScalars)
        case 0xDF, 0x1E9E: return Array("ss".unicodeScalars)
        case 0xDE, 0xFE: return Array("th".unicodeScalars)
        default: break
        }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars.filter {
            !(0x300...0x36F).contains($0.value)
        }
        return lower.map(withoutAccent)
    }

    /// The letter without its accent, found by its name in Unicode: `LATIN SMALL LETTER R WITH CARON` is `r`.
    private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard let name = scalar.properties.name else { return scalar }
        if scalar.value == 0x131 { return "i" }
        let prefix = "LATIN SMALL LETTER "
        guard name.hasPrefix(prefix) else { return scalar }
        let letter = name.dropFirst(prefix.count).prefix { $0 != " " }
        guard let first = letter.unicodeScalars.first, first.isASCII else { return scalar }
        let isStroked = letter == "ETH"
        guard letter.count == 1 || isStroked else { return scalar }
        return isStroked ? "d" : Unicode.Scalar(first.value + 32) ?? scalar
    }
}

/// Ids that are made from names: equal names give equal ids.
public enum DiaryID {
    /// An id of at most 100 characters: a kind, the words of the names, and a checksum of the names.
    public static func make(_ kind: String, _ names: String...) -> String {
        let folded = names.map { FoldedName.fold($0) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in folded.joined(separator: "\u{1F}").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let words = folded.joined(separator: " ").unicodeScalars.map { scalar in
            scalar.isASCII && scalar != " " ? Character(scalar) : "-"
        }
        let digits = String(hash, radix: 16)
        return "\(kind)-" + String(words.prefix(60)) + "-" + String(repeating: "0", count: 16 - digits.count)
            + digits
    }
}
