/// Words that a listener may not know, with their meanings.
public struct Glossary: Hashable, Sendable, Codable {
    public var items: [GlossaryItem]

    public init(items: [GlossaryItem] = []) { self.items = items }
}

/// One word of the glossary.
public struct GlossaryItem: Hashable, Sendable, Codable {
    public var name: String
    public var category: String
    public var description: String
    /// The origin of the thing that the word names; may be empty.
    public var history: String
    public var image: AssetName?
    /// The language of the listeners who see this entry. An entry without a language is for listeners in whose language
    /// the word has no entry of its own.
    public var language: Language?

    public init(
        name: String, category: String, description: String, history: String = "", image: AssetName? = nil,
        language: Language? = nil
    ) {
        self.language = language
        self.name = CleanText.cleanedLine(name)
        self.category = CleanText.cleanedLine(category)
        self.description = CleanText.cleanedParagraphs(description)
        self.history = CleanText.cleanedParagraphs(history)
        self.image = image
    }
}
