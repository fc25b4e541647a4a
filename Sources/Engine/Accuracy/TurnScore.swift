/// Compares the page turns that a stand made with those that its player wished.
public struct TurnScore: Sendable {
    /// A wished turn and its result.
    public struct Turn: Sendable {
        public var wish: WishedTurn
        /// Live seconds after the wished moment, negative if the page came early; nil if it did not come while it
        /// was played.
        public var errorSeconds: Double?
        /// The follower's own error: live seconds from the wished moment until the follower reports the true
        /// position of that moment. Nil if it does not do so within ``farthest`` seconds.
        public var followerSeconds: Double?

        /// Seconds early or late, without sign; infinite if the page never came.
        var farOffSeconds: Double { errorSeconds.map { abs($0) } ?? .infinity }

        /// Why the page came more than half a second early or late; nil if it did not.
        public var cause: Cause? {
            guard let errorSeconds else { return .missed }
            guard abs(errorSeconds) > 0.5 else { return nil }
            guard let followerSeconds else { return .follower }
            // More than half of the error was the follower's, and the turn logic could not know.
            return followerSeconds / errorSeconds > 0.5 ? .follower : .foresight
        }
    }

    public enum Cause: String, Sendable {
        /// The page was not turned while it was played.
        case missed
        /// The follower was at a wrong position.
        case follower
        /// The follower was right, but the tempo changed after the turn was planned.
        case foresight
    }

    /// A turn counts for a wish from this many seconds before it; the follower's error is searched this far around
    /// it.
    static let farthest = 5.0

    public private(set) var turns: [Turn]
    /// Turns that were not wished: to a page that was neither played nor wished within five seconds, or already
    /// shown.
    public private(set) var wrong: [ActualTurn] = []
    /// Turns made while the follower reported that it was lost.
    public private(set) var whileLost: [ActualTurn] = []

    /// - Parameters:
    ///   - wishes: in time order.
    ///   - made: in time order.
    ///   - trace: the follower's reports that led to these turns.
    public init(wishes: [WishedTurn], made: [ActualTurn], truth: GroundTruth, trace: FollowTrace) {
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
        at seconds: Double, truth: GroundTruth, _ trace: FollowTrace, _ times: [Double]
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
