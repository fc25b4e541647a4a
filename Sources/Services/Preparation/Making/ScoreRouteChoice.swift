/// The measures of a score that a recording plays, and their order.
package enum ScoreRouteChoice: Hashable, Sendable {
    /// The alignment finds out which repeats the performers took.
    case found
    /// Every repeat, as the score says.
    case written
    /// Ranges of printed measure numbers, in the order of the recording.
    case ranges([ClosedRange<Int>])

    /// Reads an option: `found`, `written`, or ranges such as `1-8,1-8,9-16`.
    package init?(_ text: String) {
        switch text {
        case "found": self = .found
        case "written": self = .written
        default:
            var ranges: [ClosedRange<Int>] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
                guard (1...2).contains(bounds.count), let first = bounds[0],
                    let last = bounds[bounds.count - 1],
                    first >= 0, first <= last
                else { return nil }
                ranges.append(first...last)
            }
            self = .ranges(ranges)
        }
    }
}

/// Finds ranges of printed measures among the played measures of an unfolded score.
struct ScoreRouteFinder {
    /// The printed number of each played measure.
    let printed: [Int]

    /// Returns the played measures of each range, in order.
    ///
    /// A range that the score plays more than once is taken at the next pass after the range before it, or else at the
    /// first pass.
    /// - Throws: ``PreparationError`` naming a range that the score never plays in one go.
    func playedMeasures(
        of ranges: [ClosedRange<Int>], _ adviceReader: AdviceReader = .command
    ) throws -> [Int] {
        var route: [Int] = []
        for range in ranges {
            let next = (route.last ?? -1) + 1
            guard let found = firstPass(of: range, from: next) ?? firstPass(of: range, from: 0) else {
                throw PreparationError(
                    adviceReader.routeOptionName
                        + "the score never plays bars \(range.lowerBound)–\(range.upperBound) one after the other. It plays \(playedRanges)."
                )
            }
            route += found
        }
        return route
    }

    private func firstPass(of range: ClosedRange<Int>, from: Int) -> [Int]? {
        guard from < printed.count else { return nil }
        for start in from..<printed.count
        where printed[start] == range.lowerBound && (start == 0 || printed[start - 1] != range.lowerBound) {
            var end = start
            // A split bar has its number twice.
            while end + 1 < printed.count, printed[end + 1] <= range.upperBound,
                (0...1).contains(printed[end + 1] - printed[end])
            {
                end += 1
            }
            if printed[end] == range.upperBound { return Array(start...end) }
        }
        return nil
    }

    /// Returns the option `route` with which these played measures are found again; nil if there is none.
    func routeText(of played: [Int]) -> String? {
        var ranges: [ClosedRange<Int>] = []
        for (index, measure) in played.enumerated() {
            let follows = index > 0 && played[index - 1] + 1 == measure
            if follows, let last = ranges.last, (0...1).contains(printed[measure] - last.upperBound) {
                ranges[ranges.count - 1] = last.lowerBound...printed[measure]
            } else {
                ranges.append(printed[measure]...printed[measure])
            }
        }
        guard !ranges.isEmpty, ranges.allSatisfy({ $0.lowerBound >= 0 }),
            let found = try? playedMeasures(of: ranges), found == played
        else { return nil }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    /// The ranges that the score plays without a leap, as text: `1–8, 1–16`.
    private var playedRanges: String {
        var ranges: [ClosedRange<Int>] = []
        for number in printed {
            if let last = ranges.last, (0...1).contains(number - last.upperBound) {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { ScoreRouteSentences.barRange($0) }.joined(separator: ", ")
    }
}
