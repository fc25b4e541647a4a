/// The reports of a follower over one recording, in time order.
public struct FollowTrace: Hashable, Sendable {
    /// One report; it applies until the next one.
    public struct Report: Hashable, Sendable {
        /// The duration of the live audio that had been heard when the report was made, in seconds.
        public var liveSeconds: Double
        /// The measure number plus the fraction of the measure that has passed; nil without an estimate.
        public var measureWithFraction: Double?
        /// The position in the reference recording, in seconds; nil if unknown.
        public var referenceSeconds: Double?
        /// The tempo: seconds of the reference that pass in one second of the live recording.
        public var tempoRatio: Double
        /// The follower's confidence: its probability that the displayed measure is right to within one, 0…1.
        public var confidence: Double
        public var state: State

        /// True if the follower admitted doubt: confidence below one half, coasting, lost, or undecided between copies
        /// of a passage.
        var admitsDoubt: Bool {
            confidence < 0.5 || state == .coasting || state == .lost || state == .undecided
        }

        /// True if people take the measure for the one being played: no doubt is admitted, and the music is said to have
        /// begun.
        var isShownAsCertain: Bool { measureWithFraction != nil && !admitsDoubt && state != .waiting }

        public init(
            liveSeconds: Double, measureWithFraction: Double?, referenceSeconds: Double? = nil,
            tempoRatio: Double = 1,
            confidence: Double = 1, state: State = .following
        ) {
            self.liveSeconds = liveSeconds
            self.measureWithFraction = measureWithFraction
            self.referenceSeconds = referenceSeconds
            self.tempoRatio = tempoRatio
            self.confidence = confidence
            self.state = state
        }
    }

    /// The follower's judgement of its own position; the raw values are those of its reports.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case waiting, following, coasting, lost, undecided, finished
    }

    public var reports: [Report]

    public init(reports: [Report] = []) { self.reports = reports }

    var reportTimes: [Double] { reports.map(\.liveSeconds) }

    /// The measure of every report, with fraction; NaN without an estimate.
    var reportedMeasures: [Double] { reports.map { $0.measureWithFraction ?? .nan } }

    /// Returns the index of the newest report at an instant of the live recording; -1 before the first report.
    static func reportIndex(_ times: [Double], at seconds: Double) -> Int {
        times.countAtMost(seconds + 1e-9) - 1
    }
}
