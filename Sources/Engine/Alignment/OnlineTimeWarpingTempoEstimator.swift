/// Estimates the tempo as the slope of the newest positions: reference frames per live frame, by least squares.
///
/// Belongs to one thread; no allocation after `init`.
final class OnlineTimeWarpingTempoEstimator {
    /// The number of live frames over which the slope is computed: three seconds.
    private static let slopeFrames = 150
    /// The least number of live frames from which a tempo is estimated.
    private static let leastFramesForTempo = 25

    private let newestReferencePositions: UnsafeMutablePointer<Double>
    private var notedPositionCount = 0

    init() {
        newestReferencePositions = .allocate(capacity: Self.slopeFrames)
        newestReferencePositions.initialize(repeating: 0, count: Self.slopeFrames)
    }

    deinit { newestReferencePositions.deallocate() }

    func forgetPositions() { notedPositionCount = 0 }

    func notePosition(_ frame: Double) {
        newestReferencePositions[notedPositionCount % Self.slopeFrames] = frame
        notedPositionCount += 1
    }

    /// Reference frames per live frame, limited to 0.25…4; 1 while there are too few positions.
    var tempoRatio: Double {
        let length = min(notedPositionCount, Self.slopeFrames)
        guard length >= Self.leastFramesForTempo else { return 1 }
        let middle = Double(length - 1) / 2
        var product = 0.0
        var square = 0.0
        for age in 0..<length {
            let distance = middle - Double(age)
            product += distance * newestReferencePositions[(notedPositionCount - 1 - age) % Self.slopeFrames]
            square += distance * distance
        }
        return min(max(product / square, 0.25), 4)
    }

    /// Number of live frames covered by ``recentAdvance``: half a second.
    static let recentAdvanceFrames = 25.0

    /// The number of reference frames by which the position advanced during the last half second.
    var recentAdvance: Double {
        let length = min(notedPositionCount, Int(Self.recentAdvanceFrames) + 1)
        return length > 0
            ? newestReferencePositions[(notedPositionCount - 1) % Self.slopeFrames]
                - newestReferencePositions[(notedPositionCount - length) % Self.slopeFrames] : 0
    }
}
