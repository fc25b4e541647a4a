import RealModule

/// How much each of several references counts, by how well it has explained the sound for some seconds.
///
/// The shares are a softmax of the mean similarity at the position, so that a recording of another music soon
/// counts nothing. Belongs to one thread; no allocation after `init`.
final class ReferenceShares {
    private let count: Int
    private let parameters: FilterParameters
    /// Similarity at the position, of late.
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

    /// All references count alike.
    func forget() {
        fits.update(repeating: 0, count: count)
        shares.update(repeating: 1 / Float(count), count: count)
    }

    /// The share of a reference; all of them sum to one.
    subscript(reference: Int) -> Float { shares[reference] }

    /// A reference's similarity at the position in the newest frame.
    func hear(_ similarity: Float, of reference: Int) {
        fits[reference] += (similarity - fits[reference]) / parameters.referenceMemoryFrames
    }

    /// Takes what was heard into account from the next frame on.
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
