/// Turns one windowed block of samples into a power spectrum.
///
/// This module states what it needs; an adapter supplies the FFT library. An instance belongs to one thread, because
/// it owns the transform's buffers.
public protocol SpectrumTransform: AnyObject {
    /// Samples in a block.
    var blockLength: Int { get }

    /// The block to transform; `blockLength` samples, written by the caller before ``transform(into:)``.
    var input: UnsafeMutablePointer<Float> { get }

    /// Writes `blockLength / 2 + 1` squared magnitudes, bin 0 first.
    ///
    /// No allocation, no lock. Cost: one real FFT.
    func transform(into power: UnsafeMutablePointer<Float>)
}

/// Makes transforms. Call it before the music starts, never in the follow lane.
public protocol SpectrumTransformMaker: Sendable {
    func makeTransform(blockLength: Int) -> any SpectrumTransform
}
