/// The places of a reference where music is likely to begin, or to go on when it leaves its path: its bars.
///
/// Nobody stops and goes on in the middle of a bar, few go far, and where a bar is printed once and played twice,
/// what follows it once may follow it another time: the repeat is left out, or taken again.
public struct Landmarks: Sendable, Hashable {
    /// One bar of the reference, as played.
    public struct Bar: Sendable, Hashable {
        /// First frame.
        public var frame: Int
        /// The number in the score: the same where a bar is played again.
        public var printed: Int
        /// A section begins here, or a repeat.
        public var opensSection: Bool

        public init(frame: Int, printed: Int, opensSection: Bool = false) {
            self.frame = frame
            self.printed = printed
            self.opensSection = opensSection
        }
    }

    /// In the order in which they are played.
    public let bars: [Bar]

    /// - Parameter bars: frames rising.
    public init(bars: [Bar]) { self.bars = bars }

    /// The bar at a frame; the first one before it.
    /// - Complexity: O(log bars).
    func bar(at frame: Int) -> Int {
        var low = 0
        var high = bars.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if frame >= bars[middle].frame { low = middle } else { high = middle }
        }
        return low
    }

    /// How readily music goes on at a bar, in no unit.
    /// - Parameters:
    ///   - present: the bar it was in.
    ///   - isOpen: it has paused or lost its way; else only what the score says may follow counts.
    func weight(of bar: Int, from present: Int, isOpen: Bool, parameters: FilterParameters) -> Float {
        var weight: Float = bars[bar].opensSection ? parameters.sectionWeight : 1
        weight /= Float(abs(bar - present)) + parameters.nearBars
        if bar > 0 && bar - 1 != present && bars[bar - 1].printed == bars[present].printed {
            return weight * parameters.returnWeight
        }
        return isOpen ? weight : 0
    }
}
