/// A text without differences of letter case, accents and kinds of white space, with a map back to the original.
struct FoldedText {
    /// The folded scalars of the original; combining marks are dropped.
    private(set) var scalars: [Unicode.Scalar] = []
    /// The position of each folded scalar in the original, in UTF-16 units, and one more for the end.
    private(set) var offsets: [Int] = []

    init(_ text: String) {
        var offset = 0
        scalars.reserveCapacity(text.utf8.count)
        offsets.reserveCapacity(text.utf8.count + 1)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                scalars.append(Self.foldedASCII(scalar))
                offsets.append(offset)
            } else if !Self.isMark(scalar) {
                for folded in Self.folded(scalar) {
                    scalars.append(folded)
                    offsets.append(offset)
                }
            }
            offset += UTF16.width(scalar)
        }
        offsets.append(offset)
    }

    /// True if a letter or a digit is at an index; false outside the text.
    func isWord(at index: Int) -> Bool {
        guard scalars.indices.contains(index) else { return false }
        let scalar = scalars[index]
        // ASCII needs no lookup of its Unicode properties.
        guard !scalar.isASCII else {
            return (0x61...0x7A).contains(scalar.value | 0x20) || (0x30...0x39).contains(scalar.value)
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // The comparison spares most letters the slower lookup.
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
        return String.UnicodeScalarView(lower.filter { !isMark($0) }.map(base))
    }

    /// The letter without its accent, taken from the accented letter's Unicode name.
    private static func base(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let stem = "LATIN SMALL LETTER "
        guard let name = scalar.properties.name, name.hasPrefix(stem) else { return scalar }
        let words = name.dropFirst(stem.count).split(separator: " ")
        guard words.count > 2, words[1] == "WITH", words[0].count == 1,
            let letter = words[0].lowercased().unicodeScalars.first
        else { return scalar }
        return letter
    }
}
