import Basics

/// Invented page breaks for testing page turns: divides the measures of a score into pages at random, reproducibly by a
/// seed.
///
/// Every page, including the last, has 20 to 40 measures. A length is possible if the measures after the page can be
/// divided too, and all possible lengths are equally likely. A score of fewer measures is one page.
public struct RandomPages: Hashable, Sendable {
    public static let measuresPerPage = 20...40

    /// The first and the last printed measure number of each page, in rising order.
    public let pageMeasureRanges: [ClosedRange<Int>]

    /// Divides the measures of a score into pages.
    /// - Parameter printed: measure numbers in any order, repeated as often as they are played; at least one.
    /// - Complexity: O(n log n). The same seed gives the same pages everywhere.
    public init(printed: some Sequence<Int>, seed: UInt64) {
        let numbers = Set(printed).sorted()
        precondition(!numbers.isEmpty, "pages of no measures")
        var chance = SeededRandomGenerator(seed: seed)
        var spans: [ClosedRange<Int>] = []
        var first = 0
        while first < numbers.count {
            let left = numbers.count - first
            let possible = Self.measuresPerPage.filter {
                $0 == left || left - $0 >= Self.measuresPerPage.lowerBound
            }
            let length = possible.randomElement(using: &chance) ?? left
            spans.append(numbers[first]...numbers[first + length - 1])
            first += length
        }
        self.pageMeasureRanges = spans
    }

    /// Returns the index of the page that has a printed measure number; if no page has it, that of the nearest page
    /// before it.
    /// - Complexity: O(pages).
    public func pageIndex(of printed: Int) -> Int {
        max((pageMeasureRanges.firstIndex { printed < $0.lowerBound } ?? pageMeasureRanges.count) - 1, 0)
    }
}
