/// A disturbance that was added to the music on purpose, with its interval in seconds of the live recording.
public struct Disruption: Hashable, Sendable {
    public var kind: String?
    public var start: Double?
    /// The time from which the music is undisturbed again, in seconds of the live recording; nil if there is nothing to
    /// recover from.
    public var end: Double?
    /// False if the time that the follower needs to recover is not scored.
    public var isScored: Bool

    public init(kind: String?, start: Double? = nil, end: Double?, isScored: Bool = true) {
        self.kind = kind
        self.start = start
        self.end = end
        self.isScored = isScored
    }
}

/// All measurements of one case; ``Summary`` turns those of one or more cases into printed figures.
///
/// Source: the definitions of the benchmark's scorer, `score_alignment.py`.
public struct CaseScore: Sendable {
    public var onsetErrors: [OnsetError]
    /// Position errors in seconds, one for each sample that counts. For the same samples, `hits` says whether the
    /// measure was right, and `withinOne` whether it was right to within one.
    public var positionErrors: [Double]
    public var hits: [Bool]
    public var withinOne: [Bool]
    /// The longest time without a break, in seconds, in which the follower was far from the true position
    /// (``SampledPositions/isAstray(at:)``).
    public var longestLostSeconds: Double
    public var isLost: Bool
    /// Seconds from the end of the disruption until the error stays below 0.5 s for 3 s; nil if it never does.
    public var recoverySeconds: Double?
    /// True if the follower moved on before the music began; nil if the music begins within the first 2 s.
    public var falseStart: Bool?
    /// The largest step back of the displayed measure after the end of the music, in measures; nil if no position was
    /// displayed there.
    public var stepBackAfterEnd: Double?

    public init(truth: GroundTruth, trace: FollowTrace, disruption: Disruption? = nil) {
        let samples = SampledPositions(truth: truth, trace: trace)
        let counting = samples.times.indices.filter { samples.isScored[$0] }
        onsetErrors = OnsetError.all(truth: truth, trace: trace)
        positionErrors = counting.map { samples.error(at: $0) }
        hits = counting.map { samples.isHit(at: $0) }
        withinOne = counting.map { samples.isWithinOne(at: $0) }
        let astray = Self.longestRun(counting.map { samples.isAstray(at: $0) })
        longestLostSeconds = Double(astray) * SampledPositions.stepSeconds
        isLost = longestLostSeconds > 10
        recoverySeconds = Self.recovery(from: disruption, samples: samples, counting: counting)
        falseStart = Self.falseStart(truth: truth, trace: trace)
        stepBackAfterEnd = Self.largestStepBackAfterEnd(truth: truth, trace: trace)
    }

    private static func longestRun(_ flags: [Bool]) -> Int {
        var longest = 0
        var current = 0
        for flag in flags {
            current = flag ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    private static func recovery(
        from disruption: Disruption?, samples: SampledPositions, counting: [Int]
    ) -> Double? {
        guard let disruption, disruption.isScored, let end = disruption.end else { return nil }
        let after = counting.filter { samples.times[$0] >= end - 1e-9 }
        let good = after.map { samples.error(at: $0) < 0.5 }
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
        return first.map { max(0, samples.times[after[$0]] - end).rounded(places: 2) }
    }

    private static func falseStart(truth: GroundTruth, trace: FollowTrace) -> Bool? {
        let start = truth.onsets[0]
        guard start > 2 else { return nil }
        return trace.points.contains {
            $0.liveSeconds < start - 0.5 && ($0.measure ?? .nan) > truth.measures[0] + 1
        }
    }

    private static func largestStepBackAfterEnd(truth: GroundTruth, trace: FollowTrace) -> Double? {
        var highest: Double?
        var drop = 0.0
        for point in trace.points where point.liveSeconds >= truth.end {
            guard let measure = point.measure, !measure.isNaN else { continue }
            highest = max(highest ?? measure, measure)
            drop = max(drop, (highest ?? measure) - measure)
        }
        return highest.map { _ in drop.rounded(places: 2) }
    }
}
