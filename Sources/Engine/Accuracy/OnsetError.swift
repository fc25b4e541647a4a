/// How late or early the follower reached one measure.
public struct OnsetError: Hashable, Sendable {
    /// Index of the measure among the live measures.
    public var row: Int
    public var measure: Double
    /// Live seconds of the true onset.
    public var onset: Double
    /// Time of the crossing minus the true onset, in seconds; positive is late, nil is a miss.
    public var seconds: Double?
    /// True for a miss in which the follower was past the measure all the time.
    public var wasEarlyMiss: Bool
}

extension OnsetError {
    /// Errors of all scored onsets: all but the first, and those that end a hold, where a follower waits by design.
    ///
    /// The crossing is the first report that reaches the measure, from below or by entering it from anywhere else.
    /// It is searched from the previous measure's onset to the next one's, and to at least 3 s after this one's.
    static func all(truth: GroundTruth, trace: FollowTrace) -> [OnsetError] {
        let times = trace.times
        let estimates = trace.estimates
        let count = truth.measures.count
        return (1..<max(count, 1)).compactMap { row in
            let onset = truth.onsets[row]
            let measure = truth.measures[row]
            guard !truth.holds.contains(where: { abs(onset - $0.end) < 0.25 }) else { return nil }
            let close = max(row + 1 < count ? truth.onsets[row + 1] : truth.end, onset + 3)
            let first = times.countBelow(truth.onsets[row - 1])
            let window = first..<max(times.countAtMost(close), first)
            let crossing = window.first {
                reaches(measure, from: $0 > 0 ? estimates[$0 - 1] : .nan, to: estimates[$0])
            }
            let lowest = window.reduce(Double.infinity) {
                estimates[$1].isNaN ? $0 : min($0, estimates[$1])
            }
            return OnsetError(
                row: row, measure: measure, onset: onset, seconds: crossing.map { times[$0] - onset },
                wasEarlyMiss: crossing == nil && !window.isEmpty && lowest >= measure)
        }
    }

    private static func reaches(_ measure: Double, from before: Double, to now: Double) -> Bool {
        guard now >= measure else { return false }
        let passesUp = before < measure || before.isNaN
        let entersFromElsewhere = now < measure + 1 && !(before >= measure && before < measure + 1)
        return passesUp || entersFromElsewhere
    }
}
