/// How a follower behaved beyond where it was: what an audience or a player would hold against it.
public struct Conduct: Hashable, Sendable {
    /// Time the shown measure was wrong by more than one, seconds.
    public var wrongSeconds = 0.0
    /// The part of it in which the follower said so: confidence below one half, coasting or lost.
    public var knownWrongSeconds = 0.0
    /// Times the shown measure number went back although the music had not.
    public var backwardSteps = 0
    /// Longest uninterrupted time in each state, seconds.
    public var longestInState: [FollowTrace.State: Double] = [:]

    /// Share of the wrong time in which the follower knew; nil where it was never wrong.
    public var knownShare: Double? { wrongSeconds > 0 ? knownWrongSeconds / wrongSeconds : nil }

    public init(truth: Truth, trace: FollowTrace, samples: SampledPositions) {
        for index in samples.times.indices where samples.counts[index] && !samples.estimate[index].isNaN {
            guard !samples.isWithinOne(at: index) else { continue }
            wrongSeconds += SampledPositions.stepSeconds
            if Self.admitsDoubt(trace.points[samples.report[index]]) {
                knownWrongSeconds += SampledPositions.stepSeconds
            }
        }
        backwardSteps = Self.backwardSteps(of: trace, jumps: truth.backwardJumps)
        longestInState = Self.longestInState(trace)
    }

    public init(pooling parts: [Conduct]) {
        for part in parts {
            wrongSeconds += part.wrongSeconds
            knownWrongSeconds += part.knownWrongSeconds
            backwardSteps += part.backwardSteps
            longestInState.merge(part.longestInState, uniquingKeysWith: max)
        }
    }

    private static func admitsDoubt(_ point: FollowTrace.Point) -> Bool {
        point.confidence < 0.5 || point.state == .coasting || point.state == .lost
    }

    /// Each jump back of the music excuses one step back of the display, from a second before it on.
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
