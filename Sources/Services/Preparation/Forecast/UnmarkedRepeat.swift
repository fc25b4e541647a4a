import Score

/// A passage that returns at once with other numbers, although it may be a repeat.
///
/// The first bars of the return may sound unlike those of the passage, because an upbeat, a figure that leads back or
/// other instruments begin it. Only the bars after them are found as alike; the repeat has them all the same.
struct UnmarkedRepeat: Equatable {
    /// The passage and its return, with the first bars.
    var passage: PieceForecast.LiteralCopy
    /// The number of bars at the beginning of the return that sound unlike those of the passage.
    var unlikeFirstBars = 0

    /// The most bars between a passage and its return, as of two endings.
    private static let mostBarsOfEnding = 2
    private static let mostUnlikeFirstBars = 4
    /// The bars that must follow a return, so that the follower has time to find the place.
    private static let leastBarsAfter = 8

    /// Finds those among passages that return, without the same one twice.
    static func find(among passages: [PieceForecast.LiteralCopy], in measures: MeasureMap) -> [UnmarkedRepeat]
    {
        var found: [UnmarkedRepeat] = []
        for passage in passages {
            guard let unmarked = UnmarkedRepeat(passage, in: measures),
                !found.contains(where: {
                    $0.passage.playedFrom == unmarked.passage.playedFrom
                        && $0.passage.otherPlayedFrom == unmarked.passage.otherPlayedFrom
                })
            else { continue }
            found.append(unmarked)
        }
        return found
    }

    init(passage: PieceForecast.LiteralCopy, unlikeFirstBars: Int = 0) {
        (self.passage, self.unlikeFirstBars) = (passage, unlikeFirstBars)
    }

    /// - Returns: nil if the passage does not return at once, has the same numbers already, or if too few bars follow.
    init?(_ alike: PieceForecast.LiteralCopy, in measures: MeasureMap) {
        let printed = measures.marks.map(\.printed)
        let count = alike.to - alike.from + 1
        let gap = alike.otherPlayedFrom - alike.playedFrom - count
        guard alike.from != alike.otherFrom, count > 0, gap >= 0,
            alike.otherPlayedFrom + count + Self.leastBarsAfter <= printed.count
        else { return nil }
        let unlike = gap > Self.mostBarsOfEnding ? min(gap, alike.playedFrom) : 0
        guard gap - unlike <= Self.mostBarsOfEnding, unlike <= min(Self.mostUnlikeFirstBars, count) else {
            return nil
        }
        let (first, other) = (alike.playedFrom - unlike, alike.otherPlayedFrom - unlike)
        // Numbers that do not count on belong to another repeat.
        guard printed[first] + unlike == alike.from, printed[other] + unlike == alike.otherFrom else {
            return nil
        }
        unlikeFirstBars = unlike
        passage = alike
        (passage.from, passage.playedFrom) = (printed[first], first)
        (passage.otherFrom, passage.otherPlayedFrom) = (printed[other], other)
    }
}
