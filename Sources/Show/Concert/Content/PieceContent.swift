import Score

/// Everything that the content server delivers for one piece.
public struct PieceContent: Hashable, Sendable, Codable {
    public var name: PieceName
    /// The value of `<measures>`, usually the number of played measures.
    public var measureCount: Int
    /// The track `NumSeconds`: the onset of each measure in the reference recording, in performance order.
    public var measures: [MeasureMark]
    /// The tracks that a listener can choose from, in the order offered.
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

    /// Every image that a slide names, each once, in order of first appearance.
    public var images: [AssetName] {
        var seen: Set<AssetName> = []
        return tracks.flatMap(\.slides).flatMap(\.text.images).filter { seen.insert($0).inserted }
    }

    /// The end of the music in the reference recording, in seconds: the `END` of the structure if it is after the
    /// last measure's onset; otherwise the last measure is assumed to be as long as the one before it.
    public var endSeconds: Double? {
        guard let last = measures.last?.onset.seconds else { return nil }
        if let end = structure.end?.time.seconds, end > last { return end }
        let before = measures.dropLast().last?.onset.seconds ?? last
        return last + max(last - before, 0)
    }
}

/// A concert as its listeners get it: its pieces in order, and everything that they share.
public struct ConcertContent: Hashable, Sendable, Codable {
    public var title: String
    /// ISO 8601: a date, or only a year or a month if no more is known.
    public var date: String?
    public var pieces: [PieceContent]
    public var glossary: Glossary
    /// The file with the programme notes, one of the app's assets.
    public var programNotes: AssetName?
    /// The text of the info view: who made the concert and who supported it.
    public var credits: [String]
    /// The address that the info view links to.
    public var link: WebAddress?
    /// Tonight's performers, in the order in which they are shown.
    public var cast: [Performer]

    public init(
        title: String, date: String? = nil, pieces: [PieceContent] = [], glossary: Glossary = Glossary(),
        programNotes: AssetName? = nil, credits: [String] = [], link: WebAddress? = nil,
        cast: [Performer] = []
    ) {
        self.cast = cast
        self.title = CleanText.line(title)
        self.date = date
        self.pieces = pieces
        self.glossary = glossary
        self.programNotes = programNotes
        self.credits = credits.map(CleanText.line)
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
