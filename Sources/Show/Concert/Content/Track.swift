/// A series of slides through a piece. Listeners choose from several, such as The Music, History or Die Musik.
public struct Track: Hashable, Sendable, Codable {
    /// Track names that the format reserves for the measure times and the structure.
    public static let reservedNames = ["NumSeconds", "Structure"]

    public var name: String
    /// The language of the slides. It is stored in the ``PieceSupplement``, since the fixed XML cannot hold it.
    public var language: Language?
    /// The subject of the track, the same word in every language, such as `music` or `history`. The fixed XML cannot
    /// hold it.
    public var subject: String?
    /// The audience for which the track is written. The fixed XML cannot hold it.
    public var level: TrackLevel?
    /// The slides in performance order.
    public var slides: [Slide]

    public init(
        name: String, language: Language? = nil, subject: String? = nil, level: TrackLevel? = nil,
        slides: [Slide] = []
    ) {
        self.name = CleanText.cleanedLine(name)
        self.language = language
        self.subject = subject.map(CleanText.cleanedLine)
        self.level = level
        self.slides = slides
    }
}

/// The audience for which a track is written.
public enum TrackLevel: String, Hashable, Sendable, Codable, CaseIterable {
    case newcomer, listener, expert
}

/// One slide of a track.
public struct Slide: Hashable, Sendable, Codable {
    public var place: MeasureAnchor
    public var text: SlideText

    public init(place: MeasureAnchor, text: SlideText) {
        self.place = place
        self.text = text
    }
}
