import Concert
import Floor
import Score
import Titles

/// The state that the Podium needs to continue after a crash, or on another machine.
public struct PodiumState: Hashable, Sendable, Codable {
    public internal(set) var epoch: BatonEpoch
    public internal(set) var holder = BatonHolder.automaticFollower

    /// The current piece, as an index into ``ShowProgramme/pieces``.
    public internal(set) var piece = 0
    /// The authoritative position at the time ``positionAt``.
    public internal(set) var position = ScorePosition(played: 0, fraction: 0)
    public internal(set) var positionAt = ShowTime.zero
    /// Seconds of reference per second at which the position moves on within its measure; 0 while the position stands
    /// still.
    public internal(set) var pace: Double = 0
    /// The speed of the positions taken from the follower, on the piece's ``ShowPiece/timeline``; nil while the
    /// position stands still or a person moves it, and before version 4 of the rules.
    var speed: DisplayedSpeed?
    /// The last known tempo, from the follower or from taps.
    public internal(set) var tempo: Double = 1
    public internal(set) var mode = PodiumMode.waiting
    public internal(set) var modeSince = ShowTime.zero

    /// True if a position has been trusted since the music, or a piece, began.
    public internal(set) var isLive = false
    /// False after a piece was begun at an unknown place, until the follower finds the place.
    public internal(set) var isPlaceKnown = true
    public internal(set) var isHeld = false
    public internal(set) var isPaused = false
    public internal(set) var isLocked = false
    public internal(set) var isFrozen = false
    public internal(set) var isBlack = false
    public internal(set) var isRehearsal = false
    public internal(set) var isIntermission = false
    public internal(set) var advancesByItself = true
    /// The state saved by the pre-show check; nil while none is on.
    public internal(set) var check: StateBeforePreShowCheck?
    public internal(set) var panic = PanicLevel.none
    public internal(set) var panicAt = ShowTime.zero
    /// The last panic of each sender since the present panic began, the newest last; nil while there is none, and before
    /// version 9 of the rules.
    var panicSenders: [TimedAct]?
    /// The newest steps of desks; nil before the first, and before version 9 of the rules.
    var deskSteps: [TimedAct]?

    /// The awaited beginning of the current piece; nil once the piece is under way, and before version 9 of the rules.
    public internal(set) var beginning: AwaitedBeginning?
    /// The played measure at which the current piece was to begin; nil before version 9 of the rules.
    var beginningPlayed: Int?
    /// The time since which the current piece has been under way; nil while its beginning is awaited.
    var underWaySince: ShowTime?
    /// True if a person has begun the current piece, or said where it is; nil means false.
    var isBegunByHand: Bool?
    /// The time of the last “begin”; nil before the first.
    var begunAt: ShowTime?
    /// True while the show, or its next piece, waits for a technician to arm it; nil means false.
    var awaitsArming: Bool?
    /// True if each piece waits to be armed; nil means false.
    var armsEachPiece: Bool?

    /// The last position shown to the audience; nil while nothing is live.
    public internal(set) var shown: AudiencePosition?
    public internal(set) var view = AudienceView.ended

    /// The follower's newest report since the last order to it.
    public internal(set) var follower: FollowerReport?
    /// The time of the follower's newest report or, if later, of the last order to it; nil before the first.
    public internal(set) var followerAt: ShowTime?
    /// The number of the last order to the follower.
    public internal(set) var order: UInt32 = 0
    var coastingSince: ShowTime?
    var hasCoastedOut = false
    var isFollowerSilent = false
    /// True if the follower has jumped since the position was last taken from it.
    var hasJumped = false
    /// True if the position was reached by playing, without a gap.
    var isContinuous = true
    /// The other piece that the follower hears, while the show may not go there without a person's command.
    public internal(set) var heardPiece: Int?
    /// The proof of a place that the follower reached after it was lost or jumped far; nil while its place is
    /// trusted.
    public internal(set) var doubt: PlaceProofProgress?
    /// The played measure of the newest report of a follower that cannot decide between copies of a passage; nil
    /// otherwise, and before version 10 of the rules.
    var undecidedAt: Int?

