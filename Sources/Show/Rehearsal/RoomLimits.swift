import Basics
import Score

/// The upper limits of a room's contents. Anything beyond them is refused with a sentence.
public enum RoomLimits {
    /// The most Unicode scalars in a name, a title or an e-mail address.
    public static let longestName = 200
    /// The most Unicode scalars in a text remark.
    public static let longestRemarkText = 2_000
    /// The most points in one line or highlight.
    public static let mostStrokePoints = 2_000
    /// The most remarks of a room in one score, not counting erased ones. One author cannot use them up; see
    /// ``ScoreRemarkLimits/mostRemarksOfAuthor``.
    public static let mostRemarks = 20_000
    /// The most erased remarks that can still be restored; the oldest are dropped first.
    public static let mostErasedRemarks = 5_000
    public static let mostMembers = 2_000
    /// The most rooms that one musician publishes at the same time.
    public static let mostPublishedRooms = 50
    /// The most scores in the programme of a room.
    public static let mostProgrammeEntries = 64
    /// The most participations in one session; every return of a member counts as another one.
    public static let mostParticipations = 20_000
    public static let mostLayers = 50_000
    public static let mostParts = 200
    public static let mostPagesPerPart = 5_000
    public static let mostMovements = 200
    /// The most measure boxes (`Part.places`) in one part.
    public static let mostMeasurePlaces = 50_000
    /// The range of numbers that may be printed over a measure.
    public static let measureNumberRange = -100_000...100_000
    /// The most steps in one performance.
    public static let mostPerformanceSteps = 100_000
    /// The number of events for everybody that are kept for stands that were disconnected.
    public static let sharedEventsKept = 2_000
    /// The number of accepted events whose ids are remembered, so that a late copy is recognised.
    public static let rememberedEventIDs = 20_000

    /// Returns a name in the form in which it is stored: without unseen marks, and without white space at its ends.
    /// - Throws: ``RehearsalFault`` if the name is empty, is too long, or contains a line break or another control
    ///   character.
    static func validatedName(_ text: String, of what: NameKind) throws(RehearsalFault) -> String {
        let name = try validatedLine(text, of: what)
        guard !name.isEmpty else { throw .noName(what) }
        return name
    }

    /// Returns a line of text in the form in which it is stored. It may be empty; otherwise the limits of a name apply.
    static func validatedLine(_ text: String, of what: NameKind) throws(RehearsalFault) -> String {
        guard !trimmed(text).unicodeScalars.contains(where: \.isControlOrLineBreak) else {
            throw .controlCharacter(what)
        }
        let line = NameRule.cleaned(text)
        let length = line.unicodeScalars.count
        guard length <= longestName else { throw .nameTooLong(what, scalars: length) }
        return line
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
