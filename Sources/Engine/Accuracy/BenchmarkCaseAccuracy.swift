/// A disturbance that was added to the music on purpose, with its interval in seconds of the live recording.
public struct MusicDisruption: Hashable, Sendable {
    public var kind: String?
    public var start: Double?
    /// The time from which the music is undisturbed again, in seconds of the live recording; nil if there is nothing to
    /// recover from.
    public var end: Double?
    /// False if the time that the follower needs to recover is not scored.
    public var isRecoveryScored: Bool

    public init(kind: String?, start: Double? = nil, end: Double?, isRecoveryScored: Bool = true) {
        self.kind = kind
        self.start = start
        self.end = end
        self.isRecoveryScored = isRecoveryScored
    }
}

/// All measurements of one case; ``AccuracySummary`` turns those of one or more cases into printed figures.
///
/// Source: the definitions of the benchmark's scorer, `score_alignment.py`.
public struct BenchmarkCaseAccuracy: Sendable {
    public var onsetErrors: [MeasureOnsetError]
    /// Position errors in seconds, one for each sample that counts. For the same samples, `isRightMeasureBySample` says
    /// whether the measure was right, and `isWithinOneMeasureBySample` whether it was right to within one.
    public var positionErrors: [Double]
    public var isRightMeasureBySample: [Bool]
    public var isWithinOneMeasureBySample: [Bool]
    /// The longest time without a break, in seconds, in which the follower was far from the true position
    /// (``SampledPositions/isAstray(at:)``).
    public var longestLostSeconds: Double
    public var wasFollowerLost: Bool
    /// Seconds from the end of the disruption until the error stays below 0.5 s for 3 s; nil if it never does.
    public var recoverySeconds: Double?
    /// True if the follower moved on before the music began; nil if the music begins within the first 2 s.
    public var hasFalseStart: Bool?
    /// The largest step back of the displayed measure after the end of the music, in measures; nil if no position was
    /// displayed there.
    public var stepBackAfterEnd: Double?

    public init(truth: GroundTruth, trace: FollowTrace, disruption: MusicDisruption? = nil) {
        let samples = SampledPositions(truth: truth, trace: trace)
        let counting = samples.sampleSeconds.indices.filter { samples.isSampleScored[$0] }
        onsetErrors = MeasureOnsetError.errorsOfScoredOnsets(truth: truth, trace: trace)
        positionErrors = counting.map { samples.errorSeconds(at: $0) }
        isRightMeasureBySample = counting.map { samples.isRightMeasure(at: $0) }
        isWithinOneMeasureBySample = counting.map { samples.isWithinOneMeasure(at: $0) }
        let astray = Self.longestRunOfTrue(counting.map { samples.isAstray(at: $0) })
        longestLostSeconds = Double(astray) * SampledPositions.stepSeconds
        wasFollowerLost = longestLostSeconds > 10
        recoverySeconds = Self.measureRecoverySeconds(from: disruption, samples: samples, counting: counting)
        hasFalseStart = Self.findFalseStart(truth: truth, trace: trace)
        stepBackAfterEnd = Self.largestStepBackAfterEnd(truth: truth, trace: trace)
    }

    private static func longestRunOfTrue(_ flags: [Bool]) -> Int {
        var longest = 0
        var current = 0
        for flag in flags {
            current = flag ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    private static func measureRecoverySeconds(
        from disruption: MusicDisruption?, samples: SampledPositions, counting: [Int]
    ) -> Double? {
        guard let disruption, disruption.isRecoveryScored, let end = disruption.end else { return nil }
        let after = counting.filter { samples.sampleSeconds[$0] >= end - 1e-9 }
        let good = after.map { samples.errorSeconds(at: $0) < 0.5 }
        let needed = 30
        let least = 10
        var run = 0
        // Counts from the back how many good samples follow each one without a break.
        var runs = Array(repeating: 0, count: good.count)
        for index in good.indices.reversed() {
            run = good[index] ? run + 1 : 0
            runs[index] = run
        }
        let first = good.indices.first { runs[$0] >= max(min(needed, good.count - $0), least) }
        return first.map { max(0, samples.sampleSeconds[after[$0]] - end).rounded(places: 2) }
    }

    private static func findFalseStart(truth: GroundTruth, trace: FollowTrace) -> Bool? {
        let start = truth.measureOnsets[0]
        guard start > 2 else { return nil }
        return trace.reports.contains {
            $0.liveSeconds < start - 0.5 && ($0.measureWithFraction ?? .nan) > truth.measureNumbers[0] + 1
        }
    }

    private static func largestStepBackAfterEnd(truth: GroundTruth, trace: FollowTrace) -> Double? {
        var highest: Double?
        var drop = 0.0
        for point in trace.reports where point.liveSeconds >= truth.endSeconds {
            guard let measure = point.measureWithFraction, !measure.isNaN else { continue }
            highest = max(highest ?? measure, measure)
            drop = max(drop, (highest ?? measure) - measure)
        }
        return highest.map { _ in drop.rounded(places: 2) }
    }
}
