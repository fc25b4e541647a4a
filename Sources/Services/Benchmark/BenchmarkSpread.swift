/// How long many turns of the same work took: exact percentiles, kept one by one.
///
/// Room for all turns is made beforehand, so that adding one costs nothing that is being measured.
struct Spread {
    private var nanoseconds: [Int64] = []

    /// - Parameter turns: how many will be added at most.
    init(turns: Int) { nanoseconds.reserveCapacity(turns) }

    var turns: Int { nanoseconds.count }
    var totalNanoseconds: Int64 { nanoseconds.reduce(0, +) }

    mutating func add(nanoseconds length: Int64) { nanoseconds.append(length) }

    /// - Complexity: O(turns × log turns).
    var summary: SpreadSummary {
        let sorted = nanoseconds.sorted()
        func percentile(_ percent: Double) -> Int64 {
            let rank = Int((Double(sorted.count) * percent / 100).rounded(.up))
            return sorted.isEmpty ? 0 : sorted[min(max(rank - 1, 0), sorted.count - 1)]
        }
        return SpreadSummary(
            turns: turns, meanNanoseconds: turns == 0 ? 0 : totalNanoseconds / Int64(turns),
            p50Nanoseconds: percentile(50), p99Nanoseconds: percentile(99),
            p999Nanoseconds: percentile(99.9), longestNanoseconds: sorted.last ?? 0)
    }
}

/// What is told of a ``Spread``.
struct SpreadSummary: Encodable {
    var turns: Int
    var meanNanoseconds: Int64
    var p50Nanoseconds: Int64
    var p99Nanoseconds: Int64
    var p999Nanoseconds: Int64
    var longestNanoseconds: Int64
}
