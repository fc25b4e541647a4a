import Concert

/// A command that a person gives to the Podium by console, terminal or show control.
///
/// In words it is a name with arguments; ``uses`` lists all of them.
public enum PodiumCommand: Hashable, Sendable {
    case take
    case release
    case hold
    case resume
    case tap
    /// Number of measures, forward or, if negative, back; not 0.
    case nudge(Int)
    case goTo(MeasureReference)
    case barIsNow(MeasureReference?)
    case choose(CandidateChoice)
    case go
    case standby(StandbyChoice)
    /// Automatic cues from a place on, or after the present measure, fire again when the music gets there.
    case rearm(MeasureReference?)
    case panic
    case panicOver
    case lock(Bool)
    case blackout(Bool)
    case freeze(Bool)
    case pauseAll
    case resumeAll
    /// An index into ``ShowProgramme/pieces``, from 0, although people count from 1.
    case piece(Int, PieceStart)
    case nextPiece
    case intermission(Bool)
    case autoAdvance(Bool)
    case rehearsal(Bool)
    case message(PushMessage)
    case withdraw
    /// A text for the log only.
    case note(String)
}

/// Selects one of a lost follower's candidates.
public enum CandidateChoice: Hashable, Sendable {
    /// Selects by the displayed number, 1…3.
    case number(Int)
    /// Selects by place, which stays right even if the numbers change. A printed measure needs its occurrence, as in
    /// `57/1`, because a plain number means a candidate.
    case place(MeasureReference)
}

/// Selects the cue on standby.
public enum StandbyChoice: Hashable, Sendable {
    case next
    case previous
    case none
    case cue(Cue.ID)
}

/// The place in a piece at which the music will begin.
public enum PieceStart: Hashable, Sendable {
    case beginning
    case place(MeasureReference)
    /// Unknown: the audience keeps its view until the follower has found the music.
    case unknown
}