    /// Indices into ``ShowProgramme/pieces`` of the pieces in which music was followed or tapped; nil before the first.
    /// Since version 6 of the rules: in this round of the concert.
    public internal(set) var heard: [Int]?
    /// True once the concert was played to its end, until its first piece begins again; nil means false, also before
    /// version 6 of the rules.
    var isRoundPlayed: Bool?
    /// True if the first piece of the programme was played before and has begun again after the end of the concert; nil
    /// means false, also before version 6 of the rules.
    var isRepeated: Bool?
    /// True if the follower, and no person, has found the present piece; nil means false, also before version 8 of the
    /// rules.
    var isPieceHeard: Bool?
    /// True if something was shown to the audience since the show, or its rehearsal, began; nil means false.
    public internal(set) var hasBeenLive: Bool?
    /// The time since which no music has been heard in the last measures of the concert; nil while music is heard, or
    /// in other measures.
    var quietAtEndSince: ShowTime?
    /// True if the concert was played to its end and nothing has been live since; nil means false.
    var hasEnded: Bool?
    /// True after a rehearsal has ended while its music sounds, until that pauses; nil means false, also before version
    /// 7 of the rules.
    var awaitsPause: Bool?
    /// The place at which the show was when the present rehearsal began, and at which it goes on; nil outside a rehearsal
    /// and the music that still sounds after it, and before version 8 of the rules.
    var placeBeforeRehearsal: PlaceBeforeRehearsal?
    public var isAwaitingPause: Bool { awaitsPause == true }
    /// True from the moment in which this server takes the show over from another one until it goes on with it; nil
    /// means false, also before version 7 of the rules.
    var isTakingOver: Bool?
    /// True if something was live when the present intermission began; nil means false, also outside an intermission.
    var wasLive: Bool?

    /// The candidates of a follower that is lost or undecided, in the order in which they are displayed.
    public internal(set) var candidates: [CandidateMeasure] = []
    /// The candidates of the last request for help; nil while no help is requested.
    public internal(set) var askedHelp: [CandidateMeasure]?

    /// The ids of the cues that have fired in this pass through the piece.
    public internal(set) var fired: [Cue.ID] = []
    public internal(set) var standby: Cue.ID?
    /// The cue that a person put on standby; it stays on standby when the position is nudged. Nil if the standby
    /// follows the position.
    var chosenStandby: Cue.ID?
    /// Cues that fired but could not be sent, as ids of ``FailedCue``; nil if there are none.
    var failed: [String]?
    /// Version of the standby rules. Nil for shows begun before these rules had versions, so that their logs replay
    /// to the same effects.
    var standbyRules: Int?
    var isStandbyOff = false
    /// The first played measure whose automatic cues still fire when the music reaches it; cues of earlier measures do
    /// not.
    var frontier = 0
    var lastFired: ShowTime?

    var lastTap: ShowTime?
    /// True if the next tap confirms the present measure instead of going on to the next.
    var awaitsTap = false

    public internal(set) var message: PushMessage?
    /// The time at which the message was announced; together with its text this identifies an announcement on every
    /// server of the show.
    public internal(set) var messageAt: ShowTime?
    public internal(set) var faults: [TechnicalFaultRecord] = []
    /// The titles of the current piece as they are shown; nil in shows without titles, also in older logs.
    public internal(set) var titles: TitleRunner?
    /// The indices of the titles that are left out tonight, by the piece's folder; nil if none is.
    public internal(set) var skippedTitles: [String: [Int]]?

    /// The speakers and the content that they show on the screen; nil before the first presenter, and in logs from
    /// before there was a floor.
    public internal(set) var floor: FloorState?

    /// The phase of the concert, as listeners are told: before, during or over.
    public var phase: ConcertPhase {
        guard hasBeenLive == true else { return .before }
        let isOver = hasEnded == true && view == .ended && !isIntermission && check == nil && panic != .stop
        return isOver ? .over : .during
    }

    init(term: UInt32, standby: Cue.ID?) {
        epoch = BatonEpoch(term: term, handoverCount: 0)
        self.standby = standby
        standbyRules = 1
    }
}

/// The source of the position at present, or the reason why the position stands still.
public enum PodiumMode: String, Hashable, Sendable, Codable, CaseIterable {
    case following
    case coasting
    case lost
    /// The sound cannot decide between copies of a passage; not before version 10 of the rules.
    case undecided
    case waiting
    case finished
    /// The follower holds the baton, but the position stands still because of a hold or a pause.
    case held
    /// No music is heard, or it does not move on: the position stands still until the music continues.
    case resting
    /// A person holds the baton.
    case manual
}

/// The phase of the concert, as listeners are told.
public enum ConcertPhase: String, Hashable, Sendable {
    /// No music has been live yet.
    case before
    /// Music is live, or was live and may go on.
    case during
    /// The concert was played to its end, and nothing is live since.
    case over
}
