import Score

/// How much a room takes. Whatever is beyond is refused with a sentence, and costs nobody else anything.
public enum RoomLimits {
    /// Unicode scalars of a name, a title, an e-mail address.
    public static let longestName = 200
    /// Unicode scalars of a text remark.
    public static let longestText = 2_000
    /// Points of one line or highlight.
    public static let mostPoints = 2_000
    /// Remarks in a room that are not erased.
    public static let mostRemarks = 20_000
    /// Remarks of one author in a room that are not erased: nobody fills it for all.
    public static let mostRemarksOfOne = 8_000
    /// Erased remarks that can still be restored; the oldest go first.
    public static let mostErased = 5_000
    public static let mostMembers = 2_000
    /// Participations of one session; coming and going counts each time.
    public static let mostParticipations = 20_000
    public static let mostLayers = 50_000
    public static let mostParts = 200
    public static let mostPages = 5_000
    public static let mostMovements = 200
    /// Measure places of one part.
    public static let mostPlaces = 50_000
    /// What is printed over a measure.
    public static let measureNumbers = -100_000...100_000
    /// Steps of one performance.
    public static let mostSteps = 100_000
    /// Events for all that are kept for stands that were away.
    public static let sharedHistory = 2_000
    /// Events of one member's own layers that are kept for that member's stands.
    public static let ownHistory = 500
    /// Ids of events taken that are remembered, so that a late copy is known for one.
    public static let rememberedEvents = 20_000

    /// A name as it is kept: without blanks at its ends.
    /// - Throws: where nothing is left, it is too long, or it holds a line break or another control
    ///   character.
    static func name(_ text: String, of what: NamedThing) throws(RehearsalFault) -> String {
        let name = trimmed(text)
        guard !name.isEmpty else { throw .noName(what) }
        return try line(name, of: what)
    }

    /// A line that may be empty.
    static func line(_ text: String, of what: NamedThing) throws(RehearsalFault) -> String {
        let line = trimmed(text)
        let length = line.unicodeScalars.count
        guard length <= longestName else { throw .nameTooLong(what, scalars: length) }
        guard !line.unicodeScalars.contains(where: \.breaksTheLine) else { throw .controlCharacter(what) }
        return line
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
