/// Pools what a follower thinks into a ``ThoughtMap`` while it follows.
///
/// Some hundred kilobytes whatever the length: 600 columns by 240 rows at the most. A column is the mean of all
/// that falls into it, so what lasted only for a moment is there, and pale.
public struct ThoughtGathering: Sendable {
    public static let mostColumns = 600
    public static let mostRows = 240
    /// Nothing is finer than this: the whole-reference search thinks ten times a second.
    static let finestSeconds = 0.1
    /// Less than this is written as nothing: twenty times less than a picture shows.
    static let least: Float = 1e-4

    private let stepSeconds: Double
    private let referenceSeconds: Double
    private var sums: [[Float]]
    private var counts: [Int]

    /// - Parameters:
    ///   - liveSeconds: how long the live recording is.
    ///   - referenceSeconds: how long the reference is.
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

    /// Takes note of a thought.
    /// - Parameters:
    ///   - seconds: live seconds; behind the end they count as the last.
    ///   - addThought: adds the probability of each equal stretch of the reference to what stands there.
    public mutating func note(at seconds: Double, _ addThought: (inout [Float]) -> Void) {
        let column = Int(min(max(seconds / stepSeconds, 0), Double(counts.count - 1)))
        addThought(&sums[column])
        counts[column] += 1
    }

    /// What has been gathered, to four decimals.
    public var map: ThoughtMap {
        ThoughtMap(
            firstSeconds: 0, stepSeconds: stepSeconds, referenceSeconds: referenceSeconds,
            columns: zip(sums, counts).map { sums, count in
                // Rounded down, so that no sum gets larger than it was.
                sums.map { ($0 / Float(max(count, 1)) / Self.least).rounded(.down) * Self.least }
            })
    }
}
