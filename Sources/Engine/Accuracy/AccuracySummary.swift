/// The figures of one case or of several pooled ones. Every onset and every sample counts the same, so long cases
/// weigh more.
public struct AccuracySummary: Hashable, Sendable {
    private var figures: [Metric: MetricValue] = [:]

    public subscript(metric: Metric) -> MetricValue {
        get { figures[metric] ?? .absent }
        set { figures[metric] = newValue }
    }

    /// Computes the figures of one case or several pooled cases.
    /// - Parameter scores: the scores of at least one case.
    public init(pooling scores: [CaseScore]) {
        let errors = scores.flatMap(\.onsetErrors)
        let found = errors.compactMap(\.secondsLate)
        let sortedFound = found.sorted()
        let distances = found.map(\.magnitude)
        let sortedDistances = distances.sorted()
        let positions = scores.flatMap(\.positionErrors)
        let sortedPositions = positions.sorted()

        self[.cases] = .count(scores.count)
        self[.onsets] = .count(errors.count)
        self[.onsetMisses] = .count(errors.count - found.count)
        self[.onsetEarlyMisses] = .count(errors.count { $0.wasEarlyMiss })
        self[.onsetMedian] = Self.quantile(sortedFound, 0.5)
        self[.onsetMean] = MetricValue(found.isEmpty ? nil : Statistics.mean(found).rounded(places: 3))
        self[.onsetAbsMedian] = Self.quantile(sortedDistances, 0.5)
        self[.onsetAbsP95] = Self.quantile(sortedDistances, 0.95)
        for (metric, limit) in Self.onsetLimits {
            let share = Double(distances.count { $0 <= limit }) / Double(max(1, errors.count))
            self[metric] = .decimal(share.rounded(places: 4))
        }
        self[.positionMedian] = Self.quantile(sortedPositions, 0.5)
        self[.positionP95] = Self.quantile(sortedPositions, 0.95)
        for (metric, limit) in Self.positionLimits {
            self[metric] = .decimal(Statistics.share(positions.map { $0 <= limit }).rounded(places: 4))
        }
        self[.measureHit] = .decimal(Statistics.share(scores.flatMap(\.hits)).rounded(places: 4))
        self[.measureWithinOne] = .decimal(Statistics.share(scores.flatMap(\.withinOne)).rounded(places: 4))
        self[.longestLost] = .decimal((scores.map(\.longestLostSeconds).max() ?? 0).rounded(places: 1))
        self[.lostCases] = .count(scores.count { $0.isLost })
    }

    private static let onsetLimits: [(Metric, Double)] = [
        (.onsetWithin100ms, 0.1), (.onsetWithin250ms, 0.25), (.onsetWithin500ms, 0.5), (.onsetWithin1s, 1),
    ]
    private static let positionLimits: [(Metric, Double)] = [
        (.positionWithin250ms, 0.25), (.positionWithin500ms, 0.5), (.positionWithin1s, 1),
    ]

    private static func quantile(_ sorted: [Double], _ quantile: Double) -> MetricValue {
        sorted.isEmpty
            ? .absent : .decimal(Statistics.quantile(ofSorted: sorted, quantile).rounded(places: 3))
    }
}
