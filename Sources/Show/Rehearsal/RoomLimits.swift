import Score

/// Upper limits of a room's contents. Anything beyond is refused with a sentence.
public enum RoomLimits {
    /// Unicode scalars of a name, a title or an e-mail address.
    public static let longestName = 200
    /// Unicode scalars of a text remark.
    public static let longestText = 2_000
    /// Most points of one line or highlight.
    public static let mostPoints = 2_000
    /// Remarks in a room, not counting erased ones.
    public static let mostRemarks = 20_000
    /// Remarks of one author in a room, not counting erased ones, so that nobody can use up everybody's limit.
    public static let mostRemarksOfOne = 8_000
    /// Erased remarks that can still be restored; the oldest are dropped first.
    public static let mostErased = 5_000
    public static let mostMembers = 2_000
    /// Participations in one session; every return of a member counts as another one.
    public static let mostParticipations = 20_000
    public static let mostLayers = 50_000
    public static let mostParts = 200
    public static let mostPages = 5_000
    public static let mostMovements = 200
    /// Measure places of one part.
    public static let mostPlaces = 50_000
    /// Numbers that may be printed over a measure.
    public static let measureNumberRange = -100_000...100_000
    /// Steps of one performance.
    public static let mostSteps = 100_000
    /// Events for everybody that are kept for stands that were disconnected.
    public static let sharedHistory = 2_000
    /// Events on a member's own layers that are kept for that member's stands.
    public static let ownHistory = 500
    /// Ids of accepted events that are remembered, so that a late copy is recognised.
    public static let rememberedEvents = 20_000

    /// A name in the form in which it is stored: without white space at its ends.
    /// - Throws: ``RehearsalFault`` if it is empty, is too long, or contains a line break or another control
    ///   character.
    static func name(_ text: String, of what: NameKind) throws(RehearsalFault) -> String {
        let name = trimmed(text)
        guard !name.isEmpty else { throw .noName(what) }
        return try line(name, of: what)
    }

    /// A line that may be empty, with the same limits as a name.
    static func line(_ text: String, of what: NameKind) throws(RehearsalFault) -> String {
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
