import Basics

@testable import Alignment

/// A filter in use: hears frames, keeps what it says.
struct Hearing {
    let filter: ForwardFilter
    private(set) var estimates: [MusicAlignmentEstimate] = []

    /// - Parameter start: nil if nobody knows.
    init(
        _ references: ReferenceFeatureFrames..., start: Int? = 0,
        parameters: ForwardFilterParameters = ForwardFilterParameters()
    ) {
        filter = ForwardFilter(references: references, parameters: parameters)
        filter.begin(at: start.map { FeatureFrameIndex($0) })
    }

    /// - Returns: what was said during these frames.
    @discardableResult
    mutating func hear(
        _ live: ReferenceFeatureFrames, isQuiet: Bool = false, isDropout: Bool = false,
        standsOut: Bool = false, isRoomAlone: Bool = false
    ) -> ArraySlice<MusicAlignmentEstimate> {
        live.featureValues.withUnsafeBufferPointer { values in
            for frame in 0..<live.frameCount {
                var heard = LiveFeatureFrame(
                    featureValues: values.baseAddress! + frame * live.dimensions, isQuiet: isQuiet,
                    isDropout: isDropout)
                heard.standsOutFromRoom = standsOut
                heard.isRoomAlone = isRoomAlone
                estimates.append(filter.advance(heard))
            }
        }
        return estimates.suffix(live.frameCount)
    }

    var jumps: Int { estimates.count { $0.hasJumped } }
}

extension ReferenceFeatureFrames {
    /// Frames that resemble nothing in particular: all parts at random, of unit norm.
    static func noise(_ count: Int, seed: UInt64) -> ReferenceFeatureFrames {
        var dice = Dice(seed: seed)
        var values: [Float] = []
        for _ in 0..<2 * count {
            let part = dice.values(Melody.partCount)
            let norm = part.reduce(0) { $0 + $1 * $1 }.squareRoot()
            values += part.map { $0 / norm }
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: 2 * Melody.partCount,
            powerByFrame: [Float](repeating: 1, count: count))
    }

    /// The same frames with something else heard in them.
    func mixed(with other: ReferenceFeatureFrames, share: Float) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: zip(featureValues, other.featureValues).map { $0 * (1 - share) + $1 * share },
            dimensions: dimensions,
            powerByFrame: powerByFrame)
    }
}
