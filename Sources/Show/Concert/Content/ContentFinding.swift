/// A mistake or a weakness in content that an editor should know before listeners see it.
public struct ContentFinding: Hashable, Sendable, Codable {
    public var rule: ContentRule
    public var severity: FindingSeverity
    public var place: FindingLocation
    /// A sentence that says what is wrong, where, and what to do.
    public var sentence: String

    public init(
        _ rule: ContentRule, _ severity: FindingSeverity, at place: FindingLocation, _ sentence: String
    ) {
        self.rule = rule
        self.severity = severity
        self.place = place
        self.sentence = sentence
    }
}

/// The severity of a finding.
public enum FindingSeverity: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// The content could be better.
    case hint
    /// Listeners may miss something.
    case warning
    /// Listeners would see something wrong, or nothing.
    case error

    public static func < (lhs: FindingSeverity, rhs: FindingSeverity) -> Bool {
        guard let left = allCases.firstIndex(of: lhs), let right = allCases.firstIndex(of: rhs) else {
            return false
        }
        return left < right
    }
}

/// The part of a concert to which a finding refers. All indices count from 0; nil means that none applies.
public struct FindingLocation: Hashable, Sendable, Codable {
    public var piece: Int?
    public var track: Int?
    public var slide: Int?
    public var section: Int?
    public var glossaryItem: Int?

    public init(
        piece: Int? = nil, track: Int? = nil, slide: Int? = nil, section: Int? = nil, glossaryItem: Int? = nil
    ) {
        self.piece = piece
        self.track = track
        self.slide = slide
        self.section = section
        self.glossaryItem = glossaryItem
    }
}

/// The rules that a content check applies.
public enum ContentRule: String, Hashable, Sendable, Codable, CaseIterable {
    case pieceName, sameName, sameFolder, date
    case noMeasures, measuresNotRising, measureCount, otherMeasures
    case emptyTrack, trackName, noTracks
    case emptySlide, slideTooLong, longSlide, unknownMeasure, outsideTheMusic, sameMeasure, slideOrder,
        timeAtOdds
    case missingImage
    case structureWithoutEnd, structureOrder, colour, emptyLabel
    case languageGap
    case glossaryUnused, glossaryTwice, glossaryWithoutText
}
