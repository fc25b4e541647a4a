import Concert
import Titles

/// A command that a person gives to the Podium by console, terminal or show control.
///
/// As text, a command is a name with arguments; ``descriptions`` lists all commands.
public enum PodiumCommand: Hashable, Sendable {
    case takeBaton
    case releaseBaton
    case holdPosition
    case endHold
    case tapMeasureBeginning
    /// Moves the position by a number of measures: forward, or back if negative; never 0.
    case nudgePosition(Int)
    case goTo(MeasureReference)
    case beginMeasureNow(MeasureReference?)
    case chooseCandidate(CandidateChoice)
    /// Arms the show or its next piece, so that the follower waits for the first bar; or lets it wait to be armed.
    case setArmed(Bool)
    /// The music begins now, or has begun within the last two seconds.
    case beginMusic
    case setArmEachPiece(Bool)
    case fireStandbyCue
    /// Fires a cue of the piece, named by its id, its number or its name.
    case fireCue(String)
    case chooseStandbyCue(StandbyChoice)
    /// Lets automatic cues fire again when the music reaches them: the cues from the given place on, or those after
    /// the present measure if the place is nil.
    case rearmCues(MeasureReference?)
    case panic
    case endPanic
    case setShowLock(Bool)
    case setBlackout(Bool)
    case setAudienceFreeze(Bool)
    case pauseAll
    case resumeAll
    /// Goes to a piece, given as an index into ``ShowProgramme/pieces`` from 0, although people count from 1.
    case beginPiece(Int, PieceStart)
    case nextPiece
    case setIntermission(Bool)
    case setAutoAdvance(Bool)
    case setRehearsal(Bool)
    case sendMessage(PushMessage)
    case withdrawMessage
    /// Moves the titles on, hides them or blanks the screens.
    case title(TitleCommand)
    /// Writes a text to the log, and does nothing else.
    case logNote(String)
}

/// Selects one of the candidates of a follower that is lost or undecided.
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
    /// The place is unknown; the audience keeps its view until the follower has found the music.
    case unknownPlace
}
