/// The name of a figure in results and baselines, in the order in which results are written.
public enum AccuracyMetric: String, CaseIterable, Hashable, Sendable {
    case cases, onsets
    case missedOnsets = "onset_misses"
    case onsetsPassedTooEarly = "onset_early_misses"
    case onsetErrorMedian = "onset_median"
    case onsetErrorMean = "onset_mean"
    case onsetAbsoluteErrorMedian = "onset_abs_median"
    case onsetAbsoluteErrorPercentile95 = "onset_abs_p95"
    case onsetShareWithin100ms = "onset_le_0.1"
    case onsetShareWithin250ms = "onset_le_0.25"
    case onsetShareWithin500ms = "onset_le_0.5"
    case onsetShareWithin1s = "onset_le_1"
    case positionErrorMedian = "pos_median"
    case positionErrorPercentile95 = "pos_p95"
    case positionShareWithin250ms = "pos_le_0.25"
    case positionShareWithin500ms = "pos_le_0.5"
    case positionShareWithin1s = "pos_le_1"
    case rightMeasureShare = "measure_hit"
    case withinOneMeasureShare = "measure_within_1"
    case longestLostSeconds = "longest_lost_s"
    case lostCaseCount = "lost_cases"

    /// The better direction: higher, lower, or neither.
    public var betterDirection: BetterDirection {
        switch self {
        case .cases, .onsets, .onsetErrorMedian, .onsetErrorMean: .neither
        case .missedOnsets, .onsetsPassedTooEarly, .onsetAbsoluteErrorMedian, .onsetAbsoluteErrorPercentile95,
            .positionErrorMedian, .positionErrorPercentile95,
            .longestLostSeconds, .lostCaseCount:
            .down
        default: .up
        }
    }

    /// The direction in which a figure improves.
    public enum BetterDirection: Hashable, Sendable { case up, down, neither }
}

/// A printed figure: a count, a rounded number, or `absent` if there was nothing to measure.
public enum AccuracyMetricValue: Hashable, Sendable {
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

    init(_ value: Double?) { self = value.map(AccuracyMetricValue.decimal) ?? .absent }

    /// The figure as the reference scorer prints it; a dash if it is absent.
    public var printedText: String {
        switch self {
        case .count(let count): "\(count)"
        case .decimal(let value): "\(value)"
        case .absent: "-"
        }
    }
}
