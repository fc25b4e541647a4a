/// The loudness of a recording as a few points, drawn in the timeline under the colours of the sections.
public struct Waveform: Hashable, Sendable, Codable {
    /// Loudness of equal stretches of time: 0 is silence, 255 is the loudest stretch.
    public var points: [UInt8]

    /// Reduces the power of a recording's frames to a few points.
    ///
    /// Each point is the mean power of its stretch in decibels below the loudest stretch, so that soft music stays
    /// visible: 0 dB gives 255; `floorDecibels` or more below the loudest gives 0.
    /// - Parameters:
    ///   - power: shape `[frames]`, the mean square amplitude of each frame in any unit; negative values and NaN count
    ///     as silence.
    ///   - count: number of points; if there are fewer frames, a frame fills several points.
    /// - Complexity: O(frames + points).
    public init(power: some RandomAccessCollection<Float>, count: Int, floorDecibels: Double = 48) {
        precondition(count >= 0 && floorDecibels > 0, "count \(count), floor \(floorDecibels) dB")
        guard !power.isEmpty, count > 0 else {
            points = Array(repeating: 0, count: max(count, 0))
            return
        }
        let frames = power.count
        let means = (0..<count).map { point in
            let start = point * frames / count
            let stop = max((point + 1) * frames / count, start + 1)
            let stretch = (start..<stop).reduce(0.0) { sum, frame in
                let value = Double(power[power.index(power.startIndex, offsetBy: frame)])
                return value.isFinite && value > 0 ? sum + value : sum
            }
            return stretch / Double(stop - start)
        }
        let loudest = means.max() ?? 0
        points = means.map { mean in
            guard mean > 0, loudest > 0 else { return 0 }
            let below = Self.decibels(loudest / mean)
            return UInt8((255 * max(0, 1 - below / floorDecibels)).rounded())
        }
    }

    /// Converts a power ratio of at least 1 to decibels.
    ///
    /// It is computed from the exponent and a series, because this module uses no mathematics library. Exact to 1e-9
    /// dB.
    private static func decibels(_ ratio: Double) -> Double {
        guard ratio.isFinite else { return .infinity }
        // ln m = 2 artanh((m − 1)/(m + 1)) with 1 ≤ m < 2, so the powers shrink by nine or more.
        let small = (ratio.significand - 1) / (ratio.significand + 1)
        var (power, sum) = (small, 0.0)
        for odd in stride(from: 1.0, through: 19, by: 2) {
            sum += power / odd
            power *= small * small
        }
        let naturalLogarithm = Double(ratio.exponent) * 0.693_147_180_559_945_3 + 2 * sum
        return naturalLogarithm * 4.342_944_819_032_518
    }
}
