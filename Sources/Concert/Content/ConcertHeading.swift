/// What belongs to a concert as a whole, apart from its pieces and glossary; travels as JSON.
public struct ConcertHeading: Hashable, Sendable, Codable {
    public var title: String
    /// ISO 8601; year or month alone where no more is known.
    public var date: String?
    public var programNotes: AssetName?
    public var credits: [String]
    public var link: WebAddress?

    public init(
        title: String, date: String? = nil, programNotes: AssetName? = nil, credits: [String] = [],
        link: WebAddress? = nil
    ) {
        self.title = title
        self.date = date
        self.programNotes = programNotes
        self.credits = credits
        self.link = link
    }
}

extension ConcertContent {
    public init(_ heading: ConcertHeading, pieces: [PieceContent], glossary: Glossary) {
        self.init(
            title: heading.title, date: heading.date, pieces: pieces, glossary: glossary,
            programNotes: heading.programNotes, credits: heading.credits, link: heading.link)
    }

    public var heading: ConcertHeading {
        ConcertHeading(title: title, date: date, programNotes: programNotes, credits: credits, link: link)
    }
}
