/// Splits a command's payload into words at spaces. Double quotes hold words with spaces together.
public enum CommandPayloadParser {
    public static let mostCommandBytes = 4_096

    /// Returns the command's words; nil if the payload is empty, too long, not UTF-8, or has an unclosed quote.
    public static func words(of payload: [UInt8]) -> [String]? {
        guard payload.count <= mostCommandBytes, let text = String(validating: payload, as: UTF8.self) else {
            return nil
        }
        var words: [String] = []
        var word: String?
        var isInside = false
        for character in text {
            if character == "\"" {
                isInside.toggle()
                word = word ?? ""
            } else if character.isWhitespace, !isInside {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard !isInside else { return nil }
        if let word { words.append(word) }
        return words.isEmpty ? nil : words
    }
}
