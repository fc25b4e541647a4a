/// The bars of a reference: the places where music is likely to begin, or to continue when it leaves its path.
///
/// Musicians do not stop and continue in the middle of a bar, and seldom go far. If a bar is printed once and played
/// twice, what follows one occurrence may also follow the other, because a repeat may be left out or taken again.
public struct ReferenceBars: Sendable, Hashable {
    /// One bar of the reference, as played.
    public struct Bar: Sendable, Hashable {
        /// The first frame of the bar.
        public var firstFrame: Int
        /// The number in the score; the same each time the bar is played.
        public var printedNumber: Int
        /// True if a section or a repeat begins here.
        public var opensSection: Bool

        public init(firstFrame: Int, printedNumber: Int, opensSection: Bool = false) {
            self.firstFrame = firstFrame
            self.printedNumber = printedNumber
            self.opensSection = opensSection
        }
    }

    /// The bars in the order in which they are played.
    public let bars: [Bar]

    /// Creates the list of a reference's bars.
    /// - Parameter bars: the bars in playing order, with rising frames.
    public init(bars: [Bar]) { self.bars = bars }

    /// Returns the index of the bar at a frame; the first bar for frames before it.
    /// - Complexity: O(log bars).
    func barIndex(at frame: Int) -> Int {
        var low = 0
        var high = bars.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if frame >= bars[middle].firstFrame { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the relative likelihood, without unit, that the music continues at a bar.
    /// - Parameters:
    ///   - present: the bar in which the music was last.
    ///   - isJumpLikely: true if the music has paused or the position is not proven; otherwise only continuations that the
    ///     score allows are likely.
    func continuationWeight(
        of bar: Int, from present: Int, isJumpLikely: Bool, parameters: ForwardFilterParameters
    )
        -> Float
    {
        var weight: Float = bars[bar].opensSection ? parameters.sectionStartJumpFactor : 1
        weight /= Float(abs(bar - present)) + parameters.barsToHalfWeight
        if bar > 0 && bar - 1 != present && bars[bar - 1].printedNumber == bars[present].printedNumber {
            return weight * parameters.repeatedBarJumpFactor
        }
        return isJumpLikely ? weight : 0
    }
}
