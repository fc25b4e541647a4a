/// The figures of one case or of several pooled ones. Every onset and every sample counts the same, so long cases
/// weigh more.
public struct AccuracySummary: Hashable, Sendable {
    private var figures: [AccuracyMetric: AccuracyMetricValue] = [:]

    public subscript(metric: AccuracyMetric) -> AccuracyMetricValue {
        get { figures[metric] ?? .absent }
        set { figures[metric] = newValue }
    }

    /// Computes the figures of one case or several pooled cases.
    /// - Parameter scores: the scores of at least one case.
    public init(pooling scores: [BenchmarkCaseAccuracy]) {
        let errors = scores.flatMap(\.onsetErrors)
        let found = errors.compactMap(\.secondsLate)
        let sortedFound = found.sorted()
        let distances = found.map(\.magnitude)
        let sortedDistances = distances.sorted()
        let positions = scores.flatMap(\.positionErrors)
        let sortedPositions = positions.sorted()

        self[.cases] = .count(scores.count)
        self[.onsets] = .count(errors.count)
        self[.missedOnsets] = .count(errors.count - found.count)
        self[.onsetsPassedTooEarly] = .count(errors.count { $0.wasFollowerAheadThroughout })
        self[.onsetErrorMedian] = Self.quantile(sortedFound, 0.5)
        self[.onsetErrorMean] = AccuracyMetricValue(
            found.isEmpty ? nil : Statistics.mean(found).rounded(places: 3))
        self[.onsetAbsoluteErrorMedian] = Self.quantile(sortedDistances, 0.5)
        self[.onsetAbsoluteErrorPercentile95] = Self.quantile(sortedDistances, 0.95)
        for (metric, limit) in Self.onsetErrorLimits {
            let share = Double(distances.count { $0 <= limit }) / Double(max(1, errors.count))
            self[metric] = .decimal(share.rounded(places: 4))
        }
        self[.positionErrorMedian] = Self.quantile(sortedPositions, 0.5)
        self[.positionErrorPercentile95] = Self.quantile(sortedPositions, 0.95)
        for (metric, limit) in Self.positionErrorLimits {
            self[metric] = .decimal(Statistics.shareOfTrue(positions.map { $0 <= limit }).rounded(places: 4))
        }
        self[.rightMeasureShare] = .decimal(
            Statistics.shareOfTrue(scores.flatMap(\.isRightMeasureBySample)).rounded(places: 4))
        self[.withinOneMeasureShare] = .decimal(
            Statistics.shareOfTrue(scores.flatMap(\.isWithinOneMeasureBySample)).rounded(places: 4))
        self[.longestLostSeconds] = .decimal((scores.map(\.longestLostSeconds).max() ?? 0).rounded(places: 1))
        self[.lostCaseCount] = .count(scores.count { $0.wasFollowerLost })
    }

    private static let onsetErrorLimits: [(AccuracyMetric, Double)] = [
        (.onsetShareWithin100ms, 0.1), (.onsetShareWithin250ms, 0.25), (.onsetShareWithin500ms, 0.5),
        (.onsetShareWithin1s, 1),
    ]
    private static let positionErrorLimits: [(AccuracyMetric, Double)] = [
        (.positionShareWithin250ms, 0.25), (.positionShareWithin500ms, 0.5), (.positionShareWithin1s, 1),
    ]

    private static func quantile(_ sorted: [Double], _ quantile: Double) -> AccuracyMetricValue {
        sorted.isEmpty
            ? .absent : .decimal(Statistics.quantile(ofSorted: sorted, quantile).rounded(places: 3))
    }
}
