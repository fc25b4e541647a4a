/// Cleans text for storage: removes all characters that XML cannot hold, and normalises white space.
public enum CleanText {
    /// Cleans a text to one line: without white space at its ends, and with one space for every run of white space.
    public static func cleanedLine(_ text: String) -> String {
        if isCertainlyClean(text, breaks: 0) { return text }
        return words(in: text.unicodeScalars[...]).joined(separator: " ")
    }

    /// Cleans a text to paragraphs separated by `\n\n`. A single line break becomes a space, because files wrap their
    /// lines.
    public static func cleanedParagraphs(_ text: String) -> String {
        if isCertainlyClean(text, breaks: 2) { return text }
        var paragraphs: [[String]] = []
        var current: [String] = []
        for row in splitLines(of: text) {
            let words = words(in: row)
            if words.isEmpty, !current.isEmpty {
                paragraphs.append(current)
                current = []
            }
            current += words
        }
        if !current.isEmpty { paragraphs.append(current) }
        return paragraphs.map { $0.joined(separator: " ") }.joined(separator: "\n\n")
    }

    /// Checks quickly, from the bytes alone, whether a text is certainly clean already. This saves time, since most
    /// texts have been cleaned before.
    /// - Parameter breaks: number of line breaks between two paragraphs.
    /// - Returns: false if the text may need cleaning.
    private static func isCertainlyClean(_ text: String, breaks: Int) -> Bool {
        var run = 0
        var isBlank = true
        for byte in text.utf8 {
            switch byte {
            case 0x20 where !isBlank: isBlank = true
            case 0x0A where run > 0 ? run < breaks : !isBlank && breaks > 0:
                run += 1
                isBlank = true
            // Encodings that start with these bytes may be white space or unwritable scalars.
            case ..<0x21, 0x7F, 0xC2, 0xE1, 0xE2, 0xE3, 0xEF: return false
            default:
                guard run == 0 || run == breaks else { return false }
                (run, isBlank) = (0, false)
            }
        }
        return !isBlank || text.isEmpty
    }

    /// True for characters that XML 1.0 cannot represent, not even escaped.
    static func isForbiddenInXML(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case ..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// Splits a text at CR, LF and CRLF. It goes through Unicode scalars, because Swift counts CRLF as a single
    /// character.
    private static func splitLines(of text: String) -> [Substring.UnicodeScalarView] {
        var rows: [Substring.UnicodeScalarView] = []
        var rest = text.unicodeScalars[...]
        while let end = rest.firstIndex(where: { $0 == "\n" || $0 == "\r" || $0 == "\u{2029}" }) {
            rows.append(rest[..<end])
            let isPair = rest[end] == "\r" && rest[rest.index(after: end)...].first == "\n"
            rest = rest[rest.index(end, offsetBy: isPair ? 2 : 1)...]
        }
        return rows + [rest]
    }

    private static func words(in text: Substring.UnicodeScalarView) -> [String] {
        // A no-break space is intended, so it stays within its word.
        text.split { isBlank($0) || isForbiddenInXML($0) }.map { String(String.UnicodeScalarView($0)) }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        // ASCII needs no lookup of its Unicode properties.
        if scalar.isASCII { return scalar == " " || (0x09...0x0D).contains(scalar.value) }
        return scalar.properties.isWhitespace && scalar != "\u{A0}" && scalar != "\u{202F}"
    }
}
