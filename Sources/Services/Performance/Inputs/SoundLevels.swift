import Basics
import Glibc
import Synchronization

/// The sound level of a source. One thread measures; any thread reads.
final class SoundLevels: Sendable {
    private let rate: SampleRate
    private let peak = Atomic<UInt32>(0)
    private let rms = Atomic<UInt32>(0)
    private let heldPeak = Atomic<UInt32>(0)
    private let clippedSampleCount = Atomic<Int>(0)
    private let silentSampleCount = Atomic<Int>(0)

    /// Full scale of 16-bit samples.
    private static let fullScale: Float = 32_767.0 / 32_768
    /// A peak below -90 dB of full scale counts as silence.
    private static let silentPeak: Float = 3.1623e-5
    /// The share of the held peak that is left after a second: it falls by 20 dB.
    private static let heldAfterSecond: Float = 0.1

    init(rate: SampleRate) { self.rate = rate }

    /// Measures a block of samples, full scale ±1.
    func measure(_ samples: UnsafeBufferPointer<Float>) {
        guard !samples.isEmpty else { return }
        var greatest: Float = 0
        var squares: Float = 0
        var atFullScale = 0
        for sample in samples {
            greatest = max(greatest, abs(sample))
            squares += sample * sample
            if abs(sample) >= Self.fullScale { atFullScale += 1 }
        }
        let fall = powf(Self.heldAfterSecond, Float(Double(samples.count) / rate.hertz))
        let fallen = Float(bitPattern: heldPeak.load(ordering: .relaxed)) * fall
        store(peak: greatest, rms: (squares / Float(samples.count)).squareRoot(), held: max(greatest, fallen))
        clippedSampleCount.wrappingAdd(atFullScale, ordering: .relaxed)
        noteSilence(of: samples.count, isSilent: greatest <= Self.silentPeak)
    }

    /// Notes silence that was put in the place of sound.
    func measureSilence(count: Int) {
        store(peak: 0, rms: 0, held: 0)
        noteSilence(of: count, isSilent: true)
    }

    /// Writes the levels into the status of the source.
    func describe(in status: inout SoundSourceStatus) {
        status.peak = Float(bitPattern: peak.load(ordering: .relaxed))
        status.rms = Float(bitPattern: rms.load(ordering: .relaxed))
        status.heldPeak = Float(bitPattern: heldPeak.load(ordering: .relaxed))
        status.clippedSamples = clippedSampleCount.load(ordering: .relaxed)
        status.silentSeconds = Double(silentSampleCount.load(ordering: .relaxed)) / rate.hertz
    }

    private func store(peak newest: Float, rms power: Float, held: Float) {
        peak.store(newest.bitPattern, ordering: .relaxed)
        rms.store(power.bitPattern, ordering: .relaxed)
        heldPeak.store(held.bitPattern, ordering: .relaxed)
    }

    private func noteSilence(of count: Int, isSilent: Bool) {
        let before = silentSampleCount.load(ordering: .relaxed)
        silentSampleCount.store(isSilent ? before + count : 0, ordering: .relaxed)
    }
}
