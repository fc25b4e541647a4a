/// Truth and estimate side by side, every 100 ms from the first live onset to the end of the music.
///
/// Arrays of one length; samples within holds are there and not marked as counting.
public struct SampledPositions: Sendable {
    static let stepSeconds = 0.1
    /// Errors are cut off here, and no estimate at all counts as this much.
    static let capSeconds = 60.0

    public private(set) var times: [Double] = []
    /// False within holds.
    public private(set) var counts: [Bool] = []
    public private(set) var truth: [Double] = []
    /// Kept within the score; not a number where there is no estimate.
    public private(set) var estimate: [Double] = []
    /// Index of the report that holds; -1 before the first.
    public private(set) var report: [Int] = []
    /// Estimate ahead of the truth is positive; seconds of the score layout, within ±60.
    public private(set) var signedError: [Double] = []

    public init(truth map: Truth, trace: FollowTrace) {
        let reportTimes = trace.times
        let start = map.onsets[0]
        // The grid NumPy's `arange` makes: the step is the rounded distance of its first two values.
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

    /// Distance in seconds; the cap where there is no estimate.
    func error(at index: Int) -> Double { signedError[index].magnitude }

    /// Whether the shown measure is the true one.
    func isHit(at index: Int) -> Bool { estimate[index].rounded(.down) == truth[index].rounded(.down) }

    /// Whether the shown measure is the true one or a neighbour of it.
    func isWithinOne(at index: Int) -> Bool {
        (estimate[index].rounded(.down) - truth[index].rounded(.down)).magnitude <= 1
    }

    /// Wrong by more than two measures and three seconds, or silent.
    func isAstray(at index: Int) -> Bool {
        let measures = estimate[index].isNaN ? .infinity : (estimate[index] - truth[index]).magnitude
        return measures > 2 && error(at: index) > 3
    }
}
