/// The results of a set of cases: for each case, for each group, and for all together.
///
/// Tables and JSON equal those of the benchmark's own scorer to the last digit.
public struct BenchmarkReport: Sendable {
    /// One scored case: its score and the facts that the tables show with it.
    public struct Entry: Sendable {
        public var id: String
        public var group: String
        public var disruption: Disruption?
        public var score: CaseScore
        /// True if the follower wrote no output for this case.
        public var isMissing: Bool
        public let summary: AccuracySummary

        public init(
            id: String, group: String, disruption: Disruption?, score: CaseScore, isMissing: Bool = false
        ) {
            self.id = id
            self.group = group
            self.disruption = disruption
            self.score = score
            self.isMissing = isMissing
            summary = AccuracySummary(pooling: [score])
        }

        var isRecoveryScored: Bool { disruption?.isScored ?? false }
    }

    /// The figures of one group: pooled, as means over its cases, and for recovery.
    public struct Group: Sendable {
        public var name: String
        public var pooled: AccuracySummary
        /// Means over the cases of the group, each case with the same weight.
        public var macroAverages: [MacroAverage]
        /// Recovery after disruptions; nil if no case of the group has a disruption to recover from.
        public var recovery: Recovery?

        public struct MacroAverage: Sendable {
            public var metric: Metric
            public var mean: Double
        }

        public struct Recovery: Sendable {
            public var cases: Int
            public var recovered: Int
            public var medianSeconds: Double?
        }
    }

    /// The scored cases in the order of their ids.
    public let entries: [Entry]
    /// The figures of each group in the order of first appearance, then those of all cases as `ALL`.
    public let groups: [Group]

    /// Creates a report and pools the figures of each group.
    /// - Parameter entries: at least one; no two have the same id.
    public init(_ entries: [Entry]) {
        // Compares bytes, because the order must not depend on a locale or on a version of Unicode.
        let sorted = entries.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        self.entries = sorted
        var names: [String] = []
        for entry in sorted where !names.contains(entry.group) { names.append(entry.group) }
        groups =
            names.map { name in Self.group(name, of: sorted.filter { $0.group == name }) }
            + [Self.group("ALL", of: sorted)]
    }

    public var missingCaseIDs: [String] { entries.filter(\.isMissing).map(\.id) }

    private static func group(_ name: String, of entries: [Entry]) -> Group {
        let macro = [Metric.onsetWithin250ms, .onsetWithin500ms, .positionWithin500ms, .measureHit].map {
            metric in
            let values = entries.compactMap { $0.summary[metric].value }
            return Group.MacroAverage(metric: metric, mean: Statistics.mean(values).rounded(places: 4))
        }
        let judged = entries.filter(\.isRecoveryScored)
        let times = judged.compactMap(\.score.recoverySeconds)
        let recovery = Group.Recovery(
            cases: judged.count, recovered: times.count,
            medianSeconds: times.isEmpty ? nil : Statistics.median(times).rounded(places: 2))
        return Group(
            name: name, pooled: AccuracySummary(pooling: entries.map(\.score)), macroAverages: macro,
            recovery: judged.isEmpty ? nil : recovery)
    }
}
