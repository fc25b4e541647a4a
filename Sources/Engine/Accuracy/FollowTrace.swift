/// The reports of a follower over one recording, in time order.
public struct FollowTrace: Hashable, Sendable {
    /// One report; it is valid until the next.
    public struct Point: Hashable, Sendable {
        /// Live audio heard when the report was made, in seconds.
        public var liveSeconds: Double
        /// Measure number plus the fraction within the measure; nil without an estimate.
        public var measure: Double?
        /// The matching instant of the reference, seconds.
        public var referenceSeconds: Double?
        /// Reference seconds per live second.
        public var tempoRatio: Double
        /// Claimed probability that the shown measure is right to within one, 0…1.
        public var confidence: Double
        public var state: State

        public init(
            liveSeconds: Double, measure: Double?, referenceSeconds: Double? = nil, tempoRatio: Double = 1,
            confidence: Double = 1, state: State = .following
        ) {
            self.liveSeconds = liveSeconds
            self.measure = measure
            self.referenceSeconds = referenceSeconds
            self.tempoRatio = tempoRatio
            self.confidence = confidence
            self.state = state
        }
    }

    /// The follower's judgement of its own position; the raw values are those of its reports.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case waiting, following, coasting, lost, finished
    }

    public var points: [Point]

    public init(points: [Point] = []) { self.points = points }

    var times: [Double] { points.map(\.liveSeconds) }

    /// The measure of every report, with fraction; NaN without an estimate.
    var estimates: [Double] { points.map { $0.measure ?? .nan } }

    /// Index of the report that is valid at a live instant; -1 before the first.
    static func holding(_ times: [Double], at seconds: Double) -> Int {
        times.countAtMost(seconds + 1e-9) - 1
    }
}
