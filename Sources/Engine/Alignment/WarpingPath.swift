/// Maps each moment of a recording to the same moment of another recording by a list of frame pairs.
///
/// From one pair to the next neither side goes back and at least one advances. If one side stands still while the other
/// advances, the standing frame belongs to the middle of that stretch; between two pairs the path is straight. Lookups
/// in both directions use this rule, so they agree.
public struct WarpingPath: Sendable, Hashable {
    /// Two frames that sound the same moment of the music, each counted from 0.
    public struct FramePair: Sendable, Hashable {
        public var firstRecordingFrame: Int
        public var secondRecordingFrame: Int

        public init(firstRecordingFrame: Int, secondRecordingFrame: Int) {
            self.firstRecordingFrame = firstRecordingFrame
            self.secondRecordingFrame = secondRecordingFrame
        }
    }

    /// The pairs in rising order; at least one.
    public let framePairs: [FramePair]

    /// Creates a path from frame pairs.
    /// - Parameter pairs: at least one; neither side may go back, and no pair may equal the one before.
    /// - Complexity: O(pairs).
    public init(_ pairs: [FramePair]) {
        precondition(!pairs.isEmpty, "a warping path has a pair at least")
        for (before, after) in zip(pairs, pairs.dropFirst()) {
            precondition(
                after != before && after.firstRecordingFrame >= before.firstRecordingFrame
                    && after.secondRecordingFrame >= before.secondRecordingFrame,
                "a warping path does not go from \(before) to \(after)")
        }
        self.framePairs = pairs
    }

    /// The frame of the second recording that belongs to a frame of the first; both may have fractions.
    ///
    /// Beyond either end of the path both recordings are assumed to run at the same speed.
    /// - Complexity: O(log pairs).
    public func secondFrame(forFirst first: Double) -> Double {
        interpolatedFrame(at: first, of: { $0.firstRecordingFrame }, on: { $0.secondRecordingFrame })
    }

    /// The frame of the first recording that belongs to a frame of the second; both may have fractions.
    /// - Complexity: O(log pairs).
    public func firstFrame(forSecond second: Double) -> Double {
        interpolatedFrame(at: second, of: { $0.secondRecordingFrame }, on: { $0.firstRecordingFrame })
    }

    private func interpolatedFrame(
        at frame: Double, of key: (FramePair) -> Int, on other: (FramePair) -> Int
    ) -> Double {
        precondition(frame.isFinite, "a frame is a number, not \(frame)")
        let after = firstPairIndex(where: key, exceeds: frame)
        guard after > 0 else {
            return middleOfMatchingFrames(of: 0, key, other) - (Double(key(framePairs[0])) - frame)
        }
        let low = Double(key(framePairs[after - 1]))
        let lowValue = middleOfMatchingFrames(of: after - 1, key, other)
        guard after < framePairs.count else { return lowValue + (frame - low) }
        let high = Double(key(framePairs[after]))
        let highValue = middleOfMatchingFrames(of: after, key, other)
        return lowValue + (highValue - lowValue) * (frame - low) / (high - low)
    }

    /// Returns the middle of the frames on the other side that belong to a pair's frame.
    private func middleOfMatchingFrames(
        of pair: Int, _ key: (FramePair) -> Int, _ other: (FramePair) -> Int
    ) -> Double {
        let frame = Double(key(framePairs[pair]))
        let end = firstPairIndex(where: key, exceeds: frame)
        let start = firstPairIndex(where: key, exceeds: frame - 1)
        return (Double(other(framePairs[start])) + Double(other(framePairs[end - 1]))) / 2
    }

    /// Returns the index of the first pair whose frame is greater than `frame`; the number of pairs if there is none.
    private func firstPairIndex(where key: (FramePair) -> Int, exceeds frame: Double) -> Int {
        var low = 0
        var high = framePairs.count
        while low < high {
            let middle = (low + high) / 2
            if Double(key(framePairs[middle])) > frame { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
