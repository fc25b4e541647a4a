/// True and estimated positions every 100 ms, from the first live onset to the end of the music.
///
/// All arrays have the same length. Samples within holds (intervals in which nothing is played) are included, but do
/// not count in the figures.
public struct SampledPositions: Sendable {
    static let stepSeconds = 0.1
    /// The largest error that is counted, in seconds; a missing estimate counts as this much.
    static let maxErrorSeconds = 60.0
    /// The distance from a sample, in steps, within which ``shownError(at:)`` looks for the shown position.
    private static let mostJumpSteps = 100

    public private(set) var sampleSeconds: [Double] = []
    /// True for each sample that counts in the figures; false within holds.
    public private(set) var isSampleScored: [Bool] = []
    public private(set) var truePositions: [Double] = []
    /// Estimated measure of each sample, with fraction, limited to the score; NaN without an estimate.
    public private(set) var estimatedPositions: [Double] = []
    /// For each sample the index of the newest report in the trace; -1 before the first report.
    public private(set) var reportIndices: [Int] = []
    /// The error of each sample in seconds, limited to ±60; positive if the estimate is ahead of the truth.
    public private(set) var signedErrors: [Double] = []

    public init(truth map: GroundTruth, trace: FollowTrace) {
        let reportTimes = trace.reportTimes
        let start = map.measureOnsets[0]
        // The grid of NumPy's `arange`, whose step is the rounded distance of its first two values.
        let step = (start + Self.stepSeconds) - start
        let last = map.endSeconds - 1e-9
        let length = max(0, Int(((last - start) / Self.stepSeconds).rounded(.up)))
        for index in 0..<length {
            let time = index == 1 ? start + Self.stepSeconds : start + Double(index) * step
            let holding = FollowTrace.reportIndex(reportTimes, at: time)
            let shown = Self.clampedToScore(
                holding >= 0 ? trace.reports[holding].measureWithFraction : nil, to: map.scoreTimeAxis)
            let position = map.truePosition(at: time)
            sampleSeconds.append(time)
            isSampleScored.append(!map.isNothingPlayed(at: time))
            truePositions.append(position)
            estimatedPositions.append(shown)
            reportIndices.append(holding)
            signedErrors.append(Self.signedErrorSeconds(of: shown, from: position, in: map.scoreTimeAxis))
        }
    }

    private static func clampedToScore(_ estimate: Double?, to layout: ScoreTimeAxis) -> Double {
        guard let estimate, !estimate.isNaN else { return .nan }
        return min(max(estimate, layout.lowestMeasure), layout.pastHighestMeasure)
    }

    private static func signedErrorSeconds(of estimate: Double, from truth: Double, in layout: ScoreTimeAxis)
        -> Double
    {
        guard !estimate.isNaN else { return maxErrorSeconds }
        let seconds = layout.seconds(at: estimate) - layout.seconds(at: truth)
        return min(max(seconds, -maxErrorSeconds), maxErrorSeconds)
    }

    /// Returns the size of a sample's error in seconds, without sign; ``maxErrorSeconds`` if the sample has no
    /// estimate.
    func errorSeconds(at index: Int) -> Double { signedErrors[index].magnitude }

    /// The error of a sample for a chart: as ``signedErrors``, or, if that is shorter, the time to the nearest moment
    /// at which the music is at the shown position. Around a repeat or a jump a follower that is a moment early or late
    /// would otherwise seem wrong by the whole length of the passage.
    func shownError(at index: Int) -> Double {
        let error = signedErrors[index]
        let reach = min(Int(error.magnitude / Self.stepSeconds), Self.mostJumpSteps)
        let shown = estimatedPositions[index]
        guard reach > 1, !shown.isNaN else { return error }
        // A position counts as reached in the step in which the music passes it.
        func isReached(_ at: Int) -> Bool {
            guard at > 0, truePositions.indices.contains(at) else { return false }
            let (before, after) = (truePositions[at - 1], truePositions[at])
            return before <= shown && shown <= after && after - before < 1
        }
        for steps in 0..<reach {
            guard let found = [index + steps, index - steps].first(where: isReached) else { continue }
            return Double(found - index) * Self.stepSeconds
        }
        return error
    }

    /// Returns true if the displayed measure is the true one.
    func isRightMeasure(at index: Int) -> Bool {
        estimatedPositions[index].rounded(.down) == truePositions[index].rounded(.down)
    }

    /// Returns true if the displayed measure is the true one or a neighbour of it.
    func isWithinOneMeasure(at index: Int) -> Bool {
        (estimatedPositions[index].rounded(.down) - truePositions[index].rounded(.down)).magnitude <= 1
    }

    /// Returns true if the position is missing, or wrong by more than two measures and more than three seconds.
    func isAstray(at index: Int) -> Bool {
        let measures =
            estimatedPositions[index].isNaN
            ? .infinity : (estimatedPositions[index] - truePositions[index]).magnitude
        return measures > 2 && errorSeconds(at: index) > 3
    }
}
