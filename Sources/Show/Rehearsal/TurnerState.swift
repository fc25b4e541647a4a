import Podium

/// Everything a stand needs to go on turning after a crash.
public struct TurnerState: Hashable, Sendable, Codable {
    public internal(set) var view: PageView
    /// The page lies there by hand, and the stand has not fallen in again.
    public internal(set) var hand: Hand?
    /// The last word that had a place.
    var live: Live?
    /// Of the last word: nothing may turn while it says lost.
    public internal(set) var trust = LiveTrust.waiting
    var heardAt: ShowTime?
    var coastingSince: ShowTime?
    /// The sheet the follower wishes, whatever lies there.
    public internal(set) var wished: Int?
    /// The turn ahead that was made last, until the music is there.
    var turn: Turn?
    var turnedAt: ShowTime?
    var hasEnded = false

    public init(view: PageView) { self.view = view }

    /// A place along the performance.
    struct Live: Hashable, Sendable, Codable {
        var movement: Int
        var step: Int
        /// Seconds of reference from the movement's first step.
        var seconds: Double
        var at: ShowTime
        var pace: Double
        /// Seconds of reference the music is believed to be ahead of a position that stands still.
        var ahead = 0.0
    }

    /// From which stretch, and where the music was then.
    struct Turn: Hashable, Sendable, Codable {
        var movement: Int
        /// Of the stretch; see ``TurnPlan/Step/leaving``.
        var leaving: Int
        var seconds: Double
    }
}

/// A page that lies there by hand.
public struct Hand: Hashable, Sendable, Codable {
    public var sheet: Int
    /// ``TurnCause/player``, ``TurnCause/leader`` or ``TurnCause/pinpoint``.
    public var by: TurnCause
    public var at: ShowTime
    /// What the follower wished then.
    var wished: Int?
    /// The music was before it then.
    var isAhead: Bool
    /// The follower has jumped back, or the music has begun, since.
    var isOvertaken = false
}
