/// Averages a follower's probabilities into a ``ProbabilityMap`` while it follows.
///
/// Uses a few hundred kilobytes however long the recording is: at most 600 columns by 240 rows. A column is the mean
/// over its duration, so a brief moment is visible but pale.
public struct ProbabilityMapBuilder: Sendable {
    public static let mostColumns = 600
    public static let mostRows = 240
    /// The shortest duration of a column or a row, in seconds. The search of the whole reference is updated once in
    /// this time, so a finer map would show no more.
    static let shortestCellSeconds = 0.1
    /// Probabilities below this limit are written as zero; charts show only values at least 40 times as large.
    static let leastProbability: Float = 1e-4

    private let columnSeconds: Double
    private let referenceDurationSeconds: Double
    private var probabilitySums: [[Float]]
    private var recordCounts: [Int]

    /// Creates a builder without any probabilities.
    /// - Parameters:
    ///   - liveSeconds: duration of the live recording.
    ///   - referenceDurationSeconds: duration of the reference.
    public init(liveSeconds: Double, referenceDurationSeconds: Double) {
        func parts(_ seconds: Double, most: Int) -> Int {
            Int(min(max(seconds / Self.shortestCellSeconds, 1), Double(most)))
        }
        let columns = parts(liveSeconds, most: Self.mostColumns)
        let rows = parts(referenceDurationSeconds, most: Self.mostRows)
        columnSeconds = max(liveSeconds, Self.shortestCellSeconds) / Double(columns)
        self.referenceDurationSeconds = referenceDurationSeconds
        probabilitySums = Array(repeating: Array(repeating: 0, count: rows), count: columns)
        recordCounts = Array(repeating: 0, count: columns)
    }

    /// Adds the follower's probabilities at an instant.
    /// - Parameters:
    ///   - seconds: the instant in the live recording; instants after its end count in the last column.
    ///   - addProbabilities: adds to each element of the array the probability of one of the equal stretches of the
    ///     reference.
    public mutating func recordProbabilities(at seconds: Double, _ addProbabilities: (inout [Float]) -> Void)
    {
        let column = Int(min(max(seconds / columnSeconds, 0), Double(recordCounts.count - 1)))
        addProbabilities(&probabilitySums[column])
        recordCounts[column] += 1
    }

    /// The probabilities gathered so far, averaged and rounded down to four decimals.
    public var averagedMap: ProbabilityMap {
        ProbabilityMap(
            firstSeconds: 0, stepSeconds: columnSeconds, referenceSeconds: referenceDurationSeconds,
            columns: zip(probabilitySums, recordCounts).map { sums, count in
                // Rounded down, so that no sum exceeds its true value.
                sums.map {
                    ($0 / Float(max(count, 1)) / Self.leastProbability).rounded(.down) * Self.leastProbability
                }
            })
    }
}
