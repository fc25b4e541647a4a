import RealModule

/// Weights several reference recordings, and their copies in rooms, by how well each has explained the sound lately.
///
/// The weights are a softmax of the mean similarity at the position, so that a recording of other music, or of another
/// room, soon counts for nothing. Belongs to one thread; no allocation after `init`.
final class ReferenceWeights {
    private let count: Int
    /// The first of them are recordings, the others their copies in rooms.
    private let recordingCount: Int
    private let parameters: ForwardFilterParameters
    /// For each reference, its similarity at the position, averaged over the last frames.
    private let fits: UnsafeMutablePointer<Float>
    private let shares: UnsafeMutablePointer<Float>
    /// The number of frames over which the similarities are averaged: from
    /// ``ForwardFilterParameters/referenceTrialFrames`` to ``ForwardFilterParameters/referenceMemoryFrames``.
    private var averagedFrames: Float = 0
    /// The weight below which a reference counts as 0, so that the window need not be compared with it.
    private let leastShare: Float

    init(count: Int, recordingCount: Int, parameters: ForwardFilterParameters) {
        self.count = count
        self.recordingCount = recordingCount
        self.parameters = parameters
        leastShare = min(0.02, 0.5 / Float(count))
        fits = zeroedFloats(count)
        shares = zeroedFloats(count)
        reset()
    }

    deinit {
        fits.deallocate()
        shares.deallocate()
    }

    /// Gives all recordings the same weight, and their copies in rooms none.
    func reset() {
        averagedFrames = parameters.referenceTrialFrames
        fits.update(repeating: 0, count: count)
        for reference in 0..<count {
            shares[reference] = reference < recordingCount ? 1 / Float(recordingCount) : 0
        }
    }

    /// Takes over the weights that another window has found.
    func copy(_ other: ReferenceWeights) {
        averagedFrames = other.averagedFrames
        fits.update(from: other.fits, count: count)
        shares.update(from: other.shares, count: count)
    }

    /// The weight of a reference, 0…1; the weights of all references sum to one. A reference that hardly matters has
    /// the weight 0.
    subscript(reference: Int) -> Float { shares[reference] }

    /// Takes the similarity of a reference, at the present position, to the newest live frame.
    func addSimilarity(_ similarity: Float, of reference: Int) {
        fits[reference] += (similarity - fits[reference]) / averagedFrames
    }

    /// Computes the weights from the similarities taken so far; they apply from the next frame on.
    func computeWeights() {
        averagedFrames = min(averagedFrames + 1, parameters.referenceMemoryFrames)
        var best = -Float.infinity
        for reference in 0..<count { best = max(best, adjustedFit(reference)) }
        for reference in 0..<count {
            shares[reference] = Float.exp(parameters.referenceSharpness * (adjustedFit(reference) - best))
        }
        normalizeShares()
        for reference in 0..<count where shares[reference] < leastShare { shares[reference] = 0 }
        normalizeShares()
    }

    private func adjustedFit(_ reference: Int) -> Float {
        guard reference >= recordingCount else { return fits[reference] }
        // The error of a mean of n values falls with the root of n.
        return fits[reference]
            - parameters.roomHandicap * (parameters.referenceMemoryFrames / averagedFrames).squareRoot()
    }

    private func normalizeShares() {
        var sum: Float = 0
        for reference in 0..<count { sum += shares[reference] }
        for reference in 0..<count { shares[reference] /= sum }
    }
}
