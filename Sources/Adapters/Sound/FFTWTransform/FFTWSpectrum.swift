import CFFTW3f
import Features
import Synchronization

/// The lock that is held while a plan is made or destroyed, because FFTW's planner is not thread-safe. Plans can be
/// executed without it.
private let fftwPlannerLock = Mutex<Void>(())

/// Computes the FFT of real samples with FFTW, in single precision.
public final class FFTWSpectrum: SpectrumTransform {
    public let blockLength: Int
    public let input: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<fftwf_complex>
    private let plan: fftwf_plan

    /// Allocates the buffers and makes FFTW's plan. The plan uses FFTW_ESTIMATE, because measured plans were no faster
    /// at these lengths.
    public init(blockLength: Int) {
        precondition(blockLength > 1, "an FFT needs two samples, not \(blockLength)")
        self.blockLength = blockLength
        input = fftwf_alloc_real(blockLength)!
        output = fftwf_alloc_complex(blockLength / 2 + 1)!
        input.initialize(repeating: 0, count: blockLength)
        let (source, target) = (input, output)
        nonisolated(unsafe) let from = source  // used inside the lock only
        nonisolated(unsafe) let to = target
        nonisolated(unsafe) var made: fftwf_plan?
        fftwPlannerLock.withLock { _ in
            made = fftwf_plan_dft_r2c_1d(Int32(blockLength), from, to, FFTW_ESTIMATE)
        }
        plan = made!
    }

    deinit {
        nonisolated(unsafe) let done = plan
        fftwPlannerLock.withLock { _ in fftwf_destroy_plan(done) }
        fftwf_free(input)
        fftwf_free(output)
    }

    public func transform(into power: UnsafeMutablePointer<Float>) {
        fftwf_execute(plan)
        for bin in 0...(blockLength / 2) {
            let value = output[bin]
            power[bin] = value.0 * value.0 + value.1 * value.1
        }
    }
}

/// Makes ``FFTWSpectrum`` objects.
public final class FFTWSpectrumMaker: SpectrumTransformMaker {
    public init() {}

    public func makeTransform(blockLength: Int) -> any SpectrumTransform {
        FFTWSpectrum(blockLength: blockLength)
    }
}
