/// One thread of slides through a piece that a listener can choose: The Music, History, Die Musik.
public struct Track: Hashable, Sendable, Codable {
    /// The names the format keeps for the measure times and the structure.
    public static let reservedNames = ["NumSeconds", "Structure"]

    public var name: String
    /// Not in the fixed XML: see ``PieceSupplement``.
    public var language: Language?
    /// What the track is about, the same in every language: `music`, `history`. Not in the fixed XML.
    public var subject: String?
    /// For whom it is written. Not in the fixed XML.
    public var level: TrackLevel?
    /// In performance order.
    public var slides: [Slide]

    public init(
        name: String, language: Language? = nil, subject: String? = nil, level: TrackLevel? = nil,
        slides: [Slide] = []
    ) {
        self.name = ContentWords.line(name)
        self.language = language
        self.subject = subject.map(ContentWords.line)
        self.level = level
        self.slides = slides
    }
}

/// For whom a track is written.
public enum TrackLevel: String, Hashable, Sendable, Codable, CaseIterable {
    case newcomer, listener, expert
}

/// One page of a track.
public struct Slide: Hashable, Sendable, Codable {
    public var place: MeasurePlace
    public var text: SlideText

    public init(place: MeasurePlace, text: SlideText) {
        self.place = place
        self.text = text
    }
}
