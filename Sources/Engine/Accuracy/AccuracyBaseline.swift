/// The accepted accuracy figures. A changed follower must not fall below them in any group or in any single case.
public struct AccuracyBaseline: Hashable, Sendable, Codable {
    /// An accepted figure, and how much worse a new figure may be and still pass.
    public struct Accepted: Hashable, Sendable, Codable {
        public var accepted: Double
        public var tolerance: Double

        public init(accepted: Double, tolerance: Double) {
            self.accepted = accepted
            self.tolerance = tolerance
        }
    }

    /// Accepted figures of each group; `cases` has those of each single case. The first key is the name of the group or
    /// case, the second the name of the metric.
    public var groups: [String: [String: Accepted]]
    public var cases: [String: [String: Accepted]]

    public init(groups: [String: [String: Accepted]] = [:], cases: [String: [String: Accepted]] = [:]) {
        self.groups = groups
        self.cases = cases
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        groups = try container.decodeIfPresent([String: [String: Accepted]].self, forKey: .groups) ?? [:]
        cases = try container.decodeIfPresent([String: [String: Accepted]].self, forKey: .cases) ?? [:]
    }

    /// One accepted figure and the result of comparing the new figure with it.
    public struct Finding: Hashable, Sendable {
        public enum Verdict: Hashable, Sendable { case holds, better, fell, notMeasured, noSuchMetric }

        public var groupOrCase: String
        public var metric: String
        public var accepted: Accepted
        public var measured: Double?
        public var verdict: Verdict

        public var sentence: String {
            let measured = measured.map { "\($0)" } ?? "nothing"
            let fact = "\(groupOrCase), \(metric): \(measured) now, \(accepted.accepted) accepted"
            return switch verdict {
            case .holds: fact + "; holds."
            case .better: fact + "; better."
            case .fell: fact + " with a tolerance of \(accepted.tolerance); fell below the baseline."
            case .notMeasured:
                "\(groupOrCase), \(metric): accepted \(accepted.accepted), not measured this time."
            case .noSuchMetric:
                "\(groupOrCase): '\(metric)' in the baseline is the name of no metric that has a better."
            }
        }
    }

    /// Compares every accepted figure with the report's, in a fixed order: groups by name, then cases by name.
    ///
    /// A group counts as not measured if the report pools it over another number of cases than the accepted one.
    public func check(_ report: BenchmarkReport) -> [Finding] {
        Self.findings(groups, in: report.groupFigures) + Self.findings(cases, in: report.caseFigures)
    }

    /// Returns a stricter baseline: better figures replace the accepted ones, worse figures change nothing.
    ///
    /// A group that is new in the report gets the metrics of ``enforcedMetrics``. Figures that were not measured stay
    /// as they are.
    public func raised(by report: BenchmarkReport, tolerance: Double = 0.005) -> AccuracyBaseline {
        var raised = AccuracyBaseline(
            groups: Self.raised(groups, by: report.groupFigures),
            cases: Self.raised(cases, by: report.caseFigures))
        for (name, summary) in report.groupFigures where groups[name] == nil {
            for metric in [.cases] + Self.enforcedMetrics {
                guard let value = summary[metric].value, value.isFinite else { continue }
                let isCount = metric == .cases || metric == .lostCases
                raised.groups[name, default: [:]][metric.rawValue] =
                    Accepted(accepted: value, tolerance: isCount ? 0 : tolerance)
            }
        }
        return raised
    }

    static let enforcedMetrics: [Metric] = [
        .onsetWithin250ms, .onsetWithin500ms, .positionWithin500ms, .measureHit, .measureWithinOne,
        .lostCases,
    ]

    private typealias NamedSummaries = [(name: String, summary: AccuracySummary)]

    private static func raised(
        _ accepted: [String: [String: Accepted]], by measured: NamedSummaries
    ) -> [String: [String: Accepted]] {
        var raised = accepted
        for finding in findings(accepted, in: measured) where finding.verdict == .better {
            guard let value = finding.measured else { continue }
            raised[finding.groupOrCase]?[finding.metric]?.accepted = value
        }
        return raised
    }

    private static func findings(_ accepted: [String: [String: Accepted]], in measured: NamedSummaries)
        -> [Finding]
    {
        accepted.sorted { $0.key < $1.key }.flatMap { name, metrics in
            let cases = metrics[Metric.cases.rawValue]?.accepted
            let summary = measured.first { $0.name == name }?.summary
            let isComparable = cases == nil || summary?[.cases].value == cases
            return metrics.filter { $0.key != Metric.cases.rawValue }.sorted { $0.key < $1.key }
                .map { finding(name, $0.key, $0.value, isComparable ? summary : nil) }
        }
    }

    private static func finding(
        _ name: String, _ metricName: String, _ accepted: Accepted, _ summary: AccuracySummary?
    ) -> Finding {
        var finding = Finding(
            groupOrCase: name, metric: metricName, accepted: accepted, measured: nil, verdict: .notMeasured)
        guard let metric = Metric(rawValue: metricName), metric.direction != .neither else {
            finding.verdict = .noSuchMetric
            return finding
        }
        guard let summary else { return finding }
        finding.measured = summary[metric].value
        guard let measured = finding.measured, measured.isFinite else {
            // The metric was measured but has no value, for example because every onset was missed: worse than any
            // figure.
            finding.verdict = .fell
            return finding
        }
        let gain = metric.direction == .up ? measured - accepted.accepted : accepted.accepted - measured
        // Figures have four decimals; the extra 1e-9 keeps a difference of exactly the tolerance inside it.
        finding.verdict = gain > 0 ? .better : gain < -accepted.tolerance - 1e-9 ? .fell : .holds
        return finding
    }
}

extension BenchmarkReport {
    fileprivate var groupFigures: [(name: String, summary: AccuracySummary)] {
        groups.map { ($0.name, $0.pooled) }
    }
    fileprivate var caseFigures: [(name: String, summary: AccuracySummary)] {
        entries.map { ($0.id, $0.summary) }
    }
}
