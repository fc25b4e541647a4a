/// Averages a follower's probabilities into a ``ProbabilityMap`` while it follows.
///
/// Uses a few hundred kilobytes however long the recording is: at most 600 columns by 240 rows. A column is the mean
/// over its duration, so a brief moment is visible but pale.
public struct ProbabilityMapBuilder: Sendable {
    public static let mostColumns = 600
    public static let mostRows = 240
    /// The shortest duration of a column or a row, in seconds. The search of the whole reference is updated once in
    /// this time, so a finer map would show no more.
    static let finestSeconds = 0.1
    /// Probabilities below this limit are written as zero; charts show only values at least 40 times as large.
    static let leastProbability: Float = 1e-4

    private let stepSeconds: Double
    private let referenceSeconds: Double
    private var sums: [[Float]]
    private var counts: [Int]

    /// Creates a builder without any probabilities.
    /// - Parameters:
    ///   - liveSeconds: duration of the live recording.
    ///   - referenceSeconds: duration of the reference.
    public init(liveSeconds: Double, referenceSeconds: Double) {
        func parts(_ seconds: Double, most: Int) -> Int {
            Int(min(max(seconds / Self.finestSeconds, 1), Double(most)))
        }
        let columns = parts(liveSeconds, most: Self.mostColumns)
        let rows = parts(referenceSeconds, most: Self.mostRows)
        stepSeconds = max(liveSeconds, Self.finestSeconds) / Double(columns)
        self.referenceSeconds = referenceSeconds
        sums = Array(repeating: Array(repeating: 0, count: rows), count: columns)
        counts = Array(repeating: 0, count: columns)
    }

    /// Adds the follower's probabilities at an instant.
    /// - Parameters:
    ///   - seconds: the instant in the live recording; instants after its end count in the last column.
    ///   - addProbabilities: adds to each element of the array the probability of one of the equal stretches of the
    ///     reference.
    public mutating func record(at seconds: Double, _ addProbabilities: (inout [Float]) -> Void) {
        let column = Int(min(max(seconds / stepSeconds, 0), Double(counts.count - 1)))
        addProbabilities(&sums[column])
        counts[column] += 1
    }

    /// The probabilities gathered so far, averaged and rounded down to four decimals.
    public var map: ProbabilityMap {
        ProbabilityMap(
            firstSeconds: 0, stepSeconds: stepSeconds, referenceSeconds: referenceSeconds,
            columns: zip(sums, counts).map { sums, count in
                // Rounded down, so that no sum exceeds its true value.
                sums.map {
                    ($0 / Float(max(count, 1)) / Self.leastProbability).rounded(.down) * Self.leastProbability
                }
            })
    }
}
