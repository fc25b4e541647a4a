/// A short text translated into another language.
public struct Translation: Hashable, Sendable, Codable {
    public var language: Language
    public var text: String

    public init(language: Language, text: String) {
        self.language = language
        self.text = CleanText.cleanedLine(text)
    }

    /// Reads a line such as `de: Zweiter Teil`; nil if the line has another form.
    public init?(line: String) {
        let sides = line.split(separator: ":", maxSplits: 1).map { CleanText.cleanedLine(String($0)) }
        guard sides.count == 2, !sides[1].isEmpty, let language = Language(sides[0]) else { return nil }
        self.init(language: language, text: sides[1])
    }

    public var editorLine: String { "\(language): \(text)" }
}
