import Score

/// All content that the server delivers for one piece.
public struct PieceContent: Hashable, Sendable, Codable {
    public var name: PieceName
    /// The value of `<measures>` in the XML, usually the number of played measures.
    public var measureCount: Int
    /// The onset of each measure in the reference recording, in playing order; in the XML, the track `NumSeconds`.
    public var measures: [PlayedMeasure]
    /// The tracks from which a listener can choose, in the order in which they are offered.
    public var tracks: [Track]
    public var structure: EditedPieceStructure

    public init(
        name: PieceName, measureCount: Int? = nil, measures: [PlayedMeasure] = [], tracks: [Track] = [],
        structure: EditedPieceStructure = EditedPieceStructure()
    ) {
        self.name = name
        self.measureCount = measureCount ?? measures.count
        self.measures = measures
        self.tracks = tracks
        self.structure = structure
    }

    /// All images that slides name, each once, in order of first appearance.
    public var slideImages: [AssetName] {
        var seen: Set<AssetName> = []
        return tracks.flatMap(\.slides).flatMap(\.text.images).filter { seen.insert($0).inserted }
    }

    /// The end of the music in the reference recording, in seconds; nil if there are no measures.
    ///
    /// If the structure has an `END` after the last measure's onset, the music ends there. Otherwise the last measure
    /// is assumed to be as long as the one before it.
    public var musicEndSeconds: Double? {
        guard let last = measures.last?.onset.seconds else { return nil }
        if let end = structure.end?.time.seconds, end > last { return end }
        let before = measures.dropLast().last?.onset.seconds ?? last
        return last + max(last - before, 0)
    }
}

/// A concert as its listeners get it: its pieces in order, and the content that all pieces share.
public struct ConcertContent: Hashable, Sendable, Codable {
    public var title: String
    /// Date in ISO 8601, or only a year or a month if no more is known; nil if unknown.
    public var date: String?
    public var pieces: [PieceContent]
    public var glossary: Glossary
    /// The file with the programme notes, one of the concert's assets.
    public var programNotes: AssetName?
    /// The text of the app's info view: who made the concert and who supported it.
    public var credits: [String]
    /// The web address to which the app's info view links.
    public var link: WebAddress?
    /// Tonight's performers, in the order in which they are shown.
    public var cast: [Performer]

    public init(
        title: String, date: String? = nil, pieces: [PieceContent] = [], glossary: Glossary = Glossary(),
        programNotes: AssetName? = nil, credits: [String] = [], link: WebAddress? = nil,
        cast: [Performer] = []
    ) {
        self.cast = cast
        self.title = CleanText.cleanedLine(title)
        self.date = date
        self.pieces = pieces
        self.glossary = glossary
        self.programNotes = programNotes
        self.credits = credits.map(CleanText.cleanedLine)
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
