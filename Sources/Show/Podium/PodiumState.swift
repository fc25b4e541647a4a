import Concert
import Score

/// Everything the Podium needs to go on after a crash, or on another machine.
public struct PodiumState: Hashable, Sendable, Codable {
    public internal(set) var epoch: Epoch
    public internal(set) var holder = Holder.follower

    /// Index into ``ShowCourse/pieces``.
    public internal(set) var piece = 0
    /// The authoritative position, as it was at ``positionAt``.
    public internal(set) var position = ScorePosition(played: 0, fraction: 0)
    public internal(set) var positionAt = ShowTime.zero
    /// Seconds of reference a second at which the position goes on within its measure; 0 where it stands.
    public internal(set) var pace: Double = 0
    /// The last tempo known, by follower or taps.
    public internal(set) var tempo: Double = 1
    public internal(set) var mode = PodiumMode.waiting
    public internal(set) var modeSince = ShowTime.zero

    /// Some position was trusted since the music, or a piece, began.
    public internal(set) var isLive = false
    /// False after a piece was begun at an unknown place, until it is found.
    public internal(set) var isPlaceKnown = true
    public internal(set) var isHeld = false
    public internal(set) var isPaused = false
    public internal(set) var isLocked = false
    public internal(set) var isFrozen = false
    public internal(set) var isBlack = false
    public internal(set) var isRehearsal = false
    public internal(set) var isIntermission = false
    public internal(set) var advancesByItself = true
    /// The check before the show is listening; nil while none is.
    public internal(set) var check: CheckPause?
    public internal(set) var panic = PanicLevel.none
    public internal(set) var panicAt = ShowTime.zero

    /// What the audience was shown last; nil while nothing is live.
    public internal(set) var shown: AudiencePosition?
    public internal(set) var view = AudienceView.ended

    /// The follower's newest word since the last order to it.
    public internal(set) var follower: FollowerWord?
    /// When it came; or when it was ordered somewhere. Nil before its first word.
    public internal(set) var followerAt: ShowTime?
    /// The last order to the follower.
    public internal(set) var order: UInt32 = 0
    var coastingSince: ShowTime?
    var hasCoastedOut = false
    var isFollowerSilent = false
    /// It jumped while nobody followed it.
    var hasJumped = false
    /// The position has come here by play, with no gap.
    var isContinuous = true
    /// A piece it hears while it may not go on by itself.
    public internal(set) var heardPiece: Int?
    /// The follower's place is not believed yet: it was lost, or has jumped far. Nil while there is no doubt.
    public internal(set) var doubt: Doubt?

    /// Pieces in which music was followed or tapped; nil before the first. Indices into ``ShowCourse/pieces``.
    public internal(set) var heard: [Int]?
    /// Something was shown since the show, or its rehearsal, began or ended; nil for no.
    public internal(set) var hasBeenLive: Bool?
    /// Since when no music is heard in the last measures of the concert; nil while that is not so.
    var quietAtEndSince: ShowTime?
    /// The concert was played to its end, and nothing is live since; nil for no.
    var hasEnded: Bool?
    /// Something was live when the intermission began; nil for no, and outside one.
    var wasLive: Bool?

    /// What a lost follower offers, in the order in which it is shown.
    public internal(set) var candidates: [Candidate] = []
    /// What was asked last; nil while no help is asked for.
    public internal(set) var askedHelp: [Candidate]?

    /// Cues fired in this pass through the piece.
    public internal(set) var fired: [Cue.ID] = []
    public internal(set) var standby: Cue.ID?
    /// The cue that a person put on standby; nudges keep it. Nil if the standby follows from the position.
    var chosenStandby: Cue.ID?
    /// Cues that fired and could not be sent, as ``FailedCue`` writes them; nil where there are none.
    var failed: [String]?
    /// Which rules of standby the show goes by: nil for shows begun before there were any, whose logs replay to the
    /// same effects as then.
    var standbyRules: Int?
    var isStandbyOff = false
    /// Cues of this played measure and later ones fire when the music gets there.
    var frontier = 0
    var lastFired: ShowTime?

    var lastTap: ShowTime?
    /// The next tap confirms the measure the position stands at, and does not go on.
    var awaitsTap = false

    public internal(set) var message: PushMessage?
    /// When it was announced; with its text it tells one announcement from another, on every server of the show.
    public internal(set) var messageAt: ShowTime?
    public internal(set) var faults: [FaultRecord] = []

    /// How far the evening is, as listeners are told.
    public var phase: ConcertPhase {
        guard hasBeenLive == true else { return .before }
        let isOver = hasEnded == true && view == .ended && !isIntermission && check == nil && panic != .stop
        return isOver ? .over : .during
    }

    init(term: UInt32, standby: Cue.ID?) {
        epoch = Epoch(term: term, change: 0)
        self.standby = standby
        standbyRules = 1
    }
}

/// How the position comes about at present.
public enum PodiumMode: String, Hashable, Sendable, Codable, CaseIterable {
    case following
    case coasting
    case lost
    case waiting
    case finished
    /// The follower holds the baton, but the position stands: a hold or a pause.
    case held
    /// Nothing is heard, or nothing that moves: the position stands until the music goes on.
    case resting
    /// A person holds the baton.
    case manual
}

/// How far the evening is.
public enum ConcertPhase: String, Hashable, Sendable {
    /// Nothing was live yet.
    case before
    /// Something is live, or was and may go on.
    case during
    /// The concert was played to its end, and nothing is live since.
    case over
}
