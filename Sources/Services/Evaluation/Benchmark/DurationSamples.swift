/// The durations of many repetitions of the same work, each stored for exact percentiles.
///
/// Memory is reserved beforehand, so that adding a duration does not disturb the measurement.
struct DurationSamples {
    private var durationsInNanoseconds: [Int64] = []

    /// Reserves the memory for all durations.
    /// - Parameter turns: the largest number of durations that will be added.
    init(turns: Int) { durationsInNanoseconds.reserveCapacity(turns) }

    var sampleCount: Int { durationsInNanoseconds.count }
    var totalNanoseconds: Int64 { durationsInNanoseconds.reduce(0, +) }

    mutating func add(nanoseconds length: Int64) { durationsInNanoseconds.append(length) }

    /// The mean, the percentiles and the maximum of the durations.
    /// - Complexity: O(n log n) for n durations.
    package var summary: DurationSummary {
        let sorted = durationsInNanoseconds.sorted()
        func percentile(_ percent: Double) -> Int64 {
            let rank = Int((Double(sorted.count) * percent / 100).rounded(.up))
            return sorted.isEmpty ? 0 : sorted[min(max(rank - 1, 0), sorted.count - 1)]
        }
        return DurationSummary(
            turns: sampleCount, meanNanoseconds: sampleCount == 0 ? 0 : totalNanoseconds / Int64(sampleCount),
            p50Nanoseconds: percentile(50), p99Nanoseconds: percentile(99),
            p999Nanoseconds: percentile(99.9), longestNanoseconds: sorted.last ?? 0)
    }
}

/// Mean, percentiles and maximum of a ``DurationSamples``.
package struct DurationSummary: Encodable {
    var turns: Int
    var meanNanoseconds: Int64
    var p50Nanoseconds: Int64
    var p99Nanoseconds: Int64
    var p999Nanoseconds: Int64
    var longestNanoseconds: Int64
}
