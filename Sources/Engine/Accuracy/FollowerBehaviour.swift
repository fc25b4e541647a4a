/// A follower's behaviour beyond its position errors: the faults that an audience or a player would notice.
public struct FollowerBehaviour: Hashable, Sendable {
    /// The time in seconds in which the displayed measure was wrong by more than one.
    public var wrongSeconds = 0.0
    /// The part of ``wrongSeconds`` in which the follower admitted doubt: confidence below one half, coasting or
    /// lost.
    public var admittedWrongSeconds = 0.0
    /// The number of times the displayed measure went back although the music did not.
    public var backwardSteps = 0
    /// The longest uninterrupted time in each state, in seconds.
    public var longestInState: [FollowTrace.State: Double] = [:]

    /// Share of the wrong time in which the follower admitted doubt; nil if it was never wrong.
    public var admittedShare: Double? { wrongSeconds > 0 ? admittedWrongSeconds / wrongSeconds : nil }

    public init(truth: GroundTruth, trace: FollowTrace, samples: SampledPositions) {
        for index in samples.times.indices where samples.isScored[index] && !samples.estimate[index].isNaN {
            guard !samples.isWithinOne(at: index) else { continue }
            wrongSeconds += SampledPositions.stepSeconds
            if Self.claimsDoubt(trace.points[samples.reportIndices[index]]) {
                admittedWrongSeconds += SampledPositions.stepSeconds
            }
        }
        backwardSteps = Self.backwardSteps(of: trace, jumps: truth.backwardJumps)
        longestInState = Self.longestInState(trace)
    }

    public init(pooling parts: [FollowerBehaviour]) {
        for part in parts {
            wrongSeconds += part.wrongSeconds
            admittedWrongSeconds += part.admittedWrongSeconds
            backwardSteps += part.backwardSteps
            longestInState.merge(part.longestInState, uniquingKeysWith: max)
        }
    }

    private static func claimsDoubt(_ point: FollowTrace.Point) -> Bool {
        point.confidence < 0.5 || point.state == .coasting || point.state == .lost
    }

    /// Counts the steps back of the display that the music does not explain. Each jump back of the music excuses one
    /// step, from one second before the jump.
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
