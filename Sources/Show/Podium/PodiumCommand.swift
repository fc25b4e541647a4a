import Concert

/// What a person can tell the Podium, by whatever way: console, terminal, show control.
///
/// As words it is a name and arguments; ``uses`` lists them.
public enum PodiumCommand: Hashable, Sendable {
    case take
    case release
    case hold
    case resume
    case tap
    /// Measures forward, or back where negative; not 0.
    case nudge(Int)
    case goTo(Place)
    case barIsNow(Place?)
    case choose(CandidateChoice)
    case go
    case standby(StandbyChoice)
    /// The automatic cues from a place on, or from here, fire again when the music gets there.
    case rearm(Place?)
    case panic
    case panicOver
    case lock(Bool)
    case blackout(Bool)
    case freeze(Bool)
    case pauseAll
    case resumeAll
    /// Index into ``ShowCourse/pieces``, from 0; people count from 1.
    case piece(Int, PieceStart)
    case nextPiece
    case intermission(Bool)
    case autoAdvance(Bool)
    case rehearsal(Bool)
    case message(PushMessage)
    case withdraw
    /// For the log alone.
    case note(String)
}

/// One of the places that a lost follower offers.
public enum CandidateChoice: Hashable, Sendable {
    /// 1…3, as they are shown.
    case number(Int)
    /// By where it is, for those who must not be wrong when the numbers change. A printed measure names its time, since
    /// a plain number is a candidate's.
    case place(Place)
}

/// Where the standby goes.
public enum StandbyChoice: Hashable, Sendable {
    case next
    case previous
    case none
    case cue(Cue.ID)
}

/// Where in a piece the music will begin.
public enum PieceStart: Hashable, Sendable {
    case beginning
    case place(Place)
    /// Nobody knows; the audience keeps what it sees until the follower has found the music.
    case unknown
}
