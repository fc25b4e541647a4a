/// The accepted accuracy figures. A changed follower must not fall below them in any group or in any single case.
public struct AccuracyBaseline: Hashable, Sendable, Codable {
    /// An accepted figure, and how much worse a new figure may be and still pass.
    public struct AcceptedFigure: Hashable, Sendable, Codable {
        public var accepted: Double
        public var tolerance: Double

        public init(accepted: Double, tolerance: Double) {
            self.accepted = accepted
            self.tolerance = tolerance
        }
    }

    /// Accepted figures of each group; `cases` has those of each single case. The first key is the name of the group or
    /// case, the second the name of the metric.
    public var groups: [String: [String: AcceptedFigure]]
    public var cases: [String: [String: AcceptedFigure]]

    public init(
        groups: [String: [String: AcceptedFigure]] = [:], cases: [String: [String: AcceptedFigure]] = [:]
    ) {
        self.groups = groups
        self.cases = cases
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        groups =
            try container.decodeIfPresent([String: [String: AcceptedFigure]].self, forKey: .groups) ?? [:]
        cases = try container.decodeIfPresent([String: [String: AcceptedFigure]].self, forKey: .cases) ?? [:]
    }

    /// One accepted figure and the result of comparing the new figure with it.
    public struct FigureComparison: Hashable, Sendable {
        /// The result of comparing a figure with the baseline.
        public enum Verdict: Hashable, Sendable { case holds, better, fell, notMeasured, noSuchMetric }

        public var groupOrCase: String
        public var metric: String
        public var acceptedFigure: AcceptedFigure
        public var measured: Double?
        public var verdict: Verdict

        public var sentence: String {
            let measured = measured.map { "\($0)" } ?? "nothing"
            let fact = "\(groupOrCase), \(metric): \(measured) now, \(acceptedFigure.accepted) accepted"
            return switch verdict {
            case .holds: fact + "; holds."
            case .better: fact + "; better."
            case .fell: fact + " with a tolerance of \(acceptedFigure.tolerance); fell below the baseline."
            case .notMeasured:
                "\(groupOrCase), \(metric): accepted \(acceptedFigure.accepted), not measured this time."
            case .noSuchMetric:
                "\(groupOrCase): '\(metric)' in the baseline is the name of no metric that has a better."
            }
        }
    }

    /// Compares every accepted figure with the report's, in a fixed order: groups by name, then cases by name.
    ///
    /// A group counts as not measured if the report pools it over another number of cases than the accepted one.
    /// - Parameter conduct: the figures of conduct of the same cases.
    public func compareFigures(_ report: AccuracyBenchmarkReport, conduct: FollowerBehaviourReport? = nil)
        -> [FigureComparison]
    {
        let measured = MeasuredFigures.of(report, conduct: conduct)
        return Self.compareFigures(groups, in: measured.groups)
            + Self.compareFigures(cases, in: measured.cases)
    }

    /// Returns a stricter baseline: better figures replace the accepted ones, worse figures change nothing.
    ///
    /// A group that is new in the report gets the metrics of ``enforcedMetrics``, and those of conduct if its cases have
    /// a trouble to recover from. Figures that were not measured stay as they are.
    public func raisedToBetterFigures(
        by report: AccuracyBenchmarkReport, conduct: FollowerBehaviourReport? = nil, tolerance: Double = 0.005
    ) -> AccuracyBaseline {
        let measured = MeasuredFigures.of(report, conduct: conduct)
        var raised = AccuracyBaseline(
            groups: Self.raisedFigures(groups, by: measured.groups),
            cases: Self.raisedFigures(cases, by: measured.cases))
        for group in measured.groups where groups[group.name] == nil {
            for metric in [.cases] + Self.enforcedMetrics {
                guard let value = group.summary[metric].value, value.isFinite else { continue }
                let isCount = metric == .cases || metric == .lostCaseCount
                raised.groups[group.name, default: [:]][metric.rawValue] =
                    AcceptedFigure(accepted: value, tolerance: isCount ? 0 : tolerance)
            }
            guard let conduct = group.conduct, !conduct.secondsUntilDecided.isEmpty else { continue }
            for metric in ConductMetric.allCases {
                guard let value = metric.value(in: conduct) else { continue }
                raised.groups[group.name, default: [:]][metric.rawValue] =
                    AcceptedFigure(accepted: value, tolerance: metric.tolerance)
            }
        }
        return raised
    }

