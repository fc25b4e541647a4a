/// Averages a follower's probabilities into a ``ProbabilityMap`` while it follows.
///
/// Takes a few hundred kilobytes whatever the length: 600 columns by 240 rows at most. A column is the mean of
/// everything that falls into it, so a brief moment is visible, but pale.
public struct ProbabilityMapBuilder: Sendable {
    public static let mostColumns = 600
    public static let mostRows = 240
    /// The smallest duration of a column or row, in seconds: the search of the whole reference is updated once in this
    /// time.
    static let finestSeconds = 0.1
    /// Smaller probabilities are written as zero; a picture shows only values 40 times larger.
    static let least: Float = 1e-4

    private let stepSeconds: Double
    private let referenceSeconds: Double
    private var sums: [[Float]]
    private var counts: [Int]

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
    ///   - seconds: live seconds; times after the end count as the last column.
    ///   - addThought: adds the probability of each equal stretch of the reference to the values of the array.
    public mutating func note(at seconds: Double, _ addProbabilities: (inout [Float]) -> Void) {
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
                sums.map { ($0 / Float(max(count, 1)) / Self.least).rounded(.down) * Self.least }
            })
    }
}
