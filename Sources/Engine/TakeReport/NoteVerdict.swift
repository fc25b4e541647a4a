/// A note of the score at the instant at which the take should have it.
public struct ExpectedNote: Sendable, Hashable {
    /// The MIDI number of the pitch; 69 is A4.
    public var pitch: Int
    /// Seconds of the take, by the alignment of bars.
    public var onset: Double
    /// Seconds.
    public var duration: Double

    public init(pitch: Int, onset: Double, duration: Double) {
        (self.pitch, self.onset, self.duration) = (pitch, onset, duration)
    }
}

/// The verdict about a note of a take.
public enum NoteVerdict: Sendable, Hashable {
    case right
    /// The note begins so many seconds later than its neighbours; earlier if negative.
    case late(Double)
    /// Another pitch sounds instead.
    case wrong(pitch: Int)
    case missing
    case unknown(NoteDoubt)

    /// True if the verdict says that the player made a mistake.
    public var isAccusation: Bool {
        switch self {
        case .right, .unknown: false
        case .late, .wrong, .missing: true
        }
    }
}

/// The reason why a note cannot be judged.
public enum NoteDoubt: Error, Sendable, Hashable, CaseIterable {
    /// Another note of the score sounds at the same time and has the note's partials.
    case covered
    /// The note is shorter than sound can tell.
    case tooShort
    /// The sound is hardly louder than the noise.
    case noise
    /// The evidence is neither for nor against the note.
    case unclear
    /// The note is too low or too high.
    case outOfRange
    /// The bar itself is not certain.
    case unalignedBar
}

/// A note that the score does not have.
public struct ExtraNote: Sendable, Hashable {
    public var pitch: Int
    /// Seconds of the take.
    public var onset: Double

    public init(pitch: Int, onset: Double) { (self.pitch, self.onset) = (pitch, onset) }
}

/// The verdicts on the notes of a take.
public struct NoteReport: Sendable, Hashable {
    /// One for each expected note, in the same order.
    public var verdicts: [NoteVerdict]
    public var extras: [ExtraNote]
}
