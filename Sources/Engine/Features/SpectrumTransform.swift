/// Turns one windowed block of samples into a power spectrum.
///
/// This protocol states what the engine needs; an adapter supplies the FFT library. An instance belongs to one thread,
/// because it owns the transform's buffers.
public protocol SpectrumTransform: AnyObject {
    /// The number of samples in a block.
    var blockLength: Int { get }

    /// The block to transform. The caller writes `blockLength` samples to it before ``transform(into:)``.
    var input: UnsafeMutablePointer<Float> { get }

    /// Writes `blockLength / 2 + 1` squared magnitudes, bin 0 first.
    ///
    /// No allocation, no lock. Cost: one real FFT.
    func transform(into power: UnsafeMutablePointer<Float>)
}

/// Makes transforms. Call it before the music starts, never on the real-time following thread.
public protocol SpectrumTransformMaker: AnyObject, Sendable {
    func makeTransform(blockLength: Int) -> any SpectrumTransform
}
