/// The likelihood that music which has left its path continues at each place of a reference, judged by the distance from
/// the last trusted bar alone.
///
/// Two copies of a passage often differ less than two performances of it, so the sound cannot tell them apart. Musicians
/// who stop usually go back a few bars, and a cut rarely skips half the piece; the nearer copy is therefore likelier.
/// The likelihood falls with the square of the distance: a bar eight bars away is four times as likely as one 24 bars
/// away.
///
/// Belongs to one thread; after `init` no allocation, no lock.
final class DistancePrior {
    private let reference: ReferenceBars
    private let pooledFrameCount: Int
    private let framesPerPooledFrame: Int
    private let barsToHalfWeight: Float
    private let likelihoods: UnsafeMutablePointer<Float>
    /// The index of the bar near which places are preferred; nil if none is trusted.
    private(set) var trustedBar: Int?

    /// Creates a prior without a trusted bar.
    /// - Parameter reference: the bars of the reference, at least one.
    init(reference: ReferenceBars, pooledFrameCount: Int, parameters: ForwardFilterParameters) {
        precondition(!reference.bars.isEmpty, "distances are counted in bars")
        self.reference = reference
        self.pooledFrameCount = pooledFrameCount
        framesPerPooledFrame = parameters.framesPerPooledFrame
        barsToHalfWeight = parameters.barsToHalfWeight
        likelihoods = zeroedFloats(pooledFrameCount)
    }

    deinit { likelihoods.deallocate() }

    /// True if a bar is trusted; otherwise the likelihoods mean nothing.
    var hasTrustedBar: Bool { trustedBar != nil }

    /// Forgets the trusted bar.
    func forgetTrustedBar() { trustedBar = nil }

    /// Trusts the bar that contains a reference frame.
    /// - Complexity: O(frames / pooling + bars) if the bar changes, otherwise O(log bars).
    func trustBar(at frame: Int) {
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

    /// The relative likelihood, without unit, that the music continues at a pooled frame.
    subscript(pooledFrame: Int) -> Float { likelihoods[pooledFrame] }
}
