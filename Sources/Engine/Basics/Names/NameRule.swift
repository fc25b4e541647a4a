/// The rule for names that people give: to accounts, rooms, tablets, speakers, pieces and tokens.
///
/// A name is one line that shows what it is. Marks that are not seen, or that turn round what is seen, are no part of
/// it; two names that look alike are one.
public enum NameRule {
    /// True for a scalar that no name contains: control characters, line breaks, and marks without a shape of their own
    /// such as those for the direction of writing.
    public static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        // ASCII needs no lookup of its Unicode properties.
        if scalar.isASCII { return scalar.isControlOrLineBreak }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// True for a name that can be stored as it is: not empty, and without anything that no name contains.
    public static func isFit(_ name: some StringProtocol) -> Bool {
        name.contains { !$0.isWhitespace } && !name.unicodeScalars.contains(where: isUnfit)
    }

    /// A name as it is stored: without unseen marks, with a space for a line break, and without white space at its
    /// ends.
    public static func cleaned(_ text: some StringProtocol) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            if !isUnfit(scalar) {
                name.unicodeScalars.append(scalar)
            } else if scalar.isControlOrLineBreak, name.unicodeScalars.last != " " {
                name.unicodeScalars.append(" ")
            }
        }
        while name.first?.isWhitespace == true { name.removeFirst() }
        while name.last?.isWhitespace == true { name.removeLast() }
        return name
    }

    /// A text of several lines as it is stored: without control characters other than tabulators and line feeds.
    public static func cleanedText(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 != "\n" && $0.isControlOrLineBreak }) else {
            return text
        }
        var lines = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where isAfterReturn: break
            case "\n", "\r", "\u{2028}", "\u{2029}": lines.append("\n")
            default: if scalar == "\t" || !scalar.isControlOrLineBreak { lines.append(scalar) }
            }
            isAfterReturn = scalar == "\r"
        }
        return String(lines)
    }

    /// The shape of a name: names that look alike have the same one. It is for comparing only.
    public static func shape(of name: some StringProtocol) -> String {
        var shape = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !isUnfit(scalar) {
            shape.append(scalar.properties.isWhitespace ? " " : lookalikes[scalar] ?? scalar)
        }
        return String(shape).lowercased()
    }

    /// Letters of other alphabets that look like Latin ones. Source: Unicode Technical Standard 39, confusables.txt,
    /// the letters of Cyrillic and Greek that fonts draw like Latin ones.
    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(String, String)] = [
            ("АВЕКМНОРСТУХІЈЅԌԚԜҺ", "ABEKMHOPCTYXIJSGQWh"),
            ("авекмнорстухіјѕԁԛԝһӏ", "abekmhopctyxijsdqwhl"),
            ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
            ("αβγικνορτυχ", "abyikvoptux"),
            ("ıɑɡſ", "iags"),
        ]
        return pairs.reduce(into: [:]) { table, pair in
            for (from, to) in zip(pair.0.unicodeScalars, pair.1.unicodeScalars) { table[from] = to }
        }
    }()
}

extension Unicode.Scalar {
    /// True for control characters and for every kind of line break.
    public var isControlOrLineBreak: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
    }
}
