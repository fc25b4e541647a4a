import Score

/// The relation of a score's printed measures to the played ones.
public struct RepeatStructure: Equatable, Sendable {
    /// Number of measures played, counting each repetition.
    public let playedMeasureCount: Int
    /// Number of different printed numbers.
    public let distinctPrintedCount: Int
    /// Lowest and highest printed number; nil if there is no measure.
    public let printedRange: ClosedRange<Int>?
    /// The ranges of printed measures that are played more than once, lowest first.
    public let repeatedRanges: [RepeatedMeasureRange]

    /// A range of printed measures, all played the same number of times.
    public struct RepeatedMeasureRange: Equatable, Sendable {
        public let printedRange: ClosedRange<Int>
        public let playCount: Int

        public init(printed: ClosedRange<Int>, times: Int) {
            self.printedRange = printed
            self.playCount = times
        }
    }

    /// - Complexity: O(n log n) in the number of marks.
    public init(_ marks: [PlayedMeasure]) {
        var times: [Int: Int] = [:]
        for (row, mark) in marks.enumerated() {
            // A bar split into two rows was played once.
            let isSplit = row > 0 && marks[row - 1].printed == mark.printed
            if !isSplit { times[mark.printed, default: 0] += 1 }
        }
        let numbers = times.keys.sorted()
        var repeats: [RepeatedMeasureRange] = []
        for number in numbers {
            guard let count = times[number], count > 1 else { continue }
            if let last = repeats.last, last.playCount == count, last.printedRange.upperBound == number - 1 {
                repeats[repeats.count - 1] = RepeatedMeasureRange(
                    printed: last.printedRange.lowerBound...number, times: count)
            } else {
                repeats.append(RepeatedMeasureRange(printed: number...number, times: count))
            }
        }
        playedMeasureCount = marks.count
        distinctPrintedCount = numbers.count
        printedRange = numbers.first.flatMap { first in numbers.last.map { first...$0 } }
        self.repeatedRanges = repeats
    }

    /// A summary in one sentence.
    public var summarySentence: String {
        guard let printedRange else { return "There is no measure." }
        var text =
            "\(playedMeasureCount) played measures, \(distinctPrintedCount) printed ones "
            + "(\(formattedMeasureRange(printedRange)))"
        for part in repeatedRanges.prefix(8) {
            text +=
                ", \(formattedMeasureRange(part.printedRange)) "
                + "\(part.playCount == 2 ? "twice" : "\(part.playCount) times")"
        }
        if repeatedRanges.count > 8 { text += ", and \(repeatedRanges.count - 8) more repeats" }
        return text + "."
    }
}

/// Formats a range of measure numbers for messages: `17`, `17–19`.
func formattedMeasureRange(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
}
