/// True and estimated positions every 100 ms, from the first live onset to the end of the music.
///
/// All arrays have the same length. Samples within holds (intervals in which nothing is played) are included, but do
/// not count in the figures.
public struct SampledPositions: Sendable {
    static let stepSeconds = 0.1
    /// The largest error that is counted, in seconds; a missing estimate counts as this much.
    static let maxErrorSeconds = 60.0

    public private(set) var times: [Double] = []
    /// Whether each sample counts in the figures; false within holds.
    public private(set) var isScored: [Bool] = []
    public private(set) var truth: [Double] = []
    /// Estimated measure of each sample, with fraction, limited to the score; NaN without an estimate.
    public private(set) var estimate: [Double] = []
    /// For each sample the index of the newest report in the trace; -1 before the first report.
    public private(set) var reportIndices: [Int] = []
    /// The error of each sample in seconds, limited to ±60; positive if the estimate is ahead of the truth.
    public private(set) var signedError: [Double] = []

    public init(truth map: GroundTruth, trace: FollowTrace) {
        let reportTimes = trace.times
        let start = map.onsets[0]
        // The grid of NumPy's `arange`, whose step is the rounded distance of its first two values.
        let step = (start + Self.stepSeconds) - start
        let last = map.end - 1e-9
        let length = max(0, Int(((last - start) / Self.stepSeconds).rounded(.up)))
        for index in 0..<length {
            let time = index == 1 ? start + Self.stepSeconds : start + Double(index) * step
            let holding = FollowTrace.reportIndex(reportTimes, at: time)
            let shown = Self.clamped(holding >= 0 ? trace.points[holding].measure : nil, to: map.timeAxis)
            let position = map.position(at: time)
            times.append(time)
            isScored.append(!map.isHeld(at: time))
            truth.append(position)
            estimate.append(shown)
            reportIndices.append(holding)
            signedError.append(Self.error(of: shown, from: position, in: map.timeAxis))
        }
    }

    private static func clamped(_ estimate: Double?, to layout: ScoreTimeAxis) -> Double {
        guard let estimate, !estimate.isNaN else { return .nan }
        return min(max(estimate, layout.lowest), layout.pastHighestMeasure)
    }

    private static func error(of estimate: Double, from truth: Double, in layout: ScoreTimeAxis) -> Double {
        guard !estimate.isNaN else { return maxErrorSeconds }
        let seconds = layout.seconds(at: estimate) - layout.seconds(at: truth)
        return min(max(seconds, -maxErrorSeconds), maxErrorSeconds)
    }

    /// Returns the size of a sample's error in seconds, without sign; ``maxErrorSeconds`` if the sample has no
    /// estimate.
    func error(at index: Int) -> Double { signedError[index].magnitude }

    /// Returns true if the displayed measure is the true one.
    func isHit(at index: Int) -> Bool { estimate[index].rounded(.down) == truth[index].rounded(.down) }

    /// Returns true if the displayed measure is the true one or a neighbour of it.
    func isWithinOne(at index: Int) -> Bool {
        (estimate[index].rounded(.down) - truth[index].rounded(.down)).magnitude <= 1
    }

    /// Returns true if the position is missing, or wrong by more than two measures and more than three seconds.
    func isAstray(at index: Int) -> Bool {
        let measures = estimate[index].isNaN ? .infinity : (estimate[index] - truth[index]).magnitude
        return measures > 2 && error(at: index) > 3
    }
}
