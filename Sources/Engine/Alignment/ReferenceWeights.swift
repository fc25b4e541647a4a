import RealModule

/// Weights several reference recordings by how well each has explained the sound during the last seconds.
///
/// The weights are a softmax of the mean similarity at the position, so that a recording of other music soon counts for
/// nothing. Belongs to one thread; no allocation after `init`.
final class ReferenceWeights {
    private let count: Int
    private let parameters: ForwardFilterParameters
    /// For each reference, its similarity at the position, averaged over the last frames.
    private let fits: UnsafeMutablePointer<Float>
    private let shares: UnsafeMutablePointer<Float>

    init(count: Int, parameters: ForwardFilterParameters) {
        self.count = count
        self.parameters = parameters
        fits = zeroedFloats(count)
        shares = zeroedFloats(count)
        reset()
    }

    deinit {
        fits.deallocate()
        shares.deallocate()
    }

    /// Gives all references the same weight.
    func reset() {
        fits.update(repeating: 0, count: count)
        shares.update(repeating: 1 / Float(count), count: count)
    }

    /// The weight of a reference, 0…1; the weights of all references sum to one.
    subscript(reference: Int) -> Float { shares[reference] }

    /// Takes the similarity of a reference, at the present position, to the newest live frame.
    func addSimilarity(_ similarity: Float, of reference: Int) {
        fits[reference] += (similarity - fits[reference]) / parameters.referenceMemoryFrames
    }

    /// Computes the weights from the similarities taken so far; they apply from the next frame on.
    func computeWeights() {
        var best = -Float.infinity
        for reference in 0..<count { best = max(best, fits[reference]) }
        var sum: Float = 0
        for reference in 0..<count {
            shares[reference] = Float.exp(parameters.referenceSharpness * (fits[reference] - best))
            sum += shares[reference]
        }
        for reference in 0..<count { shares[reference] /= sum }
    }
}
