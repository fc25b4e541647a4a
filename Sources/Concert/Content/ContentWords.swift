/// Text as content keeps it: nothing XML cannot carry, and blanks as a reader of XML sees them.
public enum ContentWords {
    /// One line: outer blanks gone, every run of blanks and line breaks one blank.
    public static func line(_ text: String) -> String {
        words(in: text.unicodeScalars[...]).joined(separator: " ")
    }

    /// Paragraphs, separated by `\n\n`; a single line break within one is a blank, as files wrap their lines.
    public static func paragraphs(_ text: String) -> String {
        var paragraphs: [[String]] = []
        var current: [String] = []
        for row in rows(of: text) {
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

    /// True for what XML 1.0 has no way to write, not even escaped.
    static func isUnwritable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case ..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// CR, LF and CRLF end a row; scalars and not characters, as CRLF is one character.
    private static func rows(of text: String) -> [Substring.UnicodeScalarView] {
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
        // A no-break space is meant: it stays within its word.
        text.split { ($0.properties.isWhitespace && $0 != "\u{A0}" && $0 != "\u{202F}") || isUnwritable($0) }
            .map { String(String.UnicodeScalarView($0)) }
    }
}
