import Score

/// All that the content server gives out for one piece.
public struct PieceContent: Hashable, Sendable, Codable {
    public var name: PieceName
    /// What `<measures>` says; mostly how many measures are played.
    public var measureCount: Int
    /// The track `NumSeconds`: when each measure of the reference recording starts, in performance order.
    public var measures: [MeasureMark]
    /// What a listener can choose from, in the order offered.
    public var tracks: [Track]
    public var structure: ContentStructure

    public init(
        name: PieceName, measureCount: Int? = nil, measures: [MeasureMark] = [], tracks: [Track] = [],
        structure: ContentStructure = ContentStructure()
    ) {
        self.name = name
        self.measureCount = measureCount ?? measures.count
        self.measures = measures
        self.tracks = tracks
        self.structure = structure
    }

    /// Every image a slide names, each once, in the order they come.
    public var images: [AssetName] {
        var seen: Set<AssetName> = []
        return tracks.flatMap(\.slides).flatMap(\.text.images).filter { seen.insert($0).inserted }
    }

    /// Where the music ends in the reference recording: the `END` of the structure behind the last measure's
    /// onset; otherwise the last measure is taken to be as long as the one before it.
    public var endSeconds: Double? {
        guard let last = measures.last?.onset.seconds else { return nil }
        if let end = structure.end?.time.seconds, end > last { return end }
        let before = measures.dropLast().last?.onset.seconds ?? last
        return last + max(last - before, 0)
    }
}

/// A concert as listeners find it: its pieces in order and what belongs to all of them.
public struct ConcertContent: Hashable, Sendable, Codable {
    public var title: String
    /// ISO 8601; year or month alone where no more is known.
    public var date: String?
    public var pieces: [PieceContent]
    public var glossary: Glossary
    /// The programme notes among the app's assets.
    public var programNotes: AssetName?
    /// What the info view says: who made the concert, who supported it.
    public var credits: [String]
    /// Where the info view's link leads.
    public var link: WebAddress?
    /// Tonight's performers, in the order shown.
    public var cast: [Performer]

    public init(
        title: String, date: String? = nil, pieces: [PieceContent] = [], glossary: Glossary = Glossary(),
        programNotes: AssetName? = nil, credits: [String] = [], link: WebAddress? = nil,
        cast: [Performer] = []
    ) {
        self.cast = cast
        self.title = ContentWords.line(title)
        self.date = date
        self.pieces = pieces
        self.glossary = glossary
        self.programNotes = programNotes
        self.credits = credits.map(ContentWords.line)
        self.link = link
    }
}

extension WebAddress: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let address = WebAddress(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not an http or https address"))
        }
        self = address
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
