/// The name of a figure in results and baselines, in the order in which results are written.
public enum Metric: String, CaseIterable, Hashable, Sendable {
    case cases, onsets
    case onsetMisses = "onset_misses"
    case onsetEarlyMisses = "onset_early_misses"
    case onsetMedian = "onset_median"
    case onsetMean = "onset_mean"
    case onsetAbsMedian = "onset_abs_median"
    case onsetAbsP95 = "onset_abs_p95"
    case onsetWithin100ms = "onset_le_0.1"
    case onsetWithin250ms = "onset_le_0.25"
    case onsetWithin500ms = "onset_le_0.5"
    case onsetWithin1s = "onset_le_1"
    case positionMedian = "pos_median"
    case positionP95 = "pos_p95"
    case positionWithin250ms = "pos_le_0.25"
    case positionWithin500ms = "pos_le_0.5"
    case positionWithin1s = "pos_le_1"
    case measureHit = "measure_hit"
    case measureWithinOne = "measure_within_1"
    case longestLost = "longest_lost_s"
    case lostCases = "lost_cases"

    /// Whether a higher value is better, a lower one, or neither.
    public var direction: Polarity {
        switch self {
        case .cases, .onsets, .onsetMedian, .onsetMean: .neither
        case .onsetMisses, .onsetEarlyMisses, .onsetAbsMedian, .onsetAbsP95, .positionMedian, .positionP95,
            .longestLost, .lostCases:
            .down
        default: .up
        }
    }

    public enum Polarity: Hashable, Sendable { case up, down, neither }
}

/// A printed figure: a count, a rounded number, or `absent` if there was nothing to measure.
public enum MetricValue: Hashable, Sendable {
    case count(Int)
    case decimal(Double)
    case absent

    public var value: Double? {
        switch self {
        case .count(let count): Double(count)
        case .decimal(let value): value
        case .absent: nil
        }
    }

    init(_ value: Double?) { self = value.map(MetricValue.decimal) ?? .absent }

    /// The figure as the reference scorer prints it; a dash if it is absent.
    public var text: String {
        switch self {
        case .count(let count): "\(count)"
        case .decimal(let value): "\(value)"
        case .absent: "-"
        }
    }
}
