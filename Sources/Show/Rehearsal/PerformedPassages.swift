import Score

/// The measures of a movement that are played, in order: passages of printed measures, with repeats taken and cuts
/// made.
///
/// `1–32, 1–32, 33–80, 101–140` takes the first repeat and cuts 81 to 100. Each measure of a performance is a
/// *step*, counted from 0.
public struct PerformedPassages: Hashable, Sendable {
    /// The passages in playing order; at least one.
    public let passages: [ClosedRange<Int>]

    /// Creates a performance.
    /// - Throws: ``RehearsalFault`` if there is no passage, or if there are too many measures.
    public init(passages: [ClosedRange<Int>]) throws(RehearsalFault) {
        guard !passages.isEmpty else { throw .noneOf("passages") }
        var steps = 0
        for passage in passages {
            let (length, overflow) = passage.upperBound.subtractingReportingOverflow(passage.lowerBound)
            guard !overflow, length < RoomLimits.mostPerformanceSteps else {
                throw .tooManyOf("measures", count: .max, most: RoomLimits.mostPerformanceSteps)
            }
            steps += length + 1
            try Part.checkCount(steps, of: "measures", most: RoomLimits.mostPerformanceSteps)
        }
        self.passages = passages
    }

    /// Creates the performance that a recording plays.
    /// - Complexity: O(measures).
    public init(of measures: MeasureMap) {
        var passages: [ClosedRange<Int>] = []
        for mark in measures.marks {
            if let last = passages.last, last.upperBound &+ 1 == mark.printed {
                passages[passages.count - 1] = last.lowerBound...mark.printed
            } else {
                passages.append(mark.printed...mark.printed)
            }
        }
        self.passages = passages
    }

    private init(unchecked passages: [ClosedRange<Int>]) { self.passages = passages }

    /// The number of steps, which are played measures.
    public var stepCount: Int { passages.reduce(0) { $0 + $1.count } }

    /// The printed number of each step.
    /// - Complexity: O(steps).
    public var printedMeasures: [Int] { passages.flatMap { Array($0) } }

    /// The same performance with a passage repeated after its first occurrence.
    /// - Throws: ``RehearsalFault`` if the passage is not played in one piece, or if the result is too long.
    public func repeating(_ again: ClosedRange<Int>) throws(RehearsalFault) -> PerformedPassages {
        guard
            let index = passages.firstIndex(where: {
                $0.contains(again.lowerBound) && $0.contains(again.upperBound)
            })
        else { throw .noneOf("measures \(again.lowerBound) to \(again.upperBound) in one passage") }
        let passage = passages[index]
        var changed = Array(passages[..<index])
        changed.append(passage.lowerBound...again.upperBound)
        changed.append(again.lowerBound...passage.upperBound)
        changed.append(contentsOf: passages[(index + 1)...])
        return try PerformedPassages(passages: changed)
    }
}

/// A performance is encoded as a JSON array of its passages: `[[1, 32], [1, 80]]`.
extension PerformedPassages: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(passages: decoder.singleValueContainer().decode([ClosedRange<Int>].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(passages)
    }
}
