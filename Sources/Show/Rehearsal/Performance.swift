import Score

/// What of a movement is played, and in which order: repeats taken and cuts made, as passages of printed
/// measures.
///
/// `1–32, 1–32, 33–80, 101–140` takes the first repeat and leaves 81 to 100 out. Each measure of it is a
/// *step*, counted from 0.
public struct Performance: Hashable, Sendable {
    /// In the order in which they are played; at least one.
    public let passages: [ClosedRange<Int>]

    /// - Throws: ``RehearsalFault`` where there is no passage, or there are too many measures.
    public init(passages: [ClosedRange<Int>]) throws(RehearsalFault) {
        guard !passages.isEmpty else { throw .noneOf("passages") }
        var steps = 0
        for passage in passages {
            let (length, overflow) = passage.upperBound.subtractingReportingOverflow(passage.lowerBound)
            guard !overflow, length < RoomLimits.mostSteps else {
                throw .tooManyOf("measures", count: .max, most: RoomLimits.mostSteps)
            }
            steps += length + 1
            try Part.check(steps, of: "measures", most: RoomLimits.mostSteps)
        }
        self.passages = passages
    }

    /// What a recording plays.
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

    /// How many steps there are.
    public var count: Int { passages.reduce(0) { $0 + $1.count } }

    /// The printed number of every step.
    /// - Complexity: O(steps).
    public var printed: [Int] { passages.flatMap { Array($0) } }

    /// The same with a passage played once more after its first time.
    /// - Throws: ``RehearsalFault`` where the passage is not played in one piece, or the whole gets too long.
    public func repeating(_ again: ClosedRange<Int>) throws(RehearsalFault) -> Performance {
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
        return try Performance(passages: changed)
    }
}

/// Written as its passages, `[[1, 32], [1, 80]]`.
extension Performance: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(passages: decoder.singleValueContainer().decode([ClosedRange<Int>].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(passages)
    }
}
