import Concert
import Floor
import Score

/// An action that results from an event; the owner of the Podium carries the actions out in order.
public enum PodiumEffect: Hashable, Sendable {
    /// The audience sees this position from now on; sent only when it changes.
    case showPosition(AudiencePosition)
    /// The audience no longer sees a live position.
    case endLivePosition
    /// Fires a cue; for a message cue a `showMessage` follows separately.
    case fireCue(Cue, CueFiringDetails)
    /// Another cue is on standby, which GO will fire; nil for none.
    case standbyChanged(Cue.ID?)
    /// Tells the follower that the music plays at this position now. The follower's later reports contain the number
    /// of the newest order that it has carried out.
    case anchorFollower(piece: Int, at: ScorePosition, order: UInt32)
    /// Tells the follower to wait for the music at this position; nil if the place is unknown.
    case makeFollowerWait(piece: Int, at: ScorePosition?, order: UInt32)
    /// Tells the follower that the music begins at this position now, or began within the last two seconds.
    case beginMusic(piece: Int, at: ScorePosition, order: UInt32)
    /// Gives the follower the changed programme; the piece being played goes on. Reports with an earlier order number
    /// have the indices of the earlier programme and no longer count.
    case changeFollowerProgramme(order: UInt32)
    /// Shows a message to the audience.
    case showMessage(PushMessage)
    case withdrawMessage
    /// Switches the audience's screens between live, frozen, black and ended.
    case audienceViewChanged(AudienceView)
    case panicStep(PanicStep)
    /// Shows another title on the screens, hides it, or blanks them.
    case titleChanged(ShownTitle)
    /// Asks a person for help because the follower is lost. The person may choose one of these places by number; there
    /// may be none.
    case askForHelp([CandidateMeasure])
    case helpOver
    /// The baton has changed hands, or a new term has begun.
    case holderChanged(BatonHolder, BatonEpoch)
    /// A command or an edit was refused.
    case refused(CommandRefusal)
    /// Shows the technician a sentence; `id` names the kind of notice.
    case showNotice(id: String, sentence: String)
    /// The floor has changed: a presenter, a request, the holder, or what is shown.
    case floor(FloorEffect)
}

extension PodiumEffect {
    /// The reason for refusing the event; nil if this effect is no refusal.
    public var refusal: CommandRefusal? {
        switch self {
        case .refused(let refusal): refusal
        case .floor(.refused(let refusal)): CommandRefusal(refusal)
        default: nil
        }
    }
}

/// The measure that the audience sees.
public struct AudiencePosition: Hashable, Sendable, Codable {
    /// The piece, as an index into ``ShowProgramme/pieces``.
    public var piece: Int
    /// Index of the played measure, from 0.
    public var played: Int
    public var printed: Int
    /// The epoch in which the position was first shown.
    public var epoch: BatonEpoch

    public init(piece: Int, played: Int, printed: Int, epoch: BatonEpoch) {
        self.piece = piece
        self.played = played
        self.printed = printed
        self.epoch = epoch
    }

    /// True if the audience would see no difference between the two positions.
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
    /// The screens show no position: before the music, in the intermission, in rehearsals, after a hard stop.
    case ended
}

/// A step of the panic function: the safe state, the hard stop, or the end of the panic.
public enum PanicStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// Outputs fade to a safe state, the audience keeps its view, and no cue fires.
    case safe
    /// Hard stop: the audience sees no position any longer.
    case stop
    case over
}

/// The present stage of a panic: none, safe state, or hard stop.
public enum PanicLevel: String, Hashable, Sendable, Codable, CaseIterable {
    case none
    case safe
    case stop
}
