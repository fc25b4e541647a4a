/// The turns one stand made, held against those its player wished.
public struct TurnScore: Sendable {
    /// What became of a wish.
    public struct Turn: Sendable {
        public var wish: WishedTurn
        /// Live seconds after the wished moment, less than 0 where the page came early; nil where it never came
        /// while it was played.
        public var errorSeconds: Double?
        /// How far the follower itself was off there: live seconds from the wished moment until it said the music
        /// was where it truly was at that moment. Nil where it did not within ``farthest`` seconds.
        public var followerSeconds: Double?

        /// How early or late, whichever it was; infinite where the page never came.
        var farOffSeconds: Double { errorSeconds.map { abs($0) } ?? .infinity }

        /// Why the page came more than half a second early or late; nil where it did not.
        public var cause: Cause? {
            guard let errorSeconds else { return .missed }
            guard abs(errorSeconds) > 0.5 else { return nil }
            guard let followerSeconds else { return .follower }
            // Most of it was the follower's, and the turn could not know.
            return followerSeconds / errorSeconds > 0.5 ? .follower : .foresight
        }
    }

    public enum Cause: String, Sendable {
        /// The page was not turned while it was played.
        case missed
        /// The follower was elsewhere.
        case follower
        /// The follower was right, and the music went on at another pace than it had.
        case foresight
    }

    /// Seconds before its wish at which a turn is still one for it, and around it where the follower is looked for.
    static let farthest = 5.0

    public private(set) var turns: [Turn]
    /// Turns that nobody wished: to a page that was neither played nor wished within five seconds, or there already.
    public private(set) var wrong: [MadeTurn] = []
    /// Turns made while the follower said it was lost.
    public private(set) var whileLost: [MadeTurn] = []

    /// - Parameters:
    ///   - wishes: in time order.
    ///   - made: in time order.
    ///   - trace: what the follower said, which turned the pages.
    public init(wishes: [WishedTurn], made: [MadeTurn], truth: Truth, trace: FollowTrace) {
        let times = trace.times
        turns = wishes.map { wish in
            Turn(
                wish: wish,
                followerSeconds: Self.followerError(at: wish.seconds, truth: truth, trace, times))
        }
        for turn in made {
            let holding = FollowTrace.holding(times, at: turn.seconds)
            if holding >= 0, trace.points[holding].state == .lost { whileLost.append(turn) }
            let meant = turns.firstIndex {
                $0.errorSeconds == nil && $0.wish.page == turn.page
                    && $0.wish.seconds - turn.seconds <= Self.farthest
                    && turn.seconds < $0.wish.played.upperBound
            }
            guard let meant else {
                wrong.append(turn)
                continue
            }
            turns[meant].errorSeconds = turn.seconds - turns[meant].wish.seconds
        }
    }

    private static func followerError(
        at seconds: Double, truth: Truth, _ trace: FollowTrace, _ times: [Double]
    ) -> Double? {
        let place = truth.position(at: seconds)
        let first = max(FollowTrace.holding(times, at: seconds - farthest), 0)
        for point in trace.points[first...] {
            guard point.liveSeconds <= seconds + farthest else { break }
            if let measure = point.measure, measure >= place { return point.liveSeconds - seconds }
        }
        return nil
    }
}
