/// Compares the page turns that a music stand made with those that its player wished.
public struct PageTurnAccuracy: Sendable {
    /// A wished page turn and its result.
    public struct TurnResult: Sendable {
        public var wishedTurn: WishedPageTurn
        /// The time from the wished moment to the turn, in seconds; negative if the page came early, nil if it did not
        /// come while it was being played.
        public var errorSeconds: Double?
        /// The follower's own error: seconds from the wished moment until the follower reports the position that is
        /// true at that moment. Nil if it does not do so within ``searchRangeSeconds`` seconds.
        public var followerSeconds: Double?

        /// The distance of the turn from the wished moment in seconds, without sign; infinite if the page never came.
        var absoluteErrorSeconds: Double { errorSeconds.map { abs($0) } ?? .infinity }

        /// Why the page came more than half a second early or late; nil if it did not.
        public var cause: MistimingCause? {
            guard let errorSeconds else { return .missed }
            guard abs(errorSeconds) > 0.5 else { return nil }
            guard let followerSeconds else { return .follower }
            // More than half of the error was the follower's, and the turn logic could not know.
            return followerSeconds / errorSeconds > 0.5 ? .follower : .foresight
        }
    }

    /// The cause of a page turn at the wrong time.
    public enum MistimingCause: String, Sendable {
        /// The page was not turned while it was being played.
        case missed
        /// The follower was at a wrong position.
        case follower
        /// The follower was right, but the tempo changed after the turn was planned.
        case foresight
    }

    /// A turn counts for a wish if it comes at most this many seconds before the wished moment. The follower's error is
    /// searched within the same distance.
    static let searchRangeSeconds = 5.0

    public private(set) var turnResults: [TurnResult]
    /// Turns that were not wished: to a page that is already shown, or that is neither being played nor wished within
    /// the next five seconds.
    public private(set) var unwishedTurns: [ActualPageTurn] = []
    /// Turns made while the follower reported that it was lost.
    public private(set) var turnsWhileLost: [ActualPageTurn] = []

    /// Matches the turns that were made with the wished ones.
    /// - Parameters:
    ///   - wishes: the wished turns in time order.
    ///   - made: the turns that the stand made, in time order.
    ///   - trace: the follower's reports that led to these turns.
    public init(wishes: [WishedPageTurn], made: [ActualPageTurn], truth: GroundTruth, trace: FollowTrace) {
        let times = trace.reportTimes
        turnResults = wishes.map { wish in
            TurnResult(
                wishedTurn: wish,
                followerSeconds: Self.followerErrorSeconds(
                    at: wish.wishedAtSeconds, truth: truth, trace, times))
        }
        for turn in made {
            let holding = FollowTrace.reportIndex(times, at: turn.seconds)
            if holding >= 0, trace.reports[holding].state == .lost { turnsWhileLost.append(turn) }
            let meant = turnResults.firstIndex {
                $0.errorSeconds == nil && $0.wishedTurn.targetPage == turn.page
                    && $0.wishedTurn.wishedAtSeconds - turn.seconds <= Self.searchRangeSeconds
                    && turn.seconds < $0.wishedTurn.pagePlayingInterval.upperBound
            }
            guard let meant else {
                unwishedTurns.append(turn)
                continue
            }
            turnResults[meant].errorSeconds = turn.seconds - turnResults[meant].wishedTurn.wishedAtSeconds
        }
    }

    private static func followerErrorSeconds(
        at seconds: Double, truth: GroundTruth, _ trace: FollowTrace, _ times: [Double]
    ) -> Double? {
        let place = truth.truePosition(at: seconds)
        let first = max(FollowTrace.reportIndex(times, at: seconds - searchRangeSeconds), 0)
        for point in trace.reports[first...] {
            guard point.liveSeconds <= seconds + searchRangeSeconds else { break }
            if let measure = point.measureWithFraction, measure >= place {
                return point.liveSeconds - seconds
            }
        }
        return nil
    }
}
