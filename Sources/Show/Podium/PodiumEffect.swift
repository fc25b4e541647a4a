import Concert
import Score

/// What follows from an event; the owner carries it out, in order.
public enum PodiumEffect: Hashable, Sendable {
    /// What the audience sees from now on; only when it changes.
    case show(AudiencePosition)
    /// Nothing is live any more.
    case endLive
    /// A cue fires; where it is a message, `announce` follows by itself.
    case fire(Cue, CueTiming)
    /// The cue GO will fire; nil for none.
    case standby(Cue.ID?)
    /// To the follow lane: the music is there now, playing. Words carry the newest order obeyed.
    case anchorFollower(piece: Int, at: ScorePosition, order: UInt32)
    /// To the follow lane: wait for the music there; nil where nobody knows.
    case beginFollower(piece: Int, at: ScorePosition?, order: UInt32)
    /// A message is current.
    case announce(PushMessage)
    case withdrawMessage
    /// How the audience sees what it sees.
    case audience(AudienceView)
    case panic(PanicStep)
    /// The follower is lost: where the music may be, to be chosen by number; may be empty.
    case askForHelp([Candidate])
    case helpOver
    /// The baton changed hands, or a new reign began.
    case holder(Holder, Epoch)
    /// A command was not obeyed.
    case refused(Refusal)
    /// Something a technician should read; `id` says of which kind.
    case notice(id: String, sentence: String)
}

/// A measure the audience sees.
public struct AudiencePosition: Hashable, Sendable, Codable {
    /// Index into ``ShowCourse/pieces``.
    public var piece: Int
    /// Played measure, from 0.
    public var played: Int
    public var printed: Int
    /// In which it was shown first.
    public var epoch: Epoch

    public init(piece: Int, played: Int, printed: Int, epoch: Epoch) {
        self.piece = piece
        self.played = played
        self.printed = printed
        self.epoch = epoch
    }

    /// True where the audience would see no difference.
    public func isSamePlace(as other: AudiencePosition) -> Bool {
        (piece, played, printed) == (other.piece, other.played, other.printed)
    }
}

/// How the audience sees the position.
public enum AudienceView: String, Hashable, Sendable, Codable, CaseIterable {
    case live
    /// It keeps what it sees.
    case frozen
    /// It sees nothing.
    case black
    /// Nothing is live: before the music, in the intermission, in rehearsals, after a hard stop.
    case ended
}

/// What a press of panic does.
public enum PanicStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// Outputs fade to a safe state; the audience keeps what it sees; no cue fires.
    case safe
    /// Hard stop: nothing is live.
    case stop
    case over
}

/// How far a panic has gone.
public enum PanicLevel: String, Hashable, Sendable, Codable, CaseIterable {
    case none
    case safe
    case stop
}
