/// Words a listener may not know, each with what it means.
public struct Glossary: Hashable, Sendable, Codable {
    public var items: [GlossaryItem]

    public init(items: [GlossaryItem] = []) { self.items = items }
}

/// One word of the glossary.
public struct GlossaryItem: Hashable, Sendable, Codable {
    public var name: String
    public var category: String
    public var description: String
    /// Where the thing comes from; may be empty.
    public var history: String
    public var image: AssetName?
    /// Whose listeners the item is for; nil for those of every language that has none of its own.
    public var language: Language?

    public init(
        name: String, category: String, description: String, history: String = "", image: AssetName? = nil,
        language: Language? = nil
    ) {
        self.language = language
        self.name = ContentWords.line(name)
        self.category = ContentWords.line(category)
        self.description = ContentWords.paragraphs(description)
        self.history = ContentWords.paragraphs(history)
        self.image = image
    }
}
