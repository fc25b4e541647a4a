/// Texts of the Philharmonic's files that lost their place in the sentence: an object with the plain text in `_` and
/// the words in italics in `em`. The plain text has a gap (two spaces, or a space inside a bracket) where italics
/// stood.
enum NYPhilMarkup {
    /// The whole text; nil for an object of another kind.
    static func join(_ object: [String: Any]) -> String? {
        guard Set(object.keys).isSubset(of: ["_", "em"]) else { return nil }
        let plain = object["_"] as? String ?? ""
        let italics = object["em"].map { ($0 as? [Any]) ?? [$0] } ?? []
        var words = italics.compactMap { $0 as? String }
        guard words.count == italics.count, object["_"] == nil || object["_"] is String else { return nil }
        var parts = parts(plain)
        // More italics than gaps: the first stood before the text.
        if words.count > parts.count - 1, parts.count > 1 || words.count > 1 {
            parts.insert("", at: 0)
        }
        var text = parts.removeFirst()
        for part in parts {
            if !words.isEmpty {
                text += (text.isEmpty || text.hasSuffix("(") ? "" : " ") + words.removeFirst()
            }
            text += (part.isEmpty || part.hasPrefix(")") || part.hasPrefix(",") ? "" : " ") + part
        }
        return ([text] + words).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The object as text, for the list of oddities.
    static func source(_ object: [String: Any]) -> String {
        object.keys.sorted().map { "\($0): \(object[$0] ?? "")" }.joined(separator: "; ")
    }

    /// The pieces of the plain text between its gaps.
    private static func parts(_ plain: String) -> [String] {
        var parts = [""]
        var previous: Character = "x"
        for character in plain {
            let isGap = character == " " && (previous == " " || previous == "(")
            let isGapBeforeBracket = character == ")" && previous == " "
            if isGap || isGapBeforeBracket {
                if parts[parts.count - 1].hasSuffix(" ") { parts[parts.count - 1].removeLast() }
                parts.append(isGapBeforeBracket ? ")" : "")
                previous = "x"
                continue
            }
            parts[parts.count - 1].append(character)
            previous = character
        }
        return parts
    }
}
