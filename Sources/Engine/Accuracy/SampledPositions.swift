/// True and estimated positions every 100 ms, from the first live onset to the end of the music.
///
/// All arrays have the same length. Samples within holds are included, but do not count.
public struct SampledPositions: Sendable {
    static let stepSeconds = 0.1
    /// Errors are limited to this, and a missing estimate counts as this much.
    static let capSeconds = 60.0

    public private(set) var times: [Double] = []
    /// Whether each sample counts in the figures; false within holds.
    public private(set) var counts: [Bool] = []
    public private(set) var truth: [Double] = []
    /// Estimated measure of each sample, with fraction, limited to the score; NaN without an estimate.
    public private(set) var estimate: [Double] = []
    /// Index of the report that is valid; -1 before the first.
    public private(set) var report: [Int] = []
    /// Error of each sample, positive if the estimate is ahead of the truth; in seconds of the score layout, limited
    /// to ±60.
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
            let holding = FollowTrace.holding(reportTimes, at: time)
            let shown = Self.clamped(holding >= 0 ? trace.points[holding].measure : nil, to: map.layout)
            let position = map.position(at: time)
            times.append(time)
            counts.append(!map.isHeld(at: time))
            truth.append(position)
            estimate.append(shown)
            report.append(holding)
            signedError.append(Self.error(of: shown, from: position, in: map.layout))
        }
    }

    private static func clamped(_ estimate: Double?, to layout: ScoreLayout) -> Double {
        guard let estimate, !estimate.isNaN else { return .nan }
        return min(max(estimate, layout.lowest), layout.highest)
    }

    private static func error(of estimate: Double, from truth: Double, in layout: ScoreLayout) -> Double {
        guard !estimate.isNaN else { return capSeconds }
        let seconds = layout.seconds(at: estimate) - layout.seconds(at: truth)
        return min(max(seconds, -capSeconds), capSeconds)
    }

    /// Distance in seconds; ``capSeconds`` without an estimate.
    func error(at index: Int) -> Double { signedError[index].magnitude }

    /// True if the shown measure is the true one.
    func isHit(at index: Int) -> Bool { estimate[index].rounded(.down) == truth[index].rounded(.down) }

    /// True if the shown measure is the true one or a neighbour of it.
    func isWithinOne(at index: Int) -> Bool {
        (estimate[index].rounded(.down) - truth[index].rounded(.down)).magnitude <= 1
    }

    /// True if the position is wrong by more than two measures and more than three seconds, or missing.
    func isAstray(at index: Int) -> Bool {
        let measures = estimate[index].isNaN ? .infinity : (estimate[index] - truth[index]).magnitude
        return measures > 2 && error(at: index) > 3
    }
}
