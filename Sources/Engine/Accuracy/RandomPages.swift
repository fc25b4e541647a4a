import Chance

/// A made-up part: a random division of a score's measures into pages, reproducible by its seed.
///
/// Every page, including the last, has 20 to 40 measures. Each length is equally likely among those that leave a
/// possible rest; a shorter score is one page.
public struct RandomPages: Hashable, Sendable {
    public static let lengths = 20...40

    /// First and last printed number of each page, rising.
    public let spans: [ClosedRange<Int>]

    /// - Parameter printed: measure numbers in any order, as often as they are played; at least one.
    /// - Complexity: O(n log n). The same seed gives the same pages everywhere.
    public init(printed: some Sequence<Int>, seed: UInt64) {
        let numbers = Set(printed).sorted()
        precondition(!numbers.isEmpty, "pages of no measures")
        var chance = SplitMix(seed: seed)
        var spans: [ClosedRange<Int>] = []
        var first = 0
        while first < numbers.count {
            let left = numbers.count - first
            let possible = Self.lengths.filter { $0 == left || left - $0 >= Self.lengths.lowerBound }
            let length = possible.randomElement(using: &chance) ?? left
            spans.append(numbers[first]...numbers[first + length - 1])
            first += length
        }
        self.spans = spans
    }

    /// Index of the page with a printed measure; if no page has it, the nearest page before it.
    /// - Complexity: O(pages).
    public func page(of printed: Int) -> Int {
        max((spans.firstIndex { printed < $0.lowerBound } ?? spans.count) - 1, 0)
    }
}
