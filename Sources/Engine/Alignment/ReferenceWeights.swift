import RealModule

/// Weights several references by how well each has explained the sound during the last seconds.
///
/// The weights are a softmax of the mean similarity at the position, so that a recording of other music soon counts
/// for nothing. Belongs to one thread; no allocation after `init`.
final class ReferenceWeights {
    private let count: Int
    private let parameters: FilterParameters
    /// Per reference: its similarity at the position, averaged over the last frames.
    private let fits: UnsafeMutablePointer<Float>
    private let shares: UnsafeMutablePointer<Float>

    init(count: Int, parameters: FilterParameters) {
        self.count = count
        self.parameters = parameters
        fits = zeroedFloats(count)
        shares = zeroedFloats(count)
        forget()
    }

    deinit {
        fits.deallocate()
        shares.deallocate()
    }

    /// Gives all references the same weight.
    func forget() {
        fits.update(repeating: 0, count: count)
        shares.update(repeating: 1 / Float(count), count: count)
    }

    /// The weight of a reference; all of them sum to one.
    subscript(reference: Int) -> Float { shares[reference] }

    /// Takes a reference's similarity at the position in the newest frame.
    func hear(_ similarity: Float, of reference: Int) {
        fits[reference] += (similarity - fits[reference]) / parameters.referenceMemoryFrames
    }

    /// Computes the weights from the similarities taken; they apply from the next frame on.
    func settle() {
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
