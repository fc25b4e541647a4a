/// A text without differences of letter case, accents and kinds of white space, with a map back to the original text.
struct CaseAndAccentFoldedText {
    /// The Unicode scalars of the text after folding; combining marks are dropped.
    private(set) var foldedScalars: [Unicode.Scalar] = []
    /// For each folded scalar its position in the original text, in UTF-16 units, and then the length of the original.
    private(set) var originalOffsets: [Int] = []

    init(_ text: String) {
        var offset = 0
        foldedScalars.reserveCapacity(text.utf8.count)
        originalOffsets.reserveCapacity(text.utf8.count + 1)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                foldedScalars.append(Self.foldedASCII(scalar))
                originalOffsets.append(offset)
            } else if !Self.isCombiningMark(scalar) {
                for folded in Self.folded(scalar) {
                    foldedScalars.append(folded)
                    originalOffsets.append(offset)
                }
            }
            offset += UTF16.width(scalar)
        }
        originalOffsets.append(offset)
    }

    /// True if the character at an index is a letter or a digit; false outside the text.
    func isWordCharacter(at index: Int) -> Bool {
        guard foldedScalars.indices.contains(index) else { return false }
        let scalar = foldedScalars[index]
        // ASCII needs no lookup of its Unicode properties.
        guard !scalar.isASCII else {
            return (0x61...0x7A).contains(scalar.value | 0x20) || (0x30...0x39).contains(scalar.value)
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isCombiningMark(_ scalar: Unicode.Scalar) -> Bool {
        // This comparison saves the slower lookup for most letters.
        scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
    }

    private static func foldedASCII(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x41...0x5A: Unicode.Scalar(UInt8(scalar.value + 32))
        case 0x09...0x0D: " "
        default: scalar
        }
    }

    private static func folded(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        if scalar.properties.isWhitespace { return " ".unicodeScalars }
        if scalar == "\u{2019}" || scalar == "\u{02BC}" { return "'".unicodeScalars }
        if scalar == "\u{2010}" || scalar == "\u{2011}" { return "-".unicodeScalars }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return String.UnicodeScalarView(lower.filter { !isCombiningMark($0) }.map(withoutAccent))
    }

    /// Removes a letter's accent, using the accented letter's Unicode name.
    private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let stem = "LATIN SMALL LETTER "
        guard let name = scalar.properties.name, name.hasPrefix(stem) else { return scalar }
        let words = name.dropFirst(stem.count).split(separator: " ")
        guard words.count > 2, words[1] == "WITH", words[0].count == 1,
            let letter = words[0].lowercased().unicodeScalars.first
        else { return scalar }
        return letter
    }
}
