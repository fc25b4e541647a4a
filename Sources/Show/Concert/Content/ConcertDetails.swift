/// The facts about a concert as a whole, without its pieces and its glossary; transferred as JSON.
public struct ConcertDetails: Hashable, Sendable, Codable {
    public var title: String
    /// Date in ISO 8601, or only a year or a month if no more is known; nil if unknown.
    public var date: String?
    public var programNotes: AssetName?
    public var credits: [String]
    public var link: WebAddress?
    /// Tonight's performers. Nil if there are none, so that older files without this field can still be read.
    public var cast: [Performer]?

    public init(
        title: String, date: String? = nil, programNotes: AssetName? = nil, credits: [String] = [],
        link: WebAddress? = nil, cast: [Performer] = []
    ) {
        self.cast = cast.isEmpty ? nil : cast
        self.title = title
        self.date = date
        self.programNotes = programNotes
        self.credits = credits
        self.link = link
    }
}

extension ConcertContent {
    public init(_ heading: ConcertDetails, pieces: [PieceContent], glossary: Glossary) {
        self.init(
            title: heading.title, date: heading.date, pieces: pieces, glossary: glossary,
            programNotes: heading.programNotes, credits: heading.credits, link: heading.link,
            cast: heading.cast ?? [])
    }

    public var details: ConcertDetails {
        ConcertDetails(
            title: title, date: date, programNotes: programNotes, credits: credits, link: link, cast: cast)
    }
}
