import Score

/// The relation of a score's printed measures to the played ones.
public struct RepeatStructure: Equatable, Sendable {
    /// Number of measures played, counting each repetition.
    public let playedCount: Int
    /// Number of different printed numbers.
    public let printedCount: Int
    /// Lowest and highest printed number; nil if there is no measure.
    public let printedRange: ClosedRange<Int>?
    /// The ranges of printed measures that are played more than once, lowest first.
    public let repeats: [Repeat]

    /// A range of printed measures, all played the same number of times.
    public struct Repeat: Equatable, Sendable {
        public let printed: ClosedRange<Int>
        public let times: Int

        public init(printed: ClosedRange<Int>, times: Int) {
            self.printed = printed
            self.times = times
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
        var repeats: [Repeat] = []
        for number in numbers {
            guard let count = times[number], count > 1 else { continue }
            if let last = repeats.last, last.times == count, last.printed.upperBound == number - 1 {
                repeats[repeats.count - 1] = Repeat(
                    printed: last.printed.lowerBound...number, times: count)
            } else {
                repeats.append(Repeat(printed: number...number, times: count))
            }
        }
        playedCount = marks.count
        printedCount = numbers.count
        printedRange = numbers.first.flatMap { first in numbers.last.map { first...$0 } }
        self.repeats = repeats
    }

    /// A summary in one sentence.
    public var sentence: String {
        guard let printedRange else { return "There is no measure." }
        var text =
            "\(playedCount) played measures, \(printedCount) printed ones (\(formattedRange(printedRange)))"
        for part in repeats.prefix(8) {
            text += ", \(formattedRange(part.printed)) \(part.times == 2 ? "twice" : "\(part.times) times")"
        }
        if repeats.count > 8 { text += ", and \(repeats.count - 8) more repeats" }
        return text + "."
    }
}

/// Formats a range of measure numbers for messages: `17`, `17–19`.
func formattedRange(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
}
