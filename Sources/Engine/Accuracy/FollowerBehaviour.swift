/// A follower's behaviour beyond its position errors: the faults that an audience or a player would notice.
public struct FollowerBehaviour: Hashable, Sendable {
    /// Seconds in which the shown measure was wrong by more than one.
    public var wrongSeconds = 0.0
    /// The part of ``wrongSeconds`` in which the follower admitted doubt: confidence below one half, coasting or
    /// lost.
    public var knownWrongSeconds = 0.0
    /// Number of times the shown measure went back although the music did not.
    public var backwardSteps = 0
    /// Longest uninterrupted time in each state, seconds.
    public var longestInState: [FollowTrace.State: Double] = [:]

    /// Share of the wrong time in which the follower admitted doubt; nil if it was never wrong.
    public var knownShare: Double? { wrongSeconds > 0 ? knownWrongSeconds / wrongSeconds : nil }

    public init(truth: GroundTruth, trace: FollowTrace, samples: SampledPositions) {
        for index in samples.times.indices where samples.counts[index] && !samples.estimate[index].isNaN {
            guard !samples.isWithinOne(at: index) else { continue }
            wrongSeconds += SampledPositions.stepSeconds
            if Self.claimsDoubt(trace.points[samples.report[index]]) {
                knownWrongSeconds += SampledPositions.stepSeconds
            }
        }
        backwardSteps = Self.backwardSteps(of: trace, jumps: truth.backwardJumps)
        longestInState = Self.longestInState(trace)
    }

    public init(pooling parts: [FollowerBehaviour]) {
        for part in parts {
            wrongSeconds += part.wrongSeconds
            knownWrongSeconds += part.knownWrongSeconds
            backwardSteps += part.backwardSteps
            longestInState.merge(part.longestInState, uniquingKeysWith: max)
        }
    }

    private static func claimsDoubt(_ point: FollowTrace.Point) -> Bool {
        point.confidence < 0.5 || point.state == .coasting || point.state == .lost
    }

    /// Each jump back of the music allows one step back of the display, from a second before the jump on.
    private static func backwardSteps(of trace: FollowTrace, jumps: [Double]) -> Int {
        var excuses = jumps[...]
        var granted = 0
        var count = 0
        var shown: Double?
        for point in trace.points {
            while let next = excuses.first, point.liveSeconds >= next - 1 {
                granted += 1
                excuses.removeFirst()
            }
            guard let measure = point.measure?.rounded(.down) else { continue }
            if let before = shown, measure < before {
                if granted > 0 { granted -= 1 } else { count += 1 }
            }
            shown = measure
        }
        return count
    }

    private static func longestInState(_ trace: FollowTrace) -> [FollowTrace.State: Double] {
        var longest: [FollowTrace.State: Double] = [:]
        var since: FollowTrace.Point?
        for point in trace.points {
            if since?.state != point.state { since = point }
            guard let since else { continue }
            longest[point.state] = max(longest[point.state] ?? 0, point.liveSeconds - since.liveSeconds)
        }
        return longest
    }
}
