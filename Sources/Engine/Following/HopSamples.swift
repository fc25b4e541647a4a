/// The samples of the present hop, until it is complete.
///
/// Belongs to the real-time following thread; after `init` no allocation, no lock.
final class HopSamples {
    private let samples: UnsafeMutablePointer<Float>
    private let capacity: Int
    private var count = 0

    /// - Parameter capacity: the largest number of samples of a hop.
    init(capacity: Int) {
        self.capacity = capacity
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
    }

    deinit { samples.deallocate() }

    func addSamples(_ new: UnsafeBufferPointer<Float>) {
        precondition(count + new.count <= capacity, "a hop has at most \(capacity) samples")
        for index in new.indices { samples[count + index] = new[index] }
        count += new.count
    }

    /// Begins the next hop.
    /// - Returns: the samples of this one, valid until the next call of ``addSamples(_:)``.
    func takeSamples() -> UnsafeBufferPointer<Float> {
        defer { count = 0 }
        return UnsafeBufferPointer(start: samples, count: count)
    }

    /// Takes over the samples of an incomplete hop.
    func copySamples(from other: HopSamples) {
        count = 0
        addSamples(UnsafeBufferPointer(start: other.samples, count: other.count))
    }
}
