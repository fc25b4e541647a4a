/// Maps each moment of a recording to the same moment of another recording by a list of frame pairs.
///
/// From one pair to the next neither side goes back and at least one advances. If one side stands still while the other
/// advances, the standing frame belongs to the middle of that stretch; between two pairs the path is straight. Lookups
/// in both directions use this rule, so they agree.
public struct WarpingPath: Sendable, Hashable {
    /// Two frames that sound the same moment of the music, each counted from 0.
    public struct Pair: Sendable, Hashable {
        public var first: Int
        public var second: Int

        public init(first: Int, second: Int) {
            self.first = first
            self.second = second
        }
    }

    /// The pairs in rising order; at least one.
    public let pairs: [Pair]

    /// Creates a path from frame pairs.
    /// - Parameter pairs: at least one; neither side may go back, and no pair may equal the one before.
    /// - Complexity: O(pairs).
    public init(_ pairs: [Pair]) {
        precondition(!pairs.isEmpty, "a warping path has a pair at least")
        for (before, after) in zip(pairs, pairs.dropFirst()) {
            precondition(
                after != before && after.first >= before.first && after.second >= before.second,
                "a warping path does not go from \(before) to \(after)")
        }
        self.pairs = pairs
    }

    /// The frame of the second recording that belongs to a frame of the first; both may have fractions.
    ///
    /// Beyond either end of the path both recordings are assumed to run at the same speed.
    /// - Complexity: O(log pairs).
    public func second(forFirst first: Double) -> Double { value(at: first, of: \.first, on: \.second) }

    /// The frame of the first recording that belongs to a frame of the second; both may have fractions.
    /// - Complexity: O(log pairs).
    public func first(forSecond second: Double) -> Double { value(at: second, of: \.second, on: \.first) }

    private func value(at frame: Double, of key: KeyPath<Pair, Int>, on other: KeyPath<Pair, Int>) -> Double {
        precondition(frame.isFinite, "a frame is a number, not \(frame)")
        let after = index(where: key, exceeds: frame)
        guard after > 0 else {
            return middle(of: 0, key, other) - (Double(pairs[0][keyPath: key]) - frame)
        }
        let low = Double(pairs[after - 1][keyPath: key])
        let lowValue = middle(of: after - 1, key, other)
        guard after < pairs.count else { return lowValue + (frame - low) }
        let high = Double(pairs[after][keyPath: key])
        let highValue = middle(of: after, key, other)
        return lowValue + (highValue - lowValue) * (frame - low) / (high - low)
    }

    /// Returns the middle of the frames on the other side that belong to a pair's frame.
    private func middle(of pair: Int, _ key: KeyPath<Pair, Int>, _ other: KeyPath<Pair, Int>) -> Double {
        let frame = Double(pairs[pair][keyPath: key])
        let end = index(where: key, exceeds: frame)
        let start = index(where: key, exceeds: frame - 1)
        return (Double(pairs[start][keyPath: other]) + Double(pairs[end - 1][keyPath: other])) / 2
    }

    /// Returns the index of the first pair whose frame is greater than `frame`; the number of pairs if there is none.
    private func index(where key: KeyPath<Pair, Int>, exceeds frame: Double) -> Int {
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if Double(pairs[middle][keyPath: key]) > frame { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
