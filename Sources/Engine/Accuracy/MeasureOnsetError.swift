/// The error of the time at which the follower reached one measure.
public struct MeasureOnsetError: Hashable, Sendable {
    /// The index of the measure among the performed measures of the live recording.
    public var measureIndex: Int
    public var measureNumber: Double
    /// The true onset in seconds of the live recording.
    public var trueOnsetSeconds: Double
    /// The time from the true onset until the follower reached the measure, in seconds; negative is early, nil means
    /// never.
    public var secondsLate: Double?
    /// True if the follower missed the measure because it was past the measure during the whole search interval.
    public var wasFollowerAheadThroughout: Bool
}

extension MeasureOnsetError {
    /// Returns the errors of all scored onsets. The first onset is not scored, nor are onsets that end a hold, where a
    /// follower waits by design.
    ///
    /// The follower reaches a measure with the first report that comes to it from below or enters it from anywhere
    /// else. This report is searched from the onset of the previous measure until that of the next one, and at least
    /// until 3 s after the measure's own onset.
    static func errorsOfScoredOnsets(truth: GroundTruth, trace: FollowTrace) -> [MeasureOnsetError] {
        let times = trace.reportTimes
        let estimates = trace.reportedMeasures
        let count = truth.measureNumbers.count
        return (1..<max(count, 1)).compactMap { row in
            let onset = truth.measureOnsets[row]
            let measure = truth.measureNumbers[row]
            guard !truth.unplayedIntervals.contains(where: { abs(onset - $0.end) < 0.25 }) else { return nil }
            let close = max(row + 1 < count ? truth.measureOnsets[row + 1] : truth.endSeconds, onset + 3)
            let first = times.countBelow(truth.measureOnsets[row - 1])
            let window = first..<max(times.countAtMost(close), first)
            let crossing = window.first {
                entersMeasure(measure, from: $0 > 0 ? estimates[$0 - 1] : .nan, to: estimates[$0])
            }
            let lowest = window.reduce(Double.infinity) {
                estimates[$1].isNaN ? $0 : min($0, estimates[$1])
            }
            return MeasureOnsetError(
                measureIndex: row, measureNumber: measure, trueOnsetSeconds: onset,
                secondsLate: crossing.map { times[$0] - onset },
                wasFollowerAheadThroughout: crossing == nil && !window.isEmpty && lowest >= measure)
        }
    }

    private static func entersMeasure(_ measure: Double, from before: Double, to now: Double) -> Bool {
        guard now >= measure else { return false }
        let passesUp = before < measure || before.isNaN
        let entersFromElsewhere = now < measure + 1 && !(before >= measure && before < measure + 1)
        return passesUp || entersFromElsewhere
    }
}
