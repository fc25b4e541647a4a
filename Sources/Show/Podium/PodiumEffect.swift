import Concert
import Score

/// The result of an event; the owner carries the effects out in order.
public enum PodiumEffect: Hashable, Sendable {
    /// The audience's position from now on; only when it changes.
    case show(AudiencePosition)
    /// Nothing is live any longer.
    case endLive
    /// Fires a cue; for a message cue an `announce` follows separately.
    case fire(Cue, CueTiming)
    /// The cue that GO will fire; nil for none.
    case standby(Cue.ID?)
    /// For the follow lane: the music is there now, playing. Later reports carry the newest order carried out.
    case anchorFollower(piece: Int, at: ScorePosition, order: UInt32)
    /// For the follow lane: wait for the music there; nil if the place is unknown.
    case beginFollower(piece: Int, at: ScorePosition?, order: UInt32)
    /// Makes a message current.
    case announce(PushMessage)
    case withdrawMessage
    /// Switches the audience's screens between live, frozen, black and ended.
    case audience(AudienceView)
    case panic(PanicStep)
    /// The follower is lost: places from which a person may choose by number; may be empty.
    case askForHelp([Candidate])
    case helpOver
    /// The baton has changed hands, or a new term has begun.
    case holder(BatonHolder, Epoch)
    /// A command was refused.
    case refused(CommandRefusal)
    /// A sentence that a technician should read; `id` is its kind.
    case notice(id: String, sentence: String)
}

/// The measure that the audience sees.
public struct AudiencePosition: Hashable, Sendable, Codable {
    /// The piece, as an index into ``ShowProgramme/pieces``.
    public var piece: Int
    /// Index of the played measure, from 0.
    public var played: Int
    public var printed: Int
    /// The epoch in which it was first shown.
    public var epoch: Epoch

    public init(piece: Int, played: Int, printed: Int, epoch: Epoch) {
        self.piece = piece
        self.played = played
        self.printed = printed
        self.epoch = epoch
    }

    /// True if the audience would see no difference.
    public func isSamePlace(as other: AudiencePosition) -> Bool {
        (piece, played, printed) == (other.piece, other.played, other.printed)
    }
}

/// The state of the audience's screens.
public enum AudienceView: String, Hashable, Sendable, Codable, CaseIterable {
    case live
    /// The screens keep the last position.
    case frozen
    /// The screens show nothing.
    case black
    /// Nothing is live: before the music, in the intermission, in rehearsals, after a hard stop.
    case ended
}

/// The effect of pressing panic.
public enum PanicStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// Outputs fade to a safe state, the audience keeps its view, and no cue fires.
    case safe
    /// Hard stop: nothing is live.
    case stop
    case over
}

/// The present stage of a panic: none, safe state, or hard stop.
public enum PanicLevel: String, Hashable, Sendable, Codable, CaseIterable {
    case none
    case safe
    case stop
}