    static let enforcedMetrics: [AccuracyMetric] = [
        .onsetShareWithin250ms, .onsetShareWithin500ms, .positionShareWithin500ms, .rightMeasureShare,
        .withinOneMeasureShare,
        .lostCaseCount,
    ]

    private static func raisedFigures(
        _ accepted: [String: [String: AcceptedFigure]], by measured: [MeasuredFigures]
    ) -> [String: [String: AcceptedFigure]] {
        var raised = accepted
        for finding in compareFigures(accepted, in: measured) where finding.verdict == .better {
            guard let value = finding.measured else { continue }
            raised[finding.groupOrCase]?[finding.metric]?.accepted = value
        }
        return raised
    }

    private static func compareFigures(
        _ accepted: [String: [String: AcceptedFigure]], in measured: [MeasuredFigures]
    )
        -> [FigureComparison]
    {
        accepted.sorted { $0.key < $1.key }.flatMap { name, metrics in
            let cases = metrics[AccuracyMetric.cases.rawValue]?.accepted
            let figures = measured.first { $0.name == name }
            let isComparable = cases == nil || figures?.summary[.cases].value == cases
            return metrics.filter { $0.key != AccuracyMetric.cases.rawValue }.sorted { $0.key < $1.key }
                .map { compareFigure(name, $0.key, $0.value, isComparable ? figures : nil) }
        }
    }

    private static func compareFigure(
        _ name: String, _ metricName: String, _ accepted: AcceptedFigure, _ figures: MeasuredFigures?
    ) -> FigureComparison {
        var finding = FigureComparison(
            groupOrCase: name, metric: metricName, acceptedFigure: accepted, measured: nil,
            verdict: .notMeasured)
        let direction = MeasuredFigures.betterDirection(of: metricName)
        guard direction != .neither else {
            finding.verdict = .noSuchMetric
            return finding
        }
        guard let figures else { return finding }
        finding.measured = figures.value(of: metricName)
        guard let measured = finding.measured, measured.isFinite else {
            // The metric was measured but has no value, for example because every onset was missed: worse than any
            // figure.
            finding.verdict = .fell
            return finding
        }
        let gain = direction == .up ? measured - accepted.accepted : accepted.accepted - measured
        // Figures have four decimals; the extra 1e-9 keeps a difference of exactly the tolerance inside it.
        finding.verdict = gain > 0 ? .better : gain < -accepted.tolerance - 1e-9 ? .fell : .holds
        return finding
    }
}

/// The figures of a group or of a case that can be compared with accepted ones.
private struct MeasuredFigures {
    var name: String
    var summary: AccuracySummary
    var conduct: FollowerBehaviour?

    static func of(_ report: AccuracyBenchmarkReport, conduct: FollowerBehaviourReport?)
        -> (groups: [MeasuredFigures], cases: [MeasuredFigures])
    {
        let behaviour = conduct?.acceptableFigures
        return (
            report.groups.map {
                MeasuredFigures(
                    name: $0.name, summary: $0.pooledSummary, conduct: behaviour?.groups[$0.name])
            },
            report.caseResults.map {
                MeasuredFigures(name: $0.id, summary: $0.accuracySummary, conduct: behaviour?.cases[$0.id])
            }
        )
    }

    static func betterDirection(of metric: String) -> AccuracyMetric.BetterDirection {
        AccuracyMetric(rawValue: metric)?.betterDirection
            ?? (ConductMetric(rawValue: metric) == nil ? .neither : .down)
    }

    func value(of metric: String) -> Double? {
        if let metric = AccuracyMetric(rawValue: metric) { return summary[metric].value }
        return conduct.flatMap { conduct in ConductMetric(rawValue: metric)?.value(in: conduct) }
    }
}
