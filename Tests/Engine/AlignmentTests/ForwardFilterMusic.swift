import MusicalTime

@testable import Alignment

/// A filter in use: hears frames, keeps what it says.
struct Hearing {
    let filter: ForwardFilter
    private(set) var estimates: [AlignmentEstimate] = []

    /// - Parameter start: nil where nobody knows.
    init(_ references: ReferenceFrames..., start: Int? = 0) {
        filter = ForwardFilter(references: references)
        filter.begin(at: start.map { FrameIndex($0) })
    }

    /// - Returns: what was said during these frames.
    @discardableResult
    mutating func hear(_ live: ReferenceFrames, isQuiet: Bool = false, isDropout: Bool = false)
        -> ArraySlice<AlignmentEstimate>
    {
        live.values.withUnsafeBufferPointer { values in
            for frame in 0..<live.frameCount {
                estimates.append(
                    filter.advance(
                        LiveFrame(
                            values: values.baseAddress! + frame * live.dimensions, isQuiet: isQuiet,
                            isDropout: isDropout)))
            }
        }
        return estimates.suffix(live.frameCount)
    }

    var jumps: Int { estimates.count { $0.jumped } }
}

extension ReferenceFrames {
    /// Frames that resemble nothing in particular: all parts at random, of unit norm.
    static func noise(_ count: Int, seed: UInt64) -> ReferenceFrames {
        var dice = Dice(seed: seed)
        var values: [Float] = []
        for _ in 0..<2 * count {
            let part = dice.values(Melody.partCount)
            let norm = part.reduce(0) { $0 + $1 * $1 }.squareRoot()
            values += part.map { $0 / norm }
        }
        return ReferenceFrames(
            values: values, dimensions: 2 * Melody.partCount, power: [Float](repeating: 1, count: count))
    }

    /// The same frames with something else heard in them.
    func mixed(with other: ReferenceFrames, share: Float) -> ReferenceFrames {
        ReferenceFrames(
            values: zip(values, other.values).map { $0 * (1 - share) + $1 * share }, dimensions: dimensions,
            power: power)
    }
}
