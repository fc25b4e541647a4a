/// A follower's behaviour beyond its position errors: the faults that an audience or a player would notice.
public struct FollowerBehaviour: Hashable, Sendable {
    /// The time in seconds in which the displayed measure was wrong by more than one.
    public var wrongSeconds = 0.0
    /// The part of ``wrongSeconds`` in which the follower admitted doubt (``FollowTrace/Report/admitsDoubt``).
    public var admittedWrongSeconds = 0.0
    /// The time that is judged, in seconds, and the parts of it in which a measure that was wrong by more than one was
    /// shown as certain, in which the shown measure was right within one, and in which doubt was admitted then.
    public var judgedSeconds = 0.0
    public var wrongCertainSeconds = 0.0
    public var rightSeconds = 0.0
    public var doubtedRightSeconds = 0.0
    /// For each case with a trouble to recover from, the seconds from its end until the shown measure is right within
    /// one, and shown as certain, for ``decidedForSeconds``; nil for a case in which that never comes.
    public var secondsUntilDecided: [Double?] = []
    /// The number of times the displayed measure went back although the music did not.
    public var backwardStepCount = 0
    /// The longest uninterrupted time in each state, in seconds.
    public var longestStaySecondsByState: [FollowTrace.State: Double] = [:]

    /// Share of the wrong time in which the follower admitted doubt; nil if it was never wrong.
    public var admittedShareOfWrongSeconds: Double? {
        wrongSeconds > 0 ? admittedWrongSeconds / wrongSeconds : nil
    }

    /// Seconds for each judged hour in which a wrong measure was shown as certain; nil if nothing was judged.
    public var wrongCertainSecondsPerHour: Double? {
        judgedSeconds > 0 ? 3_600 * wrongCertainSeconds / judgedSeconds : nil
    }

    /// Share of the right time in which the follower admitted doubt; nil if it was never right.
    public var doubtedShareOfRightSeconds: Double? {
        rightSeconds > 0 ? doubtedRightSeconds / rightSeconds : nil
    }

    /// The number of cases in which the right measure was never shown as certain after the trouble.
    public var undecidedCaseCount: Int { secondsUntilDecided.count { $0 == nil } }

    /// The median of ``secondsUntilDecided``; nil if it was never decided.
    public var medianSecondsUntilDecided: Double? {
        let decided = secondsUntilDecided.compactMap(\.self)
        return decided.isEmpty ? nil : Statistics.median(decided)
    }

    /// For so long, or until the end, the right measure must be shown as certain.
    static let decidedForSeconds = 3.0

    public init(
        truth: GroundTruth, trace: FollowTrace, samples: SampledPositions, disruption: MusicDisruption? = nil
    ) {
        let step = SampledPositions.stepSeconds
        for index in samples.sampleSeconds.indices where samples.isSampleScored[index] {
            judgedSeconds += step
            guard !samples.estimatedPositions[index].isNaN else { continue }
            let report = trace.reports[samples.reportIndices[index]]
            if samples.isWithinOneMeasure(at: index) {
                rightSeconds += step
                if report.admitsDoubt { doubtedRightSeconds += step }
            } else {
                wrongSeconds += step
                if report.admitsDoubt { admittedWrongSeconds += step }
                if report.isShownAsCertain { wrongCertainSeconds += step }
            }
        }
        backwardStepCount = Self.countBackwardSteps(of: trace, jumps: truth.backwardJumpTimes)
        longestStaySecondsByState = Self.findLongestStays(trace)
        if let disruption, disruption.isRecoveryScored, let end = disruption.end {
            secondsUntilDecided = [Self.measureSecondsUntilDecided(from: end, trace: trace, samples: samples)]
        }
    }

    public init(pooling parts: [FollowerBehaviour]) {
        for part in parts {
            wrongSeconds += part.wrongSeconds
            admittedWrongSeconds += part.admittedWrongSeconds
            judgedSeconds += part.judgedSeconds
            wrongCertainSeconds += part.wrongCertainSeconds
            rightSeconds += part.rightSeconds
            doubtedRightSeconds += part.doubtedRightSeconds
            secondsUntilDecided += part.secondsUntilDecided
            backwardStepCount += part.backwardStepCount
            longestStaySecondsByState.merge(part.longestStaySecondsByState, uniquingKeysWith: max)
        }
    }

    private static func measureSecondsUntilDecided(
        from end: Double, trace: FollowTrace, samples: SampledPositions
    ) -> Double? {
        var since: Double?
        var last = end
        for index in samples.sampleSeconds.indices where samples.isSampleScored[index] {
            let time = samples.sampleSeconds[index]
            guard time >= end - 1e-9 else { continue }
            last = time
            let report = samples.reportIndices[index]
            let isDecided =
                report >= 0 && samples.isWithinOneMeasure(at: index) && trace.reports[report].isShownAsCertain
            since = isDecided ? since ?? time : nil
            if let since, time - since >= decidedForSeconds - 1e-9 { return max(since - end, 0) }
        }
        // The music has ended before.
        return since.flatMap { last - $0 > decidedForSeconds / 3 ? max($0 - end, 0) : nil }
    }

    /// Counts the steps back of the display that the music does not explain. Each jump back of the music excuses one
    /// step, from one second before the jump.
    private static func countBackwardSteps(of trace: FollowTrace, jumps: [Double]) -> Int {
        var excuses = jumps[...]
        var granted = 0
        var count = 0
        var shown: Double?
        for point in trace.reports {
            while let next = excuses.first, point.liveSeconds >= next - 1 {
                granted += 1
                excuses.removeFirst()
            }
            guard let measure = point.measureWithFraction?.rounded(.down) else { continue }
            if let before = shown, measure < before {
                if granted > 0 { granted -= 1 } else { count += 1 }
            }
            shown = measure
        }
        return count
    }

    private static func findLongestStays(_ trace: FollowTrace) -> [FollowTrace.State: Double] {
        var longest: [FollowTrace.State: Double] = [:]
        var since: FollowTrace.Report?
        for point in trace.reports {
            if since?.state != point.state { since = point }
            guard let since else { continue }
            longest[point.state] = max(longest[point.state] ?? 0, point.liveSeconds - since.liveSeconds)
        }
        return longest
    }
}
