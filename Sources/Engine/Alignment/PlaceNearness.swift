/// How near each place of a reference is to the bar in which the music was last shown with trust.
///
/// A passage often returns, and the copies sound so alike that the differences between two performances outweigh those
/// between the copies. Then it counts for more where the music has been: who stops goes back a few bars, and who leaves
/// something out rarely leaves out half the piece. A place eight bars away is four times as likely as one 24 bars away.
///
/// Belongs to one thread; after `init` no allocation, no lock.
final class PlaceNearness {
    private let pooledFrameCount: Int
    private let framesPerPooledFrame: Int
    private let barsToHalfWeight: Float
    private let likelihoods: UnsafeMutablePointer<Float>
    private var trustedBar: Int?

    init(pooledFrameCount: Int, parameters: ForwardFilterParameters) {
        self.pooledFrameCount = pooledFrameCount
        framesPerPooledFrame = parameters.framesPerPooledFrame
        barsToHalfWeight = parameters.barsToHalfWeight
        likelihoods = zeroedFloats(pooledFrameCount)
    }

    deinit { likelihoods.deallocate() }

    /// True if it is known where the music has been.
    var isKnown: Bool { trustedBar != nil }

    /// Forgets where the music has been.
    func forget() { trustedBar = nil }

    /// Notes that the music is at a frame.
    /// - Complexity: O(frames / pooling + bars) when the bar changes, otherwise O(log bars).
    func note(frame: Int, in reference: ReferenceBars) {
        guard !reference.bars.isEmpty else { return }
        let trusted = reference.barIndex(at: frame)
        guard trusted != trustedBar else { return }
        trustedBar = trusted
        var bar = 0
        for pooledFrame in 0..<pooledFrameCount {
            let frame = pooledFrame * framesPerPooledFrame
            while bar + 1 < reference.bars.count && reference.bars[bar + 1].firstFrame <= frame { bar += 1 }
            let distance = Float(abs(bar - trusted)) + barsToHalfWeight
            likelihoods[pooledFrame] = 1 / (distance * distance)
        }
    }

    /// The relative likelihood, without unit, that the music goes on at a pooled frame.
    subscript(pooledFrame: Int) -> Float { likelihoods[pooledFrame] }
}
