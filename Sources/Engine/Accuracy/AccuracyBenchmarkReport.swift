/// The results of a set of cases: for each case, for each group, and for all together.
///
/// Tables and JSON equal those of the benchmark's own scorer to the last digit.
public struct AccuracyBenchmarkReport: Sendable {
    /// One scored case: its score and the facts that the tables show with it.
    public struct CaseResult: Sendable {
        public var id: String
        public var group: String
        public var disruption: MusicDisruption?
        public var accuracy: BenchmarkCaseAccuracy
        /// True if the follower wrote no output for this case.
        public var isMissing: Bool
        public let accuracySummary: AccuracySummary

        public init(
            id: String, group: String, disruption: MusicDisruption?, accuracy: BenchmarkCaseAccuracy,
            isMissing: Bool = false
        ) {
            self.id = id
            self.group = group
            self.disruption = disruption
            self.accuracy = accuracy
            self.isMissing = isMissing
            accuracySummary = AccuracySummary(pooling: [accuracy])
        }

        var isRecoveryScored: Bool { disruption?.isRecoveryScored ?? false }
    }

    /// The figures of one group: pooled, as means over its cases, and for recovery.
    public struct Group: Sendable {
        public var name: String
        public var pooledSummary: AccuracySummary
        /// Means over the cases of the group, each case with the same weight.
        public var macroAverages: [MacroAverage]
        /// Recovery after disruptions; nil if no case of the group has a disruption to recover from.
        public var recovery: Recovery?

        public struct MacroAverage: Sendable {
            public var metric: AccuracyMetric
            public var mean: Double
        }

        public struct Recovery: Sendable {
            public var caseCount: Int
            public var recoveredCaseCount: Int
            public var medianRecoverySeconds: Double?
        }
    }

    /// The scored cases in the order of their ids.
    public let caseResults: [CaseResult]
    /// The figures of each group in the order of first appearance, then those of all cases as `ALL`.
    public let groups: [Group]

    /// Creates a report and pools the figures of each group.
    /// - Parameter entries: at least one; no two have the same id.
    public init(_ entries: [CaseResult]) {
        // Compares bytes, because the order must not depend on a locale or on a version of Unicode.
        let sorted = entries.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        self.caseResults = sorted
        var names: [String] = []
        for entry in sorted where !names.contains(entry.group) { names.append(entry.group) }
        groups =
            names.map { name in Self.makeGroup(name, of: sorted.filter { $0.group == name }) }
            + [Self.makeGroup("ALL", of: sorted)]
    }

    public var missingCaseIDs: [String] { caseResults.filter(\.isMissing).map(\.id) }

    private static func makeGroup(_ name: String, of entries: [CaseResult]) -> Group {
        let macro = [
            AccuracyMetric.onsetShareWithin250ms, .onsetShareWithin500ms, .positionShareWithin500ms,
            .rightMeasureShare,
        ].map {
            metric in
            let values = entries.compactMap { $0.accuracySummary[metric].value }
            return Group.MacroAverage(metric: metric, mean: Statistics.mean(values).rounded(places: 4))
        }
        let judged = entries.filter(\.isRecoveryScored)
        let times = judged.compactMap(\.accuracy.recoverySeconds)
        let recovery = Group.Recovery(
            caseCount: judged.count, recoveredCaseCount: times.count,
            medianRecoverySeconds: times.isEmpty ? nil : Statistics.median(times).rounded(places: 2))
        return Group(
            name: name, pooledSummary: AccuracySummary(pooling: entries.map(\.accuracy)),
            macroAverages: macro,
            recovery: judged.isEmpty ? nil : recovery)
    }
}
