import Podium
import Score

/// The state that a stand needs to continue turning pages after a crash.
public struct PageTurnerState: Hashable, Sendable, Codable {
    public internal(set) var view: PageView
    /// The last page turn by hand; nil once the stand follows the music again.
    public internal(set) var hand: ManualTurn?
    /// The last position that was reported.
    var live: PerformancePosition?
    /// The speed of the reported positions; nil while the music does not move.
    var speed: DisplayedSpeed?
    /// The trust in the last report; while it is `lost`, no page turns.
    public internal(set) var trust = LivePositionTrust.waiting
    var heardAt: ShowTime?
    var coastingSince: ShowTime?
    /// The sheet that the follower wants, whichever one is shown.
    public internal(set) var wished: Int?
    /// The last turn ahead of the music; nil once the music has reached the page.
    var turn: EarlyTurn?
    var turnedAt: ShowTime?
    var hasEnded = false

    public init(view: PageView) { self.view = view }

    /// A position along the performance.
    struct PerformancePosition: Hashable, Sendable, Codable {
        var movement: Int
        var step: Int
        /// The position in expected seconds from the movement's first step; see
        /// ``PageTurnPlan/PerformedMeasure/startSeconds``.
        var seconds: Double
        var at: ShowTime
        /// The pace at which the music is predicted to go on, in expected seconds per second; 0 while it stands still.
        var pace: Double
        /// Expected seconds by which the music is estimated to be ahead of the reported position, while that
        /// position stands still.
        var ahead = 0.0
    }

    /// A page turn ahead of the music. It records the stretch of measures in which the page was turned, and the
    /// position of the music at the turn.
    struct EarlyTurn: Hashable, Sendable, Codable {
        var movement: Int
        /// Identifies the stretch of measures by the step at which its sheet is left; see
        /// ``PageTurnPlan/PerformedMeasure/nextSheetStep``.
        var leaving: Int
        var seconds: Double
    }
}

/// A page turn by hand.
public struct ManualTurn: Hashable, Sendable, Codable {
    public var sheet: Int
    /// The kind of person who turned: ``PageTurnReason/player``, ``PageTurnReason/leader`` or
    /// ``PageTurnReason/pinpoint``.
    public var by: PageTurnReason
    public var at: ShowTime
    /// The sheet that the follower wanted when the page was turned by hand.
    var wished: Int?
    /// True if the music had not yet reached the sheet when it was turned to by hand.
    var isAhead: Bool
    /// True if the follower has jumped back, or the music has begun, since the turn by hand.
    var isOvertaken = false
}
