import Basics

extension OSCMessage {
    /// Parses a message as show-control programs write it: an address, then arguments separated by spaces.
    ///
    /// `57` is an integer, `0.5` a float, `true` and `false` are switches, anything else is a text. Double quotes
    /// keep spaces and make anything a text (`/cue/1/start`, `/note "bar 57" 57 0.5 true`).
    /// - Throws: ``ExplainedError``.
    public init(text: String) throws(ExplainedError) {
        var words = try Self.splitWords(of: text)
        guard let first = words.first, !first.isQuoted, first.text.hasPrefix("/") else {
            throw ExplainedError("A message starts with an address such as '/cue/1/start'.")
        }
        words.removeFirst()
        self.init(first.text, words.map(\.parsedArgument))
    }

    private struct TextWord {
        var text = ""
        var isQuoted = false

        var parsedArgument: OSCArgument {
            if isQuoted { return .string(text) }
            switch text {
            case "true", "TRUE": return .yes
            case "false", "FALSE": return .no
            default: break
            }
            if let value = Int32(text) { return .int(value) }
            // "nan" and "inf" are texts, not numbers.
            if text.utf8.contains(where: { (0x30...0x39).contains($0) }), let value = Float(text),
                value.isFinite
            {
                return .float(value)
            }
            return .string(text)
        }
    }

    private static func splitWords(of text: String) throws(ExplainedError) -> [TextWord] {
        var words: [TextWord] = []
        var word: TextWord?
        var isInside = false
        for character in text {
            if isInside {
                if character == "\"" { isInside = false } else { word?.text.append(character) }
            } else if character == "\"" {
                isInside = true
                word = word ?? TextWord()
                word?.isQuoted = true
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = word ?? TextWord()
                word?.text.append(character)
            }
        }
        guard !isInside else { throw ExplainedError("A double quote in the message is not closed.") }
        return word.map { words + [$0] } ?? words
    }
}
